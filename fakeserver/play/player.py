"""A Plan's actions -> calls of a transport, each at its moment: a pump of callbacks, with no coroutine a stream.

It runs until it must wait; the clock, a gate or the transport's resumption calls it again, and `over` is called once at
the end. Every moment counts from an epoch (the request was read; a gate was released), so a late write moves no later
one. It knows asyncio's transport and nothing of HTTP: the plan's bytes are all that it ever writes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import Any

from fakeserver.plan.model import Action, Burst, End, Gate, Plan, Write
from fakeserver.play import ending
from fakeserver.play.clock import Ticket
from fakeserver.play.ending import Delivery, Reach
from fakeserver.play.gates import Onward
from fakeserver.play.notes import Ending, How, Left
from fakeserver.play.out import Out
from fakeserver.play.stage import Stage

Change = Callable[[Action | None, Iterator[Action], bool], Iterator[Action]]

LOCKSTEP_LIMIT = 1.0  # seconds for the peer to read a piece; a stalled reader would cost them for each byte
LOCKSTEP_GAP = 1_000_000  # between pieces, once the peer's reads cannot be followed
HAND_LIMIT = 1.0  # seconds for the peer to get all before a reset by hand: who asks for it wants it now
SLICE = 64  # writes in one turn of the loop: more cost timed streams their moments, fewer cost throughput
_marks = attrgetter("marks_end")
CHECK = 16  # writes between two looks at what else is due (p99 of timed streams under a flood: 9 ms -> 0.13 ms)


class Player:
    """Plays one plan once. `start`, then the connection tells it of `pause`, `resume`, `left` and `stop`."""

    def __init__(
        self,
        plan: Plan,
        values: Sequence[bytes],
        stage: Stage,
        epoch: int,
        over: Callable[[bool], None],
        paused: bool = False,
    ) -> None:
        self._stage, self._clock, self._notes = stage, stage.clock, stage.notes
        self._out = Out(stage.transport, values)
        self._write_out, self._closing = self._out.write, stage.transport.is_closing
        self._speed = stage.speed
        self._plan = plan
        self._actions = iter(plan) if stage.speed is not None else _without_idle(iter(plan))
        self._values = values
        self._idle = plan.idle.filled(values) if plan.idle and stage.speed is not None else None
        self._origin = self._epoch = self._last = epoch
        self._tell = over
        self._paused = paused
        self._blocked: int | None = None  # since when it would go on but for the pause
        self._action: Action | None = None
        self._index = 0  # of the next write in a burst
        self._left = 0  # writes that this turn may still make
        self._ticket: Ticket | None = None
        self._gate: str | None = None
        self._delivery: Delivery | None = None
        self._started = self._marked = self._hung = self._over = False
        self._lockstep = True  # until the kernel cannot tell, or the peer does not read in time
        self._read = True  # the peer's application has everything that was written
        self._wrote_at = epoch
        self._inside = False  # of an event, between two pieces in lockstep
        self._events = 0  # as of the last of these
        self._by_hand = False  # its end is not the plan's
        self._spin, self._sndbuf = plan.spin, plan.sndbuf
        self._base = stage.sent_so_far()

    @property
    def over(self) -> bool:
        return self._over

    @property
    def started(self) -> bool:
        """Whether a byte of the answer has been written."""
        return self._started

    def start(self) -> None:
        if self._sndbuf is not None:
            ending.send_buffer(self._stage.transport, self._sndbuf)
        self._next()
        self._run()

    def pause(self) -> None:
        """The transport's buffer is full: nothing more is written until it has room."""
        self._paused = True

    def resume(self) -> None:
        self._paused = False
        if self._blocked is not None:
            self._notes.waited(self._clock.now() - self._blocked)
            self._blocked = None
            self._clock.soon(self._run)  # not from inside the transport's own write

    def left(self, by: Left) -> None:
        """The peer has gone. After the end marker, or after the last scripted byte, it has missed nothing."""
        missed = not (self._marked or (isinstance(self._action, End) and not self._hung))
        self._conclude("gone" if missed else "complete", by=by)

    def stop(self, why: str = "") -> None:
        """The server stops, or the session to which this belongs."""
        self._conclude("stopped", detail=why)

    def fail(self, problem: BaseException | None) -> None:
        """A failure of ours. A half answer cannot be mended: a RST keeps it from being taken for a whole one."""
        self._conclude("broken", detail=f"{type(problem).__name__}: {problem}")
        ending.reset(self._stage.transport)

    # By hand.

    @property
    def gate(self) -> str | None:
        """The gate at which it waits."""
        return self._gate

    def let_go(self) -> None:
        """It alone passes the gate at which it waits."""
        if self._gate is not None:
            self._stage.gates.forget(self._gate, self._released)
            self._released(None)

    def amend(self, change: Change) -> None:
        """What is yet to come becomes something else.

        `change` is given what was taken and not played, the rest, and whether an event is only in part out.
        """
        action = self._action
        if self._over or (isinstance(action, End) and (self._hung or self._delivery is not None)):
            return  # nothing is yet to come
        if action is None or self._gate is not None:
            self._actions = change(None, self._actions, False)
            return
        inside = isinstance(action, Write) and (action.gap > 0 or (action.lockstep and self._inside))
        if isinstance(action, Burst):
            action = Burst(action.due, action.writes[self._index :])
        waits = self._ticket is not None  # else it is called anyway: by the loop, its reader, or the transport
        self._cancel_ticket()
        self._actions = change(action, self._actions, inside)
        self._next()
        if waits:
            self._run()

    def leave(self, onward: Onward) -> None:
        """Go on with this now, wherever it is: as behind a gate."""
        if self._over:
            return
        waiting = (self._ticket, self._gate, self._delivery, self._blocked)
        waits = self._hung or any(each is not None for each in waiting)  # else it is called anyway
        self._by_hand = True
        if self._gate is not None:
            self._stage.gates.forget(self._gate, self._released)
        if self._delivery is not None:
            self._delivery.cancel()
        if self._blocked is not None:
            self._notes.waited(self._clock.now() - self._blocked)
        self._gate = self._delivery = self._blocked = None
        self._paused = self._hung = False
        self._pass(self._clock.now(), onward)
        if waits:
            self._run()

    # The pump.

    def _run(self) -> None:
        self._ticket = None
        self._left = SLICE
        self._out.look()
        while not self._over and self._action is not None and not self._closing():
            now = self._clock.now()
            if self._paused:
                self._blocked = now
                return
            due = self._moment(self._action, now)
            if due > now:
                self._ticket = self._clock.at(due, self._run, self._spin)
                return
            if not _DO[type(self._action)](self, self._action, due, now):
                return

    def _moment(self, action: Action, now: int) -> int:
        due = self._scripted(action, now)
        if self._lockstep or not (isinstance(action, Write) and action.lockstep):
            return due
        return max(due, self._wrote_at + (action.gap or LOCKSTEP_GAP))

    def _scripted(self, action: Action, now: int) -> int:
        if self._speed is None:
            return self._last + action.gap if isinstance(action, Write) and action.gap else now
        return self._epoch + (action.due if self._speed == 1.0 else int(action.due / self._speed))

    def _next(self) -> None:
        """Take the next action from the plan."""
        self._index = 0
        try:
            self._action = next(self._actions)
        except StopIteration:
            self._action = End(0, "close")  # not a plan that the compiler makes
        except Exception as problem:  # a long plan is made while it is played, and must not take others with it
            self.fail(problem)

    def _write(self, write: Write, due: int, now: int) -> bool:
        locked = write.lockstep and self._lockstep
        if locked and not self._read:
            return self._until_read()  # what went before must not be read together with this
        data = write.said(self._values)
        self._write_out(data)
        self._wrote(due, now, 1, len(data), write.events, write.marks_end)
        if locked:
            self._inside, self._events = write.events <= self._events, write.events
        self._next()
        return self._until_read() if locked else self._breathe(1)

    def _until_read(self) -> bool:
        """Go on when the peer's application has read all there is: its next read sees the next piece alone."""
        look = partial(ending.reach, self._stage.transport, self._stage.peer)
        self._delivery = Delivery(look, self._was_read, asyncio.get_running_loop(), LOCKSTEP_LIMIT)
        self._delivery.begin()
        return False

    def _was_read(self, reach: Reach) -> None:
        self._delivery = None
        self._read = reach == "read"
        if not self._read:
            self._lockstep = False
            self._notes.unlocked(reach)
        self._run()

    def _burst(self, burst: Burst, due: int, now: int) -> bool:
        """As many of the burst's writes as this turn allows, and a look at the clock between them."""
        start = index = self._index
        stop, size = min(start + self._left, len(burst.writes)), 0
        while index < stop:
            done, more = self._out.burst(burst, index, min(index + CHECK, stop))
            index, size = index + done, size + more
            self._clock.run_due()
            if self._paused or self._closing():  # asyncio warns of writes to a transport that has failed
                break
        self._index, done = index, index - start
        written = burst.writes[start:index]
        self._wrote(due, now, done, size, written[-1].events, any(map(_marks, written)))
        if index == len(burst.writes):
            self._next()
        return self._breathe(done)

    def _wrote(self, due: int, now: int, writes: int, size: int, events: int, marks: bool) -> None:
        self._started = True
        self._last = now if self._speed is None else due
        self._wrote_at, self._read = now, False
        self._marked = self._marked or marks
        self._notes.wrote(due - self._origin, now - self._origin, writes, size, events, marks)

    def _breathe(self, writes: int) -> bool:
        """Let the clock and, after a slice, the loop go before us. False: the loop calls again."""
        before, self._left = self._left, self._left - writes
        if self._left <= 0:
            self._clock.soon(self._run)
            return False
        if before // CHECK != self._left // CHECK:
            self._clock.run_due()
        return True

    # Gates and silences.

    def _wait_at(self, gate: Gate, due: int, now: int) -> bool:
        self._notes.reached(gate.name, now - self._origin)
        let = self._stage.gates.arrive(gate.name, self._released)
        if let is not None:
            self._notes.passed(gate.name, now - self._origin)
            self._pass(now, let.onward)
            return True
        self._gate = gate.name
        self._listen(self._last)
        return False

    def _released(self, onward: Onward | None) -> None:
        now = self._clock.now()
        if self._gate is not None:
            self._notes.passed(self._gate, now - self._origin)
        self._gate = None
        self._pass(now, onward)
        self._run()

    def _pass(self, now: int, onward: Onward | None) -> None:
        self._cancel_ticket()
        self._epoch = self._last = now
        if onward is not None:
            self._actions = iter(onward(self._plan, self._started))
        self._next()

    def _listen(self, since: int) -> None:
        """Say the keep-alive `every` after `since`, for as long as nothing else is said. Before the head, silence."""
        if self._idle is not None and self._started:
            due = since + int(self._idle.every / (self._speed or 1.0))
            self._ticket = self._clock.at(due, partial(self._say, due))

    def _say(self, due: int) -> None:
        if self._closing():
            return
        self._out.look()
        if self._idle is not None and not self._paused:  # a reader that is stalled must not find a hundred of them
            self._write_out(self._idle.data)
            self._notes.idled(self._clock.now() - self._origin, len(self._idle.data))
        self._listen(due)

    # Ends.

    def _end(self, end: End, due: int, now: int) -> bool:
        if end.kind == "end":
            self._finish(end, due, now)
        elif end.kind == "close":
            self._conclude("ended")
            ending.fin(self._stage.transport)
        elif end.kind == "reset-now":
            self._conclude("ended")
            ending.reset(self._stage.transport)
        elif end.kind == "reset":
            look = partial(ending.reach, self._stage.transport, self._stage.peer)
            patience = HAND_LIMIT if self._by_hand else None
            self._delivery = Delivery(look, self._delivered, asyncio.get_running_loop(), patience)
            self._delivery.poll()
        else:
            self._hung = True
            self._listen(self._last)
        return False

    def _finish(self, end: End, due: int, now: int) -> None:
        if end.data:
            self._write_out(end.data)
            self._wrote(due, now, 1, len(end.data), 0, False)
        self._conclude("complete", keep_alive=end.keep_alive)
        if not end.keep_alive:
            ending.fin(self._stage.transport)

    def _delivered(self, reach: Reach) -> None:
        self._conclude("ended", detail=reach)
        ending.reset(self._stage.transport)

    def _conclude(self, how: How, *, by: Left = "", detail: str = "", keep_alive: bool = False) -> None:
        if self._over:
            return
        self._over = True
        self._cancel_ticket()
        if self._gate is not None:
            self._stage.gates.forget(self._gate, self._released)
        if self._delivery is not None:
            self._delivery.cancel()
        kind = self._action.kind if isinstance(self._action, End) else None
        at = self._clock.now() - self._origin
        if self._by_hand and how in ("complete", "ended"):
            detail = "by hand"
        self._notes.ended(Ending(how, at, kind, by, self._confirmed() if by else None, detail))
        self._tell(keep_alive)

    def _confirmed(self) -> int | None:
        acked = self._stage.peer.acked()
        return None if acked is None or self._base is None else max(0, acked - self._base)

    def _cancel_ticket(self) -> None:
        if self._ticket is not None:
            self._clock.cancel(self._ticket)
            self._ticket = None


_DO: dict[type, Callable[[Player, Any, int, int], bool]] = {
    Write: Player._write,
    Burst: Player._burst,
    Gate: Player._wait_at,
    End: Player._end,
}


def _without_idle(actions: Iterator[Action]) -> Iterator[Action]:
    """The actions with no keep-alive among them: where nothing waits there are no silences to say them into."""
    for action in actions:
        if isinstance(action, Burst):
            kept = tuple(write for write in action.writes if write.part != "idle")
            if kept:
                yield replace(action, writes=kept)
        elif not (isinstance(action, Write) and action.part == "idle"):
            yield action
