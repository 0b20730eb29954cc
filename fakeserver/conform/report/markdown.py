"""An examination -> Markdown, for a pull request or a page: the kinds in a table, then all that is not green."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from fakeserver.conform.examination import Examination, Result
from fakeserver.conform.judging import MARKS
from fakeserver.conform.report.words import command, counted, one_line

_SIGNS = {"green": "🟢", "waiting": "🔵", "amber": "🟡", "red": "🔴", "broken": "⚫"}
_SPECIAL = str.maketrans({char: f"\\{char}" for char in "\\`*_[]<>|#~&"})


def report(examined: Examination) -> str:
    return "\n".join([*_head(examined), *_kinds(examined), *_cases(examined)]) + "\n"


def _head(examined: Examination) -> Iterator[str]:
    yield "# Examination of a client\n"
    yield f"{_text(command(examined))}\n"
    yield f"{counted(examined)}, in {examined.seconds:.1f} s.\n"


def _kinds(examined: Examination) -> Iterator[str]:
    kinds: dict[str, Counter[str]] = {}
    for result in examined.results:
        kinds.setdefault(result.case.kind, Counter())[result.mark] += 1
    met = [mark for mark in MARKS if examined.totals[mark]]
    yield _row("kind", *(f"{_SIGNS[mark]} {mark}" for mark in met))
    yield _row("---", *("---:" for _ in met))
    for kind, marks in kinds.items():
        yield _row(_text(kind), *(str(marks[mark] or "") for mark in met))
    yield ""


def _cases(examined: Examination) -> Iterator[str]:
    found = [result for result in examined.results if result.mark != "green"]
    if found:
        yield _row("", "case", "why")
        yield _row("---", "---", "---")
        yield from map(_case, found)


def _case(result: Result) -> str:
    why = "<br>".join(_text(reason) for reason in result.judged.reasons)
    return _row(f"{_SIGNS[result.mark]} {result.mark}", _text(result.case.place), why)


def _row(*cells: str) -> str:
    return f"| {' | '.join(_filled(cells))} |"


def _filled(cells: Iterable[str]) -> Iterable[str]:
    return (cell or " " for cell in cells)


def _text(text: str) -> str:
    """As it is, whatever Markdown would make of it."""
    return one_line(text).translate(_SPECIAL)
