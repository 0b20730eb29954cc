"""Fragments to calls, case by case: each row is the fragments and the calls that a correct client makes of them."""

from __future__ import annotations

from typing import Any

import pytest

from fakeserver.speech.reader.calls import Calls, argument_text, is_json

Fragment = tuple[Any, ...]  # key, id, name, arguments

ROWS: dict[str, tuple[list[Fragment], list[tuple[str, str, str]]]] = {
    "tool-index-missing": (
        [(None, "c1", "a", "{"), (None, "", "", "}"), (None, "c2", "b", "[")],
        [("c1", "a", "{}"), ("c2", "b", "[")],
    ),
    "tool-index-missing, id repeated": ([(None, "c1", "a", "{"), (None, "c1", "", "}")], [("c1", "a", "{}")]),
    "no index, no id, nothing open": ([(None, "", "a", "{}")], [("", "a", "{}")]),
    "no index: an id that is new never joins the call before": (
        [(None, "", "a", "1"), (None, "c2", "b", "2")],
        [("", "a", "1"), ("c2", "b", "2")],
    ),
    "tool-parallel-all-index-0": (
        [(0, "c1", "a", "1"), (0, "c2", "b", "2"), (0, "", "", "3")],
        [("c1", "a", "1"), ("c2", "b", "23")],
    ),
    "tool-interleaved-fragments": (
        [(0, "c1", "a", "1"), (1, "c2", "b", "2"), (0, "", "", "3"), (1, "", "", "4")],
        [("c1", "a", "13"), ("c2", "b", "24")],
    ),
    "tool-index-starts-at-1-or-sparse": (
        [(4, "c4", "d", "4"), (1, "c1", "a", "1")],
        [("c4", "d", "4"), ("c1", "a", "1")],
    ),
    "same id at another index": (
        [(0, "c1", "a", "1"), (1, "c1", "", "2"), (1, "", "", "3")],
        [("c1", "a", "123")],
    ),
    "back to an earlier id at one index": (
        [(0, "c1", "a", "1"), (0, "c2", "b", "2"), (0, "c1", "", "3"), (0, "", "", "4")],
        [("c1", "a", "134"), ("c2", "b", "2")],
    ),
    "an id that comes late": ([(0, "", "a", "1"), (0, "c1", "", "2")], [("c1", "a", "12")]),
    "tool-name-repeated": ([(0, "c1", "abc", ""), (0, "c1", "abc", "1")], [("c1", "abc", "1")]),
    "tool-name-in-pieces": ([(0, "c1", "edit_ex", ""), (0, "", "isting_file", "")], [("c1", "edit_existing_file", "")]),
    "tool-name-empty-then-real": ([(0, "c1", "", ""), (0, "", "a", "")], [("c1", "a", "")]),
    "a call that never says anything": ([(0, "", "", ""), (1, "c1", "a", "")], [("c1", "a", "")]),
    "a name in halves of a pair": ([(0, "c1", "\ud83d", ""), (0, "", "\ude00", "")], [("c1", "\U0001f600", "")]),
}


@pytest.mark.parametrize("name", ROWS)
def test_fragments(name: str) -> None:
    fragments, expected = ROWS[name]
    calls = Calls()
    for fragment in fragments:
        calls.add(*fragment)
    assert [(call.id, call.name, call.arguments) for call in calls.whole()] == expected


def test_the_index_is_kept_as_it_was_written() -> None:
    calls = Calls()
    for key in (4, None, "function_call"):
        calls.add(key, f"id {key}")
    assert [call.index for call in calls.whole()] == [4, None, None]


def test_settled_arguments_replace_the_pieces() -> None:
    calls = Calls()
    calls.add("k", "c1", "a", "{")
    calls.settle("k", "")
    assert calls.whole()[0].arguments == "{"
    calls.settle("k", "{}")
    assert calls.whole()[0].arguments == "{}"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, ""),
        ("", ""),
        ("{", "{"),
        ({"city": "Zürich", "n": [1]}, '{"city":"Zürich","n":[1]}'),
        ([], "[]"),
        (5, "5"),
    ],
)
def test_argument_text(value: Any, expected: str) -> None:
    assert argument_text(value) == expected


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [("", True), (" ", True), ("{}", True), ('{"a": 1}', True), ('{"a', False), ("NaN", False), ("{}{}", False)],
)
def test_is_json(arguments: str, expected: bool) -> None:
    assert is_json(arguments) is expected
