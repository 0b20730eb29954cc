"""Values that differ in each request, and bytes that are no text, as tokens that travel through the stages as text.

A token is DEL, a letter, five digits, and as much DEL as its value is long, so that lengths, cuts and offsets are right
before the value is known. When a text is encoded, tokens of bytes are replaced and the others become holes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from fakeserver.plan.model import Blank, Hole

_START = re.compile(r"\x7f[TNB][0-9]{5}")
_QUOTED_NUMBER = re.compile(r'"\x7fN([0-9]{5}\x7f*)"')
_BYTES_SIZE = 8
ID_FORM = "chatcmpl-" + 29 * "?"  # as a dialect writes it: # a digit, * a hexadecimal digit, ? a letter or digit
REQUEST_ID_SIZE = len("req_") + 32
TIME_SIZES = {"http-date": 29, "epoch": 10, "epoch-ms": 13}


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    known: int | bytes  # a blank by its number, or the bytes themselves


@dataclass(slots=True)
class Blanks:
    """The tokens of one plan."""

    fill: Callable[[Blank], bytes] | None = None  # given where the values must be known while the plan is made
    blanks: list[Blank] = field(default_factory=list)
    _index: dict[object, int] = field(default_factory=dict)
    _tokens: dict[str, _Token] = field(default_factory=dict)  # by how each begins

    def ident(self, form: str = ID_FORM) -> str:
        return self._blank(Blank("id", len(form), form=form))

    def request_id(self) -> str:
        return self._blank(Blank("request-id", REQUEST_ID_SIZE))

    def moment(self, offset: int, form: str, number: bool = False) -> str:
        """A time; where JSON has it as a number, a string whose quotes `numbers` takes away."""
        return self._blank(Blank("time", TIME_SIZES[form], offset, form), "N" if number else "T")

    def raw(self, data: bytes) -> str:
        return self._token("B", data, data, _BYTES_SIZE)

    def _blank(self, blank: Blank, letter: str = "T") -> str:
        if blank not in self._index:
            self.blanks.append(blank)
            for each in "NT":  # a number becomes a text when its quotes go
                self._token(each, blank, len(self.blanks) - 1, blank.size)
        return self._token(letter, blank, len(self.blanks) - 1, blank.size)

    def _token(self, letter: str, key: object, known: int | bytes, size: int) -> str:
        start = f"\x7f{letter}{self._index.setdefault(key, len(self._index)):05}"
        if start not in self._tokens:
            self._tokens[start] = _Token(start.ljust(size, "\x7f"), known)
        return self._tokens[start].text

    def numbers(self, text: str) -> str:
        """JSON text with the quotes around numbers taken away."""
        return _QUOTED_NUMBER.sub("\x7fT\\1", text) if '"\x7fN' in text else text

    def parts(self, text: str) -> Iterator[tuple[str, bool]]:
        """The text around tokens, and the tokens (True), in order; what must not be cut is one part."""
        at = 0
        for start, token in self._found(text):
            yield text[at:start], False
            yield token.text, True
            at = start + len(token.text)
        yield text[at:], False

    def _found(self, text: str) -> Iterator[tuple[int, _Token]]:
        """Each token and where it stands. What only looks like one is a user's own DEL."""
        end = 0
        for hit in _START.finditer(text):
            token = self._tokens.get(hit[0])
            if token is not None and hit.start() >= end and text.startswith(token.text, hit.start()):
                yield hit.start(), token
                end = hit.start() + len(token.text)

    def encoded(self, text: str) -> tuple[bytes, tuple[Hole, ...]]:
        """The UTF-8 of a text with its byte tokens replaced, and the holes that are left in it."""
        if "\x7f" not in text:
            return text.encode(), ()
        out, holes, at = bytearray(), list[Hole](), 0
        for start, token in self._found(text):
            out += text[at:start].encode()
            at = start + len(token.text)
            self._put(out, holes, token.known)
        return bytes(out + text[at:].encode()), tuple(holes)

    def _put(self, out: bytearray, holes: list[Hole], known: int | bytes) -> None:
        if isinstance(known, bytes):
            out += known
        elif self.fill is not None:  # the bytes are needed now: what follows compresses them
            out += self.fill(self.blanks[known])
        else:
            size = self.blanks[known].size
            holes.append(Hole(len(out), known, 0, size))
            out += b"?" * size


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
