"""Calibrate the chip reader on drawn, cast and traced crops, and measure it on edge spots that training never saw.

``python -m models.train.chip_measure`` calibrates ("tune" crops) and prints the tables of the model card ("test" crops,
each kind apart; traced ones only where there are pictures of them).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.chip_decode import (
    Answer,
    Temper,
    likely_stacks,
    softmax,
)
from models.train.chip_crops import sides
from models.train.chip_export import seal
from models.train.chip_shards import Arrays, shard
from models.train.traced_chips.scenes import traced_folders
from models.trained import compiled

_READ_AT: Final = 0.95
_TOP_READ_AT: Final = 0.95
_MOST_WRONG: Final = 0.02  # of the stacks that are read: less than the threshold promises
_FEW: Final = 2  # wrong ones say nothing about a share
_TEMPERATURES: Final = (1.0, 1.1, 1.2, 1.35, 1.5, 1.7, 2.0, 2.4, 3.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """What the networks say about drawn crops, and the truth."""

    evidence: NDArray[np.float32]
    truth: list[Answer]
    top: NDArray[np.float32]
    flatness: NDArray[np.float32]
    crops: Arrays


def answers(weights: Path, folder: Path, *, sets: Mapping[str, int]) -> Answers:
    """Return what the exported networks say about crops: so many shards of each set."""
    strip, top = (compiled(weights / f"{network}.xml") for network in ("strip", "top"))
    parts = [shard(folder, name=name, index=index) for name, count in sets.items() for index in range(count)]
    crops = {key: np.concatenate([part[key] for part in parts]) for key in parts[0]}
    told: list[NDArray[np.float32]] = []
    colours, flatness = [], []
    for first in range(0, len(crops["strip"]), 50):
        some = {key: value[first : first + 50] for key, value in crops.items()}
        colour, flat = top([_planes(some["top"])]).values()
        told.append(*strip([sides(some).astype(np.float32), some["facts"].astype(np.float32)]).values())
        colours.append(colour)
        flatness.append(flat)
    return Answers(
        evidence=np.concatenate(told),
        truth=[tuple(int(label) for label in row if label) for row in crops["labels"]],
        top=np.concatenate(colours),
        flatness=np.concatenate(flatness),
        crops=crops,
    )


def fit(seen: Answers, which: NDArray[np.bool_]) -> dict[str, float]:
    """Return the least softening with which hardly any of the crops chosen that are read are read wrongly."""
    rows = [int(index) for index in np.flatnonzero(which) if seen.truth[index]]
    rule = {"place": 1.0, "colour": 1.0, "read_at": _READ_AT}
    for temperature in _TEMPERATURES:
        rule |= {"place": temperature, "colour": temperature}
        told = [(said[0], seen.truth[index]) for index in rows if (said := likely(seen, index, rule))]
        right = [best == truth for (best, p), truth in told if p >= _READ_AT]
        if right.count(False) <= max(_MOST_WRONG * len(right), _FEW):
            break
    return rule


def likely(seen: Answers, index: int, rule: Mapping[str, Any]) -> list[tuple[Answer, float]]:
    """Return what the reader says of a crop, best first."""
    temper = Temper(place=rule["place"], colour=rule["colour"])
    return likely_stacks(
        seen.evidence[index],
        calibrated=bool(seen.crops["calibrated"][index]),
        top=softmax(seen.top[index])[1:],
        temper=temper,
    )


def best_temperature(scores: NDArray[np.float32], truth: NDArray[np.int64]) -> float:
    """Return the softening of scores (n, answers) under which the truth (n,) is likeliest."""
    grid = np.geomspace(0.4, 3.0, 40)
    loss = [-np.log(softmax(scores, temperature=t)[np.arange(len(truth)), truth] + 1e-9).mean() for t in grid]
    return round(float(grid[int(np.argmin(loss))]), 3)


def calibrate(seen: Answers) -> dict[str, Any]:
    """Return the calibration of all parts, from crops that training did not see."""
    known = np.asarray(seen.crops["calibrated"], bool)
    tops = np.array([row[-1] if row else 0 for row in seen.truth])
    return {
        "calibrated": fit(seen, known),
        "guessed": fit(seen, ~known),
        "top": {"temperature": best_temperature(seen.top, tops), "read_at": _TOP_READ_AT},
    }


def table(seen: Answers, calibration: Mapping[str, Any], *, known: bool) -> list[str]:
    """Return the lines of the table right / wrong / unread by fineness and height, and the calibration error."""
    rule = calibration["calibrated" if known else "guessed"]
    rows = [
        _judged(seen, int(index), rule) for index in np.flatnonzero(np.asarray(seen.crops["calibrated"], bool) == known)
    ]
    lines = [
        "| px per edge | chips | crops | best is right | read right | read wrong | unread |",
        "|---|---|---|---|---|---|---|",
    ]
    for low, high in ((0, 1.5), (1.5, 2.2), (2.2, 3), (3, 5), (5, 99)):
        for few, many in ((1, 5), (6, 10), (11, 20), (1, 20)):
            some = [row for row in rows if low <= row[0] < high and few <= row[1] <= many]
            lines.append(_line(f"{low}-{high}", f"{few}-{many}", some))
    lines.append(_line("3 or more", "1-20", [row for row in rows if row[0] >= 3]))
    lines.append(f"expected calibration error {calibration_error([(row[2], row[3]) for row in rows]):.4f}")
    return lines


def _judged(seen: Answers, index: int, rule: Mapping[str, Any]) -> tuple[float, int, float, bool]:
    """Pixels per edge, true height, probability of the best reading, and whether it is right."""
    said = likely(seen, index, rule)
    best, p = said[0] if said else ((), 0.0)
    return (
        float(seen.crops["px_per_edge"][index]),
        len(seen.truth[index]),
        p if best else 0.0,
        best == seen.truth[index],
    )


def _line(fine: str, chips: str, rows: list[tuple[float, int, float, bool]]) -> str:
    count = max(len(rows), 1)
    read = [row for row in rows if row[2] >= _READ_AT]
    good, bad = sum(row[3] for row in read), sum(not row[3] for row in read)
    best = sum(row[3] for row in rows)
    shares = (best, good, bad, len(rows) - len(read))
    return f"| {fine} | {chips} | {len(rows)} | " + " | ".join(f"{100 * part / count:.1f} %" for part in shares) + " |"


def calibration_error(judged: list[tuple[float, bool]]) -> float:
    """Return the expected calibration error over ten equal bins of probability."""
    chances, right = np.array([p for p, _ in judged]), np.array([ok for _, ok in judged], float)
    bins = np.minimum((chances * 10).astype(int), 9)
    return float(
        sum(abs(right[bins == k].mean() - chances[bins == k].mean()) * (bins == k).mean() for k in set(bins.tolist()))
    )


def top_lines(seen: Answers, calibration: Mapping[str, Any]) -> list[str]:
    """Return how often the uppermost chip's colour is right, and how far off its flatness is."""
    chances = softmax(seen.top, temperature=calibration["top"]["temperature"])
    truth = np.array([row[-1] if row else 0 for row in seen.truth])
    best, p = chances.argmax(axis=1), chances.max(axis=1)
    read = p >= calibration["top"]["read_at"]
    right = best == truth
    shares = [float(100 * which.mean()) for which in (right, read & right, read & ~right, ~read)]
    off = calibration_error(list(zip(p.tolist(), right.tolist(), strict=True)))
    return [
        "top colour: best is right {:.1f} %, read right {:.1f} %, read wrong {:.1f} %, unread {:.1f} %".format(*shares),
        f"top colour: expected calibration error {off:.4f}",
        f"flatness: mean error {np.abs(seen.flatness - seen.crops['flatness']).mean():.3f}",
    ]


def _planes(pictures: NDArray[Any]) -> NDArray[np.float32]:
    return np.ascontiguousarray(pictures.transpose(0, 3, 1, 2), dtype=np.float32)


def main() -> None:
    """Calibrate on "tune" crops, measure on "test" crops, print the tables."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--folder", type=Path, default=Path.home() / ".cache" / "catwalk" / "chips")
    parser.add_argument("--weights", type=Path, default=Path(__file__).parents[1] / "weights" / "chips")
    parser.add_argument("--shards", type=int, default=2)
    parser.add_argument("--keep", action="store_true", help="measure with the calibration that is there")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    traced = {kind: int(bool(traced_folders(options.folder, name=kind))) for kind in ("tune", "test")}
    if not options.keep:
        sets = {"tune": options.shards, "cast_tune": options.shards, "traced_tune": traced["tune"]}
        fitted = calibrate(answers(options.weights, options.folder, sets=sets))
        (options.weights / "calibration.json").write_text(json.dumps(fitted, indent=1) + "\n")
        seal(options.weights)
    tuned = json.loads((options.weights / "calibration.json").read_text(encoding="utf-8"))
    for name, count in (("test", options.shards), ("cast_test", options.shards), ("traced_test", traced["test"])):
        if count:
            seen = answers(options.weights, options.folder, sets={name: count})
            print(f"{name}: {len(seen.truth)} crops")
            for known in (True, False):
                print(
                    "camera known" if known else "camera guessed from the box",
                    *table(seen, tuned, known=known),
                    sep="\n",
                )
            print(*top_lines(seen, tuned), sep="\n")


if __name__ == "__main__":
    main()
