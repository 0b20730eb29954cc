"""What is remembered of a client that leaves: when, how, after which event, and how much had reached it.

The scenarios are compiled and the server runs in this loop, so "at once" can be counted in turns of the loop.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from fakeserver.engine import Engine
from fakeserver.http.serve import Served, serve
from fakeserver.journal import Record
from fakeserver.script.library import load
from tests.http.stand_ins import Raw, post

SCENARIOS = {
    "silence": "stream: [role: assistant, say: Hel, wait: 60m, say: lo, done]",
    "hang": "stream: [role: assistant, say: Hel, hang]",
    "gate": "stream: [role: assistant, say: Hel, gate: never, say: lo, done]",
    "half": "stream: [role: assistant, {say: Hel, keep: 40B}, hang]",
    "thinking": "reply: Hello\ntiming: {head: 60m}",
    "done": "stream: [role: assistant, done, hang]",
    "done-then-more": "stream: [role: assistant, done, wait: 60m, comment: more]",
}
LAST_WORDS = {"silence": b'"Hel"', "hang": b'"Hel"', "gate": b'"Hel"', "half": b'"chat', "done": b"[DONE]"}
TURNS = 500  # of the loop: a millisecond or two


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    for name, text in SCENARIOS.items():
        (tmp_path / f"{name}.yaml").write_text(text)
    return Engine(load([tmp_path]))


@pytest.fixture
async def served(engine: Engine) -> AsyncIterator[Served]:
    running = await serve(engine)
    yield running
    await running.stop()


async def _left(engine: Engine, served: Served, name: str, how: str) -> Record:
    """Ask, read all that comes, leave; the record."""
    raw = await (await Raw.to(served)).send(post(name))
    if name == "thinking":
        while not len(engine.journal):
            await asyncio.sleep(0)
    else:
        await raw.until(LAST_WORDS[name.removesuffix("-then-more")])
        (record,) = engine.journal
        while len(raw.got) < record.bytes:
            raw.got += await raw.loop.sock_recv(raw.sock, 65536)
    (raw.close if how == "FIN" else raw.reset)()
    (record,) = engine.journal
    for _ in range(TURNS):
        if record.ending is not None:
            break
        await asyncio.sleep(0)
    assert record.ending is not None, "not seen at once"
    return record


@pytest.mark.parametrize("how", ["FIN", "RST"])
@pytest.mark.parametrize(("name", "events"), [("silence", 2), ("hang", 2), ("gate", 2), ("half", 2), ("thinking", 0)])
async def test_who_leaves_in_a_long_silence_is_seen_at_once(
    engine: Engine, served: Served, name: str, events: int, how: str
) -> None:
    record = await _left(engine, served, name, how)
    assert record.ending is not None
    assert (record.ending.how, record.ending.by, record.events) == ("gone", how, events)
    assert record.ending.acked in (None, record.bytes)
    assert 0 < record.ending.at < 60_000_000_000
    assert record.how.startswith(f"client gone after event {events}, byte {record.bytes}, by {how}, at ")


@pytest.mark.parametrize("how", ["FIN", "RST"])
@pytest.mark.parametrize("name", ["done", "done-then-more"])
async def test_who_leaves_after_the_end_marker_has_missed_nothing(
    engine: Engine, served: Served, name: str, how: str
) -> None:
    record = await _left(engine, served, name, how)
    assert record.ending is not None
    assert (record.ending.how, record.ending.by, record.how) == ("complete", how, "complete")
    assert record.ending.acked in (None, record.bytes)


async def test_what_was_not_confirmed_is_not_counted(engine: Engine, served: Served, tmp_path: Path) -> None:
    """A client that stops reading, and leaves most of it."""
    (tmp_path / "large.yaml").write_text("stream: [{say: {$fill: x, size: 8MiB}}, done]")
    large = Engine(load([tmp_path]))
    running = await serve(large)
    raw = await (await Raw.to(running, rcvbuf=4096)).send(post("large"))
    await raw.until(b"data: ")
    raw.reset()
    (record,) = large.journal
    for _ in range(TURNS):
        await asyncio.sleep(0)
    await running.stop()
    assert record.ending is not None
    assert (record.ending.how, record.ending.by) == ("gone", "RST")
    assert record.ending.acked is None or len(raw.got) <= record.ending.acked < record.bytes
