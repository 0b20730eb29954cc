"""Jobs -> what the real clients of Node make of them, all in one Node process (`node/run.mjs`)."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).with_name("node")
LIMIT = 300  # seconds for all of them
HOW = "Install Node 20 or later (nodejs.org), then run `make test`, or `npm ci` in tests/clients/node"


def run(jobs: Sequence[dict[str, object]]) -> list[dict[str, Any]]:
    """In the order given. Each job has what `run.mjs` names. Raises AssertionError, with a remedy, without Node."""
    node = shutil.which("node")
    if node is None:
        raise AssertionError(f"there is no node on the PATH. {HOW}.")
    if not (FOLDER / "node_modules" / "openai" / "package.json").is_file():
        raise AssertionError(f"the Node clients are not installed. {HOW}.")
    done = subprocess.run([node, "run.mjs"], cwd=FOLDER, input=json.dumps(jobs).encode(), capture_output=True,
                          timeout=LIMIT, check=False)  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b""), done.stderr.decode()
    outcomes = {found.pop("job"): found for found in map(json.loads, done.stdout.splitlines())}
    return [outcomes[number] for number in range(len(jobs))]
