"""Numbers of several rounds -> one with its spread."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

__all__ = ["median", "percentile", "spread"]


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that this share of them does not exceed; 0 of none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0


def spread(values: Sequence[float]) -> tuple[float, float, float]:
    """Median, least, most."""
    return median(values), min(values), max(values)
