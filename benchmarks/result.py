"""What a figure comes to: lines that may meet a target, a table of all that was run, a plot. Values only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Line:
    """One measured value beside its target. `values` are its rounds; `target` None is for information only."""

    what: str
    values: tuple[float, ...]
    unit: str = ""
    target: float | None = None
    least: bool = False  # whether the target is the least that it should be, not the most
    missing: str = ""  # why it could not be measured

    @property
    def value(self) -> float:
        ordered = sorted(self.values)
        middle = len(ordered) // 2
        return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2

    @property
    def verdict(self) -> str:
        if self.missing:
            return "not yet"
        if self.target is None:
            return ""
        met = self.value >= self.target if self.least else self.value <= self.target
        return "met" if met else "MISSED"


@dataclass(frozen=True)
class Table:
    """Rows of text; the first column names, the others are numbers."""

    head: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]


@dataclass(frozen=True)
class Bars:
    """Name -> value, to be drawn as bars."""

    title: str
    unit: str
    values: dict[str, float]


@dataclass(frozen=True)
class Curves:
    """Name -> values, to be drawn as the share of them that is not larger, on a logarithmic axis."""

    title: str
    unit: str
    values: dict[str, list[float]]


@dataclass(frozen=True)
class Figure:
    """`notes` say how it was measured and what should be known when it is quoted."""

    title: str
    lines: list[Line]
    tables: list[Table] = field(default_factory=list)
    plots: list[Bars | Curves] = field(default_factory=list)
    notes: tuple[str, ...] = ()


def shown(value: float) -> str:
    """Three figures that count, without an exponent."""
    if value == 0:
        return "0"
    places = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2 if abs(value) >= 1 else 3
    return f"{value:,.{places}f}"
