"""A scenario -> what can be told of it without playing it: its row in a list, its timeline; and a text -> its problems.

It must not know terminals or routes.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from fakeserver.engine.asking import ask_of
from fakeserver.engine.heads import without_body
from fakeserver.journal import Record
from fakeserver.match.facts import Fault
from fakeserver.match.validate import read_request
from fakeserver.plan import (
    Action,
    Ask,
    Blank,
    Burst,
    Choice,
    End,
    Gate,
    Plan,
    Write,
    choose,
    compile_plan,
    fill,
    filled,
    key_of,
    needs,
    spoken,
    turns,
)  # fmt: skip
from fakeserver.plan.trial import try_all
from fakeserver.script.beside import load_beside
from fakeserver.script.library import Library
from fakeserver.script.loader import Entry
from fakeserver.script.problems import Problem

SHOWN = 10_000  # writes of a timeline that goes over the wire
SHOWN_SIZE = 4 << 20  # bytes of them

Row = dict[str, Any]


def scenario_row(entry: Entry) -> dict[str, object]:
    """One scenario as `list --json` tells of it; its kind is the folder in which it stands."""
    body = entry.body
    return {
        "name": entry.name,
        "kind": Path(entry.path).parent.name,
        "about": body.about,
        "tags": list(body.tags),
        "source": list(body.source),
        "protocol": body.protocol or "chat",
        "dialect": body.dialect,
        "file": entry.path,
    }


def overlay_row(entry: Entry) -> dict[str, object]:
    return {"name": entry.name, "about": entry.body.about, "tags": list(entry.body.tags), "file": entry.path}


def dialect_row(entry: Entry) -> dict[str, object]:
    """`known` has the traits by how well each is known."""
    body = entry.body
    known = {level: list(traits) for level, traits in body.known.model_dump().items() if traits}
    return {"name": entry.name, "about": body.about, "base": body.base, "source": list(body.source), "known": known,
            "file": entry.path}  # fmt: skip


def timeline_of(library: Library, selector: str, dialect: str = "", attempt: int = 1) -> dict[str, object]:
    """As `show --json`, for the usual request. Raises Unknown and Broken."""
    choice = choose(library, selector)
    choice = spoken(choice, dialect) if dialect else choice
    turn = turns(choice).index(attempt - 1)
    plan = compile_plan(library, choice, turn, _usual(library, choice), lambda blank: _value(choice, blank))
    return as_timeline(choice.selector, choice.scenario.body.about, plan, list(first_rows(plan)))


def planned(record: Record) -> tuple[Plan, Iterator[Action]] | None:
    """What was planned for exactly this request, its blanks filled. None where that cannot be made again."""
    if record.replan is None:
        return None
    made = record.replan()
    plan = without_body(made) if record.asked.method == "HEAD" else made
    return plan, plan.actions(filled(plan.blanks, record.key, record.at))


def load_own(library: Library, name: str, text: str) -> tuple[Entry | None, tuple[Problem, ...]]:
    """A scenario that comes as a text, checked as `check` does; its errors leave no entry."""
    entry, problems = load_beside(library, name, text)
    if entry is None:
        return None, problems
    alone = Library(MappingProxyType({name: entry}), library.overlays, library.dialects, problems)
    tried = try_all(alone).problems
    return (None if any(not problem.warning for problem in tried) else entry), tried


def as_object(choice: Choice, plan: Plan, actions: Iterable[Action]) -> dict[str, object]:
    """The whole of it."""
    rows = [row for action in actions for row in _objects(action)]
    return as_timeline(choice.selector, choice.scenario.body.about, plan, rows)


def first_rows(actions: Iterable[Action]) -> Iterator[Row | None]:
    """One row a write, a gate, the end; as many as go over the wire. A last None says that there are more."""
    left, size = SHOWN, SHOWN_SIZE
    for row in (row for action in actions for row in _objects(action)):
        if not left or size < 0:
            yield None
            return
        yield row
        left, size = left - 1, size - len(row.get("text", ""))


def as_timeline(selector: str, about: str | None, plan: Plan, rows: Sequence[Row | None]) -> dict[str, object]:
    """Times in nanoseconds from the last epoch (the request read, or the gate before); bytes as base64 and as text."""
    more = bool(rows) and rows[-1] is None
    idle = {"every_ns": plan.idle.every, **_data(plan.idle.data)} if plan.idle else None
    return {
        "selector": selector,
        "about": about,
        "status": plan.status,
        "actions": list(rows[:-1] if more else rows),
        "more": more,
        "idle": idle,
    }


def _objects(action: Action) -> Iterator[Row]:
    if isinstance(action, Burst):
        for write in action.writes:
            yield from _objects(write)
    elif isinstance(action, Write):
        yield {"do": "write", "part": action.part, "due_ns": action.due, "events": action.events,
               "marks_end": action.marks_end, "gap_ns": action.gap, **_data(action.data)}  # fmt: skip
    elif isinstance(action, Gate):
        yield {"do": "gate", "due_ns": action.due, "name": action.name}
    elif isinstance(action, End):
        yield {"do": "end", "due_ns": action.due, "kind": action.kind, "keep_alive": action.keep_alive,
               **_data(action.data)}  # fmt: skip


def _data(data: bytes) -> dict[str, object]:
    return {"base64": base64.b64encode(data).decode(), "text": data.decode("utf-8", "replace")}


def _usual(library: Library, choice: Choice) -> Ask:
    """The request that `show` assumes."""
    text = '{"model": "%s", "stream": true, "messages": [{"role": "user", "content": "Hello"}]}'
    request = read_request((text % choice.scenario.name).encode())
    assert not isinstance(request, Fault)
    return ask_of(request, "1.1", needs(library, choice), 1)


def _value(choice: Choice, blank: Blank) -> bytes:
    return fill(blank, key_of("default", choice.scenario.name, 1))
