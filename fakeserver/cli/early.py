"""The arguments of `serve` -> its listening socket, before click is imported, so that who waits for it gets through.

It reads only what it needs and guesses in plain cases alone. click reads everything again, and a socket of another
address than click finds is not used, so a wrong guess costs nothing.
"""

from __future__ import annotations

import socket
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fakeserver.http.bind import bind

HOST = "127.0.0.1"
PORT = 8437


@dataclass(frozen=True, slots=True)
class Early:
    """A socket, and what was asked for it."""

    host: str
    port: int
    sock: socket.socket

    def taken(self, host: str, port: int) -> socket.socket | None:
        """The socket, if it is for this address; else it is closed."""
        if (self.host, self.port) == (host, port):
            return self.sock
        self.sock.close()
        return None


def bound_early(arguments: Sequence[str], environ: Mapping[str, str]) -> Early | None:
    """None where the arguments do not simply say it, or where it fails: click's turn will say why."""
    if "-h" in arguments or "--help" in arguments:
        return None
    host = _option("--host", arguments) or environ.get("FAKESERVER_HOST") or HOST
    port = _option("--port", arguments) or environ.get("FAKESERVER_PORT") or str(PORT)
    if not port.isdecimal() or int(port) > 65535:
        return None
    try:
        return Early(host, int(port), bind(host, int(port)))
    except OSError:
        return None


def _option(name: str, arguments: Sequence[str]) -> str | None:
    """The last value of an option, as `--name value` or `--name=value`."""
    found = None
    for argument, following in zip(arguments, [*arguments[1:], ""]):
        if argument == name:
            found = following
        elif argument.startswith(f"{name}="):
            found = argument.partition("=")[2]
    return found
