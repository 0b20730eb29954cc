"""Sessions over HTTP: apart from each other, begun anew, with scenarios and a queue of their own."""

from __future__ import annotations

import asyncio
import json

import pytest

from fakeserver.engine import Engine
from fakeserver.engine.feed import KEPT
from tests.http.control_stand_ins import library_in, said
from tests.http.stand_ins import Raw, come, post


@pytest.fixture
def engine(tmp_path):
    return Engine(library_in(tmp_path))


async def test_health(control):
    told = await control.ok("GET", "/health")
    assert (told["status"], told["scenarios"], told["problems"]) == ("ok", 7, [])
    assert (await control.client.head("/_fakeserver/health")).content == b""


async def test_the_library(control):
    rows = (await control.ok("GET", "/scenarios"))["scenarios"]
    assert {"gated", "hello", "turns"} <= {row["name"] for row in rows}
    assert set(rows[0]) == {"name", "kind", "about", "tags", "source", "protocol", "dialect", "file"}
    one = await control.ok("GET", "/scenarios/gated")
    assert "gate: half" in one["yaml"]
    assert [row["name"] for row in one["timeline"]["actions"] if row["do"] == "gate"] == ["half"]
    assert (await control("GET", "/scenarios/gatd"))[0] == 404
    over = await control.ok("GET", "/scenarios/hello?overlays=reset-midway")
    assert over["timeline"]["actions"][-1]["kind"] == "reset"


async def test_a_session_is_made_by_name_or_without_one(control):
    assert (await control("POST", "/sessions", {"id": "mine"}))[0] == 201
    status, told = await control("POST", "/sessions", {"id": "mine"})
    assert (status, told) == (200, {"id": "mine", "base_url": f"{control.url}/session/mine/v1"})
    _, other = await control("POST", "/sessions")
    assert other["id"] != "mine"
    names = [each["id"] for each in (await control.ok("GET", "/sessions"))["sessions"]]
    assert names == ["mine", other["id"]]
    await control.ok("DELETE", "/sessions/mine")
    assert (await control("GET", "/sessions/mine"))[1]["error"]["code"] == "unknown-session"
    assert (await control("DELETE", "/sessions/mine"))[0] == 404


async def test_two_sessions_do_not_see_each_other(control):
    await control.ok("PUT", "/sessions/a/use", {"scenario": "hello"})
    await control.ok("POST", "/sessions/b/queue", {"scenario": "other"})
    await control.ok("PUT", "/sessions/b/scenarios/mine", content="reply: Mine.\n")
    await control.ok("PUT", "/sessions/b/clock", {"mode": "manual"})
    assert said(await control.chat("other", "a")) == "Hello there."
    assert said(await control.chat("hello", "b")) == "Something else."
    assert said(await control.chat("mine", "b")) == "Mine."
    await control.ok("PUT", "/sessions/a/use", None, json={"scenario": None})
    assert (await control.chat("mine", "a")).status_code == 404
    assert (await control.ok("GET", "/sessions/a/clock"))["mode"] == "wall"
    for name, count in (("a", 2), ("b", 2)):
        records = await control.journal(name)
        assert {record["session"] for record in records} == {name}
        assert len(records) == count
    assert len((await control.ok("GET", "/sessions/a/journal?unmatched=1"))["records"]) == 1


async def test_the_queue_goes_before_use_and_use_before_the_rest(control):
    await control.ok("PUT", "/sessions/a/use", {"scenario": "other"})
    await control.ok("POST", "/sessions/a/queue", {"scenario": "hello", "times": 2})
    told = await control.ok("POST", "/sessions/a/queue", {"scenario": "turns"})
    assert (told["left"], told["use"], len(told["queue"])) == (3, "other", 2)
    answers = [await control.chat("gated") for _ in range(4)]
    assert [said(each) for each in answers] == ["Hello there.", "Hello there.", "", "Something else."]
    assert answers[2].status_code == 429
    assert [record["why"] for record in await control.journal()] == ["queue", "queue", "queue", "use"]
    await control.ok("PUT", "/sessions/a/use", content=b"null")
    assert said(await control.chat("hello")) == "Hello there."


async def test_a_refused_request_takes_nothing_from_the_queue(control):
    await control.ok("POST", "/sessions/a/queue", {"scenario": "hello"})
    await control.client.post("/session/a/v1/chat/completions", json={"model": "x"})
    assert (await control.ok("GET", "/sessions/a/queue"))["left"] == 1
    assert await control.ok("DELETE", "/sessions/a/queue") == {"removed": 1}
    assert (await control("POST", "/sessions/a/queue", {"scenario": "helo"}))[1]["error"]["code"] == "unknown-scenario"
    assert (await control("POST", "/sessions/a/queue", {"scenario": "hello", "times": 10_000}))[0] == 201
    assert (await control("POST", "/sessions/a/queue", {"scenario": "hello"}))[1]["error"]["code"] == "queue-full"


async def test_a_scenario_of_its_own_wins_there_alone(control):
    told = await control.ok("PUT", "/sessions/a/scenarios/hello", content="reply: Mine.\n")
    assert told == {"name": "hello", "problems": []}
    assert said(await control.chat("hello")) == "Mine."
    assert said(await control.chat("hello", "b")) == "Hello there."
    await control.ok("PUT", "/sessions/a/scenarios/hello", content="reply: Mine again.\n")
    assert said(await control.chat("hello")) == "Mine again."
    own_rule = "when: {last_user: Rule}\nreply: My rule.\n"
    await control.ok("PUT", "/sessions/a/scenarios/zzz", content=own_rule)
    assert said(await control.chat(text="Rule")) == "My rule."
    assert said(await control.chat(session="b", text="Rule")) == "Ruled."
    await control.ok("POST", "/sessions/a/reset")
    assert said(await control.chat("hello")) == "Hello there."


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (b"reply: Hi\nwire: {newlin: lf}\n", "unknown-key"),
        (b"stream:\n  - say: x\n    set: {delta/tool_calls/0/id: 1}\n", "touches-nothing"),
        (b"reply: Hi\ndialect: nobody\n", "unknown-dialect"),
    ],
)
async def test_its_problems_are_those_of_check(control, text, code):
    status, told = await control("PUT", "/sessions/a/scenarios/mine", content=text)
    assert status == 422
    assert [problem["code"] for problem in told["error"]["problems"]] == [code]
    assert told["error"]["problems"][0]["remedy"]
    assert (await control.chat("mine")).status_code == 404


async def test_reset_ends_what_is_in_flight_and_forgets_the_rest(control, connect, served):
    raw = await connect(served)
    await raw.send(post("held", path="/session/a/v1/chat/completions"))
    await raw.until(b"assistant")
    await control.ok("PUT", "/sessions/a/use", {"scenario": "turns"})
    await control.ok("PUT", "/sessions/a/clock", {"mode": "manual"})
    assert (await control.chat()).status_code == 429
    told = await control.ok("POST", "/sessions/a/reset")
    assert (told["generation"], told["in_flight"], told["use"], told["clock"], told["records"]) == (
        2,
        0,
        None,
        "wall",
        0,
    )
    assert (await raw.end())[1] == "RST"
    assert await control.journal() == []
    assert (await control.chat("turns")).status_code == 429
    assert [record["attempt"] for record in await control.journal()] == [1]


async def test_a_late_request_is_of_the_generation_in_which_it_began(control, connect, served, engine):
    """Its head has come before the reset, its body after."""
    raw, (head, _, body) = (
        await connect(served),
        post("hello", path="/session/a/v1/chat/completions").partition(b"\r\n\r\n"),
    )
    await raw.send(head + b"\r\n\r\n" + body[:5])
    await come(lambda: engine.sessions.get("a").reading == 1)
    await control.ok("POST", "/sessions/a/reset")
    await raw.send(body[5:])
    assert await raw.end() == (b"", "RST")
    assert await control.journal(wait=0) == []
    assert (await control.ok("GET", "/sessions/a"))["counts"] == {}


async def test_the_journal_waits_for_what_is_in_flight(control):
    stream = asyncio.create_task(control.chat("gated"))
    assert await control.ok("GET", "/sessions/a/gates/half?wait=10") == {"reached": 1}
    waiting = asyncio.create_task(control.journal())
    assert (await control.journal(wait=0.01))[0]["how"] == "in flight"
    assert not waiting.done()
    await control.ok("POST", "/sessions/a/gates/half/release")
    assert [record["how"] for record in await waiting] == ["complete"]
    assert said(await stream) == "OneTwo"


async def test_verify(control):
    await control.chat("hello")
    await control.chat("turns")
    for wanted, ok in [
        ({}, True),
        ({"scenario": "hello", "count": 1}, True),
        ({"scenario": "hello", "count": 2}, False),
        ({"scenario": "other"}, False),
        ({"scenario": "other", "at_most": 0}, True),
        ({"at_least": 2, "at_most": 2, "ended": "complete", "wait": "1s"}, True),
        ({"body": {"/messages/0/content": "Hi"}, "count": 2}, True),
        ({"body": {"/model": "hello"}, "count": 1}, True),
        ({"ended": "gone", "count": 0}, True),
    ]:
        told = await control.ok("POST", "/sessions/a/verify", wanted)
        assert told["ok"] is ok, told
    assert "2 requests of hello expected" not in told["message"]
    missed = await control.ok("POST", "/sessions/a/verify", {"scenario": "hello", "count": 2})
    assert missed["message"].startswith("2 requests of hello expected, 1 of 2 found.\n  #1 POST ")
    assert (await control("POST", "/sessions/a/verify", {"count": 1, "at_least": 1}))[0] == 400


async def test_ten_thousand_requests_through_one_session(control, connect, served, engine):
    """All are remembered, one more takes the oldest's place, and nothing else is."""
    raw = await connect(served)
    sent = post("hello", path="/session/a/v1/chat/completions")
    for count in [100] * 100 + [3]:
        raw.got = b""
        await raw.send(sent * count)
        await raw.until(b"0\r\n\r\n", count)
    log = await control.ok("GET", "/sessions/a/journal")
    assert (len(log["records"]), log["dropped"]) == (10_000, 3)
    assert log["records"][-1]["attempt"] == 10_003
    session = engine.sessions.get("a")
    assert (len(engine.journal), session.playing, engine._playing) == (10_000, {}, {})
    assert len(engine.feed.since(0)) <= KEPT


async def test_the_journal_of_a_server_is_bounded_in_bytes(control, engine):
    from fakeserver.journal import Asked, Chosen, Journal

    journal = Journal(limit=10, overall=20, size=100_000)
    for number in range(100):
        journal.open(f"s{number % 7}", 0, Asked.of("POST", "/", {}, b"x" * 30_000), Chosen("x"))
    assert len(journal) == 3
    assert (journal.dropped, sum(journal.dropped_of(f"s{n}") for n in range(7))) == (97, 97)
    journal.forget("s1")
    assert [record.session for record in journal] == ["s6", "s0"]


async def test_a_speed_of_its_own(control):
    assert (await control.ok("PUT", "/sessions/a/speed", {"speed": "instant"}))["speed"] == "instant"
    assert said(await asyncio.wait_for(control.chat("stall"), 5)) == "OneTwo"
    assert (await control.ok("PUT", "/sessions/a/speed", {"speed": None}))["speed"] == 1.0
    assert (await control("PUT", "/sessions/a/speed", {"speed": 0}))[0] == 400


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code"),
    [
        ("GET", "/nothing", b"", 404, "unknown-route"),
        ("POST", "/health", b"", 405, "wrong-method"),
        ("PUT", "/sessions/a/use", b"{", 400, "bad-json"),
        ("PUT", "/sessions/a/use", b"{}", 400, "bad-request"),
        ("PUT", "/sessions/a/use", b'{"scenario": "hello", "more": 1}', 400, "bad-request"),
        ("POST", "/sessions/a/queue", b'{"scenario": "hello", "times": 0}', 400, "bad-request"),
        ("POST", "/sessions/a/queue", b'{"scenario": "hello", "times": true}', 400, "bad-request"),
        ("GET", "/sessions/a/journal?wait=soon", b"", 400, "bad-query"),
        ("GET", "/sessions/a/journal?waits=1", b"", 400, "bad-query"),
        ("POST", "/sessions/a/queue", b"x" * 3_000_000, 413, "too-large"),
        ("PUT", "/sessions/a/scenarios/x", b"#" * 600_000, 413, "too-large"),
        ("POST", "/sessions", b'{"id": "a/b"}', 400, "bad-request"),
        ("POST", "/sessions/a/gates/x/release", b'{"end": {"error": "nope"}}', 404, "unknown-error"),
        ("POST", "/sessions/a/gates/x/release", b'{"end": {"error": "N\xc3\xb6pe"}}', 404, "unknown-error"),
        ("POST", "/sessions/a/gates/x/release", b'{"end": {"error": "rate-limitd"}}', 404, "unknown-error"),
        ("POST", "/sessions/a/gates/x/release", b'{"end": "later"}', 400, "bad-request"),
    ],
)
async def test_errors_have_one_form(control, method, path, body, status, code):
    got, told = await control(method, path, content=body)
    assert (got, told["error"]["code"]) == (status, code)
    assert told["error"]["message"].endswith((".", "'?", "path"))


async def test_an_error_of_the_old_release_too(control):
    told = await control.ok("POST", "/gates/half/release?session=a")
    assert told == {"gate": "half", "session": "a", "released": 0, "kept": True}
    assert json.loads(json.dumps(told)) == told


async def test_a_raw_client_may_leave_out_the_host(connect, served):
    raw: Raw = await connect(served)
    await raw.send(b"GET /_fakeserver/health HTTP/1.0\r\n\r\n")
    assert b'"status": "ok"' in (await raw.end())[0]
