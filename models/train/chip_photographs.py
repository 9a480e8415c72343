"""Measure the chip reader on labelled photographs: ``python -m models.train.chip_photographs FOLDER``.

The folder holds pictures, ``boxes.csv`` (file, colour, x0, y0, x1, y1) and ``labels.csv`` (file, colour, …,
chips_in_stack), whose rows for one file come in the order of its boxes where both name the same colours.
"""

from __future__ import annotations

import argparse
import csv
from collections import defaultdict
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.chip_geometry import COLOURS
from models.chip_reader import ChipReader, StackReading
from models.train.card_photo_scores import kept_out
from models.train.chip_measure import calibration_error
from models.trained import CHIP_WEIGHTS

Row = dict[str, str]
Judged = tuple[str, str, int | None, StackReading]


def labelled(folder: Path) -> dict[str, list[tuple[list[float], str, int | None]]]:
    """Return box, colour and height (None: not counted) of the stacks of every file."""
    heights: dict[tuple[str, str], list[str]] = defaultdict(list)
    for row in _rows(folder / "labels.csv"):
        heights[row["file"], row["colour"]].append(row["chips_in_stack"])
    stacks: dict[str, list[tuple[list[float], str, int | None]]] = defaultdict(list)
    boxes: dict[tuple[str, str], int] = defaultdict(int)
    for row in _rows(folder / "boxes.csv"):
        key = (row["file"], row["colour"])
        told = heights[key][boxes[key]] if boxes[key] < len(heights[key]) else "NA"
        boxes[key] += 1
        box = [float(row[name]) for name in ("x0", "y0", "x1", "y1")]
        stacks[row["file"]].append((box, row["colour"], int(told) if told.isdigit() else None))
    return stacks


def _rows(path: Path) -> list[Row]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def _polygon(box: list[float]) -> list[list[float]]:
    left, top, right, bottom = box
    return [[left, top], [right, top], [right, bottom], [left, bottom]]


def measure(
    folder: Path, reader: ChipReader, fold: int | None = None
) -> list[tuple[str, str, int | None, StackReading]]:
    """Return file, true colour, true height (None: not counted) and reading of the labelled stacks, or of a half."""
    judged, known = [], labelled(folder)
    for file in sorted(known if fold is None else kept_out(known, fold)):
        stacks = known[file]
        frame: Any = cv2.imread(str(folder / file))
        polygons = np.array([_polygon(box) for box, _, _ in stacks])
        readings = reader.read(frame, polygons)
        judged += [(file, colour, height, one) for (_, colour, height), one in zip(stacks, readings, strict=True)]
    return judged


def main() -> None:
    """Print how many colours and heights are right, wrong and unread."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--weights", type=Path, default=CHIP_WEIGHTS, help="folder of the reader's files")
    parser.add_argument("--fold", type=int, choices=(0, 1), help="only the half that was kept out of training")
    options = parser.parse_args()
    rows = measure(options.folder, ChipReader(options.weights), options.fold)
    judged = [row for row in rows if row[1] in COLOURS]
    colours = [(row[1], row[3].top_colour) for row in judged]
    right, unread = sum(a == b for a, b in colours), sum(b is None for _, b in colours)
    wrong = len(colours) - right - unread
    print(f"colour of the top chip: {len(colours)} stacks, {right} right, {wrong} wrong, {unread} unread")
    for file, colour, height, one in judged:
        if one.top_colour != colour:
            print(f"  {file}: {colour} read as {one.top_colour} ({one.top_p:.2f})")
        if height is not None or one.count is not None:
            best = one.candidates[0] if one.candidates else ((), 0.0)
            told = height or "not counted"
            print(f"  {file}: {colour}, {told}: count {one.count}, best {len(best[0])} at {best[1]:.2f}")
    alike = [(row[3].top_p, row[3].top_colour == row[1]) for row in judged if row[3].top_colour is not None]
    print(
        f"expected calibration error of the colours read: {calibration_error(alike):.4f}" if alike else "no colour read"
    )


if __name__ == "__main__":
    main()
