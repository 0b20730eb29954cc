import pytest
from pydantic_core import PydanticCustomError

from fakeserver.script import units


@pytest.mark.parametrize(
    ("text", "nanoseconds"),
    [
        ("0ms", 0), ("1us", 1_000), ("0.1ms", 100_000), ("20ms", 20_000_000), ("1.5s", 1_500_000_000),
        ("2m", 120_000_000_000), ("0.000000001s", 1), ("0.0000001ms", 0), ("007ms", 7_000_000),
        ("0.3s", 300_000_000), ("1.1s", 1_100_000_000), ("999999999m", 59_999_999_940_000_000_000),
    ],
)  # fmt: skip
def test_durations_are_exact(text, nanoseconds):
    assert units.duration(text) == nanoseconds


@pytest.mark.parametrize(
    "value", ["20", "20 ms", "ms", "-1ms", "+1ms", ".5s", "1.s", "1h", "1ns", "1e3ms", "1ms\n", "\u0663ms",
              "9" * 99 + "ms", 20, 1.5, True, None, {}, []]
)  # fmt: skip
def test_no_durations(value):
    with pytest.raises(PydanticCustomError):
        units.duration(value)


@pytest.mark.parametrize(("text", "bytes_"), [("0B", 0), ("1B", 1), ("16KiB", 16384), ("2MiB", 2 << 20)])
def test_sizes(text, bytes_):
    assert units.size(text) == bytes_
    assert units.signed_size(text) == bytes_
    assert units.signed_size(f"-{text}") == -bytes_


@pytest.mark.parametrize("value", ["1", "1KB", "1 B", "1.5KiB", "-1B", "B", 1, None])
def test_no_sizes(value):
    with pytest.raises(PydanticCustomError):
        units.size(value)


@pytest.mark.parametrize("value", ["--1B", "-", -1])
def test_no_signed_sizes(value):
    with pytest.raises(PydanticCustomError):
        units.signed_size(value)


@pytest.mark.parametrize("value", ["none", "all", "4KiB", "200ms", "1.5s"])
def test_buffers(value):
    assert units.buffer(value) == value


@pytest.mark.parametrize("value", ["some", "4", 4, None, "all "])
def test_no_buffers(value):
    with pytest.raises(PydanticCustomError):
        units.buffer(value)


@pytest.mark.parametrize("value", ["/", "/a/b", "a/b", "a", "/a~0b", "a~1b", " "])
def test_pointers(value):
    assert units.pointer(value) == value


@pytest.mark.parametrize("value", ["", "~", "a~2", "/a~", 3, None])
def test_no_pointers(value):
    with pytest.raises(PydanticCustomError):
        units.pointer(value)


@pytest.mark.parametrize("value", ["", "/", "/a/0", "/a~1b"])
def test_absolute_pointers(value):
    assert units.absolute(value) == value


@pytest.mark.parametrize("value", ["a", "a/b", "/~", "/~2", 3])
def test_no_absolute_pointers(value):
    with pytest.raises(PydanticCustomError):
        units.absolute(value)


@pytest.mark.parametrize(
    "value", ["all", "first", "last", "rest", 1, -1, 12, "2..", "content", "call-rest", "done", "response.created"]
)
def test_selectors(value):
    assert units.selector(value) == value
    assert units.selector([value, "role"]) == (value, "role")


@pytest.mark.parametrize(
    "value", ["", "every", 0, "0..", "2...3", "..2", "01..", True, 1.5, None, {}, [], [0], [["all"]]]
)
def test_no_selectors(value):
    with pytest.raises(PydanticCustomError):
        units.selector(value)


@pytest.mark.parametrize("value", [0, 3, "0%", "50%", "100%", "done", "content", "response.completed"])
def test_places_to_break_at(value):
    assert units.break_at(value) == value


@pytest.mark.parametrize("value", [-1, "101%", "50.5%", "last", "first", "2..", True, None, 0.5])
def test_no_places_to_break_at(value):
    with pytest.raises(PydanticCustomError):
        units.break_at(value)


@pytest.mark.parametrize("value", [1, 12, "1..", "3.."])
def test_turns(value):
    assert units.turn(value) == value


@pytest.mark.parametrize("value", [0, -1, "0..", "1", True, None])
def test_no_turns(value):
    with pytest.raises(PydanticCustomError):
        units.turn(value)


@pytest.mark.parametrize("value", ["", "a+", r"^\d+$", "[[a]b]", "(?i)x"])
def test_regular_expressions(value):
    assert units.regex(value) == value


@pytest.mark.parametrize("value", ["(", "*", "a{2,1}", "x{99999999999}", "(" * 3000, 3])
def test_no_regular_expressions(value):
    with pytest.raises(PydanticCustomError):
        units.regex(value)


@pytest.mark.parametrize(
    ("read", "good", "bad"),
    [
        (units.text, ["", "a"], [1, None, [], True]),
        (units.integer, [0, -5], [1.0, "1", True, None]),
        (units.count, [0, 5], [-1, "1", False, None, 2.0]),
        (units.flag, [True, False], ["yes", "no", 1, None]),
        (units.name, ["a", "0.x_y-z"], ["", "A", "-a", "a b", "a\n", 3]),
        (units.status, [100, 999], [99, 1000, "200", None]),
        (units.interim, [100, 103, 199], [99, 200, "103"]),
    ],
)
def test_plain_values(read, good, bad):
    assert [read(value) for value in good] == good
    for value in bad:
        with pytest.raises(PydanticCustomError):
            read(value)


def test_what_is_shown_of_a_wrong_value_is_short():
    assert [units.shown(value) for value in ("a", 3, True, None, [1], {})] == [
        "'a'",
        "3",
        "true",
        "nothing",
        "a list",
        "a map",
    ]
