"""What an adapter prints, a JSON object -> an Outcome; or what is wrong with it, key by key, and what to write instead.

It must not know cases or processes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    WithJsonSchema,
)
from pydantic_core import PydanticCustomError

from fakeserver.match.shorten import shortened
from fakeserver.script.problems import either
from fakeserver.speech.reading import Choice, Reading, ToolCall
from fakeserver.speech.reading import Outcome as Word

Told: TypeAlias = Word  # complete, refused, truncated, failed
LOUD: tuple[Told, ...] = ("truncated", "failed")


class Misread(Exception):
    """It is no outcome; the message says why."""


def _text(value: Any) -> Any:
    return "" if value is None else value


def _named(value: str) -> str:
    if not value:
        raise PydanticCustomError("nameless", "give the exception's class, or null where nothing was raised")
    return value


# pydantic's own min_length refuses half a surrogate pair.
Name = Annotated[str, AfterValidator(_named), WithJsonSchema({"type": "string", "minLength": 1})]
Text = Annotated[str, BeforeValidator(_text), WithJsonSchema({"type": ["string", "null"]})]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Call(_Strict):
    """One tool call, put together."""

    index: int | None = Field(None, description="As the chunks have it; without one, its place in the list.")
    id: Text = ""
    name: Text = ""
    arguments: Text = Field("", description="The text as it came, whether it is JSON or not.")


class Part(_Strict):
    """What came of one choice."""

    content: Text = Field("", description="The answer's text, all of it.")
    refusal: Text = Field("", description="The text of a refusal.")
    reasoning: Text = Field("", description="The text of the reasoning, whatever the provider calls it.")
    tool_calls: list[Call] = Field([], description="Each call once, its fragments joined.")
    finish_reason: str | None = Field(None, description="As it came; null where none did.")


class OneChoice(Part):
    """One of several choices."""

    index: int = Field(description="The choice's index.")


class Raised(_Strict):
    """An exception with more than its class."""

    class_: Name = Field(alias="class", description="The exception's class.")
    message: Text = Field("", description="What it says.")
    error: dict[str, Any] | str | None = Field(None, description="The error object that came with it.")


class Outcome(Part):
    """What a client made of one case."""

    case: str | None = Field(None, description="Which case it is of; needed with --stay.")
    usage: dict[str, Any] | None = Field(None, description="The usage object; null where none came.")
    choices: list[OneChoice] | None = Field(
        None, description="All choices, where there are others than 0; the keys of choice 0 are then left out."
    )
    raised: Name | Raised | None = Field(
        None, description="What the caller got instead of a quiet end: the exception's class; null for a quiet end."
    )
    outcome: Literal["complete", "refused", "truncated", "failed"] | None = Field(
        None, description="What the client itself tells its caller. Without it: failed if something was raised, else"
        " refused if there is a refusal or the finish reason is content_filter, else complete."
    )  # fmt: skip
    shown: str | None = Field(None, description="All that the app has shown its user, in the order of showing.")
    seconds: float | None = Field(None, ge=0, description="How long it took.")

    @property
    def loud(self) -> bool:
        """Whether the caller learns that this is no whole answer."""
        return bool(self.raised) or self.outcome in LOUD

    @property
    def told(self) -> Told:
        """The worst that any choice tells."""
        return self.reading.outcome

    @property
    def raised_class(self) -> str:
        return self.raised.class_ if isinstance(self.raised, Raised) else self.raised or ""

    @property
    def reading(self) -> Reading:
        """In the words of the scenario language, so that it can be held against an `expect`."""
        parts = self.choices or [OneChoice(index=0, **{name: getattr(self, name) for name in Part.model_fields})]
        return Reading(tuple(self._choice(part) for part in parts), self.usage)

    def _choice(self, part: OneChoice) -> Choice:
        calls = tuple(_call(place, call) for place, call in enumerate(part.tool_calls))
        return Choice(part.index, self._told(part), part.content, part.refusal, part.reasoning, calls,
                              part.finish_reason)  # fmt: skip

    def _told(self, part: Part) -> Told:
        if self.outcome:
            return self.outcome
        if self.raised:
            return "failed"
        return "refused" if part.refusal or part.finish_reason == "content_filter" else "complete"


def _call(place: int, call: Call) -> ToolCall:
    index = place if call.index is None else call.index
    return ToolCall(call.id, call.name, call.arguments, _is_json(call.arguments.strip() or "{}"), index)


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def schema() -> dict[str, Any]:
    """The JSON Schema of an outcome."""
    made = Outcome.model_json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **made}


def object_of(line: bytes) -> dict[str, Any] | None:
    """The JSON object that a line is; None for any other line."""
    if not line.lstrip().startswith(b"{"):
        return None
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def outcome_of(said: Mapping[str, Any]) -> Outcome:
    """Raises Misread."""
    try:
        return Outcome.model_validate(said)
    except ValidationError as wrong:
        raise Misread("; ".join(dict.fromkeys(_told_wrong(wrong)))) from None


_INSTEAD = {
    "string_type": "a text belongs there",
    "int_type": "a whole number belongs there",
    "float_type": "a number belongs there",
    "greater_than_equal": "it cannot be below 0",
    "list_type": "a list belongs there",
    "dict_type": "an object belongs there",
    "model_type": "an object belongs there",
    "model_attributes_type": "an object belongs there",
    "missing": "it is needed",
}
_RAISED = "null, the exception's class, or an object with class, message and error belongs there"

# pydantic's names for what a value might have been
_BRANCHES = ("Raised", "function-after[_named(), str]", "str", "dict[str,any]")


def _told_wrong(wrong: ValidationError) -> Iterator[str]:
    errors = wrong.errors(include_url=False)
    inside = any(error["loc"][:2] == ("raised", "Raised") and len(error["loc"]) > 2 for error in errors)
    for error in errors:
        if inside and error["loc"][0] == "raised" and len(error["loc"]) < 3:
            continue  # it is the object that is wrong, not that it is one
        place = [str(step) for step in error["loc"] if step not in _BRANCHES]
        path = ".".join(place)
        if error["type"] == "extra_forbidden":
            yield f"there is no key '{path}': {_near(place[-1], _keys(error['loc']))}"
        elif error["loc"][0] == "raised" and len(place) == 1 and error["type"] != "nameless":
            yield f"raised is {shortened(error['input'])}: {_RAISED}"
        elif error["type"] == "missing":
            yield f"{path} is missing: it is needed"
        else:
            instead = _INSTEAD.get(error["type"]) or error["msg"].removeprefix("Input should be ")
            yield f"{path} is {shortened(error['input'])}: {instead}"


def _keys(loc: tuple[int | str, ...]) -> Iterable[str]:
    if "tool_calls" in loc:
        return Call.model_fields
    if loc[0] == "choices":
        return OneChoice.model_fields
    return ("class", "message", "error") if loc[0] == "raised" else Outcome.model_fields


def _near(word: str, words: Iterable[str]) -> str:
    known = list(words)
    hits = get_close_matches(word, known, 1, 0.6)
    return f"did you mean '{hits[0]}'?" if hits else f"there are {either(known, 'and')}"
