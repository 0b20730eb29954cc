"""An engine and a listening socket -> a process that serves until SIGTERM or SIGINT; and its exit code.

The process is this server's own, so its garbage collector is tuned here and nowhere else.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import importlib
import json
import os
import signal
import socket
import sys
from collections.abc import Coroutine, Iterator
from typing import TYPE_CHECKING, Any

import click

from fakeserver import __version__
from fakeserver.cli.around import NOTHING, Around, when_parent_ends

if TYPE_CHECKING:
    from fakeserver.engine import Engine

# Allocations before the collector looks at the young objects, and how many such looks before it looks at older ones. A
# look at everything with 3,000 open streams stops all of them for 117 ms.
_THRESHOLDS = (50_000, 20, 100)


def run(main: Coroutine[Any, Any, int]) -> int:
    """On uvloop where it is installed: a little faster, no dependency."""
    with contextlib.suppress(ImportError):
        import uvloop

        return int(uvloop.run(main))
    return asyncio.run(main)


async def until_stopped(engine: Engine, sock: socket.socket, as_json: bool, around: Around = NOTHING) -> int:
    """Serve, and say where. The answer is the exit code. Raises Refused if the ready file cannot be written."""
    with _no_authorities():
        from fakeserver.http.serve import serve as start

    loop = asyncio.get_running_loop()
    stopped: asyncio.Future[int] = loop.create_future()
    for number, code in ((signal.SIGTERM, 0), (signal.SIGINT, 130)):
        loop.add_signal_handler(number, _stop, stopped, code)
    if around.with_parent:
        when_parent_ends(lambda: _gone(stopped))
    more_descriptors()
    served = await start(engine, around.host, sock=sock, token=around.token)
    _settle()
    said = {"url": served.url, "port": served.port, "pid": os.getpid(), "version": __version__}
    said |= {"token": around.token} if around.token else {}
    around.ready(said)
    click.echo(json.dumps(said) if as_json else around.greeting(said))
    sys.stdout.flush()
    # Now, when whoever started it has yet to ask: later it would cost streams 15 ms of their moments.
    importlib.import_module("fakeserver.http.control")
    beside = asyncio.create_task(around.beside()) if around.beside else None
    code = await stopped
    if beside is not None:
        beside.cancel()
    await served.stop()
    around.clear()
    return code


def more_descriptors() -> None:
    """The soft limit of open descriptors becomes the hard one: each open stream is one of them."""
    with contextlib.suppress(ImportError, ValueError, OSError):  # Windows; a limit that may not be touched
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def _settle() -> None:
    """What is there now stays until the end: the collector never looks at it again, and seldom at the rest."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)
    gc.enable()


@contextlib.contextmanager
def _no_authorities() -> Iterator[None]:
    """While aiohttp is imported: it makes two TLS contexts for clients, and reads all authorities for each (40 ms)."""
    names = ("SSL_CERT_FILE", "SSL_CERT_DIR")
    before = {name: os.environ.get(name) for name in names}
    os.environ.update(dict.fromkeys(names, os.devnull))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _gone(stopped: asyncio.Future[int]) -> None:
    """The parent has ended: as SIGTERM, but nobody asks twice."""
    if not stopped.done():
        stopped.set_result(0)


def _stop(stopped: asyncio.Future[int], code: int) -> None:
    if stopped.done():  # asked twice: whoever asks has no patience left
        os._exit(code)
    stopped.set_result(code)
