"""The coroutines: under asyncio, and under anyio with both of its loops."""

from __future__ import annotations

import asyncio
import functools
import inspect
import threading
import time

import anyio
import pytest

from fakeserver.testing import AsyncSession, FakeServer, Session
from fakeserver.testing.handles import Clock, Gate
from fakeserver.testing.twins import AsyncClock, AsyncGate, in_thread
from tests.testing.asking import ask, said
from tests.testing.test_session import HELD


async def test_a_gate_is_awaited_while_the_loop_goes_on(session):
    aio = session.aio
    await aio.script(HELD)
    asked = asyncio.create_task(asyncio.to_thread(ask, session))
    assert await aio.gates["half"].wait() == 1
    assert not asked.done()
    await aio.gates["half"].release()
    assert said((await asked)[1]) == "Half and half."
    await aio.assert_attempts(1)
    assert [each.ended for each in await aio.verify("script-1")] == ["complete"]
    with pytest.raises(AssertionError, match="was expected to leave"):
        await aio.assert_cancelled(within=0.01)


async def test_a_manual_clock(session):
    aio = session.aio
    await aio.clock.manual()
    await aio.reply("Hi", first=60)
    asked = asyncio.create_task(asyncio.to_thread(ask, session))
    await aio.clock.wait(streams=1)
    await aio.clock.advance(60)
    assert said((await asked)[1]) == "Hi"


async def test_what_is_cancelled_holds_nothing_up(session):
    began = time.monotonic()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.1):
            await session.aio.gates["never"].wait(timeout=30)
    assert time.monotonic() - began < 5


def test_a_loop_that_ends_does_not_wait_for_it(session):
    async def main() -> None:
        task = asyncio.ensure_future(session.aio.gates["never"].wait(timeout=2))
        await asyncio.sleep(0.05)
        task.cancel()

    began = time.monotonic()
    asyncio.run(main())
    assert time.monotonic() - began < 1.5
    session.reset()


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_either_loop(backend):
    async def main() -> str:
        async with FakeServer() as server:
            aio = server.aio
            await aio.script(HELD)
            found: list[str] = []

            async def play() -> None:
                found.append(said((await anyio.to_thread.run_sync(ask, server))[1]))

            async with anyio.create_task_group() as group:
                group.start_soon(play)
                await aio.gates["half"].wait()
                await aio.gates["half"].release()
            return found[0]

    assert anyio.run(main, backend=backend) == "Half and half."


async def test_results_and_errors_come_through():
    assert await in_thread(lambda: threading.current_thread().daemon)
    with pytest.raises(KeyError, match="x"):
        await in_thread(functools.partial({}.__getitem__, "x"))


def _calls(kind: type) -> set[str]:
    return {name for name, value in inspect.getmembers(kind, inspect.isfunction) if not name.startswith("_")}


@pytest.mark.parametrize(("sync", "twin"), [(Session, AsyncSession), (Gate, AsyncGate), (Clock, AsyncClock)])
def test_nothing_lacks_its_twin(sync, twin):
    assert _calls(sync) - {"env"} == _calls(twin) - {"requests"}
    for name in _calls(sync) - {"env"}:
        assert getattr(twin, name).__doc__ == getattr(sync, name).__doc__
