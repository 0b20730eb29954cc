"""What holds for one answer -> what it says into silences: an interval and the event's bytes."""

from __future__ import annotations

from fakeserver.plan.cues import Cue
from fakeserver.plan.draw import Drawer
from fakeserver.plan.events import Writer
from fakeserver.plan.model import Idle
from fakeserver.plan.settle import Settled
from fakeserver.script.layers import KeepAlive
from fakeserver.speech.chat import Chat, Talk, envelope


def idle(settled: Settled, drawer: Drawer) -> Idle | None:
    """Interval and unframed bytes; None where nothing is said."""
    keepalive = settled.timing.keepalive
    if not isinstance(keepalive, KeepAlive):
        return None
    writer = Writer(settled.wire, drawer.blanks, settled.entry, settled.shape.keys)
    data, holes = writer.encoded(writer.event(_cue(settled, keepalive, drawer)), keepalive)
    return Idle(keepalive.every, data, holes)


def _cue(settled: Settled, keepalive: KeepAlive, drawer: Drawer) -> Cue:
    if keepalive.comment is not None:
        return Cue("comment", drawer.text(keepalive.comment))
    if keepalive.raw is not None:
        return Cue("raw", drawer.text(keepalive.raw))
    if keepalive.event is not None:
        return Cue("event", drawer.value(keepalive.event))
    if keepalive.has("json_"):
        return Cue("chunk", drawer.value(keepalive.json_))
    around = envelope(
        drawer.value(settled.envelope), ident=drawer.blanks.ident(settled.shape.id), model=drawer.ask.model
    )
    return Cue("chunk", Chat(settled.shape, around).chunk(Talk(delta=drawer.value(keepalive.delta))))
