"""The nearest rules, and their order."""

from __future__ import annotations

import pytest

from fakeserver.match.misses import nearest
from fakeserver.match.rules import Rules
from tests.match.jsons import asked, library_of


def near(folder, seen, **whens):
    rules = Rules.of(library_of(folder, **{name: f"when: {when}" for name, when in whens.items()}))
    return [miss.rule.name for miss in nearest(rules, seen)]


@pytest.mark.parametrize(
    ("nearer", "farther"),
    [
        ("{model: gpt-5-mini}", "{model: claude}"),
        ("{model: gtp-5}", "{model: o1}"),
        ("{model: gpt-5, turn: 2}", "{model: o1, turn: 1}"),
        ("{turn: 2}", "{turn: 5}"),
        ("{model: gpt-5, stream: true}", "{stream: true}"),
        ("{model: o1, stream: false, turn: 1}", "{model: o1, stream: true, turn: 1}"),
        ("{tools: [a, b]}", "{tools: [b, c]}"),
        ("{last_user: {contains: x}}", "{system: {contains: x}}"),
        ("{last_user: What is the whether?}", "{last_user: Sing.}"),
        ("[{model: claude, turn: 7}, {model: gpt-5, turn: 2}]", "{model: gpt-5, turn: 4}"),
        ("{body: {/seed: 7, /n: 1}}", "{body: {/seed: 8, /n: 2}}"),
        ("{model: gpt-4}", "{body: {/model: 5}}"),
    ],
)
def test_what_is_nearer(tmp_path, nearer, farther):
    seen = asked(tools=[{"type": "function", "function": {"name": "a"}}], n=1)
    assert near(tmp_path, seen, a=farther, b=nearer) == ["b", "a"]


def test_three_of_many_equals_go_by_rank(tmp_path):
    assert near(tmp_path, asked(), **dict.fromkeys("edcba", "{stream: true}")) == ["a", "b", "c"]


def test_all_that_fails_and_nothing_else(tmp_path):
    rules = Rules.of(library_of(tmp_path, a="when: {model: o1, stream: false, turn: 3, header: {x-a: b}}"))
    (miss,) = nearest(rules, asked())
    assert [condition.place.name for condition in miss.failed] == ["model", "turn", "header x-a"]
