"""`fakeserver show`: the exact bytes of one answer in order, with their moments, before anything is played."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fakeserver.cli.common import Refused, library_of, out, paths_argument, refuse_broken, say

if TYPE_CHECKING:
    from fakeserver.plan import Ask, Choice
    from fakeserver.script.library import Library
    from fakeserver.script.problems import Problem


@click.command()
@click.argument("selector", metavar="NAME[+OVERLAY...]")
@paths_argument
@click.option(
    "--raw",
    is_flag=True,
    envvar="FAKESERVER_RAW",
    show_envvar=True,
    help="The body's bytes alone, as a client reads them behind HTTP's framing.",
)
@click.option(
    "--steps",
    is_flag=True,
    envvar="FAKESERVER_STEPS",
    show_envvar=True,
    help="The steps that a reply stands for, as YAML.",
)
@click.option("--json", "as_json", is_flag=True, envvar="FAKESERVER_JSON", show_envvar=True, help="One JSON object.")
@click.option("--request", "request_file", type=click.Path(), envvar="FAKESERVER_REQUEST", show_envvar=True,
              help="A request body to answer instead of the usual one.")  # fmt: skip
@click.option("--attempt", type=click.IntRange(min=1), default=1, envvar="FAKESERVER_ATTEMPT", show_envvar=True,
              help="Which attempt, from 1.")  # fmt: skip
def show(
    selector: str, paths: tuple[str, ...], raw: bool, steps: bool, as_json: bool, request_file: str | None, attempt: int
) -> None:
    """Print what a scenario sends: every byte, when it is due, and how it ends.

    It assumes request 1 of the default session: streamed, the scenario's name as the model, one user message "Hello",
    usage not asked, HTTP/1.1, a fixed moment.
    """
    from fakeserver.plan import Broken, Unknown, choose, turns

    if raw + steps + as_json > 1:
        raise click.UsageError("--raw, --steps and --json are three outputs: choose one")
    library = library_of(paths)
    refuse_broken(_about(library, selector))
    try:
        choice = choose(library, selector)
        ask = _ask(library, choice, request_file)
        turn = turns(choice).index(attempt - 1)
        _tell_dialect(library, choice, turn)
        (_raw if raw else _steps if steps else _json if as_json else _timeline)(library, choice, turn, ask)
    except Unknown as unknown:
        raise Refused(unknown.message + _as_a_file(selector, paths)) from None
    except Broken as broken:
        say(str(broken))
        sys.exit(1)


def _as_a_file(selector: str, paths: tuple[str, ...]) -> str:
    """A hint for who names a file, or has it here but does not say so."""
    stem = selector.removesuffix(".yaml")
    file = Path(f"{stem}.yaml")
    return f" The file {file} is here: fakeserver show {stem} {file}" if not paths and file.is_file() else ""


def _tell_dialect(library: Library, choice: Choice, turn: int) -> None:
    """A line on stderr where the answer is in a dialect that is chosen by name and not known in all its traits."""
    from fakeserver.cli.sides import note
    from fakeserver.plan.choice import body_of

    bodies = (body_of(choice, turn), choice.scenario.body)
    name = next((body.dialect for body in bodies if body.has("dialect")), "")
    said = note(library, name)
    if said:
        say(said)


def _about(library: Library, selector: str) -> list[Problem]:
    """The problems that keep this answer from being shown: another file's do not."""
    names = selector.split("+")
    return [problem for problem in library.problems if Path(problem.path).stem in names]


def _ask(library: Library, choice: Choice, file: str | None) -> Ask:
    """The request that `show` assumes, or the one of a file."""
    from fakeserver.engine.asking import ask_of
    from fakeserver.match.facts import Fault
    from fakeserver.match.validate import read_request
    from fakeserver.plan import needs

    said = {"model": choice.scenario.name, "stream": True, "messages": [{"role": "user", "content": "Hello"}]}
    try:
        body = Path(file).read_bytes() if file else json.dumps(said).encode()
    except OSError as error:
        raise Refused(f"cannot read {file}: {(error.strerror or str(error)).lower()}") from None
    request = read_request(body)
    if isinstance(request, Fault):
        raise Refused(f"{file}: {request.message or 'this is no JSON'}")
    return ask_of(request, "1.1", needs(library, choice), 1)


def _raw(library: Library, choice: Choice, turn: int, ask: Ask) -> None:
    from fakeserver.plan import payload

    for data in payload(library, choice, turn, ask, lambda blank: _value(choice, blank)):
        sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def _steps(library: Library, choice: Choice, turn: int, ask: Ask) -> None:
    from fakeserver.plan import script_of
    from fakeserver.script.dump import dump

    steps = script_of(library, choice, turn, ask)
    if steps is None:
        raise Refused("a respond is one answer: it has no steps")
    click.echo(dump(steps), nl=False)


def _json(library: Library, choice: Choice, turn: int, ask: Ask) -> None:
    from fakeserver.engine.showing import as_object

    click.echo(json.dumps(as_object(choice, *_played(library, choice, turn, ask)), indent=2, ensure_ascii=False))


def _timeline(library: Library, choice: Choice, turn: int, ask: Ask) -> None:
    from fakeserver.cli.timeline import rows

    for row in rows(choice, *_played(library, choice, turn, ask)):
        out(row)


def _played(library: Library, choice: Choice, turn: int, ask: Ask) -> tuple[Any, Any]:
    """The plan, and its actions with every blank filled."""
    from fakeserver.plan import compile_plan

    plan = compile_plan(library, choice, turn, ask, lambda blank: _value(choice, blank))
    return plan, iter(plan)


def _value(choice: Choice, blank: Any) -> bytes:
    from fakeserver.plan import fill, key_of

    return fill(blank, key_of("default", choice.scenario.name, 1))
