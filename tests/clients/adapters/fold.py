"""Chunks as a client hands them over -> what a plain caller makes of them: texts joined, calls put together by index.

A few lines that any user would write, on purpose not the product's own accumulator. `fold.mjs` is the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

TEXTS = ("content", "refusal", "reasoning")


def _maps(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _map(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _texts(delta: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """What a delta says, by kind. Mistral's list of parts is read too."""
    content = delta.get("content")
    for part in _maps(content):
        yield "content", part.get("text") or ""
        for thought in _maps(part.get("thinking")):
            yield "reasoning", thought.get("text") or ""
    yield "content", content
    yield "refusal", delta.get("refusal")
    details = "".join(part.get("text") or part.get("summary") or "" for part in _maps(delta.get("reasoning_details")))
    yield "reasoning", delta.get("reasoning_content") or delta.get("reasoning") or details


class Fold:
    """The answer so far."""

    def __init__(self) -> None:
        self.choices: dict[int, dict[str, Any]] = {}
        self.usage: dict[str, Any] | None = None

    def take(self, chunk: Any) -> None:
        """One chunk, or a whole completion: a message is read as the one delta there is."""
        chunk = _map(chunk)
        self.usage = _map(chunk.get("usage")) or self.usage
        for choice in _maps(chunk.get("choices")):
            self._choice(choice)

    def put(self, usage: dict[str, Any] | None = None, **said: Any) -> None:
        """Choice 0 as a client that does not hand over chunks tells it: what is said takes the place of before."""
        self.usage = usage or self.usage
        self._draft(0).update(said)

    def _draft(self, index: int) -> dict[str, Any]:
        empty = {"index": index, **dict.fromkeys(TEXTS, ""), "tool_calls": [], "finish_reason": None}
        return self.choices.setdefault(index, empty)

    def _choice(self, choice: dict[str, Any]) -> None:
        draft = self._draft(choice.get("index") or 0)
        draft["finish_reason"] = draft["finish_reason"] or choice.get("finish_reason") or None
        delta = _map(choice.get("delta") or choice.get("message"))
        for kind, text in _texts(delta):
            draft[kind] += text if isinstance(text, str) else ""
        for call in _maps(delta.get("tool_calls")):
            self._call(draft["tool_calls"], call)
        if _map(delta.get("function_call")):  # of before there were tools
            self._call(draft["tool_calls"], {"index": 0, "function": delta["function_call"]})

    def _call(self, calls: list[dict[str, Any]], said: dict[str, Any]) -> None:
        """A fragment goes on with the last call of its index, or simply the last; another id begins another call."""
        index, function = said.get("index"), _map(said.get("function"))
        same = [call for call in calls if index is None or call["index"] == index]
        if not same or (said.get("id") and said["id"] != same[-1]["id"] and same[-1]["id"]):
            calls.append({"index": len(calls) if index is None else index, "id": "", "name": "", "arguments": ""})
            same = calls
        call, name, arguments = same[-1], function.get("name") or "", function.get("arguments") or ""
        call["id"] = call["id"] or said.get("id") or ""
        call["name"] += name if name != call["name"] else ""  # in pieces, or repeated
        call["arguments"] += arguments if isinstance(arguments, str) else json.dumps(arguments, separators=(",", ":"))

    def outcome(self) -> dict[str, Any]:
        """What was gathered. `fold.mjs` says it with the same keys."""
        choices = [self.choices[index] for index in sorted(self.choices)]
        return {"usage": self.usage, "choices": choices} if choices else {"usage": self.usage}
