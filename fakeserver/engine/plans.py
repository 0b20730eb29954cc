"""The library and the compiler as the engine uses them: every call of `fakeserver.plan` is here.

It must not know sessions, routes or the journal. Plans are kept by (selector, turn, Ask), the latest ones first.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from typing import Protocol

from fakeserver import plan as plans
from fakeserver.match.facts import Fault
from fakeserver.plan.ask import Ask
from fakeserver.plan.choice import Choice, Turns, Unknown
from fakeserver.plan.model import Plan
from fakeserver.script.library import Library

KEPT = 256
Broken = getattr(plans, "Broken", RuntimeError)
__all__ = ["Broken", "Planner", "Plans", "Unknown"]


class Planner(Protocol):
    """What the engine asks of the pure rooms. Raises `Unknown` and `Broken` of `fakeserver.plan`."""

    def names(self) -> Iterable[str]: ...

    def choose(self, selector: str) -> Choice: ...

    def turns(self, choice: Choice) -> Turns: ...

    def needs(self, choice: Choice) -> frozenset[str]: ...

    def plan(self, choice: Choice, turn: int, ask: Ask) -> Plan: ...

    def error(self, fault: Fault, ask: Ask) -> Plan: ...


class Plans:
    """The planner over one library, with a memory."""

    def __init__(self, library: Library, kept: int = KEPT) -> None:
        self._library, self._kept = library, kept
        self._memory: OrderedDict[tuple[str, int, Ask], Plan] = OrderedDict()

    def names(self) -> Iterable[str]:
        return sorted(self._library.scenarios)

    def choose(self, selector: str) -> Choice:
        return plans.choose(self._library, selector)

    def turns(self, choice: Choice) -> Turns:
        return plans.turns(choice)

    def needs(self, choice: Choice) -> frozenset[str]:
        return plans.needs(self._library, choice)

    def plan(self, choice: Choice, turn: int, ask: Ask) -> Plan:
        key = (choice.selector, turn, ask)
        found = self._memory.get(key)
        if found is None:
            found = self._memory[key] = plans.compile_plan(self._library, choice, turn, ask)
            if len(self._memory) > self._kept:
                self._memory.popitem(last=False)
        self._memory.move_to_end(key)
        return found

    def error(self, fault: Fault, ask: Ask) -> Plan:
        told = {"message": fault.message, "param": fault.param, "code": fault.code}
        return plans.error_plan(self._library, fault.name, ask, **told)
