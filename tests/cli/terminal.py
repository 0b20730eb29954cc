"""A terminal of a given width with a server in it, as a person sees it: what stands there, row by row."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import httpx

from tests.cli.conftest import PLAIN

PATIENCE = 20.0
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class Terminal:
    """Standard output and error are one terminal, or `output` says which of them is a file instead."""

    def __init__(self, folder: Path, *words: str, columns: int = 80, instead: dict[str, int] | None = None, **env: str):
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        streams = {"stdin": theirs, "stdout": theirs, "stderr": theirs} | (instead or {})
        plain = {key: value for key, value in PLAIN.items() if key not in ("NO_COLOR", "COLUMNS", "LINES")}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "fakeserver", "serve", "--port", "0", *words],
            cwd=folder, env={**plain, "TERM": "xterm", **env}, **streams,
        )  # fmt: skip
        os.close(theirs)
        self.seen = ""

    def until(self, pattern: str) -> str:
        """The row that has this in it; read until there is one. Colours are not looked at."""
        end = time.monotonic() + PATIENCE
        while (hit := re.search(f"^.*{pattern}.*$", self.text, re.MULTILINE)) is None:
            assert self._read(end), f"it ended without {pattern!r} in\n{self.text}"
        return hit[0]

    @property
    def text(self) -> str:
        """All whole rows, without colours."""
        return COLOUR.sub("", self.seen).replace("\r\n", "\n").rpartition("\n")[0]

    @property
    def url(self) -> str:
        return self.until("fakeserver listening on ").rpartition(" ")[2]

    def ask(self, path: str = "/v1/chat/completions", model: str = "hello", **more: object) -> httpx.Response:
        body = {"model": model, "stream": True, "messages": [{"role": "user", "content": "Hi"}], **more}
        return httpx.post(f"{self.url}{path}", json=body)

    def close(self) -> str:
        """What stood there at the end."""
        self.process.terminate()
        end = time.monotonic() + PATIENCE
        while self._read(end):
            pass
        self.process.wait(PATIENCE)
        os.close(self._ours)
        return self.text

    def _read(self, end: float) -> bool:
        ready, _, _ = select.select([self._ours], [], [], max(0.0, end - time.monotonic()))
        assert ready, f"nothing more came after\n{self.text}"
        try:
            data = os.read(self._ours, 65536)
        except OSError:  # how Linux says that nobody has the other side open any more
            data = b""
        self.seen += data.decode()
        return bool(data)
