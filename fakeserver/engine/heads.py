"""A short finished answer -> the same with another header, or without its body. A plan is a value: each is a new one.

Only for answers whose head is in their first write: errors and plain answers are.
"""

from __future__ import annotations

from dataclasses import replace

from fakeserver.plan.model import Action, Burst, End, Plan, Write

_END = b"\r\n\r\n"


def with_header(plan: Plan, name: str, value: str) -> Plan:
    """One more header, after the others."""
    row = f"{name}: {value}\r\n".encode("latin-1")
    first, *rest = _flat(plan)
    if not isinstance(first, Write):
        return plan
    place = first.data.index(_END) + 2
    # What is to be filled in behind the new row stands further on by its length.
    holes = tuple(replace(hole, at=hole.at + len(row)) if hole.at >= place else hole for hole in first.holes)
    data = first.data[:place] + row + first.data[place:]
    return replace(plan, source=(replace(first, data=data, holes=holes), *rest))


def without_body(plan: Plan) -> Plan:
    """The answer to HEAD: the head as for GET, and the end."""
    actions = _flat(plan)
    first, last = actions[0], actions[-1]
    if not (isinstance(first, Write) and isinstance(last, End)):
        return plan
    stop = first.data.index(_END) + len(_END)
    holes = tuple(hole for hole in first.holes if hole.at < stop)
    return replace(plan, source=(replace(first, data=first.data[:stop], holes=holes), replace(last, data=b"")))


def _flat(plan: Plan) -> list[Action]:
    """The actions, with bursts taken apart."""
    return [each for action in plan for each in (action.writes if isinstance(action, Burst) else (action,))]
