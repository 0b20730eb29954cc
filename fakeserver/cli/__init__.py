"""The command line: serve, check, show, explain, list, new, schema, ready, conform.

Results go to stdout, all else to stderr. Exit codes: 0, 1 (the scenarios have errors, a case failed), 2 (usage, or a
path that cannot be read), 3 (cannot bind), 130 (SIGINT).
Nothing but the standard library is loaded here, so that `serve` can open its port before the 60 ms that click costs.
"""

from __future__ import annotations

import gc
import os
import sys


def main() -> None:
    """Run the command line and exit with its code."""
    early = None
    if sys.argv[1:2] == ["serve"]:
        from fakeserver.cli.early import bound_early

        early = bound_early(sys.argv[2:], os.environ)
        gc.disable()  # what start-up makes is there to stay; `running` enables it again
    from fakeserver.cli.commands import run

    run(early)
