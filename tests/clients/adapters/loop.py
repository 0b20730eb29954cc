"""Cases of `fakeserver conform` -> outcomes as it reads them: one by the environment, else a line of stdin each.

All that the adapters of Python share but the fold. It must not know any client, nor what a scenario expects.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import sys
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TextIO

from fold import Fold

AT_ONCE = 64  # more than anybody has open
Ask = Callable[["Case", Fold], Awaitable[None] | None]


@dataclass(frozen=True)
class Case:
    """One answer to ask for. `time_limit`: the client's own time-out, in seconds."""

    case: str
    base_url: str
    model: str
    time_limit: float

    def body(self) -> dict[str, Any]:
        messages = [{"role": "user", "content": "Hello"}]
        return {"model": self.model, "messages": messages, "stream_options": {"include_usage": True}}


class Told(Exception):
    """An error that the client gives to its caller without raising it, or that a reader by hand finds."""

    def __init__(self, name: str, message: str, error: Any = None) -> None:
        super().__init__(message)
        self.name, self.body = name, error


def run(ask: Ask) -> None:
    """Ask for each case; what a client prints must not get among the outcomes."""
    # Half a surrogate pair is no text that could be shown; escaped, two halves would look whole again.
    out = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="replace")
    os.dup2(2, 1)
    with out, _Asker(ask) as asker:
        if "FAKESERVER_BASE_URL" in os.environ:
            _tell(asker.answer(_of_environment()), out)
        else:
            _each_line(asker, out)


def _of_environment() -> Case:
    name = os.environ["FAKESERVER_CASE"]
    return Case(name, os.environ["FAKESERVER_BASE_URL"], name, float(os.environ["FAKESERVER_TIME_LIMIT"]))


def _tell(outcome: dict[str, Any], out: TextIO) -> None:
    print(json.dumps(outcome, ensure_ascii=False), file=out, flush=True)


def _each_line(asker: _Asker, out: TextIO) -> None:
    """Each case in a thread of its own, and each outcome when it is there."""
    turn = threading.Lock()

    def one(line: str) -> None:
        outcome = asker.answer(Case(**json.loads(line)))
        with turn:
            _tell(outcome, out)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        asked: list[Future[None]] = [pool.submit(one, line) for line in sys.stdin]
    for each in asked:
        each.result()


class _Asker:
    """Asks in the thread that it is called in or, where the client is asynchronous, in the one loop of them all."""

    def __init__(self, ask: Ask) -> None:
        self.ask, self.loop = ask, asyncio.new_event_loop()

    def __enter__(self) -> _Asker:
        self.thread = threading.Thread(target=self.loop.run_forever)
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()

    def answer(self, case: Case) -> dict[str, Any]:
        fold, raised = Fold(), None
        try:
            made = self.ask(case, fold)
            if inspect.iscoroutine(made):
                asyncio.run_coroutine_threadsafe(made, self.loop).result()
        except Exception as problem:  # whatever a client raises is its outcome
            raised = _raised(problem)
        return {"case": case.case, **fold.outcome(), "raised": raised}


def _raised(problem: Exception) -> dict[str, Any]:
    name = problem.name if isinstance(problem, Told) else type(problem).__name__
    error = getattr(problem, "body", None)
    said = {"error": error} if isinstance(error, dict | str) else {}
    return {"class": name, "message": str(problem), **said}
