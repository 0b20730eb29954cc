"""What holds for one answer -> what it says into silences: an interval and the event's bytes."""

from __future__ import annotations

from fakeserver.plan.blanks import Blanks
from fakeserver.plan.cues import Cue
from fakeserver.plan.draw import Drawer
from fakeserver.plan.events import Writer
from fakeserver.plan.settle import Settled
from fakeserver.script.layers import KeepAlive
from fakeserver.speech.chat import Chat, Talk, envelope


def idle(settled: Settled, drawer: Drawer) -> tuple[int, bytes] | None:
    """Interval in nanoseconds and unframed bytes; None where nothing is said."""
    keepalive = settled.timing.keepalive
    if not isinstance(keepalive, KeepAlive):
        return None
    writer = Writer(settled.wire, Blanks(), settled.entry, settled.shape.keys == "sorted")
    data, _ = writer.encoded(writer.event(_cue(settled, keepalive, drawer)), keepalive)
    return keepalive.every, data


def _cue(settled: Settled, keepalive: KeepAlive, drawer: Drawer) -> Cue:
    if keepalive.has("comment"):
        return Cue("comment", drawer.text(keepalive.comment or ""))
    if keepalive.has("raw"):
        return Cue("raw", drawer.text(keepalive.raw or ""))
    if keepalive.has("event"):
        return Cue("event", drawer.value(keepalive.event))
    if keepalive.has("json_"):
        return Cue("chunk", drawer.value(keepalive.json_))
    around = envelope(drawer.value(settled.envelope), ident="chatcmpl-keepalive", model=drawer.ask.model)
    return Cue("chunk", Chat(settled.shape, around).chunk(Talk(delta=drawer.value(keepalive.delta))))
