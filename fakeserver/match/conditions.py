"""A `when` map -> its conditions: where in a request each one looks, and what it wants there.

It must not know which rule wins. A header and a pointer of `body` are a condition each; a test of several parts is one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from fakeserver.match.lacks import no_message, nothing_at, other_headers
from fakeserver.match.seen import Seen, pointed, steps_of
from fakeserver.match.wants import Equal, Glob, Is, Offers, TextTest, Turn, Want
from fakeserver.script.scenario import Test, When


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """Where a condition looks. `name` is as the file has it: `turn`, `header x-a`, `body /a`."""

    name: str
    get: Callable[[Seen], Any] = field(repr=False)
    lack: Callable[[Seen], str] = field(repr=False, default=lambda seen: "")


@dataclass(frozen=True, slots=True, eq=False)
class Condition:
    """What is wanted at one place of a request."""

    place: Place
    want: Want

    def holds(self, seen: Seen) -> bool:
        return self.want.holds(self.place.get(seen))


def conditions_of(when: When) -> tuple[Condition, ...]:
    return tuple(Condition(place, want) for place, want in _conditions(when))


def _conditions(when: When) -> Iterator[tuple[Place, Want]]:
    if when.model is not None:
        yield Place("model", lambda seen: seen.model), Glob(when.model)
    if when.path is not None:
        yield Place("path", lambda seen: seen.path), Glob(when.path)
    if when.stream is not None:
        yield Place("stream", lambda seen: seen.stream), Is(when.stream)
    if when.has("tools"):
        want = Is(when.tools) if isinstance(when.tools, bool) else Offers(when.tools)
        yield Place("tools", lambda seen: seen.tools), want
    if when.turn is not None:
        first, dots, _ = str(when.turn).partition("..")
        yield Place("turn", lambda seen: seen.turn), Turn(int(first), bool(dots))
    yield from ((_header(name.lower()), _test(test)) for name, test in (when.header or {}).items())
    yield from _texts(when)
    yield from ((_pointer(pointer), Equal(value)) for pointer, value in (when.body or {}).items())


def _texts(when: When) -> Iterator[tuple[Place, Want]]:
    if when.system is not None:
        yield Place("system", lambda seen: seen.system, no_message("system or developer")), _test(when.system)
    if when.last_user is not None:
        yield Place("last_user", lambda seen: seen.last_user, no_message("user")), _test(when.last_user)
    if when.tool_result is not None:
        yield Place("tool_result", lambda seen: seen.tool_result, no_message("tool")), _test(when.tool_result)


def _header(name: str) -> Place:
    return Place(f"header {name}", lambda seen: seen.header(name), lambda seen: other_headers(seen, name))


def _pointer(pointer: str) -> Place:
    steps = steps_of(pointer)
    # The whole body's pointer is the empty text, and is shown as its quotes.
    name = f"body {pointer}" if pointer else 'body ""'
    return Place(name, lambda seen: pointed(seen.body, steps), lambda seen: nothing_at(seen.body, steps))


def _test(said: str | Test) -> TextTest:
    return TextTest(said) if isinstance(said, str) else TextTest(said.equals, said.contains, said.matches)
