"""What a reply says -> its usage: counted in tokens, and put where the dialect has it. It must not know chunks."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from typing import Any

from fakeserver.plan.draw import Drawer, compact
from fakeserver.script.dialect import Manner
from fakeserver.script.scenario import ReplyMap
from fakeserver.script.steps import Speech

Json = Any


class Totals:
    """The usage of one reply."""

    def __init__(self, manner: Manner, replies: Sequence[ReplyMap], asked: bool, drawer: Drawer):
        self.manner = manner
        self.asked = asked
        self.drawer = drawer
        self.total = self.thought = self.so_far = self.thought_so_far = 0
        written = [reply.usage for reply in replies if reply.has("usage")]
        self.written = drawer.value(written[-1]) if written else None
        self.left_out = bool(written and written[-1] is None) or any(reply.has("fail") for reply in replies)
        self.every = not self.left_out and (manner.usage == "every" or (manner.usage == "every-asked" and asked))
        self.null = not self.every and (manner.null_usage is True or (manner.null_usage == "asked" and asked))

    def count(self, runs: Iterable[tuple[str, list[str]]], calls: Iterable[tuple[dict[str, Json], list[Json]]]) -> None:
        """What one choice says."""
        for channel, pieces in runs:
            size = self._tokens("".join(pieces))
            self.total += size
            self.thought += size if channel == "think" else 0
        for call, arguments in calls:
            self.total += self._tokens(str(call.get("name") or "")) + self._tokens(_joined(arguments))

    def _tokens(self, text: str) -> int:
        return len(self.drawer.pieces(text, "token")) if text else 0

    def on(self, step: Speech) -> dict[str, Any]:
        """The running total of a chunk, for dialects that tell it on every one; with the finish it is the whole."""
        if not self.every:
            return {}
        texts = [getattr(step, name) for name in ("say", "think", "refuse") if step.has(name)]
        if step.has("call"):
            call: Any = step.call  # one call: a reply gives each a step of its own
            texts += [
                str(call.name or ""),
                _joined(call.arguments if isinstance(call.arguments, list) else [call.arguments]),
            ]
        self.so_far = min(self.total, self.so_far + sum(map(self._tokens, texts)))
        if step.has("think"):
            thought: Any = step.think  # one piece, as all texts here
            self.thought_so_far = min(self.thought, self.thought_so_far + self._tokens(thought))
        return {"usage": self._whole() if step.has("finish") else self.value(self.so_far, self.thought_so_far)}

    def _whole(self) -> Json:
        return self.value(self.total, self.thought)

    def at_finish(self) -> dict[str, Any]:
        return {"usage": self._whole()} if self.manner.usage == "finish" and not self.left_out else {}

    def own(self) -> dict[str, Any]:
        """The step that tells usage on its own, after the finish."""
        mode = self.manner.usage
        if self.left_out or not (mode in ("always", "with-choice") or (mode == "asked" and self.asked)):
            return {}
        return {**({"delta": {}} if mode == "with-choice" else {}), "usage": self._whole()}

    def value(self, said: int, thought: int) -> Json:
        if self.written is not None:
            return self.written
        prompt = self.drawer.ask.prompt_tokens
        details: dict[str, Any] = copy.deepcopy(self.manner.usage_details)
        inner = details.get("completion_tokens_details")
        if isinstance(inner, dict) and "reasoning_tokens" in inner:
            inner["reasoning_tokens"] = thought
        told = said - thought if self.manner.reasoning_tokens == "beside" else said
        return {"prompt_tokens": prompt, "completion_tokens": told, "total_tokens": prompt + said, **details}


def _joined(arguments: Iterable[Json]) -> str:
    return "".join(each if isinstance(each, str) else "" if each is None else compact(each) for each in arguments)
