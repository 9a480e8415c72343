"""Continues the training of the card readers with photographs among the drawn cards.

``python -m models.train.card_photographs FOLDER``: FOLDER holds photographs and a ``boxes.csv`` as
``models.train.card_photo_scores`` reads it. The networks begin with the weights of ``--further``, those shipped if
there are none. With ``--fold`` 0 or 1 half of the photographs are kept out, so that they can measure.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from audit.cards import RANKS, SUITS
from models.card_corners import CornerRefiner
from models.card_views import corner_view, turned, whole_view
from models.detection import Detector
from models.train.card_crops import IGNORED, Crops, shard_folder
from models.train.card_nets import CardNet, reader_loss
from models.train.card_photo_scores import NEEDS_OLDER, kept_out, labelled, misfit
from models.train.card_reader import PREPARE, calibrate, export, with_weights, write_manifest
from models.train.loop import Plan, Shard, train
from models.train.shipped import between
from models.trained import CARD_WEIGHTS

Points = NDArray[np.float64]
_NEAR: Final = {"card": 0.12, "corner": 0.1}
_LOOKS: Final = 24  # of each card, its corners a little off in another way each time
_AMONG: Final = 220  # photographed crops among a shard of drawn ones
_SPREAD: Final = (0.006, 0.012, 0.022)
_READERS: Final = ("whole", "corner")
_RATE: Final = 8e-4
_WAY: Final = 0.3  # halfway, a queen of a deck that was never trained with was no longer read


def photographed(folder: Path, fold: int | None) -> Iterator[Crops]:
    """Yield the crops of each labelled card whose corners are found, ``_LOOKS`` of each."""
    rng = np.random.default_rng(3)
    for frame, quad, card, index_px in found_cards(folder, fold):
        yield crops_of_card(frame, quad, card, rng, index_px=index_px)


def found_cards(
    folder: Path, fold: int | None, *, files: Collection[str] | None = None
) -> Iterator[tuple[NDArray[np.uint8], Points, str, Points | None]]:
    """Yield each labelled card whose corners are found: the photograph, corners (4, 2), code, and middle of its index.

    Where the label is of the whole card the last is None. With ``files`` only these photographs are looked at.
    """
    detector, refiner = Detector(), CornerRefiner()
    cards = labelled(folder)
    for file in sorted((set(cards) if files is None else set(cards) & set(files)) - kept_out(cards, fold)):
        frame = np.asarray(cv2.imread(str(folder / file)), np.uint8)
        found = detector.detect(frame)
        boxes = [np.asarray(box) for box, kind in zip(found.polygons_px, found.kinds, strict=True) if kind == "card"]
        quads = [corners.quad_px for corners in refiner.refine(frame, np.array(boxes).reshape(-1, 4, 2))]
        for card, kind, middle in cards[file]:
            misfits = [misfit(quad, kind, middle) for quad in quads]
            if misfits and min(misfits) < _NEAR[kind]:
                yield frame, quads[int(np.argmin(misfits))], card, None if kind == "card" else middle


def crops_of_card(
    frame: NDArray[np.uint8], quad: Points, card: str, rng: np.random.Generator, *, index_px: Points | None
) -> Crops:
    """Return several crops of one card; with a labelled index (2,) nothing is said of the end that has none."""
    rank, suit = RANKS.index(card[0]), SUITS.index(card[1])
    if index_px is not None:
        quad = min(quad, turned(quad), key=lambda end: float(np.linalg.norm(end[0] - index_px)))
    height = float(np.linalg.norm(quad[3] - quad[0]))
    wholes, corners = [], []
    for _ in range(_LOOKS):
        spread = rng.choice(_SPREAD) * height
        near = quad + rng.normal(0, spread, (1, 2)) * 0.7 + rng.normal(0, spread, (4, 2)) * 0.7
        wholes.append(whole_view(frame, near if rng.random() < 0.5 else turned(near)))
        corners.append(np.stack([corner_view(frame, end) for end in (near, turned(near))]))
    other = (rank, suit) if index_px is None else (IGNORED, IGNORED)
    return {
        "whole": np.stack(wholes),
        "corners": np.stack(corners),
        "rank": np.tile([rank, rank, other[0]], (_LOOKS, 1)),
        "suit": np.tile([suit, suit, other[1]], (_LOOKS, 1)),
        "long_px": np.full(_LOOKS, max(height, 100.0), np.float32),
    }


def among(shard: Shard, progress: float, *, prepare: Callable[[Shard, float], Crops], photos: Crops) -> Crops:
    """Return what a reader learns from: a shard of drawn cards and some photographed ones."""
    rng = np.random.default_rng(int(progress * 1e6))
    rows = rng.choice(len(photos["whole"]), _AMONG)
    kept: Mapping[str, Any] = {key: np.concatenate([shard[key], photos[key][rows]]) for key in photos}
    return prepare(kept, max(progress, 0.5))


def continued(name: str, photos: Crops, *, samples: int, further: Path, out: Path) -> CardNet:
    """Return a reader trained further: its weights are a part of the way between those before and after.

    There it reads the photographed decks as well, and forgets less of the drawn ones.
    """
    network = with_weights(name, further)
    before = {key: value.clone() for key, value in network.state_dict().items()}
    plan = Plan(name=name, shards=shard_folder("train"), samples=samples, shift=0.025, learning_rate=_RATE, seed=5)
    prepare = partial(among, prepare=PREPARE[name], photos=photos)
    trained: CardNet = train(plan, network, reader_loss, prepare=prepare, checkpoint=out / f"{name}.pt")
    trained.load_state_dict(between(before, trained.state_dict(), _WAY))
    trained.eval()
    return trained


def main() -> None:
    """Find the cards in the photographs, train further, calibrate, export."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--fold", type=int, choices=(0, 1), help="keep this half out")
    parser.add_argument("--samples", type=int, default=60_000)
    parser.add_argument("--weights", type=Path, required=True, help="folder for the weights")
    parser.add_argument("--further", type=Path, default=CARD_WEIGHTS, help="folder of the weights to begin with")
    options = parser.parse_args()
    if options.fold is not None and options.further == CARD_WEIGHTS:
        parser.error(NEEDS_OLDER)
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
    cv2.setNumThreads(1)
    parts = list(photographed(options.folder, options.fold))
    photos: Crops = {key: np.concatenate([part[key] for part in parts]) for key in parts[0]}
    print(f"{len(parts)} photographed cards", flush=True)
    networks = {}
    for name in _READERS:
        networks[name] = continued(name, photos, samples=options.samples, further=options.further, out=options.weights)
        export(networks[name], name, options.weights)
    write_manifest(options.weights, calibrate(networks))


if __name__ == "__main__":
    main()
