"""Measure what stacks of one table teach about each other: ``python -m models.train.traced_chips.palette_scores``.

Every stack of a traced picture is read alone, and then all of the picture together, as at a table.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.chip_reader import ChipReader, StackReading
from models.train.chip_crops import detector_box
from models.train.traced_chips.scenes import PICTURES, table_view, traced_folders, traced_scene
from models.trained import CHIP_WEIGHTS

_LEAST_VISIBLE: Final = 0.6
_FINE: Final = 3.0  # pixels a chip's edge, from which on the marks count


def measure(folders: Sequence[Path], reader: ChipReader, rng: np.random.Generator) -> NDArray[np.float64]:
    """Return a row for each stack: pixels of a chip's edge; alone, then together: ``_judged``."""
    rows = []
    for folder in folders:
        scene, camera = traced_scene(folder, rng), table_view(folder).misjudged(rng)
        stacks = [stack for stack in scene.stacks if stack.visible > _LEAST_VISIBLE]
        boxes = np.array([detector_box(stack.outline, stack.camera.roll, rng) for stack in stacks])
        alone = [reader.read(scene.frame_bgr, box[None], camera)[0] for box in boxes]
        together = reader.read(scene.frame_bgr, boxes, camera)
        for stack, first, second in zip(stacks, alone, together, strict=True):
            rows.append([stack.px_per_edge, *_judged(first, stack.colours), *_judged(second, stack.colours)])
    return np.array(rows, dtype=np.float64)


def _judged(reading: StackReading, truth: tuple[str, ...]) -> tuple[bool, bool, bool, bool]:
    """Whether the likeliest is right, has the right number, whether it is read, and read wrongly."""
    best = reading.candidates[0][0] if reading.candidates else ()
    return best == truth, len(best) == len(truth), reading.stack is not None, reading.stack not in (None, truth)


def _table(rows: NDArray[Any]) -> str:
    lines = [
        "| read | stacks | likeliest right | colours, number right | read | read wrongly |",
        "|---|---|---|---|---|---|",
    ]
    for label, first in (("alone", 1), ("together", 5)):
        right, number, read, wrong = rows[:, first : first + 4].T
        coloured = right[number > 0].mean() if (number > 0).any() else np.nan
        shares = (right.mean(), coloured, read.mean(), wrong.mean())
        lines.append(f"| {label} | {len(rows)} | " + " | ".join(f"{share:.1%}" for share in shares) + " |")
    return "\n".join(lines)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--folder", type=Path, required=True, help="where models.train.traced_chips.scenes has drawn")
    parser.add_argument("--name", choices=sorted(PICTURES), default="test")
    parser.add_argument("--weights", type=Path, default=CHIP_WEIGHTS)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    folders = traced_folders(options.folder, name=options.name)
    rows = measure(folders, ChipReader(options.weights), np.random.default_rng(5))
    print(f"all sizes\n{_table(rows)}\n{_FINE:.0f} pixels and more\n{_table(rows[rows[:, 0] >= _FINE])}")


if __name__ == "__main__":
    main()
