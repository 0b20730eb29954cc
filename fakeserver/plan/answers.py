"""Answers of one body: what `respond` says, and the object that stands for a whole stream when none was asked for."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from fakeserver.plan import heads
from fakeserver.plan.ask import Ask
from fakeserver.plan.blanks import Blanks, part
from fakeserver.plan.breaks import share
from fakeserver.plan.cues import Cue
from fakeserver.plan.draw import Drawer
from fakeserver.plan.events import Writer
from fakeserver.plan.ledger import Ledger
from fakeserver.plan.model import Hole
from fakeserver.plan.settle import Settled, answer_over, headers_over
from fakeserver.plan.times import Timed
from fakeserver.script import steps as s
from fakeserver.script.dialect import ErrorAnswer
from fakeserver.script.problems import near
from fakeserver.script.scenario import Respond, RespondAttempt, StreamAttempt
from fakeserver.speech.accumulator import read
from fakeserver.speech.chat import CREATED
from fakeserver.speech.completion import completion
from fakeserver.speech.reading import Reading, Received

_BELOW_CHUNKS = s.RawStep | s.SocketStep | s.EventStep | s.JsonStep
TEXT = "text/plain; charset=utf-8"


@dataclass(slots=True)
class OneBody:
    """A body, what holds for its head, what holds it back, and its end."""

    settled: Settled
    content_type: str
    data: bytes
    holes: tuple[Hole, ...]
    gates: tuple[str, ...] = ()
    end: str = "end"

    def timed(self, ledger: Ledger) -> Iterator[Timed]:
        """At head + `first`, or as soon as its gates let it go."""
        timing = self.settled.timing
        due = timing.head
        for gate in self.gates:
            yield Timed("gate", due, name=gate)
            due = 0
        due = due if self.gates else due + timing.first
        size, end = share(self.settled, len(self.data), self.end)
        data, whole = self.data[:size], size >= len(self.data)
        if data:
            yield Timed("body", due, data, part(self.holes, 0, size), events=1, whole=whole, marks_end=whole)
        yield Timed("end", due, name=end)


def one_body(settled: Settled, ask: Ask, blanks: Blanks, cues: Callable[[], Iterator[Cue]]) -> OneBody:
    """The body of a `respond`, or the object that a correct client would have put together from the stream."""
    drawer = Drawer(ask, blanks)
    if isinstance(settled.body, RespondAttempt):
        return _responded(settled, settled.body, drawer)
    low = _below_chunks(settled)
    if low:
        return _refused(settled, drawer, f"scripts below the chunk ({low})")
    return _whole(settled, drawer, list(cues()))


def _responded(settled: Settled, body: RespondAttempt, drawer: Drawer) -> OneBody:
    said = Respond.model_validate({"error": body.respond}) if isinstance(body.respond, str) else body.respond
    answer = ErrorAnswer()
    if said.error is not None:
        if said.error not in settled.errors:
            place = ("respond",) if isinstance(body.respond, str) else ("respond", "error")
            raise settled.entry.broken(body, "unknown-error", f"unknown error '{said.error}'",
                                       near(said.error, settled.errors), *place)  # fmt: skip
        answer = settled.errors[said.error]
    own = {name: getattr(said, name) for name in ("status", "headers", "json_", "text") if said.has(name)}
    return _body(settled, drawer, answer_over(answer, ErrorAnswer.model_construct(set(own), **own)), said.reason)


def _body(settled: Settled, drawer: Drawer, answer: ErrorAnswer, reason: str | None = None) -> OneBody:
    """An answer over the head that holds: its status, reason and headers win key by key."""
    head = settled.head.model_copy(
        update={
            "status": answer.status or settled.head.status,
            "reason": settled.head.reason if reason is None else reason,
            "headers": headers_over(settled.head.headers, answer.headers),
        }
    )
    writer = _writer(settled, drawer)
    is_json = answer.has("json_")
    text = writer.dump(drawer.value(answer.json_)) if is_json else answer.text or ""
    data, holes = writer.encoded(text, settled.body)
    return OneBody(replace(settled, head=head), heads.JSON if is_json else TEXT, data, holes)


def _writer(settled: Settled, drawer: Drawer) -> Writer:
    """JSON as the API sends it where it does not stream: two spaces deep; `wire.indent` gives another depth, 0 none."""
    depth = settled.wire.indent if isinstance(settled.wire.indent, int) else 2
    return Writer(settled.wire.model_copy(update={"indent": depth}), drawer.blanks, settled.entry)


def _refused(settled: Settled, drawer: Drawer, why: str) -> OneBody:
    """The 400 for a stream that no object can stand for."""
    message = (
        f"The scenario '{settled.entry.name}' {why}, so it has no answer without streaming: ask with stream: true, "
    )
    error = {"message": f"{message}or give it form: sse.", "type": "invalid_request_error", "param": None, "code": None}
    return _body(settled, drawer, ErrorAnswer.model_validate({"status": 400, "json": {"error": error}}))


def _below_chunks(settled: Settled) -> str:
    """The first verb or option of a stream that no object could tell."""
    body = settled.body
    for step in _flat(body.stream) if isinstance(body, StreamAttempt) else ():
        if isinstance(step, _BELOW_CHUNKS):
            return str(step.VERBS[0])
        for option in ("keep", "cut", "fields"):
            if getattr(step, option, None) is not None:
                return option
    return ""


def _flat(steps: tuple[Any, ...]) -> Iterator[Any]:
    for step in steps:
        inner = getattr(step, "repeat", None) or getattr(step, "together", None)
        yield from _flat(inner) if inner else (step,)


def _whole(settled: Settled, drawer: Drawer, cues: list[Cue]) -> OneBody:
    reading = read(Received(200, heads.SSE, _as_events(cues)))
    if reading.outcome == "failed":
        body = _body(settled, drawer, ErrorAnswer.model_validate({"status": 500, "json": {"error": _error(reading)}}))
    elif isinstance(settled.body, StreamAttempt) and any(choice.finish_reason is None for choice in reading.choices):
        return _refused(settled, drawer, "has no finish reason")
    else:
        envelope = drawer.value(settled.envelope)
        made = completion(
            reading,
            id=envelope.get("id", drawer.blanks.ident(settled.shape.id)),
            created=envelope.get("created", CREATED),
            model=envelope.get("model", drawer.ask.model),
            envelope=envelope,
        )
        answer = ErrorAnswer.model_construct({"json_"}, json_=made, headers={}, status=None, text=None)
        body = _body(settled, drawer, answer)
    gates = tuple(cue.value for cue in cues if cue.kind == "gate")
    return replace(body, gates=gates, end=cues[-1].value)


def _as_events(cues: list[Cue]) -> bytes:
    """The chunks as the plainest stream; ASCII, so that half a surrogate pair passes."""
    said = [json.dumps(cue.value) if cue.kind == "chunk" else "[DONE]" for cue in cues if cue.kind in ("chunk", "done")]
    return "".join(f"data: {text}\n\n" for text in said).encode()


def _error(reading: Reading) -> dict[str, Any]:
    return next((dict(choice.error) for choice in reading.choices if choice.error), {"message": "failed"})
