"""A reply -> the steps it stands for, as the dialect's `script` has them. It must not know chunks, events or time.

All that is said is drawn here, so that usage can be counted and `show --steps` prints literal steps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from fakeserver.plan.ask import Ask
from fakeserver.plan.blanks import Blanks
from fakeserver.plan.choice import Choice
from fakeserver.plan.draw import Around, Drawer
from fakeserver.plan.settle import Settled, settle
from fakeserver.plan.totals import Totals
from fakeserver.script.dialect import Manner, Shape
from fakeserver.script.dump import plain_step
from fakeserver.script.library import Library
from fakeserver.script.scenario import ReplyAttempt, ReplyMap, StreamAttempt
from fakeserver.script.steps import Call, DoneStep, Speech
from fakeserver.speech.chat import Chat, Talk

Json = Any


@dataclass(slots=True)
class Line:
    """A step, and what no step can say.

    `null_usage` puts `usage: null` on its chunks, `base` stands in the delta of its finish, `opening` sends it with the
    head, `calls_only` takes the first delta of calls. `opens` and `closes`: a run of reasoning begins and ends with it.
    """

    step: Any
    opening: bool = False
    null_usage: bool = False
    base: dict[str, Json] | None = None
    calls_only: bool = False
    opens: bool = True
    closes: bool = True

    def add(self, **written: Any) -> None:
        """More of the same step."""
        self.step = self.step.model_copy(update=written)


@dataclass(slots=True)
class Said:
    """One choice of a reply with its texts drawn and cut."""

    reply: ReplyMap
    runs: list[tuple[str, list[str]]] = field(default_factory=list)  # think, refuse, say: its pieces
    calls: list[tuple[dict[str, Json], list[Json]]] = field(default_factory=list)  # its keys, its arguments' pieces

    @property
    def calls_only(self) -> bool:
        return bool(self.calls) and not self.runs

    def closing(self, manner: Manner) -> dict[str, Any]:
        """What ends the choice: a finish reason, or an error in place of it and of usage."""
        usual = manner.call_finish if self.calls else "stop"
        reason = self.reply.finish if self.reply.has("finish") else usual
        if not self.reply.has("fail"):
            return {} if reason is None else {"finish": reason}
        beside = {"finish": reason} if self.reply.has("finish") and reason is not None else {}
        return {**beside, "fail": self.reply.fail}


def lines(settled: Settled, reply: Any, drawer: Drawer) -> Iterator[Line]:
    """The steps of a whole reply of one or several choices."""
    manner = settled.manner
    replies = reply if isinstance(reply, tuple) else (reply,)
    # An object shows no pieces, and without edits nothing else sees them: a long text is not cut for nothing.
    uncut = settled.in_one_body(drawer.ask) and not settled.patch
    choices = [_said(each, drawer, uncut) for each in replies]
    totals = Totals(manner, [said.reply for said in choices], settled.tells_usage(drawer.ask), drawer)
    for said in choices:
        totals.count(said.runs, said.calls)
    for opening in manner.opening:
        yield Line(opening, opening=True)
    turns = [list(_choice(i if len(choices) > 1 else None, said, manner, totals)) for i, said in enumerate(choices)]
    for line in _in_turn(turns):
        line.add(**totals.on(line.step))
        line.null_usage = totals.null
        yield line
    own = totals.own()
    if own:
        yield Line(_step(**own))
    failed = any(said.reply.has("fail") for said in choices)
    if all(said.reply.done for said in choices) and manner.done != "never" and not (failed and manner.done != "always"):
        yield Line(DoneStep.model_construct(_fields_set={"done"}))


def _step(**written: Any) -> Speech:
    """A speech step as if a file had written it."""
    return Speech.model_construct(_fields_set=set(written), **written)


def _said(reply: str | ReplyMap, drawer: Drawer, uncut: bool) -> Said:
    written = ReplyMap.model_construct(_fields_set={"say"}, say=reply) if isinstance(reply, str) else reply
    out, so_far = Said(written), ""
    by = "whole" if uncut else written.by
    for channel in ("think", "refuse", "say"):
        pieces = list(_pieces(getattr(written, channel), by, drawer, so_far))
        so_far = "".join(pieces) if channel == "say" else so_far
        if pieces:
            out.runs.append((channel, pieces))
    calls = written.call if isinstance(written.call, tuple) else (written.call,) if written.call else ()
    for call in calls:
        drawn = {name: drawer.value(getattr(call, name), Around(so_far)) for name in call.model_fields_set}
        out.calls.append((drawn, drawer.arguments(drawn.get("arguments", ""), by)))
    return out


def _pieces(value: Any, by: str, drawer: Drawer, so_far: str) -> Iterator[str]:
    """The pieces of a channel; an empty text is no piece, an empty piece that is written is one."""
    if isinstance(value, tuple):
        for each in value:
            piece = drawer.text(each, Around(so_far))
            so_far += piece
            yield piece
    elif value is not None:
        text = drawer.text(value, Around(so_far))
        yield from drawer.pieces(text, by) if text else ()


def _choice(index: int | None, said: Said, manner: Manner, totals: Totals) -> Iterator[Line]:
    """One choice's steps from its role to its finish."""
    where = {} if index is None else {"choice": index}
    steps = list(_body(said, manner, index is not None or totals.every))
    speaks = bool(steps)
    for line in steps:
        line.add(**where)
    if speaks and _carries_role(said, manner):
        steps[0].add(role="assistant")
    else:
        steps.insert(0, Line(_step(role="assistant", **where), calls_only=said.calls_only))
    closing = said.closing(manner)
    closing = {**closing, **totals.at_finish()} if closing else {}
    if closing and speaks and _joins(steps[-1].step, manner, said):
        steps[-1].add(**closing)
    elif closing:
        steps.append(Line(_step(**closing, **where), base=None if said.reply.has("fail") else manner.finish_delta))
    yield from steps


def _carries_role(said: Said, manner: Manner) -> bool:
    """Whether the first thing that is said takes the role with it, as the head of a lone call does."""
    lone = said.calls_only and len(said.calls) == 1 and manner.calls == "fragments"
    return (lone and manner.opening_role == "with-lone-call") or manner.opening_role == "with-text"


def _joins(last: Speech, manner: Manner, said: Said) -> bool:
    """Whether the finish rides on the last thing that is said."""
    if said.reply.has("fail"):
        return False
    return manner.finish == "with-last" or (last.has("call") and manner.calls == "whole-with-finish")


def _body(said: Said, manner: Manner, apart: bool) -> Iterator[Line]:
    """The steps that speak; `apart`: each piece a step of its own."""
    for channel, pieces in said.runs:
        if apart:
            last = len(pieces) - 1
            for i, piece in enumerate(pieces):
                yield Line(_step(**{channel: piece}), opens=i == 0, closes=i == last)
        else:
            yield Line(_step(**{channel: tuple(pieces) if len(pieces) > 1 else pieces[0]}))
    for call, arguments in said.calls:
        if apart and manner.calls == "fragments" and arguments != [None]:
            yield Line(_step(call=_call({key: value for key, value in call.items() if key != "arguments"})))
            yield from (Line(_step(call=_call({"arguments": [piece]}))) for piece in arguments)
        else:
            by = said.reply.by if manner.calls == "fragments" else "whole"
            yield Line(_step(call=_call(call), by=by))


def _call(written: dict[str, Json]) -> Call:
    return Call.model_construct(_fields_set=set(written), **written)


def _in_turn(choices: Iterable[list[Line]]) -> Iterator[Line]:
    """Pieces of several choices take turns: all roles, all first pieces, ..."""
    queues = [list(reversed(lines)) for lines in choices]
    while any(queues):
        for queue in queues:
            if queue:
                yield queue.pop()


def script_of(library: Library, choice: Choice, turn: int, ask: Ask) -> list[Json] | None:
    """The steps that a body stands for, as a `stream` would write them; None for a respond, which has none."""
    settled = settle(library, choice, turn)
    body = settled.body
    if isinstance(body, StreamAttempt):
        return [plain_step(each) for each in body.stream]
    if not isinstance(body, ReplyAttempt):
        return None
    return [_as_step(line, settled.shape) for line in lines(settled, body.reply, Drawer(ask, Blanks()))]


def _as_step(line: Line, shape: Shape) -> Json:
    """A line as a file would write it; what no step can say is said by its options."""
    written = plain_step(line.step)
    if not isinstance(line.step, Speech):
        return written
    edits: dict[str, Json] = {}
    if line.calls_only and not line.step.has("call"):
        [choice] = Chat(shape, {}).chunk(Talk(role=line.step.role, calls_only=True))["choices"]
        edits["delta"] = choice["delta"]
    loud = line.base is not None and shape.silent != "absent"
    if loud:
        edits["delta"] = Chat(shape, {}).chunk(Talk(base=line.base))["choices"][0]["delta"]
    if line.null_usage and not line.step.has("usage") and set(written) != {"fail"}:
        edits["/usage"] = None
    return {**written, **({"delta": line.base} if line.base and not loud else {}), **({"set": edits} if edits else {})}
