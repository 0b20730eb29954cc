"""`check`: rules that can never win, and none that can."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fakeserver.match.rules import Rules
from fakeserver.match.shadows import shadowed
from fakeserver.plan.trial import try_all
from tests.match.jsons import asked, library_of


def told(library):
    return [(problem.path.rpartition("/")[2], problem.line, problem.message) for problem in shadowed(library)]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("{model: gpt-5}", "{model: gpt-5}"),
        ("{}", "{}"),
        ('{model: "gpt-*"}', "{model: gpt-5}"),
        ('{model: "gpt-*"}', '{model: "gpt-5*"}'),
        ("{turn: 2..}", "{turn: 3}"),
        ("{last_user: {contains: a}}", "{last_user: {contains: ab}}"),
        ("{tools: true}", "{tools: [a]}"),
        ("{header: {X-A: b}, turn: 1}", "{turn: 1, header: {x-a: b}}"),
        ("{body: {/a: 1}}", "{body: {/a: 1.0}}"),
        ("[{model: o1}, {turn: 2..}]", "{turn: 2..}"),
    ],
)
def test_the_second_never_wins(tmp_path, first, second):
    (problem,) = shadowed(library_of(tmp_path, a=f"when: {first}", b=f"about: x\nwhen: {second}"))
    assert (problem.path, problem.line, problem.column) == (f"{tmp_path}/b.yaml", 2, 1)
    assert (problem.code, problem.warning) == ("shadowed", True)
    assert f"{tmp_path}/a.yaml:1 (a)" in problem.message
    assert problem.message.endswith("(its file comes first)")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("{model: gpt-5}", '{model: "gpt-*"}'),
        ("{model: gpt-5}", "{model: gpt-5, turn: 1}"),
        ("{}", "{turn: 1}"),
        ("{model: gpt-5}", "{turn: 1}"),
        ('{model: "*-mini"}', "{model: 'gpt-*'}"),
        ("{last_user: {matches: a}}", "{last_user: {matches: aa}}"),
        ("{tools: [a, b]}", "{tools: [a]}"),
    ],
)
def test_the_second_may_win(tmp_path, first, second):
    assert told(library_of(tmp_path, a=f"when: {first}", b=f"when: {second}")) == []


def test_a_higher_priority_needs_no_more_conditions(tmp_path):
    library = library_of(tmp_path, b="when: {}\npriority: 10", a="when: {model: gpt-5, turn: 2..}\npriority: 9")
    (problem,) = shadowed(library)
    assert problem.message == (
        f"no request gets here: {tmp_path}/b.yaml:1 (b) takes all that this rule takes "
        "and goes before (its priority is 10)"
    )
    assert problem.remedy == "give this scenario a priority above 10, or a condition that the other lacks"


def test_maps_of_one_scenario(tmp_path):
    library = library_of(tmp_path, a='when:\n  - {model: "gpt-*"}\n  - {model: gpt-5}\n  - {model: o1}')
    assert told(library) == [
        ("a.yaml", 3, f"{tmp_path}/a.yaml:2, of this scenario too, takes all that this rule takes")
    ]


def test_a_model_that_is_a_scenarios_name(tmp_path):
    library = library_of(
        tmp_path,
        first="when: {model: first, turn: 1}",
        second="when: {model: first, turn: 2..}",
        third="when: {model: third}",
        fourth="when: [{model: first+slow}, {model: first+nope}]",
    )
    assert [(file, line) for file, line, _ in told(library)] == [
        ("first.yaml", 1),
        ("second.yaml", 1),
        ("fourth.yaml", 1),
    ]
    assert "the model first is the name of a scenario" in told(library)[0][2]


def test_check_warns(tmp_path):
    trial = try_all(library_of(tmp_path, a="when: {turn: 1}", b="when: {turn: 1}"))
    assert [(problem.code, problem.warning) for problem in trial.problems] == [("shadowed", True)]


_MODELS = st.sampled_from(['"*"', '"gpt-*"', '"gpt-5*"', "gpt-5", "o1"])
_WHENS = st.fixed_dictionaries(
    {},
    optional={
        "model": _MODELS,
        "turn": st.sampled_from(["1", "2", "1..", "2.."]),
        "stream": st.sampled_from(["true", "false"]),
        "last_user": st.sampled_from(["a", "ab", "{contains: a}", "{contains: ab}", "{matches: a, contains: b}"]),
    },
)


@given(st.lists(st.tuples(_WHENS, st.integers(0, 1)), min_size=2, max_size=5))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
def test_what_is_said_to_be_shadowed_never_wins(tmp_path_factory, scenarios):
    def when(conditions):
        return "{" + ", ".join(f"{name}: {value}" for name, value in conditions.items()) + "}"

    texts = {
        f"s{n}": f"when: {when(conditions)}\npriority: {priority}" for n, (conditions, priority) in enumerate(scenarios)
    }
    library = library_of(tmp_path_factory.mktemp("shadows"), **texts)
    rules, lost = Rules.of(library), {problem.path for problem in shadowed(library)}
    turns = [[], [{"role": "assistant", "content": "x"}]]
    for model in ("gpt-5", "gpt-5-mini", "gpt-4", "o1"):
        for text in ("a", "ab", "b", "xaby"):
            for stream in (True, False):
                for before in turns:
                    messages = [*before, {"role": "user", "content": text}]
                    won = rules.first(asked(model, stream=stream, messages=messages))
                    assert won is None or won.entry.path not in lost
