"""HTTP/1.1 as clients speak it, well and badly: one answer a request, none of aiohttp's own, a quiet log."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import textwrap

import pytest

from fakeserver.engine import Engine
from fakeserver.http import reading
from fakeserver.plan.model import Burst, End, Plan, Write
from tests.http.stand_ins import LAST, PLANS, HandMade, Raw, come, event, frame, post, request, stream, whole
from tests.http.stand_ins import burst as burst_of

HELLO = whole(PLANS["hello"])
HEALTH = request(b"GET", b"/_fakeserver/health")


async def answer(raw: Raw, sent: bytes) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and the body that content-length counts."""
    raw.got = b""
    await raw.send(sent)
    head = (await raw.until(b"\r\n\r\n")).partition(b"\r\n\r\n")[0].decode("latin-1")
    status, *rows = head.split("\r\n")
    headers = {name.lower(): value for name, _, value in (row.partition(": ") for row in rows)}
    size = len(head) + 4 + int(headers.get("content-length", 0))
    if sent[:4] != b"HEAD":
        await come_to(raw, size)
    return int(status.split()[1]), headers, raw.got[len(head) + 4 :]


async def come_to(raw: Raw, size: int) -> None:
    while len(raw.got) < size:
        part = await asyncio.wait_for(raw.loop.sock_recv(raw.sock, 65536), 10)
        assert part, raw.got
        raw.got += part


async def test_many_streams_on_one_connection(connect, engine, ended):
    raw = await connect()
    for _ in range(5):
        raw.got = b""
        await raw.send(post())
        assert await raw.until(LAST) == HELLO
    assert [(await ended.next()).number for _ in range(5)] == [1, 2, 3, 4, 5]


async def test_pipelined_requests_are_answered_in_order(connect):
    raw = await connect()
    await raw.send(post() * 3 + HEALTH)
    await raw.until(b'"status": "ok"')
    assert raw.got.startswith(HELLO * 3 + b"HTTP/1.1 200 OK\r\n")


async def test_http_1_0_is_answered_unframed_and_closed(connect, ended):
    raw = await (await connect()).send(post("old", http=b"1.0"))
    assert await raw.end() == (b"HTTP/1.0 200 OK\r\n\r\ndata: x\n\n", "FIN")


async def test_connection_close_is_honoured(connect):
    raw = await (await connect()).send(post(headers=b"connection: close\r\n"))
    assert await raw.end() == (HELLO, "FIN")


async def test_a_client_that_waits_for_100_continue_is_told(connect):
    head, _, body = post(headers=b"expect: 100-continue\r\n").partition(b"\r\n\r\n")
    raw = await (await connect()).send(head + b"\r\n\r\n")
    assert await raw.until(b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
    await raw.send(body)
    assert await raw.until(LAST) == b"HTTP/1.1 100 Continue\r\n\r\n" + HELLO


async def test_one_that_sent_its_body_already_is_not(connect):
    raw = await (await connect()).send(request(b"POST", b"/v1/chat/completions", b"expect: 100-continue\r\n", b""))
    assert (await raw.until(b"\r\n\r\n")).startswith(b"HTTP/1.1 400 ")


async def test_chunked_request_bodies(connect):
    body = post().partition(b"\r\n\r\n")[2]
    head = b"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n"
    raw = await (await connect()).send(head + frame(body[:7]) + frame(body[7:]) + LAST)
    assert await raw.until(LAST) == HELLO


async def test_a_large_body_then_another_request(connect, engine):
    raw = await connect()
    body = json.dumps({"model": "hello", "stream": True, "messages": [{"role": "user", "content": "x" * 3_000_000}]})
    await raw.send(request(b"POST", b"/v1/chat/completions", b"", body.encode()))
    assert await raw.until(LAST) == HELLO
    await raw.send(post())
    assert await raw.until(LAST, 2) == HELLO * 2
    record = next(iter(engine.journal))
    assert (record.asked.body_size, len(record.asked.body)) == (len(body), 64 * 1024)


async def test_a_body_that_is_too_large(connect, monkeypatch):
    monkeypatch.setattr(reading, "BODY_LIMIT", 100_000)
    raw = await connect()
    status, headers, _ = await answer(raw, request(b"POST", b"/v1/chat/completions", b"", b"x" * 300_000))
    assert (status, headers["content-type"]) == (413, "application/json")
    assert (await raw.end())[1] == "FIN"
    raw = await connect()
    waiting = b"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 999999\r\n\r\n"
    assert (await answer(raw, waiting))[0] == 413


async def test_preflight_then_the_request_itself(connect):
    raw = await connect()
    asks = b"origin: http://a\r\naccess-control-request-headers: authorization,x-a\r\n"
    status, headers, _ = await answer(raw, request(b"OPTIONS", b"/v1/chat/completions", asks))
    assert (status, headers["access-control-allow-origin"]) == (204, "*")
    assert headers["access-control-allow-headers"] == "authorization,x-a"
    raw.got = b""
    await raw.send(post())
    assert await raw.until(LAST) == HELLO


@pytest.mark.parametrize(
    "path", ["/v1/models", "//v1/models/", "/session/a/v1/models", "/session/a/scenario/b/v1/models"]
)
async def test_models(connect, path):
    raw = await connect()
    status, headers, body = await answer(raw, request(b"GET", path.encode()))
    assert (status, headers["content-type"], headers["access-control-allow-origin"]) == (200, "application/json", "*")
    assert [model["id"] for model in json.loads(body)["data"]] == sorted(PLANS)
    status, as_head, body = await answer(raw, request(b"HEAD", path.encode()))
    assert (status, body, as_head["content-length"]) == (200, b"", headers["content-length"])


async def test_one_model(connect):
    raw = await connect()
    assert json.loads((await answer(raw, request(b"GET", b"/v1/models/hello%2Bmore")))[2])["id"] == "hello+more"
    status, _, body = await answer(raw, request(b"GET", b"/v1/models/org/name"))
    assert (status, "org/name" in json.loads(body)["error"]["message"]) == (404, True)


async def test_unknown_paths_and_wrong_methods(connect, engine):
    raw = await connect()
    status, headers, body = await answer(raw, request(b"POST", b"/v1/foo?a=b", b"", b"{}"))
    assert (status, json.loads(body)["error"]["message"]) == (404, "Invalid URL (POST /v1/foo)")
    status, headers, body = await answer(raw, request(b"GET", b"/v1/chat/completions"))
    assert (status, headers["allow"]) == (405, "POST, OPTIONS")
    status, headers, body = await answer(raw, request(b"HEAD", b"/v1/chat/completions"))
    assert (status, body) == (405, b"")
    assert (await answer(raw, request(b"PURGE", b"/v1/models")))[0] == 405
    assert [record.chosen.status for record in engine.journal] == [404, 405, 405, 405]


async def test_control_routes(connect, engine):
    raw = await connect()
    status, headers, body = await answer(raw, HEALTH)
    assert (status, json.loads(body)["status"]) == (200, "ok")
    assert not [name for name in headers if name.startswith("access-control")]
    status, _, body = await answer(raw, HEALTH.replace(b"GET", b"HEAD"))
    assert (status, body) == (200, b"")
    status, headers, _ = await answer(raw, HEALTH.replace(b"GET", b"DELETE"))
    assert (status, headers["allow"]) == (405, "GET, HEAD")
    assert (await answer(raw, request(b"GET", b"/_fakeserver/nowhere")))[0] == 404
    assert len(engine.journal) == 0


async def test_a_gate_is_released_over_http(connect, ended):
    held = await (await connect()).send(post("gated", path="/session/one/v1/chat/completions"))
    await held.until(event(1))
    raw = await connect()
    release = b"/_fakeserver/gates/half/release"
    _, _, body = await answer(raw, request(b"POST", release, b"", b""))
    assert json.loads(body) == {"gate": "half", "session": "default", "released": 0, "kept": True}
    _, _, body = await answer(raw, request(b"POST", release + b"?session=one"))
    assert json.loads(body) == {"gate": "half", "session": "one", "released": 1, "kept": False}
    assert await held.until(LAST) == whole(PLANS["gated"])


# Requests that are none.

BAD = {
    "no host": b"GET /v1/models HTTP/1.1\r\n\r\n",
    "two hosts": b"GET /v1/models HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n",
    "garbage": b"\x16\x03\x01\x02\x00hello\r\n\r\n",
    "bad method": b"G@T / HTTP/1.1\r\nhost: x\r\n\r\n",
    "control character": b"GET /v1/models HTTP/1.1\r\nhost: x\r\nx-a: a\x01b\r\n\r\n",
    "header too long": b"GET /v1/models HTTP/1.1\r\nhost: x\r\nx-a: " + b"a" * 70_000 + b"\r\n\r\n",
    "line too long": b"GET /v1/models?" + b"a" * 70_000 + b" HTTP/1.1\r\nhost: x\r\n\r\n",
    "length and chunks": request(b"POST", b"/v1/chat/completions", b"transfer-encoding: chunked\r\n", b"2\r\n{}\r\n"),
    "http/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
}


@pytest.mark.parametrize("sent", BAD.values(), ids=BAD)
async def test_what_is_no_request_is_told_so_as_json(connect, engine, sent):
    raw = await connect()
    status, headers, body = await answer(raw, sent)
    error = json.loads(body)["error"]
    assert (status, headers["content-type"], error["type"]) == (400, "application/json", "invalid_request_error")
    assert (await raw.end())[1] in ("FIN", "RST")
    assert next(iter(engine.journal)).how == "complete"


async def test_a_bad_request_behind_a_good_one(connect):
    raw = await (await connect()).send(post())
    await raw.until(LAST)
    got, _ = await (await raw.send(BAD["garbage"])).end()
    assert got.startswith(HELLO + b"HTTP/1.1 400 ")


ODD = {
    "8 kB header": request(b"GET", b"/v1/models", b"x-a: " + b"a" * 9000 + b"\r\n"),
    "latin-1 header": request(b"GET", b"/v1/models", b"x-a: caf\xe9\r\n"),
    "no utf-8 in path": request(b"GET", b"/v1/models/caf%ff\xe9"),
    "absolute": b"GET http://x:1/v1/models HTTP/1.1\r\nhost: x\r\n\r\n",
    "h2c": request(
        b"GET", b"/v1/models", b"connection: upgrade, http2-settings\r\nupgrade: h2c\r\nhttp2-settings: AA\r\n"
    ),
    "asterisk": request(b"OPTIONS", b"*"),
    "bad gzip": request(b"POST", b"/v1/chat/completions", b"content-encoding: gzip\r\n", b"abcde"),
    "odd scenario": post(headers=b"x-fakeserver-scenario: caf\xe9\r\n"),
    "odd preflight": request(b"OPTIONS", b"/v1/models", b"access-control-request-headers: caf\xe9\r\n"),
    "odd session": request(b"GET", b"/session/%00%0a%F0%9F/v1/models"),
    "bad chunk": b"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n",
}


@pytest.mark.parametrize("sent", ODD.values(), ids=ODD)
async def test_odd_requests_are_answered(connect, engine, sent):
    status, headers, _ = await answer(await connect(), sent)
    assert status in (200, 204, 400, 404)
    assert headers["access-control-allow-origin"] == "*"
    json.dumps([record.as_dict() for record in engine.journal], ensure_ascii=False).encode()


async def test_our_own_failure_is_a_500_and_one_line(connect, start, caplog):
    def fails(ask):
        raise RuntimeError("a bug")

    raw = await connect(await start(Engine(None, plans=HandMade(bug=fails))))
    status, _, body = await answer(raw, post("bug"))
    assert (status, json.loads(body)["error"]["type"]) == (500, "server_error")
    assert (await raw.end())[1] == "FIN"
    assert [record.exc_info for record in caplog.records] == [None]
    caplog.clear()


async def test_no_second_answer_behind_a_half_one(connect, start, caplog):
    plan = stream(Write(0, "no bytes"), End(0, "end", LAST))
    raw = await connect(await start(Engine(None, plans=HandMade(half=plan))))
    await raw.send(post("half"))
    got, end = await raw.end()
    assert (got, end) == (PLANS["hello"].source[0].data, "RST")
    assert [record.exc_info for record in caplog.records if record.name == "fakeserver"] == [None]
    caplog.clear()


# Load.


async def test_a_stalled_reader_costs_little_memory(connect, engine, served, ended):
    """30 MB for a reader that sleeps: the transport's buffer stays at its mark, and all of it arrives once it reads."""
    chunk = event(0, 1000)
    count = 30_000
    plan = Plan(lambda: iter((Write(0, HELLO[:100]), *(Write(0, chunk) for _ in range(count)), End(0, "end", LAST))))
    engine.repertoire().plans.plans["much"] = plan
    raw = await (await connect(rcvbuf=65536)).send(post("much"))
    connection = served.server.connections
    await come(lambda: any(each.writing_paused for each in served.server.connections))
    await asyncio.sleep(0.05)
    (connection,) = served.server.connections
    record = next(iter(engine.journal))
    written = record.bytes
    assert connection.transport.get_write_buffer_size() < 256 * 1024
    assert written < 16_000_000
    size = 100 + count * len(chunk) + len(LAST)
    await come_to(raw, size)
    assert (await ended.next()).bytes == size
    assert record.stalled > 0


async def test_a_flood_beside_timed_streams_keeps_each_in_order(connect, engine, ended):
    engine.repertoire().plans.plans["flood"] = stream(Burst(0, burst_of(20_000).writes), End(0, "end", LAST))
    raws = [await (await connect()).send(post(name)) for name in ("flood", "timed", "flood", "timed")]
    plans = engine.repertoire().plans.plans
    results = await asyncio.gather(*(raw.until(b"\n\r\n" + LAST) for raw in raws))
    assert results == [whole(plans[name]) for name in ("flood", "timed", "flood", "timed")]


async def test_two_servers_in_one_process(engine, connect, start):
    other = await start(Engine(None, plans=HandMade(close=PLANS["close"])))
    first, second = await connect(), await connect(other)
    assert (await answer(first, post("hello", path="/v1/models")))[0] == 405
    assert json.loads((await answer(second, request(b"GET", b"/v1/models")))[2])["data"][0]["id"] == "close"
    await other.stop()
    await other.stop()
    assert (await answer(first, HEALTH))[0] == 200
    assert len(engine.journal) == 1


async def test_a_port_in_use_is_the_callers_to_tell(served, start):
    with pytest.raises(OSError, match="in use"):
        await start(Engine(None, plans=HandMade()), "127.0.0.1", served.port)


async def test_ipv6(engine, start, connect):
    try:
        running = await start(engine, "::1")
    except OSError:
        pytest.skip("no IPv6 here")
    assert running.url == f"http://[::1]:{running.port}"
    raw = await (await connect(running, host="::1")).send(post("reset-large"))
    assert await raw.end() == (whole(PLANS["reset-large"]), "RST")


@pytest.mark.skipif(os.name != "posix", reason="descriptor limits")
def test_running_out_of_descriptors_does_not_flood_the_log():
    script = """
        import asyncio, resource, socket, sys
        sys.path.insert(0, ".")
        from fakeserver.engine import Engine
        from fakeserver.http.serve import serve
        from tests.http.stand_ins import HandMade

        async def main():
            running = await serve(Engine(None, plans=HandMade()))
            resource.setrlimit(resource.RLIMIT_NOFILE, (60, 60))
            clients = []
            try:
                while True:
                    client = socket.socket()
                    client.setblocking(False)
                    clients.append(client)
                    try:
                        client.connect(("127.0.0.1", running.port))
                    except BlockingIOError:
                        pass
            except OSError:
                pass
            await asyncio.sleep(0.3)
            for client in clients:
                client.close()
            await running.stop()
            print("stopped")

        asyncio.run(main())
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, timeout=60)
    assert done.stdout == "stopped\n"
    assert done.stderr.count("\n") <= 1, done.stderr
    assert "open files" in done.stderr
