"""What is right and an outcome -> a mark: the table of it."""

from __future__ import annotations

from typing import Any

import pytest

from fakeserver.conform.judging import Judgement, beside, judge
from fakeserver.conform.outcome import outcome_of
from fakeserver.verdict import Finding

WHOLE = {"outcome": "complete", "content": "Hi there", "finish_reason": "stop"}
CUT = {"outcome": "truncated", "content": "Hi"}
FAILED = {"outcome": "failed", "content": "Hi", "error": {"code": 502}}
REFUSED = {"outcome": "refused", "refusal": "No."}
CALL = {"tool_calls": [{"index": 1, "id": "c1", "name": "f", "arguments": {"a": 1}}]}
USED = {"usage": {"total_tokens": 3}}
BOTH = [{"index": 0, "content": "A1", "finish_reason": "stop"}, {"index": 1, "content": "B2"}]
TWO = {"choices": [{"content": "A1", "finish_reason": "stop"}, {"content": "B2"}]}


def call(**changed: Any) -> dict[str, Any]:
    return {"tool_calls": [{"index": 1, "id": "c1", "name": "f", "arguments": '{"a": 1}', **changed}]}


TABLE = [
    (WHOLE, {"content": "Hi there", "finish_reason": "stop"}, "green"),
    (WHOLE, {"content": "Hi there"}, "amber"),
    (WHOLE, {"content": "Hi", "finish_reason": "stop"}, "red"),
    (WHOLE, {"content": "Hi thereHi there", "finish_reason": "stop"}, "red"),
    (WHOLE, {"content": "Hi", "raised": "APIError"}, "amber"),
    (WHOLE, {"content": "Hi there", "finish_reason": "stop", "outcome": "truncated"}, "amber"),
    (CUT, {"content": "Hi", "raised": "RemoteProtocolError"}, "green"),
    (CUT, {"content": "Hi", "outcome": "truncated"}, "green"),
    (CUT, {"content": "Hi", "outcome": "failed"}, "green"),
    (CUT, {"content": "Hi"}, "red"),
    (CUT, {"content": "", "raised": "RemoteProtocolError"}, "amber"),
    (FAILED, {"content": "Hi", "raised": {"class": "APIError", "error": "Overloaded"}}, "green"),
    (FAILED, {"content": "Hi"}, "red"),
    (REFUSED, {"refusal": "No."}, "green"),
    (REFUSED, {"content": "No."}, "red"),
    (REFUSED, {"raised": "ContentFilterError", "refusal": "No."}, "amber"),
    ({**WHOLE, "finish_reason": None}, {"content": "Hi there", "refusal": "No."}, "amber"),
    (CALL, call(), "green"),
    (CALL, call(id=""), "amber"),
    (CALL, call(index=0), "amber"),
    (CALL, call(name="g"), "red"),
    (CALL, call(arguments='{"a": 1'), "red"),
    (CALL, {}, "red"),
    (USED, {"usage": {"total_tokens": 3, "prompt_tokens": 1}}, "green"),
    (USED, {}, "amber"),
    (USED, {"usage": {"total_tokens": 4}}, "amber"),
    (TWO, {"choices": BOTH}, "green"),
    (TWO, {"choices": [{"index": 0, "content": "A1"}, {"index": 1, "content": "B2"}]}, "amber"),
    (TWO, {"content": "A1", "finish_reason": "stop"}, "red"),
]  # fmt: skip


@pytest.mark.parametrize(("expected", "said", "mark"), TABLE)
def test_the_mark(expected: dict[str, Any], said: dict[str, Any], mark: str) -> None:
    judged = judge([expected], outcome_of(said))
    assert judged.mark == mark
    assert bool(judged.reasons) == (mark != "green")


def test_any_one_alternative_will_do_and_the_nearest_is_told() -> None:
    assert judge([WHOLE, CUT], outcome_of({"content": "Hi", "raised": "E"})).mark == "green"
    judged = judge([CUT, WHOLE], outcome_of({"content": "Hi there"}))
    assert judged == Judgement("amber", ("finish_reason: expected 'stop', read None",))


def test_calls_that_are_too_many_are_told_as_they_were_read() -> None:
    judged = judge([{"tool_calls": [{"name": "f"}]}], outcome_of({"tool_calls": [{"name": "f"}, {"name": "g"}]}))
    assert judged.reasons == ("tool_calls: expected 1, read 2: [{'index': 0, 'name': 'f'}, {'index': 1, 'name': 'g'}]",)


def test_long_texts_are_told_short() -> None:
    judged = judge([{"content": "a" * 10_000}], outcome_of({"content": "a" * 9_999 + "b"}))
    assert len(judged.reasons[0]) < 400
    assert judged.reasons[0].endswith("ab'")


@pytest.mark.parametrize(
    ("mark", "code", "then"),
    [
        ("green", "no-back-off", "amber"),
        ("green", "retry-storm", "red"),
        ("amber", "text-shown-twice", "red"),
        ("green", "text-lost", "red"),
        ("red", "no-back-off", "red"),
        ("broken", "retry-storm", "broken"),
        ("waiting", "ignored-retry-after", "amber"),
    ],
)
def test_findings_make_it_worse_and_never_better(mark: Any, code: str, then: Any) -> None:
    judged = beside(Judgement(mark), [Finding(code, "It did.")])
    assert judged == Judgement(then, (f"{code}: It did.",))


def test_of_many_findings_of_one_kind_the_first_is_told() -> None:
    findings = [Finding("retry-storm", "One."), Finding("no-back-off", "Two."), Finding("retry-storm", "Three.")]
    judged = beside(Judgement("red", ("lost",)), findings)
    assert judged.reasons == ("lost", "retry-storm: One. (and 1 more like it)", "no-back-off: Two.")
