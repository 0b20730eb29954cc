"""A report of conform -> cells, and cells beside those that are kept: what has changed, and the table written anew.

A cell is a case's mark and, where that is not green, what came instead. It must not run anything.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).with_name("kept")
FACTS = FOLDER / "facts.yaml"
Cell = dict[str, Any]
Row = dict[str, Any]  # a cell and `why`; or `either` of some cells, where a client does not always do the same
GREEN: Cell = {"mark": "green"}
UNEXPLAINED = "?"

_HEAD = """\
# {client}: what is not green; a case that is not here is. `make matrix ARGS="--accept {client}"` writes
# this from a run, and keeps each `why`, a fact of facts.yaml. `read`: what it made of the keys in which it was wrong.
"""
_GENERAL = ("Error", "TypeError", "OpenAIError", "DOMException", "Exception", "ValueError")  # classes that say little
_MADE_UP = re.compile(r"(?<![A-Za-z0-9])[A-Za-z0-9]{16,}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_LONG = 120  # characters


# From a report.


def cell_of(case: Mapping[str, Any]) -> Cell:
    """The essence of one case of a report: whatever else differs between two runs is chance."""
    if case["mark"] == "green":
        return GREEN
    outcome, findings = case["outcome"] or {}, [found["code"] for found in case["findings"]]
    keys = dict.fromkeys(filter(None, map(_key, case["reasons"])))
    said = [reason for reason in case["reasons"] if not _key(reason) and not _told_elsewhere(reason, findings)]
    cell = {"mark": case["mark"], "raised": raised_of(outcome), "says": "; ".join(said),
            "findings": findings}  # fmt: skip
    read = {key: _value(key, outcome) for key in keys}
    return {key: value for key, value in {**cell, "read": read}.items() if value}


def _key(reason: str) -> str:
    """The key of the outcome that `usage.total_tokens: expected 1, read 2` is about."""
    hit = re.match(r"(\w+)[^ ]*: expected ", reason)
    return hit[1] if hit else ""


def _told_elsewhere(reason: str, findings: list[str]) -> bool:
    return reason.startswith("it raises ") or reason.partition(":")[0] in findings


def raised_of(outcome: Mapping[str, Any]) -> str | None:
    """The exception's class, or what a caller would have to look at besides."""
    said = outcome.get("raised")
    name, message = (said["class"], said["message"]) if isinstance(said, dict) else (said, "")
    return _short(f"{name}: {message.splitlines()[0]}") if name in _GENERAL and message else name


def _value(key: str, outcome: Mapping[str, Any]) -> Any:
    choices = outcome.get("choices")
    first = {**outcome, **(choices[0] if choices else {})}
    return _steady(first.get(key))


def _steady(value: Any, key: str = "") -> Any:
    """Without nulls and empty texts, which are what is not there, and without what a client makes up anew each time."""
    if isinstance(value, dict):
        return {name: _steady(each, name) for name, each in value.items() if each not in (None, "", [])}
    if isinstance(value, list):
        return [_steady(each, key) for each in value]
    if isinstance(value, str):
        return _MADE_UP.sub("…", value) if key == "id" else _short(value)
    return value


def _short(text: str) -> str:
    return text if len(text) <= _LONG else f"{text[:_LONG]}… ({len(text)} characters)"


# Beside what is kept.


def rows(client: str) -> dict[str, Row]:
    """What is kept of this client: the cases that are not green."""
    path = FOLDER / f"{client}.yaml"
    return yaml.safe_load(path.read_text("utf-8")) or {} if path.is_file() else {}


def facts() -> dict[str, str]:
    """What is known of the clients, each under the name by which rows give it as their reason."""
    found: dict[str, str] = yaml.safe_load(FACTS.read_text("utf-8"))
    return found


def cells(row: Row | None) -> list[Cell]:
    """What the row allows; one cell but where a client does not always do the same."""
    if row is None:
        return [GREEN]
    return row.get("either") or [{key: value for key, value in row.items() if key != "why"}]


def changes(client: str, read: Mapping[str, Cell]) -> list[str]:
    """Each cell that is not as it is kept, in words."""
    kept = rows(client)
    gone = [f"{client}, {case}: it is kept, but there is no such case" for case in kept if case not in read]
    return gone + [_change(client, case, kept.get(case), cell) for case, cell in read.items()
                   if cell not in cells(kept.get(case))]  # fmt: skip


def _change(client: str, case: str, row: Row | None, cell: Cell) -> str:
    said = " or ".join(map(_flow, cells(row)))
    return f"{client}, {case}:\n  kept  {said}\n  read  {_flow(cell)}"


def accepted(client: str, read: Mapping[str, Cell]) -> dict[str, Row]:
    """The rows with this run in them. A new one has yet to be explained."""
    kept = rows(client)
    made = {case: _accepted(kept.get(case), cell) for case, cell in sorted(read.items())}
    return {case: row for case, row in made.items() if cells(row) != [GREEN]}


def _accepted(row: Row | None, cell: Cell) -> Row:
    if row and cell in cells(row):
        return row
    if row and "either" in row:
        return {**row, "either": [*row["either"], cell]}
    return {**cell, "why": (row or {}).get("why", UNEXPLAINED)}


def write(client: str, made: Mapping[str, Row]) -> None:
    lines = [f"{case}: {_flow(row)}\n" for case, row in made.items()]
    (FOLDER / f"{client}.yaml").write_text(_HEAD.format(client=client) + "".join(lines), "utf-8")


def _flow(value: Any) -> str:
    return yaml.safe_dump(value, default_flow_style=True, allow_unicode=True, sort_keys=False, width=10_000).strip()
