"""The C programs -> binaries beside them, made anew when a source is younger."""

from __future__ import annotations

import subprocess
from pathlib import Path

SOURCES = Path(__file__).parent / "native"
BUILT = Path(__file__).parent / ".build"


def binary(name: str) -> str:
    """The path of `limit`, `load` or `pace`. Raises CalledProcessError with gcc's words on stderr."""
    source, out = SOURCES / f"{name}.c", BUILT / name
    youngest = max(path.stat().st_mtime for path in (source, SOURCES / "wire.h"))
    if not out.exists() or out.stat().st_mtime < youngest:
        BUILT.mkdir(exist_ok=True)
        subprocess.run(["gcc", "-O2", "-Wall", "-Wextra", "-o", str(out), str(source)], check=True)
    return str(out)
