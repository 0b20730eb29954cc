"""A reading as the one object that a request without streaming is answered with."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fakeserver.speech.accumulator import read
from fakeserver.speech.completion import completion
from fakeserver.speech.reading import Choice, Reading, Received, ToolCall

CALL = ToolCall("c1", "f", '{"a":1}', True, 0)


def whole(reading: Reading, **envelope: Any) -> dict[str, Any]:
    return completion(reading, id="chatcmpl-1", created=1, model="m", envelope=envelope)


def message(choice: Choice) -> dict[str, Any]:
    choices: Any = whole(Reading((choice,)))["choices"]
    return dict(choices[0]["message"])


def test_an_answer_in_the_order_of_the_real_api() -> None:
    logprobs: Any = {"content": [{"token": "Hi"}], "refusal": None}
    reading = Reading(
        (Choice(0, "complete", content="Hi", finish_reason="stop", logprobs=logprobs),), {"total_tokens": 3}
    )
    assert json.dumps(whole(reading, service_tier="default", system_fingerprint=None, model="other")) == (
        '{"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "m", "choices": [{"index": 0, '
        '"message": {"role": "assistant", "content": "Hi", "refusal": null, "annotations": []}, '
        '"logprobs": {"content": [{"token": "Hi"}], "refusal": null}, "finish_reason": "stop"}], '
        '"usage": {"total_tokens": 3}, "service_tier": "default", "system_fingerprint": null}'
    )


def test_usage_that_nobody_sent_is_left_out() -> None:
    assert list(whole(Reading((Choice(0, "complete"),)))) == ["id", "object", "created", "model", "choices"]


def test_calls_stand_in_the_place_of_content() -> None:
    said = message(Choice(0, "complete", tool_calls=(CALL,), finish_reason="tool_calls"))
    assert said["content"] is None
    assert said["tool_calls"] == [{"id": "c1", "type": "function", "function": {"name": "f", "arguments": '{"a":1}'}}]
    assert message(Choice(0, "complete", content="Hi", tool_calls=(CALL,)))["content"] == "Hi"


def test_a_legacy_call_keeps_its_form() -> None:
    said = message(Choice(0, "complete", tool_calls=(CALL,), finish_reason="function_call"))
    assert said["function_call"] == {"name": "f", "arguments": '{"a":1}'}
    assert "tool_calls" not in said


@pytest.mark.parametrize(
    ("choice", "content", "refusal"),
    [
        (Choice(0, "refused", refusal="No"), None, "No"),
        (Choice(0, "truncated", refusal="No"), None, "No"),
        (Choice(0, "refused", content="Well"), "Well", None),
        (Choice(0, "refused"), None, None),
        (Choice(0, "complete"), "", None),
    ],
)
def test_content_and_refusal(choice: Choice, content: str | None, refusal: str | None) -> None:
    said = message(choice)
    assert (said["content"], said["refusal"]) == (content, refusal)


def test_reasoning_role_and_annotations() -> None:
    said = message(Choice(0, "complete", reasoning="Hm", role="tool", annotations=({"url": "u"},)))
    assert said == {
        "role": "tool",
        "content": "",
        "refusal": None,
        "annotations": [{"url": "u"}],
        "reasoning_content": "Hm",
    }


@pytest.mark.parametrize(
    "choice",
    [
        Choice(0, "complete", content="Hi", reasoning="Hm", finish_reason="length", annotations=({"url": "u"},)),
        Choice(0, "complete", tool_calls=(CALL,), finish_reason="tool_calls"),
        Choice(0, "refused", refusal="No", finish_reason="stop", logprobs={"content": None, "refusal": [1]}),
    ],
)
def test_the_object_reads_as_what_it_was_made_of(choice: Choice) -> None:
    reading = Reading((choice, Choice(1, "complete", content="B", finish_reason="stop")), {"total_tokens": 3})
    assert read(Received(200, "application/json", json.dumps(whole(reading)).encode())) == reading
