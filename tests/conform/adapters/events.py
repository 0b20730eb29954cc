"""Reads of a response -> server-sent events, as WHATWG has them; by hand, and nothing of the product's."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator

_LINE_END = re.compile("\r\n|\n|\r")


def events(reads: Iterable[bytes]) -> Iterator[tuple[str, str]]:
    """(name, data) of each event that has data."""
    name, data = "", []
    for line in lines(reads):
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if not line:
            if data:
                yield name, "\n".join(data)
            name, data = "", []
        elif field == "data":
            data.append(value)
        elif field == "event":
            name = value
    if data:  # a server that forgot the last blank line
        yield name, "\n".join(data)


def lines(reads: Iterable[bytes]) -> Iterator[str]:
    """A CR at the end of a read may be half of a line end: it waits for the next."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    text, first = "", True
    for read in reads:
        text += decoder.decode(read)
        if first and text:
            text, first = text.removeprefix("\ufeff"), False
        held = "\r" if text.endswith("\r") else ""
        *whole, rest = _LINE_END.split(text.removesuffix(held))
        yield from whole
        text = rest + held
    *whole, rest = _LINE_END.split(text + decoder.decode(b"", True))
    yield from whole
    if rest:
        yield rest
