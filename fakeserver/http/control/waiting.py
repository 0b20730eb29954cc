"""Something that will be so -> whether it is, after a time at most: what long polls wait with."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from fakeserver.play.watchers import Untell

LONGEST = 300  # seconds
_SECOND = 1_000_000_000


async def until(true: Callable[[], bool], watch: Callable[[Callable[[], None]], Untell], length: int) -> bool:
    """`watch` calls once when it may have become so. `length` is in nanoseconds."""
    loop = asyncio.get_running_loop()
    end = loop.time() + min(length / _SECOND, LONGEST)
    while not true():
        told: asyncio.Future[None] = loop.create_future()
        untell = watch(lambda told=told: None if told.done() else told.set_result(None))  # type: ignore[misc]  # inferred
        try:
            async with asyncio.timeout_at(end):
                await told
        except TimeoutError:
            return true()
        finally:
            untell()
    return True
