"""Whole timelines as `show` prints them, each row checked by hand against the language.

A golden file is changed by hand, or by this file run as a program once its rows have been read:
`python -m tests.plan.test_golden`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from fakeserver.cli.timeline import rows
from fakeserver.plan import Ask, choose, compile_plan, fill, key_of
from fakeserver.script.library import load

GOLDEN = Path(__file__).parents[1] / "golden"
LIBRARY = load([GOLDEN / "scenarios"])


def timeline(name: str) -> str:
    choice = choose(LIBRARY, name)
    plan = compile_plan(LIBRARY, choice, 0, Ask(model=name), lambda blank: fill(blank, key_of("default", name, 1)))
    return "".join(f"{row}\n" for row in rows(choice, plan, plan))


@pytest.mark.parametrize("name", sorted(LIBRARY.scenarios))
def test_a_timeline(name: str) -> None:
    assert timeline(name) == (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")


def test_the_scenarios_are_sound() -> None:
    assert LIBRARY.problems == ()


if __name__ == "__main__":
    for each in LIBRARY.scenarios:
        (GOLDEN / f"{each}.txt").write_text(timeline(each), encoding="utf-8")
