"""What a server is started with, checked before it is: plain values that a command line can carry."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike, fspath
from typing import Literal, NamedTuple

Path = str | PathLike[str]
Speed = float | Literal["instant"]


class Options(NamedTuple):
    """`speed` None is instant."""

    paths: tuple[str, ...] = ()
    speed: float | None = 1.0
    fallback: str | None = None
    api_key: str | None = None


def options(paths: Iterable[Path], speed: Speed, fallback: str | None, api_key: str | None) -> Options:
    """Raises ValueError."""
    if speed != "instant" and not (isinstance(speed, int | float) and 0 < speed < float("inf")):
        raise ValueError(f"{speed!r} is no speed: a number above 0 (2 is twice as fast), or 'instant'")
    return Options(
        tuple(fspath(path) for path in paths), None if speed == "instant" else float(speed), fallback, api_key
    )
