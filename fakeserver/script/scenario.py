"""A scenario file's keys, as the language's section 3 has them. Data -> closed models."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, ConfigDict, Field, model_validator

from fakeserver.script.layers import Header, Layers
from fakeserver.script.made import AnyJson, JsonMap, has_made
from fakeserver.script.problems import WRITTEN
from fakeserver.script.shapes import ByKind, ByVerb, Closed, any_of, needs, wrong
from fakeserver.script.steps import CHANNELS, By, Calls, Pieces, Step
from fakeserver.script.units import Absolute, Count, Flag, Int, Maybe, Name, Regex, Status, Text, Turn, Word

Words = Annotated[Word | tuple[Word, ...], ByKind(("text", "list"))]


class ReplyMap(Closed):
    """A well-formed answer of one choice; sent in the order think, refuse, say, call."""

    model_config = ConfigDict(json_schema_extra={**any_of(*CHANNELS, "fail", "finish"), **needs(by=CHANNELS)})

    think: Maybe[Pieces] = None
    refuse: Maybe[Pieces] = None
    say: Maybe[Pieces] = None
    call: Maybe[Calls] = None
    by: By = "token"
    finish: Word | None = None
    usage: JsonMap | None = None
    fail: AnyJson = None
    done: Flag = True


OneReply = Annotated[Text | ReplyMap, ByKind(("text", "map"), spoken=True)]
Replies = Annotated[tuple[OneReply, ...], Field(min_length=1)]
AnyReply = Annotated[Text | ReplyMap | Replies, ByKind(("text", "map", "list"), spoken=True)]


class Respond(Closed):
    """One HTTP answer: an error by name, or what is written here over it."""

    model_config = ConfigDict(json_schema_extra={"not": {"required": ["json", "text"]}})

    error: Maybe[Name] = None
    status: Maybe[Status] = None
    reason: Maybe[Word] = None
    headers: dict[Word, Header] = Field(default_factory=dict)
    json_: AnyJson = Field(None, alias="json")
    text: Maybe[Text] = None

    @model_validator(mode="after")
    def _one_body(self) -> Respond:
        if self.has("json_") and self.has("text"):
            raise wrong("two-bodies", "json and text are two bodies", "keep one of them", "text")
        return self


class Test(Closed):
    """Text equals, or these."""

    __test__: ClassVar = False  # pytest, this is no test class
    equals: Maybe[Word] = None
    contains: Maybe[Word] = None
    matches: Maybe[Regex] = None

    @model_validator(mode="after")
    def _some(self) -> Test:
        if not self.model_fields_set:
            raise wrong("no-test", "a test of nothing", "write equals, contains or matches")
        return self


AnyTest = Annotated[Word | Test, ByKind(("text", "map"))]


def _as_written(value: Any) -> Any:
    if has_made(value):
        raise wrong("made", "a made value cannot be compared with a request", "write the value itself")
    return value


_Fixed = Annotated[AnyJson, AfterValidator(_as_written)]


class When(Closed):
    """Conditions that must all hold."""

    model: Maybe[Word] = None
    path: Maybe[Word] = None
    stream: Maybe[Flag] = None
    tools: Annotated[Flag | tuple[Word, ...], ByKind(("flag", "list"))] = False
    turn: Maybe[Turn] = None
    header: Maybe[dict[Word, AnyTest]] = None
    system: Maybe[AnyTest] = None
    last_user: Maybe[AnyTest] = None
    tool_result: Maybe[AnyTest] = None
    body: Maybe[dict[Absolute, _Fixed]] = None


class Reading(Closed):
    """The right reading of one choice; only the keys that are written are compared."""

    outcome: Maybe[Literal["complete", "truncated", "failed", "refused"]] = None
    content: Maybe[Text] = None
    content_size: Maybe[Count] = None
    reasoning: Maybe[Text] = None
    refusal: Maybe[Text] = None
    tool_calls: Maybe[tuple[JsonMap, ...]] = None
    finish_reason: Word | None = None
    usage: JsonMap | None = None
    error: AnyJson = None


class Expect(Reading):
    """The right reading of the answer, of each choice where they differ."""

    choices: Maybe[tuple[Reading, ...]] = None

    def plain(self) -> dict[str, Any]:
        """The keys that are written, as maps and lists."""
        return self.model_dump(mode="json", exclude_unset=True)


Protocol = Literal["chat", "responses", "completions"]
Form = Literal["asked", "sse", "json"]
_Whens = Annotated[When | Annotated[tuple[When, ...], Field(min_length=1)], ByKind(("map", "list"))]
_Expects = Annotated[Expect | Annotated[tuple[Expect, ...], Field(min_length=1)], ByKind(("map", "list"))]


class Body(Layers):
    """What a scenario and an attempt have in common."""

    dialect: Name = "openai"
    form: Form = "asked"
    expect: Maybe[_Expects] = None

    @property
    def expects(self) -> tuple[dict[str, Any], ...]:
        """Each reading that is right, as plain data; empty where none is written."""
        several = self.expect if isinstance(self.expect, tuple) else (self.expect,) if self.expect else ()
        return tuple(each.plain() for each in several)


class ReplyAttempt(Body):
    """A well-formed answer."""

    VERBS: ClassVar = ("reply",)
    reply: AnyReply


class StreamAttempt(Body):
    """An exact script."""

    VERBS: ClassVar = ("stream",)
    stream: tuple[Step, ...]


_RESPOND = f"write {{status: {WRITTEN}}}, or a name such as rate-limited"


class RespondAttempt(Body):
    """One HTTP answer."""

    VERBS: ClassVar = ("respond",)
    respond: Annotated[
        Name | Respond, ByKind(("text", "map"), "an error's name, or a map such as {status: 503}", remedy=_RESPOND)
    ]


Attempt = Annotated[ReplyAttempt | StreamAttempt | RespondAttempt, ByVerb("attempt")]


class Top(Body):
    """The keys of a whole scenario besides its verb."""

    about: Maybe[Word] = None
    tags: tuple[Word, ...] = ()
    source: tuple[Word, ...] = ()
    when: Maybe[_Whens] = None
    priority: Int = 0
    protocol: Maybe[Protocol] = None
    envelope: Maybe[JsonMap] = None


class ReplyScenario(Top, ReplyAttempt):
    """An answer, everything implied."""


class StreamScenario(Top, StreamAttempt):
    """The exact script, nothing implied."""


class RespondScenario(Top, RespondAttempt):
    """One HTTP answer, an error mostly."""


class AttemptsScenario(Top):
    """Several bodies, one a request."""

    VERBS: ClassVar = ("attempts",)
    attempts: Annotated[tuple[Attempt, ...], Field(min_length=1)]
    then: Literal["last", "again", "fail"] = "last"
    attempts_by: Literal["request", "retry-count"] = "request"


Scenario = ReplyScenario | StreamScenario | RespondScenario | AttemptsScenario
AnyScenario = Annotated[Scenario, ByVerb("scenario")]
AnyBody = ReplyAttempt | StreamAttempt | RespondAttempt
