"""Why nothing answers a request -> a text for people, which an SDK prints, and the same for machines.

It must not know selectors: that a name is unknown is told to it in words. All texts are made at once, and are bounded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from fakeserver.match.differences import Difference, difference
from fakeserver.match.misses import Miss, nearest
from fakeserver.match.rules import Rules
from fakeserver.match.seen import Seen

Reason = Literal["unknown-name", "no-rules", "no-rule"]
_BY_NAME = (
    "No scenario has a `when`: each is reached by its name, as the request's model, in the header "
    "x-fakeserver-scenario or in the base URL /scenario/NAME/v1; or start the server with --fallback NAME."
)
_ONLY = "A name given there must be right: neither rules nor a fallback are tried."


@dataclass(frozen=True, slots=True)
class Near:
    """One of the nearest rules, and all that keeps it from answering."""

    scenario: str
    file: str
    line: int
    conditions: int
    differences: tuple[Difference, ...]

    @property
    def rows(self) -> list[str]:
        failed = len(self.differences)
        share = f"{failed} of {self.conditions} conditions {'fails' if failed == 1 else 'fail'}"
        told = share if self.conditions > 1 else "its one condition fails"
        first = f"{self.scenario} at {self.file}:{self.line}, {told}:"
        return [first, *(f"   - {each.said}" for each in self.differences)]

    def as_json(self) -> dict[str, object]:
        differences = [each.as_json() for each in self.differences]
        return {"scenario": self.scenario, "file": self.file, "line": self.line, "conditions": self.conditions,
                "differences": differences}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Unmatched:
    """Nothing answers. `why` is for a line of the journal."""

    reason: Reason
    message: str
    nearest: tuple[Near, ...] = ()

    @property
    def why(self) -> str:
        return "no rule matches" if self.reason == "no-rule" else "no such scenario"

    def as_json(self) -> dict[str, object]:
        near = [each.as_json() for each in self.nearest]
        return {"reason": self.reason, "message": self.message, "nearest": near}


def unknown_name(unknown: str, where: str) -> Unmatched:
    """`unknown` says which name there is not; `where` is where the request gives it."""
    return Unmatched("unknown-name", f"{unknown} It is asked for by the {where}. {_ONLY}")


def no_rule(unknown: str, rules: Rules, seen: Seen) -> Unmatched:
    """The model is no name of a scenario, and no rule takes the request."""
    if not rules.ranked:
        return Unmatched("no-rules", f"{unknown} {_BY_NAME}")
    near = tuple(near_of(miss, seen) for miss in nearest(rules, seen))
    first = f"{unknown} No `when` rule matches. {_heading(len(near), len(rules.ranked))}"
    return Unmatched("no-rule", "\n".join([first, *rows_of(near)]), near)


def _heading(shown: int, known: int) -> str:
    which = "The only rule" if known == 1 else "The rules" if shown == known else "The nearest"
    return f"{which}{f' of {known} rules' if shown < known else ''}, and all that differs:"


def rows_of(near: Iterable[Near]) -> Iterator[str]:
    """The rules by number, a row a difference."""
    for number, each in enumerate(near, 1):
        first, *rest = each.rows
        yield f"{number}. {first}"
        yield from rest


def near_of(miss: Miss, seen: Seen) -> Near:
    rule = miss.rule
    differences = tuple(difference(condition, seen) for condition in miss.failed)
    return Near(rule.name, rule.entry.path, rule.line, len(rule.conditions), differences)
