"""Findings about streams that stay open, on records made by hand."""

from __future__ import annotations

import pytest

from fakeserver.verdict import Report
from fakeserver.verdict.evidence import Evidence
from tests.verdict.making import answer, asked, codes, found, record


def marked(at: float, took: float | None, text: str = "{reply: Hi., break: {at: 100%, with: close}}", **more):
    """A stream whose end marker went out `at`, and which ended after it `took` seconds."""
    return answer(1, 0, text, took, end_marked_at=round(at * 1e9), **more)


# read-after-end-marker


def test_the_server_ends_long_after_the_marker():
    (finding,) = found(marked(0.5, 4))
    assert finding.code == "read-after-end-marker"
    assert finding.says == "The client of request #1 was still there 3.500 s after the end marker."
    assert finding.evidence == {"records": [1], "stayed": 3.5, "how": "ended: close"}


def test_the_client_leaves_long_after_the_marker():
    assert codes(marked(0.5, 4, by="FIN")) == ["read-after-end-marker"]


@pytest.mark.parametrize("took", [0.5, 0.6, 1.5])
def test_who_leaves_soon_has_not_read_on(took):
    assert codes(marked(0.5, took, by="FIN")) == codes(marked(0.5, took)) == []


def test_in_flight_until_now():
    assert codes(marked(0.5, None), now=4) == ["read-after-end-marker"]
    assert codes(marked(0.5, None), now=1) == codes(marked(0.5, None)) == []


def test_without_a_marker_there_is_nothing_to_leave_at():
    assert codes(record(1, 0, 30)) == codes(record(1, 0, None), now=30) == []


@pytest.mark.parametrize("text", [
    "{respond: {status: 200, json: {}}, head: {framing: length, length: 99}}",
    "{stream: [role: assistant, finish: stop, done, hang], head: {framing: length, length: 480}, envelope: {id: x}}",
])  # fmt: skip
def test_a_body_that_has_no_marker_or_is_over_with_it(text):
    assert codes(marked(0.5, 4, text)) == []


def test_it_is_unknown_what_was_sent_before_the_end():
    stream = marked(0.5, 4)
    stream.replan = None
    assert codes(stream) == []


def test_manual_time_is_no_time():
    assert codes(marked(0, 30, manual=True)) == codes(marked(0, None, manual=True), now=30) == []


# never-cancelled


def test_open_until_the_servers_end():
    (finding,) = found(record(1, 0, 9), cancelled_at=2)
    assert finding.code == "never-cancelled"
    assert finding.says == "The app cancelled, but the stream of request #1 was open for 7.000 s more."
    assert finding.evidence == {"records": [1], "stayed": 7.0, "how": "complete"}


def test_open_still():
    assert codes(record(1, 0, None), cancelled_at=2, now=3.5) == ["never-cancelled"]
    assert codes(record(1, 0, None, manual=True), cancelled_at=2, now=3.5) == ["never-cancelled"]
    assert codes(record(1, 0, None), cancelled_at=2, now=2.5) == codes(record(1, 0, None), cancelled_at=2) == []


@pytest.mark.parametrize("took", [1, 2, 2.9])
def test_who_leaves_in_time_has_cancelled(took):
    assert codes(record(1, 0, took, how="gone", kind=None, by="RST"), cancelled_at=2) == []


def test_who_leaves_late_has_not():
    assert codes(record(1, 0, 8, how="gone", kind=None, by="FIN"), cancelled_at=2) == ["never-cancelled"]


def test_the_outcome_was_told_and_the_stream_stays():
    (finding,) = found(record(1, 0, 9, how="gone", kind="hang", by="FIN"), outcome_at=2)
    assert (finding.code, "The app told its outcome" in finding.says) == ("never-cancelled", True)


def test_a_stream_that_was_over_needs_no_cancelling():
    """It is read on, which is another thing."""
    assert codes(marked(1, 9), cancelled_at=2) == ["read-after-end-marker"]
    assert codes(marked(3, 3.1), cancelled_at=1) == ["never-cancelled"]
    assert codes(marked(0, None, manual=True), cancelled_at=2, now=9) == [], "when that was is not known"


def test_it_is_the_last_call_that_had_begun():
    old, meant, later = record(1, 0, 60), record(2, 1, 1.5), record(3, 5, 60)
    assert codes(old, meant, later, cancelled_at=2) == []
    models = record(4, 6, 60, ask=asked(method="GET", path="/v1/models"))
    assert [finding.evidence["records"] for finding in found(old, meant, later, models, cancelled_at=7)] == [[3]]


def test_no_call_had_begun():
    assert codes(record(1, 5, 60), cancelled_at=2) == codes(cancelled_at=2) == []


def test_manual_time_does_not_tell_when_it_ended():
    assert codes(record(1, 0, 60, manual=True), cancelled_at=2) == []


# truncated-taken-for-complete


@pytest.mark.parametrize("end", ["reset", "close", "hang", "end"])
def test_a_cut_answer_is_taken_for_whole(end):
    cut = answer(1, 0, f"{{reply: Hello there., break: {{at: 2, with: {end}}}}}")
    (finding,) = found(cut, outcome="complete")
    assert finding.code == "truncated-taken-for-complete"
    assert "that of request #1 is truncated: 2 events, then " in finding.says
    assert finding.evidence == {"records": [1], "outcome": "truncated", "content": "Hello", "events": 2, "how": cut.how}
    for outcome in ("truncated", "failed", "refused", None):
        assert codes(cut, outcome=outcome) == []


@pytest.mark.parametrize("end", ["reset", "close", "hang", "end"])
def test_what_may_be_read_as_whole_is_no_evidence(end):
    """Between the finish and the end marker."""
    assert codes(answer(1, 0, f"{{reply: Hello there., break: {{at: done, with: {end}}}}}"), outcome="complete") == []


@pytest.mark.parametrize("text", ["reply: Hello there.", "reply: {refuse: I cannot.}", "reply: {call: {name: f}}"])
def test_a_whole_answer(text):
    assert codes(answer(1, 0, text), outcome="complete") == []


def test_a_failure_in_the_stream_is_no_whole_answer():
    failed = answer(1, 0, "reply: {say: Hello th, fail: {message: The server had an error, type: server_error}}")
    (finding,) = found(failed, outcome="complete")
    assert (finding.evidence["outcome"], finding.evidence["content"]) == ("failed", "Hello th")


def test_a_client_that_left_by_itself_may_have_had_enough():
    gone = answer(1, 0, "reply: Hello there.", how="gone", kind=None, by="FIN", events=2)
    assert codes(gone, outcome="complete") == []
    assert codes(answer(1, 0, "reply: Hello there.", took=None, events=2), outcome="complete", now=60) == []
    assert codes(answer(1, 0, "reply: Hello there.", how="stopped", kind=None, events=2), outcome="complete") == []


def test_a_release_cuts_too():
    """A test has let the gate go into a reset: the script would have gone on."""
    cut = answer(
        1, 0, "stream: [say: Half, gate: g, say: ' more', finish: stop, done]", how="ended", kind="reset", events=1
    )
    (finding,) = found(cut, outcome="complete")
    assert finding.evidence["content"] == "Half"


def test_an_error_instead_of_an_answer_proves_nothing():
    """An app may have an answer of its own for that."""
    assert codes(answer(1, 0, "respond: server-error"), outcome="complete") == []


def test_it_is_unknown_what_was_sent():
    cut = answer(1, 0, "{reply: Hello there., break: {at: 2, with: reset}}")
    cut.bytes = 1 << 30
    assert codes(cut, outcome="complete") == []
    cut.bytes, cut.replan = 500, None
    assert codes(cut, outcome="complete") == []


def test_it_is_the_last_answer_that_counts():
    cut, whole = answer(1, 0, "{reply: Hi., break: {at: 1, with: reset}}"), answer(2, 1, "reply: Hi.")
    assert codes(cut, whole, outcome="complete") == []
    assert codes(whole, answer(3, 2, "{reply: Hi., break: {at: 1, with: reset}}"), outcome="complete") != []


def test_answers_of_one_plan_that_ended_apart_are_read_apart():
    script = "reply: Hello there."
    cut, more = (answer(n, n, script, how="ended", kind="reset", events=n + 1) for n in (1, 2))
    more.replan = cut.replan
    whole = answer(3, 3, script)
    whole.replan = cut.replan
    evidence = Evidence([], Report())
    said = [evidence.readings(each)[0].content for each in (cut, more, whole, cut)]
    assert said == ["Hello", "Hello there", "Hello there.", "Hello"]
    assert evidence.unfinished(cut)
    assert not evidence.unfinished(whole)
