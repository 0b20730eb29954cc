from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakeserver.match.facts import Facts
from fakeserver.match.route import route_of
from fakeserver.match.seen import MISSING, Seen, pointed, steps_of, text_of

CHAT = "/v1/chat/completions"
TALK = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "image_url"}, {"type": "text", "text": "b"}]},
    {"role": "assistant", "content": None},
    {"role": "tool", "content": "first"},
    {"role": "tool", "content": "second"},
    {"role": "developer", "content": "Be kind."},
]


def seen(body=None, path=CHAT, **headers):
    return Seen.of(Facts("POST", path, route_of(path), headers), body)


def test_a_conversation():
    facts = seen({"model": "m", "stream": True, "messages": TALK}, **{"x-a": "b"})
    assert (facts.model, facts.stream, facts.turn) == ("m", True, 2)
    assert (facts.system, facts.last_user, facts.tool_result) == ("Be brief.\nBe kind.", "ab", "second")
    assert (facts.header("x-a"), facts.header("x-b")) == ("b", MISSING)


@pytest.mark.parametrize("body", [None, [], "x", 5, {}, {"messages": None}, {"messages": [1, None], "tools": {"a": 1}}])
def test_what_is_not_there(body):
    facts = seen(body)
    assert (facts.model, facts.system, facts.last_user, facts.tool_result) == (MISSING,) * 4
    assert (facts.stream, facts.turn, facts.tools) == (False, 1, ())


def test_tools_by_name():
    tools = [
        {"type": "function", "function": {"name": "a"}},
        {"type": "custom", "custom": {"name": "b"}},
        {"type": "function", "name": "c"},
        {"type": "web_search"},
        {"function": {}},
        {"name": 5},
    ]
    assert seen({"tools": tools, "functions": [{"name": "d"}]}).tools == ("a", "b", "c", "web_search", "d")


@pytest.mark.parametrize(
    "path", [CHAT, f"/session/t1{CHAT}", f"//session//t1/{CHAT}", f"/{CHAT}?api-version=1", "/v1/chat%2Fcompletions"]
)
def test_paths_without_session_query_and_doubled_slashes(path):
    assert seen(path=path).path == CHAT


def test_other_paths_are_as_they_are():
    assert seen(path="/session").path == "/session"
    assert seen(path="/v1/session/a/b").path == "/v1/session/a/b"


@pytest.mark.parametrize(
    ("message", "text"),
    [({"content": "a"}, "a"), ({"content": None}, ""), ({}, ""), ({"content": [{"text": 5}, 6]}, "")],
)
def test_texts_of_messages(message, text):
    assert text_of(message) == text


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("", {"a": [1, {"b/c": None, "~": 2}]}),
        ("/a/0", 1),
        ("/a/1/b~1c", None),
        ("/a/1/~0", 2),
        ("/a/2", MISSING),
        ("/a/-", MISSING),
        ("/a/00000000000001", MISSING),
        ("/a/0/x", MISSING),
        ("/b", MISSING),
    ],
)
def test_pointers(pointer, value):
    assert pointed({"a": [1, {"b/c": None, "~": 2}]}, steps_of(pointer)) == value


@given(st.text())
def test_any_pointer_leads_somewhere_or_nowhere(pointer):
    pointed({"a": [1]}, steps_of(pointer))
