"""A request -> what rules may look at, each thing found when it is first asked for. Any JSON body will do.

It must not know rules or scenarios. What a request lacks is MISSING, which is not null: that is a value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Any
from urllib.parse import unquote

from fakeserver.match.facts import Facts


class Missing(Enum):
    """Nothing stands there."""

    MISSING = "missing"


MISSING = Missing.MISSING
_SESSION = re.compile(r"/session/[^/]+(?=/)")


@dataclass(frozen=True, eq=False)
class Seen:
    """`path` has no session, no query and no doubled slashes; header names are lower-case."""

    path: str
    headers: Mapping[str, str]
    body: Any

    @classmethod
    def of(cls, facts: Facts, body: Any) -> Seen:
        plain = re.sub("/+", "/", unquote(facts.plain_path))
        return cls(_SESSION.sub("", plain, count=1) if plain.startswith("/session/") else plain, facts.headers, body)

    @cached_property
    def model(self) -> str | Missing:
        model = self._get("model")
        return model if isinstance(model, str) else MISSING

    @cached_property
    def stream(self) -> bool:
        return self._get("stream") is True

    @cached_property
    def tools(self) -> tuple[str, ...]:
        """The names of the tools on offer, of the older `functions` too; a tool without a name goes by its type."""
        offered = [each for key in ("tools", "functions") for each in _maps(self._get(key))]
        return tuple(name for each in offered if (name := _tool_name(each)))

    @cached_property
    def turn(self) -> int:
        """1 and the assistant messages so far."""
        return 1 + len([message for message in self._messages if message.get("role") == "assistant"])

    @cached_property
    def system(self) -> str | Missing:
        """All system and developer messages, a line end between two."""
        texts = [text_of(message) for message in self._messages if message.get("role") in ("system", "developer")]
        return "\n".join(texts) if texts else MISSING

    @cached_property
    def last_user(self) -> str | Missing:
        return self._last("user")

    @cached_property
    def tool_result(self) -> str | Missing:
        """The last tool message, of the older role `function` too."""
        return self._last("tool", "function")

    def header(self, name: str) -> str | Missing:
        return self.headers.get(name, MISSING)

    def _get(self, key: str) -> Any:
        return self.body.get(key) if isinstance(self.body, dict) else None

    @cached_property
    def _messages(self) -> tuple[dict[str, Any], ...]:
        return tuple(_maps(self._get("messages")))

    def _last(self, *roles: str) -> str | Missing:
        found = next((message for message in reversed(self._messages) if message.get("role") in roles), None)
        return MISSING if found is None else text_of(found)


def text_of(message: Mapping[str, Any]) -> str:
    """A message's text: its content, or the texts of its content's parts joined."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    return "".join(part["text"] for part in _maps(content) if isinstance(part.get("text"), str))


def steps_of(pointer: str) -> tuple[str, ...]:
    """A JSON Pointer's steps (RFC 6901)."""
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:])


def pointed(value: Any, steps: Sequence[str]) -> Any:
    """What the steps lead to, or MISSING."""
    for step in steps:
        if isinstance(value, dict) and step in value:
            value = value[step]
        elif isinstance(value, list) and _place(step) < len(value):
            value = value[int(step)]
        else:
            return MISSING
    return value


def _place(step: str) -> int:
    """A place in a list; one that no list has where the step is no number."""
    return int(step) if step.isascii() and step.isdecimal() and len(step) < 10 else 1 << 62


def _maps(value: Any) -> Iterator[dict[str, Any]]:
    return (each for each in value if isinstance(each, dict)) if isinstance(value, list) else iter(())


def _tool_name(tool: dict[str, Any]) -> str | None:
    inner = next((tool[key] for key in ("function", "custom") if isinstance(tool.get(key), dict)), tool)
    name = inner.get("name") or tool.get("type")
    return name if isinstance(name, str) else None
