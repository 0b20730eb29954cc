"""The live stream of what happens, read by httpx-sse: in order, by session, resumed, bounded."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager

import pytest
from httpx_sse import EventSource

from fakeserver.engine import Engine
from fakeserver.engine.feed import Feed
from fakeserver.http.control import events as events_module
from tests.http.control_stand_ins import library_in
from tests.http.stand_ins import come


@pytest.fixture
def engine(tmp_path):
    return Engine(library_in(tmp_path))


@asynccontextmanager
async def listening(control, session="", last=None):
    headers = {} if last is None else {"last-event-id": str(last)}
    path = f"/_fakeserver/events{f'?session={session}' if session else ''}"
    async with control.client.stream("GET", path, headers=headers) as answer:
        assert answer.headers["content-type"] == "text/event-stream"
        assert "access-control-allow-origin" not in answer.headers
        yield EventSource(answer).aiter_sse()


async def some(source, count):
    async with asyncio.timeout(10):
        return [await anext(source) for _ in range(count)]


async def test_what_happens_in_order(control):
    async with listening(control) as source:
        stream = asyncio.create_task(control.chat("gated"))
        (start, gate) = await some(source, 2)
        assert (start.event, start.json()["scenario"], start.json()["session"]) == ("start", "gated", "a")
        assert (gate.event, gate.json()["gate"]) == ("gate", "half")
        await control.ok("POST", "/sessions/a/gates/half/release")
        (passed, end) = await some(source, 2)
        assert (passed.event, passed.json()["gate"]) == ("pass", "half")
        assert (end.event, end.json()["ended"], end.json()["number"]) == ("end", "complete", start.json()["number"])
        assert [int(each.id) for each in (start, gate, passed, end)] == [1, 2, 3, 4]
        await stream
        await control.ok("POST", "/sessions/a/reset")
        (reset,) = await some(source, 1)
        assert (reset.event, reset.json()) == ("reset", {"session": "a", "generation": 2})


async def test_one_session_alone(control):
    async with listening(control, "b") as source:
        await control.chat("hello", "a")
        await control.chat("hello", "b")
        assert {each.json()["session"] for each in await some(source, 2)} == {"b"}


async def test_it_goes_on_where_it_was(control):
    await control.chat("hello")
    await control.chat("other")
    async with listening(control, last=1) as source:
        assert [int(each.id) for each in await some(source, 3)] == [2, 3, 4]
    async with listening(control, last=0) as source:
        assert [each.event for each in await some(source, 4)] == ["start", "end"] * 2


async def test_what_is_no_longer_kept_is_said_to_be_lost(control, engine):
    for number in range(10_500):
        engine.feed.tell("reset", "x", {"generation": number})
    async with listening(control, last=0) as source:
        lost, first = await some(source, 2)
        assert (lost.event, lost.json()) == ("lost", {"count": 500})
        assert first.id == "501"
    async with listening(control, last=999_999) as source:
        engine.feed.tell("reset", "x", {})
        assert [each.id for each in await some(source, 1)] == ["10501"]


async def test_comments_keep_it_open(control, monkeypatch):
    monkeypatch.setattr(events_module, "KEEP_ALIVE", 1_000_000)
    async with control.client.stream("GET", "/_fakeserver/events") as answer:
        got = b""
        async for part in answer.aiter_raw():
            got += part
            if got.count(b": still here\n\n") > 2:
                break


async def test_a_listener_that_has_gone_is_forgotten(control, engine, monkeypatch):
    monkeypatch.setattr(events_module, "KEEP_ALIVE", 1_000_000)
    async with listening(control):
        await come(lambda: bool(engine.feed._waiting))
    await control.client.aclose()
    engine.feed.tell("reset", "x", {})
    await come(lambda: not engine.feed._waiting)


def test_the_feed_keeps_the_last_ones():
    feed, told = Feed(kept=3), []
    untell = feed.when_told(lambda: told.append("no"))
    untell()
    feed.when_told(lambda: told.append("yes"))
    for number in range(5):
        feed.tell("x", "", {"n": number})
    assert told == ["yes"]
    assert [event.number for event in feed.since(0)] == [3, 4, 5]
    assert [event.number for event in feed.since(4)] == [5]
    assert (feed.lost(0), feed.lost(2), feed.lost(4)) == (2, 0, 0)


async def test_a_swapped_library_is_told_and_a_broken_one_too(control, engine, tmp_path):
    from fakeserver.script.library import load

    async with listening(control) as source:
        (tmp_path / "hello.yaml").write_text("reply: New.\n")
        engine.swap(load([tmp_path]))
        (tmp_path / "hello.yaml").write_text("replay: New.\n")
        broken = load([tmp_path])
        engine.refuse(broken.problems)
        good, bad = [each.json() for each in await some(source, 2)]
    assert (good["ok"], bad["ok"], len(bad["problems"])) == (True, False, 1)
    assert (await control.ok("GET", "/health"))["problems"][0]["file"].endswith("hello.yaml")
    assert (await control.ok("GET", "/sessions/a/journal"))["problems"][0]["line"] == 1
