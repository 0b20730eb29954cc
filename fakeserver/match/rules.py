"""A library's `when` maps -> its rules, made once, in the order of their precedence; a request -> the rules that hold.

It must not know selectors, queues or fallbacks: they are the engine's. A scenario without `when` has no rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from fakeserver.match.conditions import Condition, conditions_of
from fakeserver.match.seen import Seen
from fakeserver.match.wants import Glob, Want
from fakeserver.script.library import Library
from fakeserver.script.loader import Entry
from fakeserver.script.problems import Loc
from fakeserver.script.scenario import When

_Check = tuple[Callable[[Any], bool], Callable[[Seen], Any]]


@dataclass(frozen=True, eq=False)
class Rule:
    """One `when` map of a scenario. `loc` leads to it in its file; `order` counts all maps of the library."""

    entry: Entry
    loc: Loc
    line: int
    order: int
    conditions: tuple[Condition, ...]

    @property
    def name(self) -> str:
        return self.entry.name

    @property
    def priority(self) -> int:
        return int(self.entry.body.priority)

    @property
    def place(self) -> str:
        """FILE:LINE of the `when`."""
        return f"{self.entry.path}:{self.line}"

    @property
    def rank(self) -> tuple[int, int, int]:
        """The lowest goes first: the highest priority, then the most conditions, then the order of paths."""
        return -self.priority, -len(self.conditions), self.order

    @cached_property
    def wants(self) -> Mapping[str, Want]:
        """What it wants, by place."""
        return {condition.place.name: condition.want for condition in self.conditions}

    @property
    def model(self) -> str | None:
        """The one model that it is for."""
        want = self.wants.get("model")
        return want.text if isinstance(want, Glob) and not want.wild else None

    @cached_property
    def checks(self) -> tuple[_Check, ...]:
        """The conditions, bare: they run for each request against each rule."""
        return tuple((condition.want.holds, condition.place.get) for condition in self.conditions)


class Rules:
    """The rules of one library. No two have one rank."""

    def __init__(self, rules: Iterable[Rule] = ()) -> None:
        self.ranked = tuple(sorted(rules, key=lambda rule: rule.rank))

    @classmethod
    def of(cls, library: Library) -> Rules:
        maps = ((entry, *each) for entry in library.scenarios.values() for each in _maps(entry))
        return cls(
            Rule(entry, loc, line, order, conditions_of(when)) for order, (entry, loc, line, when) in enumerate(maps)
        )

    def matching(self, seen: Seen) -> Iterator[Rule]:
        """The rules that hold, the winner first."""
        for rule in self.ranked:
            for holds, get in rule.checks:
                if not holds(get(seen)):
                    break
            else:
                yield rule

    def first(self, seen: Seen) -> Rule | None:
        return next(self.matching(seen), None)


def _maps(entry: Entry) -> list[tuple[Loc, int, When]]:
    when = entry.body.when
    if when is None:
        return []
    if isinstance(when, tuple):
        return [(("when", i), line, each) for i, (line, each) in enumerate(zip(entry.whens, when))]
    return [(("when",), entry.whens[0], when)]
