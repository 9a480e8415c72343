"""Synthetic pictures of one card among others: what a table camera hands over around a detected card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.train import card_looks as looks
from models.train.decks import Deck

Points = NDArray[np.float64]

_HEIGHT_MM: Final = 88.0
_LARGEST: Final = 360  # px, a side of the picture
_LEAST_SEEN: Final = 0.12


@dataclass(frozen=True, slots=True, kw_only=True)
class CardScene:
    """A picture around one card place.

    ``quad_px`` is the true amodal quad; ``card`` is None where there is no readable card (a back, print, nothing).
    ``uncovered`` is 255 where nothing lies on the card; ``ink`` (96, 64) marks the print of the upright face.
    ``alone`` says that no other card is near.
    """

    picture_bgr: NDArray[np.uint8]
    quad_px: Points
    card: str | None
    uncovered: NDArray[np.uint8]
    ink: NDArray[np.uint8]
    alone: bool = False


class Viewpoint:
    """A pinhole camera over the card plane; maps plane millimetres to pixels of the picture."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.px_per_mm = float(np.exp(rng.uniform(np.log(24), np.log(170)))) / _HEIGHT_MM
        elevation = np.radians(rng.choice([rng.uniform(25, 60), rng.uniform(50, 90)]))
        self._distance = rng.uniform(350, 2500)
        self._sin, self._cos = np.sin(elevation), np.cos(elevation)
        roll = rng.normal(0, 0.12)
        self._roll = np.array([[np.cos(roll), -np.sin(roll)], [np.sin(roll), np.cos(roll)]])
        self._offset = np.zeros(2)

    def centre_on(self, points_mm: Points, margin_mm: float) -> tuple[int, int]:
        """Put the points in the middle of the picture; return its height and width in px."""
        seen = self.project(points_mm)
        margin = margin_mm * self.px_per_mm
        low, high = seen.min(axis=0) - margin, seen.max(axis=0) + margin
        width, height = np.clip(np.ceil(high - low), 24, _LARGEST).astype(int)
        self._offset += (low + high) / 2 - np.array([width, height]) / 2
        return int(height), int(width)

    def project(self, points_mm: Points) -> Points:
        """Return the pixels of plane points (n, 2), y pointing towards the camera."""
        depth = self._distance - points_mm[:, 1] * self._cos
        scale = (self.px_per_mm * self._distance / depth)[:, None]
        flat = points_mm * np.array([1.0, self._sin]) * scale
        return np.asarray(flat @ self._roll.T - self._offset, np.float64)


@dataclass(frozen=True, slots=True)
class _Placed:
    picture: NDArray[np.uint8]
    corners_mm: Points


def card_corners_mm(width: float, at: Points, angle: float) -> Points:
    """Return the corners of a card on the plane, from its middle and angle in radians."""
    half = np.array([width / 2, _HEIGHT_MM / 2])
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.asarray(corners @ turn.T + at, np.float64)


def draw_scene(rng: np.random.Generator, decks: Sequence[Deck]) -> CardScene | None:
    """Return a random picture around one card, or None if the card came out wholly covered."""
    deck = decks[int(rng.integers(len(decks)))]
    card, face = _target(rng, deck)
    width = 88 * face.shape[1] / face.shape[0]
    angle = rng.uniform(0, 2 * np.pi)
    own = _Placed(face, card_corners_mm(width, np.zeros(2), angle))
    below, above = _neighbours(rng, deck, width, angle)
    if card == "nothing" and rng.random() < 0.7:
        below, above = [], []
    view = Viewpoint(rng)
    height_px, width_px = view.centre_on(own.corners_mm, rng.uniform(18, 45))
    picture = looks.background(rng, height_px, width_px, view.px_per_mm)
    for other in below:
        _lay(rng, picture, other, view)
    _lay(rng, picture, own, view) if card != "nothing" else None
    covered = np.zeros(picture.shape[:2], np.uint8)
    for other in above:
        np.maximum(covered, _lay(rng, picture, other, view), out=covered)
    _obstruct(rng, picture, covered, view)
    quad = view.project(own.corners_mm)
    inside = np.zeros_like(covered)
    cv2.fillConvexPoly(inside, np.round(quad).astype(np.int32), 255)
    seen = cv2.countNonZero(cv2.bitwise_and(inside, 255 - covered)) / max(1, cv2.countNonZero(inside))
    if seen < _LEAST_SEEN:
        return None
    return CardScene(
        picture_bgr=looks.photograph(rng, picture),
        quad_px=quad,
        card=card if card not in {"nothing", "unreadable"} else None,
        uncovered=255 - covered,
        ink=_ink(face),
        alone=not below and not above,
    )


def _target(rng: np.random.Generator, deck: Deck) -> tuple[str, NDArray[np.uint8]]:
    """Return a card, ``unreadable`` (a back or a blank), or ``nothing``, with its picture."""
    kind = rng.random()
    card = deck.cards[rng.integers(len(deck.cards))]
    if kind < 0.88:
        return card, deck.face(card)
    if kind < 0.93:
        return "unreadable", deck.back()
    if kind < 0.95:
        return "unreadable", looks.lookalike(rng, deck.face(card))
    return "nothing", deck.face(card)


def _neighbours(
    rng: np.random.Generator, deck: Deck, width: float, angle: float
) -> tuple[list[_Placed], list[_Placed]]:
    """Return the cards under and over the target: a hand dealt in steps, a fan, sideways, or strewn about."""
    kind = rng.choice(["alone", "hand", "fan", "sideways", "strewn", "beside"], p=[0.24, 0.36, 0.12, 0.08, 0.1, 0.1])
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])

    def placed(offset: Points, twist: float) -> _Placed:
        face = deck.back() if rng.random() < 0.1 else deck.face(deck.cards[rng.integers(len(deck.cards))])
        return _Placed(face, card_corners_mm(width, turn @ offset, angle + twist + rng.normal(0, 0.05)))

    below, above = int(rng.integers(0, 4)), int(rng.integers(0, 3))
    if kind == "hand":
        step = np.array([rng.choice([-1, 1]) * rng.uniform(6, 30), rng.choice([-1, 1]) * rng.uniform(4, 45)])
        step = step if rng.random() < 0.8 else step * rng.permutation([0.1, 1.0])
        return (
            [placed(-step * n + rng.normal(0, 2, 2), 0) for n in range(below, 0, -1)],
            [placed(step * n + rng.normal(0, 2, 2), 0) for n in range(1, above + 1)],
        )
    if kind == "fan":
        twist = rng.choice([-1, 1]) * rng.uniform(0.12, 0.45)
        return (
            [placed(_fan_offset(-twist * n), -twist * n) for n in range(below, 0, -1)],
            [placed(_fan_offset(twist * n), twist * n) for n in range(1, above + 1)],
        )
    if kind == "sideways":
        other = placed(rng.uniform(-1, 1, 2) * np.array([25, 45]), np.pi / 2)
        return ([other], []) if rng.random() < 0.5 else ([], [other])
    if kind == "strewn":
        around = [placed(rng.uniform(-60, 60, 2), rng.uniform(0, np.pi)) for _ in range(below + above)]
        return around[:below], around[below:]
    if kind == "beside":
        gap = width + rng.uniform(0, 20)
        sides = [placed(np.array([side * gap, rng.normal(0, 10)]), 0) for side in (-1, 1)]
        return sides[: rng.integers(1, 3)], []
    return [], []


def _fan_offset(twist: float) -> Points:
    """Return where a fanned card's middle comes to lie when it turns about a point near the bottom edge."""
    pivot = np.array([0.0, 50.0])
    turn = np.array([[np.cos(twist), -np.sin(twist)], [np.sin(twist), np.cos(twist)]])
    return np.asarray(pivot - turn @ pivot, np.float64)


def _lay(rng: np.random.Generator, picture: NDArray[np.uint8], card: _Placed, view: Viewpoint) -> NDArray[np.uint8]:
    """Lay a card on the picture; return its mask."""
    corners = view.project(card.corners_mm)
    tall = np.linalg.norm(corners[3] - corners[0])
    wide = np.linalg.norm(corners[1] - corners[0])
    height, width = card.picture.shape[:2]
    shrink = min(1.0, max(1.15 * tall / height, 1.15 * wide / width))
    small = cv2.resize(card.picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    face = looks.wear(rng, np.asarray(small, np.uint8))
    height, width = face.shape[:2]
    source = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    warp = cv2.getPerspectiveTransform(source, corners.astype(np.float32))
    size = (picture.shape[1], picture.shape[0])
    laid = cv2.warpPerspective(face, warp, size, flags=cv2.INTER_LINEAR)
    mask = np.asarray(laid[..., 3], np.uint8)
    if rng.random() < 0.7:
        looks.cast_shadow(rng, picture, mask, view.px_per_mm)
    looks.blend(picture, laid[..., 2::-1], mask)
    return mask


def _obstruct(
    rng: np.random.Generator, picture: NDArray[np.uint8], covered: NDArray[np.uint8], view: Viewpoint
) -> None:
    """Lay hands or chips over some pictures, and add them to what is covered."""
    kind = rng.random()
    height, width = covered.shape
    at = rng.uniform([0, 0], [width, height])
    if kind < 0.12:
        mask = looks.hand_mask(rng, height, width, at, view.px_per_mm)
        looks.cast_shadow(rng, picture, mask, view.px_per_mm)
        looks.paint_hand(rng, picture, mask)
        np.maximum(covered, mask, out=covered)
    elif kind < 0.22:
        looks.paint_chip(rng, picture, covered, at, view.px_per_mm)


def _ink(face: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return where the face is printed, (96, 64): where it differs from its most frequent tone."""
    grey = cv2.cvtColor(cv2.resize(face, (64, 96), interpolation=cv2.INTER_AREA), cv2.COLOR_RGBA2GRAY)
    paper = int(np.median(grey))
    return np.asarray((np.abs(grey.astype(np.int16) - paper) > 40) * np.uint8(255), np.uint8)
