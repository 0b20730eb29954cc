"""A library -> what is wrong with it once every answer is made and read: the second half of `check`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from fakeserver.match.shadows import shadowed
from fakeserver.plan.ask import Ask
from fakeserver.plan.choice import Choice, choose, turns
from fakeserver.plan.compiler import compile_plan, prove
from fakeserver.plan.heard import heard
from fakeserver.script.library import Library
from fakeserver.script.problems import Broken, Finding, Problem
from fakeserver.script.scenario import AttemptsScenario
from fakeserver.speech.accumulator import readings
from fakeserver.speech.expect import matches


@dataclass(frozen=True, slots=True)
class Trial:
    """All problems of all files in the order of their places; how many scenarios were tried, and which were not."""

    problems: tuple[Problem, ...]
    checked: int
    skipped: tuple[str, ...]


def try_all(library: Library, whole: bool = True, names: Iterable[str] | None = None) -> Trial:
    """Load problems, rules that cannot win, then each answer of each scenario: made, and read where it has `expect`.

    Not `whole`: of a very long answer only its beginning is made, and nothing is read. A server that starts looks so.
    `names` are the library's own, for those who want to see how far it has come.
    """
    found, skipped = [*library.problems, *shadowed(library)], []
    for name in library.scenarios if names is None else names:
        choice = choose(library, name)
        if (choice.scenario.body.protocol or "chat") != "chat":
            skipped.append(name)
        else:
            found += _tried(library, choice, whole)
    return Trial(tuple(sorted(set(found))), len(library.scenarios), tuple(skipped))


def _tried(library: Library, choice: Choice, whole: bool) -> Iterator[Problem]:
    ask = Ask(model=choice.scenario.name, usage=True, texts=(("last_user", "Hello"),), prompt_tokens=1)
    try:
        for turn in range(turns(choice).count):
            if whole:
                prove(library, choice, turn, ask)
            else:
                compile_plan(library, choice, turn, ask, lambda blank: b"0" * blank.size)
        if whole:
            yield from _expectations(library, choice, ask)
    except Broken as broken:
        yield broken.problem


def _expectations(library: Library, choice: Choice, ask: Ask) -> Iterator[Problem]:
    """A scenario's `expect` is of the last reply that a correct client asks for; an attempt's own, of its own."""
    scenario, last = choice.scenario.body, turns(choice).count - 1
    attempts = scenario.attempts if isinstance(scenario, AttemptsScenario) else ()
    wanted = [(("attempts", i, "expect"), i, attempt.expects) for i, attempt in enumerate(attempts)]
    for loc, turn, expects in [*wanted, (("expect",), last, scenario.expects)]:
        if expects:
            found = readings(heard(library, choice, turn, ask))
            said = [matches(expected, reading) for expected in expects for reading in found]
            if all(said):
                closest = min(said, key=len)
                remedy = "mend the expect, or the scenario; see `fakeserver show`"
                finding = Finding(
                    loc, "expect", f"the right reading is another: {'; '.join(closest)}", remedy, key=True
                )
                yield choice.scenario.problem(finding)
