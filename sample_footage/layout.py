"""Where everything has its place on the felt of the sample tables, in millimetres.

Origin: middle of the rack's front edge; x to the dealer's right, y towards the players. The places of a seat lie on a
ray from the centre of the table's arc: (u, v) = across the ray towards the dealer's right, and outward along it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

Point = tuple[float, float]

ARC_CENTRE_Y: Final = -560.0
SEAT_DEG: Final = {1: -22.0, 2: 0.0, 3: 22.0}
BET_RADIUS: Final = 990.0
CARD_RADIUS: Final = 862.0
BANK_RADIUS: Final = 1104.0
EDGE_RADIUS: Final = 1168.0
INSURANCE_RADII: Final = (712.0, 748.0)
DEALER_FIRST_X: Final = -137.0
DEALER_Y: Final = 116.0
DEALER_STEP: Final = 69.0

CARD_W: Final = 63.0
CARD_H: Final = 88.0
CARD_CORNER: Final = 3.5
CARD_THICK: Final = 0.3
CHIP_R: Final = 19.5
CHIP_H: Final = 3.3
DIE_MM: Final = 19.0
DISH_R: Final = 45.0
"""Radius of the dice cup's dish; the lid stands on it."""
DISH_FLOOR: Final = 4.0
LID_HIGH: Final = 74.0
BESIDE: Final = 44.0
"""Centre to centre of two piles that stand beside each other."""

RACK: Final = (-205.0, -160.0, 205.0, -2.0)
SHOE: Final = (-520.0, -70.0, -405.0, 130.0)
SHOE_MOUTH: Final = (-405.0, 92.0)
DISCARD: Final = (415.0, 10.0, 495.0, 116.0)
TUBES: Final = ("red", "red", "green", "green", "purple", "black", "black", "pink", "white")
"""Colours in the rack's tubes, from the dealer's left; the highest in the middle."""
TUBE_STEP: Final = 43.0
FINDER: Final = (-48.0, 2.0, 48.0, 30.0)


@dataclass(frozen=True, slots=True)
class Place:
    """A resting place on the felt: centre and the direction of the long side, counter-clockwise from +y."""

    x: float
    y: float
    angle: float = 0.0


def at_seat(seat: int, *, u: float, radius: float, turn: float = 0.0) -> Place:
    """Return the place ``u`` to the dealer's right of the seat's ray, ``radius`` from the arc's centre."""
    theta = math.radians(SEAT_DEG[seat])
    x = radius * math.sin(theta) + u * math.cos(theta)
    y = ARC_CENTRE_Y + radius * math.cos(theta) - u * math.sin(theta)
    return Place(x, y, folded(turn - SEAT_DEG[seat]))


def folded(angle: float) -> float:
    """Return the angle modulo 180 in (-90, 90]."""
    turned = angle % 180.0
    return turned - 180.0 if turned > 90.0 else turned


def tube_x(index: int) -> float:
    """Return where across the table the middle of a rack's tube is."""
    return (index - (len(TUBES) - 1) / 2) * TUBE_STEP


def bet_place(seat: int, *, slot: float = 0.0, outward: float = 0.0) -> Place:
    """Return the place ``slot`` mm to the dealer's right of the seat's betting circle."""
    return at_seat(seat, u=slot, radius=BET_RADIUS + outward)


_SECOND: Final = (-37.0, -58.0)
_FURTHER: Final = (-36.0, 13.0)


def card_place(seat: int, index: int, *, first_u: float = 40.0, sideways: bool = False) -> Place:
    """Return the place of a hand's card: the second at the lower left edge of the first, then on along the contour.

    P184-P186, P235: a V that covers at most one pip and never the centre. A doubled hand's card lies sideways at the
    left side base (P318).
    """
    u, v = first_u, 0.0
    steps = [_SECOND] + [_FURTHER] * 8
    for du, dv in steps[: index - 1 if sideways else index]:
        u, v = u + du, v + dv
    if sideways:
        u, v = u - 62.0, v - 11.0
    return at_seat(seat, u=u, radius=CARD_RADIUS + v, turn=90.0 if sideways else 0.0)


def split_first_u(hand: int) -> float:
    """Return where across the seat's ray the first card of the left (1) or right (2) split hand lies."""
    return -38.0 if hand == 1 else 114.0


def dealer_place(index: int) -> Place:
    """Return the place of the dealer's card: left to right, side by side (P256)."""
    return Place(DEALER_FIRST_X + DEALER_STEP * index, DEALER_Y)


HOLE_UNDER: Final = Place(DEALER_FIRST_X + 17.0, DEALER_Y + 9.0)
"""Where the hole card lies under the up card: it peeks out at the right and towards the players."""


def zones() -> dict[str, list[Point]]:
    """Return the polygons of all zones by name."""
    found: dict[str, list[Point]] = {}
    for seat in SEAT_DEG:
        found[f"seat{seat}.cards"] = _sector(seat, half_width=(139.0, 166.0), radii=(752.0, 917.0))
        found[f"seat{seat}.main"] = _sector(seat, half_width=(112.0, 112.0), radii=(925.0, 1062.0))
    found["dealer.cards"] = [(-195.0, 78.0), (262.0, 78.0), (262.0, 138.0), (205.0, 164.0), (-195.0, 164.0)]
    found["ace_finder"] = _box(-75.0, 0.0, 75.0, 77.0)
    found["rack"] = _box(*RACK)
    found["shoe"] = _box(*SHOE)
    found["discard"] = _box(*DISCARD)
    return found


def _box(x0: float, y0: float, x1: float, y1: float) -> list[Point]:
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


def _sector(seat: int, *, half_width: Point, radii: Point) -> list[Point]:
    (near, far), (low, high) = half_width, radii
    corners = [(-near, low), (near, low), (far, high), (-far, high)]
    places = [at_seat(seat, u=u, radius=radius) for u, radius in corners]
    return [(round(p.x, 1), round(p.y, 1)) for p in places]
