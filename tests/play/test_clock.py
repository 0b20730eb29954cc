"""The scheduler: order, cancelling, early timers. Real timers are only asked whether they fire at all."""

from __future__ import annotations

import asyncio
import os
import time

import pytest

from fakeserver.play import timer
from fakeserver.play.clock import Schedule, WallClock
from fakeserver.play.timer import FdTimer, LoopTimer, best_timer

MS = 1_000_000
linux = pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="timerfd is Linux's")


class HandTimer:
    """A timer that fires when the test says so."""

    def __init__(self, wake):
        self.wake, self.armed = wake, []

    def arm(self, due):
        self.armed.append(due)

    def close(self):
        self.armed.append(None)


@pytest.fixture
def clock(monkeypatch):
    """A wall clock whose time and timer are the test's."""
    made = []
    monkeypatch.setattr(
        "fakeserver.play.clock.best_timer", lambda loop, wake, now: made.append(HandTimer(wake)) or made[0]
    )
    clock = WallClock(None)
    clock.time = 0
    clock.now = lambda: clock.time
    clock.hand = made[0]
    return clock


def test_order_is_by_moment_then_by_sequence():
    schedule, ran = Schedule(), []
    for due, name in ((2, "c"), (1, "a"), (1, "b"), (3, "d")):
        schedule.add(due, lambda name=name: ran.append(name))
    while call := schedule.pop_due(2):
        call()
    assert ran == ["a", "b", "c"]
    assert schedule.next_due == 3


def test_cancelled_callbacks_do_not_run_and_are_not_kept():
    schedule = Schedule()
    tickets = [schedule.add(10**12 + n, lambda: None) for n in range(1000)]
    for ticket in tickets[:-1]:
        schedule.cancel(ticket)
        schedule.cancel(ticket)
    assert len(schedule) == 1
    assert len(schedule._heap) < 200
    assert schedule.pop_due(10**13) is not None
    assert schedule.pop_due(10**13) is None
    assert len(schedule) == 0


def test_a_ticket_that_has_run_can_be_cancelled():
    schedule = Schedule()
    ticket = schedule.add(1, lambda: None)
    schedule.pop_due(1)
    schedule.cancel(ticket)
    assert len(schedule) == 0


def test_the_timer_is_armed_for_the_earliest_moment(clock):
    clock.at(30, lambda: None)
    clock.at(50, lambda: None)
    clock.at(20, lambda: None)
    assert clock.hand.armed == [30, 20]


def test_a_timer_that_fires_early_is_armed_again(clock):
    ran = []
    clock.at(30, lambda: ran.append(clock.time))
    clock.time = 29
    clock.hand.wake()
    assert ran == []
    assert clock.hand.armed == [30, 30]
    clock.time = 30
    clock.hand.wake()
    assert ran == [30]


def test_what_is_due_runs_and_the_rest_is_armed(clock):
    ran = []
    for due in (10, 20, 30):
        clock.at(due, lambda due=due: ran.append(due))
    clock.time = 25
    clock.hand.wake()
    assert ran == [10, 20]
    assert clock.hand.armed[-1] == 30


def test_a_callback_that_asks_from_inside_does_not_nest(clock):
    depth, deepest = 0, 0

    def call():
        nonlocal depth, deepest
        depth += 1
        deepest = max(deepest, depth)
        clock.run_due()
        depth -= 1

    for _ in range(50):
        clock.at(5, call)
    clock.time = 5
    clock.run_due()
    assert deepest == 1
    assert len(clock._schedule) == 0


def test_a_callback_that_fails_does_not_strand_the_others(clock):
    ran = []
    clock.at(5, lambda: 1 / 0)
    clock.at(6, lambda: ran.append("next"))
    clock.time = 6
    with pytest.raises(ZeroDivisionError):
        clock.run_due()
    assert clock.hand.armed[-1] == 6
    clock.hand.wake()
    assert ran == ["next"]


async def test_real_moments_come_in_order_and_never_early():
    clock = WallClock(asyncio.get_running_loop())
    begin, ran, done = clock.now(), [], asyncio.Event()
    for length in (30, 10, 20, 0):
        due = begin + length * MS
        clock.at(due, lambda due=due: ran.append((due, clock.now())))
    clock.at(begin + 40 * MS, done.set)
    await asyncio.wait_for(done.wait(), 5)
    clock.close()
    assert [due for due, _ in ran] == [begin + length * MS for length in (0, 10, 20, 30)]
    assert all(now >= due for due, now in ran)


@pytest.mark.parametrize("kind", [pytest.param(FdTimer, marks=linux), LoopTimer])
async def test_each_timer_fires_once_for_the_moment_armed_last(kind):
    woken, loop = asyncio.Event(), asyncio.get_running_loop()
    made = kind(loop, woken.set) if kind is FdTimer else kind(loop, woken.set, time.monotonic_ns)
    made.arm(time.monotonic_ns() + 10**12)
    made.arm(time.monotonic_ns() + MS)
    await asyncio.wait_for(woken.wait(), 5)
    made.close()
    made.close()


@linux
async def test_a_moment_in_the_past_fires_at_once():
    woken = asyncio.Event()
    made = FdTimer(asyncio.get_running_loop(), woken.set)
    made.arm(0)
    await asyncio.wait_for(woken.wait(), 5)
    made.close()


@linux
async def test_a_wake_up_taken_back_is_no_wake_up():
    made = FdTimer(asyncio.get_running_loop(), lambda: pytest.fail("woken"))
    made._ready()
    made.close()


async def test_without_timerfd_the_loops_timer_serves(monkeypatch):
    def missing():
        raise OSError("no timerfd here")

    monkeypatch.setattr(timer, "_timerfd", missing)
    made = best_timer(asyncio.get_running_loop(), lambda: None, time.monotonic_ns)
    assert isinstance(made, LoopTimer)
    made.close()
