"""Examines the adapters beside this file: in this process, or as users do, by the command."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from fakeserver.conform.cases import cases_of
from fakeserver.conform.examination import Examination, Manner
from fakeserver.conform.report.as_json import as_object
from fakeserver.script.library import Library, load
from tests.cli.conftest import PLAIN

ADAPTERS = Path(__file__).parent / "adapters"
Conform = Callable[..., "subprocess.CompletedProcess[str]"]
Examined = Callable[..., Awaitable[dict[str, Any]]]


def adapter(name: str, *words: str) -> list[str]:
    """The command that runs one of them."""
    return [sys.executable, str(ADAPTERS / f"{name}.py"), *words]


def gone(pid: int) -> bool:
    """Soon, for a kill takes its time; a zombie that nobody has reaped yet has ended."""
    for _ in range(500):
        try:
            os.kill(pid, 0)
            state = Path(f"/proc/{pid}/stat").read_text()
        except (ProcessLookupError, FileNotFoundError):
            return True
        if " Z " in state:
            return True
        time.sleep(0.01)
    return False


@pytest.fixture
def conform(tmp_path: Path) -> Conform:
    """`conform(["--only", "hello"], command)` in a folder of the test's own."""

    def call(options: list[str], command: list[str] | None = None, **env: str) -> subprocess.CompletedProcess[str]:
        behind = [] if command is None else ["--", *command]
        return subprocess.run(
            [sys.executable, "-m", "fakeserver", "conform", *options, *behind],
            cwd=tmp_path, env={**PLAIN, **env}, capture_output=True, text=True, timeout=90, check=False,
        )  # fmt: skip

    return call


@pytest.fixture(scope="session")
def shipped() -> Library:
    return load()


@pytest.fixture
def examined(shipped: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Examined:
    """Examines in this process: the cases of the JSON report, by name. The command runs in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    async def call(cases: list[str], command: list[str], own: str = "", **manner: Any) -> dict[str, Any]:
        library = load([tmp_path / own]) if own else shipped
        told = Manner(tuple(command), **{"jobs": 1, "time_limit": 5.0, "grace": 20.0, **manner})
        examination = Examination(library, cases_of(library, cases), told)
        await examination.run()
        return {each["case"]: each for each in as_object(examination)["cases"]}

    return call
