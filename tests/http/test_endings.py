"""What a raw socket sees of each end, and what the journal says of it."""

from __future__ import annotations

import asyncio

import pytest

from fakeserver.play import ending
from tests.http.stand_ins import HEAD, LAST, PLANS, come, event, post, whole


async def test_a_clean_end_leaves_the_connection_open(connect, ended):
    raw = await (await connect()).send(post("hello"))
    await raw.until(LAST)
    assert raw.got == whole(PLANS["hello"])
    assert await raw.end(patience=0.05) == (whole(PLANS["hello"]), "OPEN")
    record = await ended.next()
    assert (record.how, record.bytes, record.events, record.end_marked) == ("complete", len(raw.got), 4, True)


@pytest.mark.parametrize(
    ("name", "end"), [("close", "FIN"), ("fin", "FIN"), ("reset", "RST"), ("reset-now", "RST"), ("nothing", "FIN")]
)
async def test_each_end_is_what_it_is_named(connect, ended, name, end):
    raw = await (await connect()).send(post(name))
    assert await raw.end() == (whole(PLANS[name]), end)
    record = await ended.next()
    assert record.how.partition(" (")[0] == (
        "complete" if name == "fin" else f"ended: {name.replace('nothing', 'close')}"
    )


@pytest.mark.parametrize("pause", [0, 0.002])
async def test_no_byte_is_lost_before_a_reset(connect, ended, pause):
    """400 kB: with SO_LINGER alone most of it would die in the server's send queue."""
    for _ in range(3):
        raw = await (await connect(rcvbuf=8192 if pause else 0)).send(post("reset-large"))
        got, end = await raw.end(pause=pause)
        assert (len(got), end) == (len(whole(PLANS["reset-large"])), "RST")
        assert got == whole(PLANS["reset-large"])
        assert (await ended.next()).ending.detail == "read"


async def test_a_reader_that_sleeps_gets_every_byte_of_a_reset(connect, ended, monkeypatch):
    monkeypatch.setattr(ending, "_READ_LIMIT", 0.05)
    raw = await (await connect()).send(post("reset"))
    assert (await ended.next()).ending.detail == "unread"
    assert await raw.end() == (whole(PLANS["reset"]), "RST")


async def test_a_reader_that_never_reads_is_reset_in_the_end(connect, ended, monkeypatch):
    monkeypatch.setattr(ending, "_ACKNOWLEDGED_LIMIT", 0.05)
    raw = await (await connect(rcvbuf=4096)).send(post("reset-large"))
    record = await ended.next()
    if record.ending.detail == "buffered":
        assert (await raw.end())[1] == "RST"


async def test_leaving_while_a_reset_waits_for_delivery(connect, ended, engine):
    raw = await (await connect()).send(post("reset"))
    await come(lambda: [record.bytes for record in engine.journal] == [len(whole(PLANS["reset"]))])
    raw.close()
    # Which of the two is noticed first is the loop's affair; it was served whole, and is no "client gone".
    assert (await ended.next()).how in ("complete", "ended: reset (acknowledged)")


async def test_hang_is_silence_for_good(connect, ended, served):
    raw = await (await connect()).send(post("hang"))
    assert await raw.end(patience=0.1) == (whole(PLANS["hang"]), "OPEN")
    await served.stop()
    assert (await ended.next()).how == "server stopped"
    assert (await raw.end())[1] in ("FIN", "RST")


async def test_stopping_ends_any_number_of_hung_streams_at_once(connect, ended, served):
    raws = [await (await connect()).send(post(("hang", "silence", "gated")[n % 3])) for n in range(30)]
    for raw in raws:
        await raw.until(event(1))
    await asyncio.wait_for(served.stop(), 1)
    assert {(await ended.next()).how for _ in raws} == {"server stopped"}
    await served.wait_closed()


@pytest.mark.parametrize(("act", "by"), [("close", "FIN"), ("reset", "RST")])
@pytest.mark.parametrize("name", ["silence", "hang", "gated"])
async def test_a_client_that_leaves_in_a_silence_is_seen(connect, ended, engine, name, act, by):
    raw = await (await connect()).send(post(name))
    await raw.until(event(1))
    getattr(raw, act)()
    record = await ended.next()
    assert record.how.startswith(f"client gone after event {record.events}, byte {record.bytes}, by {by}, at ")
    assert record.ending.acked in (None, record.bytes)
    assert record.ending.at < 5_000_000_000
    assert engine.journal.dropped == 0


async def test_bytes_confirmed_count_from_this_answer_on(connect, ended):
    raw = await (await connect()).send(post("hello"))
    await raw.until(LAST)
    await raw.send(post("silence"))
    await raw.until(event(1), 2)
    raw.close()
    await ended.next()
    record = await ended.next()
    assert record.ending.acked in (None, record.bytes)


@pytest.mark.parametrize("act", ["close", "reset"])
async def test_leaving_after_the_end_marker_is_complete(connect, ended, act):
    raw = await (await connect()).send(post("stall-after-done"))
    await raw.until(b"[DONE]\n\n\r\n")
    getattr(raw, act)()
    assert (await ended.next()).how == "complete"


async def test_a_client_that_leaves_inside_its_request_is_nobody(connect, engine, served):
    raw = await (await connect()).send(post("hello")[:-10])
    raw.close()
    raw = await (await connect()).send(post("hello"))
    await raw.until(LAST)
    assert len(engine.journal) == 1


async def test_a_gate_holds_until_it_is_released(connect, engine, ended):
    raw = await (await connect()).send(post("gated"))
    await raw.until(event(1))
    assert await raw.end(patience=0.05) == (HEAD + event(0) + event(1), "OPEN")
    assert engine.release("default", "half").released == 1
    await raw.until(LAST)
    assert raw.got == whole(PLANS["gated"])
    assert (await ended.next()).gates[0][0] == "half"


async def test_keep_alives_are_said_at_a_gate_and_after_hang(connect, engine, ended):
    raw = await (await connect()).send(post("gated-idle"))
    await raw.until(b":\n\n", 3)
    engine.release("default", "half")
    await raw.until(LAST)
    assert len((await ended.next()).idles) >= 3
    raw = await (await connect()).send(post("hang-idle"))
    await raw.until(b":\n\n", 3)


async def test_a_timed_stream_comes_whole_and_not_early(connect, ended):
    raw = await (await connect()).send(post("timed"))
    await raw.until(LAST)
    assert raw.got == whole(PLANS["timed"])
    stamps = list((await ended.next()).lateness.stamps())
    assert [planned for planned, _ in stamps] == [0, 0, 5_000_000, 10_000_000, 15_000_000, 20_000_000]
    assert all(actual >= planned for planned, actual in stamps)
