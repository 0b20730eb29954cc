"""Which rule wins: `when` maps against requests."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fakeserver.match.rules import Rules
from fakeserver.match.seen import MISSING, Seen
from fakeserver.match.unmatched import no_rule
from tests.match.jsons import BODIES, asked, library_of

TOOLS = [{"type": "function", "function": {"name": name}} for name in ("get_weather", "search")]
ANSWERED = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}, {"role": "tool", "content": "4 C"}]


def rules_of(folder, **whens):
    return Rules.of(library_of(folder, **{name: f"when: {when}" for name, when in whens.items()}))


def won(rules, seen):
    rule = rules.first(seen)
    return rule and rule.name


@pytest.mark.parametrize(
    ("when", "right", "wrong"),
    [
        ("{}", asked(), None),
        ("{model: gpt-5}", asked(), asked("gpt-5-mini")),
        ('{model: "*-mini"}', asked("gpt-5-mini"), asked("GPT-5-MINI")),
        ('{path: "/v1/*"}', asked(), asked(path="/v2/chat")),
        ("{stream: false}", asked(), asked(stream=True)),
        ("{stream: true}", asked(stream=True), asked(stream=None)),
        ("{tools: true}", asked(tools=TOOLS), asked(tools=[])),
        ("{tools: false}", asked(), asked(tools=TOOLS)),
        ("{tools: [search]}", asked(tools=TOOLS), asked(tools=TOOLS[:1])),
        ("{turn: 2}", asked(messages=ANSWERED), asked()),
        ("{turn: 2..}", asked(messages=ANSWERED * 2), asked()),
        ("{header: {X-A: b}}", asked(headers={"x-a": "b"}), asked(headers={"x-a": "B"})),
        ("{header: {x-a: {matches: .}}}", asked(headers={"x-a": "b"}), asked()),
        ("{system: a}", asked(messages=[{"role": "developer", "content": "a"}]), asked()),
        ("{last_user: {contains: weather}}", asked(), asked(text="Weather")),
        ("{tool_result: {matches: C$}}", asked(messages=ANSWERED), asked()),
        ("{body: {/seed: 7, /metadata: {a: [1]}}}", asked(seed=7, metadata={"a": [1.0]}), asked(seed=7)),
        ("{body: {/seed: null}}", asked(seed=None), asked()),
        ("{model: gpt-5, stream: true}", asked(stream=True), asked()),
        ("[{model: a}, {model: gpt-5}]", asked(), asked("b")),
    ],
)
def test_conditions(tmp_path, when, right, wrong):
    rules = rules_of(tmp_path, a=when)
    assert won(rules, right) == "a"
    if wrong is not None:
        assert won(rules, wrong) is None
        assert no_rule("", rules, wrong).nearest[0].differences


def test_without_when_there_is_no_rule(tmp_path):
    assert Rules.of(library_of(tmp_path, a="reply: Hello.\n")).ranked == ()
    assert Rules().first(asked()) is None


def test_priority_then_conditions_then_paths(tmp_path):
    library = library_of(
        tmp_path,
        e="when: {model: gpt-5}\npriority: 1",
        d="when: {model: gpt-5, stream: false, turn: 1}\npriority: -1",
        c="when: {model: gpt-5, stream: false}",
        b="when: [{turn: 2}, {header: {x-a: b, x-c: d}}]",
        a="when: {model: gpt-5}",
    )
    rules = Rules.of(library)
    seen = asked(headers={"x-a": "b", "x-c": "d"})
    assert [rule.name for rule in rules.matching(seen)] == ["e", "b", "c", "a", "d"]
    assert rules.first(seen).place == f"{tmp_path}/e.yaml:1"


def test_the_line_of_each_map(tmp_path):
    library = library_of(tmp_path, a="about: x\nwhen:\n  - model: a\n    turn: 2..\n  - {model: b}")
    assert [rule.place for rule in Rules.of(library).ranked] == [f"{tmp_path}/a.yaml:{line}" for line in (3, 5)]


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    return rules_of(
        tmp_path_factory.mktemp("many"),
        a="{model: 'a*', path: '*', stream: true, tools: true}",
        b="{model: b, tools: [a, b], turn: 2.., system: a, last_user: {matches: 'a.*b$'}}",
        c="{tool_result: {contains: a, equals: b}, header: {x: y}, body: {/messages/0/content: [1], '': {}}}",
        d="[{body: {/metadata/a/0: {b: null}}}, {stream: false, tools: false}]",
        e="{last_user: ''}",
        f="{last_user: '', body: {/metadata: true}}",
    )


@given(BODIES)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None)
def test_no_body_makes_matching_raise(many, body):
    seen = Seen("/v1/chat/completions", {}, body)
    matching = list(many.matching(seen))
    assert [rule.rank for rule in matching] == sorted(rule.rank for rule in matching)
    assert many.first(seen) == next(iter(matching), None)
    json.dumps(no_rule("", many, seen).as_json())


@given(BODIES, st.dictionaries(st.sampled_from(["x-a", "x-b"]), st.text(max_size=5)))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None)
def test_a_rule_of_a_requests_own_facts_matches_it(tmp_path_factory, body, headers):
    from fakeserver.match.conditions import conditions_of
    from fakeserver.script.scenario import When

    seen = Seen("/v1/chat/completions", headers, body)
    texts = {name: getattr(seen, name) for name in ("system", "last_user", "tool_result")}
    said = {
        **{name: {"equals": text, "contains": text[1:]} for name, text in texts.items() if text is not MISSING},
        **({"model": _literal(seen.model)} if seen.model is not MISSING else {}),
        "path": seen.path,
        "stream": seen.stream,
        "turn": seen.turn,
        "header": headers,
        "tools": list(seen.tools) or False,
    }
    conditions = conditions_of(When.model_validate(said))
    assert len(conditions) == len(said) - 1 + len(headers)
    assert all(condition.holds(seen) for condition in conditions)


def _literal(text: str) -> str:
    return "".join(f"[{char}]" if char in "*?[" else char for char in text)


@given(st.lists(st.tuples(st.integers(-1, 1), st.integers(0, 2)), max_size=8), st.randoms())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_the_order_is_total_and_stable(tmp_path_factory, shapes, random):
    texts = ["{}", "{stream: false}", "{stream: false, turn: 1}"]
    names = [f"{'abcdefgh'[i]}" for i in range(len(shapes))]
    folder = tmp_path_factory.mktemp("order")
    scenarios = {name: f"when: {texts[n]}\npriority: {p}" for name, (p, n) in zip(names, shapes)}
    ranked = Rules.of(library_of(folder, **scenarios)).ranked
    shuffled = random.sample(ranked, len(ranked))
    assert Rules(shuffled).ranked == ranked
    assert len({rule.rank for rule in ranked}) == len(ranked)
    expected = sorted(zip(names, shapes), key=lambda each: (-each[1][0], -each[1][1], each[0]))
    assert [rule.name for rule in Rules(shuffled).matching(asked())] == [name for name, _ in expected]
