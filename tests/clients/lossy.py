"""An adapter that is broken on purpose: the right one over httpx-sse, but what " there" is said in gets lost."""

from __future__ import annotations

import json
import runpy
import sys
from pathlib import Path
from typing import Any

ADAPTERS = Path(__file__).with_name("adapters")
sys.path.insert(0, str(ADAPTERS))

from fold import Fold  # noqa: E402 (which is an adapter's own module)

take = Fold.take


def lossy(self: Fold, chunk: Any) -> None:
    if '" there"' not in json.dumps(chunk):
        take(self, chunk)


Fold.take = lossy  # type: ignore[method-assign] # that is what is broken
runpy.run_path(str(ADAPTERS / "httpx_sse_events.py"), run_name="__main__")
