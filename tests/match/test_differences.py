from __future__ import annotations

import json

import pytest

from fakeserver.match.conditions import conditions_of
from fakeserver.match.differences import difference
from fakeserver.script.scenario import When
from tests.match.jsons import asked

TOOLS = [{"type": "function", "function": {"name": "a"}}]


def said(when, **request):
    (condition,) = conditions_of(When.model_validate(when))
    return difference(condition, asked(**request))


@pytest.mark.parametrize(
    ("when", "request_", "wanted", "got", "words"),
    [
        ({"model": "o*"}, {}, "o*", "gpt-5", 'model: must be "o*", is "gpt-5"'),
        ({"stream": True}, {}, True, False, "stream: must be true, is false"),
        ({"tools": True}, {}, True, [], "tools: must be true, the request offers none"),
        ({"tools": False}, {"tools": TOOLS}, False, ["a"], "tools: must be false, the request offers a"),
        ({"tools": ["a", "b"]}, {"tools": TOOLS}, ["a", "b"], ["a"],
         "tools: must offer a, b, the request offers a (lacks b)"),
        ({"turn": "2.."}, {}, "2..", 1, "turn: must be 2.., is 1 (1 and the assistant messages so far)"),
        ({"last_user": {"contains": "b", "matches": "^c"}}, {"text": "a"}, {"contains": "b", "matches": "^c"}, "a",
         'last_user: must contain "b" and match /^c/, is "a"'),
        ({"last_user": {"contains": "a", "matches": "^c"}}, {"text": "a"}, {"contains": "a", "matches": "^c"}, "a",
         'last_user: must match /^c/, is "a"'),
        ({"body": {"/seed": None}}, {"seed": 1}, None, 1,
         "body /seed: must be null, is 1 (null is wanted, not a number)"),
    ],
)  # fmt: skip
def test_what_differs(when, request_, wanted, got, words):
    found = said(when, **request_)
    assert (found.wanted, found.got, found.missing, found.said) == (wanted, got, False, words)


def test_what_is_missing():
    found = said({"header": {"x-a": "b"}})
    assert found.as_json() == {
        "field": "header x-a", "wanted": "b", "got": None, "missing": True,
        "said": 'header x-a: must be "b", is missing',
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("authorization", "Bearer sk-0123456789abcdef", "Bearer sk-***cdef"),
        ("api-key", "0123456789abcdef", "012***cdef"),
        ("cookie", "short", "***"),
    ],
)
def test_secrets_are_masked(name, value, shown):
    found = said({"header": {name: "x"}}, headers={name: value})
    assert found.got == shown
    assert value not in json.dumps(found.as_json())
