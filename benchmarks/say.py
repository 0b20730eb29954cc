"""Progress, for whoever waits: on stderr, so that the report alone is on stdout."""

from __future__ import annotations

import sys


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
