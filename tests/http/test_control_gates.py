"""Streams that a test holds over HTTP, lets go, or sends into another end; and the time that it makes pass."""

from __future__ import annotations

import asyncio
import time

import httpx
import pytest

from fakeserver.engine import Engine
from tests.http.control_stand_ins import library_in, said
from tests.http.stand_ins import come, post

CHAT = "/session/a/v1/chat/completions"


@pytest.fixture
def engine(tmp_path):
    return Engine(library_in(tmp_path))


async def at_the_gate(connect, served, control, gate="half", model="gated"):
    raw = await (await connect(served)).send(post(model, path=CHAT))
    assert await control.ok("GET", f"/sessions/a/gates/{gate}?wait=10") == {"reached": 1}
    return raw


async def test_a_long_poll_ends_when_the_gate_is_reached_or_the_time_is_over(control, connect, served):
    assert await control("GET", "/sessions/a/gates/half?wait=0.01") == (408, {"reached": 0})
    assert await control("GET", "/sessions/a/gates/half?wait=10ms") == (408, {"reached": 0})
    assert await control("GET", "/sessions/a/gates/half") == (200, {"reached": 0})
    waiting = asyncio.create_task(control("GET", "/sessions/a/gates/half?wait=10"))
    raw = await (await connect(served)).send(post("gated", path=CHAT))
    assert await waiting == (200, {"reached": 1})
    assert await control.ok("GET", "/sessions/a/gates") == {"gates": {"half": 1}, "kept": []}
    assert await control.ok("POST", "/sessions/a/gates/half/release") == {"released": 1, "kept": False}
    assert said(await raw.until(b"0\r\n\r\n")) == "OneTwo"


async def test_a_reset_ends_a_long_poll(control, engine):
    waiting = asyncio.create_task(control("GET", "/sessions/a/gates/half?wait=30"))
    await come(lambda: "a" in engine.sessions)
    await control.ok("POST", "/sessions/a/reset")
    assert await asyncio.wait_for(waiting, 5) == (408, {"reached": 0})


@pytest.mark.parametrize(
    ("end", "last", "how"),
    [
        ("reset", b"", "RST"),
        ("close", b"", "FIN"),
        ("end", b"0\r\n\r\n", "OPEN"),
        ({"error": "overloaded"}, b"0\r\n\r\n", "OPEN"),
    ],
)
async def test_a_release_into_another_end(control, connect, served, end, last, how):
    raw = await at_the_gate(connect, served, control)
    told = await control.ok("POST", "/sessions/a/gates/half/release", {"end": end})
    assert told == {"released": 1, "kept": False}
    got, ended = await raw.end(patience=0.2)
    assert (ended, b"One" in got, b"Two" in got) == (how, True, False)
    assert got.endswith(last)
    assert (b'data: {"error":{"message":' in got) == isinstance(end, dict)
    record = (await control.journal())[0]
    assert record["ending"]["kind"] == (end if isinstance(end, str) else "end")


async def test_a_release_in_advance_keeps_its_end(control, connect, served):
    told = await control.ok("POST", "/sessions/a/gates/half/release", {"end": "close"})
    assert told == {"released": 0, "kept": True}
    raw = await (await connect(served)).send(post("gated", path=CHAT))
    got, ended = await raw.end()
    assert (ended, b"Two" in got) == ("FIN", False)


async def test_hold_all_steps_event_by_event(control, connect, served):
    await control.ok("POST", "/sessions/a/hold", {"all": True})
    raw = await (await connect(served)).send(post("gated", path=CHAT))
    assert await control.ok("GET", "/sessions/a/gates/*?wait=10") == {"reached": 1}
    assert raw.got == b""
    assert await control.ok("POST", "/sessions/a/step") == {"released": 1, "kept": False}
    got = await raw.until(b"data: ")
    assert (b"assistant" in got, b"One" in got) == (True, False)
    await control.ok("GET", "/sessions/a/gates/*?wait=10")
    await control.ok("POST", "/sessions/a/step")
    assert b"One" in await raw.until(b"data: ", 2)
    await control.ok("GET", "/sessions/a/gates/half?wait=10")
    await control.ok("POST", "/sessions/a/gates/half/release")
    await control.ok("GET", "/sessions/a/gates/*?wait=10")
    await control.ok("POST", "/sessions/a/step", {"events": 2})
    await raw.until(b"data: ", 4)
    await control.ok("GET", "/sessions/a/gates/*?wait=10")
    assert b"[DONE]" not in raw.got
    assert await control.ok("POST", "/sessions/a/hold", {"all": False}) == {"all": False, "released": 1}
    assert said(await raw.until(b"0\r\n\r\n")) == "OneTwo"
    assert said(await control.chat("hello")) == "Hello there."


async def manual(control, session="a"):
    assert (await control.ok("PUT", f"/sessions/{session}/clock", {"mode": "manual"}))["now"] == 0


async def waiting_streams(control, count=1):
    return await control.ok("GET", f"/sessions/a/clock?streams={count}&wait=10")


async def test_a_stall_of_thirty_seconds_takes_no_time(control, connect, served):
    await manual(control)
    raw = await (await connect(served)).send(post("stall", path=CHAT))
    assert (await waiting_streams(control))["waiting"] == 1
    began = time.monotonic()
    assert await control.ok("POST", "/sessions/a/clock/advance", {"by": "29.9s"}) == {"now": 29.9}
    assert said(await raw.until(b"One")) == "One"
    assert await control.ok("POST", "/sessions/a/clock/advance", {"by": 0.1}) == {"now": 30.0}
    assert said(await raw.until(b"0\r\n\r\n")) == "OneTwo"
    assert time.monotonic() - began < 5
    record = (await control.journal())[0]
    assert record["times_ns"][-1] == [30_000_000_000, 30_000_000_000]
    assert record["lateness_ns"]["max"] == 0


async def test_new_streams_count_from_the_manual_now(control, connect, served):
    await manual(control)
    first = await (await connect(served)).send(post("stall", path=CHAT))
    await waiting_streams(control)
    await control.ok("POST", "/sessions/a/clock/advance", {"by": 20})
    second = await (await connect(served)).send(post("stall", path=CHAT))
    await waiting_streams(control, 2)
    await control.ok("POST", "/sessions/a/clock/advance", {"by": 10})
    assert said(await first.until(b"0\r\n\r\n")) == "OneTwo"
    assert b"Two" not in await second.until(b"One")
    await control.ok("POST", "/sessions/a/clock/advance", {"by": 20})
    assert said(await second.until(b"0\r\n\r\n")) == "OneTwo"


async def test_other_sessions_go_by_the_real_time(control):
    await manual(control, "b")
    assert said(await asyncio.wait_for(control.chat("hello"), 10)) == "Hello there."
    status, told = await control("POST", "/sessions/a/clock/advance", {"by": 1})
    assert (status, told["error"]["code"]) == (409, "wall-clock")


async def test_the_clock_stays_while_streams_go_by_it(control, connect, served):
    await manual(control)
    await (await connect(served)).send(post("stall", path=CHAT))
    await waiting_streams(control)
    status, told = await control("PUT", "/sessions/a/clock", {"mode": "wall"})
    assert (status, told["error"]["code"]) == (409, "clock-in-use")
    await control.ok("POST", "/sessions/a/clock/advance", {"by": 30})
    await control.journal()
    assert (await control.ok("PUT", "/sessions/a/clock", {"mode": "wall"}))["mode"] == "wall"


async def test_a_client_that_leaves_in_a_manual_stall(control, served):
    await manual(control)
    async with httpx.AsyncClient(trust_env=False) as client:
        body = {"model": "stall", "stream": True, "messages": [{"role": "user", "content": "Hi"}]}
        async with client.stream("POST", f"{served.url}{CHAT}", json=body) as answer:
            await anext(answer.aiter_raw())
    record = (await control.journal())[0]
    assert record["ending"]["how"] == "gone"
    assert (await control.ok("GET", "/sessions/a/clock"))["waiting"] == 0
