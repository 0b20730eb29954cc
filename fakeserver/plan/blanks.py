"""Values that differ in each request, and bytes that are no text, as tokens that travel through the stages as text.

A token is DEL, three digits, and as much DEL as its value is long, so that lengths, cuts and offsets are right before
the value is known. After encoding, tokens of bytes are replaced and the others are found again as holes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from fakeserver.plan.model import Blank, Hole

_TOKEN = re.compile(rb'("?)\x7f([0-9]{3})')
ID_SIZE = len("chatcmpl-") + 29
REQUEST_ID_SIZE = len("req_") + 32
TIME_SIZES = {"http-date": 29, "epoch": 10, "epoch-ms": 13}


@dataclass(slots=True)
class Blanks:
    """The tokens of one plan."""

    fill: Callable[[Blank], bytes] | None = None  # given where the values must be known while the plan is made
    known: list[Blank | bytes] = field(default_factory=list)
    numbers: set[int] = field(default_factory=set)
    _seen: dict[object, str] = field(default_factory=dict)

    def ident(self) -> str:
        return self._token(Blank("id", ID_SIZE))

    def request_id(self) -> str:
        return self._token(Blank("request-id", REQUEST_ID_SIZE))

    def moment(self, offset: int, form: str, number: bool = False) -> str:
        """A time; as a JSON number its token is a string whose quotes belong to its length."""
        return self._token(Blank("time", TIME_SIZES[form], offset, form), number)

    def raw(self, data: bytes) -> str:
        return self._token(data)

    def _token(self, value: Blank | bytes, number: bool = False) -> str:
        key = (value, number)
        if key not in self._seen:
            index = len(self.known)
            self.known.append(value)
            if number:
                self.numbers.add(index)
            size = 4 if isinstance(value, bytes) else value.size - 2 * number
            self._seen[key] = f"\x7f{index:03}".ljust(size, "\x7f")
        return self._seen[key]

    def opened(self, data: bytes) -> tuple[bytes, tuple[Hole, ...]]:
        """Encoded text with its byte tokens replaced, and the holes that are left in it."""
        if b"\x7f" not in data:
            return data, ()
        out, holes, at = bytearray(), list[Hole](), 0
        while (hit := _TOKEN.search(data, at)) is not None:
            index = int(hit[2])
            value = self.known[index] if index < len(self.known) else None
            if value is None:  # a DEL of the user's own
                out += data[at : hit.end()]
                at = hit.end()
                continue
            start = hit.start() if index in self.numbers else hit.start(2) - 1
            out += data[at:start]
            if isinstance(value, bytes):
                out += value
                at = start + 4
            else:
                made = self._put(out, holes, index, value)
                out += made
                at = start + value.size
        return bytes(out + data[at:]), tuple(holes)

    def _put(self, out: bytearray, holes: list[Hole], index: int, value: Blank) -> bytes:
        if self.fill is not None:  # the bytes are needed now: what follows compresses them
            return self.fill(value)
        number = sum(isinstance(each, Blank) for each in self.known[:index])
        holes.append(Hole(len(out), number, 0, value.size))
        return b"?" * value.size

    def all(self) -> tuple[Blank, ...]:
        """The blanks by number, as a plan carries them."""
        return tuple(each for each in self.known if isinstance(each, Blank))


def part(holes: tuple[Hole, ...], start: int, stop: int) -> tuple[Hole, ...]:
    """The holes of bytes `start`..`stop` of a text, moved to where those bytes stand now."""
    out = []
    for hole in holes:
        low, high = max(start, hole.at), min(stop, hole.at + hole.stop - hole.start)
        if low < high:
            shift = hole.start - hole.at
            out.append(Hole(low - start, hole.blank, low + shift, high + shift))
    return tuple(out)


def moved(holes: tuple[Hole, ...], by: int) -> tuple[Hole, ...]:
    return tuple(Hole(hole.at + by, hole.blank, hole.start, hole.stop) for hole in holes)
