"""What is gathered from a reply: choices, roles, texts, reasoning, usage, logprobs, calls."""

from __future__ import annotations

from typing import Any

import pytest

from tests.speech.replies import DONE, STOP, delta, heard, say

# Choices, roles, texts.


def test_the_first_choice_speaks_for_the_reading() -> None:
    assert heard(delta(1, content="B"), delta(0, content="A")).content == "A"
    assert heard(delta(4, content="E"), delta(2, content="C")).content == "C"
    assert heard(delta(-1, content="Z"), delta(0, content="A")).content == "A"


@pytest.mark.parametrize("index", [None, "0", True, 1.0])
def test_an_index_that_is_no_number_is_the_place(index: Any) -> None:
    sent = {"choices": [{"index": index, "delta": {"content": "Hi"}}]}
    assert [choice.index for choice in heard(sent).choices] == [0]


@pytest.mark.parametrize("nothing", [None, [], {}, "x", [None], [[]], [{}], [{"index": 0, "delta": None}]])
def test_choices_that_hold_nothing(nothing: Any) -> None:
    assert heard({"choices": nothing}, say("Hi"), STOP).content == "Hi"


@pytest.mark.parametrize("content", [None, "", [], {}, 6, True, [None], [{"type": "reference", "reference_ids": [1]}]])
def test_content_that_is_no_text(content: Any) -> None:
    assert heard(say("Hi"), say(content), STOP).content == "Hi"


def test_parts_of_content() -> None:
    parts = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "Hm"}]},
        {"type": "thinking", "thinking": "m"},
        {"type": "text", "text": "H"},
        {"text": "i"},
        " there",
        {"type": "refusal", "refusal": "No"},
    ]
    reading = heard(say(parts))
    assert (reading.content, reading.reasoning, reading.refusal) == ("Hi there", "Hmm", "No")


@pytest.mark.parametrize(
    ("said", "reasoning"),
    [
        ({"reasoning_content": "a"}, "a"),
        ({"reasoning": "a"}, "a"),
        ({"reasoning": "b", "reasoning_content": "a"}, "a"),
        ({"reasoning": "b", "reasoning_content": ""}, "b"),
        ({"reasoning": "a", "reasoning_details": [{"type": "reasoning.text", "text": "b"}]}, "a"),
        (
            {
                "reasoning": None,
                "reasoning_details": [
                    {"type": "reasoning.text", "text": "a"},
                    {"type": "reasoning.summary", "summary": "b"},
                    {"type": "reasoning.encrypted", "data": "c"},
                ],
            },
            "ab",
        ),
    ],
)
def test_reasoning(said: dict[str, Any], reasoning: str) -> None:
    assert heard(delta(**said)).reasoning == reasoning


def test_thinking_tags_are_text() -> None:
    assert heard(say("<th"), say("ink>x</think>y")).content == "<think>x</think>y"


def test_message_where_there_is_no_delta() -> None:
    both = {"choices": [{"delta": {"content": "a"}, "message": {"content": "ab"}}]}
    only = {"choices": [{"delta": None, "message": {"content": "b"}}]}
    assert heard(both, only).content == "ab"


def test_text_of_a_legacy_completion_only_without_a_delta() -> None:
    both = {"choices": [{"delta": {"content": "a"}, "text": "a"}]}
    assert heard(both, {"choices": [{"text": "b"}]}).content == "ab"


def test_a_half_pair_meets_its_other_half_and_stays_alone_without_one() -> None:
    assert heard(say("\ud83d"), say("\ude00")).content == "\U0001f600"
    assert heard(say("\ude00"), say("\ud83d")).content == "\ude00\ud83d"
    assert heard(delta(reasoning="\ud83d"), delta(reasoning="\ude00")).reasoning == "\U0001f600"


def test_role() -> None:
    roles = [delta(role=role, content="x") for role in ("tool", "", None, 5)]
    assert heard(*roles).first.role == "tool"
    assert heard(say("x")).first.role == "assistant"


def test_cumulative_snapshots_are_not_guessed_at() -> None:
    assert heard(say("H"), say("Hi")).content == "HHi"


def test_usage_is_replaced_never_added() -> None:
    sent = [{"choices": [], "usage": usage} for usage in ({"a": 1, "b": None}, None, {}, {"a": 2}, {"a": None})]
    assert heard(*sent).usage == {"a": 2}


def test_usage_inside_a_choice_yields_to_the_chunks_own() -> None:
    inside = {"choices": [{"delta": {}, "usage": {"a": 1}}]}
    assert heard(inside).usage == {"a": 1}
    assert heard({**inside, "usage": {"a": 2}}).usage == {"a": 2}


def test_logprobs_are_appended() -> None:
    shapes = [None, 0.5, {"content": [], "refusal": None}, {"content": [1]}, {"content": None}, {"content": [2]}]
    sent = [{"choices": [{"delta": {}, "logprobs": shape}]} for shape in shapes]
    assert heard(*sent).first.logprobs == {"content": [1, 2], "refusal": None}
    assert heard(*sent[:2]).first.logprobs is None


def test_annotations_are_collected_from_deltas_and_choices() -> None:
    a, b = ({"type": "url_citation", "url": url} for url in "ab")
    reading = heard(delta(annotations=[a]), {"choices": [{"annotations": [a, b]}]})
    assert reading.first.annotations == (a, b)


def test_a_call_whose_arguments_broke_off_is_marked() -> None:
    call = {"index": 0, "id": "c", "function": {"name": "f", "arguments": '{"a'}}
    reading = heard(delta(tool_calls=[call], finish="length"), DONE)
    assert (reading.outcome, reading.finish_reason) == ("complete", "length")
    assert [call.complete for call in reading.tool_calls] == [False]


@pytest.mark.parametrize("nothing", [None, [], {}, "x", [None], [{}], [{"index": 0, "function": {"name": ""}}]])
def test_calls_that_say_nothing_are_none(nothing: Any) -> None:
    assert heard(delta(tool_calls=nothing, function_call=None)).tool_calls == ()


def test_a_legacy_function_call_is_one_call_of_its_own() -> None:
    legacy = [{"name": "f", "arguments": "{"}, {"name": None, "arguments": "}"}]
    reading = heard(*(delta(function_call=call) for call in legacy))
    assert [(call.name, call.arguments, call.index) for call in reading.tool_calls] == [("f", "{}", None)]
