"""pydantic-ai: the model's own stream (`direct.model_request_stream`), which an agent's run reads too.

Without an agent, because an agent would answer calls of tools that it has not got, and so ask again.
"""

from __future__ import annotations

import json
import warnings
from typing import Any

from fold import Fold
from loop import Case, run
from pydantic_ai.direct import model_request_stream
from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, ThinkingPart, ToolCallPart
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

FINISH = {"tool_call": "tool_calls"}  # the others are openai's


async def ask(case: Case, fold: Fold) -> None:
    model = OpenAIChatModel(case.model, provider=OpenAIProvider(base_url=case.base_url, api_key="any"))
    messages = [ModelRequest.user_text_prompt("Hello")]
    async with model_request_stream(model, messages, model_settings={"timeout": case.time_limit}) as stream:
        try:
            async for _ in stream:
                pass
        finally:
            fold.put(**_response(stream.get()))


def _response(response: ModelResponse) -> dict[str, Any]:
    details = response.provider_details or {}
    finish = response.finish_reason
    return {
        "content": _text(response, TextPart),
        "refusal": details.get("refusal") or "",
        "reasoning": _text(response, ThinkingPart),
        "tool_calls": [_call(part) for part in response.parts if isinstance(part, ToolCallPart)],
        "finish_reason": details.get("finish_reason") or FINISH.get(finish or "", finish),
        "usage": _usage(response.usage),
    }


def _text(response: ModelResponse, kind: Any) -> str:
    return "".join(part.content for part in response.parts if isinstance(part, kind))


def _call(part: ToolCallPart) -> dict[str, Any]:
    arguments = part.args if isinstance(part.args, str) else json.dumps(part.args or {}, separators=(",", ":"))
    return {"id": part.tool_call_id, "name": part.tool_name, "arguments": arguments}


def _usage(said: Any) -> dict[str, Any] | None:
    if not said.has_values():
        return None
    usage = {"prompt_tokens": said.input_tokens, "completion_tokens": said.output_tokens,
             "total_tokens": said.total_tokens}  # fmt: skip
    if said.cache_read_tokens:
        usage["prompt_tokens_details"] = {"cached_tokens": said.cache_read_tokens}
    if "reasoning_tokens" in said.details:
        usage["completion_tokens_details"] = {"reasoning_tokens": said.details["reasoning_tokens"]}
    return usage


if __name__ == "__main__":
    warnings.simplefilter("ignore", UserWarning)  # of fields with odd types: it goes on all the same
    run(ask)
