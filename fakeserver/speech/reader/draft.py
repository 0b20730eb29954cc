"""One choice as far as it has been read: entries of `choices` in, texts and calls out.

Knows the fields of a chat delta, of a chat message and of a legacy completion, in every shape that providers give
them. It must not know events, nor what makes an answer whole.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from fakeserver.speech.reader.calls import Calls, Key, argument_text
from fakeserver.speech.reader.failure import error_map
from fakeserver.speech.reader.jsontext import Json, items, mapping, text, whole_number

THINKING = ("thinking", "reasoning")


@dataclass(slots=True)
class Draft:
    """What has come of a choice so far. Texts are kept as pieces: a long answer is joined once, not at every token."""

    content: list[str] = field(default_factory=list)
    refusal: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    calls: Calls = field(default_factory=Calls)
    annotations: list[Json] = field(default_factory=list)
    logprobs: dict[str, Json] | None = None
    role: str = "assistant"
    finish_reason: str | None = None
    error: dict[str, Json] | None = None

    def choice(self, entry: dict[str, Json]) -> None:
        """One entry of `choices`. Its words come before its finish (case finish-with-last-content)."""
        if isinstance(entry.get("delta"), dict):
            self._message(mapping(entry["delta"]), by_position=False)
        elif isinstance(entry.get("message"), dict):
            self._message(mapping(entry["message"]), by_position=True)
        else:
            self.content.append(text(entry.get("text")))
        self.note(entry.get("annotations"))
        self._logprobs(entry.get("logprobs"))
        self.finish(text(entry.get("finish_reason")))
        if told := entry.get("error"):
            self.error = self.error or error_map(told, {})

    def finish(self, reason: str) -> None:
        """The first reason counts (case finish-tool_calls-then-stop); an empty one is none."""
        self.finish_reason = self.finish_reason or reason or None

    def note(self, annotations: Json) -> None:
        self.annotations += [note for note in items(annotations) if note not in self.annotations]

    def _message(self, said: dict[str, Json], *, by_position: bool) -> None:
        self.role = text(said.get("role")) or self.role
        self._content(said.get("content"))
        self.refusal.append(text(said.get("refusal")))
        self.reasoning.append(_reasoning(said))
        for place, call in enumerate(items(said.get("tool_calls"))):
            self._call(mapping(call), place if by_position else None)
        if legacy := mapping(said.get("function_call")):
            self._function("function_call", "", legacy)
        self.note(said.get("annotations"))

    def _content(self, content: Json) -> None:
        """Text, or Mistral's list of parts (case content-as-array-of-parts). A number or a map is no text."""
        self.content.append(text(content))
        for part in items(content):
            self.content.append(text(part))
            self.part(mapping(part))

    def part(self, part: dict[str, Json]) -> None:
        """One typed part of a content list, chat's or Responses'. References and the like say nothing."""
        kind = text(part.get("type"))
        if kind in THINKING:
            self.reasoning.append(_thinking(part.get("thinking")) or text(part.get("text")))
        elif kind == "refusal":
            self.refusal.append(text(part.get("refusal")))
        else:
            self.content.append(text(part.get("text")))

    def _call(self, call: dict[str, Json], place: int | None) -> None:
        index = whole_number(call.get("index"))
        self._function(place if index is None else index, text(call.get("id")), mapping(call.get("function")))

    def _function(self, key: Key | None, id: str, function: dict[str, Json]) -> None:
        self.calls.add(key, id, text(function.get("name")), argument_text(function.get("arguments")))

    def _logprobs(self, logprobs: Json) -> None:
        """Lists grow, key by key; a choice may lack them and other shapes are passed over (case logprobs-shape)."""
        if not isinstance(logprobs, dict):
            return
        self.logprobs = self.logprobs or {}
        for key, value in logprobs.items():
            held = self.logprobs.get(key)
            if isinstance(held, list):
                held += items(value)
            else:
                self.logprobs[key] = [*value] if isinstance(value, list) else None


def _reasoning(said: dict[str, Json]) -> str:
    """One of the three fields: servers that send two of them say the same thing twice (case reasoning-field-name)."""
    plain = text(said.get("reasoning_content")) or text(said.get("reasoning"))
    return plain or "".join(_detail(mapping(detail)) for detail in items(said.get("reasoning_details")))


def _detail(detail: dict[str, Json]) -> str:
    return text(detail.get("text")) or text(detail.get("summary"))


def _thinking(value: Json) -> str:
    return text(value) or "".join(text(mapping(part).get("text")) for part in items(value))
