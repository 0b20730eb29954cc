"""Files that change -> the library that is served: a whole new one, or the old one and the reason why.

It must not know how requests are answered. Loading and trying take a thread, so that streams keep their moments.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from fakeserver.cli.common import painted, say

if TYPE_CHECKING:
    from fakeserver.engine import Engine
    from fakeserver.script.library import Library
    from fakeserver.script.problems import Problem

_YAML = (".yaml", ".yml")
_PAUSE = 100  # milliseconds of quiet after a change: editors write a file in several steps
_STEP = 20


async def keep_up(engine: Engine, paths: Sequence[str], also: Sequence[str], quiet: bool) -> None:
    """For good: take each change of these paths in. `also` are the built-in scenarios that go with them."""
    from watchfiles import awatch

    try:
        async for changes in awatch(*_folders(paths), debounce=_PAUSE, step=_STEP, watch_filter=_is_yaml):
            if _concerns(paths, [name for _, name in changes]):
                await take_in(engine, paths, also, quiet)
    except Exception as problem:  # a folder that is no longer there, a limit of the system: serving goes on
        say(f"Changes are no longer seen: {problem!r}")


async def take_in(engine: Engine, paths: Sequence[str], also: Sequence[str], quiet: bool) -> None:
    """Load them anew: swapped as a whole where all is well, refused as a whole where it is not."""
    from fakeserver.plan import Unknown

    library, problems = await asyncio.to_thread(_loaded, paths, also)
    errors = [problem for problem in problems if not problem.warning]
    try:
        if library is not None and not errors:
            engine.swap(replace(library, menu=engine.library.menu))
    except Unknown as unknown:
        errors = [_no_place("--fallback", "unknown-fallback", unknown.message)]
    if errors:
        if tuple(errors) != engine.problems:  # else another file was saved, and these have been told
            _tell_broken(errors)
        engine.refuse(errors)
    elif not quiet:
        count = len(engine.library.scenarios)
        say(f"Reloaded: {count} scenario{'s' * (count != 1)}.")


def _loaded(paths: Sequence[str], also: Sequence[str]) -> tuple[Library | None, tuple[Problem, ...]]:
    from fakeserver.plan.trial import try_all
    from fakeserver.script.library import load

    try:
        library = load(paths, also)
        return library, try_all(library, whole=False).problems
    except OSError as error:
        return None, (_no_place(str(error.filename), "unreadable", (error.strerror or str(error)).lower()),)


def _no_place(path: str, code: str, message: str) -> Problem:
    from fakeserver.script.problems import Problem

    return Problem(path, 1, 1, code, message)


def _tell_broken(errors: Sequence[Problem]) -> None:
    for problem in errors:
        say(painted(problem, sys.stderr))
    count = len(errors)
    say(f"{count} error{'s' * (count > 1)} in the scenarios: what was served before is served on.")


def _folders(paths: Sequence[str]) -> list[Path]:
    """A file is watched by its folder: editors put a new file in its place."""
    from fakeserver.script.library import builtin

    found = [Path(path) for path in paths] or [builtin()]
    return sorted({path if path.is_dir() else path.parent for path in found})


def _concerns(paths: Sequence[str], changed: Sequence[str]) -> bool:
    """Whether one of the changes is in what was asked for, not only beside it."""
    asked = [Path(path).resolve() for path in paths]
    seen = [Path(name).resolve() for name in changed]
    return not asked or any(path in (one, *one.parents) for path in asked for one in seen)


def _is_yaml(change: object, path: str) -> bool:
    return path.endswith(_YAML)
