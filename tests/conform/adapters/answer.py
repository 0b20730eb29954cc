"""Chunks -> what came, in the shape of an outcome."""

from __future__ import annotations

import json
from typing import Any

Json = dict[str, Any]


class Answer:
    """All choices, and the usage."""

    def __init__(self) -> None:
        self.choices: dict[int, Json] = {}
        self.usage: Json | None = None

    def take(self, chunk: Json) -> None:
        if isinstance(chunk.get("usage"), dict):
            self.usage = chunk["usage"]
        for choice in chunk.get("choices") or []:
            self.choice(choice)

    def choice(self, said: Json) -> None:
        mine = self.choices.setdefault(said.get("index") or 0, fresh())
        delta = said.get("delta") or said.get("message") or {}
        for part in parts(delta.get("content")):
            self.text(mine, *part)
        self.text(mine, "refusal", delta.get("refusal"))
        self.text(mine, "reasoning", reasoning(delta))
        for call in delta.get("tool_calls") or []:
            fragment(mine["tool_calls"], call)
        if delta.get("function_call"):
            fragment(mine["tool_calls"], {"index": 0, "function": delta["function_call"]})
        mine["finish_reason"] = mine["finish_reason"] or said.get("finish_reason") or None

    def text(self, mine: Json, kind: str, said: object) -> None:
        mine[kind] += said if isinstance(said, str) else ""

    def outcome(self) -> Json:
        found = dict(sorted(self.choices.items())) or {0: fresh()}
        if list(found) == [0]:
            return {**found[0], "usage": self.usage}
        return {"choices": [{"index": index, **said} for index, said in found.items()], "usage": self.usage}


def fresh() -> Json:
    return {"content": "", "refusal": "", "reasoning": "", "tool_calls": [], "finish_reason": None}


def parts(content: object) -> list[tuple[str, object]]:
    """A text, or a list of parts with texts and thoughts in it."""
    if not isinstance(content, list):
        return [("content", content)]
    found: list[tuple[str, object]] = []
    for part in content:
        found.append(("content", part.get("text")))
        found += [("reasoning", thought.get("text")) for thought in part.get("thinking") or []]
    return found


def reasoning(delta: Json) -> str:
    details = "".join(each.get("text") or each.get("summary") or "" for each in delta.get("reasoning_details") or [])
    return delta.get("reasoning_content") or delta.get("reasoning") or details


def fragment(calls: list[Json], said: Json) -> None:
    """Of a call that has begun, or the first of one: with an id or a name of its own that is another."""
    function, index = said.get("function") or {}, said.get("index")
    same = [call for call in calls if index is None or call["index"] == index]
    if not same or begins(same[-1], said, function):
        calls.append({"index": len(calls) if index is None else index, "id": "", "name": "", "arguments": ""})
        same = calls
    call, name, more = same[-1], function.get("name") or "", function.get("arguments")
    call["id"] = call["id"] or said.get("id") or ""
    call["name"] += "" if name == call["name"] else name
    call["arguments"] += more if isinstance(more, str) else json.dumps(more, separators=(",", ":")) if more else ""


def begins(last: Json, said: Json, function: Json) -> bool:
    other = bool(said.get("id") and last["id"] and said["id"] != last["id"])
    return other or bool(said.get("index") is None and function.get("name") and last["arguments"])
