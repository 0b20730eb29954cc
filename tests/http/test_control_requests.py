"""The journal of all sessions in short, page by page, and one request whole with what was planned for it."""

from __future__ import annotations

import base64
import json
import time

import pytest

from fakeserver.engine import Engine, showing
from fakeserver.journal import Asked, Chosen
from fakeserver.play.notes import Ending
from tests.http.control_stand_ins import library_in
from tests.http.stand_ins import post, request

LIGHT = {
    "number", "session", "at", "method", "path", "scenario", "attempt", "why", "status", "unmatched", "how", "ended",
    "end", "by", "events", "bytes", "took_ns", "lateness_p99_ns", "gate",
}  # fmt: skip


@pytest.fixture
def engine(tmp_path):
    return Engine(library_in(tmp_path))


def opened(engine, count, session="many", body=b'{"a": 1}'):
    for number in range(count):
        asked = Asked.of("POST", f"/v1/chat/completions?{number}", {"x": "y"}, body)
        record = engine.journal.open(session, 5, asked, Chosen("model", "hello", 1, 200))
        record.wrote(0, 7, 1, 10, 1, False)
        record.ended(Ending("complete", 1_000, "end"))


async def journal(control, query=""):
    return await control.ok("GET", f"/journal{query}")


async def test_the_newest_of_all_sessions_come_first(control):
    for session, model in [("a", "hello"), ("b", "other"), ("a", "none")]:
        await control.chat(model, session)
    told = await journal(control)
    assert [(row["number"], row["session"], row["scenario"]) for row in told["records"]] == [
        (3, "a", ""), (2, "b", "other"), (1, "a", "hello"),
    ]  # fmt: skip
    assert (told["total"], told["dropped"], told["more"]) == (3, 0, False)
    first = told["records"][-1]
    assert set(first) == LIGHT
    assert (first["method"], first["path"], first["status"]) == ("POST", "/session/a/v1/chat/completions", 200)
    assert (first["how"], first["ended"], first["unmatched"], first["attempt"]) == ("complete", "complete", False, 1)
    assert (first["why"], first["end"], first["by"]) == ("model", "end", None)
    whole = await control.ok("GET", "/requests/1")
    assert (first["bytes"], first["events"]) == (whole["bytes"], whole["events"])
    assert first["took_ns"] == whole["ending"]["at"]
    assert first["lateness_p99_ns"] == whole["lateness_ns"]["p99"]


async def test_a_row_is_what_the_events_have_told(control, engine):
    await control.chat("hello")
    await control.chat("none")
    for row in (await journal(control))["records"]:
        told = [event.as_dict() for event in engine.feed.since(0) if event.as_dict()["number"] == row["number"]]
        start, end = told
        del end["at"]  # of the end, since the request was read
        assert {**start, **end, "gate": None} == row


async def test_page_by_page(control, engine):
    opened(engine, 25)
    first = await journal(control, "?limit=10")
    second = await journal(control, f"?limit=10&before={first['records'][-1]['number']}")
    third = await journal(control, f"?limit=10&before={second['records'][-1]['number']}")
    numbers = [[row["number"] for row in page["records"]] for page in (first, second, third)]
    assert numbers == [list(range(25, 15, -1)), list(range(15, 5, -1)), list(range(5, 0, -1))]
    assert [page["more"] for page in (first, second, third)] == [True, True, False]
    assert (await journal(control, "?before=1"))["records"] == []
    assert (await journal(control, "?limit=25"))["more"] is False


async def test_what_is_looked_for(control, engine):
    opened(engine, 3)
    await control.chat("hello", "a", "Where is the NEEDLE?")
    await control.chat("none", "a")
    for query, numbers in [
        ("session=a", [5, 4]), ("session=none", []), ("unmatched=1", [5]), ("text=needle", [4]),
        ("text=hello", [4, 3, 2, 1]), ("text=completions%3F1", [2]), ("text=404", [5]), ("text=nothing", []),
        ("session=many&text=needle", []),
    ]:  # fmt: skip
        told = await journal(control, f"?{query}")
        assert [row["number"] for row in told["records"]] == numbers, query
    assert (await journal(control, "?session=a"))["total"] == 2
    for query in ("limit=0", "limit=1001", "before=x", "unmatched=2", "limit=-1"):
        assert (await control("GET", f"/journal?{query}"))[0] == 400


async def test_what_is_in_flight(control, connect, served, engine):
    raw = await (await connect(served)).send(post("gated", path="/session/a/v1/chat/completions"))
    await raw.until(b"One")
    (row,) = (await journal(control))["records"]
    assert (row["how"], row["ended"], row["took_ns"], row["end"]) == ("in flight", "in flight", None, None)
    assert (row["events"], row["bytes"]) == (2, next(iter(engine.journal)).bytes)


async def test_a_request_and_what_was_planned_for_it(control):
    for _ in range(2):
        answer = await control.chat("hello")
    whole = await control.ok("GET", "/requests/2")
    assert json.loads(whole["request"]["body"])["model"] == "hello"
    assert whole["session"] == "a"
    timeline = whole["timeline"]
    assert (timeline["selector"], timeline["status"], timeline["more"]) == ("hello", 200, False)
    data = b"".join(base64.b64decode(row["base64"]) for row in timeline["actions"] if "base64" in row)
    head, _, body = data.partition(b"\r\n\r\n")
    assert answer.headers["x-request-id"].encode() in head
    ident = json.loads(answer.text.partition("\n")[0].removeprefix("data: "))["id"]
    assert ident.encode() in body
    assert len(data) == whole["bytes"]
    preview = (await control.ok("GET", "/scenarios/hello"))["timeline"]
    assert [row["do"] for row in preview["actions"]] == [row["do"] for row in timeline["actions"]]


@pytest.mark.parametrize(
    ("method", "path", "body", "mark"),
    [
        (b"POST", b"/v1/chat/completions", b"{}", b"HTTP/1.1 400"),
        (b"POST", b"/v1/chat/completions", b"no json", b"HTTP/1.1 400"),
        (b"GET", b"/v1/models", None, b'"ruled"'),
        (b"GET", b"/v1/models/none", None, b"HTTP/1.1 404"),
        (b"PUT", b"/v1/models", None, b"allow: GET, HEAD, OPTIONS"),
        (b"OPTIONS", b"/v1/models", None, b"HTTP/1.1 204"),
    ],
)
async def test_every_answer_has_been_planned(control, connect, served, method, path, body, mark):
    raw = await (await connect(served)).send(request(method, path, b"", body))
    await raw.until(mark)
    await raw.end(0.1)
    timeline = (await control.ok("GET", "/requests/1"))["timeline"]
    data = b"".join(base64.b64decode(row["base64"]) for row in timeline["actions"] if "base64" in row)
    assert data == raw.got


async def test_head_is_answered_without_a_body_and_so_planned(control, connect, served):
    raw = await (await connect(served)).send(request(b"HEAD", b"/v1/models"))
    await raw.end(0.1)
    (head, end) = (await control.ok("GET", "/requests/1"))["timeline"]["actions"]
    assert (base64.b64decode(head["base64"]), end["base64"]) == (raw.got, "")


async def test_what_is_not_kept(control):
    for number in ("1", "0", "x", "-1", "1" * 30, "%D9%A1"):
        status, told = await control("GET", f"/requests/{number}")
        assert (status, told["error"]["code"]) == (404, "unknown-request"), number
    await control.chat("hello")
    await control.ok("GET", "/requests/1")
    await control.ok("POST", "/sessions/a/reset")
    assert (await control("GET", "/requests/1"))[0] == 404


async def test_a_very_long_plan_is_shown_in_part(control, engine, monkeypatch):
    monkeypatch.setattr(showing, "SHOWN", 150)
    text = "stream: [role: assistant, {repeat: [say: word], times: 200}, done]\n"
    await control.ok("PUT", "/sessions/a/scenarios/endless", content=text)
    await control.chat("endless")
    timeline = (await control.ok("GET", "/requests/1"))["timeline"]
    assert (len(timeline["actions"]), timeline["more"]) == (150, True)
    monkeypatch.setattr(showing, "SHOWN", 10_000)
    monkeypatch.setattr(showing, "SHOWN_SIZE", 2000)
    timeline = (await control.ok("GET", "/requests/1"))["timeline"]
    assert (len(timeline["actions"]) < 100, timeline["more"]) == (True, True)


async def test_ten_thousand_requests_are_told_at_once(control, engine):
    opened(engine, 10_000)
    began = time.monotonic()
    told = await journal(control, "?session=many")
    assert (told["total"], told["dropped"], len(told["records"])) == (10_000, 0, 500)
    await journal(control, "?text=nothing-has-this")
    assert time.monotonic() - began < 2


async def test_the_plan_of_a_request_outlives_some_changes_of_the_files(control, engine):
    await control.chat("hello")
    assert (await control.ok("GET", "/requests/1"))["timeline"] is not None
    for _ in range(8):
        engine.swap(engine.library)
    await control.chat("hello")
    assert (await control.ok("GET", "/requests/1"))["timeline"] is not None
    engine.swap(engine.library)
    assert (await control.ok("GET", "/requests/1"))["timeline"] is None
    assert (await control.ok("GET", "/requests/2"))["timeline"] is not None


async def test_and_many_of_a_session_s_own(control):
    await control.ok("PUT", "/sessions/a/scenarios/mine", content="reply: Zero.\n")
    await control.chat("mine")
    for number in range(70):
        await control.ok("PUT", "/sessions/a/scenarios/mine", content=f"reply: Number {number}.\n")
        await control.chat("mine")
    assert (await control.ok("GET", "/requests/1"))["timeline"] is None
    timeline = (await control.ok("GET", "/requests/20"))["timeline"]
    assert "18" in "".join(row.get("text", "") for row in timeline["actions"] if row.get("part") == "body")
