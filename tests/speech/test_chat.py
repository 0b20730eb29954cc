"""Chunks in every shape that a dialect can ask for. Expected values are from the wire specification, by hand."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fakeserver.script.dialect import Shape
from fakeserver.speech.chat import Chat, Talk, envelope, kinds

OPENAI = {"first_call": {"role": "assistant", "content": None}}


def chat(**shape: Any) -> Chat:
    return Chat(Shape.model_validate(shape), {"id": "x"})


def choice(talk: Talk, **shape: Any) -> str:
    """The one choice as compact JSON, since the order of keys counts."""
    [made] = chat(**shape).chunk(talk)["choices"]
    return json.dumps(made, separators=(",", ":"))


def test_the_envelope_pins_the_made_keys_and_adds_others_behind() -> None:
    assert list(envelope({}, ident="i", model="m")) == ["id", "object", "created", "model"]
    made = envelope({"z": 1, "created": None, "a": 2}, ident="i", model="m")
    assert list(made.items()) == [
        ("id", "i"), ("object", "chat.completion.chunk"), ("created", None), ("model", "m"), ("z", 1), ("a", 2),
    ]  # fmt: skip


def test_no_chunk_shares_its_envelope_with_the_next() -> None:
    made = Chat(Shape(), {"id": "x", "map": {"a": [1]}})
    made.chunk(Talk())["map"]["a"].append(2)
    assert made.chunk(Talk())["map"] == {"a": [1]}


@pytest.mark.parametrize(
    ("talk", "shape", "delta"),
    [
        (Talk(role="assistant"), {}, '{"role":"assistant","content":"","refusal":null}'),
        (Talk(role="user", say="a"), {}, '{"role":"user","content":"a","refusal":null}'),
        (Talk(role="assistant"), {"first": {"content": None}}, '{"role":"assistant","content":null}'),
        (Talk(role="assistant", calls_only=True), OPENAI, '{"role":"assistant","content":null}'),
        (Talk(role="assistant", calls_only=True, calls=[1]), OPENAI,
         '{"role":"assistant","content":null,"tool_calls":[1],"refusal":null}'),
        (Talk(role="assistant", calls_only=True, calls=[1]), {},
         '{"role":"assistant","content":"","refusal":null,"tool_calls":[1]}'),
        (Talk(role="assistant"), {"role": "never"}, '{"content":"","refusal":null}'),
        (Talk(say="a"), {"role": "always"}, '{"role":"assistant","content":"a"}'),
        (Talk(say="a"), {}, '{"content":"a"}'),
        (Talk(refuse="no"), {}, '{"refusal":"no"}'),
        (Talk(delta={"a": None}, say="b"), {}, '{"content":"b","a":null}'),
        (Talk(finish="stop"), {}, "{}"),
        (Talk(finish="stop", base={"content": ""}), {}, '{"content":""}'),
        (Talk(finish="stop", base={"content": ""}), {"silent": None}, '{"content":""}'),
        (Talk(say="a"), {"silent": None}, '{"content":"a","reasoning_content":null}'),
        (Talk(think="a"), {"silent": ""}, '{"content":"","reasoning_content":"a"}'),
        (Talk(say="a"), {"silent": "", "reasoning": ["reasoning", "reasoning_details"]}, '{"content":"a"}'),
        (Talk(say="a"), {"silent": "", "reasoning": "content-list"}, '{"content":"a"}'),
        (Talk(think="a"), {"reasoning": "thoughts"}, '{"thoughts":"a"}'),
        (Talk(think="a"), {"reasoning": ["reasoning", "reasoning_details"]},
         '{"reasoning":"a","reasoning_details":[{"type":"reasoning.text","text":"a","index":0,"format":null}]}'),
        (Talk(think="a"), {"reasoning": "content-list"},
         '{"content":[{"type":"thinking","thinking":[{"type":"text","text":"a"}]}]}'),
        (Talk(think="a", say="b"), {"reasoning": "content-list"},
         '{"content":[{"type":"thinking","thinking":[{"type":"text","text":"a"}]},{"type":"text","text":"b"}]}'),
        (Talk(think="<think>a</think>", say="b"), {"reasoning": "think-tags"}, '{"content":"<think>a</think>b"}'),
    ],
)  # fmt: skip
def test_a_delta(talk: Talk, shape: dict[str, Any], delta: str) -> None:
    assert choice(talk, **shape).startswith('{"index":0,"delta":' + delta + ',"logprobs"')


@pytest.mark.parametrize(
    ("talk", "shape", "rest"),
    [
        (Talk(), {}, '"logprobs":null,"finish_reason":null}'),
        (Talk(), {"logprobs": "absent"}, '"finish_reason":null}'),
        (Talk(logprobs={"content": []}), {"logprobs": "absent"}, '"logprobs":{"content":[]},"finish_reason":null}'),
        (Talk(finish="stop"), {"native_finish": True},
         '"logprobs":null,"finish_reason":"stop","native_finish_reason":"stop"}'),
        (Talk(), {"quiet_finish": ""}, '"logprobs":null,"finish_reason":""}'),
        (Talk(), {"quiet_finish": "absent"}, '"logprobs":null}'),
        (Talk(finish=None), {"quiet_finish": "absent"}, '"logprobs":null,"finish_reason":null}'),
    ],
)  # fmt: skip
def test_what_stands_beside_the_delta(talk: Talk, shape: dict[str, Any], rest: str) -> None:
    assert choice(talk, **shape) == '{"index":0,"delta":{},' + rest


def test_usage_error_and_no_choice() -> None:
    assert chat().chunk(Talk(choice=None, usage=None)) == {"id": "x", "choices": [], "usage": None}
    made = chat().chunk(Talk(choice=2, usage={"a": 1}, fail="f"))
    assert list(made) == ["id", "error", "choices", "usage"]
    assert made["choices"][0]["index"] == 2


@pytest.mark.parametrize(
    ("form", "value", "named"),
    [
        ("data", {"error": {"m": 1}}, None),
        ("event", {"error": {"m": 1}}, "error"),
        ("flat", {"m": 1}, None),
        ("chunk", {"id": "x", "error": {"m": 1},
                   "choices": [{"index": 0, "delta": {}, "logprobs": None, "finish_reason": None}]}, None),
    ],
)  # fmt: skip
def test_an_error_on_its_own(form: str, value: Any, named: str | None) -> None:
    assert chat(error=form).error({"m": 1}) == (value, named)


def test_it_remembers_what_each_choice_said_where_it_is_asked_to() -> None:
    made = chat()
    for talk in (Talk(say="a"), Talk(think="x"), Talk(choice=1, say="b"), Talk(say="c")):
        made.chunk(talk)
    assert made.said == {0: "ac", 1: "b"}
    forgetful = Chat(Shape(), {}, remembers=False)
    forgetful.chunk(Talk(say="a"))
    assert forgetful.said == {}


def delta(**keys: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": keys}]}


@pytest.mark.parametrize(
    ("chunk", "found"),
    [
        (7, set()),
        ({}, set()),
        ({"choices": "x"}, set()),
        ({"choices": ["x", {}]}, set()),
        ({"choices": [{"finish_reason": ""}], "usage": None, "error": {}}, set()),
        ({"usage": {"a": 1}, "error": "x", "choices": [{"finish_reason": "stop", "delta": None}]},
         {"usage", "error", "finish"}),
        ({"type": "response.created"}, {"response.created"}),
        ({"type": "other"}, set()),
        (delta(role="assistant", content="", refusal=None), {"role"}),
        (delta(content="a", refusal="b"), {"content", "refusal"}),
        (delta(reasoning="a"), {"reasoning"}),
        (delta(reasoning_details=[{}]), {"reasoning"}),
        (delta(content=[{"type": "thinking"}]), {"reasoning"}),
        (delta(content=[{"type": "thinking"}, {"type": "text"}]), {"reasoning", "content"}),
        (delta(tool_calls=[{"function": {"name": "f"}}]), {"call"}),
        (delta(tool_calls=[{"function": {"name": "", "arguments": "x"}}]), {"call", "call-rest"}),
        (delta(tool_calls=[7]), {"call", "call-rest"}),
        (delta(function_call={"name": "f"}), {"call"}),
        (delta(function_call={"arguments": "x"}), {"call", "call-rest"}),
        (delta(tool_calls=[]), set()),
    ],
)  # fmt: skip
def test_kinds(chunk: Any, found: set[str]) -> None:
    assert kinds(chunk) == found
