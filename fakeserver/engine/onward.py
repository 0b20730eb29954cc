"""The end that a release names -> what a stream does instead of the rest of its plan.

It must not know gates or players. The framing is read from the plan's own head, so that a clean end is one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from typing import Literal

from fakeserver.plan.model import Action, End, Plan, Write
from fakeserver.play.gates import Onward

EndName = Literal["reset", "close", "end"]
_HEAD_END = b"\r\n\r\n"


@dataclass(frozen=True, slots=True)
class _Framing:
    chunked: bool
    coded: bool

    @classmethod
    def of(cls, plan: Plan) -> _Framing:
        heads = takewhile(lambda write: write.part == "head", plan.writes())  # the plan may be a long one
        data = b"".join(write.data for write in heads).lower()
        return cls(b"transfer-encoding: chunked" in data, b"content-encoding:" in data)

    def framed(self, data: bytes) -> bytes:
        return b"%x\r\n%b\r\n" % (len(data), data) if self.chunked else data

    @property
    def last(self) -> End:
        return End(0, "end", b"0\r\n\r\n") if self.chunked else End(0, "end", keep_alive=False)


def ended(name: EndName) -> Onward:
    """Straight to that end. Before the head there is nothing that a clean end could end: it closes."""

    def go(plan: Plan, started: bool) -> Iterator[Action]:
        if name == "end" and started:
            yield _Framing.of(plan).last
        else:
            yield End(0, "close" if name == "end" else name)

    return go


def failed(answer: Plan, bare: Plan) -> Onward:
    """As this error, its blanks filled: the answer itself where nothing was said, else an event and a clean end.

    `bare` is the same answer without framing. A compressed body cannot be gone on with, so there the connection closes.
    """
    body = b"".join(write.data for write in bare.writes()).partition(_HEAD_END)[2]
    event = b"data: %b\n\n" % json.dumps(json.loads(body), ensure_ascii=False, separators=(",", ":")).encode()

    def go(plan: Plan, started: bool) -> Iterator[Action]:
        if not started:
            yield from answer
            return
        framing = _Framing.of(plan)
        if not framing.coded:
            yield Write(0, framing.framed(event))
        yield End(0, "close") if framing.coded else framing.last

    return go
