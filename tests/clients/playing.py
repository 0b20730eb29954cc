"""Clients -> what `fakeserver conform` reports of each, some clients at once.

The built-in library is played whole, and a few cases byte by byte besides. It must not judge what it finds.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.clients.cases import names
from tests.clients.clients import CLIENTS
from tests.clients.kept import Cell, cell_of, cells, rows
from tests.clients.server import environment

ONE_BYTE = ("hello", "three-emoji-one-byte-at-a-time", "tool-call", "refusal-deltas", "utf8-split-across-reads")
BYTES = ("three-emoji-one-byte-at-a-time", "utf8-split-across-reads", *(f"{name}+one-byte" for name in ONE_BYTE))
LONG = ("long-answer", "tens-of-thousands-of-tiny-chunks", *BYTES)  # which take some time, and are no stalls
# Seconds: the client's time-out. The AI SDK waits 4 before its last attempt, and may not be given up until then.
LIMIT, LONG_LIMIT = 5, 60
AT_ONCE = 8  # cases: they mostly wait too, but a client that is given too many gets slow
GRACE = 25  # seconds over the limit: for a client to be imported, on however slow a machine
TOGETHER = 3  # they mostly wait
Report = dict[str, dict[str, Any]]


def start(clients: Sequence[str]) -> dict[str, Future[Report]]:
    """Each in its turn, in the order given. Whoever waits for one need not wait for all."""
    pool = ThreadPoolExecutor(TOGETHER)
    made = {client: pool.submit(report, client) for client in clients}
    pool.shutdown(wait=False)
    return made


def report(client: str) -> Report:
    """Every case by its name. Raises AssertionError if the examination itself failed.

    What is not as it is kept is played again, by itself: a machine that is too busy, and only that, makes it right.
    """
    found = _by_length(client, [*names(), *BYTES], AT_ONCE)
    odd = [name for name, cell in cells_in(found).items() if cell not in cells(rows(client).get(name))]
    return {**found, **_by_length(client, odd, 1)}


def cells_in(found: Report) -> dict[str, Cell]:
    """The cells of a report but those of overlays, which are no rows of the table."""
    return {name: cell_of(case) for name, case in found.items() if "+" not in name}


def _by_length(client: str, selectors: Iterable[str], at_once: int) -> Report:
    asked = [*dict.fromkeys(selectors)]
    short, long = [each for each in asked if each not in LONG], [each for each in asked if each in LONG]
    return {**play(client, short, LIMIT, at_once), **play(client, long, LONG_LIMIT, at_once)}


def play(client: str, selectors: Sequence[str], limit: int, at_once: int = 0) -> Report:
    """These cases by their selectors, as the JSON of conform has them; with `at_once` by a command that stays."""
    if not selectors:
        return {}
    only = [word for selector in selectors for word in ("--only", selector)]
    stay = ["--stay", "--at-once", str(at_once)] if at_once else []
    options = ["--time-limit", str(limit), "--grace", str(GRACE), *stay]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.json"
        command = [sys.executable, "-m", "fakeserver", "conform", *only, *options, "--jobs", "1"]
        tail = ["--quiet", "--report", str(path), "--", *CLIENTS[client].command]
        done = subprocess.run([*command, *tail], env=environment(), capture_output=True, check=False)
        assert path.is_file(), f"{client}: {(done.stdout + done.stderr).decode()}"
        return {case["case"]: case for case in json.loads(path.read_text("utf-8"))["cases"]}
