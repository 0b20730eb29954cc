"""What assertions say when they fail, as golden texts; and that they hold where they should.

`WRITE_GOLDEN=1 pytest tests/testing/test_assertions.py` writes the texts anew: read them before they are committed.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fakeserver.testing.observing import Observed
from fakeserver.testing.requests import Lateness, lateness_of, request_of
from fakeserver.testing.timeline import timeline
from tests.testing.asking import ask, one_event, streaming

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "assertions"


def record(number: int = 1, at: float = 0, **more: Any) -> dict[str, Any]:
    """One as the control API tells it, of a stream of three writes; `at` in seconds."""
    times = more.pop("times", [(0, 0), (300, 300.2), (320, 327)])
    return {
        "number": number, "session": "s", "at": 1_770_000_000_000_000_000 + round(at * 1e9),
        "request": {"method": "POST", "path": "/session/s/v1/chat/completions", "headers": {}, "body": "{}"},
        "scenario": "hello", "attempt": 1, "why": "use", "status": 200, "retry_after": None, "unmatched": None,
        "writes": len(times), "bytes": 800, "events": 2, "gates": [], "how": "complete",
        "times_ns": [[round(planned * 1e6), round(actual * 1e6)] for planned, actual in times],
        "lateness_ns": {"p50": 0, "p99": 7_000_000, "max": 7_000_000},
        "ending": {"how": "complete", "at": 330_000_000}, **more,
    }  # fmt: skip


LIMITED: dict[str, Any] = {"scenario": "busy", "status": 429, "retry_after": 1.0, "times": [(0, 0)]}
HELD: dict[str, Any] = {"how": "in flight", "ending": None, "gates": [{"gate": "half", "at": 350_000_000}]}
GONE: dict[str, Any] = {"how": "client gone after event 2, byte 800, by FIN, at 0.330 s",
                        "ending": {"how": "gone", "at": 330_000_000}}  # fmt: skip
NEAR = (
    "The model `x` does not exist. No `when` rule matches. The only rule, and all that differs:\n1. weather at w.yaml:2"
)
MISSED: dict[str, Any] = {"scenario": "", "attempt": 0, "why": "no rule matches", "status": 404, "times": [(0, 0)],
                          "unmatched": {"message": NEAR}}  # fmt: skip
LONG: dict[str, Any] = {"times": [(n * 10, n * 10 + 0.1) for n in range(64)], "writes": 5000}


class Told(Observed):
    """A session whose journal holds these records."""

    url = "http://127.0.0.1:8437"

    def __init__(self, *records: dict[str, Any], **answers: Any) -> None:
        self._told, self._answers = records, answers
        super().__init__(self, "s")  # type: ignore[arg-type]

    def get(self, path: str, wait: float = 0) -> dict[str, Any]:
        return {"records": self._told, **self._answers}

    def __call__(self, *call: Any) -> dict[str, Any]:
        return self._answers


def row(number: int, planned: float, actual: float) -> dict[str, Any]:
    return record(number, planned, times=[(planned, actual)])


FAILS: dict[str, tuple[Told, Callable[[Told], object]]] = {
    "cancelled-but-complete": (Told(record()), lambda s: s.assert_cancelled(within=0.5)),
    "cancelled-but-held": (Told(record(**HELD)), lambda s: s.assert_cancelled(within=0.5)),
    "cancelled-but-nothing-came": (Told(), lambda s: s.assert_cancelled()),
    "attempts-too-few": (Told(record(**LIMITED), record(2, 1.4)), lambda s: s.assert_attempts(3)),
    "attempts-too-many": (Told(record(), record(2, 1.4)), lambda s: s.assert_attempts(1)),
    "attempts-of-another": (Told(record(**LIMITED)), lambda s: s.assert_attempts(1, scenario="hello")),
    "attempts-too-early": (
        Told(record(**LIMITED), record(2, 0.25, attempt=2)),
        lambda s: s.assert_attempts(2, respecting_retry_after=True),
    ),
    "unmatched": (Told(record(), record(2, 0.1, **MISSED)), lambda s: s.assert_no_unmatched()),
    "not-consumed": (
        Told(record(), queue=[{"scenario": "busy", "times": 2}, {"scenario": "hello+slow", "times": 1}]),
        lambda s: s.assert_all_consumed(),
    ),
    "not-on-time": (Told(record()), lambda s: s.assert_on_time(p99=0.002)),
    "verify": (
        Told(record(**GONE), ok=False, message="2 requests of hello expected, 1 of 1 found.\n  #1 ..."),
        lambda s: s.verify("hello", count=2),
    ),
    "not-well-behaved": (
        Told(
            record(**LIMITED),
            record(2, 0.25),
            ok=False,
            requests=2,
            findings=[
                {"code": "ignored-retry-after", "says": "Request #2 came 0.250 s after #1.", "evidence": {}},
                {"code": "text-shown-twice", "says": "The app showed 'Hi' twice.", "evidence": {}},
            ],
        ),
        lambda s: s.assert_well_behaved(shown="HiHi"),
    ),
    "well-behaved-but-nothing-came": (
        Told(ok=True, requests=0, findings=[]),
        lambda s: s.assert_well_behaved(outcome="complete"),
    ),
    "many-writes": (Told(record(**LONG)), lambda s: s.assert_attempts(2)),
    "many-requests": (Told(*(record(n, n, times=[]) for n in range(1, 31))), lambda s: s.assert_attempts(2)),
}


@pytest.mark.parametrize("situation", FAILS)
def test_what_a_failure_says(situation):
    told, fails = FAILS[situation]
    with pytest.raises(AssertionError) as failure:
        fails(told)
    path = GOLDEN / f"{situation}.txt"
    if os.environ.get("WRITE_GOLDEN"):
        path.write_text(f"{failure.value}\n", "utf-8")
    assert f"{failure.value}\n" == path.read_text("utf-8")


def test_every_golden_text_has_its_situation():
    assert {path.stem for path in GOLDEN.glob("*.txt")} == {*FAILS}


def test_what_holds_says_nothing():
    Told(record(), record(2, **GONE)).assert_cancelled()
    patient = Told(record(**LIMITED), record(2, 1.4, attempt=2, **LIMITED), record(3, 2.399, attempt=3))
    patient.assert_attempts(3, respecting_retry_after=True)
    patient.assert_attempts(2, scenario="busy")
    Told(record(scenario="hello+slow")).assert_attempts(1, scenario="hello")
    Told(record()).assert_no_unmatched()
    Told(queue=[]).assert_all_consumed()
    Told(record(), requests=1, findings=[]).assert_well_behaved(outcome="complete")
    Told(record()).assert_on_time()


def test_requests_that_ask_for_no_answer_are_no_attempts():
    models = {"method": "GET", "path": "/v1/models?x=/chat/completions", "headers": {}, "body": ""}
    Told(record(request=models)).assert_attempts(0)


def test_lateness_of_several():
    short = request_of(record(times=[(0, 0), (10, 9), (20, 24)]) | {"lateness_ns": {"p50": 0, "p99": 4e6, "max": 4e6}})
    long = request_of(record(**LONG) | {"lateness_ns": {"p50": 1e5, "p99": 9e6, "max": 5e7}})
    assert lateness_of([]) == Lateness(0, 0, 0)
    assert lateness_of([short]) == Lateness(0, pytest.approx(0.004), 0.004)
    assert lateness_of([short, long]) == Lateness(pytest.approx(0.0001), 0.009, 0.05)
    assert str(lateness_of([short])) == "p50 0.00 ms, p99 4.00 ms, max 4.00 ms"


def test_nothing_came():
    assert timeline([]) == "No request has come."


# Against the server.


def test_a_client_that_leaves_has_cancelled(session):
    session.reply("Hello there, how are you?", every=0.2)
    with streaming(session) as answer:
        one_event(answer)
    began = time.monotonic()
    session.assert_cancelled(within=5)
    assert time.monotonic() - began < 2
    assert session.requests[0].ended == "gone"


def test_a_client_that_stays_has_not(session):
    session.use("hello")
    ask(session)
    with pytest.raises(
        AssertionError, match=r"(?s)within 0\.1 s, but what happened is: complete\.\n#\d+ \+0\.000 s  POST /v1/chat"
    ):
        session.assert_cancelled(within=0.1)


@pytest.mark.parametrize(("headers", "wait"), [
    ("{retry-after: 1}", 1), ("{retry-after: '0.05'}", 0.05), ("{retry-after-ms: 50, retry-after: 9}", 0.05),
    ("{retry-after: soon}", None), ("{}", None),
])  # fmt: skip
def test_the_wait_that_an_answer_asks_for(session, headers, wait):
    session.script(f"respond: {{status: 429, text: Later., headers: {headers}}}")
    ask(session)
    ask(session)
    assert session.requests[0].retry_after == wait
    session.assert_attempts(2)
    if wait:
        with pytest.raises(AssertionError, match="retry-after"):
            session.assert_attempts(2, respecting_retry_after=True)


def test_a_wait_until_a_date(session):
    session.script("respond: {status: 503, text: Later., headers: {retry-after: {$time: 30s, as: http-date}}}")
    ask(session)
    assert 29 < session.requests[0].retry_after <= 31.1


def test_verify_by_scenario_body_and_end(session):
    session.use("hello")
    ask(session, temperature=0)
    ask(session, temperature=1)
    assert [each.json["temperature"] for each in session.verify("hello", body={"/temperature": 1})] == [1]
    assert len(session.verify(count=2, ended="complete")) == 2
    assert session.verify(at_most=0, ended="gone") == []
    with pytest.raises(AssertionError, match=r"3 requests expected, 2 of 2 found\.\n#"):
        session.verify(count=3)


def test_the_queue_is_used_up(session):
    session.enqueue("hello")
    with pytest.raises(AssertionError, match="Left in the queue: 1 x hello"):
        session.assert_all_consumed()
    ask(session)
    session.assert_all_consumed()


def test_on_time(session):
    session.reply("Hello there, how are you?", first=0.02, every=0.01)
    ask(session)
    session.assert_on_time(p99=1)
    with pytest.raises(AssertionError, match="p50"):
        session.assert_on_time(p99=0)
