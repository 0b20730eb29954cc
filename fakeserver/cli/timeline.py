"""A plan -> rows for people: every byte and its moment. For machines, `engine.showing` tells the same."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

from fakeserver.cli.common import paint
from fakeserver.engine import saying
from fakeserver.engine.saying import Row, escaped, moment
from fakeserver.plan import Action, Choice, Plan


def rows(choice: Choice, plan: Plan, actions: Iterable[Action]) -> Iterator[str]:
    """One row a write, a gate, the end."""
    yield paint(f"{choice.selector}: {choice.scenario.body.about or ''}".rstrip(": "), sys.stdout, bold=True)
    yield paint(f"{'due':>10}  {'what':<10} {'bytes':>6}", sys.stdout, dim=True)
    since = False
    for row in saying.rows(actions):
        since = since or row.what == "gate"
        yield _row(row)
    if plan.idle:
        yield f"In gates and after hang, each {moment(plan.idle.every)} of silence: {escaped(plan.idle.data)}"
    if since:
        yield "A moment with + counts from the release of the gate before it."


def _row(row: Row) -> str:
    return f"{paint(f'{row.due:>10}', sys.stdout, fg='cyan')}  {row.what:<10} {row.size:>6}  {row.said}".rstrip()
