"""Body bytes -> server-sent events, by WHATWG's rules of interpreting an event stream.

It must not know what an event's data holds. `id` and `retry` steer a reconnecting browser, so they are passed over.
One thing is told instead of decided here: an event whose blank line never came. WHATWG throws it away; readers of
model streams mostly want it (case eof-without-final-blank-line).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

BOM = b"\xef\xbb\xbf"
FIELDS = (b"data", b"event", b"id", b"retry")


@dataclass(frozen=True, slots=True)
class Event:
    """One event. `closed`: its blank line came. `damaged`: its bytes were not all UTF-8, so `data` holds U+FFFD."""

    data: str
    name: str = "message"
    closed: bool = True
    damaged: bool = False


def events(body: bytes) -> Iterator[Event]:
    """Every event that has a data line, `data:` alone too; the last may lack its blank line."""
    block = _Block()
    for line in lines(body):
        if line:
            block.take(line)
        else:
            yield from block.events(closed=True)
            block = _Block()
    yield from block.events(closed=False)


def lines(body: bytes) -> list[bytes]:
    """Without their ends. Only LF, CR and CRLF end a line: a `bytes` splits there and, unlike a `str`, nowhere else."""
    return body.removeprefix(BOM).splitlines()


def looks_like_events(body: bytes) -> bool:
    """The first line that is not blank is a comment or one of the four fields."""
    first = next((line for line in lines(body) if line), b"")
    return first.startswith(b":") or first.partition(b":")[0] in FIELDS


@dataclass(slots=True)
class _Block:
    """The lines since the last blank one, as far as they count."""

    data: list[str] = field(default_factory=list)
    name: str = ""
    damaged: bool = False

    def take(self, line: bytes) -> None:
        """One line, its field name up to the first colon; one space behind the colon belongs to the frame."""
        key, _, value = line.partition(b":")
        if key == b"data":
            self.data.append(self._decoded(value.removeprefix(b" ")))
        elif key == b"event":
            self.name = self._decoded(value.removeprefix(b" "))

    def _decoded(self, value: bytes) -> str:
        # Line by line is safe: no byte of a longer UTF-8 sequence looks like CR or LF.
        try:
            return value.decode()
        except UnicodeDecodeError:
            self.damaged = True
            return value.decode(errors="replace")

    def events(self, *, closed: bool) -> Iterator[Event]:
        """This block's event, if a data line came."""
        if self.data:
            yield Event("\n".join(self.data), self.name or "message", closed, self.damaged)
