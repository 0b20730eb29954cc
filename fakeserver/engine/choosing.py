"""A valid request -> the scenario that answers it and why, or why none does: language.md section 7, in its order.

It must not know sessions, attempts or plans' bytes. What a session's queue says, its caller takes out of it.
"""

from __future__ import annotations

from dataclasses import dataclass

from fakeserver.engine.plans import Planner
from fakeserver.match.facts import Facts
from fakeserver.match.seen import Seen
from fakeserver.match.unmatched import Unmatched, no_rule, unknown_name
from fakeserver.match.validate import Request
from fakeserver.plan import Choice, Unknown

HEADER = "x-fakeserver-scenario"


@dataclass(frozen=True, slots=True, eq=False)
class Picked:
    """What answers, and why it does."""

    choice: Choice
    why: str


class Chooser:
    """`fallback` is the selector that answers what nothing else does; Unknown where it is not in the library."""

    def __init__(self, plans: Planner, fallback: str | None) -> None:
        self._plans, self._named = plans, fallback
        self._fallback = None if fallback is None else Picked(plans.choose(fallback), "fallback")

    def over(self, plans: Planner) -> Chooser:
        """The same over another planner, which has all that this one has."""
        return Chooser(plans, self._named)

    def told(self, selector: str, where: str) -> Picked | Unmatched:
        """What a test has told the session to answer. The library may have changed since."""
        try:
            return Picked(self._plans.choose(selector), where)
        except Unknown as unknown:
            return unknown_name(unknown.message, where)

    def choose(self, facts: Facts, request: Request) -> Picked | Unmatched:
        named = (facts.route.selector, "base URL"), (facts.header(HEADER), f"header {HEADER}")
        selector, where = next((each for each in named if each[0]), ("", ""))
        try:
            return Picked(self._plans.choose(selector or request.model), where or "model")
        except Unknown as unknown:
            if selector or self._names_a_scenario(request.model):
                return unknown_name(unknown.message, where or "model")
            return self._by_rule(facts, request, unknown.message)

    def _names_a_scenario(self, model: str) -> bool:
        """Whether only an overlay of it is unknown: a fault that is misspelt must not be answered without it."""
        name, plus, _ = model.partition("+")
        return bool(plus) and name in self._plans.names()

    def _by_rule(self, facts: Facts, request: Request, unknown: str) -> Picked | Unmatched:
        seen = Seen.of(facts, request.body)
        rule = self._plans.rules.first(seen)
        if rule is not None:
            return Picked(Choice(rule.name, rule.entry), f"when at {rule.place}")
        return self._fallback or no_rule(unknown, self._plans.rules, seen)
