"""Timed body bytes -> compressed, then buffered (section 5: 8, 9). What is held is lost where the end is not clean."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from fakeserver.plan.blanks import moved
from fakeserver.plan.coders import Coder, coder
from fakeserver.plan.model import Hole
from fakeserver.plan.settle import Settled
from fakeserver.plan.times import Timed
from fakeserver.script.layers import Compress, Wire
from fakeserver.script.units import duration, size


def _coder(name: str, settled: Settled) -> Coder:
    try:
        return coder(name)
    except ModuleNotFoundError as missing:
        message = f"compress: {name} needs the package {missing.name}"
        raise settled.entry.broken(settled.body.wire, "missing-extra", message, "pip install 'fakeserver[compress]'",
                                   "compress") from None  # fmt: skip


def compressed(settled: Settled, items: Iterable[Timed]) -> Iterator[Timed]:
    """Each event through the compressor; flushed after each, or never until a clean end."""
    said = settled.wire.compress
    if said == "none":
        yield from items
        return
    options = said if isinstance(said, Compress) else Compress.model_validate({"with": said})
    code, spoil = _coder(options.with_, settled), _Spoil(options)
    flushed, events = options.flush == "event", 0
    for item in items:
        if item.kind in ("body", "idle"):
            data, events = code.compress(item.data), item.events
            if flushed:
                data += code.flush(final=False)
            # What is not flushed cannot be read: no event of it is whole before the end.
            yield replace(item, data=spoil(data), holes=(), events=events if flushed else 0)
        else:
            if item.kind == "end" and item.name == "end":
                yield Timed("body", item.due, spoil(code.flush(final=True)), events=events)
            yield item


class _Spoil:
    """`keep`: only the first bytes of the compressed stream; `flip`: one of them inverted."""

    def __init__(self, options: Compress):
        self.keep, self.flip, self.at = options.keep, options.flip, 0

    def __call__(self, data: bytes) -> bytes:
        start, self.at = self.at, self.at + len(data)
        if self.flip is not None and start <= self.flip < self.at:
            place = self.flip - start
            data = data[:place] + bytes([data[place] ^ 0xFF]) + data[place + 1 :]
        return data if self.keep is None else data[: max(0, self.keep - start)]


def buffered(wire: Wire, items: Iterable[Timed]) -> Iterator[Timed]:
    """Body bytes held back until there are enough, until so long has passed, or to the end."""
    if wire.buffer == "none":
        yield from items
        return
    yield from _Buffer(wire.buffer).passed(items)


class _Buffer:
    def __init__(self, said: str):
        self.size = size(said) if said[-1] == "B" else None
        self.time = duration(said) if said[-1] in "sm" else None
        self.held: list[Timed] = []
        self.bytes = 0

    def passed(self, items: Iterable[Timed]) -> Iterator[Timed]:
        for item in items:
            if self.time is not None and self.held and item.due >= self.held[0].due + self.time:
                yield from self._out(self.held[0].due + self.time)
            if item.kind in ("body", "idle"):
                self.held.append(item)
                self.bytes += len(item.data)
                if self.size is not None and self.bytes >= self.size:
                    yield from self._out(item.due)
                continue
            if item.kind in ("gate", "socket") or item.name == "end":
                yield from self._out(item.due)
            yield item

    def _out(self, due: int) -> Iterator[Timed]:
        held, self.held, self.bytes = self.held, [], 0
        if held:
            yield Timed("body", due, b"".join(each.data for each in held), _joined(held), events=held[-1].events,
                        whole=held[-1].whole, marks_end=any(each.marks_end for each in held))  # fmt: skip


def _joined(items: list[Timed]) -> tuple[Hole, ...]:
    """The holes of all, where they stand now."""
    out: list[Hole] = []
    at = 0
    for item in items:
        out += moved(item.holes, at)
        at += len(item.data)
    return tuple(out)
