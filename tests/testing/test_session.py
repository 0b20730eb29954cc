"""Everything that a session does, against a real server, by its blocking calls."""

from __future__ import annotations

import threading
import time
from contextlib import nullcontext
from http.client import IncompleteRead

import pytest

from fakeserver.testing import FakeServerError, ScenarioError
from tests.testing.asking import ask, one_event, said, streaming

HELD = """
    stream:
      - {role: assistant, say: Half}
      - gate: half
      - {say: " and half.", finish: stop}
      - done
"""


def test_where_it_is(server, session):
    assert server.base_url == f"{server.url}/v1"
    assert session.base_url == f"{server.url}/session/{session.id}/v1"
    assert session.env() == {"OPENAI_BASE_URL": session.base_url, "OPENAI_API_KEY": "fakeserver"}
    assert server.session("a b/c").base_url == f"{server.url}/session/a%20b%2Fc/v1"
    assert session.id in repr(session)


def test_use_and_the_queue_before_it(session):
    session.script("respond: rate-limited", name="busy")
    session.use("hello")
    session.enqueue("busy", times=2)
    assert [ask(session)[0] for _ in range(3)] == [429, 429, 200]
    session.use(None)
    assert ask(session)[0] == 404
    with pytest.raises(FakeServerError, match=r"helo.*did you mean 'hello'") as told:
        session.use("helo")
    assert told.value.code == "unknown-scenario"


def test_a_script_answers_from_now_on(session):
    assert session.script("reply: One.") == "script-1"
    assert said(ask(session)[1]) == "One."
    assert session.script("reply: Two.", name="two") == "two"
    session.enqueue("script-1")
    assert [said(ask(session)[1]) for _ in range(2)] == ["One.", "Two."]


def test_a_script_with_errors_shows_them(session):
    with pytest.raises(ScenarioError) as told:
        session.script("""
            reply: Hi
            wire: {newlin: lf}
        """)
    assert str(told.value) == (
        "\nscript-1.yaml:3:8: unknown-key unknown key 'newlin'\n"
        "    wire: {newlin: lf}\n"
        "           ^\n"
        "    did you mean 'newline'?"
    )
    assert [(each["line"], each["code"]) for each in told.value.problems] == [(3, "unknown-key")]
    assert ask(session)[0] == 404


@pytest.mark.parametrize("text", ["Hi", 'quotes " and \\ and {braces}: #', "é😀\u0007\n\t\u2028", "no", "", " - x"])
def test_a_reply_says_any_text(session, text):
    session.reply(text)
    assert said(ask(session)[1]) == text


def test_a_reply_has_times_and_cuts(session):
    session.reply(["a", "bé", "c"], first=0.05, every=0.02, cut="utf8")
    assert said(ask(session)[1]) == "abéc"
    planned = [planned for planned, _ in session.requests[0].writes]
    assert planned == pytest.approx([0, 0.05, 0.07, 0.09, 0.091, 0.11, 0.13, 0.13], abs=0.0025)
    session.reply("a", cut=1)
    ask(session)
    assert session.requests[1].write_count > 500


def test_a_gate_holds_until_it_is_released(session):
    session.script(HELD)
    with streaming(session) as answer:
        assert session.gates["half"].wait() == 1
        one_event(answer)
        assert session.requests[0].ended == "in flight"
        assert session.gates["half"].release() == 1
        assert "and half" in answer.read().decode()
    assert session.requests[0].gates[0][0] == "half"


@pytest.mark.parametrize(("end", "outcome"), [("reset", "ended"), ("close", "ended"), ("end", "complete")])
def test_a_gate_can_lead_to_another_end(session, end, outcome):
    session.script(HELD)
    with streaming(session) as answer:
        session.gates["half"].wait()
        session.gates["half"].release(end=end)
        with nullcontext() if end == "end" else pytest.raises((OSError, IncompleteRead)):
            answer.read()
    session.verify(ended=outcome, count=1)


def test_a_gate_can_lead_to_an_error(session):
    session.script(HELD)
    with streaming(session) as answer:
        session.gates["half"].wait()
        session.gates["half"].release(error="overloaded")
        assert '"error"' in answer.read().decode()
    with pytest.raises(FakeServerError, match="error 'nonsense'"):
        session.gates["half"].release(error="nonsense")


def test_a_gate_that_nobody_reaches_says_what_happened(session):
    session.use("hello")
    ask(session)
    began = time.monotonic()
    with pytest.raises(TimeoutError, match=r"(?s)^No stream came to the gate 'half' within 0.05 s.*200 hello \(use\)"):
        session.gates["half"].wait(timeout=0.05)
    assert time.monotonic() - began < 2


def test_steps(session):
    session.reply(["One", "Two"])
    session.hold_all()
    with streaming(session) as answer:
        session.step()
        assert '"role":"assistant"' in one_event(answer)
        session.step()
        assert "One" in one_event(answer)
        session.hold_all(False)
        assert "Two" in answer.read().decode()
    with pytest.raises(TimeoutError):
        session.step(timeout=0.01)


def test_a_stall_of_a_minute_takes_no_time(session):
    session.clock.manual()
    session.script("stream: [{role: assistant, say: One}, wait: 60s, {say: Two, finish: stop}, done]")
    began = time.monotonic()
    with streaming(session) as answer:
        assert session.clock.wait(streams=1) == 1
        assert session.clock.advance(59.5) == 59.5
        assert session.requests[0].ended == "in flight"
        assert session.clock.advance(0.5) == 60.0
        assert said(answer.read().decode()) == "OneTwo"
    assert time.monotonic() - began < 10
    assert session.requests[0].writes[-1] == (60.0, 60.0)
    session.clock.wall()
    with pytest.raises(FakeServerError) as told:
        session.clock.advance(1)
    assert told.value.code == "wall-clock"
    with pytest.raises(TimeoutError, match="0 of 1 streams"):
        session.clock.wait(timeout=0.01)


def test_a_speed_of_its_own(session):
    session.reply("Hi", first=30)
    session.speed("instant")
    assert said(ask(session)[1]) == "Hi"
    session.reply("Hi", first=3)
    session.speed(100)
    began = time.monotonic()
    ask(session)
    assert 0.03 <= time.monotonic() - began < 2
    session.speed(None)


def test_what_a_request_tells(session):
    session.use("hello")
    ask(session, temperature=0.5)
    (request,) = session.requests
    assert (request.method, request.status, request.scenario, request.why) == ("POST", 200, "hello", "use")
    assert (request.attempt, request.ended, request.how, request.unmatched) == (1, "complete", "complete", None)
    assert request.json["temperature"] == 0.5
    assert request.headers["content-type"] == "application/json"
    assert request.headers["authorization"] == "[redacted]"
    assert request.is_chat
    assert request.retry_after is None
    assert abs(request.at - time.time()) < 60
    assert 0 < request.ended_at < 10
    assert session.lateness() == request.lateness


def test_reset_ends_what_is_in_flight_and_forgets(session):
    session.script(HELD)
    with streaming(session):
        session.gates["half"].wait()
        session.reset()
        assert session.requests == []
        assert ask(session)[0] == 404


def test_sessions_do_not_see_each_other(server, session):
    other = server.session()
    other.use("hello")
    session.reply("Mine.")
    assert said(ask(other)[1]) != said(ask(session)[1])
    assert len(session.requests) == len(other.requests) == 1
    other.drop()
    other.drop()
    server.session("never-used").drop()


def test_many_threads_share_a_server(session):
    session.script(HELD)
    found: list[int] = []

    def play() -> None:
        with streaming(session) as answer:
            answer.read()
            found.append(answer.status)

    threads = [threading.Thread(target=play) for _ in range(8)]
    for thread in threads:
        thread.start()
    deadline = time.monotonic() + 20
    while len(found) < 8 and time.monotonic() < deadline:
        session.gates["half"].release()
        time.sleep(0.005)
    for thread in threads:
        thread.join()
    session.verify(ended="complete", count=8)
