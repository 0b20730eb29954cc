"""An examination -> rows for people: how each kind went, then all that is not green, then the totals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from fakeserver.conform.examination import Examination, Result
from fakeserver.conform.judging import MARKS, Mark
from fakeserver.conform.report.words import counted, one_line, tail

Painter = Callable[[str, str], str]  # a text and a colour
COLOURS: dict[Mark, str] = {
    "green": "green", "waiting": "cyan", "amber": "yellow", "red": "red", "broken": "magenta",
}  # fmt: skip


def rows(examined: Examination, paint: Painter) -> Iterator[str]:
    yield from _kinds(examined, paint)
    yield from (row for result in examined.results for row in _case(result, paint))
    yield f"{counted(examined)}, in {examined.seconds:.1f} s"


def _kinds(examined: Examination, paint: Painter) -> Iterator[str]:
    kinds: dict[str, Counter[Mark]] = {}
    for result in examined.results:
        kinds.setdefault(result.case.kind, Counter())[result.mark] += 1
    width = max(map(len, kinds), default=0)
    for kind, marks in kinds.items():
        yield f"{kind:{width}}  {', '.join(paint(f'{marks[m]} {m}', COLOURS[m]) for m in MARKS if marks[m])}"
    if kinds:
        yield ""


def _case(result: Result, paint: Painter) -> Iterator[str]:
    if result.mark != "green":
        yield f"{paint(f'{result.mark:7}', COLOURS[result.mark])} {result.case.place}"
        yield from (f"        {one_line(reason)}" for reason in result.judged.reasons)
        if result.mark == "broken":
            yield from (f"        | {one_line(line)}" for line in tail(result.stderr, 5).splitlines())
        yield ""
