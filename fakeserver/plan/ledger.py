"""Which edits and options have found something to act on. One of a scenario that finds nothing is an error."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from fakeserver.script.loader import Entry


@dataclass(frozen=True, slots=True)
class _Owed:
    entry: Entry
    thing: Any
    code: str
    message: str
    remedy: str
    more: tuple[str | int, ...]


@dataclass(slots=True)
class Ledger:
    """What is owed and what has been paid. A ledger that is off never complains: overlays and replays use it."""

    on: bool = True
    _owed: dict[Any, _Owed] = field(default_factory=dict)
    _paid: set[Any] = field(default_factory=set)

    def owe(self, key: Any, entry: Entry, thing: Any, code: str, message: str, remedy: str, *more: str | int) -> None:
        if self.on and key not in self._paid:
            self._owed.setdefault(key, _Owed(entry, thing, code, message, remedy, more))

    def pay(self, key: Any) -> None:
        if self.on and key not in self._paid:
            self._paid.add(key)
            self._owed.pop(key, None)

    def close(self) -> None:
        """Raise Broken for the first thing that found nothing."""
        for owed in self._owed.values():
            raise owed.entry.broken(owed.thing, owed.code, owed.message, owed.remedy, *owed.more)
