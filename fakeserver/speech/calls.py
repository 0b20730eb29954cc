"""A tool call as it is written -> the fragments that carry it. It must not know chunks or how texts are cut.

A call with a non-empty name opens: a head fragment (index, id, type, name, empty arguments), then its arguments. Any
other is more of one: its keys are sent as written, on each fragment.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Json = Any
Fragment = dict[str, Any]
Written = Mapping[str, Json]  # the keys that the file writes, and no others


@dataclass(slots=True)
class Calls:
    """The open calls of one choice."""

    keys: Sequence[str]
    ids: str = "call_{n}"  # of calls that have none
    opened: int = 0
    free: int = 0  # the next index that no call has
    last: Json = None

    def fragments(self, call: Written, pieces: Callable[[Json], list[Json]], whole: bool) -> list[Fragment]:
        """The fragments of one call. `pieces` cuts the arguments; `whole` puts all into one fragment."""
        if not call.get("name"):
            return self._more(call, pieces)
        index = self._open(call)
        arguments = pieces(call["arguments"]) if "arguments" in call else []
        ident = call["id"] if "id" in call else self._id(index, call["name"])
        head = {"index": index, "id": ident, "type": call.get("type", "function")}
        if whole or arguments == [None]:
            text = arguments[0] if len(arguments) == 1 else "".join(map(_text, arguments))
            return [self._ordered({**head, "function": {"name": call["name"], "arguments": text}}, call)]
        first = self._ordered({**head, "function": {"name": call["name"], "arguments": ""}}, call)
        return [first, *(self._argument(index, text) for text in arguments)]

    def _open(self, call: Written) -> Json:
        self.opened += 1
        index = call.get("index", self.free)
        if isinstance(index, int):
            self.free = max(self.free, index + 1)
        self.last = index
        return index

    def _id(self, index: Json, name: Json) -> str:
        facts = {"{n}": self.opened, "{index}": index, "{name}": name}
        return re.sub(r"\{(n|index|name)\}", lambda hole: str(facts[hole[0]]), self.ids)

    def _argument(self, index: Json, text: Json) -> Fragment:
        return self._ordered({"index": index, "function": {"arguments": text}}, {})

    def _more(self, call: Written, pieces: Callable[[Json], list[Json]]) -> list[Fragment]:
        index = self.last = call.get("index", self.last if self.last is not None else 0)
        outer = {"index": index, **{key: call[key] for key in ("id", "type") if key in call}}
        named = {"name": call["name"]} if "name" in call else {}
        if "arguments" not in call:
            return [self._ordered({**outer, "function": named} if named else outer, call)]
        # Written empty, arguments are sent empty.
        bodies = ({**named, "arguments": text} for text in pieces(call["arguments"]) or [""])
        return [self._ordered({**outer, "function": body}, call) for body in bodies]

    def _ordered(self, fragment: Fragment, written: Written) -> Fragment:
        """The keys in the dialect's order; one that the dialect leaves out is sent only where it is written."""
        order = [*self.keys, *(key for key in fragment if key not in self.keys and key in written)]
        return {key: fragment[key] for key in order if key in fragment}


def _text(piece: Json) -> str:
    return piece if isinstance(piece, str) else json.dumps(piece, ensure_ascii=False, separators=(",", ":"))


@dataclass(slots=True)
class AllCalls:
    """The calls of every choice of a stream."""

    keys: Sequence[str]
    ids: str = "call_{n}"
    choices: dict[int, Calls] = field(default_factory=dict)

    def of(self, choice: int) -> Calls:
        return self.choices.setdefault(choice, Calls(self.keys, self.ids))
