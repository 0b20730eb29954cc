"""`fakeserver serve`: a library, an address -> a running server, until SIGTERM or SIGINT.

The port is bound before the heavy imports (see early.py), so that whoever waits for it gets through at once.
"""

from __future__ import annotations

import logging
import socket
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fakeserver.cli.around import Around, token_for
from fakeserver.cli.common import Refused, library_of, paths_argument, refuse_broken, say, speed_of
from fakeserver.cli.desk import Desk
from fakeserver.cli.early import HOST, PORT, Early

if TYPE_CHECKING:
    from fakeserver.engine import Engine

ECHO = "echo"
MENU = "menu"  # the tag of what a person would pick from a list


def _twin(name: str) -> dict[str, Any]:
    return {"envvar": f"FAKESERVER_{name}", "show_envvar": True}


@click.command()
@paths_argument
@click.option("--host", default=HOST, show_default=True, help="Address to listen on.", **_twin("HOST"))
@click.option("--port", default=PORT, show_default=True, type=click.IntRange(0, 65535),
              help="Port; 0 takes a free one.", **_twin("PORT"))  # fmt: skip
@click.option("--fallback", metavar="NAME[+OVERLAY...]",
              help="The scenario for requests that name none. Without PATH: echo.", **_twin("FALLBACK"))  # fmt: skip
@click.option("--menu", metavar="TAG|all", help="What /v1/models lists: the scenarios with this tag. Any name can"
              " be asked for all the same. Without PATH: menu; else all.", **_twin("MENU"))  # fmt: skip
@click.option("--speed", metavar="NUMBER|instant", default="1", callback=speed_of,
              help="2 is twice as fast; instant waits for nothing but gates.", **_twin("SPEED"))  # fmt: skip
@click.option("--api-key", help="Any other key is a 401.", **_twin("API_KEY"))
@click.option("--token", help="The control routes ask for it: `authorization: Bearer TOKEN`. One is made and said where"
              " other machines can reach the server.", **_twin("TOKEN"))  # fmt: skip
@click.option("--watch/--no-watch", default=None, help="Take changed files in; broken ones leave all as it was. On a"
              " terminal that is so anyway.", **_twin("WATCH"))  # fmt: skip
@click.option("--ready-file", type=click.Path(), help="Where to put the object of --json once it serves.",
              **_twin("READY_FILE"))  # fmt: skip
@click.option("--exit-with-parent", "with_parent", is_flag=True, help="Stop once stdin has ended.",
              **_twin("EXIT_WITH_PARENT"))  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Say where it listens as one JSON object.", **_twin("JSON"))
@click.option("-q", "--quiet", is_flag=True, help="Errors alone on stderr; no banner.", **_twin("QUIET"))
@click.option("-v", "--verbose", is_flag=True, help="A line a request on stderr. On a terminal that is so anyway.",
              **_twin("VERBOSE"))  # fmt: skip
@click.pass_obj
def serve(
    early: Early | None, paths: tuple[str, ...], host: str, port: int, fallback: str | None, menu: str | None,
    speed: float | None, api_key: str | None, token: str | None, watch: bool | None, ready_file: str | None,
    with_parent: bool, as_json: bool, quiet: bool, verbose: bool,
) -> None:  # fmt: skip
    """Serve scenarios to any OpenAI-compatible client.

    PATHs are files or folders. Without one, the built-in library is served and a request that names no scenario is
    answered by echo; with one, such a request is a 404 unless --fallback names an answer.
    """
    logging.basicConfig(level=logging.ERROR if quiet else logging.WARNING, stream=sys.stderr, format="%(message)s")
    sock = (early and early.taken(host, port)) or _bound(host, port)
    fallback = fallback or (None if paths else ECHO)
    around = _around(sock, host, token, ready_file, with_parent)
    engine = _engine(paths, fallback, menu or ("all" if paths else MENU), speed, api_key)
    desk = Desk.of(paths, watch, quiet, verbose)
    if desk.lines:
        desk.tell(engine, sock, around.token is not None)
    if desk.banner:
        around = replace(around, greeting=lambda said: desk.greeting(said, engine, fallback, around.token != token))
    if desk.watched:
        around = replace(around, beside=lambda: _keep_up(engine, paths, fallback, quiet))
    from fakeserver.cli.running import run, until_stopped

    raise SystemExit(run(until_stopped(engine, sock, as_json, around)))


def _around(sock: socket.socket, host: str, token: str | None, ready_file: str | None, with_parent: bool) -> Around:
    """What goes with the server. A token that was made here is said."""
    made = token_for(sock, token)
    if made != token:
        say(f"The control routes need the header authorization: Bearer {made}")
    around = Around(host, made, Path(ready_file) if ready_file else None, with_parent)
    around.clear()
    return around


async def _keep_up(engine: Engine, paths: tuple[str, ...], fallback: str | None, quiet: bool) -> None:
    from fakeserver.cli.watching import keep_up

    await keep_up(engine, paths, _also(fallback), quiet)


def _also(fallback: str | None) -> list[str]:
    """The built-in scenarios that are served beside a user's own."""
    return [fallback.split("+")[0]] if fallback else []


def _bound(host: str, port: int) -> socket.socket:
    from fakeserver.http.bind import bind

    try:
        return bind(host, port)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        hint = "; --port 0 takes a free one" if port else ""
        say(f"Cannot listen on {host}:{port}: {reason}{hint}.")
        raise SystemExit(3) from None


def _engine(
    paths: tuple[str, ...], fallback: str | None, menu: str, speed: float | None, api_key: str | None
) -> Engine:
    from fakeserver.engine import Engine
    from fakeserver.plan import Unknown
    from fakeserver.plan.trial import try_all

    library = library_of(paths, _also(fallback))
    # The built-in library was tried before it was shipped; a user's own is tried now.
    refuse_broken(try_all(library, whole=False).problems if paths else library.problems)
    if menu != "all" and not library.tagged(menu):
        raise Refused(f"--menu: no scenario has the tag '{menu}'; fakeserver list --json tells those that there are")
    library = replace(library, menu="" if menu == "all" else menu)
    try:
        return Engine(library, fallback=fallback, speed=speed, api_key=api_key)
    except Unknown as unknown:
        raise Refused(f"--fallback: {unknown.message}") from None
