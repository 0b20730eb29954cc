"""Made values -> what they are worth at one place. Counters are drawn in the order in which values are used."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from fakeserver.plan.ask import Ask
from fakeserver.plan.blanks import Blanks
from fakeserver.script.made import Bytes, Copied, Counted, Filled, Made, Moment, Template
from fakeserver.speech.pieces import cut

Json = Any
_GONE = object()  # a copy of nothing: its entry is left out


@dataclass(slots=True)
class Around:
    """What a made value can see: the text said so far, and the chunk that an edit works on."""

    so_far: str = ""
    look_up: Callable[[str], Json] | None = None  # pointer -> value; raises LookupError


NOTHING_AROUND = Around()


@dataclass(slots=True)
class Drawer:
    """The counters and blanks of one plan."""

    ask: Ask
    blanks: Blanks
    _counters: dict[Made, int] = field(default_factory=dict)

    def value(self, value: Json, around: Around = NOTHING_AROUND) -> Json:
        """A JSON value with every made value in it drawn; what copies nothing is left out."""
        out = self._value(value, around)
        return None if out is _GONE else out

    def entry(self, value: Json, around: Around) -> tuple[bool, Json]:
        """As `value`, and whether there is anything at all."""
        out = self._value(value, around)
        return out is not _GONE, out

    def text(self, value: str | Made, around: Around = NOTHING_AROUND) -> str:
        """A made value where a text stands: a time is its digits, a count too."""
        if isinstance(value, Moment):
            return self.blanks.moment(value.offset, value.form)
        drawn = self.value(value, around)
        return drawn if isinstance(drawn, str) else "" if drawn is None else compact(drawn)

    def pieces(self, text: str, by: str | None) -> list[str]:
        """The pieces of a drawn text. Bytes and times in it have no characters yet: each stays whole."""
        by = by or "whole"
        if by == "whole" or "\x7f" not in text:
            return cut(text, by)
        parts = [(part, made) for part, made in self.blanks.parts(text) if part]
        return [piece for part, made in parts for piece in ([part] if made else cut(part, by))]

    def arguments(self, value: Json, by: str | None) -> list[Json]:
        """A call's drawn arguments as they are cut: a list is its pieces, a text and a map are cut, null stays null."""
        if isinstance(value, list) or value is None:
            return value if isinstance(value, list) else [None]
        text = value if isinstance(value, str) else self.blanks.numbers(compact(value))
        return list(self.pieces(text, by)) if text else []

    def _value(self, value: Json, around: Around) -> Json:
        if isinstance(value, Made):
            return self._made(value, around)
        if isinstance(value, dict):
            drawn = ((key, self._value(item, around)) for key, item in value.items())
            return {key: item for key, item in drawn if item is not _GONE}
        if isinstance(value, list | tuple):
            return [item for item in (self._value(each, around) for each in value) if item is not _GONE]
        return value

    def _made(self, made: Made, around: Around) -> Json:
        match made:
            case Counted():
                return made.start + self._count(made)
            case Template():
                return self._template(made, around)
            case Copied():
                return _copy(made.pointer, around)
            case Filled():
                return fill(made.text, made.size)
            case Moment():
                return self.blanks.moment(made.offset, made.form, number=made.form != "http-date")
        assert isinstance(made, Bytes)
        return self.blanks.raw(made.data)

    def _count(self, made: Made) -> int:
        n = self._counters.get(made, 0)
        self._counters[made] = n + 1
        return n

    def _template(self, made: Template, around: Around) -> str:
        count = str(self._count(made) + 1)
        facts = {"count": count, "so_far": around.so_far, "model": self.ask.model, **dict(self.ask.texts)}
        return "".join(facts.get(part, "") if i % 2 else part for i, part in enumerate(made.parts))


def _copy(pointer: str, around: Around) -> Json:
    if around.look_up is None:
        return _GONE
    try:
        return copy.deepcopy(around.look_up(pointer))
    except LookupError:
        return _GONE


def compact(value: Json) -> str:
    """JSON inside of a text."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def fill(text: str, size: int) -> str:
    """The text over and over, `size` bytes of UTF-8 at most, ending at a character."""
    times, left = divmod(size, _bytes(text))
    end = 0
    while left >= _bytes(text[end]):
        left -= _bytes(text[end])
        end += 1
    return text * times + text[:end]


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def made_in(value: Any) -> Iterator[Made]:
    """Every made value in a model or a JSON value."""
    if isinstance(value, Made):
        yield value
        return
    if isinstance(value, dict):
        parts = list(value.values())
    elif isinstance(value, list | tuple):
        parts = list(value)
    else:
        parts = [getattr(value, name) for name in getattr(value, "model_fields_set", ())]
    for part in parts:
        yield from made_in(part)


def holes_in(value: Any) -> frozenset[str]:
    """The names of all holes of all templates in it."""
    return frozenset(hole for made in made_in(value) if isinstance(made, Template) for hole in made.holes)
