"""Expectations against readings: what agrees, and in which words it is said that something does not."""

from __future__ import annotations

from typing import Any

import pytest

from fakeserver.speech.expect import matches
from fakeserver.speech.reading import Choice, Reading, ToolCall

CALLS = (
    ToolCall("c1", "f", '{"a": 1.0, "b": [true]}', True, 0),
    ToolCall("", "g", "", True),
    ToolCall("c3", "h", "{", False),
)
FIRST = Choice(0, "complete", content="Hé", reasoning="Hm", tool_calls=CALLS, finish_reason="stop")
SECOND = Choice(2, "failed", content="B", error={"message": "boom", "code": 5})
USAGE = {"total_tokens": 3, "details": {"cached": 0, "audio": 1}}
READING = Reading((FIRST, SECOND), USAGE)


@pytest.mark.parametrize(
    "expectation",
    [
        {},
        {"outcome": "failed", "content": "Hé", "content_size": 3, "reasoning": "Hm", "finish_reason": "stop"},
        {"refusal": None},
        {"refusal": ""},
        {"usage": {"total_tokens": 3}},
        {"usage": {"total_tokens": 3.0, "details": {"audio": 1}, "absent": None}},
        {"error": {"code": 5}},
        {"error": "boom"},
        {"tool_calls": [{"id": "c1"}, {"name": "g"}, {"complete": False}]},
        {"tool_calls": [{"arguments": {"b": [True], "a": 1}}, {"arguments": {}, "id": None}, {"arguments": "{"}]},
        {"tool_calls": [None, None, {"index": None}]},
        {
            "choices": [
                {"content": "Hé", "outcome": "complete", "error": None},
                None,
                {"error": "boom", "content_size": 1},
            ]
        },
    ],
)
def test_agreement(expectation: dict[str, Any]) -> None:
    assert matches(expectation, READING) == []


@pytest.mark.parametrize(
    ("expectation", "said"),
    [
        ({"content": "H"}, "content: expected 'H', read 'Hé'"),
        ({"content_size": 2}, "content_size: expected 2, read 3"),
        ({"finish_reason": None}, "finish_reason: expected None, read 'stop'"),
        ({"usage": {"total_tokens": True}}, "usage.total_tokens: expected True, read 3"),
        ({"usage": {"details": {"cached": 2}}}, "usage.details.cached: expected 2, read 0"),
        ({"usage": None}, f"usage: expected None, read {USAGE!r}"),
        ({"error": "bang"}, "error: expected 'bang', read 'boom'"),
        ({"error": {"code": 6}}, "error.code: expected 6, read 5"),
        ({"tool_calls": [{"id": "c2"}, {"name": "g"}, {}]}, "tool_calls[0].id: expected 'c2', read 'c1'"),
        (
            {"tool_calls": [{"arguments": {"a": 1}}, {}, {}]},
            "tool_calls[0].arguments: expected {'a': 1}, read {'a': 1.0, 'b': [True]}",
        ),
        (
            {"tool_calls": [{"arguments": {"a": 1, "b": [1]}}, {}, {}]},
            "tool_calls[0].arguments: expected {'a': 1, 'b': [1]}, read {'a': 1.0, 'b': [True]}",
        ),
        (
            {"tool_calls": [{}, {}, {"arguments": {}}]},
            "tool_calls[2].arguments: expected {}, read '{', which is not JSON",
        ),
        ({"choices": [{"content": "A"}, None, None]}, "choices[0].content: expected 'A', read 'Hé'"),
        ({"choices": [None, {"content": ""}, None]}, "choices[1]: expected {'content': ''}, read None"),
        ({"nonsense": 1}, "nonsense: expected 1, read None"),
    ],
)
def test_disagreement(expectation: dict[str, Any], said: str) -> None:
    assert matches(expectation, READING) == [said]


def test_lists_match_whole() -> None:
    (calls,) = matches({"tool_calls": [{}]}, READING)
    assert calls.startswith("tool_calls: expected 1, read 3: ")
    (choices,) = matches({"choices": [{}]}, READING)
    assert choices.startswith("choices: expected 1, read 2: ")


def test_empty_lists_are_nothing() -> None:
    silent = Reading((Choice(0, "truncated"),))
    assert matches({"tool_calls": [], "usage": None, "error": None}, silent) == []
    assert matches({"tool_calls": None}, silent) == []
    assert matches({"error": "boom"}, silent) == ["error: expected 'boom', read None"]


def test_all_disagreements_are_told_in_order() -> None:
    said = matches({"outcome": "complete", "content": "x", "reasoning": "Hm", "refusal": "y"}, READING)
    assert [line.split(":")[0] for line in said] == ["outcome", "content", "refusal"]


def test_half_a_surrogate_pair_has_a_size() -> None:
    assert matches({"content_size": 4}, Reading((Choice(0, "complete", content="a\ud83d"),))) == []


def test_an_index_beyond_all_bounds_is_no_burden() -> None:
    far = Reading((Choice(10**12, "complete", content="x"),))
    assert matches({"content": "x", "choices": [None, {"content": "x"}]}, far) != []


def test_the_choice_is_found_by_its_index() -> None:
    assert READING.choice(2) is SECOND
    assert READING.choice(1) is None
