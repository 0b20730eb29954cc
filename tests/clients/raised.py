"""A report of conform -> what the client raises at the usual failures, beside what is kept of that in raised.yaml.

Marks do not tell: any loud end is as good as another there, but not to those who write `except`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import yaml

from tests.clients.kept import FOLDER, raised_of

FILE = FOLDER.parent / "raised.yaml"
CASES = {
    "status-503": "a status of 503",
    "error-object-mid-stream": "an error in the stream",
    "rst-mid-stream": "a reset",
    "stall-mid-stream": "silence",
    "malformed-json-event": "no JSON",
    "invalid-utf8-bytes": "no UTF-8",
    "empty-200-stream": "a stream without chunks",
    "clean-eof-mid-answer": "no finish reason",
}
HANGS, NOTHING = "it hangs", "nothing"
_HEAD = """\
# What each client raises at the usual failures: the exception's class, where that says little with its message.
# `make matrix ARGS=--accept` writes this from a run.
"""
Names = dict[str, str]


def names_in(report: Mapping[str, Mapping[str, Any]]) -> Names:
    return {case: _name(report[case]["outcome"]) for case in CASES}


def _name(outcome: Mapping[str, Any] | None) -> str:
    return HANGS if outcome is None else raised_of(outcome) or NOTHING


def kept() -> dict[str, Names]:
    """By client."""
    found: dict[str, Names] = yaml.safe_load(FILE.read_text("utf-8"))
    return found


def changes(client: str, read: Names) -> list[str]:
    """Each that is not as it is kept, in words."""
    said = kept().get(client, {})
    return [f"{client}, {case}, what it raises:\n  kept  {said.get(case)}\n  read  {name}"
            for case, name in read.items() if said.get(case) != name]  # fmt: skip


def write(client: str, read: Names) -> None:
    said = yaml.safe_dump({**kept(), client: read}, sort_keys=False, allow_unicode=True, width=1000)
    FILE.write_text(_HEAD + said, "utf-8")
