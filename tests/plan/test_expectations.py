"""Every `expect` of every scenario, held against the reference accumulator over the bytes as h11 reads them."""

from __future__ import annotations

from pathlib import Path

import pytest

from fakeserver.plan import Ask, choose, compile_plan, exhaust, turns
from fakeserver.script.library import Library, builtin, load
from fakeserver.script.scenario import AttemptsScenario
from fakeserver.speech.accumulator import readings
from fakeserver.speech.expect import matches
from tests.wire import received

EXAMPLES = Path(__file__).parents[1] / "examples"
LATER = "responses", "completions"


def libraries() -> list[tuple[str, Library]]:
    folders = [str(EXAMPLES / name) for name in ("best", "cases", "faults", "more")]
    return [("examples", load(folders)), ("shipped", load())]


ALL = [(which, library, name) for which, library in libraries() for name in library.scenarios]


@pytest.mark.parametrize(("which", "library", "name"), ALL, ids=[f"{which}/{name}" for which, _, name in ALL])
def test_a_scenario_compiles_and_its_expect_agrees(which: str, library: Library, name: str) -> None:
    choice = choose(library, name)
    scenario = choice.scenario.body
    if scenario.protocol in LATER:
        return
    last = turns(choice).count - 1
    for turn in range(last + 1):
        exhaust(compile_plan(library, choice, turn, Ask(model=name)))
    expects = scenario.attempts[last].expects if isinstance(scenario, AttemptsScenario) else ()
    expects = expects or scenario.expects
    if expects:
        plan = compile_plan(library, choice, last, Ask(model=name, usage=True, texts=(("last_user", "Hello"),)))
        found = readings(received(plan))
        differences = [matches(expected, reading) for expected in expects for reading in found]
        assert any(not difference for difference in differences), differences


def test_nothing_is_wrong_with_any_file() -> None:
    assert [str(problem) for _, library in libraries() for problem in library.problems] == []
    assert builtin().is_dir()
