"""Records -> a drawing of what went out and when: a lane a request, from the first one on, as SVG without a script.

A bar is as long as the answer was played, a tick is a write, a ring is a clean end, a cross is a cut.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import floor, log10
from xml.etree.ElementTree import Element, SubElement, tostring

from fakeserver.journal import Record

LANES = 12  # of a client that asks for ever, the first ones
_WIDTH, _LEFT, _RIGHT = 960, 92, 200
_LANE, _AXIS, _BAR = 26, 26, 12
_MARKS = 5  # on the axis, about


def drawn(records: Sequence[Record], until: int) -> str:
    """`until` is when the case was over, in nanoseconds since 1970."""
    shown = records[:LANES]
    start = shown[0].at
    span = max(1_000_000, *(_end(record, until) - start for record in shown))
    height = len(shown) * _LANE + _AXIS
    svg = Element("svg", viewBox=f"0 0 {_WIDTH} {height}", role="img")
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
    return round(_LEFT + (_WIDTH - _LEFT - _RIGHT) * min(1.0, moment / span), 1)


def _axis(svg: Element, span: int, bottom: int) -> None:
    for moment, said in _moments(span):
        x = str(_at(moment, span))
        SubElement(svg, "line", {"class": "grid", "x1": x, "x2": x, "y1": "0", "y2": str(bottom)})
        SubElement(svg, "text", {"x": x, "y": str(bottom + 16), "text-anchor": "middle"}).text = said
    ends = {"x1": str(_LEFT), "x2": str(_at(span, span)), "y1": str(bottom), "y2": str(bottom)}
    SubElement(svg, "line", {"class": "axis", **ends})


def _moments(span: int) -> Iterator[tuple[int, str]]:
    """Round ones, in the unit that suits the longest."""
    unit, name = (1e9, "s") if span >= 1e9 else (1e6, "ms")
    rough = span / unit / _MARKS
    power = 10.0 ** floor(log10(rough))
    step = next(each * power for each in (1, 2, 5, 10) if each * power >= rough)
    for place in range(int(span / unit / step + 1e-9) + 1):
        yield int(place * step * unit), f"{place * step:g} {name}"


def _draw(svg: Element, record: Record, top: int, start: int, span: int, until: int) -> None:
    middle = top + _LANE // 2
    said = f"#{record.number}  {record.chosen.status or 'no head'}"
    SubElement(svg, "text", {"x": "0", "y": str(middle + 4)}).text = said
    left, right = _at(record.at - start, span), _at(_end(record, until) - start, span)
    width, y = max(2.0, right - left), middle - _BAR // 2
    SubElement(svg, "rect", {"class": "bar", "x": str(left), "y": str(y), "width": f"{width:.1f}", "height": str(_BAR),
                             "rx": "2"})  # fmt: skip
    for x in sorted({_at(record.at - start + actual, span) for _, actual in record.lateness.stamps()}):
        ends = {"x1": str(x), "x2": str(x), "y1": str(y), "y2": str(y + _BAR)}
        SubElement(svg, "line", {"class": "tick", **ends})
    _end_sign(svg, record, left + width, middle)
    SubElement(svg, "text", {"x": str(left + width + 12), "y": str(middle + 4)}).text = _ended(record)


def _end_sign(svg: Element, record: Record, x: float, y: int) -> None:
    if record.ending is not None and record.ending.how == "complete":
        SubElement(svg, "circle", {"class": "end", "cx": f"{x:.1f}", "cy": str(y), "r": "4"})
    elif record.ending is not None:
        path = f"M{x - 4:.1f} {y - 4}l8 8m0 -8l-8 8"
        SubElement(svg, "path", {"class": "cut", "d": path})


def _ended(record: Record) -> str:
    many = f"{record.events} event{'s' * (record.events != 1)}"
    if record.ending is None:
        return f"{many}, still open"
    ending = record.ending
    how = {"complete": "played to its end", "gone": f"client gone ({ending.by})", "ended": f"cut: {ending.kind}"}
    return f"{many}, {how.get(ending.how, ending.how)}"
