"""Answers of one body: what `respond` says, and the object that stands for a whole stream when none was asked for."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from fakeserver.plan import heads
from fakeserver.plan.ask import Ask
from fakeserver.plan.blanks import Blanks
from fakeserver.plan.breaks import share
from fakeserver.plan.cues import Cue
from fakeserver.plan.draw import Drawer
from fakeserver.plan.jsontext import dumps
from fakeserver.plan.ledger import Ledger
from fakeserver.plan.model import Hole
from fakeserver.plan.settle import Settled, over
from fakeserver.plan.times import Timed
from fakeserver.script import steps as s
from fakeserver.script.dialect import ErrorAnswer
from fakeserver.script.problems import near
from fakeserver.script.scenario import Respond, RespondAttempt, StreamAttempt
from fakeserver.speech.accumulator import read
from fakeserver.speech.chat import CREATED
from fakeserver.speech.completion import completion
from fakeserver.speech.reading import Received

_BELOW_CHUNKS = s.RawStep | s.SocketStep | s.EventStep | s.JsonStep


@dataclass(slots=True)
class OneBody:
    """A body, what holds for its head, and its pieces in time."""

    settled: Settled
    content_type: str
    data: bytes
    holes: tuple[Hole, ...]
    gates: tuple[str, ...] = ()

    def timed(self, ledger: Ledger) -> Iterator[Timed]:
        timing = self.settled.timing
        due = timing.head
        for gate in self.gates:
            yield Timed("gate", due, name=gate)
            due = 0
        due = due if self.gates else due + timing.first
        kept, end = share(self.settled, self.data)
        data = self.data if kept is None else self.data[:kept]
        holes = tuple(h for h in self.holes if h.at + h.stop - h.start <= len(data))
        if data:
            yield Timed("body", due, data, holes, events=1, marks_end=kept is None)
        yield Timed("end", due, name=end)


def one_body(settled: Settled, ask: Ask, blanks: Blanks, cues: Callable[[], Iterator[Cue]]) -> OneBody:
    """The body of a `respond`, or the object that a correct client would have put together from the stream."""
    drawer = Drawer(ask, blanks)
    if isinstance(settled.body, RespondAttempt):
        return _responded(settled, settled.body, drawer)
    hidden = _beyond_an_object(settled)
    if hidden:
        return _as_error(settled, drawer, "bad-request", f"The scenario '{settled.entry.name}' {hidden}, so it has no "
                         "answer without streaming: ask with stream: true, or give it form: sse.")  # fmt: skip
    return _whole(settled, drawer, list(cues()))


def _responded(settled: Settled, body: RespondAttempt, drawer: Drawer) -> OneBody:
    said = Respond.model_validate({"error": body.respond}) if isinstance(body.respond, str) else body.respond
    answer = ErrorAnswer.model_validate({})
    if said.error is not None:
        if said.error not in settled.errors:
            raise settled.entry.broken(body.respond if isinstance(body.respond, Respond) else settled.entry.body, "unknown-error",
                                       f"unknown error '{said.error}'", near(said.error, settled.errors),
                                       "error" if isinstance(body.respond, Respond) else "respond")  # fmt: skip
        answer = settled.errors[said.error]
    own = ErrorAnswer.model_construct(
        _fields_set={n for n in ("status", "headers", "json_", "text") if said.has(n)},
        status=said.status, headers=said.headers, json_=said.json_, text=said.text,
    )  # fmt: skip
    headers = {**answer.headers, **said.headers}
    merged = over(answer, own).model_copy(update={"headers": headers})
    text = own.text if own.has("text") else None if own.has("json_") else merged.text
    return _body(settled, drawer, merged, text, said.reason)


def _body(
    settled: Settled, drawer: Drawer, answer: ErrorAnswer, text: str | None, reason: str | None = None
) -> OneBody:
    """An answer over the head that holds: its status, reason and headers win key by key."""
    status = answer.status or settled.head.status
    headers = {**settled.head.headers, **answer.headers}
    head = settled.head.model_copy(
        update={"status": status, "reason": reason or settled.head.reason, "headers": headers}
    )
    if text is not None:
        content_type, body = "text/plain; charset=utf-8", text
    elif answer.has("json_"):
        content_type, body = heads.JSON, pretty(drawer.value(answer.json_), settled)
    else:
        content_type, body = "text/plain; charset=utf-8", ""
    data, holes = drawer.blanks.opened(body.encode("utf-8", "surrogatepass"))
    return OneBody(replace(settled, head=head), content_type, data, holes)


def pretty(value: Any, settled: Settled) -> str:
    """JSON as the API sends it where it does not stream: two spaces deep; `wire.indent` gives another depth, 0 none."""
    indent = settled.wire.indent if isinstance(settled.wire.indent, int) else 2
    return dumps(value, indent or None, settled.wire.escape == "ascii")


def _as_error(settled: Settled, drawer: Drawer, name: str, message: str) -> OneBody:
    answer = settled.errors[name]
    error = {**answer.json_["error"], "message": message}
    return _body(settled, drawer, answer.model_copy(update={"json_": {"error": error}}), None)


def _beyond_an_object(settled: Settled) -> str:
    """Why a stream has no object that could stand for it."""
    body = settled.body
    if not isinstance(body, StreamAttempt):
        return ""
    steps = list(_flat(body.stream))
    low = next((step for step in steps if isinstance(step, _BELOW_CHUNKS)), None)
    if low is not None:
        return f"scripts below the chunk ({low.VERBS[0]})"
    option = next((o for step in steps for o in ("keep", "cut", "fields") if getattr(step, o, None) is not None), None)
    if option is not None:
        return f"scripts below the chunk ({option})"
    if not any(getattr(step, "finish", None) or getattr(step, "fail", None) for step in steps):
        chunks = any(isinstance(step, s.ChunkStep) for step in steps)
        return "" if chunks else "has no finish reason"
    return ""


def _flat(steps: Any) -> Iterator[Any]:
    for step in steps:
        inner = getattr(step, "repeat", None) or getattr(step, "together", None)
        if inner:
            yield from _flat(inner)
        else:
            yield step


def _whole(settled: Settled, drawer: Drawer, cues: list[Cue]) -> OneBody:
    lines = [f"data: {json.dumps(cue.value, ensure_ascii=True)}\n\n" for cue in cues if cue.kind == "chunk"]
    if any(cue.kind == "done" for cue in cues):
        lines.append("data: [DONE]\n\n")
    reading = read(Received(200, "text/event-stream", "".join(lines).encode()))
    gates = tuple(cue.value for cue in cues if cue.kind == "gate")
    if reading.outcome == "failed":
        error = next((dict(choice.error) for choice in reading.choices if choice.error), {"message": "failed"})
        answer = ErrorAnswer.model_validate({"status": 500, "json": {"error": error}})
    else:
        envelope = drawer.value(settled.envelope)
        made = completion(reading, id=envelope.get("id", drawer.blanks.ident()), created=envelope.get("created", CREATED),
                          model=envelope.get("model", drawer.ask.model), envelope=envelope)  # fmt: skip
        answer = ErrorAnswer.model_construct(_fields_set={"json_"}, json_=made, headers={}, status=None, text=None)
    out = _body(settled, drawer, answer, None)
    return replace(out, gates=gates)
