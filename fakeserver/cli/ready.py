"""`fakeserver ready`: a server's address -> exit code 0 once it serves. A container's health check, without curl."""

from __future__ import annotations

import http.client
import json
import sys
import time
from urllib.parse import urlsplit

import click

from fakeserver.cli.common import out, say
from fakeserver.cli.early import HOST, PORT

_PAUSE = 0.05
_PATIENCE = 2.0  # seconds for one answer


def _seconds(ctx: click.Context, param: click.Parameter, value: str) -> float:
    """`10s`, `500ms`, `0`."""
    number, unit = (value[:-2], 0.001) if value.endswith("ms") else (value.removesuffix("s"), 1.0)
    try:
        seconds = float(number) * unit
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < float("inf"):
        raise click.BadParameter(f"'{value}' is no time to wait: 10s, 500ms or 0")
    return seconds


def _url(ctx: click.Context, param: click.Parameter, value: str | None) -> str:
    """A URL, or where a server on this machine listens by its port."""
    url = value or f"http://{HOST}:{ctx.params.get('port') or PORT}"
    if urlsplit(url).scheme != "http" or not urlsplit(url).hostname:
        raise click.BadParameter(f"'{url}' is no address: http://127.0.0.1:{PORT}")
    return url


@click.command("ready")
@click.option("--port", type=click.IntRange(1, 65535), is_eager=True, envvar="FAKESERVER_PORT", show_envvar=True,
              help=f"The port of a server on this machine.  [default: {PORT}]")  # fmt: skip
@click.option("--url", callback=_url, envvar="FAKESERVER_URL", show_envvar=True, help="Where it listens instead.")
@click.option("--wait", "patience", default="0", callback=_seconds, metavar="DURATION", envvar="FAKESERVER_WAIT",
              show_envvar=True, help="How long to try, as 10s.")  # fmt: skip
def ready(port: int | None, url: str, patience: float) -> None:
    """Exit with 0 once a server serves, with 1 if it does not in time."""
    end = time.monotonic() + patience
    while (said := _asked(url)) is not None and time.monotonic() < end:
        time.sleep(_PAUSE)
    if said is not None:
        say(f"{url} does not serve: {said}")
        sys.exit(1)
    out(f"{url} serves")


def _asked(url: str) -> str | None:
    """Why it does not serve; None if it does."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port or 80, timeout=_PATIENCE)
    try:
        connection.request("GET", "/_fakeserver/health")
        answer = connection.getresponse()
        body = answer.read()
    except (OSError, http.client.HTTPException) as error:
        return (getattr(error, "strerror", None) or str(error) or type(error).__name__).lower()
    finally:
        connection.close()
    return None if _well(answer.status, body) else f"it answers {answer.status}"


def _well(status: int, body: bytes) -> bool:
    try:
        return status == 200 and json.loads(body)["status"] == "ok"
    except (ValueError, KeyError, TypeError):
        return False
