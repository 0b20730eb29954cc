"""A request's path -> what it asks for. It must not know methods, bodies or which scenarios there are.

    [/session/ID][/scenario/NAME]BASE/chat/completions      and BASE/models, BASE/models/ID
    [/session/ID][/scenario/NAME]/openai/deployments/MODEL/chat/completions
    /_fakeserver/...                                        the control routes

BASE is what a provider's base URL ends in: `/v1`, one of the others, or nothing.
Doubled slashes and one at the end are forgiven: `//v1`, from a base URL that ends in a slash, is the commonest slip.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal
from urllib.parse import unquote

Kind = Literal["chat", "models", "model", "control", "unknown"]

DEFAULT_SESSION = "default"
_LONGEST = 200  # characters of a session's id, which is kept, and of a selector
BASES = (("v1",), ("openai", "v1"), ("api", "v1"), ("api", "paas", "v4"), ("v1beta", "openai"), ("inference", "v1"),
         ("compatible-mode", "v1"), ())  # fmt: skip
METHODS: dict[str, tuple[str, ...]] = {"chat": ("POST",), "models": ("GET", "HEAD"), "model": ("GET", "HEAD")}


@dataclass(frozen=True, slots=True)
class Route:
    """`selector` is the scenario that the path names, or ""; `rest` a model's id, or the control route's segments.

    `model` is the deployment that the path names, which is the model where the body has none.
    """

    kind: Kind
    session: str = DEFAULT_SESSION
    selector: str = ""
    rest: tuple[str, ...] = ()
    model: str = ""

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods that it answers; none for a path that is not known."""
        return METHODS.get(self.kind, ())


def route_of(target: str) -> Route:
    """The route of a request target as sent, still percent-encoded."""
    segments = [unquote(segment) for segment in target.partition("?")[0].split("/") if segment]
    if segments[:1] == ["_fakeserver"]:
        return Route("control", rest=tuple(segments[1:]))
    session, segments = _named("session", segments)
    selector, segments = _named("scenario", segments)
    session = session or DEFAULT_SESSION
    match segments:
        case ["openai", "deployments", model, "chat", "completions"]:
            return Route("chat", session, selector, model=model)
    kind, rest = _kind(segments)
    return Route(kind, session, selector, rest)


def _named(word: str, segments: list[str]) -> tuple[str, list[str]]:
    if segments[:1] == [word] and len(segments) > 1:
        return segments[1][:_LONGEST], segments[2:]
    return "", segments


def _kind(segments: list[str]) -> tuple[Kind, tuple[str, ...]]:
    base = next(base for base in BASES if tuple(segments[: len(base)]) == base)
    match segments[len(base) :]:
        case ["chat", "completions"]:
            return "chat", ()
        case ["models"]:
            return "models", ()
        case ["models", *name]:
            return "model", tuple(name)
    return "unknown", ()
