import pytest

from fakeserver.script import nodes
from fakeserver.script.nodes import read


def told(text):
    return [(problem.line, problem.column, problem.code) for problem in read(text).problems]


def test_plain_data():
    assert read("a: [1, x, null, {b: 'no'}]\nc: |\n  text\n").data == {"a": [1, "x", None, {"b": "no"}], "c": "text\n"}


@pytest.mark.parametrize("text", ['"3"', "'3'", "!!str 3", "|-\n  3", ">-\n  3"])
def test_quoted_tagged_and_block_texts_stay_texts(text):
    assert read(f"a: {text}").data == {"a": "3"}


def test_keys_are_texts_as_they_are_written():
    assert read("1: a\n~: b\n1.50: c\ntrue: d\n'': e\n&k key: f").data == {
        "1": "a", "~": "b", "1.50": "c", "true": "d", "": "e", "key": "f",
    }  # fmt: skip


def test_aliases_stand_for_what_they_name():
    assert read("a: &x {b: 1}\nc: [*x, *x]").data == {"a": {"b": 1}, "c": [{"b": 1}, {"b": 1}]}


def test_two_escapes_of_one_character_are_joined_and_a_half_stays():
    assert read(r'["\ud83d\ude00", "\ude00\ud83d", "\ud83d"]').data == ["😀", "\ude00\ud83d", "\ud83d"]


def test_a_byte_order_mark_moves_no_column():
    assert told("\ufeffa: @") == told("a: @") == [(1, 4, "yaml")]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_all_line_ends_count(end):
    document = read(end.join(["a: 1", "b:", "  - c: 2", "    d: 3"]))
    assert document.at(("b", 0, "d")) == (4, 8)
    assert document.at(("b", 0, "d"), key=True) == (4, 5)
    assert document.problem((3, 5), "x", "").text == "  - c: 2"
    assert told(end.join(["a: 1", "b: 2", "c: @"])) == [(3, 4, "yaml")]
    assert told(end.join(["a: 1", "b: x\u2028y"])) == [(2, 5, "line-separator")]


def test_places():
    document = read("a:\n  - {b: 1, c: }\n  - x\nempty:\nlist: [\n  y]\n")
    assert document.at(()) == (1, 1)
    assert document.at(("a", 0, "b")) == (2, 9)
    assert document.at(("a", 0, "b"), key=True) == (2, 6)
    assert document.at(("a", 0, "c")) == (2, 12), "a key without a value is shown by its key"
    assert document.at(("a", 1)) == (3, 5)
    assert document.at(("empty",)) == (4, 1)
    assert document.at(("list", 0)) == (6, 3)


@pytest.mark.parametrize("loc", [("a", 7), ("a", "b"), ("nope",), ("a", 1, "b", 2)])
def test_a_place_that_is_not_there_is_the_nearest_above(loc):
    document = read("a:\n  - b: 1\n  - x\n")
    assert document.at(loc) in ((1, 1), (2, 3), (3, 5))


def test_a_file_that_was_not_read_has_one_place():
    document = read("")
    assert document.at(("a",)) == (1, 1)
    assert document.written(("a",)) == ""


def test_what_is_written_is_known():
    document = read("a: 0x1F\nb: [True, {}]\n")
    assert document.written(("a",)) == "0x1F"
    assert document.written(("b", 0)) == "True"
    assert document.written(("b", 1)) == ""


def test_the_first_of_two_keys_holds():
    document = read("a: 1\na: !x 2\n")
    assert document.data == {"a": 1}
    assert [problem.code for problem in document.problems] == ["tag", "duplicate-key"]


def test_keys_that_look_alike_but_are_written_otherwise_are_two():
    assert read("1: a\n1.0: b").problems == []


def test_a_merge_key_in_quotes_is_a_key():
    assert read('"<<": 1').data == {"<<": 1}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "empty"), ("# x", "empty"), ("---", "empty"), ("\n\n", "empty"),
        ("a: 1\n---\nb: 2", "second-document"), ("--- a\n--- b", "second-document"),
        ("\ta: 1", "tab"), ("a:\n\t- b", "tab"), ("a: >\n\tb", "tab"), ("- a\n\t- b", "tab"),
        ("a: *b", "alias"), ("a: *", "alias"), ("a: &x 1\nb: &x 2", "alias"),
        ("a: x\x00", "character"), ("a: \x1b", "character"), ("a: \ud83d", "character"), ("a: \uffff", "character"),
        ("a: \u2029", "line-separator"), ("# \x85", "line-separator"),
        ("? [a]\n: b", "key"), ("{[a]: b}", "key"), ("<<: {}", "merge-key"), ("{a: 1, a: 2}", "duplicate-key"),
        ("!!python/name:os.system", "tag"), ("a: !x b", "tag"), ("!x a: b", "tag"), ("!!set {a}", "tag"),
        ("&a [*a]", "too-deep"), ("&a {b: *a}", "too-deep"), ("[" * 65 + "]" * 65, "too-deep"),
        ("raw: a\\n", "no-escapes"), ("socket: '\\x00'", "no-escapes"),
    ],
)  # fmt: skip
def test_what_is_refused(text, code):
    assert [problem.code for problem in read(text).problems] == [code]


@pytest.mark.parametrize(
    "text", ["raw: a\\q", 'raw: "\\n"', "raw: |\n  \\n", "say: a\\n", "raw: [a\\n]", "raw: {$text: a\\n}"]
)
def test_no_warning_where_none_is_due(text):
    assert not read(text).problems


def test_an_escape_that_stays_is_a_warning():
    assert [problem.warning for problem in read("raw: a\\n").problems] == [True]


def bomb(levels):
    rows = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    rows += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, levels)]
    return "\n".join(rows)


def test_aliases_have_a_budget():
    assert not read(bomb(5)).problems
    assert told(bomb(6))[0][2] == "too-big"
    assert told(bomb(60))[0][2] == "too-big"


def test_the_depth_has_a_limit():
    assert not read("[" * 64 + "]" * 64).problems
    assert told("[" * 900 + "]" * 900) == [(1, 65, "too-deep")]


@pytest.mark.parametrize("text", ["[" * 5000, "{a: " * 5000, "- " * 5000, '["\\ud83d", ' + "[" * 3000 + "]" * 3001])
def test_no_depth_is_too_much_for_the_parsers(text):
    assert len(read(text).problems) == 1


def test_a_mistake_behind_an_anchor_is_said_once():
    assert told("a: &x !t 1\nb: [*x, *x, *x]") == [(1, 4, "tag")]


def test_a_binary_file_has_some_problems_not_thousands():
    assert len(read("\x00" * 100_000).problems) == nodes._MANY


def test_one_long_line_is_read_and_shown_in_part():
    document = read("a: [" + "x, " * 60_000 + "@]")
    (problem,) = document.problems
    assert problem.column == 180_005
    assert max(map(len, str(problem).splitlines())) < 200


SYNTAX = {
    "a: {b: c": (1, 4, "a {...} is not closed"),
    "a: [b": (1, 4, "a [...] is not closed"),
    "a: {b: c]": (1, 9, "a {...} is not closed"),
    "a: 'b\nc: d": (1, 4, "a quoted text without its end"),
    "a: b: c": (1, 5, "a key in the middle of a text"),
    "a: `x`": (1, 4, "no text can begin"),
    'a: "\\q"': (1, None, "an unknown escape"),
    'a: "\\xzz"': (1, 7, "an escape with too few digits"),
    "a: b\nc": (2, 1, "a key without its colon"),
    "a:\n  - b\n  c: d": (3, 3, "a line that is no entry"),
    "a: - b": (1, 4, "a list in the middle of a line"),
    "a: b\n...\nc: d": (3, 1, "something after the end"),
    "a: ]": (1, 4, "a value is missing"),
    "a: {b: !}": (1, 8, "no text can begin with !"),
    "a: !x! b": (1, 4, "no text can begin with !"),
    "a: |x\n b": (1, 5, "text beside"),
    "a: 'it's'": (1, 8, "something after a text"),
    "a: b #c\n  d": (2, 3, "a line that does not fit"),
    "a: ? b": (1, 4, "mapping keys are not allowed"),
}


@pytest.mark.parametrize("loader", ["libyaml", "pure"])
@pytest.mark.parametrize("text", SYNTAX)
def test_both_parsers_are_understood(text, loader, monkeypatch):
    if loader == "pure":
        monkeypatch.setattr(nodes, "_Fast", nodes._Pure)
    (problem,) = read(text).problems
    line, column, message = SYNTAX[text]
    assert problem.message.startswith(message)
    assert problem.line == line
    assert column in (problem.column, None)
    assert problem.remedy


def test_what_we_have_no_words_for_is_said_in_the_parsers():
    (problem,) = read("%YAML 3.0\n---\na: b").problems
    assert problem.message.startswith("found incompatible YAML document")
