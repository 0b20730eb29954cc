"""`/a/b` from the chunk, `a/b` from each choice; missing maps are made, a number is never a key to make."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from fakeserver.plan import pointers

CHUNK: dict[str, Any] = {"id": "x", "choices": [{"index": 0, "delta": {"content": "a"}}], "usage": None, "0": {}}


@pytest.mark.parametrize(
    ("pointer", "value", "expected"),
    [
        ("/id", 1, {"id": 1}),
        ("/a/b/c", 1, {"a": {"b": {"c": 1}}}),
        ("/usage/x", 1, {"usage": {"x": 1}}),
        ("/choices/0", 1, {"choices": [1]}),
        ("/choices/0/index", 1, {"choices": [{"index": 1, "delta": {"content": "a"}}]}),
        ("/choices/0/delta/a~1b~0", 1, {"choices": [{"index": 0, "delta": {"content": "a", "a/b~": 1}}]}),
        ("/0/a", 1, {"0": {"a": 1}}),
        ("/", 1, {"": 1}),
    ],
)
def test_put(pointer: str, value: Any, expected: Any) -> None:
    chunk = copy.deepcopy(CHUNK)
    assert pointers.put(chunk, pointer, value)
    assert chunk == CHUNK | expected


@pytest.mark.parametrize(
    "pointer",
    ["/choices/1/a", "/choices/1", "/choices/x", "/choices/-1", "/a/0/b", "/a/0", "/7", "/id/a", "/choices/0/index/a",
     "/choices/0/delta/7"],
)  # fmt: skip
def test_put_nowhere_leaves_the_chunk_as_it_was(pointer: str) -> None:
    chunk = copy.deepcopy(CHUNK)
    assert not pointers.put(chunk, pointer, 1)
    assert chunk == CHUNK


def test_a_null_in_a_list_becomes_a_map() -> None:
    chunk = {"a": [None]}
    assert pointers.put(chunk, "/a/0/b", 1)
    assert chunk == {"a": [{"b": 1}]}


def test_put_into_what_is_no_map() -> None:
    assert not pointers.put(7, "a", 1)


def test_get() -> None:
    assert pointers.get(CHUNK, "/choices/0/delta/content") == "a"
    for pointer in ("/nope", "/choices/5", "/id/x"):
        with pytest.raises(LookupError):
            pointers.get(CHUNK, pointer)


def test_drop() -> None:
    chunk = copy.deepcopy(CHUNK)
    assert pointers.drop(chunk, "/choices/0/delta/content")
    assert chunk["choices"] == [{"index": 0, "delta": {}}]
    assert pointers.drop(chunk, "/choices/0")
    assert chunk["choices"] == []
    for pointer in ("/nope", "/choices/0", "/a/b", "/id/x"):
        assert not pointers.drop(chunk, pointer)


def test_roots() -> None:
    assert list(pointers.roots(CHUNK, "/a")) == [CHUNK]
    assert list(pointers.roots(CHUNK, "a")) == CHUNK["choices"]
    assert [list(pointers.roots(chunk, "a")) for chunk in (7, {}, {"choices": 7})] == [[], [], []]
