"""One stream in flight, ended, held and stepped by hand: its bytes, the kind of end and what the journal says."""

from __future__ import annotations

import asyncio

import httpx
import pytest

from fakeserver.engine import Engine
from tests.http.control_stand_ins import library_in, said
from tests.http.stand_ins import come, post

CHAT = "/session/a/v1/chat/completions"
LETTERS = (
    "abcdefghijklmnopqrst"  # two seconds of them: a busy machine is not to be past the last before it is asked to hold
)
TEXTS = {
    "ticking": f"stream: [role: assistant, {{say: [{', '.join(LETTERS)}], every: 100ms}}, finish: stop, done]\n",
    "patient": "timing: {keepalive: {every: 30ms, comment: still}}\n"
    "stream: [role: assistant, say: One, gate: half, say: [Two, Three], finish: stop, done]\n",
    "hung": "timing: {keepalive: {every: 30ms, comment: still}}\nstream: [role: assistant, say: One, hang]\n",
    "cut": "wire: {cut: {size: 40B, gap: 60ms}}\nstream: [role: assistant, say: [a, b], finish: stop, done]\n",
    "steps": "wire: {cut: {size: 40B, lockstep: true}}\nstream: [role: assistant, say: [a, b], finish: stop, done]\n",
    "slow-head": "timing: {head: 30s}\nreply: Late.\n",
    "flood": "stream: [role: assistant, {repeat: [say: word], times: 100000}, done]\n",
    "zipped": "wire: {compress: gzip}\nstream: [role: assistant, say: One, gate: half, say: Two, done]\n",
    "long": "stream: [role: assistant, {repeat: [say: word], times: 1500}, gate: half, say: Two, done]\n",
}
ENDS = [
    ("reset", "RST", "ended: reset (by hand)"),
    ("close", "FIN", "ended: close (by hand)"),
    ("end", "OPEN", "complete (by hand)"),
    ({"error": "overloaded"}, "OPEN", "complete (by hand)"),
]


@pytest.fixture
def engine(tmp_path):
    for name, text in TEXTS.items():
        (tmp_path / f"{name}.yaml").write_text(text)
    return Engine(library_in(tmp_path))


@pytest.fixture
async def ask(connect, served):
    async def one(model, **options):
        return await (await connect(served, **options)).send(post(model, path=CHAT))

    return one


async def by_hand(control, what, body, number=1):
    return await control.ok("POST", f"/requests/{number}/{what}", body)


async def stopped(control, number=1, gate="*"):
    async with asyncio.timeout(10):
        while (told := await control.ok("GET", f"/requests/{number}"))["gate"] != gate:
            await asyncio.sleep(0.005)
    return told


async def how(control):
    (record,) = await control.journal()
    return record["how"]


# Ends.


@pytest.mark.parametrize(("end", "kind", "words"), ENDS)
@pytest.mark.parametrize(("model", "mark"), [("stall", b"One"), ("gated", b"One"), ("hung", b": still")])
async def test_a_stream_is_ended_wherever_it_is(control, ask, model, mark, end, kind, words):
    raw = await ask(model)
    await raw.until(mark)
    await by_hand(control, "end", {"end": end})
    got, ended = await raw.end(patience=0.3)
    assert ended == kind
    assert (b"One" in got, b"Two" in got, b"[DONE]" in got) == (True, False, False)
    assert got.endswith(b"0\r\n\r\n") == (kind == "OPEN")
    assert (b'data: {"error":{"message":' in got) == isinstance(end, dict)
    assert await how(control) == words
    assert (await control.ok("GET", "/sessions/a/gates"))["gates"] == {}
    status, told = await control("POST", "/requests/1/end", {"end": end})
    assert (status, told["error"]["code"]) == (409, "over")
    assert words in told["error"]["message"]


async def test_after_a_clean_end_by_hand_the_connection_serves_on(control, ask):
    raw = await ask("stall")
    await raw.until(b"One")
    await by_hand(control, "end", {"end": "end"})
    await raw.until(b"0\r\n\r\n")
    await raw.send(post("hello", path=CHAT))
    assert said((await raw.until(b"0\r\n\r\n", 2)).rpartition(b"HTTP/1.1 200")[2]) == "Hello there."


@pytest.mark.parametrize(("end", "begin"), [({"error": "overloaded"}, b"HTTP/1.1 503 "), ("close", b""), ("end", b"")])
async def test_before_the_head(control, ask, end, begin, engine):
    raw = await ask("slow-head")
    await come(lambda: len(engine.journal) == 1)
    await by_hand(control, "end", {"end": end})
    got, _ = await raw.end(patience=0.3)
    assert got[: len(begin) or None] == begin


@pytest.mark.parametrize("end", ["reset", "close", {"error": "overloaded"}])
async def test_a_stream_in_full_flow(control, ask, end, engine):
    raw = await ask("flood")
    await raw.until(b"word")
    reading = asyncio.create_task(raw.end(patience=1))
    await by_hand(control, "end", {"end": end})
    await come(lambda: engine.in_flight(1) is None)
    got, kind = await reading
    assert kind == {"reset": "RST", "close": "FIN"}.get(str(end), "OPEN")
    assert b"[DONE]" not in got
    record = (await control.journal())[0]
    assert "by hand" in record["how"]
    assert len(got) == record["bytes"]


async def test_a_reader_that_does_not_read_is_reset_all_the_same(control, ask, engine, served):
    raw = await ask("flood", rcvbuf=4096)
    await come(lambda: any(each.writing_paused for each in served.server.connections))
    await by_hand(control, "end", {"end": "reset"})
    await come(lambda: engine.in_flight(1) is None)
    assert await how(control) == "ended: reset (by hand)"
    assert (await raw.end())[1] == "RST"


async def test_a_compressed_stream_closes_on_an_error(control, ask):
    raw = await ask("zipped")
    await stopped(control, gate="half")
    await by_hand(control, "end", {"end": {"error": "overloaded"}})
    assert (await raw.end())[1] == "FIN"


async def test_what_cannot_be_asked(control, ask):
    await (await ask("stall")).until(b"One")
    for body, status in [({}, 400), ({"end": "never"}, 400), ({"end": {"error": "none"}}, 404), ({"end": None}, 400)]:
        assert (await control("POST", "/requests/1/end", body))[0] == status
    assert (await control("POST", "/requests/1/hold", {}))[0] == 400
    for what, body in [("end", {"end": "reset"}), ("hold", {"on": True}), ("step", {})]:
        status, told = await control("POST", f"/requests/77/{what}", body)
        assert (status, told["error"]["code"]) == (404, "unknown-request")
    assert (await control.ok("GET", "/requests/1"))["how"] == "in flight"


# Holding.


async def test_a_running_stream_is_held_and_stepped_and_goes_on(control, ask):
    raw = await ask("ticking")
    await raw.until(b'"a"')
    told = await by_hand(control, "hold", {"on": True})
    assert (told["held"], told["how"]) == (True, "in flight")
    events = (await stopped(control))["events"]
    await asyncio.sleep(0.25)  # two more would have come
    assert (await control.ok("GET", "/requests/1"))["events"] == events
    await by_hand(control, "step", {"events": 2})
    assert (await stopped(control))["events"] == events + 2
    await by_hand(control, "step", None)
    assert (await stopped(control))["events"] == events + 3
    (row,) = (await control.ok("GET", "/journal"))["records"]
    assert row["gate"] == "*"
    told = await by_hand(control, "hold", {"on": False})
    assert told["held"] is False
    assert said(await raw.until(b"0\r\n\r\n")) == LETTERS
    assert await how(control) == "complete"


async def test_a_step_of_a_stream_that_nobody_holds_stops_behind_it(control, ask):
    raw = await ask("ticking")
    await raw.until(b"assistant")
    first = (await by_hand(control, "step", {"events": 2}))["events"]
    assert (await stopped(control))["events"] == first + 2


async def test_a_held_stream_keeps_its_pace_and_its_lateness(control, ask):
    raw = await ask("ticking")
    await raw.until(b'"a"')
    await by_hand(control, "hold", {"on": True})
    await stopped(control)
    await asyncio.sleep(1)
    await by_hand(control, "hold", {"on": False})
    await raw.until(b"0\r\n\r\n")
    record = (await control.journal())[0]
    assert record["lateness_ns"]["max"] < 500_000_000
    assert record["ending"]["at"] > 2_800_000_000  # its two seconds, and the one that it was held


async def test_others_are_not_held(control, ask):
    first, second = await ask("ticking"), await ask("ticking")
    await first.until(b'"a"')
    await by_hand(control, "hold", {"on": True}, 1)
    assert said(await second.until(b"0\r\n\r\n")) == LETTERS
    assert (await stopped(control))["how"] == "in flight"


async def test_a_held_stream_sees_its_client_leave(control, ask):
    raw = await ask("ticking")
    await raw.until(b'"a"')
    await by_hand(control, "hold", {"on": True})
    await stopped(control)
    raw.close()
    assert (await how(control)).startswith("client gone after event")
    assert (await control.ok("GET", "/sessions/a/gates"))["gates"] == {}


async def test_keep_alives_go_on_while_it_is_held(control, ask):
    raw = await ask("patient")
    await raw.until(b"One")
    await by_hand(control, "hold", {"on": True})
    await control.ok("POST", "/sessions/a/gates/half/release")
    await stopped(control)
    before = raw.got.count(b": still")
    assert b"Two" not in await raw.until(b": still", before + 3)
    await by_hand(control, "step", {"events": 1})
    await raw.until(b"Two")
    await by_hand(control, "hold", {"on": False})
    assert said(await raw.until(b"0\r\n\r\n")) == "OneTwoThree"


async def test_a_held_stream_is_ended(control, ask):
    raw = await ask("ticking")
    await raw.until(b'"a"')
    await by_hand(control, "hold", {"on": True})
    await stopped(control)
    await by_hand(control, "end", {"end": "close"})
    got, kind = await raw.end()
    assert (kind, b'"t"' in got) == ("FIN", False)


async def test_an_event_that_is_cut_goes_out_whole(control, ask):
    raw = await ask("cut")
    await raw.until(b'"created"')
    await by_hand(control, "hold", {"on": True})
    await stopped(control)
    got, kind = await raw.end(patience=0.3)
    assert kind == "OPEN"
    assert (got.endswith(b"\n\n\r\n"), got.count(b"data: ")) == (True, 1)


async def test_pieces_in_lockstep_too(control, ask):
    raw = await ask("steps")
    await raw.until(b'"created"')
    await by_hand(control, "hold", {"on": True})
    reading = asyncio.create_task(raw.end(patience=0.5))
    await stopped(control)
    got, kind = await reading
    assert (kind, got.endswith(b"\n\n\r\n")) == ("OPEN", True)
    await by_hand(control, "hold", {"on": False})
    assert b"[DONE]" in await raw.until(b"0\r\n\r\n")


async def test_one_of_a_session_that_holds_all(control, ask):
    await control.ok("POST", "/sessions/a/hold", {"all": True})
    first, second = await ask("gated"), await ask("hello")
    for number in (1, 2):
        assert (await stopped(control, number))["held"] is True
    await by_hand(control, "step", {"events": 1}, 1)
    assert b"assistant" in await first.until(b"data: ")
    await stopped(control, 1)
    assert second.got == b""
    await by_hand(control, "hold", {"on": False}, 2)
    assert said(await second.until(b"0\r\n\r\n")) == "Hello there."
    await control.ok("POST", "/sessions/a/step")
    assert b"One" in await first.until(b"data: ", 2)
    await stopped(control, 1, "half")
    await control.ok("POST", "/sessions/a/hold", {"all": False})
    await control.ok("POST", "/sessions/a/gates/half/release")
    assert said(await first.until(b"0\r\n\r\n")) == "OneTwo"


async def test_in_the_midst_of_a_burst(control, ask):
    raw = await ask("long")
    await raw.until(b"word")
    await by_hand(control, "hold", {"on": True})
    told = await stopped(control)
    events = told["events"]
    await by_hand(control, "step", {"events": 3})
    assert (await stopped(control))["events"] == events + 3
    await by_hand(control, "hold", {"on": False})
    await control.ok("POST", "/sessions/a/gates/half/release")
    assert said(await raw.until(b"0\r\n\r\n")) == 1500 * "word" + "Two"


# Time that passes when told.


async def test_held_and_ended_in_a_manual_time(control, ask, engine):
    await control.ok("PUT", "/sessions/a/clock", {"mode": "manual"})
    raw = await ask("stall")
    await control.ok("GET", "/sessions/a/clock?streams=1&wait=10")
    await by_hand(control, "hold", {"on": True})
    await control.ok("POST", "/sessions/a/clock/advance", {"by": "60s"})
    assert (await stopped(control))["gate"] == "*"
    assert b"Two" not in await raw.until(b"One")
    await by_hand(control, "step", {"events": 1})
    await raw.until(b"Two")
    await stopped(control)
    await by_hand(control, "end", {"end": "end"})
    await raw.until(b"0\r\n\r\n")
    record = (await control.journal())[0]
    assert (record["ending"]["at"], record["lateness_ns"]["max"]) == (60_000_000_000, 0)
    assert (await control.ok("GET", "/sessions/a/clock"))["waiting"] == 0


async def test_a_client_whose_answer_has_gone_by(control, served):
    async with httpx.AsyncClient(trust_env=False) as client:
        body = {"model": "hello", "stream": True, "messages": [{"role": "user", "content": "Hi"}]}
        await client.post(f"{served.url}{CHAT}", json=body)
    for what, said_ in [("end", {"end": "reset"}), ("hold", {"on": True}), ("step", {})]:
        assert (await control("POST", f"/requests/1/{what}", said_))[0] == 409
