"""JSON Pointers (RFC 6901) into chunks: look up, put, take away. A number is a place in a list, never a key to make."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

Json = Any


def roots(chunk: Json, pointer: str) -> Iterator[Json]:
    """Where a pointer starts: `/a/b` at the chunk, `a/b` at each of its choices."""
    if pointer.startswith("/"):
        yield chunk
        return
    choices = chunk.get("choices") if isinstance(chunk, dict) else None
    yield from choices if isinstance(choices, list) else ()


def steps(pointer: str) -> list[str]:
    said = pointer.removeprefix("/")
    return [step.replace("~1", "/").replace("~0", "~") for step in said.split("/")]


def get(root: Json, pointer: str) -> Json:
    """What stands there; LookupError where nothing does."""
    for step in steps(pointer):
        root = root[_place(root, step)]
    return root


def put(root: Json, pointer: str, value: Json) -> bool:
    """Set a value, making missing maps on the way; False, and nothing made, where that cannot be."""
    path = steps(pointer)
    here = root
    try:
        while len(path) > 1 and (here_next := _below(here, path[0])) is not None:
            here = here_next
            path.pop(0)
        place = _place(here, path[0])
        first = 1 if isinstance(here, list) or place in here else 0  # of the keys to make
        if any(map(_is_number, path[first:])):
            return False
        here[place] = _nested(path[1:], value)
    except LookupError:
        return False
    return True


def _below(here: Json, step: str) -> Json:
    """What a step leads to; None where a map is to be made. A text or a number is no map: LookupError."""
    place = _place(here, step)
    below = here.get(place) if isinstance(here, dict) else here[place]
    if below is not None and not isinstance(below, dict | list):
        raise LookupError(step)
    return below


def _nested(path: Sequence[str], value: Json) -> Json:
    for step in reversed(path):
        value = {step: value}
    return value


def drop(root: Json, pointer: str) -> bool:
    """Take a value away; False where nothing stands there."""
    *path, last = steps(pointer)
    try:
        for step in path:
            root = root[_place(root, step)]
        del root[_place(root, last)]
    except LookupError:
        return False
    return True


def _is_number(step: str) -> bool:
    return step.isascii() and step.isdecimal()


def _place(here: Json, step: str) -> Any:
    if isinstance(here, dict):
        return step
    if isinstance(here, list) and _is_number(step):
        return int(step)
    raise LookupError(step)
