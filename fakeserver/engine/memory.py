"""Keys -> values that were made for them, the least used ones forgotten."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Memory(Generic[Key, Value]):
    """At most `kept` of them. A value that could not be made is not remembered: it fails anew each time."""

    def __init__(self, kept: int) -> None:
        self._kept = kept
        self._held: OrderedDict[Key, Value] = OrderedDict()

    def __len__(self) -> int:
        return len(self._held)

    def get(self, key: Key, make: Callable[[], Value]) -> Value:
        if key not in self._held:
            self._held[key] = make()
            if len(self._held) > self._kept:
                self._held.popitem(last=False)
        self._held.move_to_end(key)
        return self._held[key]
