"""The server as a process: it ends at once when it is told to, whatever is open, and says nothing about it."""

from __future__ import annotations

import signal
from contextlib import ExitStack

import pytest

from tests.clients.cases import question
from tests.clients.server import running
from tests.clients.test_raw_socket import connected


@pytest.mark.parametrize(("number", "wanted"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_a_signal_ends_it_within_a_second_while_streams_hang(number: signal.Signals, wanted: int) -> None:
    with running() as server, ExitStack() as streams:
        for name in ("headers-then-silence", "stall-mid-stream") * 5:
            raw = streams.enter_context(connected(server.port))
            raw.ask("/v1/chat/completions", question(name))
            assert raw.take(15) == b"HTTP/1.1 200 OK"
        code, seconds = server.stop(number)
        assert code == wanted
        assert seconds < 2  # a second, and another one for a busy machine
        assert server.stderr() == ""


def test_a_signal_ends_it_while_nothing_is_open() -> None:
    with running() as server:
        assert server.stop()[0] == 0
        assert server.stderr() == ""
