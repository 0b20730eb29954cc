"""Calls that block -> coroutines of the same name and arguments: each runs in a thread while the loop goes on.

Under asyncio that is a thread of its own, a daemon, so that a call that is cancelled holds up neither loop nor end.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial, wraps
from importlib import import_module
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from fakeserver.testing.handles import Clock, Gate
from fakeserver.testing.requests import Request
from fakeserver.testing.session import Session

P = ParamSpec("P")
R = TypeVar("R")
S = TypeVar("S")


class Twin(Generic[S]):
    """Holds the object whose calls it makes awaitable."""

    def __init__(self, sync: S) -> None:
        self._sync = sync


def twin(call: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[Twin[S], P], Coroutine[Any, Any, R]]:
    """The coroutine for one method."""

    @wraps(call)
    async def awaited(self: Twin[S], /, *args: P.args, **kwargs: P.kwargs) -> R:
        method = getattr(self._sync, call.__name__)  # by name: a subclass may have its own
        return await in_thread(partial(method, *args, **kwargs))

    return awaited


async def in_thread(call: Callable[[], R]) -> R:
    """Its result or its exception. Cancelled, it is left alone."""
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:  # no asyncio here, so it is trio
        found: R = await import_module("trio").to_thread.run_sync(call, abandon_on_cancel=True)
        return found
    done: asyncio.Future[R] = loop.create_future()
    threading.Thread(target=_run, args=(call, loop, done), daemon=True).start()
    return await done


def _run(call: Callable[[], R], loop: asyncio.AbstractEventLoop, done: asyncio.Future[R]) -> None:
    try:
        tell = partial(done.set_result, call())
    except BaseException as problem:
        tell = partial(done.set_exception, problem)
    with suppress(RuntimeError):  # the loop has been closed meanwhile
        loop.call_soon_threadsafe(lambda: None if done.done() else tell())


class AsyncGate(Twin[Gate]):
    """See Gate."""

    wait = twin(Gate.wait)
    release = twin(Gate.release)


class AsyncClock(Twin[Clock]):
    """See Clock."""

    manual = twin(Clock.manual)
    wall = twin(Clock.wall)
    advance = twin(Clock.advance)
    wait = twin(Clock.wait)


class AsyncGates(Twin[Session]):
    """`gates["half"]` is the gate of that name."""

    def __getitem__(self, name: str) -> AsyncGate:
        return AsyncGate(self._sync.gates[name])


class AsyncSession(Twin[Session]):
    """A session whose calls are awaited; `await aio.requests()` is its list of requests. See Session."""

    use = twin(Session.use)
    enqueue = twin(Session.enqueue)
    script = twin(Session.script)
    reply = twin(Session.reply)
    speed = twin(Session.speed)
    hold_all = twin(Session.hold_all)
    step = twin(Session.step)
    reset = twin(Session.reset)
    drop = twin(Session.drop)
    lateness = twin(Session.lateness)
    explain = twin(Session.explain)
    verify = twin(Session.verify)
    verdict = twin(Session.verdict)
    assert_well_behaved = twin(Session.assert_well_behaved)
    assert_cancelled = twin(Session.assert_cancelled)
    assert_attempts = twin(Session.assert_attempts)
    assert_no_unmatched = twin(Session.assert_no_unmatched)
    assert_all_consumed = twin(Session.assert_all_consumed)
    assert_on_time = twin(Session.assert_on_time)

    @property
    def gates(self) -> AsyncGates:
        return AsyncGates(self._sync)

    @property
    def clock(self) -> AsyncClock:
        return AsyncClock(self._sync.clock)

    async def requests(self) -> list[Request]:
        return await in_thread(lambda: self._sync.requests)
