"""The engine's order with real scenarios: selector, model, rules, fallback, 404."""

from __future__ import annotations

import json

import pytest

from fakeserver.engine import Engine
from fakeserver.match.facts import Facts
from fakeserver.match.route import route_of
from tests.match.jsons import library_of

CHAT = "/v1/chat/completions"
TEXTS = {
    "hello": "when: {model: gpt-5}",
    "late": 'about: x\nwhen: [{turn: 9}, {model: "gpt-*", turn: 2..}]',
    "high": "when: {header: {x-test: t1}}\npriority: 5",
    "other": "reply: Other.\n",
}


@pytest.fixture
def library(tmp_path):
    return library_of(tmp_path, **TEXTS)


def facts(model="gpt-5", path=CHAT, *, turns=1, **headers):
    talk = [{"role": "assistant", "content": "a"}] * (turns - 1) + [{"role": "user", "content": "b"}]
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    body = json.dumps({"model": model, "stream": True, "messages": talk}).encode()
    return Facts("POST", path, route_of(path), named, body)


@pytest.mark.parametrize(
    ("asked", "scenario", "why"),
    [
        (facts(), "hello", "when at {}/hello.yaml:1"),
        (facts(path=f"/session/s{CHAT}"), "hello", "when at {}/hello.yaml:1"),
        (facts(turns=2), "late", "when at {}/late.yaml:2"),
        (facts(turns=2, x_test="t1"), "high", "when at {}/high.yaml:1"),
        (facts("other", x_test="t1"), "other", "model"),
        (facts(x_fakeserver_scenario="other"), "other", "header x-fakeserver-scenario"),
        (facts(path=f"/scenario/other{CHAT}"), "other", "base URL"),
        (facts("claude"), "echo", "fallback"),
    ],
)
def test_the_order(tmp_path, library, asked, scenario, why):
    from fakeserver.script.library import load

    chosen = Engine(load([tmp_path], ["echo"]), fallback="echo").answer(asked, 0).record.chosen
    assert (chosen.scenario, chosen.why, chosen.status) == (scenario, why.format(tmp_path), 200)
    assert chosen.unmatched is None


def test_attempts_of_a_matched_scenario_are_counted(library):
    engine = Engine(library)
    assert [engine.answer(facts(), 0).record.chosen.attempt for _ in range(3)] == [1, 2, 3]
    assert engine.answer(facts("hello"), 0).record.chosen.attempt == 4


def test_a_miss_is_in_the_journal(library):
    answer = Engine(library).answer(facts("claude"), 0)
    told = answer.record.as_dict()
    assert (answer.plan.status, told["why"], told["scenario"]) == (404, "no rule matches", "")
    assert {near["scenario"] for near in told["unmatched"]["nearest"]} == {"late", "hello", "high"}


def test_a_wrong_name_never_gets_to_the_rules(library):
    told = Engine(library, fallback="other").answer(facts(x_fakeserver_scenario="nope"), 0).record.as_dict()
    assert (told["status"], told["why"], told["unmatched"]["reason"]) == (404, "no such scenario", "unknown-name")


def test_a_huge_model_is_not_said_back_whole(library):
    answer = Engine(library).answer(facts("m" * 1_000_000), 0)
    assert sum(len(write.data) for write in answer.plan.writes()) < 5_000
