"""Decks that are drawn, not collected: as many designs and index styles as wanted, each from one seed.

A deck is one SVG sheet of 13 by 5 cards in the order of ``deck_art``; its fonts are those of Debian's
``fonts-dejavu``, ``fonts-liberation`` and ``fonts-urw-base35``, from the seed ``WIDER_FROM`` on also those of
``models.train.deck_fonts``.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final

from audit.cards import RANKS, SUITS
from models.train.deck_aces import is_ornate, ornate_ace
from models.train.deck_courts import back_body, court_body
from models.train.deck_fonts import MORE_FONTS, WIDER_FROM
from models.train.deck_suits import COLOURS, FOUR_COLOURS, suit_symbols, wider_suit_symbols

HEIGHT: Final = 360.0
_FONTS: Final = (
    ("Liberation Sans", 0.72),
    ("Liberation Sans Narrow", 0.9),
    ("Liberation Serif", 0.8),
    ("Liberation Mono", 0.85),
    ("DejaVu Sans", 0.65),
    ("DejaVu Sans Condensed", 0.8),
    ("DejaVu Serif", 0.65),
    ("DejaVu Serif Condensed", 0.75),
    ("DejaVu Sans Mono", 0.8),
    ("Nimbus Sans Narrow", 0.9),
    ("Nimbus Sans", 0.72),
    ("Nimbus Roman", 0.8),
    ("C059", 0.75),
    ("P052", 0.8),
    ("URW Bookman", 0.65),
    ("URW Gothic", 0.75),
)  # family and the horizontal scale that makes its capitals as narrow as a card's index
_PIPS: Final[dict[str, tuple[tuple[float, float], ...]]] = {
    "A": ((0, 0),),
    "2": ((0, -1), (0, 1)),
    "3": ((0, -1), (0, 0), (0, 1)),
    "4": ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    "5": ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    "6": ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
    "7": ((-1, -1), (1, -1), (0, -0.5), (-1, 0), (1, 0), (-1, 1), (1, 1)),
    "8": ((-1, -1), (1, -1), (0, -0.5), (-1, 0), (1, 0), (0, 0.5), (-1, 1), (1, 1)),
    "9": ((-1, -1), (1, -1), (-1, -0.34), (1, -0.34), (0, 0), (-1, 0.34), (1, 0.34), (-1, 1), (1, 1)),
    "T": ((-1, -1), (1, -1), (0, -0.67), (-1, -0.34), (1, -0.34), (-1, 0.34), (1, 0.34), (0, 0.67), (-1, 1), (1, 1)),
}  # columns and rows of the pips, in shares of the pip field; those below the middle stand on their heads


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexStyle:
    """How the corner index is printed, lengths in shares of the card's height."""

    name: str
    rank_height: float
    suit_height: float
    inset: float
    gap: float
    four_corners: bool
    beside: bool
    patch: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckStyle:
    """Everything that one drawn deck has in common."""

    seed: int
    width: float
    paper: str
    colours: dict[str, str]
    font: str
    weight: str
    squeeze: float
    index: IndexStyle
    pip_size: float
    pip_field: tuple[float, float]
    big_centre: bool
    court: str
    frame: str
    corner_radius: float


def _index_style(rng: random.Random) -> IndexStyle:
    """Return one of the index styles that casino and home decks show."""
    name = rng.choices(
        ("standard", "jumbo", "peek", "jumbo-small-suit", "magnum", "slim"), weights=(38, 22, 10, 14, 8, 8)
    )[0]
    rank, suit = {
        "standard": (rng.uniform(0.105, 0.145), rng.uniform(0.07, 0.11)),
        "jumbo": (rng.uniform(0.17, 0.25), rng.uniform(0.10, 0.17)),
        "peek": (rng.uniform(0.06, 0.085), rng.uniform(0.04, 0.06)),
        "jumbo-small-suit": (rng.uniform(0.18, 0.27), rng.uniform(0.05, 0.09)),
        "magnum": (rng.uniform(0.27, 0.36), rng.uniform(0.12, 0.22)),
        "slim": (rng.uniform(0.085, 0.11), rng.uniform(0.06, 0.09)),
    }[name]
    return IndexStyle(
        name=name,
        rank_height=rank,
        suit_height=suit,
        inset=rng.uniform(0.018, 0.042) if rng.random() < 0.85 else rng.uniform(0.042, 0.06),
        gap=rng.uniform(0.006, 0.028),
        four_corners=name != "magnum" and rng.random() < 0.14,
        beside=name == "magnum" and rng.random() < 0.5,
        patch=rng.random() < 0.75,
    )


def deck_style(seed: int) -> DeckStyle:
    """Return the style that a seed stands for."""
    rng = random.Random(seed)
    family, squeeze = rng.choice(_FONTS if seed < WIDER_FROM else (*_FONTS, *MORE_FONTS))
    index = _index_style(rng)
    big_index = index.rank_height > 0.16
    return DeckStyle(
        seed=seed,
        width=HEIGHT * rng.choice((63 / 88, 63 / 88, 57 / 88, rng.uniform(0.64, 0.73))),
        paper=rng.choice(("#ffffff", "#ffffff", "#fdfdfb", "#fbf8ef", "#f6f6f4", "#f4eedd")),
        colours=rng.choice(FOUR_COLOURS) if rng.random() < 0.13 else rng.choice(COLOURS),
        font=family,
        weight=rng.choice(("bold", "bold", "normal")),
        squeeze=squeeze * rng.uniform(0.82, 1.1),
        index=index,
        pip_size=rng.uniform(0.10, 0.15) if big_index else rng.uniform(0.13, 0.20),
        pip_field=(rng.uniform(0.12, 0.17) if big_index else rng.uniform(0.16, 0.22), rng.uniform(0.24, 0.36)),
        big_centre=index.rank_height > 0.2 and rng.random() < 0.6,
        court=rng.choices(("figure", "letter", "emblem", "one-way"), weights=(70, 8, 12, 10))[0],
        frame=rng.choices(("none", "courts", "all"), weights=(30, 60, 10))[0],
        corner_radius=rng.uniform(10, 20),
    )


def _use(suit: str, x: float, y: float, size: float, *, turned: bool = False) -> str:
    """Return a suit sign centred at a point."""
    turn = f' transform="rotate(180 {x:.1f} {y:.1f})"' if turned else ""
    place = f'x="{x - size / 2:.1f}" y="{y - size / 2:.1f}" width="{size:.1f}" height="{size:.1f}"'
    return f'<use href="#suit-{suit}" {place}{turn}/>'


def _rank_text(style: DeckStyle, text: str, x: float, baseline: float, height: float) -> str:
    """Return a rank whose capitals have a given height, centred at x."""
    ten = len(text) == 2
    place = f"translate({x:.1f} {baseline:.1f}) scale({style.squeeze * (0.64 if ten else 1.0):.3f} 1)"
    font = f'font-family="{style.font}" font-weight="{style.weight}" font-size="{height / 0.72:.1f}"'
    spacing = f'letter-spacing="{-height * 0.06 if ten else 0:.1f}"'
    return f'<text transform="{place}" {font} {spacing} text-anchor="middle">{text}</text>'


def _index_half_width(style: DeckStyle) -> float:
    """Return half the width of the printed index, wide enough for a ten."""
    return max(0.64 * style.squeeze * style.index.rank_height, style.index.suit_height / 2) * HEIGHT


def _index(style: DeckStyle, rank: str, suit: str) -> str:
    """Return the index of the top-left corner."""
    text, index = ("10" if rank == "T" else rank), style.index
    height, suit_size = index.rank_height * HEIGHT, index.suit_height * HEIGHT
    half, top = _index_half_width(style), index.inset * HEIGHT * 1.25
    x, bottom = index.inset * HEIGHT + half, top + height + (0 if index.beside else index.gap * HEIGHT + suit_size)
    label = _rank_text(style, text, x, top + height, height)
    if rank in "JQK" and index.patch:
        size = f'width="{2 * half + 4:.1f}" height="{bottom - top + 6:.1f}"'
        label = f'<rect x="{x - half - 2:.1f}" y="{top - 3:.1f}" {size} fill="{style.paper}"/>{label}'
    if index.beside:
        return label + _use(suit, x + half + suit_size * 0.6, top + height / 2, suit_size)
    return label + _use(suit, x, bottom - suit_size / 2, suit_size)


def _pips(style: DeckStyle, rank: str, suit: str) -> str:
    """Return the pips of an ace or a number card."""
    middle_x, middle_y = style.width / 2, HEIGHT / 2
    if rank == "A" and is_ornate(style.seed, suit):
        return ornate_ace(style.seed, suit, size_wh=(style.width, HEIGHT), paper=style.paper, sign=_use)
    if style.big_centre:
        return _use(suit, middle_x + style.width * 0.1, middle_y + HEIGHT * 0.12, HEIGHT * 0.4)
    ace = random.Random(style.seed + 7).choice((1.0, 1.6, 2.4))
    free = middle_x - style.index.inset * HEIGHT - 2 * _index_half_width(style) - 3
    size = min(style.pip_size * HEIGHT, max(0.6 * free, 0.1 * HEIGHT)) * (ace if rank == "A" else 1.0)
    wide, high = min(style.pip_field[0] * style.width / 0.7, free - size / 2), style.pip_field[1] * HEIGHT
    return "".join(
        _use(suit, middle_x + column * wide, middle_y + row * high, size, turned=row > 0) for column, row in _PIPS[rank]
    )


def _card(style: DeckStyle, rank: str, suit: str) -> str:
    """Return one face with its top-left corner at the origin."""
    width = style.width
    turned = f'<g transform="rotate(180 {width / 2:.1f} {HEIGHT / 2:.1f})">'
    index = _index(style, rank, suit)
    if style.index.four_corners:
        shift = width - 2 * (style.index.inset * HEIGHT + _index_half_width(style))
        index += f'<g transform="translate({shift:.1f} 0)">{index}</g>'
    body = court_body(style, rank, suit, _use) if rank in "JQK" else _pips(style, rank, suit)
    frame = _frame(style, rank)
    return f'<g fill="{style.colours[suit]}">{frame}{body}{index}{turned}{index}</g></g>'


def _frame(style: DeckStyle, rank: str) -> str:
    """Return the line around the picture, if the deck has one."""
    if style.frame == "none" or (style.frame == "courts" and rank not in "JQK"):
        return ""
    inset_x, inset_y = style.width * 0.14, HEIGHT * 0.07
    size = f'width="{style.width - 2 * inset_x:.1f}" height="{HEIGHT - 2 * inset_y:.1f}"'
    return f'<rect x="{inset_x:.1f}" y="{inset_y:.1f}" {size} fill="none" stroke="#26305c" stroke-width="1.5"/>'


def draw_sheet(seed: int) -> str:
    """Return the SVG sheet of the deck of a seed."""
    style = deck_style(seed)
    rng = random.Random(seed + 1)
    shape = f'height="{HEIGHT - 1}" rx="{style.corner_radius:.1f}"'
    paper = f'<rect x="0.5" y="0.5" width="{style.width - 1:.1f}" {shape} fill="{style.paper}" stroke="#9a9a9a"/>'
    cells = [(r, s, column, row) for row, s in enumerate(SUITS) for column, r in enumerate(RANKS)]
    cards = [_at(style, column, row, paper + _card(style, r, s)) for r, s, column, row in cells]
    back = _at(style, 2, 4, paper + back_body(rng, style.width, HEIGHT))
    size = f'width="{13 * style.width:.1f}" height="{5 * HEIGHT:.1f}"'
    symbols = suit_symbols(rng) if seed < WIDER_FROM else wider_suit_symbols(rng)
    defs = f"<defs>{symbols}</defs>"
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{defs}{"".join(cards)}{back}</svg>'


def _at(style: DeckStyle, column: int, row: int, body: str) -> str:
    return f'<g transform="translate({column * style.width:.1f} {row * HEIGHT:.1f})">{body}</g>'
