"""Timed body bytes -> cut, framed, and gathered into actions (section 5: 10 to 13).

A piece is a frame is a write. A cut of framed bytes cuts the frame itself, its size line too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from fakeserver.plan.blanks import moved, part
from fakeserver.plan.ledger import Ledger
from fakeserver.plan.model import Action, Burst, End, Gate, Hole, Write
from fakeserver.plan.places import places
from fakeserver.plan.times import Timed
from fakeserver.script.steps import CutAt, CutInside, CutSize, KeepFramed

Piece = tuple[bytes, tuple[Hole, ...]]
BURST = 64  # writes of one moment that are handed over at once, at most


@dataclass(slots=True)
class Framer:
    """Cuts and frames the bytes of one answer."""

    chunked: bool
    keep_alive: bool
    wire_cut: Any
    ledger: Ledger

    def laid(self, data: bytes, holes: tuple[Hole, ...], layout: dict[str, Any], owners: dict[str, Any]) -> list[Piece]:
        """The writes of one event's bytes."""
        cut = layout.get("cut", self.wire_cut)
        owner = owners.get("cut", "wire.cut")
        keep = layout.get("keep")
        if getattr(cut, "framed", False):
            whole = self._kept(self._frame((data, holes)), keep, owners)
            return self._cut(whole, self._framed_points(whole[0], data, cut), owner)
        pieces = self._cut((data, holes), self._points(data, cut), owner)
        framed = [self._frame(piece) for piece in pieces]
        if isinstance(keep, KeepFramed):
            framed = [self._kept(framed[0], keep, owners)]
        return framed

    def _kept(self, piece: Piece, keep: Any, owners: dict[str, Any]) -> Piece:
        if not isinstance(keep, KeepFramed) or keep.framed >= len(piece[0]):
            return piece
        self.ledger.pay(owners["keep"])
        return piece[0][: keep.framed], part(piece[1], 0, keep.framed)

    def _frame(self, piece: Piece) -> Piece:
        if not self.chunked or not piece[0]:
            return piece
        head = b"%x\r\n" % len(piece[0])
        return head + piece[0] + b"\r\n", moved(piece[1], len(head))

    def _points(self, data: bytes, cut: Any) -> list[int]:
        match cut:
            case CutSize():
                return list(range(cut.size, len(data), cut.size))
            case CutAt():
                return sorted({at for at in cut.at if 0 < at < len(data)})
            case CutInside():
                return places(data, cut.inside)
        return []

    def _framed_points(self, framed: bytes, data: bytes, cut: Any) -> list[int]:
        if isinstance(cut, CutInside):
            start = framed.find(b"\r\n") + 2 if self.chunked else 0
            if cut.inside == "frame-size":
                return [1] if self.chunked else []
            if cut.inside == "frame-end":
                return [len(framed) - 1] if self.chunked else []
            return [start + at for at in places(data, cut.inside) if start + at < len(framed)]
        return self._points(framed, cut)

    def _cut(self, piece: Piece, points: list[int], owner: Any) -> list[Piece]:
        if not points:
            return [piece]
        self.ledger.pay(owner)
        edges = [0, *points, len(piece[0])]
        return [(piece[0][low:high], part(piece[1], low, high)) for low, high in zip(edges, edges[1:])]

    def span(self, layout: dict[str, Any], pieces: list[Piece]) -> int:
        return self.gap(layout) * (len(pieces) - 1)

    def gap(self, layout: dict[str, Any]) -> int:
        return int(getattr(layout.get("cut", self.wire_cut), "gap", 0))


def actions(framer: Framer, items: Iterable[Timed]) -> Iterator[Action]:
    """Writes in order, writes of one moment as one burst, gates, and the end."""
    gathered: list[Write] = []
    for action in _actions(framer, _grouped(items)):
        plain = isinstance(action, Write) and not action.gap and not action.lockstep
        if gathered and (not plain or action.due != gathered[0].due or len(gathered) == BURST):
            yield _burst(gathered)
            gathered = []
        if plain:
            gathered.append(action)
        else:
            yield action
    if gathered:
        yield _burst(gathered)


def _burst(writes: list[Write]) -> Action:
    return writes[0] if len(writes) == 1 else Burst(writes[0].due, tuple(writes))


def _grouped(items: Iterable[Timed]) -> Iterator[list[Timed]]:
    """Items that share a write, together."""
    held: list[Timed] = []
    for item in items:
        if held and (not item.group or item.group != held[0].group):
            yield held
            held = []
        held.append(item)
        if not item.group:
            yield held
            held = []
    if held:
        yield held


def _actions(framer: Framer, groups: Iterable[list[Timed]]) -> Iterator[Any]:
    after = 0  # nothing is due before what precedes it
    for group in groups:
        item = group[0]
        due = max(item.due, after)
        if item.kind == "gate":
            yield Gate(due, item.name)
            after = 0
        elif item.kind == "end":
            yield _end(framer, due, item.name)
        elif len(group) > 1:
            yield _together(framer, group, due)
            after = due
        else:
            for write in _writes(framer, item, due):
                after = write.due
                yield write


def _writes(framer: Framer, item: Timed, due: int) -> Iterator[Write]:
    part_name: Any = item.kind
    pieces = (
        [(item.data, item.holes)]
        if item.kind == "socket"
        else framer.laid(item.data, item.holes, item.layout, item.owners)
    )
    cut = item.layout.get("cut", framer.wire_cut)
    gap = framer.gap(item.layout)
    for i, (data, holes) in enumerate(pieces):
        if data:
            last = i == len(pieces) - 1
            yield Write(due + i * gap, data, part_name, holes, gap if i else 0,
                        item.events if last else max(0, item.events - 1), item.marks_end and last,
                        bool(getattr(cut, "lockstep", False)) and item.kind == "body")  # fmt: skip


def _together(framer: Framer, group: list[Timed], due: int) -> Write:
    data, holes = bytearray(), list[Hole]()
    for item in group:
        pieces = (
            [(item.data, item.holes)]
            if item.kind == "socket"
            else framer.laid(item.data, item.holes, item.layout, item.owners)
        )
        for piece, places_in in pieces:
            holes += moved(places_in, len(data))
            data += piece
    kind: Any = "body" if any(item.kind == "body" for item in group) else "socket"
    return Write(
        due, bytes(data), kind, tuple(holes), events=group[-1].events, marks_end=any(i.marks_end for i in group)
    )


def _end(framer: Framer, due: int, name: str) -> End:
    kind: Any = name
    if kind == "end":
        return End(due, "end", b"0\r\n\r\n" if framer.chunked else b"", framer.keep_alive)
    return End(due, kind, keep_alive=False)
