"""What a FakeServer is given -> an engine, the same in every mode. Strict: what nothing answers is a 404.

Whoever imports this pays for the engine; the parent of a server process never does.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from fakeserver.engine import Engine
from fakeserver.plan import Unknown
from fakeserver.plan.trial import try_all
from fakeserver.script.library import Library, load
from fakeserver.testing.errors import FakeServerError, ScenarioError
from fakeserver.testing.options import Options


def engine_of(options: Options) -> Engine:
    """Raises ScenarioError for files with errors, FakeServerError for what is not there."""
    library = _library(options)
    try:
        return Engine(library, fallback=options.fallback, speed=options.speed, api_key=options.api_key)
    except Unknown as unknown:
        raise FakeServerError(f"fallback: {unknown.message}", "unknown-scenario") from None


def _library(options: Options) -> Library:
    try:
        library = _loaded(options.paths, options.fallback) if options.paths else _shipped()
    except OSError as problem:
        words = (problem.strerror or str(problem)).lower()
        raise FakeServerError(f"cannot read {problem.filename}: {words}", "unreadable") from None
    # The built-in library was tried before it was shipped; a user's own is tried now.
    problems = try_all(library, whole=False).problems if options.paths else library.problems
    errors = [problem for problem in problems if not problem.warning]
    if errors:
        raise ScenarioError("\n" + "\n".join(map(str, errors)), [each.as_json() for each in errors])
    return library


def _loaded(paths: Sequence[str], fallback: str | None) -> Library:
    return load(paths, [fallback.partition("+")[0]] if fallback else [])


@cache
def _shipped() -> Library:
    """A value, read once in a process: for tests with a server each, in threads."""
    return load()
