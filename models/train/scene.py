"""Random arrangements of what lies on a casino table, in felt millimetres, for composed training pictures."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from models.train.compose_canvas import Points

_CLOSE_MM: Final = 220.0
CARD_MM: Final = (63.0, 88.0)


@dataclass(kw_only=True)
class SceneCard:
    """A card: where its centre lies, how its long side is turned (radians), which side shows."""

    xy_mm: Points
    turn: float
    face_up: bool = True
    lift_mm: Points = field(default_factory=lambda: np.zeros(4))

    def corners_mm(self) -> Points:
        """Return its corners (4, 3): top left, top right, bottom right, bottom left."""
        half = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * np.array(CARD_MM) / 2
        flat = half @ spin(self.turn).T + self.xy_mm
        return np.column_stack([flat, self.lift_mm])


@dataclass(kw_only=True)
class Scene:
    """What lies on the table; cards in the order they were laid down."""

    cards: list[SceneCard] = field(default_factory=list)
    piles: list[tuple[Points, list[int]]] = field(default_factory=list)
    dice: list[tuple[Points, float]] = field(default_factory=list)  # place, side in mm
    cups: list[Points] = field(default_factory=list)
    boxes: list[Points] = field(default_factory=list)
    racks: list[Points] = field(default_factory=list)
    hands: list[Points] = field(default_factory=list)
    clutter: int = 0


def spin(turn: float) -> Points:
    """Return the rotation (2, 2) by ``turn`` radians counter-clockwise."""
    return np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])


def _laid(
    rng: np.random.Generator, offsets: Points, turns: Points, face_up: list[bool], messy: float = 1.0
) -> list[SceneCard]:
    offsets = offsets + rng.normal(0, 1.0 * messy, offsets.shape)
    turns = turns + rng.normal(0, math.radians(2.0 * messy), len(turns))
    return [SceneCard(xy_mm=o, turn=float(t), face_up=up) for o, t, up in zip(offsets, turns, face_up, strict=True)]


def _blackjack_hand(rng: np.random.Generator) -> list[SceneCard]:
    """Cards of one hand, each laid over the corner of the one before; at times a double or a covered one."""
    count = int(rng.choice([2, 2, 2, 3, 3, 4, 5, 6]))
    step = np.array([rng.uniform(6, 30) * rng.choice([-1, 1, 1]), rng.uniform(8, 40) * rng.choice([-1, 1, 1])])
    offsets = np.arange(count)[:, None] * step
    turns = np.zeros(count)
    if count > 2 and rng.random() < 0.3:
        turns[-1] = math.pi / 2
        offsets[-1] = offsets[-2] + rng.uniform(-20, 20, 2)
    up = [True] * count
    if rng.random() < 0.2:
        up[int(rng.integers(count))] = False
    return _laid(rng, offsets, turns, up, rng.choice([0.5, 1.5, 4.0]))


def _row(rng: np.random.Generator) -> list[SceneCard]:
    """A dealer's cards or a board: side by side, from just overlapping to a gap."""
    count = int(rng.integers(1, 7))
    pitch = rng.uniform(56, 80) if rng.random() < 0.8 else rng.uniform(14, 56)
    offsets = np.column_stack([np.arange(count) * pitch, np.zeros(count)])
    up = list(rng.random(count) < rng.choice([1.0, 1.0, 0.8, 0.3]))
    return _laid(rng, offsets, np.zeros(count), up)


def _grid(rng: np.random.Generator) -> list[SceneCard]:
    rows, columns = (int(v) for v in rng.integers(1, 5, 2))
    touching = rng.random() < 0.3
    gaps = (rng.uniform(62, 66), rng.uniform(87, 92)) if touching else (rng.uniform(64, 110), rng.uniform(90, 150))
    offsets = np.array([[c * gaps[0], r * gaps[1]] for r in range(rows) for c in range(columns)])
    return _laid(rng, offsets, np.zeros(len(offsets)), [True] * len(offsets), 0.5 if touching else 2.0)


def _fan(rng: np.random.Generator) -> list[SceneCard]:
    count, pivot = int(rng.integers(2, 8)), rng.uniform(30, 130)
    turns = np.arange(count) * math.radians(rng.uniform(6, 24)) * rng.choice([-1, 1])
    offsets = np.column_stack([-np.sin(turns), np.cos(turns)]) * pivot
    face_up = bool(rng.random() < 0.85)
    return _laid(rng, offsets, turns, [face_up] * count)


def _hole_card(rng: np.random.Generator) -> list[SceneCard]:
    """A face-down card that peeks out from under, or covers, a face-up one."""
    offsets = np.array([[0.0, 0.0], rng.uniform(-26, 26, 2)])
    first = bool(rng.random() < 0.3)
    return _laid(rng, offsets, np.array([0.0, rng.choice([0.0, 0.0, math.pi / 2])]), [first, not first])


def _heap(rng: np.random.Generator) -> list[SceneCard]:
    """Discarded cards on one another."""
    count = int(rng.integers(2, 12))
    offsets = rng.normal(0, rng.choice([1.0, 5.0, 25.0]), (count, 2))
    turns = rng.normal(0, rng.choice([0.03, 0.2, 1.5]), count)
    up = list(rng.random(count) < rng.choice([0.0, 0.5, 1.0]))
    return _laid(rng, offsets, turns, up)


def _scatter(rng: np.random.Generator) -> list[SceneCard]:
    crowd = rng.random() < 0.25
    count = int(rng.integers(8, 22) if crowd else rng.integers(2, 10))
    spread = rng.uniform(50, 130) if crowd else rng.uniform(40, 160)
    cards = _laid(
        rng, rng.normal(0, spread, (count, 2)), rng.uniform(0, 2 * math.pi, count), list(rng.random(count) < 0.92)
    )
    if rng.random() < 0.4:
        for card in cards:
            card.lift_mm = np.array([0.0, *rng.uniform(0, 40, 3)])
    return cards


def _single(rng: np.random.Generator) -> list[SceneCard]:
    return _laid(rng, np.zeros((1, 2)), np.zeros(1), [bool(rng.random() < 0.75)])


_ARRANGEMENTS: Final[tuple[tuple[float, Callable[[np.random.Generator], list[SceneCard]]], ...]] = (
    (0.36, _blackjack_hand), (0.14, _row), (0.08, _grid), (0.09, _fan), (0.08, _hole_card), (0.06, _heap),
    (0.10, _scatter), (0.09, _single),
)  # fmt: skip


def _pile_colours(rng: np.random.Generator) -> list[int]:
    count = int(rng.integers(1, 4)) if rng.random() < 0.45 else int(rng.integers(1, 21))
    kind, first = rng.random(), int(rng.integers(12))
    if kind < 0.55:
        return [first] * count
    if kind < 0.8:
        split, second = int(rng.integers(0, count + 1)), int(rng.integers(12))
        return [first] * split + [second] * (count - split)
    return [int(v) for v in rng.integers(0, 12, count)]


def _pile_group(rng: np.random.Generator) -> list[tuple[Points, list[int]]]:
    count = int(rng.choice([1, 1, 1, 2, 2, 3, 5]))
    turn, pitch = rng.uniform(0, 2 * math.pi), rng.uniform(40, 52)
    line = np.column_stack([np.arange(count) * pitch, rng.normal(0, 6, count)])
    if rng.random() < 0.12:  # a player's stock: rows of piles behind one another
        rows = int(rng.integers(2, 4))
        line = np.vstack([line + np.array([row % 2 * pitch / 2, row * pitch * 0.88]) for row in range(rows)])
    return [(place, _pile_colours(rng)) for place in line @ spin(turn).T]


class _Places:
    """Gives out places for groups so that most of them do not lie on one another."""

    def __init__(self, rng: np.random.Generator, reach_mm: float) -> None:
        self._rng, self._reach = rng, reach_mm
        self._taken: list[tuple[Points, float]] = []

    def find(self, radius_mm: float) -> Points:
        """Return a place, free of other groups in most cases."""
        place = self._rng.uniform(-self._reach, self._reach, 2)
        for _ in range(0 if self._rng.random() < 0.12 else 14):
            if all(np.hypot(*(place - other)) > radius_mm + size for other, size in self._taken):
                break
            place = self._rng.uniform(-self._reach, self._reach, 2)
        self._taken.append((place, radius_mm))
        return np.asarray(place, np.float64)


def _add_cards(rng: np.random.Generator, scene: Scene, places: _Places, facing: float) -> None:
    chosen = rng.choice(len(_ARRANGEMENTS), p=[share for share, _ in _ARRANGEMENTS])
    group = _ARRANGEMENTS[chosen][1](rng)
    turn = facing + (rng.normal(0, 0.12) if rng.random() < 0.6 else rng.uniform(0, 2 * math.pi))
    middle = np.mean([card.xy_mm for card in group], axis=0)
    radius = 42 + max(float(np.hypot(*(card.xy_mm - middle))) for card in group)
    place = places.find(radius)
    for card in group:
        card.xy_mm = (card.xy_mm - middle) @ spin(turn).T + place
        card.turn += turn
    scene.cards.extend(group)


def random_scene(rng: np.random.Generator, view_mm: float) -> Scene:
    """Return an arrangement for a picture about ``view_mm`` wide; some hold no cards, a few nothing at all."""
    scene, reach = Scene(), view_mm * 0.52
    places = _Places(rng, reach)
    facing = rng.uniform(0, 2 * math.pi)
    crowd = min(14.0, max(0.8, (view_mm / 230.0) ** 2))
    empty = rng.random() if view_mm > _CLOSE_MM else rng.choice([0.05, 0.5])  # near views of chips or dice alone too
    if empty > 0.07:
        for _ in range(1 + rng.poisson(crowd * 0.6)):
            _add_cards(rng, scene, places, facing)
    if empty > 0.03 and rng.random() < 0.62:
        for _ in range(1 + rng.poisson(crowd * 0.4)):
            group, place = _pile_group(rng), places.find(40)
            scene.piles.extend((xy + place, colours) for xy, colours in group)
    if empty > 0.03:
        _add_extras(rng, scene, places)
    return scene


def _add_extras(rng: np.random.Generator, scene: Scene, places: _Places) -> None:
    if rng.random() < 0.27:
        place, side = places.find(30), rng.choice([12.0, 16.0, 16.0, 19.0, 25.0])
        for _ in range(int(rng.choice([1, 2, 3, 3, 6]))):
            scene.dice.append((place + rng.normal(0, side * 1.6, 2), side))
    if rng.random() < 0.08:
        scene.cups.append(places.find(50))
    if rng.random() < 0.3:
        scene.racks.append(places.find(120))
    scene.boxes.extend(places.find(70) for _ in range(int(rng.choice([0, 0, 0, 0, 1, 2]))))
    scene.hands.extend(places.find(1) * 0.8 for _ in range(int(rng.choice([0, 0, 0, 1, 1, 2]))))
    scene.clutter = int(rng.choice([0, 0, 0, 1, 2, 4]))
