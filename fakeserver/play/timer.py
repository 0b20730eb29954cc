"""A moment -> one wake-up from the kernel: the finest timer that this platform and this loop have.

It must not know what waits for the moment, nor that there may be more than one.
"""

from __future__ import annotations

import asyncio
import ctypes
import os
import sys
from collections.abc import Callable
from typing import Protocol

# <linux/time.h> and <sys/timerfd.h>. time.monotonic_ns reads this same clock on Linux, so its moments can be armed as
# they are.
_CLOCK_MONOTONIC = 1
_NONBLOCK_CLOEXEC = 0o4000 | 0o2000000
_ABSTIME = 1
_SECOND = 1_000_000_000


class Timer(Protocol):
    """Calls back once, at the armed moment or a little earlier or later; arming again replaces the moment."""

    def arm(self, due: int) -> None: ...

    def close(self) -> None: ...


class LoopTimer:
    """The loop's own timer. Coarse: epoll rounds up to a millisecond, and uvloop's may fire early by more than one."""

    def __init__(self, loop: asyncio.AbstractEventLoop, wake: Callable[[], None], now: Callable[[], int]) -> None:
        self._loop, self._wake, self._now = loop, wake, now
        self._handle: asyncio.TimerHandle | None = None

    def arm(self, due: int) -> None:
        self.close()
        self._handle = self._loop.call_later(max(0, due - self._now()) / _SECOND, self._wake)

    def close(self) -> None:
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None


class FdTimer:
    """A timerfd watched by the loop: microseconds late instead of a millisecond, in any loop that watches files."""

    def __init__(self, loop: asyncio.AbstractEventLoop, wake: Callable[[], None]) -> None:
        self._loop, self._wake = loop, wake
        self._fd, self._set = _timerfd()
        loop.add_reader(self._fd, self._ready)

    def arm(self, due: int) -> None:
        self._set(self._fd, max(1, due))  # 0 would switch it off

    def close(self) -> None:
        if self._fd >= 0:
            self._loop.remove_reader(self._fd)
            os.close(self._fd)
            self._fd = -1

    def _ready(self) -> None:
        try:
            os.read(self._fd, 8)
        except BlockingIOError:  # armed anew between the loop's look and this call
            return
        self._wake()


def best_timer(loop: asyncio.AbstractEventLoop, wake: Callable[[], None], now: Callable[[], int]) -> Timer:
    """A timerfd where there is one, else the loop's timer."""
    if sys.platform == "linux":
        try:
            return FdTimer(loop, wake)
        except (OSError, AttributeError, NotImplementedError):  # a libc without it, a sandbox, a loop without readers
            pass
    return LoopTimer(loop, wake, now)


def _timerfd() -> tuple[int, Callable[[int, int], None]]:
    if sys.version_info >= (3, 13):
        fd = os.timerfd_create(_CLOCK_MONOTONIC, flags=_NONBLOCK_CLOEXEC)
        return fd, lambda fd, due: _discard(os.timerfd_settime_ns(fd, flags=_ABSTIME, initial=due))
    return _timerfd_by_ctypes()


def _discard(_: object) -> None:
    """For a function whose answer nobody needs."""


def _timerfd_by_ctypes() -> tuple[int, Callable[[int, int], None]]:
    libc = ctypes.CDLL(None, use_errno=True)
    fd = libc.timerfd_create(_CLOCK_MONOTONIC, _NONBLOCK_CLOEXEC)
    if fd < 0:
        raise OSError(ctypes.get_errno(), "timerfd_create")
    spec = (ctypes.c_long * 4)()  # struct itimerspec: interval seconds and nanoseconds, then the moment's

    def settime(fd: int, due: int) -> None:
        spec[2], spec[3] = divmod(due, _SECOND)
        libc.timerfd_settime(fd, _ABSTIME, spec, None)

    return fd, settime
