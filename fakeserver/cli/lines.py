"""A record of the journal -> the rows of a terminal that tell it, as wide as they may be.

The first row is in columns; rows below it say what is worth more words: why nothing answered, what was late. It must
not know timers, streams or which terminal it is.
"""

from __future__ import annotations

import re
import textwrap
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from fakeserver.journal import Record
from fakeserver.match.route import DEFAULT_SESSION, route_of
from fakeserver.play.notes import Ending

WIDE = 120  # where the path has a column, and as wide as rows are where no terminal bounds them
_ROOMY = 100  # where an end may be told in words
_PATH, _TAIL, _SHORT_TAIL = 25, 26, 14
_FIGURES = 42  # of a row: clock, number, status; events, bytes, time taken
_WORTH = 10  # letters of a reason that say something
_INDENT = " " * 9
_LATE = 50_000_000  # nanoseconds from which a person would notice
_STALLED = 500_000_000
_MOST_HINTS = 12
_ENDS = {"close": "closed", "reset": "reset", "reset-now": "reset", "end": "complete", "hang": "hung"}

Paint = Callable[..., str]


@dataclass(frozen=True, slots=True)
class Lines:
    """`paint(text, **style)` colours; `base_url` is what a client must be told."""

    width: int
    paint: Paint
    base_url: str

    def ended(self, record: Record) -> Iterator[str]:
        """A request that is over."""
        assert record.ending is not None
        told, short, colour = _end(record, record.ending)
        room = self._tail
        yield self._row(record, _took(record.ending.at), self.paint(told if len(told) <= room else short, fg=colour))
        for hint in self._hints(record):
            yield from self._below(hint)

    def goes_on(self, record: Record, at: int, what: str, *below: str) -> Iterator[str]:
        """A stream that is still there. What stands below is to be copied, so it is never cut."""
        yield self._row(record, _took(at), self.paint(what, fg="cyan"))
        yield from (self.paint(f"{_INDENT}{each}", dim=True) for each in below)

    @property
    def _has_path(self) -> bool:
        return self.width >= WIDE

    @property
    def _subject(self) -> int:
        return min(48, self.width - _FIGURES - self._tail - (_PATH + 1 if self._has_path else 0))

    @property
    def _tail(self) -> int:
        return _TAIL if self.width >= _ROOMY else _SHORT_TAIL

    def _row(self, record: Record, took: str, tail: str) -> str:
        chosen = record.chosen
        clock = time.strftime("%H:%M:%S", time.localtime(record.at / 1e9))
        status = self.paint(f"{chosen.status or '-':>3}", fg=_status_colour(chosen.status))
        path = f"{_clip(_asked(record), _PATH):{_PATH}} " if self._has_path else ""
        subject = self.paint(f"{self._what(record):{self._subject}}", bold=bool(chosen.scenario))
        figures = f"{record.events:>5} ev {_size(record.bytes):>7} {took:>6}"
        return f"{self.paint(clock, dim=True)} {record.number:>4} {status} {path}{subject}{figures} {tail}"

    def _what(self, record: Record) -> str:
        """What answered and why; where nothing did, what was asked. The reason is the first to go."""
        chosen, room = record.chosen, self._subject
        before = "" if record.session == DEFAULT_SESSION else f"{record.session}: "
        if chosen.scenario:
            name = f"{before}{chosen.scenario}"
            whole = f"{name} ({chosen.why.removesuffix(' x-fakeserver-scenario')})"
            return _clip(whole if len(whole) <= room or len(name) + _WORTH <= room else name, room)
        word = "" if self._has_path else _word(record)
        return _clip(before + (f"{word} ({chosen.why})" if word != chosen.why else word).strip(), room)

    def _hints(self, record: Record) -> Iterator[str]:
        chosen, late = record.chosen, record.lateness.percentile(0.99)
        if chosen.unmatched is not None:
            yield chosen.unmatched.message
        elif chosen.why == "not-found":
            asked = f"{record.asked.method} {record.asked.path}"
            yield f"{asked} is no route here; the base URL for clients is {self.base_url}"
        if late >= _LATE:
            yield f"up to {_took(late)} late, in 99 of 100 writes"
        if record.stalled >= _STALLED:
            yield f"waited {_took(record.stalled)} for a client that did not read"

    def _below(self, text: str) -> Iterator[str]:
        rows = [row for line in text.splitlines() for row in self._wrapped(line)]
        kept = rows if len(rows) <= _MOST_HINTS else [*rows[: _MOST_HINTS - 1], "…"]
        yield from (self.paint(f"{_INDENT}{row}", fg="yellow") for row in kept)

    def _wrapped(self, line: str) -> list[str]:
        lead = line[: len(line) - len(line.lstrip())]
        return textwrap.wrap(line, self.width - len(_INDENT), subsequent_indent=f"{lead}  ")


def _end(record: Record, ending: Ending) -> tuple[str, str, str | None]:
    """In words, in few of them, and the colour."""
    match ending.how:
        case "gone":
            return f"gone after event {record.events}, {ending.by}", f"gone ({ending.by})", "yellow"
        case "ended":
            kind = _ENDS.get(ending.kind or "", "ended")
            return f"{kind}, as scripted", kind, "magenta"
        case "stopped" | "broken":
            return record.how, ending.how, "red"
    return "complete", "complete", None


def _asked(record: Record) -> str:
    """The method and the path, without what is told elsewhere: the session, the scenario."""
    path = re.sub("^(/session/[^/]+)?(/scenario/[^/]+)?(?=/)", "", record.asked.path)
    return f"{record.asked.method} {path}"


def _word(record: Record) -> str:
    """The usual routes by one word each."""
    kind = route_of(record.asked.path).kind
    usual = (record.asked.method, kind) in (("POST", "chat"), ("GET", "models"))
    return str(kind) if usual else _asked(record)


def _status_colour(status: int | None) -> str:
    return "green" if status and status < 400 else "yellow" if status and status < 500 else "red"


def _clip(text: str, room: int) -> str:
    return text if len(text) <= room else f"{text[: room - 1]}…"


def _took(nanoseconds: int) -> str:
    seconds = nanoseconds / 1e9
    if seconds < 0.9995:
        return f"{seconds * 1000:.0f}ms"
    return f"{seconds:.1f}s" if seconds < 60 else f"{int(seconds) // 60}m{int(seconds) % 60:02}s"


def _size(count: int) -> str:
    return f"{count} B" if count < 1000 else f"{count / 1e3:.1f} kB" if count < 1e6 else f"{count / 1e6:.1f} MB"
