"""Cues -> the same cues with the bytes of their events (section 5: 5). It must not know time or framing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from fakeserver.plan.blanks import Blanks, moved
from fakeserver.plan.cues import Cue
from fakeserver.plan.jsontext import dumps
from fakeserver.plan.ledger import Ledger
from fakeserver.plan.model import Hole
from fakeserver.plan.ordering import Keys, ordered
from fakeserver.plan.places import places
from fakeserver.plan.settle import Settled
from fakeserver.script.dialect import KeyOrder
from fakeserver.script.layers import Wire
from fakeserver.script.loader import Entry
from fakeserver.script.steps import JsonStep, KeepFramed, KeepInside

Json = Any
_NEWLINES = {"lf": "\n", "crlf": "\r\n", "cr": "\r"}
_LINE_END = re.compile(r"\r\n|\n|\r")
BOM = b"\xef\xbb\xbf"


class Writer:
    """Writes events as one wire layout has them."""

    def __init__(self, wire: Wire, blanks: Blanks, entry: Entry, keys: Keys = "openai"):
        self.wire = wire
        self.blanks = blanks
        self.entry = entry
        self.keys = keys
        self.after_colon = wire.space if isinstance(wire.space, str) else " " if wire.space else ""

    def dump(self, value: Json, sort: bool = False) -> str:
        """Compact JSON in the order of the keys; pretty where `indent` asks for it."""
        indent = self.wire.indent if isinstance(self.wire.indent, int) and self.wire.indent else None
        return self.blanks.numbers(dumps(value, indent, self.wire.escape == "ascii", sort))

    def event(self, cue: Cue) -> str:
        """The text of one event."""
        end = _NEWLINES[cue.layout.get("newline", self.wire.newline)]
        match cue.kind:
            case "raw":
                return str(cue.value)
            case "comment":
                return "".join(self._comment(line, end) for line in _LINE_END.split(cue.value)) + end
            case "event":
                return "".join(self._field(name, value, end) for name, value in cue.value.items()) + end
        data = cue.value if cue.kind == "done" else self._chunk(cue)
        made = {"event": cue.named, "data": data} if cue.named else {"data": data}
        return "".join(self._field(name, value, end) for name, value in _ordered(cue, made)) + end

    def _chunk(self, cue: Cue) -> str:
        """Its keys in the dialect's order; a `json` step is as it is."""
        if self.keys == "openai" or isinstance(cue.step, JsonStep):
            return self.dump(cue.value)
        if isinstance(self.keys, KeyOrder):
            return self.dump(ordered(cue.value, self.keys))
        return self.dump(cue.value, sort=True)

    def _comment(self, text: str, end: str) -> str:
        return f":{self.after_colon}{text}{end}" if text else f":{end}"

    def _field(self, name: str, value: Json, end: str) -> str:
        """A field's lines; a line end in the text makes several."""
        text = value if isinstance(value, str) else self.dump(value)
        return "".join(f"{name}:{self.after_colon}{line}{end}" for line in _LINE_END.split(text))

    def encoded(self, text: str, thing: object) -> tuple[bytes, tuple[Hole, ...]]:
        """UTF-8 with tokens opened; half a surrogate pair has no bytes."""
        try:
            return self.blanks.encoded(text)
        except UnicodeEncodeError:
            raise self.entry.broken(thing, "lone-surrogate", "half of a surrogate pair has no UTF-8 bytes",
                                    "write `wire: {escape: ascii}`, or the whole character") from None  # fmt: skip


def _ordered(cue: Cue, made: Mapping[str, Json]) -> Iterator[tuple[str, Json]]:
    """`fields` in the order written, then the made ones; a key without a value says where its made field goes."""
    fields: Mapping[str, Json] = cue.layout.get("fields") or {}
    for name, value in fields.items():
        if value is not None:
            yield name, value
        elif name in made:
            yield name, made[name]
    yield from ((name, value) for name, value in made.items() if name not in fields)


class Events:
    """Gives each cue its bytes, then `keep`."""

    def __init__(self, settled: Settled, blanks: Blanks, ledger: Ledger, chunked: bool):
        self.ledger = ledger
        self.chunked = chunked
        self.writer = Writer(settled.wire, blanks, settled.entry, settled.shape.keys)
        self.bom = settled.wire.bom

    def written(self, cues: Iterable[Cue]) -> Iterator[Cue]:
        for cue in cues:
            if cue.kind == "socket":
                cue.data, cue.holes = self.writer.encoded(cue.value, cue.step)
            elif cue.is_event:
                cue.data, cue.holes = self.writer.encoded(self.writer.event(cue), cue.step)
                if self.bom:
                    cue.data, cue.holes, self.bom = BOM + cue.data, moved(cue.holes, len(BOM)), False
                self._keep(cue)
            yield cue

    def _keep(self, cue: Cue) -> None:
        size = self._kept(cue.data, cue.layout.get("keep"))
        if size < len(cue.data):
            self.ledger.pay(cue.owners["keep"])
            cue.cut_off(size)

    def _kept(self, data: bytes, keep: Any) -> int:
        """How many bytes stay."""
        if isinstance(keep, KeepInside):
            return next(iter(places(data, keep.inside)), len(data))
        if isinstance(keep, KeepFramed):  # frames keep them where there are frames
            return len(data) if self.chunked else keep.framed
        if keep is None:
            return len(data)
        return int(keep) if keep >= 0 else max(0, len(data) + keep)
