"""JSON Pointers (RFC 6901) into chunks: look up, put, take away. A number is a place in a list, never a key to make."""

from __future__ import annotations

from collections.abc import Iterator
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
    """Set a value, making missing maps on the way; False where a list has no such place."""
    *path, last = steps(pointer)
    here = root
    for step in path:
        if isinstance(here, dict) and not isinstance(here.get(step), dict | list):
            here[step] = {}
        try:
            here = here[_place(here, step)]
        except LookupError:
            return False
    try:
        here[_place(here, last)] = value
    except LookupError:
        return False
    return True


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


def _place(here: Json, step: str) -> Any:
    if isinstance(here, dict):
        return step
    if isinstance(here, list) and step.isdecimal():
        return int(step)
    raise LookupError(step)
