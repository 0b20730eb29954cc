from __future__ import annotations

import pytest

from fakeserver.match.lacks import no_message, nothing_at, other_headers
from fakeserver.match.seen import steps_of
from tests.match.jsons import asked


def test_messages_and_headers():
    assert no_message("tool")(asked()) == "the request has no tool message"
    seen = asked(headers={"x-tennant": "a", "user-agent": "b"})
    assert other_headers(seen, "x-tenant") == "the request has x-tennant"
    assert other_headers(seen, "x-plan") == ""


@pytest.mark.parametrize(
    ("pointer", "said"),
    [
        ("/a", "the body has b, c"),
        ("/b/x/y", "/b is a list of 2"),
        ("/c/d", "/c is an empty map"),
        ("/b/0/x", "/b/0 is no map"),
    ],
)
def test_how_far_a_pointer_leads(pointer, said):
    assert nothing_at({"b": [1, 2], "c": {}}, steps_of(pointer)) == said


def test_of_many_keys_some_are_named():
    assert nothing_at({f"k{n}": n for n in range(10)}, ("x",)) == "the body has k0, k1, k2, k3, k4, k5, k6, k7, ..."
