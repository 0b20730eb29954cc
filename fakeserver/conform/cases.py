"""A library and what was asked for -> the cases: selectors, each with what is right.

It must not know how a client is run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

from fakeserver.match.names import near_names
from fakeserver.plan import Ask, Choice, Gate, Plan, choose, compile_plan, turns
from fakeserver.plan.choice import Turns
from fakeserver.plan.heard import heard
from fakeserver.script.library import Library
from fakeserver.script.loader import Entry
from fakeserver.script.problems import near
from fakeserver.speech.accumulator import readings
from fakeserver.speech.expect import matches
from fakeserver.speech.reading import Reading

Expected = Mapping[str, object]
ASKED = Ask(model="", usage=True, texts=(("last_user", "Hello"),), prompt_tokens=1)


class NoCases(Exception):
    """Nothing is like what was asked for; the message says what is near."""


@dataclass(frozen=True, eq=False)
class Case:
    """What a client is asked to read; any one of `expected` is right.

    Of several turns, `expected` is of the last one. `whole` has the earlier ones that are whole answers themselves: who
    got one of these had no reason to ask again.
    """

    selector: str
    kind: str
    about: str
    expected: tuple[Expected, ...]
    turns: Turns = field(default_factory=Turns)
    whole: Mapping[int, tuple[Expected, ...]] = field(default_factory=dict)

    def right(self, attempt: int) -> tuple[Expected, ...]:
        """For a client whose last request was this one, from 1."""
        return self.whole.get(self.turns.index(attempt - 1), self.expected)

    @property
    def place(self) -> str:
        """As `list` groups it."""
        return f"{self.kind}/{self.selector}"


def cases_of(library: Library, only: Sequence[str] = (), kinds: Sequence[str] = ()) -> list[Case]:
    """By kind and name. Raises NoCases; Broken if an overlay does not go with a scenario."""
    entries = {entry.name: entry for entry in library.scenarios.values() if _has_case(entry)}
    _refuse_unknown_kinds(kinds, map(_kind, entries.values()))
    found = [case for selector in _selectors(library, entries, only) if (case := _case(library, selector, kinds))]
    if not found:
        raise NoCases(_nothing(only, kinds))
    return sorted(found, key=lambda case: (case.kind, case.selector))


def left_out(library: Library) -> list[str]:
    """The names of scenarios that could be played, but do not say what is right."""
    return sorted(entry.name for entry in library.scenarios.values() if _is_chat(entry) and not entry.body.expects)


def lasts(library: Library, selector: str) -> float:
    """Seconds that the longest of its turns takes at speed 1."""
    choice = choose(library, selector)
    plans = (compile_plan(library, choice, turn, ASKED, lambda blank: b"0" * blank.size)
             for turn in range(turns(choice).count))  # fmt: skip
    return max(map(_length, plans)) / 1e9


def _length(plan: Plan) -> int:
    """Moments count anew from each gate."""
    before = last = 0
    for action in plan:
        last = before + action.due
        before = last if isinstance(action, Gate) else before
    return last


def _is_chat(entry: Entry) -> bool:
    return (entry.body.protocol or "chat") == "chat"


def _has_case(entry: Entry) -> bool:
    return _is_chat(entry) and bool(entry.body.expects)


def _kind(entry: Entry) -> str:
    return Path(entry.path).resolve().parent.name


def _refuse_unknown_kinds(kinds: Sequence[str], known: Iterable[str]) -> None:
    held = sorted({*known})
    for kind in kinds:
        if kind not in held:
            raise NoCases(f"there is no kind '{kind}' with cases: {near(kind, held)}")


def _selectors(library: Library, entries: Mapping[str, Entry], only: Sequence[str]) -> Iterator[str]:
    """Each once. A pattern is of names, or of kinds and names as `place` has them; overlays follow it as they are."""
    found = dict.fromkeys(each for pattern in only for each in _matching(library, entries, pattern))
    yield from found if only else entries


def _matching(library: Library, entries: Mapping[str, Entry], pattern: str) -> list[str]:
    name, plus, overlays = pattern.partition("+")
    places = {_place(entry) if "/" in name else each: each for each, entry in entries.items()}
    hits = [each for place, each in places.items() if fnmatchcase(place, name)]
    if not hits:
        raise NoCases(f"there is no case '{pattern}': {_why(library, name, places)}")
    unknown = [each for each in overlays.split("+") if plus and each not in library.overlays]
    if unknown:
        raise NoCases(f"there is no overlay '{unknown[0]}': {near_names(unknown[0], library.overlays)}")
    return [f"{each}{plus}{overlays}" for each in hits]


def _place(entry: Entry) -> str:
    return f"{_kind(entry)}/{entry.name}"


def _why(library: Library, name: str, places: Iterable[str]) -> str:
    if name in library.scenarios:
        lacks = "no expect" if _is_chat(library.scenarios[name]) else "a protocol that is not played yet"
        return f"the scenario has {lacks}"
    return near_names(name, places)


def _nothing(only: Sequence[str], kinds: Sequence[str]) -> str:
    if kinds and only:
        return f"none of these is of the kind {' or '.join(kinds)}"
    return "no scenario has an expect, which says what is right"


def _case(library: Library, selector: str, kinds: Sequence[str]) -> Case | None:
    choice = choose(library, selector)
    kind = _kind(choice.scenario)
    if kinds and kind not in kinds:
        return None
    expected, whole = _expected(library, choice), _whole(library, choice)
    return Case(selector, kind, choice.scenario.body.about or "", expected, turns(choice), whole)


def _expected(library: Library, choice: Choice) -> tuple[Expected, ...]:
    """What the scenario expects; where an overlay makes another answer of it, what a correct reader makes of that."""
    said: tuple[Expected, ...] = tuple(choice.scenario.body.expects)
    if not choice.overlays:
        return said
    found = readings(heard(library, choice, turns(choice).count - 1, ASKED))
    still = tuple(each for each in said if any(not matches(each, reading) for reading in found))
    return still or tuple(map(_as_expected, found))


def _whole(library: Library, choice: Choice) -> dict[int, tuple[Expected, ...]]:
    heard_of = {turn: readings(heard(library, choice, turn, ASKED)) for turn in range(turns(choice).count - 1)}
    return {turn: tuple(map(_as_expected, found)) for turn, found in heard_of.items()
            if all(reading.outcome in ("complete", "refused") for reading in found)}  # fmt: skip


def _as_expected(reading: Reading) -> Expected:
    calls = [{"name": call.name, "arguments": call.arguments} for call in reading.tool_calls]
    return {"outcome": reading.outcome, "content": reading.content, "refusal": reading.refusal,
            "reasoning": reading.reasoning, "tool_calls": calls, "finish_reason": reading.finish_reason}  # fmt: skip
