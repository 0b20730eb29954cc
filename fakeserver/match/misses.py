"""A request that no rule takes -> the nearest rules, and everything that keeps each from it.

It must not know how a miss is worded. Of a scenario with several maps only the nearest one counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import nsmallest
from typing import Any

from fakeserver.match.conditions import Condition
from fakeserver.match.rules import Rule, Rules
from fakeserver.match.same import first_difference
from fakeserver.match.seen import Seen
from fakeserver.match.wants import Glob, Offers, TextTest, Turn, Want

NEAREST = 3
_LOOKED_AT = 200  # characters of a text that are compared for likeness
_Distance = tuple[float, int, tuple[int, int, int]]


@dataclass(frozen=True, slots=True, eq=False)
class Miss:
    """A rule, and its conditions that do not hold, in the order of the file's keys."""

    rule: Rule
    failed: tuple[Condition, ...]


def nearest(rules: Rules, seen: Seen, count: int = NEAREST) -> tuple[Miss, ...]:
    """The rules of which the smallest share fails; a text that is nearly right fails less."""
    best: dict[str, tuple[_Distance, Rule]] = {}
    for rule in rules.ranked:
        distance = _distance(rule, seen)
        if rule.name not in best or distance < best[rule.name][0]:
            best[rule.name] = distance, rule
    found = nsmallest(count, best.values(), key=lambda each: each[0])
    return tuple(Miss(rule, failures(rule, seen)) for _, rule in found)


def failures(rule: Rule, seen: Seen) -> tuple[Condition, ...]:
    return tuple(condition for condition in rule.conditions if not condition.holds(seen))


def _distance(rule: Rule, seen: Seen) -> _Distance:
    lost, failed = 0.0, 0
    for condition in rule.conditions:
        value = condition.place.get(seen)
        if not condition.want.holds(value):
            # What is like it still fails: it never counts as little as what holds.
            lost += 1 - 0.9 * _likeness(condition.want, value)
            failed += 1
    return round(lost / max(1, len(rule.conditions)), 6), failed, rule.rank


def _likeness(want: Want, value: Any) -> float:
    """From 0 to 1: cheap, since it is asked of every rule."""
    if isinstance(want, Offers):
        return len(set(want.names) & set(value)) / len(want.names)
    if isinstance(want, Turn):
        return 1.0 / (1 + abs(want.first - int(value)))
    if not isinstance(value, str):
        return 0
    if isinstance(want, Glob):
        return _alike(want.text, value)
    if isinstance(want, TextTest):
        return 0.5 if want.equals is None else _alike(want.equals, value)
    return 0


def _alike(one: str, other: str) -> float:
    """How much of both their beginnings and ends share, case ignored."""
    one, other = one[:_LOOKED_AT].casefold(), other[:_LOOKED_AT].casefold()
    begin = first_difference(one, other)
    end = first_difference(one[begin:][::-1], other[begin:][::-1])
    return (begin + end) / max(1, len(one), len(other))
