"""A command, once for each case -> what became of it. `staying` is the other way.

It must not know what is right.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fakeserver.conform.child import Child, Tail
from fakeserver.conform.outcome import Misread, Outcome, object_of, outcome_of
from fakeserver.conform.patience import Patience

_TRIED = 10_000  # lines that may be one, from the last: of a flood they are many
KEPT = 32 << 20  # bytes of stdout: an outcome may hold an answer of a megabyte, in escapes


@dataclass(frozen=True)
class Ran:
    """The outcome, or why there is none: it `hung`, or there was `trouble`. `stderr` is its end."""

    outcome: Outcome | None
    trouble: str = ""
    hung: bool = False
    stderr: str = ""


async def run_once(command: Sequence[str], env: Mapping[str, str], patience: Patience) -> Ran:
    """Raises OSError if it cannot be started."""
    said = Tail(KEPT)
    child = await Child.start(command, env, said)
    over = asyncio.ensure_future(child.over())
    try:
        in_time = await patience.outlasts(over)
    finally:
        over.cancel()
        await child.end()
    value = last_object(said.data)
    if not in_time:
        return Ran(None, "its outcome was there, but it did not end" if value is not None else "", True, child.stderr)
    return understood(value, f"{child.how} and printed no outcome", child.stderr)


def understood(value: dict[str, Any] | None, lack: str, stderr: str) -> Ran:
    """What a line says; `lack` is what to say where there is none."""
    if value is None:
        return Ran(None, lack, stderr=stderr)
    try:
        return Ran(outcome_of(value), stderr=stderr)
    except Misread as wrong:
        return Ran(None, f"its outcome cannot be used: {wrong}", stderr=stderr)


def last_object(said: bytes | bytearray) -> dict[str, Any] | None:
    """The last line that is a JSON object. Lines without a brace are passed over at once, for they may be millions."""
    end = len(said)
    for _ in range(_TRIED):
        brace = said.rfind(b"{", 0, end)
        start, stop = said.rfind(b"\n", 0, max(brace, 0)) + 1, said.find(b"\n", brace)
        value = object_of(bytes(said[start : stop if stop >= 0 else len(said)])) if brace >= 0 else None
        if brace < 0 or value is not None:
            return value
        end = start
    return None
