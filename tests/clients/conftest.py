"""What the tests here share: one server as users start it, which must say nothing, and one run of the matrix."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import Future

import pytest

from tests.clients.playing import Report, start
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


@pytest.fixture(scope="session")
def reports(request: pytest.FixtureRequest) -> Iterator[Mapping[str, Future[Report]]]:
    """Of each client that a test of this run wants: they are played at the same time, ahead of their tests."""
    items = (item for item in request.session.items if isinstance(item, pytest.Function))
    params = [item.callspec.params for item in items if "reports" in item.fixturenames and hasattr(item, "callspec")]
    playing = start(list(dict.fromkeys(str(each["client"]) for each in params)))
    yield playing
    for each in playing.values():
        each.cancel()
