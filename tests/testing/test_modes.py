"""A real server in each mode: its start, its end, and what it says where it cannot start."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from fakeserver.testing import FakeServer, FakeServerError, ScenarioError
from tests.testing.asking import ask, said, streaming

BOUND = 20.0  # seconds: on a busy machine anything takes its time


def until(true, bound=BOUND):
    end = time.monotonic() + bound
    while not true():
        assert time.monotonic() < end, "it did not come to pass"
        time.sleep(0.01)


def gone(pid: int) -> bool:
    """No such process, or only its entry is left."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def free(url: str) -> bool:
    host, port = url.removeprefix("http://").split(":")
    with socket.socket() as sock:
        return sock.connect_ex((host, int(port))) != 0


@pytest.mark.parametrize("mode", ["process", "thread"])
def test_with_and_again(mode):
    server = FakeServer(mode=mode, speed="instant", fallback="echo", api_key="secret")
    for _ in range(2):
        with server:
            url, pid = server.url, server.pid
            assert (pid == os.getpid()) == (mode == "thread")
            assert said(ask(server)[1]) == "Hi"
            assert server.env() == {"OPENAI_BASE_URL": f"{url}/v1", "OPENAI_API_KEY": "secret"}
            assert server.requests[0].why == "fallback"
            late = server.lateness()
            assert 0 <= late.p50 <= late.p99 <= late.max
        assert free(url)
        assert mode == "thread" or gone(pid)
        assert (server.url, server.pid) == ("", None)


@pytest.mark.parametrize("mode", ["process", "thread"])
def test_a_stop_does_not_wait_for_streams(mode):
    with FakeServer(mode=mode) as server:
        server.script("stream: [role: assistant, hang]")
        with streaming(server):
            began = time.monotonic()
            server.stop()
            assert time.monotonic() - began < 3


async def test_in_the_callers_loop():
    async with FakeServer(mode="loop") as server:
        aio = server.aio
        await aio.reply("Hello there.")
        status, text = await asyncio.to_thread(ask, server)
        assert (status, said(text)) == (200, "Hello there.")
        assert (await aio.requests())[0].ended == "complete"
        assert (await aio.lateness()).max >= 0
        with pytest.raises(FakeServerError, match="await its twin"):
            server.use("hello")
        assert server.pid == os.getpid()
        url = server.url
    assert free(url)


@pytest.mark.parametrize("mode", ["process", "thread"])
async def test_async_with(mode):
    async with FakeServer(mode=mode) as server:
        await server.aio.use("hello")
        assert (await asyncio.to_thread(ask, server))[0] == 200
        server.assert_no_unmatched()  # what does not wait may be called as it is
        pid, url = server.pid, server.url
    assert free(url)
    assert mode == "thread" or gone(pid)


def test_a_loop_is_entered_with_async_with():
    with pytest.raises(FakeServerError, match="async with"):
        FakeServer(mode="loop").start()


def test_a_server_that_does_not_run_says_so():
    server = FakeServer()
    with pytest.raises(FakeServerError, match="does not run"):
        server.use("hello")
    server.stop()


@pytest.mark.parametrize("given", [{"mode": "fork"}, {"speed": 0}, {"speed": "fast"}, {"speed": float("inf")}])
def test_nonsense_is_refused_at_once(given):
    with pytest.raises(ValueError):
        FakeServer(**given)


@pytest.mark.parametrize("mode", ["process", "thread", "loop"])
async def test_what_cannot_be_served(mode, tmp_path):
    broken = tmp_path / "broken.yaml"
    broken.write_text("reply: Hi\nwire: {newlin: lf}\n")
    with pytest.raises(ScenarioError, match=r"broken\.yaml:2:8: unknown-key") as told:
        await FakeServer(broken, mode=mode).__aenter__()
    assert told.value.problems[0]["line"] == 2
    with pytest.raises(FakeServerError, match=r"cannot read .*nowhere: no such file"):
        await FakeServer(tmp_path / "nowhere", mode=mode).__aenter__()
    with pytest.raises(FakeServerError, match=r"fallback: .*'nobody'"):
        await FakeServer(fallback="nobody", mode=mode).__aenter__()


def test_scenarios_of_ones_own_and_strictly(tmp_path):
    (tmp_path / "mine.yaml").write_text("reply: Mine.\n")
    with FakeServer(tmp_path, mode="thread") as server:
        assert said(ask(server, model="mine")[1]) == "Mine."
        assert ask(server)[0] == 404


def test_the_environment_does_not_change_it(monkeypatch):
    monkeypatch.setenv("FAKESERVER_FALLBACK", "echo")
    monkeypatch.setenv("FAKESERVER_PORT", "1")
    with FakeServer() as server:
        assert ask(server)[0] == 404


def test_a_server_that_was_killed_is_told_of():
    with FakeServer() as server:
        os.kill(server.pid, signal.SIGKILL)
        until(lambda: free(server.url))
        with pytest.raises(FakeServerError, match="does not answer: its process has ended with code -9"):
            server.use("hello")
        with pytest.raises(FakeServerError, match="ended with code -9"):
            server.use("hello")


PARENT = """
import signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever runs the tests may have it ignored
from fakeserver.testing import FakeServer
server = FakeServer()
server.start()
print(server.pid, server.url, flush=True)
{then}
"""


def parent(then: str) -> tuple[subprocess.Popen, int, str]:
    process = subprocess.Popen([sys.executable, "-c", PARENT.format(then=then)], stdout=subprocess.PIPE, text=True)
    pid, url = process.stdout.readline().split()
    return process, int(pid), url


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_it_dies_with_its_parent(number):
    process, pid, url = parent("time.sleep(60)")
    with process:
        assert not gone(pid)
        process.send_signal(number)
        until(lambda: gone(pid), 10)
        assert free(url)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_it_dies_with_its_parent_whose_fork_lives_on():
    process, pid, _ = parent("import os\nif os.fork() == 0: time.sleep(8)\ntime.sleep(60)")
    with process:
        process.kill()
        process.wait()
        until(lambda: gone(pid), 6)


def test_it_ends_with_a_program_that_forgets_it():
    process, pid, _ = parent("")
    with process:
        assert process.wait(BOUND) == 0
        until(lambda: gone(pid), 10)


def test_a_busy_test_does_not_make_a_process_late():
    """It is late by what the machine is busy with, but not for as long as this interpreter computes."""
    with FakeServer() as server:
        server.reply(["x"] * 20, first=0.02, every=0.01)
        ask(server)  # compiled
        server.reset()
        server.reply(["x"] * 20, first=0.02, every=0.01)
        reader = threading.Thread(target=ask, args=(server,))
        reader.start()
        end = time.monotonic() + 0.4
        while time.monotonic() < end:
            sum(range(100_000))
        reader.join()
        assert server.lateness().p50 < 0.005


def test_a_process_needs_the_standard_library_alone():
    heavy = ["aiohttp", "asyncio", "pydantic", "yaml", "click", "regex", "fakeserver.engine", "fakeserver.http"]
    program = (
        "import json, sys\nfrom fakeserver import FakeServer\n"
        "with FakeServer() as server:\n    server.reply('Hi'); server.requests; server.gates['x'].release()\n"
        f"print(json.dumps([name for name in {heavy} if name in sys.modules]))"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=True)
    assert (json.loads(done.stdout), done.stderr) == ([], "")


def test_importing_the_package_imports_nothing():
    program = "import sys; before = {*sys.modules}; import fakeserver; print({*sys.modules} - before)"
    done = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "{'fakeserver'}"
    with pytest.raises(ImportError):
        from fakeserver import Nothing  # noqa: F401
