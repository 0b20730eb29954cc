"""Selectors, attempts and what follows the last of them (section 3 `attempts`)."""

from __future__ import annotations

import json

import pytest

from fakeserver.plan import Ask, Turns, Unknown, choose, error_plan, needs, plain, turns
from tests.plan.making import BUILTIN, body, choice, library, plan, writes
from tests.wire import end_of, received

THREE = "attempts: [{respond: rate-limited}, {reply: b}, {reply: c}]\n"


def test_turns() -> None:
    assert turns(choice("reply: a")) == Turns()
    assert [turns(choice(THREE)).index(n) for n in range(5)] == [0, 1, 2, 2, 2]
    assert [turns(choice(THREE + "then: again")).index(n) for n in range(5)] == [0, 1, 2, 0, 1]
    assert [turns(choice(THREE + "then: fail")).index(n) for n in range(5)] == [0, 1, 2, -1, -1]
    assert turns(choice(THREE + "attempts_by: retry-count")).by == "retry-count"


def test_each_turn_has_its_body() -> None:
    assert received(plan(THREE)).status == 429
    assert [b'"content":"%s"' % text in body(THREE, turn=turn) for turn, text in ((1, b"b"), (2, b"c"))] == [True, True]


def test_fail_is_a_500_that_names_the_scenario() -> None:
    got = received(plan(THREE + "then: fail", turn=-1))
    assert got.status == 500
    assert (
        json.loads(got.body)["error"]["message"] == "The scenario 'case' has 3 attempts, and all of them are used up."
    )


def test_choose() -> None:
    name = next(iter(BUILTIN.scenarios))
    found = choose(BUILTIN, f"{name}+crlf+slow")
    assert (found.scenario.name, [each.name for each in found.overlays]) == (name, ["crlf", "slow"])
    for selector, said in (("echoo", "did you mean 'echo'"), (f"{name}+clrf", "did you mean 'crlf'")):
        with pytest.raises(Unknown, match=said) as caught:
            choose(BUILTIN, selector)
        assert said in caught.value.message


@pytest.mark.parametrize(
    ("text", "overlay", "expected"),
    [
        ("reply: a", "", set()),
        ('reply: {say: {$text: "${last_user} ${count} ${so_far} ${model} ${request./a}"}}', "",
         {"last_user", "request./a"}),
        ("reply: a", "head: {headers: {x: {$text: '${last_user}'}}}", {"last_user"}),
        ("reply: a\ntiming: {jitter: 1ms}", "", {"number"}),
        ("attempts: [{reply: a, timing: {jitter: 1ms}}]", "", {"number"}),
        ("reply: a", "wire: {compress: gzip}", {"values"}),
        ("reply: a\nform: json", "", {"prompt_tokens"}),
        ("reply: a\ndialect: deepseek", "", {"prompt_tokens"}),
        ("reply: a\ndialect: openai-obfuscation", "", {"padding"}),
        ("attempts: [{reply: a, dialect: groq}]", "", {"prompt_tokens"}),
    ],
)  # fmt: skip
def test_needs(text: str, overlay: str, expected: set[str]) -> None:
    assert needs(library(), choice(text, *filter(None, [overlay]))) == expected


def test_errors_of_the_servers_own() -> None:
    as_recorded = received(error_plan(BUILTIN, "wrong-method", Ask()))
    assert as_recorded.status == 405
    told = json.loads(received(error_plan(BUILTIN, "bad-role", Ask(), message="M", code="c")).body)["error"]
    assert told == {"message": "M", "type": "invalid_request_error", "param": "messages[0].role", "code": "c"}
    assert json.loads(received(error_plan(BUILTIN, "bad-role", Ask(), param="p")).body)["error"]["param"] == "p"


def test_plain_answers() -> None:
    made = plain(200, "OK", [("a", "b")], b"xy")
    assert writes(made)[0].data == b"HTTP/1.1 200 OK\r\na: b\r\ncontent-length: 2\r\n\r\nxy"
    assert end_of(made).keep_alive
    assert writes(plain(204, "No Content", [], b""))[0].data == b"HTTP/1.1 204 No Content\r\n\r\n"
    old = plain(200, "OK", [], b"", "1.0")
    assert writes(old)[0].data == b"HTTP/1.0 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
    assert not end_of(old).keep_alive
    assert not end_of(plain(200, "OK", [("connection", "close")], b"")).keep_alive
