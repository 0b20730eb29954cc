"""Programs of `examples/` that run beside a test: started on a free port, ended with all their processes."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest

ROOT = Path(__file__).parents[2]
PATIENCE = 120.0  # seconds: what is compiled as it is asked for takes long on a busy machine


def free_port() -> int:
    with socket.socket() as each:
        each.bind(("127.0.0.1", 0))
        return int(each.getsockname()[1])


def tool(name: str) -> str:
    return shutil.which(name) or pytest.fail(f"{name} is not there: `make test` says what it needs", pytrace=False)


def browser() -> str:
    return tool(os.environ.get("FAKESERVER_TEST_BROWSER", "chromium"))


@contextmanager
def running(
    command: Sequence[str], folder: Path, url: str, env: Mapping[str, str], log: Path, path: str = "/"
) -> Iterator[str]:
    """Its URL, once something answers at the path."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("FAKESERVER_", "OPENAI_"))}
    with log.open("wb") as out:
        process = subprocess.Popen(
            command, cwd=folder, env={**kept, **env}, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
            start_new_session=True,
        )  # fmt: skip
        try:
            _wait(process, url + path, log)
            yield url
        finally:
            with suppress(ProcessLookupError):  # it has ended by itself: its log says why
                os.killpg(process.pid, signal.SIGKILL)
            process.wait(10)


def _wait(process: subprocess.Popen[bytes], url: str, log: Path) -> None:
    end = time.monotonic() + PATIENCE
    while True:
        assert process.poll() is None, log.read_text()
        try:
            httpx.get(url, timeout=PATIENCE)
            return
        except httpx.TransportError:
            assert time.monotonic() < end, log.read_text()
            time.sleep(0.1)
