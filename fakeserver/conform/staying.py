"""A command that stays: it is given cases on stdin, a JSON object a line, and answers with outcomes, a line each.

One that has hung on all that it holds, or has ended, is begun anew when the next case comes. It must not know what is
right.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from fakeserver.conform.child import Child
from fakeserver.conform.outcome import object_of
from fakeserver.conform.patience import Patience
from fakeserver.conform.running import KEPT, Ran, understood

_GOODBYE = 1.0  # seconds to end once stdin has ended
_IN_VAIN = 3  # starts in a row without an outcome


class Line:
    """A place at which a process stands, and the cases that it has open. `more`: whether others may follow."""

    def __init__(self, command: Sequence[str], env: Mapping[str, str], more: Callable[[], bool]) -> None:
        self._command, self._env, self._more = command, env, more
        self._coming = 0  # cases that wait for its start
        self._child: Child | None = None
        self._end: asyncio.Future[None] | None = None  # what happens at the child's own end
        self._starting = asyncio.Lock()
        self._open: dict[str, asyncio.Future[Ran]] = {}
        self._stuck: dict[str, asyncio.Event] = {}  # cases that were given up, and who may go on once they are gone
        self._buffer = bytearray()
        self._answered: set[str] = set()
        self.twice: set[str] = set()  # cases that have had a second outcome
        self._stray, self._strays = "", 0  # the last outcome that could be given to no case, and how many there are
        self._in_vain = 0
        self.warm = False  # this process has answered once: it has started

    async def ask(self, name: str, task: Mapping[str, object], patience: Patience) -> Ran:
        """Give it one more case. Raises OSError if it cannot be started."""
        if self._in_vain >= _IN_VAIN:
            return Ran(None, f"it is not started again: it has ended {_IN_VAIN} times without an outcome")
        self._coming += 1
        try:
            child = await self._there()
        finally:
            self._coming -= 1
        answer: asyncio.Future[Ran] = asyncio.get_running_loop().create_future()
        self._open[name] = answer
        child.say(json.dumps(task).encode())
        self.hang_up_after_the_last()
        if await patience.outlasts(answer):
            ran = answer.result()
        else:
            del self._open[name]
            self._stuck[name] = asyncio.Event()
            ran = Ran(None, self._stray, True, child.stderr)
        if self._stuck and not self._open:
            await self.kill()
        return ran

    def hang_up_after_the_last(self) -> None:
        """Its stdin ends where no case will follow: who collects some has all that there are."""
        if self._child is not None and not self._coming and not self._more():
            self._child.hang_up()

    async def free(self, name: str) -> None:
        """Wait until a case that hung holds no place any more: the process has answered it late, or is gone."""
        if name in self._stuck:
            await self._stuck[name].wait()

    async def close(self) -> None:
        """Its stdin ends, and then it should. Until then it may say more."""
        if self._child is not None:
            self._child.hang_up()
            await asyncio.wait({self._child.exited}, timeout=_GOODBYE)
        await self.kill()

    async def kill(self) -> None:
        """The next case begins a new one."""
        child, self._child, self.warm = self._child, None, False
        self._let_go()
        if child is not None:
            await child.end()

    async def _there(self) -> Child:
        async with self._starting:
            if self._child is None:
                self._buffer.clear()
                self.warm, self._stray, self._strays = False, "", 0
                child = await Child.start(self._command, self._env, self._heard, listens=True)
                self._child, self._end = child, asyncio.ensure_future(self._ended(child))
            return self._child

    def _let_go(self) -> None:
        for event in self._stuck.values():
            event.set()
        self._stuck.clear()

    async def _ended(self, child: Child) -> None:
        """Of itself: what it has open will not be answered."""
        await child.over()
        if child is not self._child:
            return
        self._child = None
        await child.end()
        self._in_vain, self.warm = 0 if self.warm else self._in_vain + 1, False
        for name in list(self._open):
            self._answer(name, Ran(None, f"{child.how} before its outcome", stderr=child.stderr))
        self._let_go()

    # What it prints.

    def _heard(self, data: bytes) -> None:
        self._buffer += data
        if b"\n" not in data:
            if len(self._buffer) > KEPT:
                self._buffer.clear()
            return
        *lines, rest = bytes(self._buffer).split(b"\n")
        self._buffer = bytearray(rest)
        for line in lines:
            value = object_of(line)
            if value is not None:  # other lines are its own affair
                self._take(value)

    def _take(self, value: dict[str, Any]) -> None:
        name, self.warm, self._in_vain = value.get("case"), True, 0
        if isinstance(name, str) and name in self._open:
            self._answered.add(name)
            self._answer(name, understood(value, "", self._child.stderr if self._child else ""))
        elif isinstance(name, str) and name in self._stuck:
            self._stuck.pop(name).set()
        elif isinstance(name, str) and name in self._answered:
            self.twice.add(name)
        else:
            self._stray, self._strays = _astray(value), self._strays + 1
        self._give_strays()

    def _give_strays(self) -> None:
        """Outcomes of no case that it has are of those that it has: plainly, once they are as many."""
        if not self._open:
            self._strays = 0
        if not self._strays or self._strays < len(self._open) + len(self._stuck):
            return
        self._strays = 0
        for name in list(self._open):
            self._answer(name, Ran(None, self._stray, stderr=self._child.stderr if self._child else ""))

    def _answer(self, name: str, ran: Ran) -> None:
        answer = self._open.pop(name)
        if not answer.done():
            answer.set_result(ran)


def _astray(value: Mapping[str, Any]) -> str:
    if "case" not in value:
        return "it printed an outcome without its case: with --stay each has the case that came with the question"
    return f"it printed an outcome of the case {json.dumps(value['case'])[:200]}, which it does not have"
