"""A library -> all that can answer requests from it; and the same with a session's own scenarios before it.

It must not know sessions' counters or routes.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from types import MappingProxyType

from fakeserver.engine.choosing import Chooser
from fakeserver.engine.editions import OWN_KEPT, Editions
from fakeserver.engine.plans import Planner, Plans
from fakeserver.script.library import Library
from fakeserver.script.loader import Entry

_OWN_KEPT = 32  # plans that a session with scenarios of its own remembers
OWN_LIMIT = 100  # scenarios of a session's own
OWN_SIZE = 500_000  # characters of all of them


@dataclass(frozen=True, slots=True, eq=False)
class Repertoire:
    """One library, its planner and its chooser. Swapped as a whole, so that no request sees half of each."""

    library: Library
    plans: Planner
    chooser: Chooser

    @classmethod
    def of(cls, library: Library, fallback: str | None, plans: Planner | None = None) -> Repertoire:
        """Raises Unknown if the fallback is not in the library."""
        plans = plans or Plans(library)
        return cls(library, plans, Chooser(plans, fallback))

    def with_own(self, own: dict[str, Entry]) -> Repertoire:
        """These come first, by name and among rules of one rank."""
        others = {name: entry for name, entry in self.library.scenarios.items() if name not in own}
        library = replace(self.library, scenarios=MappingProxyType({**own, **others}))
        plans = Plans(library, _OWN_KEPT, own)
        return Repertoire(library, plans, self.chooser.over(plans))


class TooMuch(Exception):
    """A session holds no more scenarios of its own."""


@dataclass(slots=True)
class Own:
    """A session's own scenarios over whichever library is served."""

    entries: dict[str, Entry] = field(default_factory=dict)
    editions: Editions = field(default_factory=lambda: Editions(OWN_KEPT))
    _base: Repertoire | None = None
    _made: Repertoire | None = None

    def put(self, entry: Entry) -> None:
        """Raises TooMuch."""
        entries = {**self.entries, entry.name: entry}
        if len(entries) > OWN_LIMIT or sum(len(each.text) for each in entries.values()) > OWN_SIZE:
            raise TooMuch(f"A session holds {OWN_LIMIT} scenarios of its own, {OWN_SIZE:,} characters in all, at most.")
        self.entries, self._made = entries, None

    def over(self, base: Repertoire) -> Repertoire:
        if self._made is None or self._base is not base:
            self._base, self._made = base, base.with_own(self.entries)
        return self._made
