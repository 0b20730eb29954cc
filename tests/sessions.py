"""Fixtures: one server for all tests of a folder, in a process of its own, and a fresh session for each."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fakeserver.testing import FakeServer, Session


@pytest.fixture(scope="session")
def server() -> Iterator[FakeServer]:
    with FakeServer() as server:
        yield server


@pytest.fixture
def session(server: FakeServer) -> Iterator[Session]:
    session = server.session()
    yield session
    session.drop()
