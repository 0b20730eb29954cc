"""Two texts -> what they have in common. It must not know where they come from."""

from __future__ import annotations

from itertools import takewhile


def common(one: str, other: str) -> str:
    """What both begin with."""
    return one[: sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other)))]
