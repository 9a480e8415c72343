"""Aces as real decks print them: the ace of spades above all is large, hollow, full of ornament, and lettered.

Such a middle says little of the suit; a reader that has met enough of them goes by the index.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from math import cos, pi, sin
from typing import Final

_WORDS: Final = ("ACE", "PLAYING CARDS", "CLUB", "SPECIAL", "No. 808", "FINEST", "1885", "STANDARD", "POKER", "A")
_SPADE, _OTHER = 0.75, 0.15  # how many decks have such an ace

Sign = Callable[[str, float, float, float], str]


def is_ornate(seed: int, suit: str) -> bool:
    """Return whether a drawn deck has such an ace of a suit."""
    return random.Random(f"ace {seed} {suit}").random() < (_SPADE if suit == "s" else _OTHER)


def ornate_ace(seed: int, suit: str, *, size_wh: tuple[float, float], paper: str, sign: Sign) -> str:
    """Return what is printed in the middle of such an ace, as SVG.

    Args:
        seed: of the deck.
        suit: letter of the suit.
        size_wh: of the card.
        paper: the card's colour.
        sign: gives a suit's sign: suit, middle x, middle y, size.
    """
    rng = random.Random(f"print {seed} {suit}")
    x, y, high = size_wh[0] / 2, size_wh[1] / 2, size_wh[1]
    size = high * rng.uniform(0.22, 0.52)
    parts = []
    if rng.random() < 0.4:
        parts.append(_wreath(rng, x, y, size * rng.uniform(0.45, 0.6)))
    turned = rng.random() < 0.25
    body = sign(suit, x, y, size)
    if rng.random() < 0.75:
        body += _inside(rng, suit, x, y, size, paper=paper, sign=sign)
    parts.append(f'<g transform="rotate(180 {x:.1f} {y:.1f})">{body}</g>' if turned else body)
    if rng.random() < 0.6:
        parts.append(_lettering(rng, x, y, size))
    return "".join(parts)


def _wreath(rng: random.Random, x: float, y: float, radius: float) -> str:
    """Small leaves around the sign."""
    count, leaf = rng.randint(10, 40), radius * rng.uniform(0.06, 0.2)
    around = (2 * pi * i / count for i in range(count))
    return "".join(
        f'<circle cx="{x + radius * cos(a) * rng.uniform(0.85, 1.1):.1f}" '
        f'cy="{y + radius * sin(a) * rng.uniform(0.85, 1.1):.1f}" r="{leaf * rng.uniform(0.4, 1):.1f}"/>'
        for a in around
    )


def _inside(rng: random.Random, suit: str, x: float, y: float, size: float, *, paper: str, sign: Sign) -> str:
    """What is left blank inside the sign, and what stands in it."""
    kind = rng.choice(("hollow", "hollow", "lace", "letter", "medal"))
    if kind == "hollow":
        first = sign(suit, x, y, size * rng.uniform(0.6, 0.9))
        inner = sign(rng.choice("cdhs"), x, y, size * rng.uniform(0.2, 0.5)) if rng.random() < 0.7 else ""
        return f'<g fill="{paper}">{first}</g>{inner}'
    if kind == "lace":
        dots = "".join(
            f'<circle cx="{x + rng.gauss(0, 0.13) * size:.1f}" cy="{y + rng.gauss(0, 0.14) * size:.1f}" '
            f'r="{size * rng.uniform(0.008, 0.035):.1f}"/>'
            for _ in range(rng.randint(25, 90))
        )
        return f'<g fill="{paper}">{dots}</g>'
    if kind == "letter":
        return (
            f'<text x="{x:.1f}" y="{y + size * 0.1:.1f}" font-family="Liberation Serif" font-weight="bold" '
            f'font-size="{size * rng.uniform(0.25, 0.45):.1f}" text-anchor="middle" fill="{paper}">A</text>'
        )
    radius = size * rng.uniform(0.12, 0.24)
    ring = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{paper}"/>'
    return ring + sign(rng.choice("cdhs"), x, y, radius)


def _lettering(rng: random.Random, x: float, y: float, size: float) -> str:
    """Words above and below."""
    lines = []
    for row in rng.sample((-0.72, -0.62, 0.62, 0.72), rng.randint(1, 3)):
        turn = f' transform="rotate(180 {x:.1f} {y + row * size:.1f})"' if rng.random() < 0.3 else ""
        lines.append(
            f'<text x="{x:.1f}" y="{y + row * size:.1f}" font-family="Liberation Serif" '
            f'font-size="{size * rng.uniform(0.05, 0.12):.1f}" text-anchor="middle"{turn}>{rng.choice(_WORDS)}</text>'
        )
    return "".join(lines)
