"""An examination -> what is written of it, a small file each: the terminal's, JSON, JUnit, Markdown, HTML."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from fakeserver.conform.examination import Examination
from fakeserver.conform.report import as_html, as_json, junit, markdown

FORMATS: dict[str, Callable[[Examination], str]] = {
    ".json": as_json.report,
    ".html": as_html.report,
    ".xml": junit.report,
    ".md": markdown.report,
}


def write(path: Path, examined: Examination) -> None:
    """In the format that its ending names. Raises OSError."""
    path.write_text(FORMATS[path.suffix](examined), encoding="utf-8")
