"""A library -> its rules that can never answer, since what comes before them always does: a part of `check`.

Only what is proved is said: each condition of the other is among this rule's own, or is looser than one of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from fakeserver.match.rules import Rule, Rules
from fakeserver.match.wants import Glob
from fakeserver.script.library import Library
from fakeserver.script.problems import Finding, Problem


def shadowed(library: Library) -> Iterator[Problem]:
    """A warning a rule that cannot win."""
    before: dict[frozenset[str], list[Rule]] = {}  # by the places they look at, which a shadow shares
    for rule in Rules.of(library).ranked:
        places = frozenset(condition.place.name for condition in rule.conditions)
        named = _named(library, rule)
        rivals = (each for known, rules in before.items() if known <= places for each in rules)
        other = next((each for each in rivals if covers(each, rule)), None)
        if named is not None:
            yield _warning(rule, *named)
        elif other is not None:
            yield _warning(rule, *_told(rule, other))
        before.setdefault(places, []).append(rule)


def covers(one: Rule, other: Rule) -> bool:
    """Whether one certainly holds wherever the other does."""
    return all(any(mine.covers(its) for its in other.conditions) for mine in one.conditions)


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
    model = _model(rule)
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


def _model(rule: Rule) -> str | None:
    """The one model that a rule is for."""
    globs = [each.want for each in rule.conditions if isinstance(each.want, Glob) and each.place.name == "model"]
    return globs[0].text if globs and not globs[0].wild else None


def _warning(rule: Rule, message: str, remedy: str) -> Problem:
    return replace(rule.entry.problem(Finding(rule.loc, "shadowed", message, remedy, key=True)), warning=True)
