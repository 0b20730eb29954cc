"""`python -m tests.ends [TIMES]`: each end so often (100), as a table. Exit code 1: a byte lost, or two classes."""

from __future__ import annotations

import sys
import time

from tests.ends.run import Tally, run


def main() -> int:
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    tally = run(times, times, Progress())
    print(table(tally))
    problems = list(tally.problems())
    print("\n".join(problems) or "No byte was lost, and each client told of each end in one way.")
    return 1 if problems else 0


class Progress:
    """A line on stderr each time another twentieth is done."""

    def __init__(self) -> None:
        self.start, self.twentieths = time.monotonic(), 0

    def __call__(self, done: int, total: int) -> None:
        if done * 20 // total > self.twentieths:
            self.twentieths = done * 20 // total
            print(f"{done} of {total}, {time.monotonic() - self.start:.0f} s", file=sys.stderr, flush=True)


def table(tally: Tally) -> str:
    """A line a row."""
    lines = [f"{'end':<11} {'where':<16} {'client':<16} {'tried':>6} {'lost':>5}  raised"]
    for (end, place, client), row in sorted(tally.rows.items()):
        raised = ", ".join(f"{name or 'nothing'} ({count})" for name, count in row.raised.most_common())
        lines.append(f"{end:<11} {place:<16} {client:<16} {row.tried:>6} {row.lost:>5}  {raised}")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
