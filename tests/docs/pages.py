"""Markdown pages -> their fenced blocks. It must not know what is done with them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
_EXAMPLES = (ROOT / "examples" / "README.md", *(ROOT / "examples").glob("*/README.md"))
_ALL = (ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md"), *_EXAMPLES)
PAGES = sorted(page for page in _ALL if ".in." not in page.name)
_FENCE = re.compile(r"^( *)```(.*)\n((?:.*\n)*?)\1```$", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """One fenced block. ```yaml file=a.yaml mistake: its language, then words and `key=value`."""

    page: Path
    line: int
    language: str
    marks: tuple[str, ...]
    text: str

    @property
    def place(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"

    @property
    def file(self) -> str:
        return self._mark("file=")

    @property
    def source(self) -> str:
        """The file of this tree that it is, or a part of: ```ts from=examples/a.ts. Other tests run that."""
        return self._mark("from=")

    def _mark(self, key: str) -> str:
        return next((mark.removeprefix(key) for mark in self.marks if mark.startswith(key)), "")


def blocks(page: Path) -> list[Block]:
    return list(_blocks(page, page.read_text("utf-8")))


def _blocks(page: Path, text: str) -> Iterator[Block]:
    for hit in _FENCE.finditer(text):
        language, *marks = hit[2].split() or [""]
        body = re.sub(f"^{hit[1]}", "", hit[3], flags=re.MULTILINE)
        yield Block(page, text.count("\n", 0, hit.start()) + 1, language, tuple(marks), body)


def commands(block: Block) -> list[tuple[str, str]]:
    """A console's commands, each with the output that is shown below it."""
    said = re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]
    return [_command(each) for each in said]


def _command(said: str) -> tuple[str, str]:
    lines = said.splitlines(keepends=True)
    end = next(i for i, line in enumerate(lines) if not line.endswith("\\\n")) + 1
    return "".join(lines[:end]).strip(), "".join(lines[end:])


def as_pattern(shown: str) -> re.Pattern[str]:
    """Shown output as a pattern: a … stands for anything in its line, a line of it alone for any lines."""
    lines = [".*" if line.strip() == "…" else _line(line) for line in shown.strip().splitlines()]
    return re.compile("\\s*" + "\n".join(lines) + "\\s*", re.DOTALL)


def _line(line: str) -> str:
    """Where something is left out, the columns that follow may stand elsewhere too."""
    said = "[^\n]*?".join(map(re.escape, line.rstrip().split("…"))) + "[ \t\r]*"
    return re.sub(r"(?:\\ ){2,}", " +", said) if "…" in line else said
