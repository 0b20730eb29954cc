"""Events of the Responses API that the recorded streams do not show."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fakeserver.speech.accumulator import read, readings
from fakeserver.speech.reading import Reading, Received


def heard(*events: dict[str, Any] | bytes) -> Reading:
    sent = [event if isinstance(event, bytes) else f"data: {json.dumps(event)}\n\n".encode() for event in events]
    return read(Received(200, "text/event-stream", b"".join(sent)))


def event(kind: str, **fields: Any) -> dict[str, Any]:
    return {"type": f"response.{kind}", **fields}


def text(delta: Any) -> dict[str, Any]:
    return event("output_text.delta", delta=delta)


def item(kind: str, place: int | None = 0, **fields: Any) -> dict[str, Any]:
    where = {} if place is None else {"output_index": place}
    return event(kind, **where, item={"type": "function_call", **fields})


COMPLETED = event("completed", response={"output": [], "usage": {"total_tokens": 3}})


def test_text_is_made_of_deltas_alone() -> None:
    reading = heard(text("Hello"), text(None), text(" there."), COMPLETED)
    assert (reading.outcome, reading.content, reading.finish_reason) == ("complete", "Hello there.", "stop")
    assert reading.usage == {"total_tokens": 3}


@pytest.mark.parametrize("data", ['{"usage": {"total_tokens": 3}}', '{"response": {"usage": {"total_tokens": 3}}}'])
def test_the_type_may_stand_in_the_events_name_only(data: str) -> None:
    reading = heard(text("Hi"), f"event: response.completed\ndata: {data}\n\n".encode())
    assert (reading.outcome, reading.finish_reason, reading.usage) == ("complete", "stop", {"total_tokens": 3})


@pytest.mark.parametrize(
    ("details", "finish", "outcome"),
    [
        ({"reason": "max_output_tokens"}, "length", "complete"),
        ({"reason": "content_filter"}, "content_filter", "refused"),
        ({"reason": "steered"}, "length", "complete"),
        (None, "length", "complete"),
    ],
)
def test_incomplete(details: Any, finish: str, outcome: str) -> None:
    reading = heard(text("Hi"), event("incomplete", response={"incomplete_details": details}))
    assert (reading.finish_reason, reading.outcome, reading.content) == (finish, outcome, "Hi")


def test_reasoning_of_either_kind() -> None:
    reading = heard(event("reasoning_summary_text.delta", delta="a"), event("reasoning_text.delta", delta="b"))
    assert reading.reasoning == "ab"


def test_calls_are_told_apart_by_their_places() -> None:
    reading = heard(
        item("output_item.added", 1, call_id="c1", name="f", arguments=""),
        item("output_item.added", 2, call_id="c2", name="g", arguments=None),
        event("function_call_arguments.delta", output_index=2, delta="{}"),
        event("function_call_arguments.delta", output_index=1, delta='{"a'),
        event("function_call_arguments.done", output_index=1, arguments='{"a": 1}'),
        COMPLETED,
    )
    assert [(call.id, call.name, call.arguments, call.index) for call in reading.tool_calls] == [
        ("c1", "f", '{"a": 1}', None),
        ("c2", "g", "{}", None),
    ]
    assert reading.finish_reason == "tool_calls"


def test_calls_are_told_apart_by_their_ids_without_places() -> None:
    reading = heard(
        item("output_item.added", None, id="fc_1", call_id="c1", name="f"),
        event("function_call_arguments.delta", item_id="fc_1", delta="{"),
        item("output_item.done", None, id="fc_1", call_id="c1", name="f", arguments="{}"),
    )
    assert [call.arguments for call in reading.tool_calls] == ["{}"]


def test_one_call_at_two_places_is_one_call() -> None:
    done = item("output_item.done", 7, call_id="c1", name="f", arguments="{}")
    assert len(heard(item("output_item.added", 0, call_id="c1", name="f"), done).tool_calls) == 1


OUTPUT = [
    {"type": "reasoning", "summary": [{"text": "S"}], "content": [{"type": "reasoning_text", "text": "R"}]},
    {
        "type": "message",
        "content": [
            {"type": "output_text", "text": "Hi", "annotations": [{"url": "u"}]},
            {"type": "refusal", "refusal": "No"},
        ],
    },
    {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"},
]


def test_the_final_object_fills_in_what_no_delta_said() -> None:
    reading = heard(event("completed", response={"output": OUTPUT}))
    assert (reading.content, reading.refusal, reading.reasoning) == ("Hi", "No", "RS")
    assert [call.name for call in reading.tool_calls] == ["f"]
    assert reading.first.annotations == ({"url": "u"},)
    assert reading.outcome == "refused"


def test_events_that_say_nothing_do_not_hold_the_final_object_back() -> None:
    empty = [event(f"{kind}.delta", delta="") for kind in ("output_text", "refusal", "reasoning_text")]
    reading = heard(*empty, item("output_item.added"), event("completed", response={"output": OUTPUT}))
    assert (reading.content, reading.refusal, reading.reasoning) == ("Hi", "No", "RS")
    assert [call.name for call in reading.tool_calls] == ["f"]


def test_the_final_object_repeats_nothing() -> None:
    reading = heard(
        text("Hey"),
        event("refusal.delta", delta="Never"),
        event("reasoning_text.delta", delta="Hm"),
        event("output_text.annotation.added", annotation={"url": "u"}),
        item("output_item.added", 2, call_id="c1", name="f", arguments="{}"),
        event("completed", response={"output": OUTPUT}),
    )
    assert (reading.content, reading.refusal, reading.reasoning) == ("Hey", "Never", "Hm")
    assert len(reading.tool_calls) == len(reading.first.annotations) == 1


def test_a_late_failure_may_be_ignored() -> None:
    body = b"".join(f"data: {json.dumps(one)}\n\n".encode() for one in (text("Hi"), COMPLETED, event("failed")))
    found = readings(Received(200, "text/event-stream", body))
    assert [reading.outcome for reading in found] == ["failed", "complete"]


@pytest.mark.parametrize(
    ("fields", "outcome"),
    [
        ({"status": "completed"}, "complete"),
        ({"status": "incomplete"}, "complete"),
        ({"status": "in_progress"}, "truncated"),
        ({"status": "failed", "error": {"message": "boom"}}, "failed"),
    ],
)
def test_a_response_object(fields: dict[str, Any], outcome: str) -> None:
    output = [{"type": "message", "content": [{"type": "output_text", "text": "Hi"}]}]
    body = json.dumps({"object": "response", "error": None, "output": output, "usage": None, **fields})
    assert read(Received(200, "application/json", body.encode())).outcome == outcome
