"""The server in a process of its own, as `fakeserver serve` runs it, with a journal that keeps every moment.

    python inside.py SCENARIOS [uvloop]

A line on its standard input asks; a line of JSON answers. `all NAME`: how late the writes of the answers of a scenario
were, in nanoseconds. `steady NAME`: of those due over 0.3 s after the last request only. Both then forget.
"""

from __future__ import annotations

import asyncio
import json
import sys
from array import array

if "uvloop" not in sys.argv[2:]:
    sys.modules["uvloop"] = None  # type: ignore[assignment]  # what makes an import of it fail

from fakeserver.cli.running import run, until_stopped
from fakeserver.engine import Engine
from fakeserver.http.bind import bind
from fakeserver.journal import Asked, Chosen, Journal, Record
from fakeserver.play.lateness import Lateness
from fakeserver.script.library import load

SETTLED = 300_000_000


class Everything(Lateness):
    """Planned and actual moments in one long row, beside what is always remembered."""

    def __init__(self) -> None:
        super().__init__()
        self.moments = array("q")

    def add(self, planned: int, actual: int) -> None:
        super().add(planned, actual)
        self.moments.extend((planned, actual))


class FullJournal(Journal):
    """Remembers all records of its own, until it has told of them."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: list[tuple[Record, Everything]] = []

    def open(self, session: str, at: int, asked: Asked, chosen: Chosen) -> Record:
        record, moments = super().open(session, at, asked, chosen), Everything()
        record.lateness = moments
        self.kept.append((record, moments))
        return record

    def late(self, scenario: str, steady: bool) -> list[int]:
        kept = [(record.at, each.moments) for record, each in self.kept if record.chosen.scenario == scenario]
        since = max(at for at, _ in kept) + SETTLED if steady else 0
        late = []
        for at, moments in kept:
            pairs = zip(moments[::2], moments[1::2])
            late += [max(0, actual - planned) for planned, actual in pairs if at + planned > since]
        self.kept.clear()
        return sorted(late)


def answer(journal: FullJournal) -> None:
    what, name = sys.stdin.readline().split()
    late = journal.late(name, what == "steady")
    shares = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "p999": 0.999}
    said = {key: late[int(len(late) * share)] for key, share in shares.items()}
    sample = late[:: max(1, len(late) // 500)]
    print(json.dumps({**said, "max": late[-1], "count": len(late), "sample": sample}), flush=True)


async def main() -> int:
    journal = FullJournal()
    engine = Engine(load([sys.argv[1]]), journal=journal)
    asyncio.get_running_loop().add_reader(sys.stdin, answer, journal)
    return await until_stopped(engine, bind("127.0.0.1", 0), as_json=True)


if __name__ == "__main__":
    raise SystemExit(run(main()))
