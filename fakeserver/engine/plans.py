"""The library and the compiler as the engine uses them: the calls that find and make plans are here.

It must not know sessions, routes or the journal. Plans are kept by (selector, dialect, turn, Ask), errors by
(fault, Ask).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from fakeserver import plan as plans
from fakeserver.engine.memory import Memory
from fakeserver.match.facts import Fault
from fakeserver.match.rules import Rules
from fakeserver.plan import Ask, Blank, Choice, Plan, Turns
from fakeserver.script.library import Library

KEPT = 256  # a plan holds 4096 actions at most, or its recipe

Fill = Callable[[Blank], bytes]


class Planner(Protocol):
    """What the engine asks of the pure rooms. Raises `Unknown` and `Broken` of `fakeserver.plan`."""

    @property
    def rules(self) -> Rules: ...

    def names(self) -> Iterable[str]: ...

    def menu(self) -> Iterable[str]: ...

    def choose(self, selector: str) -> Choice: ...

    def turns(self, choice: Choice) -> Turns: ...

    def needs(self, choice: Choice) -> frozenset[str]: ...

    def plan(self, choice: Choice, turn: int, ask: Ask, fill: Fill) -> Plan: ...

    def error(self, fault: Fault, ask: Ask) -> Plan: ...


class Plans:
    """The planner over one library, with a memory."""

    def __init__(self, library: Library, kept: int = KEPT, own: Iterable[str] = ()) -> None:
        """`own`: scenarios that a session has put in are on its menu, whatever the library's tag."""
        self._library, self._own = library, frozenset(own)
        self.rules = Rules.of(library)
        self._needs: Memory[tuple[str, str], frozenset[str]] = Memory(kept)
        self._plans: Memory[tuple[str, str, int, Ask], Plan] = Memory(kept)
        self._errors: Memory[tuple[Fault, Ask], Plan] = Memory(kept)

    def names(self) -> Iterable[str]:
        return sorted(self._library.scenarios)

    def menu(self) -> Iterable[str]:
        """What `/v1/models` lists. Where no scenario has the menu's tag any more, all of them."""
        tagged = self._library.tagged(self._library.menu)
        return sorted({*tagged, *self._own}) if tagged else self.names()

    def choose(self, selector: str) -> Choice:
        return plans.choose(self._library, selector)

    def turns(self, choice: Choice) -> Turns:
        return plans.turns(choice)

    def needs(self, choice: Choice) -> frozenset[str]:
        return self._needs.get((choice.selector, choice.dialect), lambda: plans.needs(self._library, choice))

    def plan(self, choice: Choice, turn: int, ask: Ask, fill: Fill) -> Plan:
        if "values" in self.needs(choice):  # compressed: this request's values are inside the bytes, so no one else's
            return plans.compile_plan(self._library, choice, turn, ask, fill)
        key = (choice.selector, choice.dialect, turn, ask)
        return self._plans.get(key, lambda: plans.compile_plan(self._library, choice, turn, ask))

    def error(self, fault: Fault, ask: Ask) -> Plan:
        return self._errors.get((fault, ask), lambda: self._error(fault, ask))

    def _error(self, fault: Fault, ask: Ask) -> Plan:
        return plans.error_plan(
            self._library, fault.name, ask, message=fault.message, param=fault.param, code=fault.code
        )
