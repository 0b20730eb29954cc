from __future__ import annotations

from fakeserver.match.conditions import conditions_of
from fakeserver.match.wants import Equal, Glob, Is, Offers, TextTest, Turn
from fakeserver.script.scenario import When


def test_a_condition_a_header_and_a_pointer():
    said = {
        "model": "a*",
        "path": "/v1/*",
        "stream": False,
        "tools": ["a"],
        "turn": "2..",
        "header": {"X-A": "b", "x-c": {"contains": "d", "matches": "e"}},
        "system": "s",
        "last_user": {"equals": "u"},
        "tool_result": {"matches": "r"},
        "body": {"": [], "/a~1b": 1},
    }
    found = {each.place.name: each.want for each in conditions_of(When.model_validate(said))}
    assert list(found) == [
        "model", "path", "stream", "tools", "turn", "header x-a", "header x-c", "system", "last_user", "tool_result",
        'body ""', "body /a~1b",
    ]  # fmt: skip
    assert (found["model"], found["path"]) == (Glob("a*"), Glob("/v1/*"))
    assert (found["stream"], found["tools"], found["turn"]) == (Is(False), Offers(("a",)), Turn(2, True))
    assert (found["header x-a"], found["header x-c"]) == (TextTest("b"), TextTest(contains="d", matches="e"))
    assert (found["last_user"], found["tool_result"]) == (TextTest("u"), TextTest(matches="r"))
    assert isinstance(found["body /a~1b"], Equal)


def test_no_tools_is_a_condition_only_where_it_is_written():
    assert conditions_of(When()) == ()
    (only,) = conditions_of(When.model_validate({"tools": False}))
    assert (only.place.name, only.want) == ("tools", Is(False))
