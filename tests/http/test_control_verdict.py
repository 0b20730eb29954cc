"""The route that judges the client: what it takes, what it answers, and that it waits for what is in flight."""

from __future__ import annotations

import asyncio
import time

import pytest

from fakeserver.engine import Engine
from tests.http.control_stand_ins import library_in

CUT = "reply: Hello there.\nbreak: {at: 2, with: end}\n"


@pytest.fixture
def engine(tmp_path):
    return Engine(library_in(tmp_path))


async def test_nothing_is_found_where_nothing_was_asked(control):
    nothing = {"ok": True, "requests": 0, "findings": []}
    assert await control.ok("POST", "/sessions/a/verdict") == nothing
    report = {"outcome": "complete", "shown": "x", "cancelled_at": 1, "outcome_at": 2.5, "wait": "1s"}
    assert await control.ok("POST", "/sessions/a/verdict", report) == nothing


async def test_a_finding_has_its_evidence(control):
    for _ in range(2):  # the first one is told to wait for a second
        await control.chat("turns")
    (first, second) = await control.journal()
    told = await control.ok("POST", "/sessions/a/verdict")
    (finding,) = told["findings"]
    assert (told["ok"], told["requests"], finding["code"]) == (False, 2, "ignored-retry-after")
    assert finding["evidence"]["records"] == [first["number"], second["number"]]
    assert finding["evidence"]["told"] == 1
    assert 0 <= finding["evidence"]["waited"] < 1
    assert await control.ok("POST", "/sessions/b/verdict") == {"ok": True, "requests": 0, "findings": []}


async def test_the_report_is_held_against_what_was_sent(control):
    await control.ok("PUT", "/sessions/a/scenarios/cut", content=CUT)
    await control.chat("cut")
    (finding,) = (await control.ok("POST", "/sessions/a/verdict", {"outcome": "complete"}))["findings"]
    assert (finding["code"], finding["evidence"]["content"]) == ("truncated-taken-for-complete", "Hello")
    await control.ok("PUT", "/sessions/a/scenarios/cut", content="reply: Another.\n")
    told = await control.ok("POST", "/sessions/a/verdict", {"outcome": "complete"})
    assert told["findings"] == [finding], "what was sent is not what would be sent now"
    assert (await control.ok("POST", "/sessions/a/verdict", {"outcome": "truncated"}))["ok"]


async def test_it_waits_for_what_is_in_flight(control):
    stream = asyncio.create_task(control.chat("gated"))
    assert await control.ok("GET", "/sessions/a/gates/half?wait=10") == {"reached": 1}
    long_ago = {"cancelled_at": time.time()}
    judged = asyncio.create_task(control.ok("POST", "/sessions/a/verdict", {**long_ago, "wait": 10}))
    assert (await control.ok("POST", "/sessions/a/verdict", long_ago))["ok"], "so soon it may still leave"
    (found,) = (await control.ok("POST", "/sessions/a/verdict", {**long_ago, "wait": "1.1s"}))["findings"]
    assert (found["code"], found["evidence"]["how"]) == ("never-cancelled", "in flight")
    assert not judged.done()
    await control.ok("POST", "/sessions/a/gates/half/release")
    assert [each["code"] for each in (await judged)["findings"]] == ["never-cancelled"]
    await stream


async def test_a_record_tells_when_its_end_marker_went_out(control):
    await control.ok("PUT", "/sessions/a/scenarios/cut", content=CUT)
    await control.chat("hello")
    await control.chat("cut")
    marked = [record["end_marked_at"] for record in await control.journal()]
    assert isinstance(marked[0], int)
    assert marked[1] is None


@pytest.mark.parametrize("report", [{"outcome": "fine"}, {"shown": 1}, {"cancelled_at": -1}, {"said": "x"}])
async def test_what_is_no_report_is_refused(control, report):
    assert (await control("POST", "/sessions/a/verdict", report))[0] == 400
