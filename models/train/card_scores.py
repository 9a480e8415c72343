"""How well cards are read on art and photographs that training never saw: right, wrong, unread, calibration.

``python -m models.train.card_scores --scenes 4000 --photos FOLDER`` draws scenes from the two held-out decks and reads
them from rough boxes, as a detector gives them; FOLDER holds photographs with a ``boxes.csv``.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.card_corners import CornerRefiner
from models.card_reader import CardReader, CardReading
from models.train.card_crops import FACE_HEIGHT, detected_box, index_shares
from models.train.card_scene import draw_scene
from models.train.decks import Split, load_decks, reduced
from models.trained import CARD_WEIGHTS

Points = NDArray[np.float64]
Floats = NDArray[np.float64]
_VISIBLE: Final = 0.8


@dataclass(frozen=True, slots=True)
class Shown:
    """One card place: the picture, a rough box, the card that is there (None: no readable card), and its group."""

    picture_bgr: NDArray[np.uint8]
    box_px: Points
    card: str | None
    group: str
    quad_px: Points | None = None


def drawn_cards(split: Split, count: int, seed: int) -> Iterator[Shown]:
    """Yield card places of scenes drawn from a split's decks."""
    decks = [reduced(deck, height=FACE_HEIGHT) for deck in load_decks(split)]
    rng = np.random.default_rng([seed, 77])
    while count:
        scene = draw_scene(rng, decks)
        if scene is None:
            continue
        count -= 1
        box = detected_box(scene.quad_px, rng)
        long_px = np.linalg.norm(scene.quad_px[3] - scene.quad_px[0])
        size = "under 40 px" if long_px < 40 else "40-70 px" if long_px < 70 else "over 70 px"
        if scene.card is None:
            yield Shown(scene.picture_bgr, box, None, "no card", scene.quad_px)
            continue
        seen = max(index_shares(scene))
        group = size if seen >= _VISIBLE else "index covered"
        yield Shown(scene.picture_bgr, box, scene.card, group, scene.quad_px)


def photographed_cards(folder: Path) -> Iterator[Shown]:
    """Yield the labelled whole cards of a folder of photographs; the group is the set's prefix."""
    with (folder / "boxes.csv").open(encoding="utf-8", newline="") as rows:
        for row in csv.DictReader(rows):
            if row["kind"] != "card" or len(row["card"]) != 2:
                continue
            picture = np.asarray(cv2.imread(str(folder / row["file"])), np.uint8)
            yield Shown(picture, _labelled_box(row, picture), row["card"], row["file"].split("_")[0])


def _labelled_box(row: dict[str, str], picture: NDArray[np.uint8]) -> Points:
    """Return the labelled quad, or the bright rectangle inside the labelled upright box."""
    if row["quad"]:
        return np.asarray([[float(v) for v in pair.split(",")] for pair in row["quad"].split()], np.float64)
    x0, y0, x1, y1 = (round(float(row[key])) for key in ("x0", "y0", "x1", "y1"))
    part = cv2.cvtColor(picture[max(0, y0) : y1, max(0, x0) : x1], cv2.COLOR_BGR2GRAY)
    _, mask = cv2.threshold(part, thresh=0, maxval=255, type=cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    outlines, _ = cv2.findContours(mask, mode=cv2.RETR_EXTERNAL, method=cv2.CHAIN_APPROX_SIMPLE)
    largest = cv2.convexHull(max(outlines, key=cv2.contourArea))
    box = np.asarray(cv2.boxPoints(cv2.minAreaRect(largest)), np.float64)
    return np.asarray(box + np.array([max(0, x0), max(0, y0)]), np.float64)


@dataclass(slots=True)
class Score:
    """Counts of one group, and what calibration needs."""

    right: int = 0
    wrong: int = 0
    unread: int = 0
    sure: list[float] | None = None
    correct: list[bool] | None = None
    corner_errors: list[float] | None = None

    def line(self) -> str:
        """Return the score as one line of text."""
        count = max(1, self.right + self.wrong + self.unread)
        shares = (("right", self.right), ("wrong", self.wrong), ("unread", self.unread))
        text = f"{count:5d}" + "".join(f"  {name} {number / count:7.2%}" for name, number in shares)
        text += f"  ece {calibration_error(np.array(self.sure), np.array(self.correct)):.3f}"
        errors = self.corner_errors or []
        if errors:
            text += f"  corners off {np.median(errors):.3f}, {np.quantile(errors, 0.95):.3f} (median, 95 %)"
        return text


def calibration_error(sure: Floats, correct: NDArray[np.bool_]) -> float:
    """Return the expected calibration error over 15 equally filled bins."""
    bins = np.array_split(np.argsort(sure), 15)
    gaps = [len(b) * abs(sure[b].mean() - correct[b].mean()) for b in bins if len(b)]
    return float(sum(gaps) / max(1, len(sure)))


def scores(
    cards: Iterator[Shown], refiner: CornerRefiner, reader: CardReader, *, refine: bool = True
) -> dict[str, Score]:
    """Return the score of each group."""
    table: dict[str, Score] = {}
    for shown in cards:
        quad, error = shown.box_px, None
        if refine:
            quad = refiner.refine(shown.picture_bgr, shown.box_px[None])[0].quad_px
            error = None if shown.quad_px is None else corner_error(quad, shown.quad_px)
        reading = reader.read(shown.picture_bgr, quad[None])[0]
        score = table.setdefault(shown.group, Score(sure=[], correct=[], corner_errors=[]))
        _count(score, shown.card, reading)
        if error is not None and score.corner_errors is not None and shown.card is not None:
            score.corner_errors.append(error)
    return table


def _count(score: Score, card: str | None, reading: CardReading) -> None:
    if reading.card is None:
        score.unread += 1
    elif reading.card == card:
        score.right += 1
    else:
        score.wrong += 1
    best, sure = next(iter(reading.candidates.items()), ("", 0.0))
    if score.sure is not None and score.correct is not None:
        score.sure.append(sure)
        score.correct.append(best == card)


def corner_error(quad: Points, true: Points) -> float:
    """Return the mean distance of the corners as a share of the card's height, whichever way up."""
    height = max(np.linalg.norm(true[3] - true[0]), np.linalg.norm(true[1] - true[0]))
    ways = [np.linalg.norm(np.roll(quad, shift=k, axis=0) - true, axis=1).mean() for k in range(4)]
    return float(min(ways) / height)


def main() -> None:
    """Print the scores."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=2000)
    parser.add_argument("--split", choices=("calibration", "heldout"), default="heldout")
    parser.add_argument("--photos", type=Path)
    parser.add_argument("--weights", type=Path, default=CARD_WEIGHTS, help="folder of the networks")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    refiner, reader = CornerRefiner(folder=options.weights), CardReader(folder=options.weights)
    tables = {"drawn scenes": scores(drawn_cards(options.split, options.scenes, seed=5), refiner, reader)}
    if options.photos:
        tables["photographs"] = scores(photographed_cards(options.photos), refiner, reader)
        tables["photographs, boxes as they are"] = scores(
            photographed_cards(options.photos), refiner, reader, refine=False
        )
    for title, table in tables.items():
        print(title)
        for group, score in sorted(table.items()):
            print(f"  {group:14s} {score.line()}")


if __name__ == "__main__":
    main()
