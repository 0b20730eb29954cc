"""`fakeserver check`: every problem of every file, found without a server."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from fakeserver.cli.common import library_of, out, painted, paths_argument, say

if TYPE_CHECKING:
    from fakeserver.plan.trial import Trial
    from fakeserver.script.library import Library
    from fakeserver.script.problems import Problem


@click.command()
@paths_argument
@click.option("--format", "form", type=click.Choice(["text", "json", "github"]), default="text",
              envvar="FAKESERVER_FORMAT", show_envvar=True, help="How problems are written.")  # fmt: skip
def check(paths: tuple[str, ...], form: str) -> None:
    """Check scenarios: load them, make each answer, and hold each expect against its right reading.

    Exit code 1 if there is an error. Warnings alone are exit code 0.
    """
    library = library_of(paths)
    trial = _tried(library)
    {"text": _text, "json": _json, "github": _github}[form](trial, _notes(library) if paths else {})
    sys.exit(1 if any(not problem.warning for problem in trial.problems) else 0)


def _tried(library: Library) -> Trial:
    """On a terminal with a bar: an answer of a million chunks takes half a minute."""
    from fakeserver.plan.trial import try_all

    if not sys.stderr.isatty():
        return try_all(library)
    with click.progressbar(library.scenarios, label="checking", file=sys.stderr, show_eta=False,
                           item_show_func=lambda name: name or "") as names:  # fmt: skip
        return try_all(library, names=names)


def _notes(library: Library) -> dict[str, str]:
    """What to know of dialects that are chosen, by dialect; nothing of this fails a check."""
    from fakeserver.cli.sides import chosen, note

    return {name: f"{note(library, name)} ({', '.join(users)})" for name, users in chosen(library).items()}


def _text(trial: Trial, notes: dict[str, str]) -> None:
    for problem in trial.problems:
        out(painted(problem, sys.stdout))
    for name in trial.skipped:
        say(f"{name}: skipped, its protocol is not played yet")
    for note in notes.values():
        say(note)
    say(f"{trial.checked} scenario{'s' * (trial.checked != 1)} checked, {_counted(trial.problems)}")


def _counted(problems: tuple[Problem, ...]) -> str:
    errors = sum(not problem.warning for problem in problems)
    warnings = len(problems) - errors
    parts = [f"{n} {word}{'s' * (n != 1)}" for n, word in ((errors, "error"), (warnings, "warning")) if n]
    return " and ".join(parts) or "no problems"


def _json(trial: Trial, notes: dict[str, str]) -> None:
    rows = [problem.as_json() for problem in trial.problems]
    said = {"checked": trial.checked, "skipped": list(trial.skipped), "problems": rows, "notes": [*notes.values()]}
    click.echo(json.dumps(said, indent=2))


def _github(trial: Trial, notes: dict[str, str]) -> None:
    for problem in trial.problems:
        level = "warning" if problem.warning else "error"
        place = f"file={_escaped(problem.path)},line={problem.line},col={problem.column},title={_escaped(problem.code)}"
        remedy = f". {problem.remedy}" if problem.remedy else ""
        click.echo(f"::{level} {place}::{_escaped(problem.message + remedy, data=True)}")
    for note in notes.values():
        click.echo(f"::notice ::{_escaped(note, data=True)}")


def _escaped(text: str, data: bool = False) -> str:
    """As workflow commands want it: % and line ends in the message, colons and commas too in a property."""
    text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return text if data else text.replace(":", "%3A").replace(",", "%2C")
