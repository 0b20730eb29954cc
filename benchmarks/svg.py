"""Bars and Curves -> SVG text. Plain shapes and text, readable on a light page and on a dark one."""

from __future__ import annotations

import math
from html import escape

from benchmarks.result import Bars, Curves, shown

_COLOURS = ("#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377")
_WIDTH, _LEFT, _ROW = 640, 170, 24
_GRID = 'stroke="#999999" stroke-opacity="0.4"'


def drawn(plot: Bars | Curves) -> str:
    return _bars(plot) if isinstance(plot, Bars) else _curves(plot)


def _bars(plot: Bars) -> str:
    top = max(plot.values.values(), default=1.0)
    shapes = []
    for row, (name, value) in enumerate(plot.values.items()):
        y = 40 + row * _ROW
        width = max(1.0, (_WIDTH - _LEFT - 90) * value / top)
        colour = _COLOURS[0] if name.startswith("fakeserver") else "#999999"
        shapes += [
            _text(_LEFT - 8, y + 13, name, "end"),
            f'<rect x="{_LEFT}" y="{y}" width="{width:.1f}" height="{_ROW - 8}" fill="{colour}"/>',
            _text(_LEFT + width + 6, y + 13, shown(value)),
        ]
    return _page(f"{plot.title} ({plot.unit})", 50 + len(plot.values) * _ROW, shapes)


def _curves(plot: Curves) -> str:
    low = min((min(values) for values in plot.values.values()), default=1.0)
    high = max((max(values) for values in plot.values.values()), default=10.0)
    first, last = math.floor(math.log10(low)), max(math.ceil(math.log10(high)), math.floor(math.log10(low)) + 1)
    left, right, top, bottom = 50, _WIDTH - 20, 40, 260

    def x(value: float) -> float:
        return left + (right - left) * (math.log10(value) - first) / (last - first)

    shapes = []
    for power in range(first, last + 1):
        at = x(10**power)
        shapes += [f'<line x1="{at:.1f}" y1="{top}" x2="{at:.1f}" y2="{bottom}" {_GRID}/>',
                   _text(at, bottom + 16, f"{10.0**power:g}", "middle")]  # fmt: skip
    for share in (0, 50, 90, 99):
        y = bottom - (bottom - top) * share / 100
        shapes += [f'<line x1="{left}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}" {_GRID}/>',
                   _text(left - 6, y + 4, f"{share} %", "end")]  # fmt: skip
    for number, (name, values) in enumerate(plot.values.items()):
        ordered, colour = sorted(values), _COLOURS[number % len(_COLOURS)]
        points = " ".join(f"{x(value):.1f},{bottom - (bottom - top) * (n + 1) / len(ordered):.1f}"
                          for n, value in enumerate(ordered))  # fmt: skip
        shapes += [f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>',
                   f'<rect x="{left}" y="{284 + number * 18}" width="10" height="10" fill="{colour}"/>',
                   _text(left + 16, 293 + number * 18, name)]  # fmt: skip
    return _page(f"{plot.title} ({plot.unit})", 300 + 18 * len(plot.values), shapes)


def _text(x: float, y: float, said: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(said)}</text>'


def _page(title: str, height: int, shapes: list[str]) -> str:
    style = "text{font:12px sans-serif;fill:#777777} .title{font-weight:bold;font-size:14px}"
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" viewBox="0 0 {_WIDTH} {height}">'
    )
    said = f'<text class="title" x="10" y="22">{escape(title)}</text>'
    return "\n".join([head, f"<style>{style}</style>", said, *shapes, "</svg>\n"])
