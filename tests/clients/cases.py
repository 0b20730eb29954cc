"""The shipped library -> what is to be tried: names, and of each one its attempts, gates and end.

The one place here that asks the product what it would send.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from fakeserver.engine.asking import ask_of
from fakeserver.match.facts import Fault
from fakeserver.match.validate import read_request
from fakeserver.plan import Ask, Burst, Choice, End, Gate, Plan, Write, choose, compile_plan, fill, key_of, needs, turns
from fakeserver.plan.model import Blank
from fakeserver.script.library import Library, load


@cache
def library() -> Library:
    """The library that ships, whole."""
    return load()


def names() -> list[str]:
    """Every scenario that can be played: responses and completions come later."""
    return sorted(name for name, entry in library().scenarios.items() if (entry.body.protocol or "chat") == "chat")


def question(name: str) -> dict[str, object]:
    """The request as `show` assumes it."""
    return {"model": name, "stream": True, "messages": [{"role": "user", "content": "Hello"}]}


def attempts(selector: str) -> int:
    return turns(choose(library(), selector)).count


class Moments:
    """Fills the places of moments, which no plan knows, with one byte; `met` says whether there was one."""

    def __init__(self, byte: bytes = b"0") -> None:
        self.byte, self.met = byte, False

    def value(self, size: int) -> bytes:
        self.met = True
        return self.byte * size


def plan_of(selector: str, session: str, number: int, moments: Moments | None = None) -> Plan:
    """The plan of the number-th request of a session whose requests all ask for this, with every blank filled."""
    choice, moments = choose(library(), selector), moments or Moments()
    key = key_of(session, choice.scenario.name, number)

    def value(blank: Blank) -> bytes:
        return moments.value(blank.size) if blank.kind == "time" else fill(blank, key)

    turn = turns(choice).index(number - 1)
    return compile_plan(library(), choice, turn, _ask(choice, selector, number), value)


def _ask(choice: Choice, selector: str, number: int) -> Ask:
    request = read_request(json.dumps(question(selector)).encode())
    assert not isinstance(request, Fault)
    return ask_of(request, "1.1", needs(library(), choice), number)


@dataclass(frozen=True)
class Stretch:
    """Bytes that follow each other without a gate between them. The places of `moments` may hold anything."""

    data: bytes
    gate: str = ""
    moments: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Wire:
    """All that a socket receives of one answer, and how it ends. `idle` may be said into a silence at its end."""

    stretches: tuple[Stretch, ...]
    end: End
    idle: bytes = b""


def wire_of(selector: str, session: str, number: int) -> Wire:
    """What `show` prints for this request, instantly: keep-alives are left out, for no time passes."""
    moments = Moments()
    plan = plan_of(selector, session, number, moments)
    stretches = tuple(_stretches(plan))
    if moments.met:
        others = _stretches(plan_of(selector, session, number, Moments(b"1")))
        stretches = tuple(_marked(*both) for both in zip(stretches, others))
    *_, end = plan
    assert isinstance(end, End)
    return Wire(stretches, end, plan.idle.data if plan.idle else b"")


def _marked(stretch: Stretch, other: Stretch) -> Stretch:
    """A moment is where two fillings differ: under compression that may be everywhere behind it."""
    places = (at for at, pair in enumerate(zip(stretch.data, other.data)) if pair[0] != pair[1])
    return replace(stretch, moments=frozenset(places))


def _stretches(plan: Plan) -> Iterator[Stretch]:
    data = bytearray()
    for action in plan:
        if isinstance(action, Gate):
            yield Stretch(bytes(data), action.name)
            data.clear()
        elif isinstance(action, End):
            data += action.data
        else:
            data += b"".join(write.data for write in _writes(action) if write.part != "idle")
    yield Stretch(bytes(data))


def _writes(action: Write | Burst) -> Sequence[Write]:
    return action.writes if isinstance(action, Burst) else (action,)
