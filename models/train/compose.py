"""Composes labelled pictures of casino tables: the volume that the object detector learns from.

Everything follows from a seed. Labels are amodal: the rectangle around the whole object, also where something
covers it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.kinds import KINDS
from models.train.compose_art import DeckArt, blank_card, drawn_back, pyramid
from models.train.compose_canvas import NOBODY, Canvas, Image, Points, Stage
from models.train.compose_chips import draw_pile, draw_rack
from models.train.compose_clutter import draw_clutter
from models.train.compose_finish import finish
from models.train.compose_hands import draw_hand
from models.train.compose_solids import DIE_STYLES, box_along, draw_box, draw_cup, draw_die
from models.train.compose_surface import random_surface
from models.train.scene import CARD_MM, Scene, SceneCard, random_scene
from models.train.scene_camera import random_camera

PICTURE_PX: Final = 320
_CANVAS_PX: Final = 416
_LEAST_SHARE: Final = {"card": 0.12, "card_back": 0.15, "die": 0.3, "chips": 0.2, "hand": 0.1, "dice_cup": 0.3}
_LEAST_HAND_PX: Final = 60
_CUT_CARDS: Final = 0.02
_INDEX_MM: Final = np.array([[5.0, 6.0], [9.0, 6.0], [5.0, 13.0], [9.0, 13.0], [5.0, 20.0], [9.0, 20.0]])


@dataclass(frozen=True, kw_only=True)
class Label:
    """One object of a picture: its kind and its whole outline as a rectangle (4, 2) in pixels."""

    kind: str
    polygon_px: Points


@dataclass(kw_only=True)
class _Painter:
    """Paints one scene and remembers what each object number stands for."""

    stage: Stage
    decks: list[DeckArt]
    drawn: list[tuple[str, Points, SceneCard | None]] = field(default_factory=list)

    def number(self, kind: str, outline: Points, card: SceneCard | None = None) -> int:
        self.drawn.append((kind, outline, card))
        return len(self.drawn)

    def paint(self, scene: Scene) -> None:
        stage, rng = self.stage, self.stage.rng
        draw_clutter(stage, scene.clutter)
        for place in scene.racks:
            draw_rack(stage, place, rng.uniform(0, 2 * math.pi))
        self._cards(scene.cards)
        for place in scene.boxes:
            size = (rng.uniform(50, 130), rng.uniform(60, 300), rng.uniform(10, 120))
            lid = draw_box(stage, place, size, rng.uniform(0, 2 * math.pi))
            if rng.random() < 0.3:  # glass and acrylic throw back the lamps
                stage.canvas.shade(lid, -0.4, 3)
        self._solids(scene)
        for place in scene.hands:
            draw_hand(stage, place, self.number("hand", np.zeros((4, 2))))
            if rng.random() < 0.12:
                turn, lift = rng.uniform(0, 2 * math.pi), rng.uniform(10, 60, 4)
                self._cards([SceneCard(xy_mm=place, turn=turn, face_up=bool(rng.random() < 0.6), lift_mm=lift)])

    def _cards(self, cards: list[SceneCard]) -> None:
        canvas, camera, rng = self.stage
        deck = self.decks[rng.integers(len(self.decks))]
        back = pyramid(drawn_back(rng)) if rng.random() < 0.5 else deck.back()
        strength, gain = rng.uniform(0, 0.5), rng.uniform(0.86, 1.06)
        thrown = rng.normal(0, 1.3, 2) * max(1.0, camera.px_per_mm)
        for card in cards:
            quad = camera.project(card.corners_mm())
            canvas.shade(quad + thrown, strength, 1 + camera.px_per_mm * 1.5)
            if rng.random() < _CUT_CARDS:
                sizes, ident = pyramid(blank_card(rng)), NOBODY
            else:
                sizes = deck.face(int(rng.integers(52))) if card.face_up else back
                ident = self.number("card" if card.face_up else "card_back", quad, card)
            canvas.warp(fitting_size(sizes, quad), quad, ident, gain)

    def _solids(self, scene: Scene) -> None:
        """Draw what stands on the table, the farthest first."""
        _, camera, rng = self.stage
        style = int(rng.integers(DIE_STYLES))
        todo: list[tuple[Points, str, Callable[[int], Points]]] = []
        todo.extend((xy, "chips", partial(draw_pile, self.stage, xy, colours)) for xy, colours in scene.piles)
        for xy, side in scene.dice:
            chosen = style if rng.random() < 0.7 else int(rng.integers(DIE_STYLES))
            todo.append((xy, "die", partial(draw_die, self.stage, xy, side, chosen)))
        todo.extend((xy, "dice_cup", partial(draw_cup, self.stage, xy)) for xy in scene.cups)
        for xy, kind, draw in sorted(todo, key=lambda thing: -float(camera.projection[2, :2] @ thing[0])):
            ident = self.number(kind, np.zeros((4, 2)))
            outline = draw(ident)
            box = smallest_box(outline) if kind == "die" else box_along(outline, camera.up_at(xy))
            self.drawn[ident - 1] = (kind, box, None)

    def labels(self) -> list[Label]:
        """Return the labels of what can be seen."""
        shown = np.bincount(self.stage.canvas.ids.ravel(), minlength=len(self.drawn) + 1)
        found = []
        for ident, (kind, outline, card) in enumerate(self.drawn, start=1):
            if kind == "hand":
                found.extend(self._hand_label(ident))
                continue
            area = abs(cv2.contourArea(outline.astype(np.float32)))
            corner = card is not None and card.face_up and self._index_shows(card, ident)
            if shown[ident] >= 6 and (
                shown[ident] >= _LEAST_SHARE[kind] * area or (corner and shown[ident] >= 0.05 * area)
            ):
                found.append(Label(kind=kind, polygon_px=smallest_box(outline)))
        return found

    def _hand_label(self, ident: int) -> list[Label]:
        """Label what of an arm lies in the picture: nobody knows how far it reaches outside."""
        points = cv2.findNonZero((self.stage.canvas.ids == ident).astype(np.uint8))
        if points is None or len(points) < _LEAST_HAND_PX:
            return []
        return [Label(kind="hand", polygon_px=smallest_box(points.reshape(-1, 2).astype(np.float64)))]

    def _index_shows(self, card: SceneCard, ident: int) -> bool:
        """Say whether most of one of the two index corners shows."""
        for index in (_INDEX_MM, np.array(CARD_MM) - _INDEX_MM):
            share = index / np.array(CARD_MM)
            corners = card.corners_mm()
            points = corners[0] + share[:, :1] * (corners[1] - corners[0]) + share[:, 1:] * (corners[3] - corners[0])
            x, y = np.round(self.stage.camera.project(points)).astype(int).T
            inside = (x >= 0) & (y >= 0) & (x < self.stage.canvas.size) & (y < self.stage.canvas.size)
            if inside.all() and np.mean(self.stage.canvas.ids[y, x] == ident) >= 0.6:
                return True
        return False


def fitting_size(sizes: list[Image], quad: Points) -> Image:
    """Return the smallest art that is not smaller than it will be shown."""
    long_px = max(np.hypot(*(quad[3] - quad[0])), np.hypot(*(quad[2] - quad[1])))
    fitting = [art for art in sizes if art.shape[0] >= long_px]
    return fitting[-1] if fitting else sizes[0]


def smallest_box(points: Points) -> Points:
    """Return the smallest rectangle (4, 2) around points."""
    return np.asarray(cv2.boxPoints(cv2.minAreaRect(points.astype(np.float32))), np.float64)


def compose(seed: tuple[int, ...], decks: list[DeckArt], size: int = PICTURE_PX) -> tuple[Image, list[Label]]:
    """Return a BGR picture (size, size, 3) and the labels of what lies on it; the same for the same seed."""
    rng = np.random.default_rng(seed)
    canvas_px = round(size * _CANVAS_PX / PICTURE_PX)
    camera = random_camera(rng, canvas_px)
    canvas = Canvas(random_surface(rng, camera))
    painter = _Painter(stage=Stage(canvas, camera, rng), decks=decks)
    painter.paint(random_scene(rng, canvas_px / camera.px_per_mm))
    scale = size / canvas_px
    labels = [Label(kind=label.kind, polygon_px=label.polygon_px * scale) for label in painter.labels()]
    return finish(rng, canvas.image, size), labels


def label_rows(labels: list[Label], size: int) -> NDArray[np.float32]:
    """Return labels as rows (n, 6): kind, then centre, width and height as shares of the picture, angle in radians."""
    rows = []
    for label in labels:
        (x, y), (width, height), angle = cv2.minAreaRect(label.polygon_px.astype(np.float32))
        rows.append([KINDS.index(label.kind), x / size, y / size, width / size, height / size, math.radians(angle)])
    return np.asarray(rows, np.float32).reshape(-1, 6)
