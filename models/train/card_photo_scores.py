"""Cards found and read on whole photographs, as ``catwalk read`` does it, against labelled cards or indices.

``python -m models.train.card_photo_scores FOLDER``: FOLDER holds photographs and a ``boxes.csv`` whose boxes are whole
cards (``card``) or printed indices (``corner``). Cards without a label are not counted.
"""

from __future__ import annotations

import argparse
import csv
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.card_views import INDEX_AT
from models.eyes import load_eyes
from models.sighting import Sighting
from models.trained import CARD_WEIGHTS

Points = NDArray[np.float64]
Label = tuple[str, str, Points]
"""A card's code, the kind of its label, and the middle of that."""
NEEDS_OLDER: Final = (
    "expected --further with weights from before any photograph, found none: those shipped have learnt from both halves"
)
_SETS: Final = ("mb", "ed", "am_WIN", "am_IMG")
_NEAR: Final = {"corner": 0.3, "card": 0.25}


def labelled(folder: Path) -> dict[str, list[Label]]:
    """Return by file the labelled cards: code, kind of the label, middle of its box."""
    labels: dict[str, list[Label]] = defaultdict(list)
    with (folder / "boxes.csv").open(encoding="utf-8", newline="") as rows:
        for row in csv.DictReader(rows):
            x0, y0, x1, y1 = (float(row[key]) for key in ("x0", "y0", "x1", "y1"))
            if len(row["card"]) == 2:
                middle = np.array([(x0 + x1) / 2, (y0 + y1) / 2])
                labels[row["file"]].append((row["card"], row["kind"], middle))
    return labels


def kept_out(files: Iterable[str], fold: int | None) -> frozenset[str]:
    """Return the photographs of the half that is kept out: every second layout, two frames of one go together."""
    if fold is None:
        return frozenset()
    layouts = {file: _layout(file) for file in files}
    order = sorted(set(layouts.values()))
    return frozenset(file for file, layout in layouts.items() if order.index(layout) % 2 == fold)


def _layout(file: str) -> str:
    """Return what frames of one layout share: of the webcam's files, an odd number and the even one after it."""
    stem = Path(file).stem
    name = stem.rstrip("0123456789")
    number = stem.removeprefix(name)
    return f"{name}{(int(number) + 1) // 2}" if name.startswith("mb_") and number else stem


def misfit(quad: Points, kind: str, middle: Points) -> float:
    """Return how far a label is from where this card has it, in shares of the card."""
    if kind == "card":
        return float(np.linalg.norm(quad.mean(axis=0) - middle) / np.linalg.norm(quad[2] - quad[0]))
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    to_card = cv2.getPerspectiveTransform(quad.astype(np.float32), unit).astype(np.float64)
    place = cv2.perspectiveTransform(middle[None, None], to_card)[0, 0]
    place = 1 - place if place[1] > 0.5 else place
    return float(np.abs(place - np.array(INDEX_AT)).sum())


def misfit_either_way(quad: Points, kind: str, middle: Points) -> float:
    """Return the misfit in the order of corners that suits: a squeezed card may look wider than it is long."""
    return min(misfit(quad, kind, middle), misfit(np.roll(quad, 1, axis=0), kind, middle))


def answers(cards: Sequence[Sighting], labels: Sequence[Label]) -> list[str]:
    """Return whether each labelled card was read right or wrong, left unread, or missed.

    A card found answers for one label of each of its corners, the nearest ones first: where two cards' indices are
    close together, the one that was found does not answer for the other.
    """
    told, taken = ["missed"] * len(labels), set()
    fits = [
        (misfit_either_way(card.polygon_px, kind, middle), number, index)
        for number, (_, kind, middle) in enumerate(labels)
        for index, card in enumerate(cards)
    ]
    for off, number, index in sorted(fits):
        code, kind, middle = labels[number]
        place = (index, _corner(cards[index], middle) if kind == "corner" else None)
        if off <= _NEAR[kind] and told[number] == "missed" and place not in taken:
            taken.add(place)
            read = cards[index].face
            told[number] = "unread" if read is None else "right" if read == code else "wrong"
    return told


def _corner(card: Sighting, middle: Points) -> int:
    """Return which of a card's corners is nearest."""
    return int(np.linalg.norm(card.polygon_px - middle, axis=1).argmin())


def main() -> None:
    """Print the shares for each set of photographs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--weights", type=Path, default=CARD_WEIGHTS, help="folder of the readers' weights")
    parser.add_argument("--fold", type=int, choices=(0, 1), help="only the half that was kept out of training")
    options = parser.parse_args()
    folder: Path = options.folder
    cv2.setNumThreads(1)
    eyes = load_eyes(card_weights=options.weights)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    cards = labelled(folder)
    for file in sorted(cards if options.fold is None else kept_out(cards, options.fold)):
        frame = np.asarray(cv2.imread(str(folder / file)), np.uint8)
        seen = [one for one in eyes.look(frame) if one.kind == "card"]
        group = next(name for name in _SETS if file.startswith(name))
        counts[group].update(answers(seen, cards[file]))
    for group, count in counts.items():
        total = sum(count.values())
        shares = (f"{key} {count[key] / total:.1%}" for key in ("right", "wrong", "unread", "missed"))
        print(f"{group:8s} {total:4d} ", *shares)


if __name__ == "__main__":
    main()
