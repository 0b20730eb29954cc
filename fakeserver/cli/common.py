"""What the commands share: paths into a library, one clear line for what cannot be read, colour where it is welcome."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from fakeserver.script.library import Library
    from fakeserver.script.problems import Problem


class Refused(click.ClickException):
    """What was asked for cannot be done: one line, and exit code 2."""

    exit_code = 2

    def show(self, file: IO[Any] | None = None) -> None:
        say(f"fakeserver: {self.message}")


paths_argument = click.argument("paths", nargs=-1, type=click.Path(), metavar="[PATH ...]")


def speed_of(ctx: click.Context, param: click.Parameter, value: str) -> float | None:
    """`2`, `0.5` or `instant` (None)."""
    if value == "instant":
        return None
    try:
        speed = float(value)
    except ValueError:
        speed = 0.0
    if not 0 < speed < float("inf"):
        raise click.BadParameter(f"'{value}' is no speed: a number above 0 (2 is twice as fast), or instant")
    return speed


def library_of(paths: Sequence[str], also: Sequence[str] = ()) -> Library:
    """The library of these files and folders, the built-in one without any. A path that cannot be read is exit 2."""
    from fakeserver.script.library import load

    try:
        library = load(paths, also)
        _refuse_empty(paths)
        return library
    except OSError as error:
        raise Refused(f"cannot read {error.filename}: {(error.strerror or str(error)).lower()}") from None


def _refuse_empty(paths: Sequence[str]) -> None:
    """A folder without a scenario file is a wrong path, most likely: a check of nothing must not pass."""
    for path in map(Path, paths):
        if path.is_dir() and not any(path.rglob("*.y*ml")):
            raise Refused(f"no scenario files (*.yaml, *.yml) in {path}")


def coloured(stream: IO[Any]) -> bool:
    """Only on a terminal; NO_COLOR switches it off, FORCE_COLOR on (no-color.org, force-color.org)."""
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or stream.isatty()


def paint(text: str, stream: IO[Any], **style: Any) -> str:
    return click.style(text, **style) if coloured(stream) else text


def painted(problem: Problem, stream: IO[Any]) -> str:
    """A problem for people: the place in bold, the caret in colour."""
    first, *rest = str(problem).split("\n")
    colour = "yellow" if problem.warning else "red"
    rows = [paint(row, stream, fg=colour) if row.strip() == "^" else row for row in rest]
    return "\n".join([paint(first, stream, bold=True), *rows])


def out(text: str) -> None:
    """A line of the result, on stdout."""
    click.echo(text, color=coloured(sys.stdout))


def say(text: str) -> None:
    """A line for people, on stderr."""
    click.echo(text, err=True, color=coloured(sys.stderr))


def refuse_broken(problems: Sequence[Problem]) -> None:
    """Every problem on stderr, and exit 1 where one of them is an error."""
    for problem in problems:
        say(painted(problem, sys.stderr))
    count = sum(not problem.warning for problem in problems)
    if count:
        say(f"{count} error{'s' * (count > 1)} in the scenarios: nothing was started.")
        raise SystemExit(1)
