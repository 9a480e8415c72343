"""Court pictures and card backs for drawn decks: simple figures in the colours of printed courts."""

from __future__ import annotations

import random
from typing import Final, Protocol

_PALETTES: Final = (
    ("#f2c230", "#c8102e", "#1d3f94", "#111111"),
    ("#e9b04a", "#b3122a", "#2f6db5", "#202020"),
    ("#f7d84a", "#d8232a", "#1f7a4c", "#101018"),
    ("#d9c9a0", "#a33b2e", "#3a4a6b", "#2a2a2a"),
    ("#ffe06a", "#e3001b", "#004f9f", "#000000"),
)
_SKIN: Final = ("#ffffff", "#f6dcc0", "#f3e3d0")


class Style(Protocol):
    """What a court picture needs to know of its deck."""

    @property
    def seed(self) -> int:
        """Seed of the deck."""

    @property
    def width(self) -> float:
        """Width of a card in sheet units."""

    @property
    def court(self) -> str:
        """How courts are drawn: figure, letter, emblem or one-way."""


class Use(Protocol):
    """Places a suit sign."""

    def __call__(self, suit: str, x: float, y: float, size: float, *, turned: bool = False) -> str:
        """Return the sign centred at a point."""


_HEIGHT: Final = 360.0


def _path(points: str, fill: str, extra: str = 'stroke="#111"') -> str:
    return f'<path d="{points} Z" fill="{fill}" {extra}/>'


def _circle(x: float, y: float, radius: float, fill: str) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{fill}"/>'


def court_body(style: Style, rank: str, suit: str, use: Use) -> str:
    """Return the picture of a jack, queen or king."""
    rng = random.Random(f"{style.seed}{rank}{suit}")
    middle = style.width / 2
    if style.court == "letter":
        font = 'font-family="Liberation Serif" font-size="150" text-anchor="middle"'
        return f'<text x="{middle:.1f}" y="230" {font}>{rank}</text>'
    if style.court == "emblem":
        return use(suit, middle, _HEIGHT / 2 + 20, 110) + _crown(rank, middle, 110, 90, "#d9a520")
    half, pip = _figure(rng, style.width, rank), use(suit, style.width * 0.28, _HEIGHT * 0.155, 42)
    if style.court == "one-way":
        return f'{pip}<g transform="translate({-style.width * 0.15:.1f} -20) scale(1.3)">{half}</g>'
    window = f'<rect x="{style.width * 0.14:.1f}" y="25" width="{style.width * 0.72:.1f}" height="155"/>'
    clip = f'<clipPath id="half-{rank}{suit}">{window}</clipPath>'
    top = f'<g clip-path="url(#half-{rank}{suit})">{half}</g>{pip}'
    return f'{clip}{top}<g transform="rotate(180 {middle:.1f} {_HEIGHT / 2})">{top}</g>'


def _crown(rank: str, x: float, y: float, wide: float, colour: str) -> str:
    """Return a king's crown, a queen's coronet or a jack's cap, standing on (x, y)."""
    half, tall = wide / 2, {"K": 0.55, "Q": 0.35, "J": 0.3}[rank] * wide
    if rank == "J":
        return _path(f"M {x - half:.1f} {y} Q {x:.1f} {y - 2 * tall:.1f} {x + half:.1f} {y}", colour)
    points = 5 if rank == "K" else 7
    steps = [(x - half + wide * i / (points - 1), y - tall * (1 if i % 2 == 0 else 0.45)) for i in range(points)]
    zigzag = " ".join(f"L {px:.1f} {py:.1f}" for px, py in steps)
    return _path(f"M {x - half:.1f} {y} {zigzag} L {x + half:.1f} {y}", colour)


def _figure(rng: random.Random, width: float, rank: str) -> str:
    """Return the upper half of a figure: crown, head, hair, a robe of coloured panels, and an attribute."""
    gold, red, blue, black = rng.sample(rng.choice(_PALETTES), 4)
    x, left, right = width / 2 + rng.uniform(-10, 14), width * 0.15, width * 0.85
    shoulders = f"L {left:.1f} 150 L {left:.1f} 185 L {right:.1f} 185 L {right:.1f} 150"
    locks = f"Q {x - 34:.1f} 120 {x - 20:.1f} 118 L {x + 20:.1f} 118 Q {x + 34:.1f} 120 {x + 24:.1f} 75"
    parts = (
        _path(f"M {x - 22:.1f} 112 {shoulders} L {x + 22:.1f} 112", red),
        _panels(rng, width, (gold, blue, black, red)),
        _path(f"M {x - 24:.1f} 75 {locks}", gold),
        f'<ellipse cx="{x:.1f}" cy="88" rx="19" ry="24" fill="{rng.choice(_SKIN)}" stroke="#111"/>',
        *(_circle(x + dx, 84, 2, "#111") for dx in (-7, 7)),
        f'<path d="M {x - 6:.1f} 99 Q {x:.1f} 102 {x + 6:.1f} 99" stroke="#a22" fill="none"/>',
        _path(f"M {x - 17:.1f} 96 Q {x:.1f} 140 {x + 17:.1f} 96", gold) if rank == "K" else "",
        _crown(rank, x, 70, 50, gold),
        _attribute(rng, width, rank, blue),
    )
    return "".join(parts)


def _panels(rng: random.Random, width: float, colours: tuple[str, ...]) -> str:
    """Return stripes, lozenges and dots over the robe, as busy as printed courts are."""
    shapes = []
    for _ in range(rng.randint(8, 22)):
        x, y, size = rng.uniform(width * 0.18, width * 0.8), rng.uniform(120, 182), rng.uniform(4, 20)
        colour, kind = rng.choice(colours), rng.randrange(3)
        if kind == 0:
            shapes.append(_circle(x, y, size / 3, colour))
        elif kind == 1:
            corners = ((x, y - size), (x + size / 2, y), (x, y + size), (x - size / 2, y))
            shapes.append(_path("M " + " L ".join(f"{px:.1f} {py:.1f}" for px, py in corners), colour, ""))
        else:
            line = f"M {x:.1f} {y:.1f} l {rng.uniform(-40, 40):.1f} {rng.uniform(20, 60):.1f}"
            shapes.append(f'<path d="{line}" stroke="{colour}" stroke-width="{size / 4:.1f}"/>')
    return "".join(shapes)


def _attribute(rng: random.Random, width: float, rank: str, colour: str) -> str:
    """Return a sword, a flower or a staff at one side."""
    x = width * rng.choice((0.2, 0.8))
    if rank == "Q":
        petals = "".join(_circle(x + dx, 100 + dy, 6, colour) for dx, dy in ((0, -7), (7, 0), (0, 7), (-7, 0)))
        stalk = f'<path d="M {x:.1f} 100 L {x:.1f} 180" stroke="#1f7a4c" stroke-width="3"/>'
        return stalk + petals + _circle(x, 100, 4, "#f2c230")
    return f'<path d="M {x:.1f} 45 L {x:.1f} 180" stroke="{colour}" stroke-width="{rng.uniform(3, 8):.1f}"/>'


_BACKS: Final = (
    ("#1f3f8f", "#ffffff"),
    ("#a3142b", "#ffffff"),
    ("#14532d", "#f2f2e8"),
    ("#202020", "#d9b04a"),
    ("#5b2a7a", "#ffffff"),
    ("#9a4a12", "#fff3d8"),
)


def back_body(rng: random.Random, width: float, height: float) -> str:
    """Return a card back: a border of paper and a pattern in one or two colours."""
    colour, light = rng.choice(_BACKS)
    border, step = rng.choice((0.0, 8.0, 12.0, 18.0)), rng.uniform(9, 26)
    size = f'width="{width - 2 * border:.1f}" height="{height - 2 * border:.1f}" rx="{max(4.0, 14 - border):.1f}"'
    field = f'<rect x="{border}" y="{border}" {size} fill='
    tile = _tile(rng, step, light)
    pattern = (
        f'<pattern id="back" width="{step:.1f}" height="{step:.1f}" patternUnits="userSpaceOnUse">{tile}</pattern>'
    )
    emblem = ""
    if rng.random() < 0.5:
        radii = f'rx="{width * rng.uniform(0.15, 0.3):.1f}" ry="{height * rng.uniform(0.12, 0.3):.1f}"'
        emblem = f'<ellipse cx="{width / 2:.1f}" cy="{height / 2:.1f}" {radii} fill="{colour}" stroke="{light}"/>'
    return f'<defs>{pattern}</defs>{field}"{colour}"/>{field}"url(#back)"/>{emblem}'


def _tile(rng: random.Random, step: float, light: str) -> str:
    """Return one tile of the pattern of a back."""
    half, line = step / 2, f'stroke="{light}" fill="none" stroke-width="{step / 8:.1f}"'
    wave = f"M 0 {half:.1f} Q {step / 4:.1f} 0 {half:.1f} {half:.1f} T {step:.1f} {half:.1f}"
    lozenge = f"M {half:.1f} 1 L {step - 1:.1f} {half:.1f} L {half:.1f} {step - 1:.1f} L 1 {half:.1f}"
    tiles = (
        f'<path d="M 0 0 L {step:.1f} {step:.1f} M {step:.1f} 0 L 0 {step:.1f}" {line}/>',
        _circle(half, half, step / 4, light),
        _path(lozenge, light, ""),
        f'<path d="{wave}" {line}/>',
        "",
    )
    return rng.choice(tiles)
