"""Values that differ in each request, and bytes that are no text, as tokens that travel through the stages as text.

A token is DEL, a letter, five digits, and as much DEL as its value is long, so that lengths, cuts and offsets are right
before the value is known. After encoding, tokens of bytes are replaced and the others are found again as holes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from fakeserver.plan.model import Blank, Hole

_START = re.compile(r"\x7f[TNB][0-9]{5}")
_IN_BYTES = re.compile(_START.pattern.encode())
_QUOTED_NUMBER = re.compile(r'"\x7fN([0-9]{5}\x7f*)"')
_HEAD = 7  # DEL, letter, digits
_BYTES_SIZE = 8
ID_SIZE = len("chatcmpl-") + 29
REQUEST_ID_SIZE = len("req_") + 32
TIME_SIZES = {"http-date": 29, "epoch": 10, "epoch-ms": 13}


@dataclass(slots=True)
class Blanks:
    """The tokens of one plan."""

    fill: Callable[[Blank], bytes] | None = None  # given where the values must be known while the plan is made
    blanks: list[Blank] = field(default_factory=list)
    _known: list[int | bytes] = field(default_factory=list)  # a blank by its number, or the bytes themselves
    _index: dict[object, int] = field(default_factory=dict)

    def ident(self) -> str:
        return self._blank(Blank("id", ID_SIZE))

    def request_id(self) -> str:
        return self._blank(Blank("request-id", REQUEST_ID_SIZE))

    def moment(self, offset: int, form: str, number: bool = False) -> str:
        """A time; where JSON has it as a number, a string whose quotes `numbers` takes away."""
        return self._blank(Blank("time", TIME_SIZES[form], offset, form), "N" if number else "T")

    def raw(self, data: bytes) -> str:
        return _token("B", self._place(data, data), _BYTES_SIZE)

    def _blank(self, blank: Blank, letter: str = "T") -> str:
        if blank not in self._index:
            self.blanks.append(blank)
        return _token(letter, self._place(blank, len(self.blanks) - 1), blank.size)

    def _place(self, key: object, known: int | bytes) -> int:
        if key not in self._index:
            self._index[key] = len(self._known)
            self._known.append(known)
        return self._index[key]

    def numbers(self, text: str) -> str:
        """JSON text with the quotes around numbers taken away."""
        return _QUOTED_NUMBER.sub("\x7fT\\1", text) if '"\x7fN' in text else text

    def parts(self, text: str) -> Iterator[tuple[str, bool]]:
        """The text around tokens, and the tokens (True), in order; what must not be cut is one part."""
        at = 0
        for hit in _START.finditer(text):
            size = self._size(text, hit.start())
            if size and hit.start() >= at:
                yield text[at : hit.start()], False
                at = hit.start() + size
                yield text[hit.start() : at], True
        yield text[at:], False

    def opened(self, data: bytes) -> tuple[bytes, tuple[Hole, ...]]:
        """Encoded text with its byte tokens replaced, and the holes that are left in it."""
        if b"\x7f" not in data:
            return data, ()
        out, holes, at = bytearray(), list[Hole](), 0
        for hit in _IN_BYTES.finditer(data):
            start = hit.start()
            size = self._size(data[start : start + 64].decode("latin-1"), 0)
            if size and start >= at:
                out += data[at:start]
                self._put(out, holes, self._known[int(data[start + 2 : start + _HEAD])])
                at = start + size
        return bytes(out + data[at:]), tuple(holes)

    def _size(self, text: str, at: int) -> int:
        """The length of the token that begins there; 0 where a user's own DEL only looks like one."""
        letter, index = text[at + 1], int(text[at + 2 : at + _HEAD])
        known = self._known[index] if index < len(self._known) else None
        if known is None or isinstance(known, bytes) != (letter == "B"):
            return 0
        size = _BYTES_SIZE if isinstance(known, bytes) else self.blanks[known].size
        return size if text.startswith(_token(letter, index, size), at) else 0

    def _put(self, out: bytearray, holes: list[Hole], known: int | bytes) -> None:
        if isinstance(known, bytes):
            out += known
        elif self.fill is not None:  # the bytes are needed now: what follows compresses them
            out += self.fill(self.blanks[known])
        else:
            size = self.blanks[known].size
            holes.append(Hole(len(out), known, 0, size))
            out += b"?" * size


def _token(letter: str, index: int, size: int) -> str:
    return f"\x7f{letter}{index:05}".ljust(size, "\x7f")


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
