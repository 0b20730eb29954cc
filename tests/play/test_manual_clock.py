"""The time that passes when it is told: order, parking, no waiting. No socket."""

from __future__ import annotations

import asyncio

from fakeserver.plan.model import End, Gate, Idle, Write
from fakeserver.play.manual import ManualClock
from tests.play.stand_ins import MS, Show


async def made():
    return ManualClock(asyncio.get_running_loop())


async def test_each_callback_at_its_own_moment_in_order():
    clock, seen = await made(), []
    for due in (30, 10, 20, 10):
        clock.at(due, lambda due=due: seen.append((due, clock.now())))
    assert await clock.advance(20) == 20
    assert seen == [(10, 10), (10, 10), (20, 20)]
    assert clock.waiting == 1
    assert await clock.advance(5) == 25
    assert len(seen) == 3
    await clock.advance(5)
    assert seen[-1] == (30, 30)


async def test_what_is_asked_for_on_the_way_is_done_on_the_way():
    clock, seen = await made(), []

    def tick() -> None:
        seen.append(clock.now())
        clock.at(clock.now() + 10, tick)

    clock.at(10, tick)
    await clock.advance(35)
    assert seen == [10, 20, 30]


async def test_it_returns_once_everyone_is_parked():
    """A callback that goes on in later turns of the loop has gone on before time passes any further."""
    clock, seen = await made(), []

    def slow(turns: int) -> None:
        seen.append(clock.now())
        if turns:
            clock.soon(lambda: slow(turns - 1))
        else:
            clock.at(clock.now() + 5, lambda: seen.append("later"))

    clock.at(10, lambda: slow(20))
    clock.at(12, lambda: seen.append("other"))
    await clock.advance(14)
    assert seen == [*[10] * 21, "other"]
    await clock.advance(1)
    assert seen[-1] == "later"


async def test_two_who_advance_at_once_take_turns():
    clock, seen = await made(), []
    clock.at(15, lambda: seen.append(clock.now()))
    assert await asyncio.gather(clock.advance(10), clock.advance(10)) == [10, 20]
    assert seen == [15]


async def test_what_is_taken_back_never_runs():
    clock, seen = await made(), []
    clock.cancel(clock.at(10, lambda: seen.append(1)))
    assert clock.waiting == 0
    await clock.advance(100)
    assert seen == []


async def test_a_callback_that_fails_leaves_the_clock_at_work():
    clock, told = await made(), []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: told.append(context))
    clock.soon(lambda: 1 // 0)
    assert await asyncio.wait_for(clock.advance(10), 5) == 10
    assert len(told) == 1


async def test_an_hour_of_keepalives_lets_the_loop_in():
    clock, others = await made(), 0

    def tick() -> None:
        clock.at(clock.now() + 1, tick)

    async def other() -> None:
        nonlocal others
        while True:
            others += 1
            await asyncio.sleep(0)

    task = asyncio.create_task(other())
    clock.at(1, tick)
    await clock.advance(10_000)
    task.cancel()
    assert others > 100


async def test_a_player_under_it():
    clock = await made()
    clock.time = 0  # what the stand-in transport notes
    write = Write(10_000 * MS, b"b", events=1)
    show = Show(Write(0, b"a"), write, Gate(10_000 * MS, "g"), Write(5 * MS, b"c"), End(5 * MS, "end"),
                idle=Idle(4_000 * MS, b":"), clock=clock)  # fmt: skip
    show.start()
    await clock.advance(10_000 * MS)
    assert show.bytes == b"ab"
    await clock.advance(9_000 * MS)
    assert show.bytes == b"ab::"
    show.gates.release("g")
    await clock.advance(5 * MS)
    assert show.bytes == b"ab::c"
    assert show.how == "complete"
    assert clock.waiting == 0
