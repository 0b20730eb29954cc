"""`fakeserver conform`: cases and a client's adapter -> marks of what it makes of each; reports; an exit code."""

from __future__ import annotations

import errno
import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fakeserver.cli.common import Refused, library_of, out, paint, paths_argument, refuse_broken, say, speed_of

if TYPE_CHECKING:
    from fakeserver.conform.cases import Case
    from fakeserver.conform.examination import Examination
    from fakeserver.conform.judging import Mark
    from fakeserver.script.library import Library

_ENDINGS = (".html", ".xml", ".md", ".json")


class _BeforeACommand(click.Command):
    """All behind `--` is another program's, its options too."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        place = args.index("--") if "--" in args else len(args)
        ctx.obj = tuple(args[place + 1 :])
        try:
            return super().parse_args(ctx, args[:place])
        except click.NoSuchOption as unknown:
            if place < len(args):
                raise
            raise click.UsageError(
                f"{unknown.format_message()} The command to examine stands behind --.", ctx
            ) from None

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        return [*super().collect_usage_pieces(ctx), "-- COMMAND [ARG ...]"]


def _reports(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> tuple[Path, ...]:
    for name in value:
        if Path(name).suffix not in _ENDINGS:
            raise click.BadParameter(f"'{name}' says no format: end it in {', '.join(_ENDINGS[:-1])} or {_ENDINGS[-1]}")
        if not Path(name).parent.is_dir():
            raise click.BadParameter(f"there is no folder {Path(name).parent} for '{name}'")
    return tuple(map(Path, value))


def _twin(name: str) -> dict[str, Any]:
    return {"envvar": f"FAKESERVER_{name}", "show_envvar": True}


@click.command(cls=_BeforeACommand)
@paths_argument
@click.option("--only", metavar="NAME[+OVERLAY...]", multiple=True,
              help="This case; a pattern (tool-*, end/*), several times, or with overlays (hello+one-byte).",
              **_twin("ONLY"))  # fmt: skip
@click.option("--kind", "kinds", metavar="KIND", multiple=True, help="Only cases of this folder; several times.",
              **_twin("KIND"))  # fmt: skip
@click.option("--list", "as_list", is_flag=True, help="Name the cases, and run nothing.")
@click.option("--stay", is_flag=True, help="Start the command once, and give it cases on stdin, a JSON object a line.",
              **_twin("STAY"))  # fmt: skip
@click.option("--at-once", type=click.IntRange(min=1), default=1, show_default=True,
              help="How many cases a command that stays may have open.", **_twin("AT_ONCE"))  # fmt: skip
@click.option("--jobs", type=click.IntRange(min=1), default=None, metavar="N",
              help="How many commands run side by side.  [default: as many as there are cores]",
              **_twin("JOBS"))  # fmt: skip
@click.option("--time-limit", type=click.FloatRange(min=0.1), default=5.0, show_default=True, metavar="SECONDS",
              help="After how long a silent stream has to be given up: the client is told.",
              **_twin("TIME_LIMIT"))  # fmt: skip
@click.option("--grace", type=click.FloatRange(min=0), default=None, metavar="SECONDS",
              help="Over the limit, from the case's start and from each of its first requests; then it hangs, and is"
              " killed.  [default: 10; 5 for a process that stays, once it has started]",
              **_twin("GRACE"))  # fmt: skip
@click.option("--speed", metavar="NUMBER|instant", default="instant", callback=speed_of,
              help="1 plays each moment as it is scripted; instant waits for nothing.", **_twin("SPEED"))  # fmt: skip
@click.option("--report", "reports", metavar="FILE", type=click.Path(), multiple=True, callback=_reports,
              help="Write a report: .html, .xml (JUnit), .md or .json; several times.", **_twin("REPORT"))  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="One JSON object in place of the table.", **_twin("JSON"))
@click.option("--fail-on", type=click.Choice(["red", "amber"]), default="red", show_default=True,
              help="The mildest mark that makes the exit code 1, and a failure in JUnit's XML.",
              **_twin("FAIL_ON"))  # fmt: skip
@click.option("-q", "--quiet", is_flag=True, help="No table and no progress.", **_twin("QUIET"))
@click.pass_obj
def conform(
    command: tuple[str, ...], paths: tuple[str, ...], only: tuple[str, ...], kinds: tuple[str, ...], as_list: bool,
    stay: bool, at_once: int, jobs: int | None, time_limit: float, grace: float | None, speed: float | None,
    reports: tuple[Path, ...], as_json: bool, fail_on: Mark, quiet: bool,
) -> None:  # fmt: skip
    """Examine a client: play each case to it, and mark what it made of that.

    COMMAND is a small program around the client: it asks FAKESERVER_BASE_URL once, and prints what it read as a JSON
    object. Cases are all scenarios of the PATHs with an `expect`; without a PATH, those of the built-in library.

    \b
    fakeserver conform -- python adapter.py
    fakeserver conform --kind tools --report tools.html -- node adapter.mjs
    """
    from fakeserver.conform.examination import Examination, Manner

    if at_once > 1 and not stay:
        raise click.UsageError("--at-once is for a command that stays: add --stay")
    if not as_list:
        _refuse_nothing(command, paths)
    library = _library(paths)
    cases = _cases(library, only, kinds)
    if as_list:
        for case in cases:
            out(case.place)
        return
    manner = Manner(_found(command), jobs or os.cpu_count() or 2, stay, at_once, time_limit, grace, speed)
    examined = Examination(library, cases, manner, fail_on=fail_on)
    whole = _examine(examined, quiet or as_json)
    _tell(examined, reports, as_json, quiet)
    raise SystemExit(int(any(map(examined.fails, examined.results))) if whole else 130)


def _refuse_nothing(command: tuple[str, ...], paths: tuple[str, ...]) -> None:
    """Without `--` the command is read as PATHs; it begins with the first that is not there."""
    if command:
        return
    place = next((place for place, path in enumerate(paths) if not Path(path).exists()), len(paths))
    before = paths[:place] if paths else ("[PATH ...]",)
    words = " ".join([*before, "--", *(paths[place:] or ("COMMAND [ARG ...]",))])
    raise Refused(f"nothing to examine: the command stands behind --: fakeserver conform {words}")


def _library(paths: tuple[str, ...]) -> Library:
    from fakeserver.plan.trial import try_all

    library = library_of(paths)
    # The built-in library was tried before it was shipped; a user's own is tried now.
    refuse_broken(try_all(library).problems if paths else library.problems)
    return library


def _cases(library: Library, only: tuple[str, ...], kinds: tuple[str, ...]) -> list[Case]:
    from fakeserver.conform.cases import NoCases, cases_of, left_out
    from fakeserver.plan import Broken

    try:
        cases = cases_of(library, only, kinds)
    except (NoCases, Broken) as problem:
        raise Refused(f"no cases: {problem}") from None
    lacking = [] if only or kinds else left_out(library)
    if lacking:
        say(f"Left out, for nothing says what is right (expect): {', '.join(lacking)}")
    return cases


def _found(command: tuple[str, ...]) -> tuple[str, ...]:
    """The command, which can be started as it seems."""
    if shutil.which(command[0]) is None:
        there = Path(command[0])
        lack = "is a folder" if there.is_dir() else "is not executable: chmod +x, or name what runs it"
        raise Refused(f"cannot start {command[0]}: it {lack if there.exists() else 'is not there'}")
    return command


def _examine(examined: Examination, quiet: bool) -> bool:
    """Whether all cases were tried; Ctrl-C ends it."""
    from fakeserver.cli.progress import Progress
    from fakeserver.cli.running import more_descriptors, run

    more_descriptors()
    progress = Progress(len(examined.cases), sys.stderr, quiet)
    examined.begun, examined.done = progress.begun, progress.done
    try:
        return bool(run(_until_stopped(examined)))
    except OSError as problem:
        raise Refused(f"cannot start {examined.manner.command[0]}: {_why(problem)}") from None
    finally:
        progress.close()


def _why(problem: OSError) -> str:
    if problem.errno == errno.ENOEXEC:
        return "it is no program: give it a first line such as #!/bin/sh, or name what runs it"
    return (problem.strerror or str(problem)).lower()


async def _until_stopped(examined: Examination) -> int:
    import asyncio
    import signal

    task = asyncio.ensure_future(examined.run())
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    try:
        await task
    except asyncio.CancelledError:
        return 0
    return 1


def _tell(examined: Examination, reports: tuple[Path, ...], as_json: bool, quiet: bool) -> None:
    from fakeserver.conform.report import FORMATS, terminal, write

    if as_json:
        click.echo(FORMATS[".json"](examined), nl=False)
    elif not quiet:
        for row in terminal.rows(examined, lambda text, colour: paint(text, sys.stdout, fg=colour)):
            out(row)
    for path in reports:
        try:
            write(path, examined)
        except OSError as error:
            raise Refused(f"cannot write {path}: {(error.strerror or str(error)).lower()}") from None
