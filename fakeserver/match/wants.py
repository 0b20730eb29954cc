"""What a condition asks of one value: whether it holds, and whether another could hold where it does not.

It must not know where the value comes from. `covers` is true only where it can be proved: every value that the other
takes, this takes too. Nothing but a body's pointer wants what is MISSING, and that never.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from fnmatch import translate
from typing import Any, Protocol

from fakeserver.match.same import same

_WILD = re.compile(r"[*?[]")


class Want(Protocol):
    """`plain` is what the file says, as JSON can carry it."""

    def holds(self, value: Any) -> bool: ...

    def covers(self, other: Want) -> bool: ...

    def plain(self) -> Any: ...


def pattern_of(text: str, flags: int = 0) -> re.Pattern[str]:
    with warnings.catch_warnings():  # what Python may change one day is no mistake, as where the file was checked
        warnings.simplefilter("ignore")
        return re.compile(text, flags)


@dataclass(frozen=True)
class Glob:
    """`*`, `?` and `[...]` as in file names, over the whole text; case counts, and `*` takes slashes too."""

    text: str
    _fits: Callable[[str], object] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_fits", pattern_of(translate(self.text)).match if self.wild else self.text.__eq__)

    @property
    def wild(self) -> bool:
        return _WILD.search(self.text) is not None

    def holds(self, value: Any) -> bool:
        return isinstance(value, str) and bool(self._fits(value))

    def covers(self, other: Want) -> bool:
        if not isinstance(other, Glob):
            return False
        if not other.wild:
            return self.holds(other.text)
        # Two patterns compare where the first is a beginning and a star: what the other begins with decides.
        begin, star = self.text[:-1], self.text[-1:]
        beginning = _WILD.split(other.text)[0]
        return self == other or (star == "*" and not _WILD.search(begin) and beginning.startswith(begin))

    def plain(self) -> Any:
        return self.text


@dataclass(frozen=True)
class TextTest:
    """Each part that is written must hold. `matches` may stand anywhere in the text, as `re.search` has it."""

    equals: str | None = None
    contains: str | None = None
    matches: str | None = None
    _search: Callable[[str], object] | None = field(init=False, repr=False, compare=False, default=None)

    def __post_init__(self) -> None:
        if self.matches is not None:
            object.__setattr__(self, "_search", pattern_of(self.matches).search)

    def holds(self, value: Any) -> bool:
        return (
            isinstance(value, str)
            and (self.equals is None or value == self.equals)
            and (self.contains is None or self.contains in value)
            and (self._search is None or self._search(value) is not None)
        )

    def parts(self) -> tuple[TextTest, ...]:
        """A test each of what is written."""
        return tuple(TextTest(**{name: said}) for name, said in self._written())

    def failing(self, value: Any) -> tuple[TextTest, ...]:
        return tuple(part for part in self.parts() if not part.holds(value))

    def covers(self, other: Want) -> bool:
        return isinstance(other, TextTest) and all(_part_covers(part, other) for part in self.parts())

    def plain(self) -> Any:
        written = dict(self._written())
        return self.equals if list(written) == ["equals"] else written

    def _written(self) -> list[tuple[str, str]]:
        named = (("equals", self.equals), ("contains", self.contains), ("matches", self.matches))
        return [(name, said) for name, said in named if said is not None]


def _part_covers(part: TextTest, other: TextTest) -> bool:
    if other.equals is not None and part.holds(other.equals):
        return True
    if part.contains is not None:
        return part.contains in (other.contains or "")
    return part.matches is not None and part.matches == other.matches


@dataclass(frozen=True)
class Is:
    """True or false; of tools: whether any are on offer."""

    flag: bool

    def holds(self, value: Any) -> bool:
        return bool(value) is self.flag

    def covers(self, other: Want) -> bool:
        return self == other or (self.flag and isinstance(other, Offers) and bool(other.names))

    def plain(self) -> Any:
        return self.flag


@dataclass(frozen=True)
class Offers:
    """All of these tools are on offer, maybe more."""

    names: tuple[str, ...]

    def holds(self, value: Any) -> bool:
        return set(self.names) <= set(value)

    def covers(self, other: Want) -> bool:
        return isinstance(other, Offers) and set(self.names) <= set(other.names)

    def plain(self) -> Any:
        return list(self.names)


@dataclass(frozen=True)
class Turn:
    """One turn of the conversation; with `on`, it and all later ones."""

    first: int
    on: bool

    def holds(self, value: Any) -> bool:
        return bool(value >= self.first if self.on else value == self.first)

    def covers(self, other: Want) -> bool:
        return isinstance(other, Turn) and (self.on or not other.on) and self.holds(other.first)

    def plain(self) -> Any:
        return f"{self.first}.." if self.on else self.first


@dataclass(frozen=True, eq=False)
class Equal:
    """The same JSON value."""

    value: Any

    def holds(self, value: Any) -> bool:
        return same(self.value, value)

    def covers(self, other: Want) -> bool:
        return isinstance(other, Equal) and same(self.value, other.value)

    def plain(self) -> Any:
        return self.value
