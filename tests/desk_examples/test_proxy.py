"""examples/proxy: what a back end in front of a model must do, a test each; and how the journal tells who does not."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import httpx
import pytest

from fakeserver import FakeServer
from tests.desk_examples.apps import ROOT, free_port, running, tool

FOLDER = ROOT / "examples" / "proxy"
GATED = "stream: [role: assistant, say: One, gate: a, say: ' two', finish: stop, done]"


@pytest.fixture(scope="module")
def server() -> Iterator[FakeServer]:
    with FakeServer(mode="thread") as server:
        yield server


@pytest.fixture(autouse=True)
def clean(server: FakeServer) -> None:
    server.reset()


def started(name: str, server: FakeServer, folder: Path) -> AbstractContextManager[str]:
    port = free_port()
    command = [sys.executable if name.endswith(".py") else tool("node"), name, str(port)]
    return running(command, FOLDER, f"http://127.0.0.1:{port}", server.env(), folder / "log")


@pytest.fixture(scope="module", params=["proxy.py", "proxy.mjs"])
def proxy(
    request: pytest.FixtureRequest, server: FakeServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    with started(request.param, server, tmp_path_factory.mktemp("proxy")) as url:
        yield url


@pytest.fixture(scope="module")
def naive(server: FakeServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with started("naive.mjs", server, tmp_path_factory.mktemp("naive")) as url:
        yield url


def ask(proxy: str, timeout: float = 20) -> AbstractContextManager[httpx.Response]:
    body = {"model": "any", "stream": True, "messages": [{"role": "user", "content": "Hi"}]}
    return httpx.stream("POST", f"{proxy}/chat", json=body, timeout=timeout)


def test_each_event_arrives_before_the_next_is_sent(proxy: str, server: FakeServer) -> None:
    server.use("hello")
    server.hold_all()
    with ask(proxy) as answer:
        lines = answer.iter_lines()
        for _ in range(6):
            server.step()
            assert next(lines).startswith("data: ")
            assert next(lines) == ""
    server.hold_all(False)


def test_a_reader_who_leaves_ends_the_model_s_work(proxy: str, server: FakeServer) -> None:
    server.script(GATED)
    with ask(proxy) as answer:
        lines = answer.iter_lines()
        assert "One" in next(line for line in lines if '"content":""' not in line and line)
        server.gates["a"].wait()
    server.assert_cancelled()


def test_a_reader_who_leaves_before_the_first_byte_ends_it_too(proxy: str, server: FakeServer) -> None:
    server.script("timing: {head: 60m}\nreply: Too late.")
    with pytest.raises(httpx.ReadTimeout), ask(proxy, timeout=1):
        pass
    server.assert_cancelled()


def test_an_answer_that_is_broken_off_does_not_end_well(proxy: str, server: FakeServer) -> None:
    server.use("hello+reset-midway")
    with ask(proxy) as answer, pytest.raises(httpx.RemoteProtocolError):
        answer.read()


def test_a_failure_keeps_its_status_and_when_to_come_back(proxy: str, server: FakeServer) -> None:
    server.use("status-429")
    with ask(proxy) as answer:
        assert (answer.status_code, answer.headers["retry-after"]) == (429, "1")
        answer.read()
        assert answer.json()["error"]["code"] == "rate_limit_exceeded"


def test_the_naive_one_holds_everything_back(naive: str, server: FakeServer) -> None:
    server.script(GATED)
    with pytest.raises(httpx.ReadTimeout), ask(naive, timeout=1) as answer:
        next(answer.iter_lines())
    assert server.gates["a"].release() == 1  # the reader has left, but here its answer still waits
    [request] = server.verify(ended="complete")
    assert request.how == "complete"


def test_the_naive_one_makes_half_an_answer_look_whole(naive: str, server: FakeServer) -> None:
    server.use("hello+reset-midway")
    with ask(naive) as answer:
        assert "Hello" in answer.read().decode()
    assert server.verify(ended="ended")


def test_the_configuration_of_nginx_is_whole() -> None:
    """As far as can be told without nginx: every directive ends, and every block that begins."""
    rows = [row.partition("#")[0].strip() for row in (FOLDER / "nginx.conf").read_text().splitlines()]
    assert {row[-1] for row in rows if row} == {";", "{", "}"}
    text = " ".join(rows)
    assert text.count("{") == text.count("}") > 0
    assert {"proxy_buffering off;", "proxy_http_version 1.1;", "gzip off;"} <= {*rows}
