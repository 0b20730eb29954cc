"""Records -> a drawing of what went out and when: a lane a request, from the first one on, as SVG without a script.

A bar is as long as the answer was played, a tick is a write, a ring is a clean end, a cross is a cut. Moments stand at
shares of the width, so that it can be as narrow as a telephone and its words keep their size.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import floor, log10
from xml.etree.ElementTree import Element, SubElement, tostring

from fakeserver.journal import Record

LANES = 12  # of a client that asks for ever, the first ones
_LEFT, _RIGHT = 4.0, 4.0  # per cent of the width, for the numbers at the axis' ends
_LANE, _WORDS, _AXIS, _BAR = 38, 16, 26, 12  # words stand above their bar
_MARKS = 5  # on the axis, about


def drawn(records: Sequence[Record], until: int) -> str:
    """`until` is when the case was over, in nanoseconds since 1970."""
    shown = records[:LANES]
    start = shown[0].at
    span = max(1_000_000, *(_end(record, until) - start for record in shown))
    height = len(shown) * _LANE + _AXIS
    svg = Element("svg", height=str(height), role="img")
    SubElement(svg, "title").text = "; ".join(map(_words, shown))
    _axis(svg, span, len(shown) * _LANE)
    for lane, record in enumerate(shown):
        _draw(svg, record, lane * _LANE, start, span, until)
    return tostring(svg, encoding="unicode")


def _end(record: Record, until: int) -> int:
    return until if record.ending is None else record.at + record.ending.at


def _words(record: Record) -> str:
    return f"request {record.number}, status {record.chosen.status or 'none'}: {record.events} events, {record.how}"


def _at(moment: int, span: int) -> float:
    return round(_LEFT + (100 - _LEFT - _RIGHT) * min(1.0, moment / span), 2)


def _row(x: float, y: int, x2: float, y2: int) -> dict[str, str]:
    return {"x1": f"{x}%", "y1": str(y), "x2": f"{x2}%", "y2": str(y2)}


def _axis(svg: Element, span: int, bottom: int) -> None:
    for moment, said in _moments(span):
        x = _at(moment, span)
        SubElement(svg, "line", {"class": "grid", **_row(x, 0, x, bottom)})
        SubElement(svg, "text", {"x": f"{x}%", "y": str(bottom + 16), "text-anchor": "middle"}).text = said
    SubElement(svg, "line", {"class": "axis", **_row(_LEFT, bottom, _at(span, span), bottom)})


def _moments(span: int) -> Iterator[tuple[int, str]]:
    """Round ones, in the unit that suits the longest."""
    unit, name = (1e9, "s") if span >= 1e9 else (1e6, "ms")
    rough = span / unit / _MARKS
    power = 10.0 ** floor(log10(rough))
    step = next(each * power for each in (1, 2, 5, 10) if each * power >= rough)
    for place in range(int(span / unit / step + 1e-9) + 1):
        yield int(place * step * unit), f"{place * step:g} {name}"


def _draw(svg: Element, record: Record, top: int, start: int, span: int, until: int) -> None:
    said = f"#{record.number}  {record.chosen.status or 'no head'}: {_ended(record)}"
    SubElement(svg, "text", {"x": f"{_LEFT}%", "y": str(top + _WORDS - 4)}).text = said
    left, right = _at(record.at - start, span), _at(_end(record, until) - start, span)
    y, width = top + _WORDS, max(0.3, right - left)
    SubElement(svg, "rect", {"class": "bar", "x": f"{left}%", "y": str(y), "width": f"{width:.2f}%",
                             "height": str(_BAR), "rx": "2"})  # fmt: skip
    for x in sorted({_at(record.at - start + actual, span) for _, actual in record.lateness.stamps()}):
        SubElement(svg, "line", {"class": "tick", **_row(x, y, x, y + _BAR)})
    _end_sign(svg, record, left + width, y + _BAR // 2)


def _end_sign(svg: Element, record: Record, x: float, y: int) -> None:
    if record.ending is not None and record.ending.how == "complete":
        SubElement(svg, "circle", {"class": "end", "cx": f"{x:.2f}%", "cy": str(y), "r": "4"})
    elif record.ending is not None:  # a path knows no shares: it is drawn about a place that does
        about = SubElement(svg, "svg", {"x": f"{x:.2f}%", "y": str(y), "overflow": "visible"})
        SubElement(about, "path", {"class": "cut", "d": "M-4 -4l8 8m0 -8l-8 8"})


def _ended(record: Record) -> str:
    many = f"{record.events} event{'s' * (record.events != 1)}"
    if record.ending is None:
        return f"{many}, still open"
    ending = record.ending
    how = {"complete": "played to its end", "gone": f"client gone ({ending.by})", "ended": f"cut: {ending.kind}"}
    return f"{many}, {how.get(ending.how, ending.how)}"
