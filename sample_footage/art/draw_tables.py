"""The felt's print of the tables with other games: ``python -m sample_footage.art.draw_tables``.

Rings and names for the spots, the name of the game, some of its pays.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np
from PIL import Image

from sample_footage.art.draw import HERE, Mask, arc, arc_text, blank, line, px
from sample_footage.layout import CARD_H, CARD_W, SEAT_DEG, Place, at_seat, dealer_place
from sample_footage.tables import CUP, INSURED, TABLES, Table

_LABEL_MM: Final = 10.5


class Sheet:
    """One table's print: white, gold and red ink."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.white, self.gold, self.red = blank(), blank(), blank()

    def save(self) -> None:
        """Write the sheet beside the others."""
        sheet = np.stack([self.white, self.gold, self.red], axis=2)
        path = HERE / self.table.sheet
        Image.fromarray(sheet).quantize(48, dither=Image.Dither.NONE).save(path, optimize=True)

    def ring(self, mask: Mask, middle: Place, *, radius: float, width_mm: float) -> None:
        """Draw a circle."""
        turns = np.linspace(0, 2 * math.pi, 96, endpoint=False)
        points = [px(middle.x + radius * math.cos(t), middle.y + radius * math.sin(t)) for t in turns]
        line(mask, points, closed=True, width_mm=width_mm)

    def frame(self, mask: Mask, middle: Place, *, width_mm: float = 2.0, grow: float = 5.0) -> None:
        """Draw the outline of a card's place."""
        w, h, r = CARD_W / 2 + grow, CARD_H / 2 + grow, 8.0
        points = []
        for cx, cy, begin in ((w - r, h - r, 0), (r - w, h - r, 90), (r - w, r - h, 180), (w - r, r - h, 270)):
            for degrees in range(begin, begin + 91, 10):
                a = math.radians(degrees)
                points.append(px(middle.x + cx + r * math.cos(a), middle.y + cy + r * math.sin(a)))
        line(mask, points, closed=True, width_mm=width_mm)

    def word(self, mask: Mask, text: str, *, seat: int, u: float, radius: float, height_mm: float) -> None:
        """Write on the arc, ``u`` to the dealer's right of a seat's ray."""
        at = -SEAT_DEG[seat] - math.degrees(u / radius)
        arc_text(mask, text, radius=radius, height_mm=height_mm, at_deg=at)


def draw_sheets() -> None:
    """Draw the print of every table that has its own."""
    for table in TABLES.values():
        if table.spots:
            sheet = Sheet(table)
            _spots(sheet)
            _MIDDLES[table.table_id](sheet)
            sheet.save()


def _spots(sheet: Sheet) -> None:
    for seat in SEAT_DEG:
        for spot in sheet.table.spots:
            if spot.name == "insurance":
                continue
            middle = at_seat(seat, u=spot.u, radius=spot.radius)
            ink = sheet.red if spot.name == "blazing7" else sheet.white
            sheet.ring(ink, middle, radius=spot.ring_mm, width_mm=2.4 if spot.ring_mm < 40 else 3.0)
            sheet.ring(sheet.gold, middle, radius=spot.ring_mm - 4.0, width_mm=1.2)
            _label(sheet, seat, spot.name)


def _label(sheet: Sheet, seat: int, name: str) -> None:
    spot = sheet.table.spot(name)
    height = _LABEL_MM if len(spot.label) > 1 else 15.0
    inside = name.startswith("chuck")
    radius = spot.radius + (6.0 if inside else -spot.ring_mm - 4.0)
    if name in ("trilux", "super3", "blazing7"):
        u = spot.u + spot.ring_mm + 26.0
        sheet.word(sheet.gold, spot.label, seat=seat, u=u, radius=spot.radius + 5.0, height_mm=height)
        return
    if spot.label:
        sheet.word(sheet.gold, spot.label, seat=seat, u=spot.u, radius=radius, height_mm=height)


def _title(sheet: Sheet, text: str, *, radius: float, height_mm: float = 32.0) -> None:
    arc_text(sheet.gold, text, radius=radius, height_mm=height_mm, at_deg=0)


def _cup(sheet: Sheet) -> None:
    sheet.ring(sheet.gold, CUP, radius=57.0, width_mm=2.0)
    sheet.ring(sheet.white, CUP, radius=53.0, width_mm=1.2)


def _wings(sheet: Sheet, left: tuple[str, ...], right: tuple[str, ...], *, radius: float, at_deg: float) -> None:
    """Small lines on both sides of the middle, as the players see them."""
    for lines, side in ((left, -at_deg), (right, at_deg)):
        for n, text in enumerate(lines):
            arc_text(sheet.white, text, radius=radius + 19.0 * n, height_mm=13.5, at_deg=side)


def _draw_n_shoot(sheet: Sheet) -> None:
    _cup(sheet)
    _title(sheet, "DRAW 'N SHOOT 21", radius=746, height_mm=28)
    _wings(
        sheet,
        ("BLACKJACK PAYS 2 TO 1", "ANY 21 PAYS 6 TO 5"),
        ("18, 19, 20 PAY EVEN MONEY", "17 PUSHES"),
        radius=660,
        at_deg=16.5,
    )


def _dicey(sheet: Sheet) -> None:
    _cup(sheet)
    _title(sheet, "DICEY 21", radius=748, height_mm=30)
    _wings(
        sheet,
        ("CHUCK-A-LUCK PLUS", "ROYAL 20 TO 1 - QUAD 40 TO 1"),
        ("BLACKJACK PAYS 2 TO 1", "ANY 21 PAYS 6 TO 5"),
        radius=660,
        at_deg=16.5,
    )


def _stud(sheet: Sheet) -> None:
    for n, name in enumerate(("1st CARD", "2nd CARD")):
        place = sheet.table.dealer_card(n)
        sheet.frame(sheet.white, place)
        degrees = -math.degrees(place.x / 600.0)
        arc_text(sheet.white, name, radius=601.0, height_mm=11.0, at_deg=degrees)
    _title(sheet, "21 STUD", radius=748, height_mm=28)
    _wings(
        sheet,
        ("BLACKJACK PAYS 3 TO 2", "TWO ACES ARE BLACKJACK"),
        ("OTHER TIES LOSE", "NO CARDS ARE DRAWN"),
        radius=672,
        at_deg=20.0,
    )


def _baccarat(sheet: Sheet) -> None:
    for index in range(3):
        sheet.frame(sheet.white, dealer_place(index), width_mm=1.4, grow=1.6)
    _title(sheet, "LUCKY DRAW BACCARAT", radius=751, height_mm=25)
    arc_text(sheet.white, "Dealer draws on 0 to 4, stands on 5 to 9", radius=694, height_mm=14, at_deg=-19)


def _insurance(sheet: Sheet) -> None:
    for radius in INSURED:
        arc(sheet.white, radius=radius, half_deg=31.0, width_mm=2.2)
    middle = sum(INSURED) / 2 + 6
    for at_deg, text in ((0.0, "INSURANCE PAYS 2 TO 1"), (-22.0, "INSURANCE"), (22.0, "INSURANCE")):
        arc_text(sheet.white, text, radius=middle, height_mm=16, at_deg=at_deg)


def _side_bets(sheet: Sheet) -> None:
    _insurance(sheet)
    _title(sheet, "BLACKJACK PAYS 3 TO 2", radius=670, height_mm=38)
    arc_text(sheet.white, "Dealer must draw to 16, and stand on all 17s", radius=704, height_mm=16, at_deg=0)


def _double_deck(sheet: Sheet) -> None:
    _insurance(sheet)
    _title(sheet, "DOUBLE DECK BLACKJACK", radius=670, height_mm=36)
    arc_text(sheet.white, "Blackjack pays 3 to 2 - Dealer stands on all 17s", radius=704, height_mm=16, at_deg=0)


_MIDDLES: Final[dict[str, Callable[[Sheet], None]]] = {
    "DNS-03": _draw_n_shoot,
    "DIC-02": _dicey,
    "STU-11": _stud,
    "LDB-05": _baccarat,
    "BJ-12": _side_bets,
    "DD-04": _double_deck,
}


if __name__ == "__main__":
    draw_sheets()
