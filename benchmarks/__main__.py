"""`python -m benchmarks`: build, measure side by side, print the ratios, write the report."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from benchmarks import machine, peers, report
from benchmarks.bench import Bench
from benchmarks.figures import ALL
from benchmarks.result import Figure
from benchmarks.say import say
from benchmarks.scenes import written


def main() -> None:
    options = _options()
    machine.many_files()
    peers.install()
    how = [
        f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC. {machine.described()}.",
        "",
        f"Server on core {machine.SERVER}, client on core {machine.CLIENT}; {options.rounds} interleaved rounds, "
        f"{options.seconds:g} s each where something is counted by time; medians. "
        f"`python -m benchmarks {' '.join(sys.argv[1:])}`.",
    ]
    figures: dict[str, Figure] = {}
    with tempfile.TemporaryDirectory(prefix="fakeserver-bench-") as folder:
        bench = Bench(written(Path(folder)), options.rounds, options.seconds, options.quick, options.against)
        for name in options.only or ALL:
            say(f"{ALL[name].TITLE} ...")
            figures[name] = ALL[name].measure(bench)
    page = report.write(figures, how) if not options.only else None
    print(report.summary(figures))
    if page is not None:
        say(f"written: {page}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--only", action="append", choices=list(ALL), help="this figure alone (repeatable): no report")
    parser.add_argument("--rounds", type=int, default=5, help="interleaved rounds (default 5)")
    parser.add_argument("--seconds", type=float, default=2.0, help="length of a flood (default 2)")
    parser.add_argument("--quick", action="store_true", help="two short rounds: to see that it works, not to quote")
    parser.add_argument("--against", type=Path, metavar="CHECKOUT", help="another checkout, measured beside this one")
    parser.add_argument(
        "--alone", action="store_true", help="before all other work on the machine (root): for a busy one"
    )
    options = parser.parse_args()
    if options.alone:
        os.environ[machine.ALONE] = "1"
    if options.quick:
        options.rounds, options.seconds = 2, 0.5
    return options


main()
