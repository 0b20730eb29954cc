"""A raw socket as referee: of every scenario, every byte is as `show` prints it, and the end is of the planned kind."""

from __future__ import annotations

import base64
import json
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.clients.cases import Wire, attempts, names, question, wire_of
from tests.clients.server import COMMAND, Running, environment, running
from tests.wire import parsed

LIMIT = 5.0  # seconds in which the next byte must come
SILENCE = 0.15  # seconds in which nothing comes: a wrong byte or a FIN would have come at once
FRESH = ("hello", "tool-calls-parallel", "three-emoji-one-byte-at-a-time", "rst-mid-stream", "status-429")


class Raw:
    """One connection, and nothing that would read HTTP."""

    def __init__(self, port: int) -> None:
        self.sock = socket.create_connection(("127.0.0.1", port), timeout=LIMIT)

    def ask(self, path: str, body: dict[str, object]) -> None:
        data = json.dumps(body).encode()
        head = (
            f"POST {path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {len(data)}\r\n\r\n"
        )
        self.sock.sendall(head.encode() + data)

    def take(self, size: int) -> bytes:
        """So many bytes, or as many as come before the end or a silence."""
        data = bytearray()
        try:
            while len(data) < size and (part := self.sock.recv(size - len(data))):
                data += part
        except (ConnectionResetError, TimeoutError):
            pass
        return bytes(data)

    def silent(self) -> bytes | None:
        """None: nothing came. Else what came; nothing at all is a FIN."""
        self.sock.settimeout(SILENCE)
        try:
            return self.sock.recv(1 << 16)
        except TimeoutError:
            return None
        finally:
            self.sock.settimeout(LIMIT)


@contextmanager
def connected(port: int) -> Iterator[Raw]:
    raw = Raw(port)
    with raw.sock:
        yield raw


@pytest.mark.parametrize("name", names())
def test_the_socket_receives_what_show_prints(name: str, quiet: Running) -> None:
    session = f"raw.{name}"
    for number in range(1, attempts(name) + 1):
        with connected(quiet.port) as raw:
            raw.ask(f"/session/{session}/v1/chat/completions", question(name))
            wire = wire_of(name, session, number)
            _receives(raw, wire, quiet, session)
            _ends(raw, wire)


def _receives(raw: Raw, wire: Wire, server: Running, session: str) -> None:
    for stretch in wire.stretches:
        got = raw.take(len(stretch.data))
        wanted = bytes(got[at] if at in stretch.moments and at < len(got) else byte
                       for at, byte in enumerate(stretch.data)) if stretch.moments else stretch.data  # fmt: skip
        if wire.end.kind == "reset-now":  # which may overtake what was written before it
            wanted = wanted[: len(got)]
        assert got == wanted
        if stretch.gate:
            assert raw.silent() is None, "the gate did not hold"
            assert server.release(stretch.gate, session)["released"] == 1


def _ends(raw: Raw, wire: Wire) -> None:
    if wire.end.kind in ("reset", "reset-now"):
        with pytest.raises(ConnectionResetError):
            raw.sock.recv(1)
    elif wire.end.kind == "hang":
        said = raw.silent()
        assert said is None or (wire.idle and wire.idle.startswith(said[: len(wire.idle)]))
    elif wire.end.kind == "close" or not wire.end.keep_alive:
        assert raw.sock.recv(1) == b""
    else:  # clean and open: nothing more came, and the next request is answered
        raw.sock.sendall(b"GET /v1/models HTTP/1.1\r\nhost: x\r\n\r\n")
        assert raw.take(15) == b"HTTP/1.1 200 OK"


@pytest.mark.parametrize("name", FRESH)
def test_the_first_request_of_a_fresh_server_is_answered_as_the_command_line_shows(name: str) -> None:
    """With nothing of the product in this process: `fakeserver show` on one side, a socket on the other."""
    shown = json.loads(_show("--json", name))
    with running() as fresh, connected(fresh.port) as raw:
        raw.ask("/v1/chat/completions", question(name))
        wanted = b"".join(base64.b64decode(action.get("base64", "")) for action in shown["actions"])
        got = raw.take(len(wanted))
        assert got == wanted
        end = shown["actions"][-1]
        assert parsed([got], wire_of(name, "default", 1).end).body == _show("--raw", name)
        assert end["do"] == "end"
        assert fresh.stderr() == ""


def _show(form: str, name: str) -> bytes:
    return subprocess.run([*COMMAND, "show", form, name], check=True, capture_output=True, env=environment()).stdout
