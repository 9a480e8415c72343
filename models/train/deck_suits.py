"""Outlines of the four suits as SVG symbols, with the small differences that decks show."""

from __future__ import annotations

import random
from typing import Final

from models.train.deck_fonts import GLYPH_SUITS

COLOURS: Final = (
    {"c": "#151515", "d": "#c8102e", "h": "#c8102e", "s": "#151515"},
    {"c": "#000000", "d": "#e3001b", "h": "#e3001b", "s": "#000000"},
    {"c": "#1d1d24", "d": "#d8232a", "h": "#d8232a", "s": "#1d1d24"},
    {"c": "#2a2a2e", "d": "#b3122a", "h": "#b3122a", "s": "#2a2a2e"},
    {"c": "#0a0a0a", "d": "#f0342c", "h": "#f0342c", "s": "#0a0a0a"},
)
FOUR_COLOURS: Final = (
    {"c": "#157a34", "d": "#1c4fb4", "h": "#cf1a2b", "s": "#111111"},
    {"c": "#0b6b3a", "d": "#2b63d9", "h": "#d8232a", "s": "#1a1a1a"},
    {"c": "#1f8a4c", "d": "#e07b00", "h": "#d11f2e", "s": "#20242c"},
)


_GLYPHS: Final = {"c": "\u2663", "d": "\u2666", "h": "\u2665", "s": "\u2660"}
_GLYPH_FONTS: Final = ("DejaVu Sans", "DejaVu Serif", "DejaVu Sans Mono")


def suit_symbols(rng: random.Random) -> str:
    """Return four SVG symbols ``suit-c`` … ``suit-s`` in the unit square (-50 … 50).

    Most are drawn in curves; others are put together from circles and triangles, or are the letters of a font.
    """
    family = rng.choices(("curves", "circles", "font"), weights=(55, 30, 15))[0]
    if family == "circles":
        return _of_circles(rng)
    if family == "font":
        return _of_font(rng.choice(_GLYPH_FONTS), rng.uniform(118, 138), 0.36)
    stem = rng.uniform(5, 9)
    foot = rng.uniform(14, 22)
    return "".join((_club(rng, stem, foot), _diamond(rng), _heart(rng), _spade(rng, stem, foot)))


def wider_suit_symbols(rng: random.Random) -> str:
    """Return symbols as ``suit_symbols`` does, of more fonts, and each wider or narrower than it was made."""
    if rng.random() < 0.35:
        font, size, middle = rng.choice(GLYPH_SUITS)
        return _of_font(font, size * rng.uniform(0.92, 1.04), middle, rng)
    plain = suit_symbols(rng)
    for suit in _GLYPHS:
        opening = f'id="suit-{suit}" viewBox="-50 -50 100 100" overflow="visible">'
        first, last = plain.split(opening)
        body, rest = last.split("</symbol>", maxsplit=1)
        plain = f"{first}{opening}{_stretched(body, rng)}</symbol>{rest}"
    return plain


def _stretched(body: str, rng: random.Random) -> str:
    return f'<g transform="scale({rng.uniform(0.84, 1.08):.3f} {rng.uniform(0.93, 1.03):.3f})">{body}</g>'


def _of_font(font: str, size: float, middle: float, rng: random.Random | None = None) -> str:
    """Return the symbols as letters of a font, each stretched at random if ``rng`` is given."""
    look = f'font-family="{font}" font-size="{size:.0f}" text-anchor="middle"'
    letters = {s: f'<text x="0" y="{middle * size:.1f}" {look}>{glyph}</text>' for s, glyph in _GLYPHS.items()}
    return "".join(_symbol(s, body if rng is None else _stretched(body, rng)) for s, body in letters.items())


def _of_circles(rng: random.Random) -> str:
    """Return the symbols as somebody draws them with a compass and a ruler."""
    lobe, foot, high = rng.uniform(20, 26), rng.uniform(10, 24), rng.uniform(20, 34)
    apart, low = lobe * rng.uniform(0.85, 1.0), rng.uniform(6, 16)
    stem = f'<path d="M 0 {low - 6:.1f} L {foot:.1f} 48 L {-foot:.1f} 48 Z"/>'
    pair = "".join(f'<circle cx="{x:.1f}" cy="{low:.1f}" r="{lobe:.1f}"/>' for x in (-apart, apart))
    wide = (apart + lobe) * rng.uniform(0.9, 0.97)
    side, end = low - lobe * 0.25, low + lobe * 0.6
    leaf = f'<path d="M 0 -49 L {wide:.1f} {side:.1f} L 0 {end:.1f} L {-wide:.1f} {side:.1f} Z"/>'
    heart = f'<g transform="rotate(180)">{pair}{leaf}</g>'
    top = -48 + lobe
    centres = ((0.0, top), (-apart, low), (apart, low))
    lobes = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{lobe:.1f}"/>' for x, y in centres)
    width = rng.uniform(30, 42)
    return "".join(
        (
            _symbol("c", lobes + stem),
            _symbol("d", f'<path d="M 0 -{high + 16:.1f} L {width:.1f} 0 L 0 {high + 16:.1f} L {-width:.1f} 0 Z"/>'),
            _symbol("h", heart),
            _symbol("s", pair + leaf + stem),
        )
    )


def _symbol(suit: str, body: str) -> str:
    return f'<symbol id="suit-{suit}" viewBox="-50 -50 100 100" overflow="visible">{body}</symbol>'


def _stem(stem: float, foot: float) -> str:
    right = f"C {stem / 3:.1f} 25 {stem:.1f} 42 {foot:.1f} 48"
    left = f"C {-stem:.1f} 42 {-stem / 3:.1f} 25 0 0"
    return f'<path d="M 0 0 {right} L {-foot:.1f} 48 {left} Z"/>'


def _club(rng: random.Random, stem: float, foot: float) -> str:
    radius, out, down = rng.uniform(19.5, 23), rng.uniform(22, 26), rng.uniform(6, 12)
    top = -47 + radius
    lobes = ((0.0, top), (-out, down), (out, down))
    circles = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}"/>' for x, y in lobes)
    middle = f'<circle cx="0" cy="0" r="{rng.uniform(8, 14):.1f}"/>'
    return _symbol("c", circles + middle + _stem(stem, foot))


def _diamond(rng: random.Random) -> str:
    wide, curve = rng.uniform(33, 42), rng.choice((0.0, 0.0, rng.uniform(0.05, 0.25)))
    x, y = wide * (0.5 - curve / 2), 49 * (0.5 - curve / 2)
    quarters = ((x, -y, wide, 0), (x, y, 0, 49), (-x, y, -wide, 0), (-x, -y, 0, -49))
    path = "M 0 -49 " + " ".join(f"Q {qx:.1f} {qy:.1f} {to_x:.1f} {to_y:.1f}" for qx, qy, to_x, to_y in quarters)
    return _symbol("d", f'<path d="{path} Z"/>')


def _heart_path(rng: random.Random, *, notch: float) -> str:
    wide, high, low = rng.uniform(44, 49), rng.uniform(40, 58), rng.uniform(14, 26)
    return (
        f"M 0 48 C {-wide * 0.35:.1f} {low + 8:.1f} {-wide - 6:.1f} {low:.1f} {-wide:.1f} -16 "
        f"C {-wide:.1f} {-high:.1f} {-8:.1f} {-high:.1f} 0 {notch:.1f} "
        f"C 8 {-high:.1f} {wide:.1f} {-high:.1f} {wide:.1f} -16 "
        f"C {wide + 6:.1f} {low:.1f} {wide * 0.35:.1f} {low + 8:.1f} 0 48 Z"
    )


def _heart(rng: random.Random) -> str:
    return _symbol("h", f'<path d="{_heart_path(rng, notch=rng.uniform(-24, -14))}"/>')


def _spade(rng: random.Random, stem: float, foot: float) -> str:
    outline = _heart_path(rng, notch=rng.uniform(-22, -12))
    leaf = f'<path transform="rotate(180) translate(0 6) scale(0.95 0.88)" d="{outline}"/>'
    return _symbol("s", leaf + _stem(stem, foot))
