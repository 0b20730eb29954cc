"""Runs the command as users do: a process, its two outputs, its exit code."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]
PLAIN = {key: value for key, value in os.environ.items() if not key.startswith(("FAKESERVER_", "FORCE_COLOR"))}


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """`run("check", "x.yaml")` in a folder of the test's own."""

    def call(*words: str, **env: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "fakeserver", *words],
            cwd=tmp_path, env={**PLAIN, **env}, capture_output=True, text=True, timeout=30, check=False,
        )  # fmt: skip

    return call


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str, str], Path]:
    def write(name: str, text: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return write
