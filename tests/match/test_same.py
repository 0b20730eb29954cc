from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakeserver.match.same import first_difference, parting, same
from tests.match.jsons import JSON


@pytest.mark.parametrize(
    ("one", "other", "place"),
    [
        (1, 1.0, None),
        (1, True, ""),
        (0, False, ""),
        (None, False, ""),
        ("1", 1, ""),
        ([], {}, ""),
        ({}, None, ""),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, None),
        ({"a": 1}, {"a": 1, "b": None}, "/b"),
        ({"a": 1, "b": None}, {"a": 1}, "/b"),
        ([1, 2], [1], "/1"),
        ([1], [1, 2], "/1"),
        ({"a/~": [{"x": 1}]}, {"a/~": [{"x": 2}]}, "/a~1~0/0/x"),
    ],
)
def test_where_they_part(one, other, place):
    assert parting(one, other) == place
    assert same(one, other) == (place is None)


@given(JSON, JSON)
def test_the_same_is_the_same_either_way(one, other):
    assert same(one, one)
    assert same(one, other) == same(other, one)


@given(st.text(), st.text(), st.text())
def test_the_first_difference(begin, one, other):
    at = first_difference(begin + one, begin + other)
    assert at >= len(begin)
    assert (begin + one)[:at] == (begin + other)[:at]
    assert (begin + one)[at : at + 1] != (begin + other)[at : at + 1] or (one == other and at == len(begin + one))
