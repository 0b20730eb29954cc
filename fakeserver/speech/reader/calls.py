"""Fragments of tool calls, as each provider cuts them -> whole calls.

Whose fragment it is, the language's section 6 and the cases tool-* decide: an index is a key and not a place; an id
that is new opens a call, even at an index that is taken; without either, the last call goes on.
It must not know the protocol that the fragments came in.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from fakeserver.speech.reader.jsontext import Json, compact, joined, loads
from fakeserver.speech.reading import ToolCall

Key = int | str


@dataclass(slots=True)
class Calls:
    """The calls of one choice, in the order in which they were opened; by key, whoever was last named there."""

    opened: list[_Call] = field(default_factory=list)
    at: dict[Key, _Call] = field(default_factory=dict)

    def add(self, key: Key | None, id: str = "", name: str = "", arguments: str = "") -> None:
        """One fragment, "" for what it does not say."""
        call = self._owner(key, id) or self._open(key)
        call.add(id, name, arguments)
        if key is not None:
            self.at[key] = call

    def settle(self, key: Key, arguments: str) -> None:
        """All arguments of that call at once, in place of the pieces so far; nothing is nothing to say."""
        if arguments:
            self.at[key].arguments = [arguments]

    def whole(self) -> tuple[ToolCall, ...]:
        """The calls; one that never said anything (`tool_calls: [{}]`) is none."""
        return tuple(call.whole() for call in self.opened if not call.blank)

    def _owner(self, key: Key | None, id: str) -> _Call | None:
        there = self._there(key)
        if not id or (there is not None and there.id == id):
            return there
        if same := next((call for call in self.opened if call.id == id), None):
            return same
        late = key is not None and there is not None and not there.id
        return there if late else None

    def _there(self, key: Key | None) -> _Call | None:
        if key is not None:
            return self.at.get(key)
        return self.opened[-1] if self.opened else None

    def _open(self, key: Key | None) -> _Call:
        call = _Call(key)
        self.opened.append(call)
        return call


@dataclass(slots=True)
class _Call:
    """One call that is still growing."""

    key: Key | None
    id: str = ""
    name: str = ""
    arguments: list[str] = field(default_factory=list)

    def add(self, id: str, name: str, arguments: str) -> None:
        """Nothing empty overwrites; a name that is sent again is not said twice, one that comes in pieces is joined."""
        self.id = self.id or id
        self.name += name if name != self.name else ""
        self.arguments.append(arguments)

    def whole(self) -> ToolCall:
        arguments = joined(self.arguments)
        index = self.key if isinstance(self.key, int) else None
        return ToolCall(self.id, joined([self.name]), arguments, is_json(arguments), index)

    @property
    def blank(self) -> bool:
        return not (self.id or self.name or any(self.arguments))


def argument_text(value: Json) -> str:
    """Arguments as text: null is none, an object is written out (case tool-arguments-object)."""
    if value is None or isinstance(value, str):
        return value or ""
    return compact(value)


def is_json(arguments: str) -> bool:
    """May the call be run? No arguments are `{}` (case tool-no-argument-call)."""
    try:
        loads(arguments.strip() or "{}")
    except ValueError:
        return False
    return True
