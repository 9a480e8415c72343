"""Finds cards, card backs, dice, chip piles, hands and dice cups in a picture.

The network (an oriented-box YOLO, trained by ``models.train.detector``) runs through OpenVINO; torch and ultralytics
are imported only to train and to export. Each object is found as the rectangle around the whole of it, also where
something covers it.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.detection_merge import join_passes, of_one_size, suppress
from models.detection_windows import Region, Window, plan_regions, plan_whole
from models.kinds import KINDS
from models.trained import DETECTOR_WEIGHTS, WeightsError, check_files, compiled, read_manifest

_FILES: Final = ("detector.xml", "detector.bin")
_STRIDES: Final = (8, 16, 32)
_COLOURS: Final = (3,)
_SOFT_PX: Final = 1.2
_FINEST: Final = 2  # passes
_LEAST_PX: Final = 7.0  # of an object's long side in the network's input: smaller ones are another pass's work
_LARGEST_HAND_PX: Final = 320.0  # no larger one was learnt from; larger hands are seen in a coarser look
_MOST_SHARE: Final = 0.98  # of the input's long side

Bgr = NDArray[np.uint8]
Reals = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class Detections:
    """What was found in one picture, the most certain first.

    ``polygons_px`` (n, 4, 2) are the corners of rectangles in pixels of the whole picture, in turn around the
    rectangle from any corner; ``kinds`` (n,) are texts of ``models.kinds.KINDS``; ``confidences`` (n,) lie between 0
    and 1.
    """

    polygons_px: Reals
    kinds: NDArray[np.str_]
    confidences: Reals

    def __post_init__(self) -> None:
        count = len(self.kinds)
        if self.polygons_px.shape != (count, 4, 2) or self.confidences.shape != (count,):
            found = f"{self.polygons_px.shape} and {self.confidences.shape}"
            msg = f"{count} kinds go with polygons {(count, 4, 2)} and confidences {(count,)}, got {found}"
            raise ValueError(msg)

    def __len__(self) -> int:
        return len(self.kinds)

    def of(self, kind: str) -> Detections:
        """Return those of one kind."""
        return self._chosen(self.kinds == kind)

    def above(self, confidence: float) -> Detections:
        """Return those that are at least so certain."""
        return self._chosen(self.confidences >= confidence)

    def _chosen(self, which: NDArray[np.bool_]) -> Detections:
        return Detections(
            polygons_px=self.polygons_px[which], kinds=self.kinds[which], confidences=self.confidences[which]
        )


class Detector:
    """The network, loaded once; not to be shared between threads.

    Args:
        weights: Folder with ``detector.xml``, ``detector.bin`` and ``detector.json`` (SHA-256 of both, thresholds).
        threads: CPU threads that inference may use.

    Raises:
        WeightsError: if a file is missing or is not the one whose SHA-256 is written down.
    """

    def __init__(self, weights: Path = DETECTOR_WEIGHTS, *, threads: int = 1) -> None:
        self.card = _checked_card(weights)
        self.weights_sha256: str = self.card["sha256"]["detector.bin"]
        self._weights, self._threads = weights, threads
        self._thresholds = np.array([self.card["thresholds"][kind] for kind in KINDS], np.float32)

    @cached_property
    def _network(self) -> Any:
        return compiled(self._weights / "detector.xml", threads=self._threads).create_infer_request()

    def detect(
        self,
        frame_bgr: Bgr,
        regions: Sequence[Region] | None = None,
        *,
        card_px: float | None = None,
    ) -> Detections:
        """Return the objects in a picture of any size.

        Args:
            frame_bgr: The picture (h, w, 3).
            regions: Rectangles (x0, y0, x1, y1); only objects whose middle lies in one of them are looked for. Without
                regions the whole picture is searched at several scales.
            card_px: About how long a card is in this picture, if known: regions are then looked at in the scale that
                suits, and the whole picture once more with softened edges, as sharp ones hide piles from the network.
        """
        if frame_bgr.shape[2:] != _COLOURS or frame_bgr.dtype != np.uint8:
            msg = f"a picture is (h, w, 3) of uint8, got {frame_bgr.shape} of {frame_bgr.dtype}"
            raise ValueError(msg)
        if regions is None:
            passes = plan_whole(frame_bgr.shape[1], frame_bgr.shape[0])
        else:
            passes = [plan_regions(regions, frame_bgr.shape[1], frame_bgr.shape[0], card_px)]
        looked = [self._pass(frame_bgr, windows) for windows in passes]
        if regions is None and card_px is not None:
            soft = np.asarray(cv2.GaussianBlur(frame_bgr, ksize=(0, 0), sigmaX=_SOFT_PX), dtype=np.uint8)
            looked += [self._pass(soft, windows) for windows in passes[-_FINEST:]]
        joined = join_passes([rows for rows in looked if len(rows)])
        return _as_detections(of_one_size(joined, card_px))

    def of_any_size(self, frame_bgr: Bgr) -> Detections:
        """Return the objects in a picture of any size, those too that are too small or too large beside the cards."""
        passes = plan_whole(frame_bgr.shape[1], frame_bgr.shape[0])
        looked = [self._pass(frame_bgr, windows) for windows in passes]
        return _as_detections(join_passes([rows for rows in looked if len(rows)]))

    def once(self, frame_bgr: Bgr) -> Detections:
        """Return what one pass over the whole picture finds at its own resolution: the plain way, for comparison."""
        return _as_detections(self._pass(frame_bgr, plan_whole(frame_bgr.shape[1], frame_bgr.shape[0])[-1]))

    def _pass(self, frame_bgr: Bgr, windows: list[Window]) -> Reals:
        rows = [self._in_window(frame_bgr, window) for window in windows]
        return suppress(np.concatenate(rows)) if rows else np.zeros((0, 7), np.float32)

    def _in_window(self, frame_bgr: Bgr, window: Window) -> Reals:
        """Return what one window shows, in picture pixels: rows of x, y, width, height, angle, confidence, kind."""
        raw = self._network.infer({0: window.cut(frame_bgr)[None]})
        boxes, scores, angles = (np.asarray(raw[k])[0] for k in range(3))
        kinds = scores.argmax(axis=0)
        confidences = scores[kinds, np.arange(scores.shape[1])]
        at = np.flatnonzero(confidences >= self._thresholds[kinds])
        rows = np.column_stack([decode(boxes[:, at], angles[0, at], at, window.net_wh), confidences[at], kinds[at]])
        long_px = rows[:, 2:4].max(axis=1)
        most = np.where(rows[:, 6] == KINDS.index("hand"), _LARGEST_HAND_PX, _MOST_SHARE * max(window.net_wh) * 1.4)
        rows = rows[(long_px >= _LEAST_PX) & (long_px <= most)]
        return window.to_picture(rows.astype(np.float32))


def decode(distances: Reals, angles: Reals, at: NDArray[np.intp], net_wh: tuple[int, int]) -> Reals:
    """Turn distances (4, n) to a rectangle's sides, seen from grid places ``at``, into rows (n, 5) in network pixels.

    The places are numbered row by row over the grids of stride 8, 16 and 32.
    """
    columns = np.concatenate([np.full((net_wh[1] // s) * (net_wh[0] // s), net_wh[0] // s) for s in _STRIDES])[at]
    stride = np.concatenate([np.full((net_wh[1] // s) * (net_wh[0] // s), s) for s in _STRIDES])[at]
    first = np.concatenate([[0], np.cumsum([(net_wh[1] // s) * (net_wh[0] // s) for s in _STRIDES])])
    place = at - first[np.searchsorted(first, at, side="right") - 1]
    left, top, right, bottom = distances
    dx, dy, cos, sin = (right - left) / 2, (bottom - top) / 2, np.cos(angles), np.sin(angles)
    x = place % columns + 0.5 + dx * cos - dy * sin
    y = place // columns + 0.5 + dx * sin + dy * cos
    return np.column_stack([x * stride, y * stride, (left + right) * stride, (top + bottom) * stride, angles]).astype(
        np.float32
    )


def _as_detections(rows: Reals) -> Detections:
    rows = rows[np.argsort(-rows[:, 5], kind="stable")]
    polygons = [cv2.boxPoints(((r[0], r[1]), (r[2], r[3]), float(np.degrees(r[4])))) for r in rows.astype(float)]
    return Detections(
        polygons_px=np.asarray(polygons, np.float32).reshape(-1, 4, 2),
        kinds=np.array(KINDS)[rows[:, 6].astype(int)],
        confidences=rows[:, 5].astype(np.float32),
    )


def _checked_card(weights: Path) -> dict[str, Any]:
    """Return what ``detector.json`` says, having compared the weights with it."""
    card = read_manifest(weights / "detector.json", made_by="models.train.detector")
    check_files(weights, _FILES, card.get("sha256", {}))
    if tuple(card.get("kinds", ())) != KINDS:
        msg = f"{weights / 'detector.json'}: expected kinds {KINDS}, found {card.get('kinds')}"
        raise WeightsError(msg)
    return card


def training_network(device: str = "cpu") -> Any:
    """Return an untrained oriented-box network for our kinds, with its loss; only here is ultralytics used."""
    os.environ.update(YOLO_OFFLINE="true", YOLO_AUTOINSTALL="false", YOLO_VERBOSE="false")
    from ultralytics.cfg import get_cfg  # noqa: PLC0415  # needs torch, which running does not
    from ultralytics.nn.tasks import OBBModel, yaml_model_load  # noqa: PLC0415
    from ultralytics.utils.loss import v8OBBLoss  # noqa: PLC0415

    # Only the head that answers with several boxes an object: the one-box head learns from features it cannot shape and
    # was far behind after a training as short as ours.
    description = yaml_model_load("yolo26n-obb.yaml") | {"end2end": False}
    network = OBBModel(description, nc=len(KINDS), verbose=False).to(device)
    network.args = get_cfg()
    network.criterion = v8OBBLoss(network)
    return network
