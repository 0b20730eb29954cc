"""A running server -> what a person at a terminal wants to know first: where, for whom, with what.

Its first line is the one that programs wait for, so a terminal that a program reads does no harm.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any

from fakeserver.cli.common import paint


def listening(said: dict[str, Any]) -> str:
    """The line that programs wait for."""
    return f"fakeserver listening on {said['url']}"


def greeting(said: dict[str, Any], scenarios: int, fallback: str | None, watched: Sequence[str], made: bool) -> str:
    """`made`: the token was made here, so that the page's address may have it."""
    token = f"#token={said['token']}" if made and "token" in said else ""
    rest = f"{fallback} answers what names none of them" if fallback else "what names none of them is a 404"
    rows = {
        "base URL": f"{said['url']}/v1",
        "page": f"{said['url']}/{token}",
        "scenarios": f"{scenarios}; {rest}",
        "watching": ", ".join(watched) or "nothing: changed files are not taken in",
        "stop": "Ctrl-C",
    }
    return "\n".join([paint(listening(said), sys.stdout, bold=True), "", *_table(rows), ""])


def _table(rows: dict[str, str]) -> Iterator[str]:
    for name, value in rows.items():
        shown = paint(value, sys.stdout, fg="cyan") if value.startswith("http") else value
        yield f"  {paint(f'{name:<10}', sys.stdout, dim=True)} {shown}"
