"""`serve` on a terminal: its banner, a line a request, files that are watched; and nothing of it for programs."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from tests.cli.terminal import COLOUR, Terminal

File = Callable[[str, str], Path]
Open = Callable[..., Terminal]
GATED = "stream: [role: assistant, say: [Hello, ' there'], gate: half, say: ['!'], finish: stop, done]\n"


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Open]:
    opened: list[Terminal] = []

    def call(*words: str, **more: object) -> Terminal:
        opened.append(Terminal(tmp_path, *words, **more))  # type: ignore[arg-type]  # the environment's names are texts
        return opened[-1]

    yield call
    for each in opened:
        if each.process.poll() is None:
            each.close()


def test_the_banner_says_where_and_what(terminal: Open, file: File) -> None:
    file("sub/mine.yaml", "reply: Mine.\n")
    desk = terminal("sub")
    url = desk.url
    assert httpx.get(f"{url}/_fakeserver/health").status_code == 200
    assert desk.until("base URL").split()[-1] == f"{url}/v1"
    assert desk.until("page").split()[-1] == f"{url}/"
    assert desk.until("scenarios ").split("  ")[-1] == "1; what names none of them is a 404"
    assert desk.until("watching").split()[-1] == "sub"
    assert "\x1b[" in desk.seen


def test_without_a_path_it_says_who_answers_the_rest(terminal: Open) -> None:
    desk = terminal("--no-watch")
    assert desk.until("scenarios ").endswith("echo answers what names none of them")
    assert desk.until("watching").endswith("nothing: changed files are not taken in")


def test_a_line_a_request_in_columns(terminal: Open, file: File) -> None:
    file("hello.yaml", "reply: Hello there.\n")
    file("packed.yaml", "reply: Hello there.\nwire: {compress: gzip}\n")
    desk = terminal(".")
    assert desk.ask().status_code == 200
    with pytest.raises(httpx.HTTPError):
        desk.ask(model="hello+reset-midway")
    desk.ask(model="packed")
    desk.ask("/session/t1/scenario/hello/v1/chat/completions", model="any")
    httpx.get(f"{desk.url}/v1/models")
    row = r"\d\d:\d\d:\d\d +{number} 200 {what} +{events} ev +[\d.]+ k?B +\d+ms {end}"
    wanted = [
        (r"hello \(model\)", 6, "complete"),
        (r"hello\+reset-midway", 3, "reset"),
        (r"packed \(model\)", 6, "complete"),
        (r"t1: hello \(base URL\)", 6, "complete"),
        (r"models", 0, "complete"),
    ]
    rows = [
        desk.until(f"^{row.format(number=number, what=what, events=events, end=end)}$")
        for number, (what, events, end) in enumerate(wanted, 1)
    ]
    assert len({row.index(" ev ") for row in rows}) == 1
    assert max(map(len, rows)) <= 80


def test_a_wide_terminal_has_the_path_too(terminal: Open, file: File) -> None:
    file("hello.yaml", "reply: Hello there.\n")
    desk = terminal(".", columns=120)
    desk.ask("/scenario/hello/v1/chat/completions")
    assert " 200 POST /v1/chat/completions hello (base URL) " in desk.until("ev ")


def test_a_near_miss_says_why(terminal: Open, file: File) -> None:
    file("hello.yaml", "reply: Hello there.\n")
    desk = terminal(".")
    desk.ask(model="helo")
    desk.until(r" 404 chat \(no such scenario\) ")
    desk.until(r"^ +There is no scenario 'helo'; did you mean 'hello'\?")
    desk.ask("/v1/chat/completion")
    desk.until(rf"{desk.url}/v1$")
    assert max(len(row) for row in desk.text.splitlines()) <= 80


def test_a_client_that_leaves_is_told_with_its_event(terminal: Open, file: File) -> None:
    file("gated.yaml", GATED)
    narrow, wide = r"gated \(model\) +3 ev .* gone \((FIN|RST)\)", r"gone after event 3, (FIN|RST)"
    for columns, said in ((80, narrow), (120, wide)):
        desk = terminal(".", columns=columns)
        body = {"model": "gated", "stream": True, "messages": [{"role": "user", "content": "Hi"}]}
        with httpx.stream("POST", f"{desk.url}/v1/chat/completions", json=body) as answer:
            lines = answer.iter_lines()
            while " there" not in next(lines):
                pass
        desk.until(said)


def test_a_stream_at_a_gate_says_how_to_let_it_go(terminal: Open, file: File) -> None:
    file("gated.yaml", GATED)
    desk = terminal(".")
    body = {"model": "gated", "stream": True, "messages": [{"role": "user", "content": "Hi"}]}
    with httpx.stream("POST", f"{desk.url}/v1/chat/completions", json=body) as answer:
        desk.until(r"gated \(model\) .* … at gate half$")
        command = desk.until("curl -X POST").strip()
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
        assert json.loads(done.stdout)["released"] == 1
        assert answer.read().endswith(b"data: [DONE]\n\n")
    desk.until(r"gated \(model\) +6 ev .* complete$")


def test_a_stream_that_a_test_holds_says_how_to_step_it(terminal: Open, file: File) -> None:
    file("hello.yaml", "reply: Hello there.\n")
    desk = terminal(".")
    httpx.post(f"{desk.url}/_fakeserver/sessions/t1/hold", json={"all": True}).raise_for_status()
    body = {"model": "hello", "stream": True, "messages": [{"role": "user", "content": "Hi"}]}
    with httpx.stream("POST", f"{desk.url}/session/t1/v1/chat/completions", json=body) as answer:
        desk.until(r"t1: hello \(model\) +0 ev .* … is held$")
        command = desk.until("curl -X POST").strip()
        subprocess.run(["bash", "-c", command], capture_output=True, check=True)
        assert next(answer.iter_lines()).startswith("data: ")


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("silent", "stream: [role: assistant, say: Well, hang]\n", "silent"),
        ("long", "timing: {every: 100ms}\nreply: {say: {$fill: 'word ', size: 2KiB}}\n", "flowing"),
    ],
)
def test_a_stream_that_stays_open_is_told(terminal: Open, file: File, name: str, text: str, said: str) -> None:
    file(f"{name}.yaml", text)
    desk = terminal(".")
    body = {"model": name, "stream": True, "messages": [{"role": "user", "content": "Hi"}]}
    with httpx.stream("POST", f"{desk.url}/v1/chat/completions", json=body):
        desk.until(rf"{name} \(model\) +\d+ ev .* … {said}$")


def test_quiet_is_the_one_line(terminal: Open, file: File) -> None:
    file("hello.yaml", "reply: Hello there.\n")
    desk = terminal("-q", "--no-watch", ".")
    desk.ask()
    assert desk.close() == f"fakeserver listening on {desk.url}"


def test_json_is_json_on_a_terminal_too(terminal: Open, file: File) -> None:
    file("hello.yaml", "reply: Hello there.\n")
    said = json.loads(terminal("--json", ".").until('"url"'))
    assert set(said) == {"url", "port", "pid", "version"}


@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"NO_COLOR": "1", "FORCE_COLOR": "1"}])
def test_no_color_is_heeded(terminal: Open, file: File, env: dict[str, str]) -> None:
    file("hello.yaml", "reply: Hello there.\n")
    desk = terminal(".", **env)
    desk.ask()
    desk.until("complete$")
    assert not COLOUR.search(desk.seen)


def test_who_reads_standard_output_gets_the_one_line_and_the_terminal_none(terminal: Open, file: File) -> None:
    """As a test runner does that leaves standard error to its own terminal."""
    file("hello.yaml", "reply: Hello there.\n")
    desk = terminal(".", instead={"stdout": subprocess.PIPE})
    assert desk.process.stdout is not None
    line = desk.process.stdout.readline().decode()
    assert re.fullmatch(r"fakeserver listening on http://127\.0\.0\.1:\d+\n", line)
    body = {"model": "hello", "messages": [{"role": "user", "content": "Hi"}]}
    assert httpx.post(f"{line.split()[-1]}/v1/chat/completions", json=body).status_code == 200
    assert desk.close() == ""
    assert desk.process.stdout.read() == b""
    desk.process.stdout.close()


def test_a_log_file_gets_no_lines_unless_asked(terminal: Open, file: File, tmp_path: Path) -> None:
    file("hello.yaml", "reply: Hello there.\n")
    for words, env, lines in (((), {}, 0), (("-v",), {}, 1), (("-v",), {"FORCE_COLOR": "1"}, 1)):
        with (tmp_path / "log").open("wb") as log:
            desk = terminal(*words, ".", instead={"stderr": log.fileno()}, **env)
            desk.ask()
            desk.close()
        text = (tmp_path / "log").read_text()
        assert text.count("\n") == lines
        assert bool(COLOUR.search(text)) == bool(env)


def test_files_are_watched_without_a_word(terminal: Open, file: File) -> None:
    file("mine.yaml", "reply: Old.\n")
    desk = terminal(".", "--fallback", "mine")
    desk.until("watching +.$")
    while "New" not in desk.ask().text:  # the watcher begins a moment after the server is there
        file("mine.yaml", "reply: New.\n")
    desk.until("Reloaded: 1 scenario.")
    file("mine.yaml", "reply: [oops\n")
    desk.until(r"^mine\.yaml:1:8: yaml")
    desk.until(r"^    reply: \[oops$")
    desk.until("what was served before is served on")
    assert "New" in desk.ask().text


def test_no_watch_is_heeded(terminal: Open, file: File) -> None:
    file("mine.yaml", "reply: Old.\n")
    for words, env in ((("--no-watch",), {}), ((), {"FAKESERVER_WATCH": "0"})):
        assert terminal(*words, ".", **env).until("watching").endswith("nothing: changed files are not taken in")


def test_a_token_that_is_made_is_in_the_page_s_address(terminal: Open) -> None:
    desk = terminal("--host", "0.0.0.0")
    token = desk.until("The control routes need").rpartition(" ")[2]
    assert desk.until("  page").endswith(f"/#token={token}")
    given = terminal("--host", "0.0.0.0", "--token", "secret")
    given.until("Ctrl-C")
    assert "secret" not in given.text
