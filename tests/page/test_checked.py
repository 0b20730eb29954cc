"""What is checked without a browser: the vendored files, the types of the modules, their pure helpers, and sizes."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
from pathlib import Path

from tests.page.vendor import VENDOR, vendored

HERE = Path(__file__).parent
PAGE = VENDOR.parent
OURS = [path for folder in ("js", "style") for path in sorted((PAGE / folder).rglob("*.*"))]


def run(*command: str) -> None:
    done = subprocess.run(command, cwd=HERE, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr


def test_vendored_files_are_what_was_published():
    assert {path.name for path in VENDOR.iterdir()} == {*vendored(), "preact.d.ts", "hooks.d.ts", "htm.d.ts"}
    for name, data in vendored().items():
        assert (VENDOR / name).read_bytes() == data, name


def test_the_record_of_them_holds():
    for row in json.loads((VENDOR / "vendored.json").read_text())["files"]:
        assert hashlib.sha256((VENDOR / row["file"]).read_bytes()).hexdigest() == row["sha256"]
        assert row["license"] in ("MIT", "Apache-2.0")
        assert re.fullmatch(r"\d+\.\d+\.\d+", row["version"])


def test_types():
    run("node_modules/.bin/tsc", "-p", ".")


def test_pure_helpers():
    run("node", "--test", *map(str, sorted((HERE / "helpers").glob("*.test.mjs"))))


def test_every_module_is_checked_and_none_is_long():
    for path in OURS:
        text = path.read_text()
        assert len(text.splitlines()) <= (400 if path.suffix == ".css" else 200), path
        assert path.suffix == ".css" or text.startswith("// @ts-check\n/**"), path
        assert max(map(len, text.splitlines())) <= 120, path


def test_no_text_can_become_html():
    for path in OURS:
        assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b", path.read_text()), path
