"""langchain-openai: `ChatOpenAI.stream`, and the sum of its message chunks, with what an application reads in it."""

from __future__ import annotations

import json
from typing import Any

from fold import Fold
from langchain_core.messages import AIMessageChunk
from langchain_openai import ChatOpenAI
from loop import Case, run

DETAILS = {"cache_read": ("prompt_tokens_details", "cached_tokens"),
           "reasoning": ("completion_tokens_details", "reasoning_tokens")}  # fmt: skip


def ask(case: Case, fold: Fold) -> None:
    model = ChatOpenAI(model=case.model, base_url=case.base_url, api_key="any", timeout=case.time_limit,
                       stream_usage=True)  # fmt: skip
    chunks: list[Any] = []
    try:
        for chunk in model.stream("Hello"):
            chunks.append(chunk)
    finally:
        if chunks:
            fold.put(**_message(sum(chunks[1:], chunks[0])))


def _message(message: AIMessageChunk) -> dict[str, Any]:
    extra = message.additional_kwargs
    return {
        "content": message.text,
        "refusal": extra.get("refusal") or "",
        "reasoning": extra.get("reasoning_content") or "",
        "tool_calls": _calls(message),
        "finish_reason": message.response_metadata.get("finish_reason"),
        "usage": _usage(message.usage_metadata),
    }


def _calls(message: AIMessageChunk) -> list[dict[str, Any]]:
    """Those of `tool_calls`, whose arguments are an object, in the words that came where these say no other thing."""
    pieces = {call["id"]: call["args"] or "" for call in message.tool_call_chunks}
    calls = [_call(call, _arguments(call["args"], pieces.get(call["id"], ""))) for call in message.tool_calls]
    broken = [_call(call, call["args"] or "") for call in message.invalid_tool_calls]
    legacy = message.additional_kwargs.get("function_call")  # of before there were tools
    return [*calls, *broken, *([{"name": legacy["name"], "arguments": legacy["arguments"]}] if legacy else [])]


def _call(call: Any, arguments: str) -> dict[str, Any]:
    return {"id": call["id"] or "", "name": call["name"] or "", "arguments": arguments}


def _arguments(read: dict[str, Any], came: str) -> str:
    try:
        same = json.loads(came or "{}") == read
    except ValueError:
        same = False
    return came if same else json.dumps(read, separators=(",", ":"))


def _usage(said: Any) -> dict[str, Any] | None:
    if not said:
        return None
    names = {"prompt_tokens": "input_tokens", "completion_tokens": "output_tokens", "total_tokens": "total_tokens"}
    usage: dict[str, Any] = {ours: said[theirs] for ours, theirs in names.items()}
    found = {**said.get("input_token_details", {}), **said.get("output_token_details", {})}
    for key, (group, name) in DETAILS.items():
        if key in found:
            usage.setdefault(group, {})[name] = found[key]
    return usage


if __name__ == "__main__":
    run(ask)
