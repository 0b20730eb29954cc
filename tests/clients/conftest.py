"""One server for all referees, started once as users start it, and watched: whatever clients do, it says nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.clients.server import Running, running


@pytest.fixture(scope="session")
def server() -> Iterator[Running]:
    with running() as process:
        yield process
        code, seconds = process.stop()
        assert process.stderr() == ""
        assert code == 0
        assert seconds < 2


@pytest.fixture
def quiet(server: Running) -> Iterator[Running]:
    """The server, and the test fails that makes it say something on stderr."""
    before = len(server.stderr())
    yield server
    assert server.stderr()[before:] == ""
    assert server.process.poll() is None
