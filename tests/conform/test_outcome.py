"""What an adapter prints is read strictly: each mistake by its key, with what to write instead."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from fakeserver.conform.outcome import Misread, object_of, outcome_of, schema
from fakeserver.conform.running import last_object

GOOD: list[dict[str, Any]] = [
    {},
    {"content": "Hello there.", "finish_reason": "stop", "usage": {"total_tokens": 3}},
    {"content": None, "refusal": None, "raised": None, "outcome": None},
    {"case": "hello", "tool_calls": [{"index": 0, "id": "call_1", "name": "f", "arguments": "{}"}], "seconds": 0.1},
    {"raised": "RateLimitError", "content": "Half"},
    {"raised": {"class": "APIError", "message": "Overloaded", "error": {"code": 502}}, "outcome": "failed"},
    {"choices": [{"index": 0, "content": "A"}, {"index": 1, "content": "B"}], "shown": "AB"},
]
BAD = {
    '{"contnt": ""}': "there is no key 'contnt': did you mean 'content'?",
    '{"content": 3}': "content is 3: a text belongs there",
    '{"usage": []}': "usage is []: an object belongs there",
    '{"tool_calls": {}}': "tool_calls is {}: a list belongs there",
    '{"tool_calls": [{"arguments": {"a": 1}}]}': 'tool_calls.0.arguments is {"a": 1}: a text belongs there',
    '{"tool_calls": [{"function": ""}]}': "there is no key 'tool_calls.0.function': there are index, id, name and arg",
    '{"choices": [{"content": ""}]}': "choices.0.index is missing: it is needed",
    '{"raised": true}': "raised is true: null, the exception's class, or an object with class, message and error",
    '{"raised": ""}': 'raised is "": give the exception\'s class, or null where nothing was raised',
    '{"raised": {"name": "E"}}': "raised.class is missing: it is needed; there is no key 'raised.name'",
    '{"outcome": "fine"}': "outcome is \"fine\": 'complete', 'refused', 'truncated' or 'failed'",
    '{"seconds": -1}': "seconds is -1: it cannot be below 0",
    '{"seconds": "1"}': 'seconds is "1": a number belongs there',
}


@pytest.mark.parametrize("said", GOOD)
def test_what_is_right_is_right_by_the_schema_too(said: dict[str, Any]) -> None:
    outcome_of(said)
    jsonschema.validate(said, schema())


@pytest.mark.parametrize("line", BAD)
def test_what_is_wrong_is_told_by_its_key(line: str) -> None:
    with pytest.raises(Misread) as wrong:
        outcome_of(json.loads(line))
    assert str(wrong.value).startswith(BAD[line])
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(json.loads(line), schema())


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({}, "complete"),
        ({"raised": "E"}, "failed"),
        ({"refusal": "No."}, "refused"),
        ({"finish_reason": "content_filter"}, "refused"),
        ({"outcome": "truncated"}, "truncated"),
        ({"choices": [{"index": 0}, {"index": 1, "refusal": "No."}]}, "refused"),
    ],
)
def test_what_a_client_tells_is_derived_where_it_is_not_said(said: dict[str, Any], told: str) -> None:
    assert outcome_of(said).told == told


def test_half_a_surrogate_pair_is_a_text_like_any_other() -> None:
    assert outcome_of({"content": "\ud83d"}).reading.content == "\ud83d"


def test_the_last_line_that_is_an_object_counts() -> None:
    said = b'{"content": "first"}\n[1]\n{"content": "last"}\nbye {}\n{broken\n\n'
    assert last_object(said) == {"content": "last"}
    assert last_object(b"") is None
    assert object_of(b"[" * 100_000) is None
    assert object_of(b'{"a":' * 100_000) is None
