"""Two JSON values, or two texts -> whether they are the same, and where they first differ. 1 is 1.0; true is not 1."""

from __future__ import annotations

from typing import Any

_NOTHING = object()


def same(one: Any, other: Any) -> bool:
    return parting(one, other) is None


def parting(one: Any, other: Any) -> str | None:
    """The pointer to the first place where they differ ("" is the whole), or None."""
    if isinstance(one, dict) and isinstance(other, dict):
        keys = [*one, *(key for key in other if key not in one)]
        pairs = [(key, one.get(key, _NOTHING), other.get(key, _NOTHING)) for key in keys]
    elif isinstance(one, list) and isinstance(other, list):
        length = max(len(one), len(other))
        pairs = [(str(i), _item(one, i), _item(other, i)) for i in range(length)]
    else:
        return None if isinstance(one, bool) == isinstance(other, bool) and one == other else ""
    for key, left, right in pairs:
        deeper = parting(left, right)
        if deeper is not None:
            return f"/{str(key).replace('~', '~0').replace('/', '~1')}{deeper}"
    return None


def _item(values: list[Any], index: int) -> Any:
    return values[index] if index < len(values) else _NOTHING


def first_difference(one: str, other: str) -> int:
    """The index from which two texts differ, by halves: a character at a time takes long where it is asked often."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
