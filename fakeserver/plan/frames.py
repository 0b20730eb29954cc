"""Timed body bytes -> cut, framed, and gathered into actions (section 5: 10 to 13).

A piece is a frame is a write. A cut of framed bytes cuts the frame itself, its size line too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from fakeserver.plan.blanks import moved, part
from fakeserver.plan.cues import Cue
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
    packed: bool = False  # the body is compressed

    def laid(self, data: bytes, holes: tuple[Hole, ...], layout: dict[str, Any], owners: dict[str, Any]) -> list[Piece]:
        """The writes of one event's bytes."""
        cut, keep = layout.get("cut", self.wire_cut), layout.get("keep")
        if cut == "whole" and keep is None:  # most events are
            return [self._frame((data, holes))]
        if getattr(cut, "framed", False):
            framed = self._frame((data, holes))
            pieces = self._cut(framed, self._framed_points(framed[0], data, cut), owners)
        else:
            pieces = [self._frame(piece) for piece in self._cut((data, holes), self._points(data, cut), owners)]
        if isinstance(keep, KeepFramed) and self.chunked:
            return list(self._kept(pieces, keep.framed, owners["keep"]))
        return pieces

    def _kept(self, pieces: list[Piece], size: int, owner: Any) -> Iterator[Piece]:
        """The first bytes of what is framed, over all its frames."""
        for data, holes in pieces:
            if size < len(data):
                self.ledger.pay(owner)
            if size:
                yield data[:size], part(holes, 0, size)
            size = max(0, size - len(data))

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
            case CutInside() if not self.packed:  # compressed bytes have no places by name
                return places(data, cut.inside)
        return []

    def _framed_points(self, framed: bytes, data: bytes, cut: Any) -> list[int]:
        if not isinstance(cut, CutInside):
            return self._points(framed, cut)
        if cut.inside in ("frame-size", "frame-end"):
            size = 1 if cut.inside == "frame-size" else len(framed) - 1
            return [size] if len(framed) > len(data) else []
        if not self.chunked:
            return self._points(data, cut)
        if cut.inside == "crlf":  # the framing has its own
            return places(framed, "crlf")
        start = framed.find(b"\r\n") + 2
        return [start + at for at in self._points(data, cut)]

    def _cut(self, piece: Piece, points: list[int], owners: dict[str, Any]) -> list[Piece]:
        if not points:
            return [piece]
        self.ledger.pay(owners.get("cut", "wire.cut"))
        edges = [0, *points, len(piece[0])]
        return [(piece[0][low:high], part(piece[1], low, high)) for low, high in pairwise(edges)]

    def pieces(self, item: Timed) -> list[Piece]:
        """The writes of one item; what stands beside the framing is neither cut nor framed."""
        if item.kind == "socket":
            return [(item.data, item.holes)]
        return self.laid(item.data, item.holes, item.layout, item.owners)

    def span(self, cue: Cue) -> int:
        """How long an event's own cut takes."""
        gap = self.gap(cue.layout)
        if not gap or cue.kind == "socket":
            return 0
        return gap * max(0, len(self.laid(cue.data, cue.holes, cue.layout, cue.owners)) - 1)

    def gap(self, layout: dict[str, Any]) -> int:
        cut = layout.get("cut", self.wire_cut)
        if cut == "whole" or (cut.lockstep and not cut.has("gap")):
            return 0  # in lockstep the peer's own reads are the pace
        return int(cut.gap)


def actions(framer: Framer, items: Iterable[Timed]) -> Iterator[Action]:
    """Writes in order, writes of one moment as one burst, gates, and the end, which is always the last of them."""
    gathered: list[Write] = []
    for action in _actions(framer, _grouped(items)):
        plain = isinstance(action, Write) and not action.gap and not action.lockstep
        if gathered and (not plain or action.due != gathered[0].due or len(gathered) == BURST):
            yield _burst(gathered)
            gathered = []
        if isinstance(action, Write) and plain:
            gathered.append(action)
        else:
            yield action


def _burst(writes: list[Write]) -> Action:
    return writes[0] if len(writes) == 1 else Burst(writes[0].due, tuple(writes))


def _grouped(items: Iterable[Timed]) -> Iterator[list[Timed]]:
    """Items that share a write, together; the end, which is always the last of them, shares none."""
    held: list[Timed] = []
    for item in items:
        if held and (not item.group or item.group != held[0].group):
            yield held
            held = []
        held.append(item)
        if not item.group:
            yield held
            held = []


def _actions(framer: Framer, groups: Iterable[list[Timed]]) -> Iterator[Write | Gate | End]:
    after = 0  # nothing is due before what precedes it
    for group in groups:
        item = group[0]
        due = max(item.due, after)
        if item.kind == "gate":
            yield Gate(due, item.name)
            after = 0
        elif item.kind == "end":
            yield _end(framer, due, item.name)
        else:
            for write in _together(framer, group, due) if item.group else _writes(framer, item, due):
                after = write.due
                yield write


def _writes(framer: Framer, item: Timed, due: int) -> Iterator[Write]:
    part_name: Any = item.kind
    pieces = [piece for piece in framer.pieces(item) if piece[0]]
    lockstep = bool(getattr(item.layout.get("cut", framer.wire_cut), "lockstep", False)) and item.kind == "body"
    gap = framer.gap(item.layout)
    for i, (data, holes) in enumerate(pieces):
        last = i == len(pieces) - 1
        events = item.events - (item.kind == "body" and not (last and item.whole))
        yield Write(
            due + i * gap, data, part_name, holes, gap if i else 0, max(0, events), item.marks_end and last, lockstep
        )


def _together(framer: Framer, group: list[Timed], due: int) -> Iterator[Write]:
    """One write of all that share it."""
    data, holes = bytearray(), list[Hole]()
    for piece, places_in in (piece for item in group for piece in framer.pieces(item)):
        holes += moved(places_in, len(data))
        data += piece
    kind: Any = "body" if any(item.kind == "body" for item in group) else "socket"
    marks_end = any(item.marks_end for item in group)
    if data:
        yield Write(due, bytes(data), kind, tuple(holes), events=group[-1].events, marks_end=marks_end)


def _end(framer: Framer, due: int, name: str) -> End:
    kind: Any = name
    if kind == "end":
        return End(due, "end", b"0\r\n\r\n" if framer.chunked else b"", framer.keep_alive)
    return End(due, kind, keep_alive=False)
