"""Replies to readings: each rule of the language's section 6 and each "correct client" that the vectors do not show."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fakeserver.speech.accumulator import read, readings
from fakeserver.speech.reader.policies import Judge, Policies
from fakeserver.speech.reading import Ended, Received
from tests.speech.replies import BOOM, DONE, EVENTS, STOP, USAGE, delta, event, heard, outcomes, received, say

# Which reply is what.


@pytest.mark.parametrize(
    "reply",
    [
        Received(None, None, b"", "reset"),
        Received(None, None, b"data: [DONE]\n\n"),
        Received(500, EVENTS, event(STOP)),
        Received(301, EVENTS, event(STOP)),
        Received(199, EVENTS, event(STOP)),
        Received(204, None, b""),
        Received(200, None, b""),
        Received(200, "application/json", b""),
        Received(200, "application/json", b"[]"),
        Received(200, "application/json", b'{"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}'),
        Received(200, "application/json", b'{"object": "chat.completion"}data: [DONE]\n\n'),
        Received(200, "application/json", b'{"object": "chat.completion", "choices": ['),
        Received(200, "application/json", b'{"object": "chat.completion", "error": {"message": "x"}}'),
        Received(200, "text/html", b"<html>"),
    ],
)
def test_a_reply_that_is_no_answer_has_failed(reply: Received) -> None:
    (reading,) = readings(reply)
    assert (reading.outcome, reading.content) == ("failed", "")
    assert reading.error is not None


@pytest.mark.parametrize(
    "content_type",
    [EVENTS, "TEXT/Event-Stream", " text/event-stream;charset=utf-8", "text/event-stream;", "x bogus", "", None],
)
def test_events_by_content_type_or_by_look(content_type: str | None) -> None:
    assert read(Received(201, content_type, event(STOP))).outcome == "complete"


def test_an_empty_body_that_is_announced_as_events_is_events() -> None:
    assert outcomes() == ["truncated"]
    assert outcomes(b"<html>") == ["truncated"]
    assert read(Received(200, " TEXT/Event-Stream; charset=utf-8", b"")).outcome == "truncated"


def completion(**choice: Any) -> Received:
    body = {"choices": [{"index": 0, "message": {"content": "Hi"}, **choice}], "usage": {"total_tokens": 1}}
    return Received(200, "application/json", b"\xef\xbb\xbf" + json.dumps(body).encode())


def test_a_completion_object_is_known_by_its_message() -> None:
    answer, refused = readings(completion(finish_reason="length"))
    assert (answer.outcome, answer.content, answer.finish_reason) == ("complete", "Hi", "length")
    assert answer.usage == {"total_tokens": 1}
    assert (refused.outcome, refused.content) == ("failed", "")


def test_a_completion_object_is_judged_by_its_finish_reason() -> None:
    assert [one.outcome for one in readings(completion(finish_reason="content_filter"))] == ["refused", "failed"]
    assert [one.outcome for one in readings(completion())] == ["truncated", "failed", "complete"]
    assert [one.outcome for one in readings(completion(finish_reason="abort"))] == ["failed", "failed", "complete"]


def test_choices_without_an_index_take_their_places_and_calls_without_an_id_are_apart() -> None:
    calls = [{"function": {"name": name, "arguments": "{}"}} for name in "ab"]
    message = {"content": None, "tool_calls": calls}
    body = {"object": "chat.completion", "choices": [{"message": message}, {"message": {"content": "B"}}]}
    reading = read(Received(200, None, json.dumps(body).encode()))
    assert [call.name for call in reading.tool_calls] == ["a", "b"]
    assert [choice.content for choice in reading.choices] == ["", "B"]


def test_a_legacy_completion_object() -> None:
    body = {"object": "text_completion", "choices": [{"text": "Once", "index": 0, "finish_reason": "length"}]}
    assert read(Received(200, None, json.dumps(body).encode())).content == "Once"


# Refused requests.


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ('{"error": {"message": "m", "code": 1}}', {"message": "m", "code": 1}),
        ('{"error": "m"}', {"message": "m"}),
        ('{"code": "c", "error": "m"}', {"message": "m", "code": "c"}),
        ('{"error": ["a"]}', {"message": '["a"]'}),
        ('[{"error": {"message": "m"}}]', {"message": "m"}),
        ('{"object": "error", "message": "m", "type": "T"}', {"message": "m", "type": "T"}),
        ('{"detail": [1]}', {"detail": [1]}),
        ('event: error\ndata: {"error": {"message": "m"}}\n\n', {"message": "m"}),
        ('event: error\ndata: {"type": "error", "message": "m"}\n\n', {"message": "m"}),
        (": hello\n\nevent: error\ndata: boom\n\n", {"message": "boom"}),
        ("event: ping\ndata: x\n\nevent: error\ndata: {}\n\n", {"message": "{}"}),
        ("data: x\n\n", {"message": "data: x"}),
        ("\ufeff <html>" + "x" * 300, {"message": "<html>" + "x" * 194}),
        ("42", {"message": "42"}),
        ("", {"message": ""}),
    ],
)
def test_the_error_of_a_refused_request(body: str, error: dict[str, Any]) -> None:
    reading = read(Received(429, None, body.encode()))
    assert (reading.outcome, reading.error) == ("failed", error)


# Errors inside a stream.


@pytest.mark.parametrize(
    ("sent", "error"),
    [
        (BOOM, {"message": "boom"}),
        ({"error": "boom", "code": "c"}, {"message": "boom", "code": "c"}),
        ({"error": True}, {"message": "true"}),
        ({"error": {"code": 400, "message": None}}, {"code": 400, "message": None}),
        ({"object": "error", "message": "m", "code": 400}, {"message": "m", "code": 400}),
        ({"type": "error", "code": "c", "message": "m", "sequence_number": 3}, {"code": "c", "message": "m"}),
        (b'event: error\ndata: {"error": null, "message": "m"}\n\n', {"message": "m"}),
        (b"event: error\ndata: boom\n\n", {"message": "boom"}),
        (b'event: error\ndata: "boom"\n\n', {"message": "boom"}),
        (b"event: error\ndata: {}\n\n", {}),
        (b'event: response.failed\ndata: {"response": {"error": {"code": "c"}}}\n\n', {"code": "c"}),
        ({"type": "response.failed"}, {}),
    ],
)
def test_an_error_before_the_finish_fails_and_keeps_what_came(sent: Any, error: dict[str, Any]) -> None:
    (reading,) = readings(received(say("Hi"), sent, say(" there"), STOP, DONE))
    assert (reading.outcome, reading.content, reading.error) == ("failed", "Hi", error)


@pytest.mark.parametrize("none", [None, "", False, 0, []])
def test_an_empty_error_is_none(none: Any) -> None:
    assert outcomes({**say("Hi"), "error": none}, STOP) == ["complete"]


def test_an_empty_error_map_may_be_none() -> None:
    failed, ignored = readings(received(say("Hi"), {"error": {}}, say(" there"), STOP))
    assert (failed.outcome, failed.content, failed.error) == ("failed", "Hi", {})
    assert (ignored.outcome, ignored.content, ignored.error) == ("complete", "Hi there", None)


def test_an_error_after_the_finish_may_be_ignored() -> None:
    failed, ignored = readings(received(say("Hi"), STOP, BOOM, USAGE, DONE))
    assert (failed.outcome, failed.finish_reason, failed.usage) == ("failed", "stop", None)
    assert (ignored.outcome, ignored.usage) == ("complete", {"total_tokens": 3})


def test_what_rides_with_an_error_is_kept() -> None:
    reading = heard({**delta(content="Hi"), **BOOM, "usage": {"total_tokens": 1}})
    assert (reading.content, reading.usage) == ("Hi", {"total_tokens": 1})


def test_an_error_is_late_only_when_every_choice_has_finished() -> None:
    assert outcomes(delta(0, "stop"), delta(1, content="B"), BOOM) == ["failed"]


def test_an_error_inside_a_choice_fails_that_choice() -> None:
    hurt = {"choices": [{"index": 1, "delta": {}, "finish_reason": "stop", "error": "boom"}]}
    failed, ignored = readings(received(delta(0, content="A"), hurt, STOP, DONE))
    assert [choice.outcome for choice in failed.choices] == ["complete", "failed"]
    assert (failed.outcome, failed.error) == ("failed", {"message": "boom"})
    assert (ignored.outcome, ignored.error) == ("complete", None)


def test_the_first_error_of_a_choice_counts() -> None:
    hurt = [{"choices": [{"index": 0, "error": {"code": code}}]} for code in (1, 2)]
    assert heard(*hurt).error == {"code": 1}


# Events that cannot be read.


@pytest.mark.parametrize(
    "bad",
    [
        "{bad",
        ": keepalive",
        '{"a": NaN}',
        '{"choices": [], "v": Infinity}',
        b'data: {"a": "\0"}\n\n',
        '{"a": 1}{"a": 2}',
        "[" * 100_000,
        "1" * 5000,
        b'event: response.created\ndata: {"\n\n',
    ],
)
def test_an_unreadable_event_fails_or_is_skipped(bad: Any) -> None:
    failed, skipped = readings(received(say("Hi"), bad, say(" there"), STOP, DONE))
    assert (failed.outcome, failed.content) == ("failed", "Hi")
    assert (skipped.outcome, skipped.content) == ("complete", "Hi there")
    assert failed.error is not None
    assert "not JSON" in str(failed.error["message"])


@pytest.mark.parametrize("harmless", ["null", "42", '"hi"', "[]", '"[DONE]"', "{}", '{"type": "ping"}'])
def test_json_that_holds_nothing_is_passed_over(harmless: str) -> None:
    assert outcomes(harmless, say("Hi"), harmless, STOP, DONE) == ["complete"]


@pytest.mark.parametrize(
    "silent", ["", " ", b"data\n\n", b"event: ping\ndata: x\n\n", b"event: a.b\ndata: [DONE]\n\n", b"event: error\n\n"]
)
def test_events_that_say_nothing_are_skipped(silent: Any) -> None:
    assert heard(say("Hi"), silent, say(" there"), STOP).content == "Hi there"


def test_an_undecodable_rest_is_an_unreadable_event() -> None:
    assert outcomes(say("Hi"), broken=True) == ["failed", "truncated"]
    assert outcomes(say("Hi"), STOP, broken=True) == ["failed", "complete", "truncated"]
    assert outcomes(say("Hi"), STOP, DONE, broken=True) == ["complete"]
    assert outcomes(say("Hi"), BOOM, broken=True) == ["failed"]


def test_bad_bytes() -> None:
    bad = event(say("a?b")).replace(b"?", b"\xff")
    replaced, failed = readings(received(say("Hi "), bad, STOP))
    assert (replaced.outcome, replaced.content) == ("complete", "Hi a\ufffdb")
    assert (failed.outcome, failed.content) == ("failed", "Hi ")


# The end.


def test_neither_finish_nor_end_marker_is_truncated_whatever_the_transport_says() -> None:
    ends: list[Ended] = ["clean", "close", "reset", "open", "short"]
    assert [outcomes(say("Hi"), end=end) for end in ends] == [["truncated"]] * 5


def test_usage_may_stand_in_for_the_finish() -> None:
    assert outcomes(say("Hi"), USAGE) == ["truncated", "complete"]


def test_the_end_marker_may_stand_in_for_the_finish() -> None:
    complete, truncated = readings(received(say("Hi"), DONE))
    assert (complete.outcome, complete.finish_reason) == ("complete", None)
    assert truncated.outcome == "truncated"
    assert outcomes(DONE) == ["truncated", "complete"]


@pytest.mark.parametrize("end", ["close", "reset", "open", "short"])
def test_a_break_between_finish_and_end_marker(end: Ended) -> None:
    assert outcomes(say("Hi"), STOP, end=end) == ["complete", "truncated"]


@pytest.mark.parametrize("end", ["clean", "close", "reset", "open"])
def test_nothing_after_the_end_marker_counts(end: Ended) -> None:
    assert outcomes(say("Hi"), STOP, DONE, BOOM, "{bad", end=end) == ["complete"]


def test_a_body_below_its_length_may_be_truncated_even_with_the_end_marker() -> None:
    assert outcomes(say("Hi"), STOP, DONE, end="short") == ["complete", "truncated"]


def test_an_event_that_broke_off_is_not_there() -> None:
    torn = event(say(" there"))[:-12]
    assert outcomes(say("Hi"), torn) == ["truncated"]
    assert outcomes(say("Hi"), STOP, torn) == ["complete", "truncated"]
    assert outcomes(say("Hi"), STOP, b"data: [DO") == ["complete", "truncated"]


def test_a_whole_last_event_may_be_dropped() -> None:
    complete, truncated = readings(received(say("Hi"), event(STOP)[:-2]))
    assert (complete.outcome, complete.finish_reason) == ("complete", "stop")
    assert (truncated.outcome, truncated.finish_reason) == ("truncated", None)
    assert outcomes(say("Hi"), STOP, b"data: [DONE]") == ["complete"]


@pytest.mark.parametrize("reason", ["error", "abort", "failed", "network_error"])
def test_a_finish_that_names_a_failure(reason: str) -> None:
    failed, complete = readings(received(say("Hi"), delta(finish=reason), DONE))
    assert (failed.outcome, failed.finish_reason, failed.error) == ("failed", reason, None)
    assert (complete.outcome, complete.finish_reason) == ("complete", reason)


@pytest.mark.parametrize("reason", ["stop", "eos", "end_turn", "MALFORMED_FUNCTION_CALL", "length", "sensitive"])
def test_any_other_finish_is_kept_as_it_is(reason: str) -> None:
    (reading,) = readings(received(say("Hi"), delta(finish=reason), DONE))
    assert (reading.outcome, reading.finish_reason) == ("complete", reason)


def test_the_first_finish_counts_and_text_after_it_does_too() -> None:
    reading = heard(say("Hi"), delta(finish="tool_calls"), say(" there"), STOP, DONE)
    assert (reading.content, reading.finish_reason) == ("Hi there", "tool_calls")


@pytest.mark.parametrize("none", [None, "", 0, {}])
def test_an_empty_finish_is_none(none: Any) -> None:
    assert heard({"choices": [{"delta": {"content": "Hi"}, "finish_reason": none}]}).outcome == "truncated"


def test_refusals() -> None:
    assert outcomes(delta(refusal="No"), STOP) == ["refused"]
    assert outcomes(delta(refusal="No"), STOP, end="close") == ["refused", "truncated"]
    assert outcomes(delta(refusal="No")) == ["truncated"]
    assert outcomes(say("Hi"), delta(finish="content_filter")) == ["refused"]


def test_the_worst_choice_decides() -> None:
    parts = {
        "complete": delta(0, "stop"),
        "refused": delta(1, "content_filter"),
        "truncated": delta(2, content="x"),
        "failed": delta(3, "abort"),
    }
    for count, worst in enumerate(parts, 1):
        assert heard(*list(parts.values())[:count]).outcome == worst


def test_policies_combine() -> None:
    found = outcomes(delta(content="Hi", finish="abort"), BOOM, end="reset")
    assert found == ["failed", "failed", "complete", "truncated"]


def test_policies_that_do_not_touch_each_other_give_every_pair() -> None:
    found = readings(received(say("Hi"), STOP, event(USAGE)[:-1], end="reset"))
    assert [(reading.outcome, reading.usage is None) for reading in found] == [
        ("complete", False),
        ("complete", True),
        ("truncated", False),
        ("truncated", True),
    ]


def test_a_judge_leads_only_to_what_was_asked() -> None:
    judge = Judge(Policies(object_fails=True))
    assert [judge("object_fails"), judge("usage_completes")] == [True, False]
    assert list(judge.others()) == [Policies(object_fails=True, usage_completes=True)]


def test_policies_can_be_chosen() -> None:
    assert read(received(say("Hi"), DONE), Policies(done_after_chunks_truncates=True)).outcome == "truncated"
