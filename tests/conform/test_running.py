"""A command is run once for each case: what it is told, and what is made of commands that are no adapters."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest

from tests.conform.conftest import Examined, adapter, gone

SOON = {"time_limit": 0.3, "grace": 1.2}
TOLD = """
import json, os
names = "OPENAI_", "FAKESERVER_", "HTTP_PROXY", "NO_PROXY", "no_proxy"
print(json.dumps({key: value for key, value in os.environ.items() if key.startswith(names)}), file=open("told", "w"))
"""


def sh(script: str) -> list[str]:
    return ["sh", "-c", script]


async def test_what_it_is_told(examined: Examined, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"SPEED": "instant", "BASE_URL": "http://old"}.items():
        monkeypatch.setenv(f"FAKESERVER_{name}", value)
    for name, value in {"OPENAI_BASE_URL": "http://real", "HTTP_PROXY": "http://p", "NO_PROXY": "elsewhere"}.items():
        monkeypatch.setenv(name, value)
    await examined(["hello+crlf"], [sys.executable, "-c", TOLD], **SOON)
    told = json.loads((tmp_path / "told").read_text())
    url = told["FAKESERVER_BASE_URL"]
    assert url.startswith("http://127.0.0.1:")
    assert url.endswith("/v1")
    assert told == {
        "FAKESERVER_BASE_URL": url, "OPENAI_BASE_URL": url, "FAKESERVER_CASE": "hello+crlf", "OPENAI_API_KEY": "any",
        "FAKESERVER_TIME_LIMIT": "0.3", "HTTP_PROXY": "http://p", "NO_PROXY": "elsewhere,127.0.0.1",
        "no_proxy": "elsewhere,127.0.0.1",
    }  # fmt: skip


BROKEN = {
    "exit 3": "it ended with code 3 and printed no outcome",
    "echo no JSON": "it ended with code 0 and printed no outcome",
    "kill -SEGV $$": "it was ended by SIGSEGV and printed no outcome",
    "echo '[]'; echo '{half'": "it ended with code 0 and printed no outcome",
    "echo '{}'": "an outcome, but no request came: ask FAKESERVER_BASE_URL (with --stay, base_url)",
    shlex.join(adapter("dies")): "it was ended by SIGKILL and printed no outcome",
    shlex.join(adapter("prints_garbage")): "it ended with code 0 and printed no outcome",
    shlex.join(adapter("answers_wrongly")): (
        "its outcome cannot be used: tool_calls.0.arguments is {}: a text belongs there; usage is 3: an object belongs"
        " there; there is no key 'contnt': did you mean 'content'?"
    ),
}


@pytest.mark.parametrize("script", BROKEN)
async def test_a_command_that_is_no_adapter_is_broken(examined: Examined, script: str) -> None:
    found = (await examined(["hello"], sh(f"exec {script}" if "/" in script else script)))["hello"]
    assert (found["mark"], found["reasons"]) == ("broken", [BROKEN[script]])


async def test_megabytes_are_read_and_their_end_counts(examined: Examined) -> None:
    script = (
        f"yes '{{not an outcome' | head -c 60000000; yes error | head -c 9000000 >&2; {shlex.join(adapter('right'))}"
    )
    found = (await examined(["hello"], sh(script), grace=60.0))["hello"]
    assert found["mark"] == "green"
    assert len(found["stderr"]) == 64 * 1024


async def test_what_hangs_is_killed_with_all_that_it_has_started(examined: Examined, tmp_path: Path) -> None:
    script = "sleep 60 & echo $! > child; echo started >&2; wait"
    found = (await examined(["hello"], sh(script), **SOON))["hello"]
    assert (found["mark"], found["reasons"]) == ("red", ["it hangs, and has asked nothing"])
    assert found["stderr"] == "started\n"
    assert gone(int((tmp_path / "child").read_text()))


async def test_an_outcome_without_an_end_hangs_too(examined: Examined) -> None:
    found = (await examined(["hello"], sh("echo '{}'; exec sleep 60"), **SOON))["hello"]
    assert found["reasons"] == ["it hangs, and has asked nothing", "its outcome was there, but it did not end"]


async def test_what_is_left_running_does_not_hold_up_the_rest(examined: Examined, tmp_path: Path) -> None:
    script = f"sleep 60 & echo $! > child; exec {shlex.join(adapter('right'))}"
    assert (await examined(["hello"], sh(script)))["hello"]["mark"] == "green"
    assert gone(int((tmp_path / "child").read_text()))
