"""Measures the detector on composed pictures of other decks and on photographs.

    python -m models.train.compose_shards --folder datasets/tables --split heldout --count 2
    python -m models.train.evaluate_detector --shards datasets/tables --split heldout
    python -m models.train.evaluate_detector --photographs FOLDER

A folder of photographs has ``boxes.csv`` (file, card, kind, x0, y0, x1, y1, quad, …). A rectangle is found if a
detection of its kind overlaps it by at least half; of a label that is only a card's index, the middle must lie in the
corner of a detected card.
"""

from __future__ import annotations

import argparse
import csv
import json
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.detection import Detections, Detector
from models.kinds import KINDS
from models.stretched import overlap
from models.train.compose_shards import read_shard
from models.trained import DETECTOR_WEIGHTS

_HIT: Final = 0.5
_COVERED_BY: Final = 0.25  # a card that another rectangle overlaps so far is counted as overlapped too
_CORNER_SHARE: Final = 0.45  # of a card's half diagonal: how far from a corner its index may lie

Polygon = NDArray[np.float32]


@dataclass(kw_only=True)
class Tally:
    """What was found of one kind, at every confidence."""

    labels: int = 0
    hits: list[tuple[float, float]] = field(default_factory=list)  # confidence, overlap
    extras: list[float] = field(default_factory=list)

    def scores(self, threshold: float) -> dict[str, float]:
        """Return recall, precision and mean overlap at a threshold."""
        hits = [overlap for confidence, overlap in self.hits if confidence >= threshold]
        extras = sum(confidence >= threshold for confidence in self.extras)
        return {
            "labels": self.labels,
            "recall": round(len(hits) / max(1, self.labels), 4),
            "precision": round(len(hits) / max(1, len(hits) + extras), 4),
            "overlap": round(float(np.mean(hits)) if hits else 0.0, 3),
        }


def match(labels: list[Polygon], found: Detections) -> tuple[list[tuple[int, int, float]], list[int]]:
    """Pair labels with detections of one kind; return pairs (label, detection, overlap) and detections left over."""
    free, pairs, rest = set(range(len(labels))), [], []
    for k, polygon in enumerate(found.polygons_px):
        best = max(free, key=lambda n: overlap(labels[n], polygon), default=None)
        share = 0.0 if best is None else overlap(labels[best], polygon)
        if best is not None and share >= _HIT:
            free.remove(best)
            pairs.append((best, k, share))
        else:
            rest.append(k)
    return pairs, rest


def _label_polygons(rows: NDArray[np.float32], size: int) -> list[tuple[str, Polygon]]:
    boxes = [
        ((r[1] * size, r[2] * size), (r[3] * size, r[4] * size), float(np.degrees(r[5]))) for r in rows.astype(float)
    ]
    return [(KINDS[int(r[0])], np.asarray(cv2.boxPoints(b), np.float32)) for r, b in zip(rows, boxes, strict=True)]


def composed(detector: Detector, shards: list[Path], most: int) -> dict[str, Tally]:
    """Tally composed pictures, one look each; "card overlapped" counts the labels of cards that overlap other cards."""
    tallies: dict[str, Tally] = defaultdict(Tally)
    pictures = (sample for path in shards for sample in read_shard(path))
    for (jpeg, rows), _ in zip(pictures, range(most), strict=False):
        image = np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), np.uint8)
        size = image.shape[0]
        found = detector.detect(image, [(0.0, 0.0, float(size), float(size))])
        labels = _label_polygons(rows, size)
        for kind in KINDS:
            _count(tallies, kind, [polygon for name, polygon in labels if name == kind], found.of(kind))
    return tallies


def _count(tallies: dict[str, Tally], kind: str, wanted: list[Polygon], seen: Detections) -> None:
    pairs, rest = match(wanted, seen)
    tallies[kind].labels += len(wanted)
    tallies[kind].hits += [(float(seen.confidences[k]), share) for _, k, share in pairs]
    tallies[kind].extras += [float(seen.confidences[k]) for k in rest]
    if kind != "card":
        return
    crowded = {
        n
        for n, polygon in enumerate(wanted)
        if any(m != n and overlap(polygon, other) > _COVERED_BY for m, other in enumerate(wanted))
    }
    tallies["card overlapped"].labels += len(crowded)
    tallies["card overlapped"].hits += [(float(seen.confidences[k]), share) for n, k, share in pairs if n in crowded]


def photographs(detector: Detector, folder: Path) -> Iterator[tuple[str, Tally, float]]:
    """Yield (file, tally of its cards, seconds); a folder whose boxes name colours holds chips."""
    by_file: dict[str, list[dict[str, str]]] = defaultdict(list)
    with (folder / "boxes.csv").open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            by_file[row["file"]].append(row)
    for name, rows in by_file.items():
        image = np.asarray(cv2.imread(str(folder / name), cv2.IMREAD_COLOR), np.uint8)
        start = time.perf_counter()
        found = detector.detect(image)
        seconds = time.perf_counter() - start
        yield name, _photograph(rows, found), seconds


def _photograph(rows: list[dict[str, str]], found: Detections) -> Tally:
    tally = Tally()
    if rows[0].get("kind") == "corner":
        cards, owners = found.of("card"), set()
        tally.labels = len(rows)
        for row in rows:
            at = np.array([float(row["x0"]) + float(row["x1"]), float(row["y0"]) + float(row["y1"])]) / 2
            holders = [k for k, polygon in enumerate(cards.polygons_px) if index_lies_in(polygon, at)]
            owners.update(holders)
            tally.hits += [(float(cards.confidences[k]), 1.0) for k in holders[:1]]
        tally.extras += [float(cards.confidences[k]) for k in range(len(cards)) if k not in owners]
        return tally
    wanted = [_outline(row) for row in rows]
    seen = found.of("card" if "card" in rows[0] else "chips")
    pairs, rest = match(wanted, seen)
    tally.labels = len(wanted)
    tally.hits = [(float(seen.confidences[k]), share) for _, k, share in pairs]
    tally.extras = [float(seen.confidences[k]) for k in rest]
    return tally


def _outline(row: dict[str, str]) -> Polygon:
    if row.get("quad"):
        return np.array([point.split(",") for point in row["quad"].split()], np.float32)
    x0, y0, x1, y1 = (float(row[key]) for key in ("x0", "y0", "x1", "y1"))
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float32)


def index_lies_in(card: Polygon, at_px: NDArray[np.float64]) -> bool:
    """Say whether a point lies where an index of the card may be: inside and near a corner."""
    if cv2.pointPolygonTest(card, (float(at_px[0]), float(at_px[1])), measureDist=False) < 0:
        return False
    half = float(np.hypot(*(card[0] - card[2]))) / 2
    return bool(np.hypot(*(card - at_px).T).min() < _CORNER_SHARE * half)


def _pooled(tallies: list[Tally]) -> Tally:
    return Tally(
        labels=sum(t.labels for t in tallies),
        hits=[hit for t in tallies for hit in t.hits],
        extras=[extra for t in tallies for extra in t.extras],
    )


def main() -> None:
    """Print one JSON line for each kind or group of photographs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, default=DETECTOR_WEIGHTS)
    parser.add_argument("--shards", type=Path)
    parser.add_argument("--split", choices=("calibration", "heldout"), default="heldout")
    parser.add_argument("--most", type=int, default=1000, help="composed pictures")
    parser.add_argument("--photographs", type=Path)
    parser.add_argument("--threshold", type=float, action="append", help="may be given again")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    detector = Detector(options.weights)
    groups: dict[str, Tally] = {}
    if options.shards:
        groups |= composed(detector, sorted(options.shards.glob(f"{options.split}-*.npz")), options.most)
    if options.photographs:
        seen = list(photographs(detector, options.photographs))
        for prefix in sorted({name.split("_")[0] + "_" + name.split("_")[1][:3] for name, _, _ in seen}):
            groups[prefix] = _pooled([tally for name, tally, _ in seen if name.startswith(prefix)])
    chosen = detector.card["thresholds"]
    for name, tally in groups.items():
        for threshold in options.threshold or [chosen.get(name, chosen["card"])]:
            print(json.dumps({"what": name, "threshold": threshold} | tally.scores(threshold)))


if __name__ == "__main__":
    main()
