"""The pytest plugin: a session of a shared server for each test, and what happened there if the test fails.

pytest loads it in every run of its environment, so it imports nothing of this package before a fixture is asked for. A
server starts when the first test wants one; under xdist each worker has its own, on a port of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from os import PathLike
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from fakeserver.testing import FakeServer, Session

Path = str | PathLike[str]
Paths = Path | list[Path] | tuple[Path, ...]

_MARK = "fakeserver"
_KEYS = ("scenario", "speed", "clock", "allow_unmatched")
_SESSIONS = pytest.StashKey["list[Session]"]()  # of a test
_ADVICE = "Script an answer, or mark the test with @pytest.mark.fakeserver(allow_unmatched=True) if that is meant."
_FAILED = pytest.StashKey[bool]()


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        f'{_MARK}(scenario=NAME, speed=NUMBER or "instant", clock="manual", allow_unmatched=True): '
        "how the fixture `fakeserver` answers this test.",
    )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.failed and report.when != "teardown":
        item.stash[_FAILED] = True
        report.sections += [("fakeserver", _story(session)) for session in item.stash.get(_SESSIONS, ())]
    return report


@pytest.fixture(scope="session")
def fakeserver_scenarios() -> Paths:
    """Override it with a path of scenarios (from the rootdir), or a list. Else the built-in library is served."""
    return ()


@pytest.fixture(scope="session")
def _fakeserver_servers() -> Iterator[Callable[[tuple[str, ...]], FakeServer]]:
    """The shared servers: one for each list of paths, since a folder of tests may override the fixture."""
    from fakeserver.testing import FakeServer

    servers: dict[tuple[str, ...], FakeServer] = {}

    def server(paths: tuple[str, ...]) -> FakeServer:
        if paths not in servers:
            started = FakeServer(*paths)
            started.start()
            servers[paths] = started
        return servers[paths]

    yield server
    for each in servers.values():
        each.stop()


@pytest.fixture
def fakeserver(
    request: pytest.FixtureRequest,
    fakeserver_scenarios: Paths,
    _fakeserver_servers: Callable[[tuple[str, ...]], FakeServer],
) -> Iterator[Session]:
    """A fresh session of a fake OpenAI server that all tests share: point a client at its `base_url`."""
    session = _fakeserver_servers(_paths(request, fakeserver_scenarios)).session()
    said = _said(request.node)
    _arrange(session, said)
    _sessions(request.node).append(session)
    yield session
    try:
        _judge(request.node, session, said)
    finally:
        session.drop()


@pytest.fixture
def make_fakeserver(request: pytest.FixtureRequest, fakeserver_scenarios: Paths) -> Iterator[Callable[..., FakeServer]]:
    """Starts a server of the test's own, which is stopped when the test is over. It takes what FakeServer takes."""
    from fakeserver.testing import FakeServer

    servers: list[FakeServer] = []

    def make(*paths: Path, **options: Any) -> FakeServer:
        server = FakeServer(*(paths or _paths(request, fakeserver_scenarios)), **options)
        server.start()
        servers.append(server)
        _sessions(request.node).append(server)
        return server

    yield make
    try:
        for server in servers:
            if server.url:  # the test may have stopped it
                _judge(request.node, server, _said(request.node))
    finally:
        for server in servers:
            server.stop()


def _paths(request: pytest.FixtureRequest, said: Paths) -> tuple[str, ...]:
    paths = (said,) if isinstance(said, str | PathLike) else said
    return tuple(str(request.config.rootpath / path) for path in paths)


def _said(item: Any) -> dict[str, Any]:
    """What the markers say, the nearest first."""
    said: dict[str, Any] = {}
    for mark in item.iter_markers(_MARK):
        unknown = [*map(repr, mark.args), *(key for key in mark.kwargs if key not in _KEYS)]
        if unknown:
            raise pytest.UsageError(f"@pytest.mark.{_MARK} takes {', '.join(_KEYS)}, not {', '.join(unknown)}")
        said = {**mark.kwargs, **said}
    return said


def _arrange(session: Session, said: dict[str, Any]) -> None:
    if "scenario" in said:
        session.use(said["scenario"])
    if "speed" in said:
        session.speed(said["speed"])
    if said.get("clock") == "manual":
        session.clock.manual()


def _sessions(item: Any) -> list[Session]:
    sessions: list[Session] = item.stash.setdefault(_SESSIONS, [])
    return sessions


def _judge(item: Any, session: Session, said: dict[str, Any]) -> None:
    """A test that has failed already has said enough."""
    if said.get("allow_unmatched") or item.stash.get(_FAILED, False):
        return
    problem = _unmatched(session)
    if problem:
        pytest.fail(f"{problem}\n{_ADVICE}", pytrace=False)


def _unmatched(session: Session) -> str:
    try:
        session.assert_no_unmatched()
    except AssertionError as problem:
        return str(problem)
    return ""


def _story(session: Session) -> str:
    from fakeserver.testing import FakeServerError

    try:
        return session.explain()
    except FakeServerError as problem:
        return str(problem)
