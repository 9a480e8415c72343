"""Training crops of cards, in shards: what the corner network and the two readers see, with the truth.

``python -m models.train.card_crops`` writes shards until there are enough; it may be stopped and started again at any
moment, and gives the same crops for the same seed whatever happened in between.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from audit.cards import RANKS, SUITS
from models.card_views import REFINE_BOX, corner_view, refine_view, turned, whole_view
from models.train.card_scene import CardScene, draw_scene
from models.train.decks import Deck, Split, load_decks, reduced

SHARD: Final = 1024
FORMAT: Final = 2  # of the crops: raise it when they change
FACE_HEIGHT: Final = 200
NONE_RANK: Final = len(RANKS)
IGNORED: Final = -1

Points = NDArray[np.float64]
Crops = dict[str, NDArray[np.generic]]

_READABLE, _HIDDEN = 0.8, 0.35  # shares of an index's print that must, and may not, be seen
_MOSTLY_SEEN: Final = 0.9
_FIRST_PASS: Final = 0.55


def make_crops(scene: CardScene, rng: np.random.Generator) -> Crops:
    """Return the four views of a scene's card and their truth.

    ``whole``, ``corners`` (2 ends), ``refine`` are BGR pictures; ``rank`` (3,) and ``suit`` (3,) belong to the whole
    view and the two ends, ``IGNORED`` where it is undecided whether the print can be read; ``target`` (8,) are the
    true corners in the refine view, px; ``sideways`` whether the card lies across in it, ``face`` whether it is a face.
    """
    misplaced = scene.card is not None and scene.alone and rng.random() < 0.1
    quad = _misplaced(scene.quad_px, rng) if misplaced else _jittered(scene.quad_px, rng)
    if rng.random() < 0.5:
        quad = turned(quad)
    ends = (quad, turned(quad))
    seen = index_shares(scene)
    if _turned_over(scene, quad):
        seen = seen[::-1]
    rank, suit = _labels(scene, seen, misplaced=misplaced)
    refine, target, sideways = _refine_crop(scene, rng)
    return {
        "whole": whole_view(scene.picture_bgr, quad),
        "corners": np.stack([corner_view(scene.picture_bgr, end) for end in ends]),
        "refine": refine,
        "rank": np.array(rank, np.int64),
        "suit": np.array(suit, np.int64),
        "target": target.astype(np.float32).ravel(),
        "sideways": np.array(sideways, np.int64),
        "face": np.array(scene.card is not None, np.int64),
        "long_px": np.array(np.linalg.norm(scene.quad_px[3] - scene.quad_px[0]), np.float32),
    }


def _turned_over(scene: CardScene, quad: Points) -> bool:
    """Return whether the jittered quad is the true one turned by half."""
    return bool(np.abs(turned(scene.quad_px) - quad).sum() < np.abs(scene.quad_px - quad).sum())


def _card_space(mask: NDArray[np.uint8], quad: Points) -> NDArray[np.uint8]:
    """Return a mask of the picture as it lies on the upright card, (96, 64)."""
    corners = np.array([[0, 0], [64, 0], [64, 96], [0, 96]], np.float32)
    warp = cv2.getPerspectiveTransform(quad.astype(np.float32), corners)
    return np.asarray(cv2.warpPerspective(mask, warp, (64, 96), flags=cv2.INTER_LINEAR), np.uint8)


def _index_seen(scene: CardScene, quad: Points) -> float:
    """Return which share of the print of the top-left corner is uncovered and inside the picture."""
    uncovered = _card_space(scene.uncovered, quad)[:30, :14] > 127
    ink = scene.ink[:30, :14] > 0
    return float(uncovered[ink].mean()) if ink.any() else 0.0


def index_shares(scene: CardScene) -> tuple[float, float]:
    """Return which shares of the print of the card's two indices can be seen."""
    return _index_seen(scene, scene.quad_px), _index_seen(scene, turned(scene.quad_px))


def _labels(scene: CardScene, seen: Sequence[float], *, misplaced: bool) -> tuple[list[int], list[int]]:
    """Return rank and suit of the whole view and of the two ends."""
    if scene.card is None or misplaced:
        return [NONE_RANK] * 3, [IGNORED] * 3
    rank, suit = RANKS.index(scene.card[0]), SUITS.index(scene.card[1])
    whole_seen = float((_card_space(scene.uncovered, scene.quad_px) > 127).mean())
    sure = 1.0 if whole_seen >= _MOSTLY_SEEN else max(seen)
    ranks = [rank if s >= _READABLE else NONE_RANK if s < _HIDDEN else IGNORED for s in (sure, *seen)]
    return ranks, [suit if r == rank else IGNORED for r in ranks]


def _jittered(quad: Points, rng: np.random.Generator) -> Points:
    """Return the quad with the errors that remain after the corners have been found."""
    height = np.linalg.norm(quad[3] - quad[0])
    spread = rng.choice([0.008, 0.014, 0.026], p=[0.45, 0.4, 0.15])
    together = rng.normal(0, spread, (1, 2)) * height
    return np.asarray(quad + together * 0.7 + rng.normal(0, spread, (4, 2)) * height * 0.7, np.float64)


def _misplaced(quad: Points, rng: np.random.Generator) -> Points:
    """Return a quad that lies mostly beside the card, as from a detection of nothing."""
    along, across = quad[3] - quad[0], quad[1] - quad[0]
    side = rng.choice([-1, 1]) * rng.uniform(0.5, 1.0)
    other = rng.uniform(-0.6, 0.6)
    move = side * along + other * across if rng.random() < 0.5 else side * across + other * along
    return np.asarray(quad + move, np.float64)


def _refine_crop(scene: CardScene, rng: np.random.Generator) -> tuple[NDArray[np.uint8], Points, bool]:
    """Return the picture for the corner network, the true corners in it, and whether the card lies across."""
    box = detected_box(scene.quad_px, rng) if rng.random() < _FIRST_PASS else _nearly(scene.quad_px, rng)
    view, to_frame = refine_view(scene.picture_bgr, box)
    truth = cv2.perspectiveTransform(scene.quad_px[None], np.linalg.inv(to_frame))[0]
    left, top, right, bottom = REFINE_BOX
    nominal = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
    rolled = [np.roll(truth, shift=-k, axis=0) for k in range(4)]
    k = int(np.argmin([np.abs(r - nominal).sum() for r in rolled]))
    return view, rolled[k], k % 2 == 1


def detected_box(quad: Points, rng: np.random.Generator) -> Points:
    """Return an oriented box around the quad as a detector gives it: roughly there, its long side upright."""
    centre, (width, height), angle = cv2.minAreaRect(quad.astype(np.float32))
    spread = rng.choice([0.02, 0.05], p=[0.65, 0.35])
    width, height = np.array([width, height]) * np.exp(rng.normal(0, spread * 1.3, 2))
    centre = np.array(centre) + rng.normal(0, spread, 2) * max(width, height)
    angle += rng.normal(0, 100 * spread)
    box = cv2.boxPoints(((float(centre[0]), float(centre[1])), (float(width), float(height)), float(angle)))
    return upright(np.asarray(box, np.float64), int(rng.integers(2)))


def upright(box: Points, half_turn: int = 0) -> Points:
    """Return the corners of a box such that the first edge is a short one."""
    if np.linalg.norm(box[1] - box[0]) > np.linalg.norm(box[2] - box[1]):
        box = np.roll(box, shift=-1, axis=0)
    return turned(box) if half_turn else box


def _nearly(quad: Points, rng: np.random.Generator) -> Points:
    """Return the quad as the first pass of the corner network leaves it."""
    height = np.linalg.norm(quad[3] - quad[0])
    spread = rng.choice([0.015, 0.04], p=[0.7, 0.3]) * height
    moved = quad + rng.normal(0, spread, (1, 2)) + rng.normal(0, spread, (4, 2)) * 0.7
    return turned(moved) if rng.random() < 0.5 else np.asarray(moved, np.float64)


def crops(decks: Sequence[Deck], rng: np.random.Generator) -> Iterator[Crops]:
    """Yield crops without end."""
    while True:
        scene = draw_scene(rng, decks)
        if scene is not None:
            yield make_crops(scene, rng)


def make_shard(decks: Sequence[Deck], *, seed: int, number: int) -> Crops:
    """Return the crops of one shard, each key stacked."""
    source = crops(decks, np.random.default_rng([seed, number]))
    rows = [next(source) for _ in range(SHARD)]
    return {key: np.stack([row[key] for row in rows]) for key in rows[0]}


def shard_folder(split: Split, datasets: Path | None = None) -> Path:
    """Return where the shards of a split lie."""
    base = datasets or Path(os.environ.get("CATWALK_DATASETS", "datasets"))
    return base / f"card-crops-{FORMAT}" / split


def write_shards(split: Split, *, seed: int, first: int, last: int) -> None:
    """Write the shards from ``first`` up to ``last``, passing over those that exist."""
    folder = shard_folder(split)
    decks = [reduced(deck, height=FACE_HEIGHT) for deck in load_decks(split)]
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(first, last):
        path = folder / f"{number:04d}.npz"
        if path.exists():
            continue
        with tempfile.NamedTemporaryFile(dir=folder, suffix=".part", delete=False) as part:
            np.savez(part, **make_shard(decks, seed=seed, number=number))  # type: ignore[arg-type]  # any key
        Path(part.name).replace(path)
        print(f"wrote {path.name} of {split}", flush=True)


def main() -> None:
    """Write the shards that the arguments ask for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--split", choices=("train", "calibration", "heldout"), default="train")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--last", type=int, default=100, help=f"shards of {SHARD} crops; the last is not included")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    write_shards(options.split, seed=options.seed, first=options.first, last=options.last)


if __name__ == "__main__":
    main()
