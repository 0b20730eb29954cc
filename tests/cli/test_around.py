"""What goes with a server: changed files, the parent, the ready file, the token, the health check; and `new`."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.cli.conftest import PLAIN, Run

File = Callable[[str, str], Path]


class Served:
    def __init__(self, folder: Path, *words: str, **env: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "fakeserver", "serve", "--port", "0", "--json", *words],
            cwd=folder, env={**PLAIN, **env}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True,
        )  # fmt: skip
        assert self.process.stdout is not None
        self.said = json.loads(self.process.stdout.readline())
        self.url: str = self.said["url"]

    def ask(self, model: str) -> httpx.Response:
        body = {"model": model, "messages": [{"role": "user", "content": "Hi"}]}
        return httpx.post(f"{self.url}/v1/chat/completions", json=body)

    def text(self, model: str) -> str:
        return str(self.ask(model).json()["choices"][0]["message"]["content"])

    def yaml(self, name: str) -> str:
        return str(httpx.get(f"{self.url}/_fakeserver/scenarios/{name}").json()["yaml"])

    def health(self) -> Any:
        return httpx.get(f"{self.url}/_fakeserver/health").json()

    def end_stdin(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.stdin = None

    def stop(self) -> str:
        self.process.terminate()
        return self.process.communicate(timeout=10)[1]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Served]]:
    started: list[Served] = []

    def call(*words: str, **env: str) -> Served:
        started.append(Served(tmp_path, *words, **env))
        return started[-1]

    yield call
    for each in started:
        each.process.kill()
        each.process.communicate()


def come(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_changed_file_is_served_and_a_broken_one_is_not(start: Callable[..., Served], file: File) -> None:
    file("mine.yaml", "reply: Old.\n")
    served = start("--watch", ".")
    assert served.text("mine") == "Old."
    # The watcher begins a moment after the server is there; a change before that would be missed.
    come(lambda: bool(file("mine.yaml", "reply: New.\n")) and served.text("mine") == "New.")
    file("mine.yaml", "reply: Broken.\nwire: {newlin: lf}\n")
    come(lambda: bool(served.health()["problems"]))
    assert served.text("mine") == "New."
    health = served.health()
    assert (health["status"], health["problems"][0]["code"]) == ("ok", "unknown-key")
    file("more.yaml", "reply: More.\n")
    file("mine.yaml", "reply: Mended.\n")
    come(lambda: not served.health()["problems"])
    come(lambda: served.text("mine") == "Mended.")
    come(lambda: served.ask("more").status_code == 200)
    told = served.stop()
    assert "mine.yaml:2:8: unknown-key" in told
    assert "1 error in the scenarios: what was served before is served on." in told
    assert "Reloaded: 2 scenarios." in told


def test_what_is_played_keeps_its_plan(start: Callable[..., Served], file: File) -> None:
    old = "stream: [role: assistant, say: Old, gate: go, say: est, finish: stop, done]\n"
    file("mine.yaml", old)
    served = start("--watch", ".")
    body = {"model": "mine", "stream": True, "messages": [{"role": "user", "content": "Hi"}]}
    with httpx.stream("POST", f"{served.url}/v1/chat/completions", json=body) as answer:
        lines = answer.iter_lines()
        while "Old" not in next(lines):
            pass
        come(lambda: bool(file("mine.yaml", "reply: New.\n")) and served.yaml("mine") == "reply: New.\n")
        assert served.text("mine") == "New."
        httpx.post(f"{served.url}/_fakeserver/sessions/default/gates/go/release")
        assert any("est" in line for line in lines)


def test_it_ends_with_its_parent(start: Callable[..., Served]) -> None:
    served = start("--exit-with-parent")
    served.end_stdin()
    assert served.process.wait(10) == 0


def test_without_being_told_to_it_does_not(start: Callable[..., Served]) -> None:
    served = start()
    served.end_stdin()
    assert served.health()["status"] == "ok"


def test_the_ready_file_is_whole_and_goes_with_the_server(start: Callable[..., Served], tmp_path: Path) -> None:
    path = tmp_path / "ready.json"
    path.write_text("of an earlier run")
    served = start("--ready-file", "ready.json")
    assert json.loads(path.read_text()) == served.said
    assert [each.name for each in tmp_path.iterdir()] == ["ready.json"]
    served.stop()
    assert not path.exists()


def test_a_ready_file_that_cannot_be_written_is_exit_2(run: Run) -> None:
    done = run("serve", "--port", "0", "--ready-file", "no/such/folder/ready.json")
    assert done.returncode == 2
    assert "cannot write" in done.stderr


def test_others_need_a_token(start: Callable[..., Served]) -> None:
    served = start("--host", "0.0.0.0")
    token = served.said["token"]
    url = f"{served.url}/_fakeserver"
    assert httpx.get(f"{url}/health").status_code == 200
    assert httpx.get(f"{url}/sessions").status_code == 401
    assert httpx.get(f"{url}/sessions", headers={"authorization": f"Bearer {token}"}).status_code == 200
    assert served.stop() == f"The control routes need the header authorization: Bearer {token}\n"
    given = start("--host", "0.0.0.0", FAKESERVER_TOKEN="mine")
    assert given.said["token"] == "mine"
    assert given.stop() == ""


def test_ready(start: Callable[..., Served], run: Run) -> None:
    served = start()
    done = run("ready", "--url", served.url)
    assert (done.returncode, done.stdout) == (0, f"{served.url} serves\n")
    assert run("ready", FAKESERVER_PORT=str(served.said["port"])).returncode == 0
    served.stop()
    done = run("ready", "--url", served.url, "--wait", "100ms")
    assert (done.returncode, done.stderr) == (1, f"{served.url} does not serve: connection refused\n")
    assert run("ready", "--wait", "soon").returncode == 2
    assert run("ready", "--url", "ftp://x").returncode == 2


def test_ready_waits(run: Run) -> None:
    """A port that answers only after a while."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        sock.listen()

        def answer() -> None:
            for body in (b"HTTP/1.1 503 Busy\r\ncontent-length: 0\r\n\r\n",
                         b'HTTP/1.1 200 OK\r\ncontent-length: 16\r\n\r\n{"status": "ok"}'):  # fmt: skip
                client, _ = sock.accept()
                with client:
                    client.recv(65536)
                    client.sendall(body)

        thread = threading.Thread(target=answer)
        thread.start()
        done = run("ready", "--port", str(sock.getsockname()[1]), "--wait", "10s")
        thread.join()
    assert done.returncode == 0


def test_new_is_a_scenario_that_checks_and_is_served(run: Run, start: Callable[..., Served], tmp_path: Path) -> None:
    done = run("new", "cases/my-case")
    assert (done.returncode, done.stdout.split()) == (
        0,
        [os.path.join("cases", "my-case.yaml"), os.path.join("cases", "fakeserver.schema.json")],
    )
    text = (tmp_path / "cases/my-case.yaml").read_text()
    assert text.startswith("# yaml-language-server: $schema=./fakeserver.schema.json\n")
    assert json.loads((tmp_path / "cases/fakeserver.schema.json").read_text())["$schema"].endswith("draft-07/schema#")
    assert run("check", "cases").stderr == "1 scenario checked, no problems\n"
    assert start("cases", "--speed", "instant").text("my-case") == "Hello, there."
    again = run("new", "cases/my-case.yaml")
    assert (again.returncode, "nothing was written" in again.stderr) == (2, True)
    assert (tmp_path / "cases/my-case.yaml").read_text() == text
    assert run("new", "cases/other").stdout.split() == [os.path.join("cases", "other.yaml")]
    assert run("new", "Bad Name").returncode == 2


def test_every_hint_in_a_new_file_is_true(run: Run, tmp_path: Path) -> None:
    """Each line that is commented out loads once it is not."""
    run("new", "mine")
    text = (tmp_path / "mine.yaml").read_text()
    (tmp_path / "mine.yaml").write_text(text.replace("  # - gate", "  - gate").replace("  # - raw", "  - raw"))
    assert run("check", "mine.yaml").stderr == "1 scenario checked, no problems\n"
