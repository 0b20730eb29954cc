"""What can be asked for, as the page shows it: overlays, dialects, a scenario in a dialect or of an attempt."""

from __future__ import annotations

import json

import pytest

from fakeserver.engine import Engine
from tests.http.control_stand_ins import library_in, said


@pytest.fixture
def engine(tmp_path):
    (tmp_path / "pinned.yaml").write_text(
        "dialect: groq\nhead: {headers: {x-mine: here}}\n"
        "attempts: [{reply: One.}, {reply: Two., dialect: mistral}, {reply: Three.}]\n"
    )
    return Engine(library_in(tmp_path))


def text_of(timeline):
    return "".join(row.get("text", "") for row in timeline["actions"])


async def test_overlays_and_dialects(control):
    overlays = (await control.ok("GET", "/overlays"))["overlays"]
    slow = next(each for each in overlays if each["name"] == "slow")
    assert set(slow) == {"name", "about", "tags", "file"}
    assert slow["file"].endswith("overlays/slow.yaml")
    dialects = {each["name"]: each for each in (await control.ok("GET", "/dialects"))["dialects"]}
    assert list(dialects) == sorted(dialects)
    assert len(dialects) > 20
    assert set(dialects["groq"]) == {"name", "about", "base", "source", "known", "file"}
    assert any(each["known"].get("recorded") for each in dialects.values())


async def test_a_timeline_in_another_dialect(control):
    plain = await control.ok("GET", "/scenarios/hello")
    assert (plain["attempts"], plain["dialect"]) == (1, "openai")
    assert '"x_groq"' not in text_of(plain["timeline"])
    groq = await control.ok("GET", "/scenarios/hello?dialect=groq&overlays=slow")
    assert '"x_groq"' in text_of(groq["timeline"])
    assert groq["timeline"]["selector"] == "hello+slow"
    status, told = await control("GET", "/scenarios/hello?dialect=grok")
    assert (status, told["error"]["code"]) == (404, "unknown-dialect")
    assert "'groq'" in told["error"]["message"]


async def test_a_timeline_of_another_attempt(control):
    assert (await control.ok("GET", "/scenarios/turns"))["timeline"]["status"] == 429
    second = await control.ok("GET", "/scenarios/turns?attempt=2")
    assert (second["timeline"]["status"], second["attempts"]) == (200, 3)
    assert '"First' in text_of(second["timeline"])
    assert '"Second' in text_of((await control.ok("GET", "/scenarios/turns?attempt=99"))["timeline"])
    for attempt in ("0", "x", "-1"):
        assert (await control("GET", f"/scenarios/turns?attempt={attempt}"))[0] == 400


async def test_what_a_scenario_writes_stays_on_top_of_the_dialect(control):
    told = [
        text_of((await control.ok("GET", f"/scenarios/pinned?dialect=openai&attempt={n}"))["timeline"]) for n in (1, 2)
    ]
    own = text_of((await control.ok("GET", "/scenarios/pinned?attempt=2"))["timeline"])
    assert all("x-mine: here" in text for text in told)
    assert ["x_groq" in text for text in told] == [False, False]
    assert told[1] == own


async def test_a_session_speaks_a_dialect(control):
    async def answers():
        return ["x_groq" in (await control.chat("hello", session)).text for session in ("a", "b")]

    assert (await control.ok("GET", "/sessions/a/gates"))["gates"] == {}
    assert await answers() == [False, False]
    assert (await control.ok("PUT", "/sessions/a/dialect", {"dialect": "groq"}))["dialect"] == "groq"
    assert await answers() == [True, False]
    number = (await control.journal())[-1]["number"]
    assert "x_groq" in text_of((await control.ok("GET", f"/requests/{number}"))["timeline"])
    assert (await control.ok("PUT", "/sessions/a/dialect", {"dialect": None}))["dialect"] is None
    assert await answers() == [False, False]
    status, told = await control("PUT", "/sessions/a/dialect", {"dialect": "grok"})
    assert (status, told["error"]["code"]) == (404, "unknown-dialect")
    assert (await control("PUT", "/sessions/a/dialect", {}))[0] == 400


async def test_a_session_keeps_its_dialect_until_a_reset(control):
    await control.ok("PUT", "/sessions/a/dialect", {"dialect": "groq"})
    await control.chat("hello")
    assert (await control.ok("GET", "/sessions/a"))["dialect"] == "groq"
    assert (await control.ok("POST", "/sessions/a/reset"))["dialect"] is None


async def test_every_dialect_can_be_spoken(control):
    for each in (await control.ok("GET", "/dialects"))["dialects"]:
        await control.ok("PUT", "/sessions/a/dialect", {"dialect": each["name"]})
        answer = await control.chat("hello")
        assert answer.status_code == 200, each["name"]
        assert "Hello" in answer.text
        json.loads(next(line for line in answer.text.splitlines() if line.startswith("data: {"))[6:])
    await control.ok("PUT", "/sessions/a/dialect", {"dialect": None})
    assert said(await control.chat("hello")) == "Hello there."
