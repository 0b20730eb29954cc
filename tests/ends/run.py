"""Every case, every client, fast and slow, so many times -> a tally; and what is wrong with it."""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path

from tests.clients.server import running
from tests.ends import clients
from tests.ends.cases import READERS, WORD, Case, cases, write_library
from tests.ends.clients import Seen

HERE = Path(__file__).parent
FIVE = HERE.parent / "faults" / "scenarios" / "dialects"
NODE = "openai for Node"
WAITING = 16  # cases of hung answers at once
CLIENTS = ("raw", "openai", NODE, "aiohttp", "httpx")


@dataclass
class Row:
    """One client and one end at one place: how often it was tried, what it lost, what it raised."""

    tried: int = 0
    lost: int = 0
    raised: Counter[str] = field(default_factory=Counter)


@dataclass
class Tally:
    """All rows, by (end, place, client), and what the server said."""

    rows: dict[tuple[str, str, str], Row] = field(default_factory=lambda: defaultdict(Row))
    stderr: str = ""

    def add(self, case: Case, client: str, seen: list[Seen]) -> None:
        row = self.rows[case.end, case.place, client]
        row.tried += len(seen)
        row.lost += sum(one.lost != 0 for one in seen)
        row.raised.update(one.raised for one in seen)

    def problems(self) -> Iterator[str]:
        """Lost bytes and second classes; a reset that waits for nobody may have both."""
        for (end, place, client), row in self.rows.items():
            if row.lost and end != "reset: now":
                yield f"{client}, {end} {place}: {row.lost} of {row.tried} lost bytes"
            if len(row.raised) > 1 and end != "reset: now":
                yield f"{client}, {end} {place}: {len(row.raised)} outcomes: {dict(row.raised)}"
        if self.stderr:
            yield f"the server said: {self.stderr}"


def run(times: int, large: int, progress: Callable[[int, int], None] = lambda done, total: None) -> Tally:
    """Start a server, and try each case so many times."""
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        write_library(Path(folder))
        with running([folder, str(FIVE)]) as server:
            count = {"small": times, "large": large}
            total = sum(count[case.size] for case in cases()) * len(READERS) * len(CLIENTS)
            for case in cases():  # compiled once, so that no client takes the time it needs for the answer's silence
                clients.play("raw", server.port, case, False, 1)
            for case, client, seen in _all(server.port, count):
                tally.add(case, client, seen)
                progress(sum(row.tried for row in tally.rows.values()), total)
            server.stop()
            tally.stderr = server.stderr()
    return tally


def _all(port: int, count: Mapping[str, int]) -> Iterator[tuple[Case, str, list[Seen]]]:
    """As they end. Processes for the clients of Python, one for Node's; where all they do is wait, threads."""
    tried = [(case, reader == "slow") for case in cases() for reader in READERS]
    with _node(port, tried, count) as node, _processes() as busy, ThreadPoolExecutor(WAITING + 1) as waiting:
        assert node.stdout is not None
        lines = waiting.submit(list, node.stdout)  # a pipe that nobody empties would stop it
        todo = {
            (waiting if case.end == "hang" else busy).submit(clients.play, client, port, case, slow, count[case.size]):
            (case, client)
            for client in clients.CLIENTS
            for case, slow in tried
        }  # fmt: skip
        for each in as_completed(todo):
            yield *todo[each], each.result()
        for line in lines.result():
            said = json.loads(line)
            yield tried[said["job"]][0], NODE, [Seen(one["lost"], one["raised"]) for one in said["seen"]]
        assert node.wait() == 0


def _processes() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(os.cpu_count(), multiprocessing.get_context("spawn"))


def _node(port: int, tried: list[tuple[Case, bool]], count: Mapping[str, int]) -> subprocess.Popen[str]:
    jobs = [
        {"name": case.name, "wire": len(case.wire), "chunks": case.whole, "word": WORD, "hang": case.end == "hang",
         "slow": slow, "times": count[case.size]}
        for case, slow in tried
    ]  # fmt: skip
    process = subprocess.Popen(
        ["node", str(HERE / "node.mjs")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    )
    assert process.stdin is not None
    process.stdin.write(json.dumps({"port": port, "jobs": jobs}))
    process.stdin.close()
    return process
