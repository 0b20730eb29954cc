"""Findings about requests that come again, on records made by hand: each present, and absent where it nearly is."""

from __future__ import annotations

import pytest

from fakeserver.journal import BODY_KEPT
from fakeserver.plan import Plan
from tests.verdict.making import HI, answer, asked, codes, failure, found, record, told


def series(*moments: float, **more):
    """The same failing request at these moments."""
    return [failure(number, at, **more) for number, at in enumerate(moments, 1)]


# ignored-retry-after


def test_a_repeat_before_its_time():
    (finding,) = found(told(1, 0, 2, took=0.5), record(2, 1.5))
    assert finding.code == "ignored-retry-after"
    assert finding.says == "Request #2 came 1.000 s after #1 was answered, which asked for 2 s (retry-after)."
    assert finding.evidence == {"records": [1, 2], "told": 2, "waited": 1.0}


@pytest.mark.parametrize(("wait", "seen"), [(1.98, True), (1.991, False), (2, False), (5, False)])
def test_a_timer_may_round_down(wait, seen):
    assert codes(told(1, 0, 2, took=0), record(2, wait)) == ["ignored-retry-after"] * seen


def test_a_date_counts_from_the_request():
    dated = told(1, 0, 2, took=1.5, retry_dated=True)
    assert codes(dated, record(2, 2.0)) == []
    assert codes(dated, record(2, 1.8)) == ["ignored-retry-after"]
    assert codes(told(1, 0, 2, took=1.5), record(2, 2.0)) == ["ignored-retry-after"]


def test_seconds_count_from_the_head_where_a_client_reads_them():
    slow = told(1, 0, 2, took=1.5)
    slow.lateness.add(0, 500_000_000)  # the head
    slow.lateness.add(0, 1_500_000_000)
    assert codes(slow, record(2, 2.6)) == []
    assert codes(slow, record(2, 2.4)) == ["ignored-retry-after"]


@pytest.mark.parametrize("seconds", [None, 0, -30])
def test_nothing_told_or_a_time_that_has_passed(seconds):
    assert codes(told(1, 0, seconds), record(2, 0.01)) == []


def test_each_of_a_chain_by_itself():
    chain = told(1, 0, 1), told(2, 0.5, 1), told(3, 1.6, 1), record(4, 1.9)
    assert [finding.evidence["records"] for finding in found(*chain)] == [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    "other",
    [
        {"ask": asked(b"{}")},
        {"ask": asked(path="/session/s/v1/models")},
        {"ask": asked(method="GET")},
        {"session": "t"},
    ],
)
def test_another_request_is_no_repeat(other):
    assert codes(told(1, 0, 9), record(2, 0.1, **other)) == []


def test_a_body_that_was_not_kept_whole_is_no_repeat():
    long = asked(b"x" * (BODY_KEPT + 1))
    assert codes(told(1, 0, 9, ask=long), record(2, 0.1, ask=long)) == []


def test_what_is_asked_at_the_same_time_is_no_repeat():
    """Two calls with one body: each one's repeat has waited, though less than a second after the other's failure."""
    first, second = told(1, 0, 1), told(2, 0.6, 1)
    assert codes(first, second) == ["ignored-retry-after"]
    assert codes(told(1, 0, 1, took=0.7), told(2, 0.6, 1, took=0.2), record(3, 1.75), record(4, 1.85)) == []


def test_a_manual_clock_has_no_real_end():
    assert codes(told(1, 0, 1, took=0, manual=True), record(2, 0.2)) == ["ignored-retry-after"]
    assert codes(told(1, 0, 1, took=30, manual=True), record(2, 31.2)) == []
    assert codes(told(1, 0, 1, took=0, manual=True, gates=[("g", 0)]), record(2, 0.2)) == []


def test_requests_that_were_none_are_nothing():
    nothing = asked(b"", "", "")
    assert codes(*(failure(n, n / 100, status=400, ask=nothing) for n in range(1, 20))) == []


# retried-what-must-not-be


@pytest.mark.parametrize("status", [400, 403, 404, 405, 413, 422, 499])
def test_a_status_that_stays_the_same(status):
    (finding,) = found(failure(1, 0, status=status), record(2, 0.5))
    assert finding.code == "retried-what-must-not-be"
    assert finding.evidence["records"] == [1, 2]
    assert (finding.evidence["status"], finding.evidence["why"]) == (status, f"status {status}")
    assert codes(failure(1, 0, status=status), record(2, 2.5)) == [], "a person may have asked again"
    assert codes(failure(1, 0, status=status, may_retry=True), record(2, 0.5)) == []


@pytest.mark.parametrize("status", [200, 408, 409, 425, 429, 500, 502, 503])
def test_a_status_that_may_pass(status):
    assert codes(failure(1, 0, status=status), record(2, 0.5)) == []
    wanted = [] if status == 200 else ["retried-what-must-not-be"]
    assert codes(failure(1, 0, status=status, may_retry=False), record(2, 0.5)) == wanted


def test_the_clients_own_count_is_proof_at_any_time():
    def counted(first: int | None, second: int | None):
        return failure(1, 0, status=401, ask=asked(retries=first)), record(2, 9, ask=asked(retries=second))

    (finding,) = found(*counted(0, 1))
    assert finding.evidence["proof"] == "x-stainless-retry-count: 1"
    assert codes(*counted(1, 2)) == codes(*counted(None, 1)) == ["retried-what-must-not-be"]
    assert codes(*counted(0, 0)) == codes(*counted(0, 2)) == codes(*counted(None, None)) == []


def test_after_a_401_the_time_is_no_proof():
    assert codes(failure(1, 0, status=401), record(2, 0.01)) == [], "it may have fetched a new key"


@pytest.mark.parametrize(("respond", "wanted"), [
    ("quota-exceeded", ["retried-what-must-not-be"]),
    ("{status: 429, json: {error: {message: m, type: insufficient_quota, code: null}}}", ["retried-what-must-not-be"]),
    ("rate-limited", []),
    ("{status: 429, text: insufficient_quota}", []),
])  # fmt: skip
def test_a_quota_that_is_used_up(respond, wanted):
    assert codes(answer(1, 0, f"respond: {respond}"), record(2, 1)) == wanted
    assert codes(failure(1, 0), record(2, 1)) == [], "it is not known what was sent"


def test_a_whole_answer_may_be_asked_for_again():
    assert codes(*(record(n, n / 1000, took=0, ask=asked(HI, retries=n)) for n in range(1, 30))) == []


# retry-storm


def test_too_often_in_all():
    (finding,) = found(*series(*(n * (n + 1.0) for n in range(12))))
    assert finding.code == "retry-storm"
    assert finding.evidence == {"records": [*range(1, 13)], "repeats": 11, "within_a_second": 1}
    assert codes(*series(*(n * (n + 1.0) for n in range(11)))) == []


def test_too_often_in_a_second():
    storm = series(0, 0.1, 0.25, 0.5, 0.9)
    (finding,) = found(*storm)
    assert (finding.code, finding.evidence["within_a_second"]) == ("retry-storm", 4)
    assert "repeated 4 times in all, at most 4 of them within one second" in finding.says
    assert codes(*series(0, 0.1, 0.25, 0.5, 1.2)) == []


def test_as_it_was_told_is_no_burst():
    assert codes(*(told(n, n * 0.06, 0.05) for n in range(1, 9))) == []


def test_calls_side_by_side_are_no_storm():
    """Five at once, each of which comes again once."""
    first = [failure(n, 0.0, took=0.1) for n in range(1, 6)]
    assert codes(*first, *(failure(n, 0.5 + n / 100) for n in range(6, 11))) == []


# no-back-off


def test_at_once_twice():
    (finding,) = found(*series(0, 0.01, 0.03))
    assert finding.code == "no-back-off"
    assert finding.says == "Request #1 failed and was repeated at once (0.009, 0.019 s)."
    assert finding.evidence == {"records": [1, 2, 3], "delays": [0.009, 0.019]}


@pytest.mark.parametrize("moments", [(0, 0.01), (0, 0.01, 0.2), (0, 0.2, 0.21), (0, 0.5, 1.5, 3.5)])
def test_one_repeat_at_once_or_delays_that_grow(moments):
    assert codes(*series(*moments)) == []


def test_always_the_same_delay():
    (finding,) = found(*series(0, 0.5, 1.01, 1.52, 2.02))
    assert (finding.code, "after the same delay each time" in finding.says) == ("no-back-off", True)
    assert codes(*series(0, 0.5, 1.01, 1.52)) == [], "three may be chance"
    assert codes(*series(0, 0.5, 0.9, 1.5, 2.1)) == [], "jitter"
    assert codes(*series(0, 5, 10, 15, 20)) == [], "a poll, and a slow one"


def test_who_was_told_when_to_come_is_not_asked_to_back_off():
    assert codes(*(told(n, n / 100, 0) for n in range(1, 4))) == []


@pytest.mark.parametrize(("text", "wanted"), [
    ("{reply: Hello there., break: {at: 3, with: reset}}", ["no-back-off"]),
    ("{reply: Hello there., break: {at: done, with: close}}", []),
])  # fmt: skip
def test_a_cut_answer_is_a_failure_and_a_whole_one_is_none(text, wanted):
    assert codes(*(answer(n, n / 100, text, took=0.001) for n in range(1, 4))) == wanted


def test_a_client_that_leaves_has_not_failed():
    left = {"how": "gone", "kind": None, "by": "FIN", "events": 2}
    assert codes(*(answer(n, n / 100, "reply: Hello there.", took=0.001, **left) for n in range(1, 30))) == []


def test_no_answer_at_all_is_a_failure():
    none = {"how": "ended", "kind": "reset-now", "status": None, "script": Plan((), None)}
    assert codes(*(record(n, n / 100, **none) for n in range(1, 4))) == ["no-back-off"]
