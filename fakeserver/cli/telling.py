"""What the journal tells -> lines for people, at the moment at which they are worth one.

A request has its line as it ends; a stream that waits at a gate, or stays open for long, one before that. How a line
looks is not known here.
"""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING

from fakeserver.cli.common import paint, say
from fakeserver.cli.lines import WIDE, Lines
from fakeserver.engine.holding import STOP
from fakeserver.match.route import DEFAULT_SESSION

if TYPE_CHECKING:
    from fakeserver.engine import Engine
    from fakeserver.journal import Record, What

_WAITS = 0.7  # seconds at a gate after which it is said: a test lets go sooner
_LONG = 5.0  # seconds after which a stream is looked at: a silent one is said to be; one that flows, at the second look
_LOOKS = 2
_SILENT = 2.0  # seconds without a byte


class Telling:
    """Follows one engine's journal, and says its lines on standard error. `url` is where the server listens."""

    def __init__(self, engine: Engine, url: str, locked: bool = False) -> None:
        """`locked`: the control routes need a token, so a command without one would be no help."""
        self._engine, self._url, self._locked = engine, url, locked
        self._timers: dict[int, asyncio.TimerHandle] = {}  # by record
        engine.journal.follow(self._follow)

    def _follow(self, what: What, record: Record, gate: str, at: int) -> None:
        if what == "start":
            self._after(_LONG, record, partial(self._look, record, 1))
        elif what == "gate":
            self._after(_WAITS, record, partial(self._waits, record, gate, at, record.events))
        elif what == "end":
            self._timers.pop(record.number).cancel()
            _say(self._lines().ended(record))

    def _after(self, seconds: float, record: Record, call: Callable[[], None]) -> None:
        """One timer a record: what happens next is worth more than what was to be said."""
        if record.number in self._timers:
            self._timers[record.number].cancel()
        self._timers[record.number] = asyncio.get_running_loop().call_later(seconds, call)

    def _look(self, record: Record, look: int) -> None:
        at = int(look * _LONG * 1e9)
        last = max((actual for _, actual in record.lateness.stamps()), default=0)
        silent = at - last >= _SILENT * 1e9
        if silent or look == _LOOKS:
            _say(self._lines().goes_on(record, at, "… silent" if silent else "… flowing"))
        else:
            self._after(_LONG, record, partial(self._look, record, look + 1))

    def _waits(self, record: Record, gate: str, at: int, events: int) -> None:
        held = self._engine.sessions.get(record.session).gates.waiting(gate)
        if not held or record.events != events:  # it has been let go
            self._after(_LONG, record, partial(self._look, record, 1))
            return
        what = "… is held" if gate == STOP else f"… at gate {gate}"
        _say(self._lines().goes_on(record, at, what, self._release(record.session, gate)))

    def _release(self, session: str, gate: str) -> str:
        """What lets it go on, to be copied."""
        if self._locked:
            return f"to let it go on: the page, {self._url}/"
        if session == DEFAULT_SESSION and gate != STOP:
            return f"curl -X POST {self._url}/_fakeserver/gates/{gate}/release"
        action = "step" if gate == STOP else f"gates/{gate}/release"
        return f"curl -X POST {self._url}/_fakeserver/sessions/{session}/{action}"

    def _lines(self) -> Lines:
        """As wide as the terminal is now."""
        width = shutil.get_terminal_size((WIDE, 0)).columns if sys.stderr.isatty() else WIDE
        return Lines(max(width, 80), lambda text, **style: paint(text, sys.stderr, **style), f"{self._url}/v1")


def _say(rows: Iterable[str]) -> None:
    for row in rows:
        say(row)
