"""The values on both sides of the reference accumulator: what a client received, and what it must make of it.

Plain frozen values. They must not know how the one becomes the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from fakeserver.speech.reader.jsontext import Json

Outcome = Literal["complete", "refused", "truncated", "failed"]
WORST_LAST: tuple[Outcome, ...] = ("complete", "refused", "truncated", "failed")
Ended = Literal["clean", "close", "reset", "open", "short"]


@dataclass(frozen=True, slots=True)
class Received:
    """A reply as it arrived: `body` is behind HTTP's framing and, if it was compressed, decompressed.

    `status` None: no head came. `end`: clean (as the framing says, and FIN where only FIN ends a body), close (a FIN
    that the framing did not promise), reset, open (silence, nothing ended), short (a body below its content length).
    `broken`: the bytes behind `body` could not be decoded (bad gzip).
    """

    status: int | None
    content_type: str | None
    body: bytes
    end: Ended = "clean"
    broken: bool = False


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call. `complete`: its arguments are JSON (none at all stand for `{}`), so that it may be run."""

    id: str
    name: str
    arguments: str
    complete: bool
    index: int | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """One choice of an answer. Texts that never came are empty."""

    index: int
    outcome: Outcome
    content: str = ""
    refusal: str = ""
    reasoning: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    finish_reason: str | None = None
    error: Mapping[str, Json] | None = None
    role: str = "assistant"
    logprobs: Mapping[str, Json] | None = None
    annotations: tuple[Json, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """The whole answer: its choices in the order of their indices (there is always one), and the usage of them all."""

    choices: tuple[Choice, ...]
    usage: Mapping[str, Json] | None = None

    def choice(self, index: int) -> Choice | None:
        return next((choice for choice in self.choices if choice.index == index), None)

    @property
    def first(self) -> Choice:
        """Choice 0, or the lowest there is."""
        return self.choice(0) or self.choices[0]

    @property
    def outcome(self) -> Outcome:
        """The worst of the choices."""
        return max((choice.outcome for choice in self.choices), key=WORST_LAST.index)

    @property
    def error(self) -> Mapping[str, Json] | None:
        return next((choice.error for choice in self.choices if choice.error is not None), None)

    @property
    def content(self) -> str:
        return self.first.content

    @property
    def refusal(self) -> str:
        return self.first.refusal

    @property
    def reasoning(self) -> str:
        return self.first.reasoning

    @property
    def tool_calls(self) -> tuple[ToolCall, ...]:
        return self.first.tool_calls

    @property
    def finish_reason(self) -> str | None:
        return self.first.finish_reason
