"""`serve` from the outside: what it says, which port, which answers, how it ends."""

from __future__ import annotations

import json
import os
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.cli.conftest import PLAIN, Run

File = Callable[[str, str], Path]
Start = Callable[..., "tuple[subprocess.Popen[str], dict[str, Any]]"]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    started: list[subprocess.Popen[str]] = []

    def call(*words: str, **env: str) -> tuple[subprocess.Popen[str], dict[str, Any]]:
        process = subprocess.Popen(
            [sys.executable, "-m", "fakeserver", "serve", "--port", "0", "--json", *words],
            cwd=tmp_path, env={**PLAIN, **env}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        started.append(process)
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line, process.stderr.read() if process.stderr else ""
        return process, json.loads(line)

    yield call
    for process in started:
        process.kill()
        process.communicate()


def ask(url: str, model: str, **headers: str) -> httpx.Response:
    body = {"model": model, "messages": [{"role": "user", "content": "Ahoy there"}]}
    return httpx.post(f"{url}/v1/chat/completions", json=body, headers=headers)


def test_the_line_that_runners_wait_for(start: Start) -> None:
    process, said = start()
    assert said == {
        "url": f"http://127.0.0.1:{said['port']}", "port": said["port"], "pid": process.pid, "version": said["version"],
    }  # fmt: skip
    assert httpx.get(f"{said['url']}/_fakeserver/health").status_code == 200


def test_without_a_path_the_library_answers_and_echo_the_rest(start: Start) -> None:
    _, said = start("--speed", "instant")
    assert ask(said["url"], "hello").json()["choices"][0]["message"]["content"] != "Ahoy there"
    assert ask(said["url"], "gpt-4o").json()["choices"][0]["message"]["content"] == "Ahoy there"


def test_with_a_path_a_miss_is_a_404_unless_a_fallback_is_named(start: Start, file: File) -> None:
    file("mine.yaml", "reply: Mine.\n")
    _, strict = start(".")
    assert ask(strict["url"], "mine").status_code == 200
    missed = ask(strict["url"], "min")
    assert missed.status_code == 404
    assert "mine" in missed.json()["error"]["message"]
    _, kind = start("--fallback", "echo", ".")
    assert ask(kind["url"], "min").status_code == 200


def test_every_option_has_its_twin(start: Start, file: File) -> None:
    file("mine.yaml", "reply: Mine.\n")
    _, said = start(".", FAKESERVER_API_KEY="k", FAKESERVER_FALLBACK="mine", FAKESERVER_SPEED="instant")
    assert ask(said["url"], "any").status_code == 401
    assert ask(said["url"], "any", authorization="Bearer k").status_code == 200


def test_broken_scenarios_are_all_named_and_nothing_is_started(run: Run, file: File) -> None:
    file("a.yaml", "reply: Hi\nwire: {newlin: lf}\n")
    file("b.yaml", "stream:\n  - say: x\n    set: {delta/tool_calls/0/id: 1}\n")
    done = run("serve", "--port", "0", ".")
    assert (done.returncode, done.stdout) == (1, "")
    assert "a.yaml:2:8: unknown-key" in done.stderr
    assert "b.yaml:3:5: touches-nothing" in done.stderr


def test_a_port_in_use_is_one_line_and_exit_3(run: Run) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = run("serve", "--port", str(port))
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == f"Cannot listen on 127.0.0.1:{port}: address already in use; --port 0 takes a free one.\n"


def test_usage_is_exit_2(run: Run) -> None:
    assert run("serve", "--speed", "0").returncode == 2
    assert run("serve", "--nonsense").returncode == 2
    assert run("serve", "--port", "0", "--fallback", "nobody").returncode == 2


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_a_signal_ends_it_at_once_whatever_is_open(start: Start, file: File, number: int, code: int) -> None:
    file("silence.yaml", "stream: [role: assistant, hang]\n")
    process, said = start(".")
    body = {"model": "silence", "stream": True, "messages": [{"role": "user", "content": "Hi"}]}
    with httpx.stream("POST", f"{said['url']}/v1/chat/completions", json=body) as reply:
        next(reply.iter_raw())
        began = time.monotonic()
        os.kill(process.pid, number)
        assert process.wait(5) == code
    assert time.monotonic() - began < 2
    assert process.stderr is not None
    assert process.stderr.read() == ""


def test_verbose_says_a_line_a_request(start: Start, file: File) -> None:
    file("mine.yaml", "reply: Mine.\n")
    process, said = start("-v", ".")
    ask(said["url"], "mine")
    process.terminate()
    assert process.stderr is not None
    line = process.stderr.read()
    assert line.count("\n") == 1
    assert " 200 POST /v1/chat/completions mine (model) " in line


def test_the_soft_limit_of_descriptors_becomes_the_hard_one(start: Start) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(256, hard), hard))
    try:
        process, _ = start()
        assert resource.prlimit(process.pid, resource.RLIMIT_NOFILE) == (hard, hard)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_misspelt_overlay_is_never_answered_without_it(start: Start) -> None:
    _, said = start("--speed", "instant")
    missed = ask(said["url"], "hello+no-don")
    assert missed.status_code == 404
    assert "no-done" in missed.json()["error"]["message"]
    assert ask(said["url"], "gpt-4+x").status_code == 200  # no scenario's name: echo answers


def listed(said: dict[str, Any]) -> list[str]:
    answer = httpx.get(f"{said['url']}/v1/models").json()
    assert answer["object"] == "list"
    assert all(set(model) == {"id", "object", "created", "owned_by"} for model in answer["data"])
    return [model["id"] for model in answer["data"]]


def test_a_picker_gets_the_menu_and_every_other_name_is_answered_too(start: Start) -> None:
    _, said = start("--speed", "instant")
    names = listed(said)
    assert names == sorted(names)
    assert "markdown" in names
    assert "cut-words" not in names
    assert httpx.get(f"{said['url']}/v1/models/cut-words").json()["id"] == "cut-words"
    assert ask(said["url"], "cut-words").json()["choices"][0]["message"]["content"] == "Unbelievable weather today."
    put = httpx.put(f"{said['url']}/_fakeserver/sessions/default/scenarios/mine", content="reply: Mine.")
    assert put.status_code == 200
    assert listed(said) == sorted([*names, "mine"])


def test_the_menu_is_another_tag_or_all(start: Start, run: Run) -> None:
    _, said = start("--menu", "status")
    assert "status-401" in listed(said)
    assert "markdown" not in listed(said)
    _, said = start(FAKESERVER_MENU="all")
    assert len(listed(said)) > 200
    done = run("serve", "--port", "0", "--menu", "nonsense")
    assert done.returncode == 2
    assert "no scenario has the tag 'nonsense'" in done.stderr


def test_of_files_of_one_s_own_all_are_listed(start: Start, file: File) -> None:
    file("mine.yaml", "reply: Mine.\n")
    file("yours.yaml", "tags: [menu]\nreply: Yours.\n")
    _, said = start(".", "--fallback", "echo")
    assert listed(said) == ["echo", "mine", "yours"]
    _, said = start(".", "--menu", "menu")
    assert listed(said) == ["yours"]
