"""`check` shows how far it has come, to people alone."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

ANSWERS = Path(__file__).parents[2] / "scenarios" / "answers"
COMMAND = [sys.executable, "-m", "fakeserver", "check", str(ANSWERS)]


def test_a_bar_on_a_terminal_names_what_is_tried() -> None:
    ours, theirs = pty.openpty()
    env = {**os.environ, "TERM": "xterm"}
    done = subprocess.run(COMMAND, stdout=subprocess.PIPE, stderr=theirs, env=env, check=True)
    os.close(theirs)
    seen = os.read(ours, 1 << 20).decode()
    os.close(ours)
    assert "checking" in seen
    assert "multilingual" in seen
    assert b"checking" not in done.stdout


def test_nothing_of_it_elsewhere() -> None:
    done = subprocess.run(COMMAND, capture_output=True, check=True)
    assert b"checking" not in done.stderr + done.stdout
