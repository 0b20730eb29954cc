"""When everything has arrived: the polls, their limits, and what is asked of the kernel in which order."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from fakeserver.play import ending
from fakeserver.play.ending import Delivery, reach


class HandLoop:
    """A loop whose time the test moves."""

    def __init__(self):
        self.now, self.calls = 0.0, []

    def time(self):
        return self.now

    def call_soon(self, call):
        self.calls.append((0, call))
        return SimpleNamespace(cancel=lambda: None)

    def call_later(self, delay, call):
        self.calls.append((delay, call))
        return SimpleNamespace(cancel=lambda: None)

    def step(self):
        delay, call = self.calls.pop(0)
        self.now += delay
        call()


class Kernel:
    """A transport and a peer in one."""

    def __init__(self, buffered=0, unacked=0, unread=0):
        self.buffered, self.left, self.held = buffered, unacked, unread
        self.asked = []

    def get_write_buffer_size(self):
        self.asked.append("buffer")
        return self.buffered

    def unacked(self):
        self.asked.append("unacked")
        return self.left

    def unread(self):
        self.asked.append("unread")
        return self.held


@pytest.mark.parametrize(
    ("kernel", "found", "asked"),
    [
        (Kernel(buffered=1), "buffered", 1),
        (Kernel(unacked=1), "buffered", 2),
        (Kernel(unacked=None), "unknown", 2),
        (Kernel(unread=1), "unread", 3),
        (Kernel(unread=None), "acknowledged", 3),
        (Kernel(), "read", 3),
    ],
)
def test_how_far_the_bytes_have_come(kernel, found, asked):
    assert reach(kernel, kernel) == found
    assert kernel.asked == ["buffer", "unacked", "unread"][:asked]


def deliver(*founds):
    """The reaches in turn, the last one for ever; what came out, and after how many polls."""
    loop, told = HandLoop(), []
    looks = iter(founds)
    last = [None]

    def look():
        last[0] = next(looks, last[0])
        return last[0]

    delivery = Delivery(look, told.append, loop)
    delivery.poll()
    while not told and loop.now < 100:
        loop.step()
    return told, loop


@pytest.mark.parametrize("enough", ["read", "acknowledged"])
def test_it_waits_until_everything_has_come(enough):
    told, loop = deliver("buffered", "buffered", "unread", enough)
    assert (told, loop.now, loop.calls) == ([enough], 0.0, [])


@pytest.mark.parametrize(("found", "limit"), [("buffered", 30), ("unread", 5), ("unknown", 0.05)])
def test_each_wait_has_a_limit(found, limit):
    told, loop = deliver(found)
    assert told == [found]
    assert limit < loop.now < limit + 0.1


def test_the_wait_for_reading_begins_when_all_has_arrived():
    told, loop = deliver(*["buffered"] * 2000, "unread")
    assert told == ["unread"]
    assert loop.now > 5 + 15


def test_polls_become_rarer_and_never_rarer_than_ten_milliseconds():
    loop = HandLoop()
    Delivery(lambda: "unread", lambda found: None, loop).poll()
    delays = []
    for _ in range(300):
        delays.append(loop.calls[0][0])
        loop.step()
    assert delays == sorted(delays)
    assert (delays[0], delays[-1]) == (0, ending._LONGEST)


def test_once_cancelled_it_says_nothing():
    loop, told = HandLoop(), []
    delivery = Delivery(lambda: "read" if loop.now else "buffered", told.append, loop)
    delivery.poll()
    delivery.cancel()
    loop.now = 1.0
    loop.step()
    assert (told, loop.calls) == ([], [])
