"""Charts as SVG, made on the server: every mark is also a row of the table beside it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup, escape

from audit.intervals import Estimate

_WIDE: Final = 720
_HIGH: Final = 180
_LEFT: Final = 44
_RIGHT: Final = 10
_TOP: Final = 10
_BOTTOM: Final = 26
_TICKS: Final = 4
_MOST_LABELS: Final = 8


@dataclass(frozen=True, kw_only=True)
class Point:
    """One point of a trend, with what it says when it is pointed at; None leaves a gap."""

    label: str
    estimate: Estimate | None
    words: str


def whisker(one: Estimate | None, *, top: float, reference: Estimate | None = None) -> Markup:
    """Return a small chart of one estimate, from 0 to ``top``, over the band of the one it is compared with."""
    if one is None:
        return Markup("")

    def x(value: float) -> float:
        return round(4 + 192 * min(1.0, value / top), 1) if top > 0 else 4

    parts = []
    if reference is not None:
        low, high = x(reference.low), x(reference.high)
        parts.append(f'<rect class="band" x="{low}" y="1" width="{max(1.0, high - low):.1f}" height="18"/>')
    parts.append(f'<line class="reach" x1="{x(one.low)}" y1="10" x2="{x(one.high)}" y2="10"/>')
    if one.high > top:
        parts.append('<path class="reach" d="M196 10 l-5 -4 m5 4 l-5 4"/>')
    parts.append(f'<circle class="dot" cx="{x(one.value)}" cy="10" r="4"/>')
    return Markup(f'<svg class="whisker" viewBox="0 0 200 20" aria-hidden="true">{"".join(parts)}</svg>')  # noqa: S704 - numbers only


def trend(points: Sequence[Point], *, title: str, reference: Estimate | None = None) -> Markup:
    """Return estimates over time with their intervals, over the band of the one they are compared with."""
    shown = [one.estimate for one in points if one.estimate is not None]
    if not shown:
        return Markup("")
    top = _round_up(_reach(shown))
    if reference is not None:
        top = max(top, _round_up(min(reference.high, 10 * top) or 1.0))
    parts = [_grid(top)]
    if reference is not None:
        high, low = _y(min(reference.high, top), top), _y(reference.low, top)
        parts.append(
            f'<rect class="band" x="{_LEFT}" y="{high}" width="{_WIDE - _LEFT - _RIGHT}" height="{low - high:.1f}"/>'
        )
    step = (_WIDE - _LEFT - _RIGHT) / max(1, len(points))
    every = math.ceil(len(points) / _MOST_LABELS)
    for i, point in enumerate(points):
        x = round(_LEFT + step * (i + 0.5), 1)
        if i % every == 0:
            parts.append(f'<text x="{x}" y="{_HIGH - 8}" text-anchor="middle">{escape(point.label)}</text>')
        if point.estimate is not None:
            parts.append(_mark(point, x, top))
    body = "".join(parts)
    head = f'<svg class="chart" viewBox="0 0 {_WIDE} {_HIGH}" role="img" aria-label="{escape(title)}">'
    return Markup(f"{head}{body}</svg>")  # noqa: S704 - texts are escaped


def _reach(shown: Sequence[Estimate]) -> float:
    """Return how far up a chart must go: all values, and limits as far as they leave the values room."""
    highest = max(one.value for one in shown)
    limits = [one.high for one in shown if not math.isinf(one.high)]
    if highest <= 0:
        return max(limits, default=1.0) or 1.0
    return max(highest, min(max(limits, default=highest), 3 * highest))


def _mark(point: Point, x: float, top: float) -> str:
    assert point.estimate is not None  # noqa: S101 - narrows the type
    one = point.estimate
    low, high, y = _y(one.low, top), _y(min(one.high, top), top), _y(min(one.value, top), top)
    return (
        f'<g><title>{escape(point.words)}</title><line class="reach" x1="{x}" y1="{low}" x2="{x}" y2="{high}"/>'
        f'<circle class="dot" cx="{x}" cy="{y}" r="3.5"/></g>'
    )


def _grid(top: float) -> str:
    lines = []
    for i in range(_TICKS + 1):
        value = top * i / _TICKS
        y = _y(value, top)
        lines.append(f'<line class="grid" x1="{_LEFT}" y1="{y}" x2="{_WIDE - _RIGHT}" y2="{y}"/>')
        lines.append(f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{value:g}</text>')
    return "".join(lines)


def _y(value: float, top: float) -> float:
    return round(_HIGH - _BOTTOM - (_HIGH - _BOTTOM - _TOP) * value / top, 1)


def _round_up(value: float) -> float:
    """Return the next of 1, 2, 4, 10, 20, 40, ... so that four ticks are round."""
    scale: float = 10.0 ** math.floor(math.log10(value))
    return next(step * scale for step in (1, 2, 4, 10) if value <= step * scale * (1 + 1e-9))
