"""The fragments of a call, as the language's `call` step and the recorded streams have them."""

from __future__ import annotations

from typing import Any

from fakeserver.speech.calls import AllCalls, Calls

KEYS = ("index", "id", "type", "function")


def pieces(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value] if value is None or value else []


def fragments(calls: Calls, whole: bool = False, **written: Any) -> list[Any]:
    return calls.fragments(written, pieces, whole)


def head(index: int, id: str, name: str = "f", arguments: Any = "") -> dict[str, Any]:
    return {"index": index, "id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


def test_a_name_opens_with_a_head_and_empty_arguments() -> None:
    assert fragments(Calls(KEYS), name="f", arguments=["{", "}"]) == [
        head(0, "call_1"),
        {"index": 0, "function": {"arguments": "{"}},
        {"index": 0, "function": {"arguments": "}"}},
    ]


def test_the_next_free_index_and_a_counted_id() -> None:
    calls = Calls(KEYS)
    assert fragments(calls, name="f") == [head(0, "call_1")]
    assert fragments(calls, name="f", index=4, id="x") == [head(4, "x")]
    assert fragments(calls, name="f") == [head(5, "call_3")]


def test_written_nulls_are_sent() -> None:
    [one] = fragments(Calls(KEYS), name="f", id=None, index=None, type="custom")
    assert one == {"index": None, "id": None, "type": "custom", "function": {"name": "f", "arguments": ""}}
    assert fragments(Calls(KEYS), name="f", arguments=None) == [head(0, "call_1", arguments=None)]


def test_whole_puts_all_in_one() -> None:
    assert fragments(Calls(KEYS), True, name="f", arguments=["{", "}"]) == [head(0, "call_1", arguments="{}")]
    assert fragments(Calls(KEYS), True, name="f") == [head(0, "call_1")]
    assert fragments(Calls(KEYS), True, name="f", arguments=[1, "b"]) == [head(0, "call_1", arguments="1b")]


def test_without_a_name_it_is_more_of_the_last_index_with_the_keys_as_written() -> None:
    calls = Calls(KEYS)
    fragments(calls, name="f")
    fragments(calls, name="g")
    assert fragments(calls, arguments="x") == [{"index": 1, "function": {"arguments": "x"}}]
    assert fragments(calls, index=0, id=None, name="", arguments=["x", "y"]) == [
        {"index": 0, "id": None, "function": {"name": "", "arguments": "x"}},
        {"index": 0, "id": None, "function": {"name": "", "arguments": "y"}},
    ]
    assert fragments(calls, name="") == [{"index": 0, "function": {"name": ""}}]
    assert fragments(calls, id="late") == [{"index": 0, "id": "late"}]
    assert fragments(calls, arguments="") == [{"index": 0, "function": {"arguments": ""}}]
    assert fragments(Calls(KEYS), arguments="x") == [{"index": 0, "function": {"arguments": "x"}}]


def test_the_dialects_keys_in_its_order_and_one_it_lacks_only_where_it_is_written() -> None:
    calls = Calls(("id", "function"))
    assert [list(each) for each in fragments(calls, name="f", arguments=["x"])] == [["id", "function"], ["function"]]
    assert list(fragments(calls, name="f", index=7)[0]) == ["id", "function", "index"]


def test_each_choice_counts_its_own() -> None:
    calls = AllCalls(KEYS)
    assert fragments(calls.of(0), name="f") == fragments(calls.of(1), name="f") == [head(0, "call_1")]
    assert fragments(calls.of(0), name="f") == [head(1, "call_2")]
