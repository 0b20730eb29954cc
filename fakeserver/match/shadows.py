"""A library -> its rules that can never answer, since what comes before them always does: a part of `check`.

Only what is proved is said: each condition of the other is among this rule's own, or is looser than one of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from fakeserver.match.rules import Rule, Rules
from fakeserver.script.library import Library
from fakeserver.script.problems import Finding, Problem


def shadowed(library: Library) -> Iterator[Problem]:
    """A warning a rule that cannot win."""
    before = _Before()
    for rule in Rules.of(library).ranked:
        named, other = _named(library, rule), before.shadow_of(rule)
        if named is not None:
            yield _warning(rule, *named)
        elif other is not None:
            yield _warning(rule, *_told(rule, other))
        before.add(rule)


class _Before:
    """The rules that go before, by what a shadow shares: the places it looks at, and its one model."""

    def __init__(self) -> None:
        self._held: dict[tuple[frozenset[str], str | None], list[Rule]] = {}

    def add(self, rule: Rule) -> None:
        self._held.setdefault((frozenset(rule.wants), rule.model), []).append(rule)

    def shadow_of(self, rule: Rule) -> Rule | None:
        for (places, model), others in self._held.items():
            if model in (None, rule.model) and places <= rule.wants.keys():
                found = next((each for each in others if covers(each, rule)), None)
                if found is not None:
                    return found
        return None


def covers(one: Rule, other: Rule) -> bool:
    """Whether one certainly holds wherever the other does."""
    for condition in one.conditions:
        want = other.wants.get(condition.place.name)
        if want is None or not condition.want.covers(want):
            return False
    return True


def _told(rule: Rule, other: Rule) -> tuple[str, str]:
    same = covers(rule, other)
    asks = "asks the same" if same else "takes all that this rule takes"
    first = f"its priority is {other.priority}" if other.priority > rule.priority else "its file comes first"
    if other.name == rule.name:
        return f"{other.place}, of this scenario too, {asks}", "take one of the two away"
    return (
        f"no request gets here: {other.place} ({other.name}) {asks} and goes before ({first})",
        f"give this scenario a priority above {other.priority}, or a condition that the other lacks",
    )


def _named(library: Library, rule: Rule) -> tuple[str, str] | None:
    """A model that is a scenario's name chooses that one before any rule is asked."""
    model = rule.model
    if model is None:
        return None
    name, *overlays = model.split("+")
    if name not in library.scenarios or any(each not in library.overlays for each in overlays):
        return None
    if name == rule.name and len(rule.conditions) == 1:
        return None  # needless, and right
    other = f"{library.scenarios[name].path}:1"
    return (
        f"no request gets here: the model {model} is the name of a scenario, {other}, which answers before any rule",
        "write another model, or rename one of the files",
    )


def _warning(rule: Rule, message: str, remedy: str) -> Problem:
    return replace(rule.entry.problem(Finding(rule.loc, "shadowed", message, remedy, key=True)), warning=True)
