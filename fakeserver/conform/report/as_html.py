"""An examination -> one HTML file that needs nothing else: an overview, then each case that is not green.

It has no script and asks no other host; what came from the client is text in it, never markup.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from html import escape
from itertools import groupby, islice
from pathlib import Path
from typing import Any

from fakeserver.conform.examination import Examination, Result
from fakeserver.conform.judging import MARKS
from fakeserver.conform.report.drawing import LANES, drawn
from fakeserver.conform.report.words import cases, command, one_line, plain, tail
from fakeserver.engine.saying import Row, rows
from fakeserver.journal import Record
from fakeserver.plan import Plan, filled

SIGNS = {"green": "✓", "waiting": "…", "amber": "~", "red": "✗", "broken": "!"}
_REQUESTS = 4  # whose bytes are shown
_FIRST, _LAST = 24, 8  # rows of what was sent
_TEXT = 400  # characters of a row
_MOST = 50_000  # writes that are looked at to find the last ones
_JSON = 4000  # characters of each side


def report(examined: Examination) -> str:
    style = Path(__file__).with_name("style.css").read_text("utf-8")
    title = f"{_counted(examined)}: {command(examined)}"
    return "\n".join([
        "<!doctype html>", '<html lang="en">', "<head>", '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">', f"<title>{_text(title)}</title>",
        f"<style>\n{style}</style>", "</head>", "<body>", *_body(examined), "</body>", "</html>", "",
    ])  # fmt: skip


def _counted(examined: Examination) -> str:
    bad = sum(examined.totals[mark] for mark in ("amber", "red", "broken"))
    return f"{'interrupted: ' * examined.interrupted}{bad} of {len(examined.results)} not green"


def _text(text: str) -> str:
    return escape(plain(text))


def _body(examined: Examination) -> Iterator[str]:
    yield "<h1>Examination of a client</h1>"
    yield f"<p><code>{_text(command(examined))}</code></p>"
    yield f'<p class="dim">{cases(examined)}, in {examined.seconds:.1f} s</p>'
    yield from _totals(examined)
    yield "<h2>All cases</h2>"
    yield from _kinds(examined)
    found = sorted((each for each in examined.results if each.mark != "green"), key=_worst_first)
    if found:
        yield "<h2>What is not green</h2>"
        yield '<p class="dim">In the drawings a bar is a request, from when it was read until its answer was over;'
        yield "a tick is a write, a ring an answer that was played to its end, a cross any other end.</p>"
    for result in found:
        yield from _case(result)


def _worst_first(result: Result) -> int:
    return -MARKS.index(result.mark)


def _totals(examined: Examination) -> Iterator[str]:
    met = [(mark, examined.totals[mark]) for mark in MARKS if examined.totals[mark]]
    cells = "".join(f'<li class="{mark}"><b>{count}</b> {mark}</li>' for mark, count in met)
    yield f'<ul class="totals">{cells}</ul>'
    shares = "".join(f'<i class="{mark}" style="flex:{count}"></i>' for mark, count in met)
    yield f'<div class="share" aria-hidden="true">{shares}</div>'


def _kinds(examined: Examination) -> Iterator[str]:
    yield '<div class="kinds">'
    for kind, results in groupby(examined.results, key=lambda result: result.case.kind):
        yield f"<div>{_text(kind)}</div><ul>{''.join(map(_cell, results))}</ul>"
    yield "</div>"


def _cell(result: Result) -> str:
    said = escape(plain(f"{result.case.selector}: {result.mark}"), quote=True)
    inside = f'class="cell {result.mark}" title="{said}" aria-label="{said}"'
    if result.mark == "green":
        return f'<li><span role="img" {inside}>{SIGNS["green"]}</span></li>'
    return f'<li><a href="#{escape(result.case.selector)}" {inside}>{SIGNS[result.mark]}</a></li>'


# One case.


def _case(result: Result) -> Iterator[str]:
    yield f'<article class="{result.mark}" id="{escape(result.case.selector)}"><header>'
    yield f'<span class="mark">{SIGNS[result.mark]} {result.mark}</span><h3>{_text(result.case.place)}</h3>'
    yield f'<span class="dim">{_asked(result)}</span></header>'
    yield f'<p class="dim">{_text(result.case.about)}</p>'
    yield f'<ul class="reasons">{"".join(f"<li>{_text(one_line(each))}</li>" for each in result.judged.reasons)}</ul>'
    yield from _sides(result)
    yield from _findings(result)
    yield from _sent(result)
    if result.stderr.strip():
        yield f"<details><summary>What it said on stderr</summary><pre>{_text(tail(result.stderr))}</pre></details>"
    yield "</article>"


def _asked(result: Result) -> str:
    requests = f"{result.attempts} request{'s' * (result.attempts != 1)}"
    taken = f"{result.seconds:.2f} s" if result.seconds >= 1 else f"{result.seconds * 1000:.0f} ms"
    return f"{requests} in {taken}"


def _sides(result: Result) -> Iterator[str]:
    yield '<div class="sides"><div><h4>Expected</h4>'
    yield '<p class="dim">or</p>'.join(f"<pre>{_json(dict(each))}</pre>" for each in result.expected)
    yield f"</div><div><h4>Read</h4><pre>{_read(result)}</pre></div></div>"


def _read(result: Result) -> str:
    if result.outcome is None:
        return "no outcome"
    read = result.outcome.model_dump(mode="json", by_alias=True, exclude_defaults=True, exclude={"case"})
    return _json(read) if read else "nothing, and nothing was raised"


def _json(value: Any) -> str:
    text = json.dumps(value, indent=2, ensure_ascii=False, default=str)
    cut = (
        text if len(text) <= _JSON else f"{text[: _JSON * 3 // 4]}\n… {len(text):,} characters …\n{text[-_JSON // 4 :]}"
    )
    return _text(cut)


def _findings(result: Result) -> Iterator[str]:
    for code in dict.fromkeys(found.code for found in result.findings):
        evidence = [dict(found.evidence) for found in result.findings if found.code == code]
        yield f"<details><summary>The evidence of {_text(code)}</summary>"
        yield f"<pre>{_json(evidence[0] if len(evidence) == 1 else evidence)}</pre></details>"


def _sent(result: Result) -> Iterator[str]:
    if not result.records:
        return
    yield "<h4>What the server sent</h4>"
    yield f'<div class="drawing">{drawn(result.records, result.began + int(result.seconds * 1e9))}</div>'
    if result.attempts > LANES:
        yield f'<p class="dim">and {result.attempts - LANES} requests more</p>'
    yield "<details><summary>The bytes, and when they are due</summary>"
    for record in result.records[:_REQUESTS]:
        if record.script is not None:
            yield f"<h4>Request #{record.number}</h4>{_bytes(record.script(), record)}"
    yield "</details>"


def _bytes(plan: Plan, record: Record) -> str:
    found = list(islice(rows(plan.actions(filled(plan.blanks, record.key, record.at))), _MOST))
    head = '<colgroup><col><col><col><col></colgroup><tr><th>due<th>what<th class="n">bytes<th></tr>'
    return f'<div class="wide"><table class="bytes">{head}{"".join(_shortened(found))}</table></div>'


def _shortened(found: list[Row]) -> Iterable[str]:
    if len(found) <= _FIRST + _LAST:
        return map(_row, found)
    gap = f"<tr><td><td>… {len(found) - _FIRST - _LAST} more</tr>"
    return [*map(_row, found[:_FIRST]), gap, *map(_row, found[-_LAST:])]


def _row(row: Row) -> str:
    said = row.said if len(row.said) <= _TEXT else f"{row.said[:_TEXT]}…"
    return f'<tr><td>{row.due}<td>{row.what}<td class="n">{row.size}<td>{_text(said)}</tr>'
