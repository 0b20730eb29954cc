"""Figures -> `report/report.md` and its plots. What was not run is not in it."""

from __future__ import annotations

from pathlib import Path

from benchmarks.result import Figure, Line, Table, shown
from benchmarks.svg import drawn

FOLDER = Path(__file__).parent / "report"


def summary(figures: dict[str, Figure]) -> str:
    """All lines with a target, as one table."""
    lines = [line for figure in figures.values() for line in figure.lines if line.target is not None]
    return _table(Table(("figure", "measured", "least .. most", "to reach", ""), [_row(line) for line in lines]))


def write(figures: dict[str, Figure], how: list[str]) -> Path:
    """Everything, as Markdown; the path of the page."""
    FOLDER.mkdir(exist_ok=True)
    parts = ["# Benchmark", "", *how, "", summary(figures)]
    for name, figure in figures.items():
        parts += ["", f"## {figure.title}", ""]
        parts += [_table(Table(("", "median", "least .. most", "to reach", ""), [_row(line) for line in figure.lines]))]
        parts += ["", *(_table(table) for table in figure.tables)]
        for number, plot in enumerate(figure.plots):
            file = f"{name}-{number}.svg"
            (FOLDER / file).write_text(drawn(plot))
            parts += ["", f"![{plot.title}]({file})"]
        parts += [line for note in figure.notes for line in ("", note)]
    page = FOLDER / "report.md"
    page.write_text("\n".join(parts) + "\n")
    return page


def _row(line: Line) -> tuple[str, ...]:
    target = "" if line.target is None else f"{'>=' if line.least else '<='} {line.target:g} {line.unit}"
    if line.missing:
        return line.what, line.missing, "", target, line.verdict
    span = (
        f"{shown(min(line.values))} .. {shown(max(line.values))} ({len(line.values)})" if len(line.values) > 1 else ""
    )
    return line.what, f"{shown(line.value)} {line.unit}", span, target, line.verdict


def _table(table: Table) -> str:
    rows = [table.head, ("---",) + ("---:",) * (len(table.head) - 1), *table.rows]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)
