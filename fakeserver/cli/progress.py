"""What an examination does now -> one line on a terminal, written anew; elsewhere a line at each tenth of the way."""

from __future__ import annotations

import shutil
import time
from collections import Counter
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from fakeserver.conform.cases import Case
    from fakeserver.conform.examination import Result

_TENTHS, _MANY = 10, 20  # cases from which on it is worth a line
_SELDOM = 0.1  # seconds between two writings
_CLEAR = "\r\x1b[2K"


class Progress:
    """`begun` and `done` are told of each case."""

    def __init__(self, cases: int, stream: IO[str], quiet: bool) -> None:
        self._cases, self._stream = cases, stream
        self._shown, self._plain = stream.isatty() and not quiet, not (stream.isatty() or quiet or cases < _MANY)
        self._marks: Counter[str] = Counter()
        self._running: dict[str, None] = {}
        self._written = 0.0

    def begun(self, case: Case) -> None:
        self._running[case.selector] = None
        self._write()

    def done(self, result: Result) -> None:
        self._running.pop(result.case.selector, None)
        self._marks[result.mark] += 1
        self._write()
        done = self._marks.total()
        if self._plain and done * _TENTHS // self._cases > (done - 1) * _TENTHS // self._cases:
            self._stream.write(f"{self._counted()}\n")

    def close(self) -> None:
        """The line goes."""
        if self._shown:
            self._stream.write(_CLEAR)
            self._stream.flush()

    def _write(self) -> None:
        now = time.monotonic()
        if self._shown and now - self._written >= _SELDOM:
            self._written = now
            self._stream.write(_CLEAR + self.line()[: shutil.get_terminal_size().columns - 1])
            self._stream.flush()

    def line(self) -> str:
        return " | ".join(filter(None, [self._counted(), ", ".join(self._running)]))

    def _counted(self) -> str:
        marks = ", ".join(f"{count} {mark}" for mark, count in sorted(self._marks.items()))
        return f"{self._marks.total()}/{self._cases}{marks and f': {marks}'}"
