"""Corrected readings as labels for training: the pictures, and what lies in them, as YOLO and as COCO write it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from typing import Any, Final

import av
import cv2
from sqlite_utils import Database

from audit.store import corrections, review
from audit.store import footage as store
from audit.store.corrections import CorrectionRow
from audit.store.resettling import as_corrected_lines
from models.frames import FootageError, frame_at
from models.kinds import KINDS

FORMATS: Final = ("yolo", "coco")
_CORNERS: Final = 4


@dataclass(frozen=True, kw_only=True)
class Label:
    """One object of a picture: its kind, its outline in pixels and, if known, what it is.

    ``first_reading`` is what recognition had read where a person said otherwise, else None.
    """

    kind: str
    polygon_px: tuple[tuple[float, float], ...]
    reading: Mapping[str, Any]
    first_reading: Mapping[str, Any] | None


@dataclass(frozen=True, kw_only=True)
class Picture:
    """One frame of a recording with all that lies in it; ``frame`` counts from 0."""

    footage_sha256: str
    footage_path: str
    t_ms: int
    frame: int
    size: tuple[int, int]
    labels: tuple[Label, ...]

    @property
    def name(self) -> str:
        """The name of its files, the same at every export."""
        return f"{self.footage_sha256[:12]}-{self.frame:07}"


@dataclass(kw_only=True)
class Exported:
    """What an export wrote, and for each thing it left out, why."""

    pictures: int = 0
    labels: int = 0
    corrected: int = 0
    left_out: list[str] = field(default_factory=list)


def export_labels(db: Database, out: Path, *, formats: Sequence[str]) -> Exported:
    """Write every frame in which a reading was corrected, with the corrected labels of all that lies in it.

    A correction that was withdrawn is not written. Objects whose outline recognition did not store are left out.
    """
    (out / "images").mkdir(parents=True, exist_ok=True)
    exported, pictures = Exported(), []
    for picture in _pictures(db, exported):
        image = frame_at(Path(picture.footage_path), picture.t_ms).bgr
        written, encoded = cv2.imencode(".png", image)
        if not written:
            exported.left_out.append(f"{picture.name}: the frame could not be written as PNG")
            continue
        (out / "images" / f"{picture.name}.png").write_bytes(encoded.tobytes())
        pictures.append(picture)
    exported.pictures = len(pictures)
    exported.labels = sum(len(picture.labels) for picture in pictures)
    exported.corrected = sum(one.first_reading is not None for picture in pictures for one in picture.labels)
    if "yolo" in formats:
        _write_yolo(out, pictures)
    if "coco" in formats:
        (out / "annotations.json").write_text(json.dumps(coco(pictures), indent=1), encoding="utf-8")
    return exported


def yolo_lines(picture: Picture) -> Iterator[str]:
    """Yield the oriented boxes of a picture: the kind's number and four corners, as shares of width and height."""
    width, height = picture.size
    for label in picture.labels:
        if label.kind in KINDS and len(label.polygon_px) == _CORNERS:
            places = [f"{x / width:.6f} {y / height:.6f}" for x, y in label.polygon_px]
            yield f"{KINDS.index(label.kind)} {' '.join(places)}"


def coco(pictures: Sequence[Picture]) -> dict[str, Any]:
    """Return the pictures in COCO's shape; what an object is stands in its ``attributes``."""
    kinds = {kind: number for number, kind in enumerate(KINDS, start=1)}
    images: list[dict[str, Any]] = []
    annotations: list[dict[str, Any]] = []
    for number, picture in enumerate(pictures, start=1):
        source = {"footage_sha256": picture.footage_sha256, "t_ms": picture.t_ms, "frame": picture.frame}
        size = {"width": picture.size[0], "height": picture.size[1]}
        images.append({"id": number, "file_name": f"images/{picture.name}.png", **size, **source})
        annotations += [
            {"id": len(annotations) + i, "image_id": number, "category_id": kinds[label.kind], **_outline(label)}
            for i, label in enumerate((one for one in picture.labels if one.kind in kinds), start=1)
        ]
    categories = [{"id": number, "name": kind} for kind, number in kinds.items()]
    return {"images": images, "annotations": annotations, "categories": categories}


def frame_number(path: Path, t_ms: int) -> int:
    """Return the number, from 0, of the frame that is shown at a media time, by the container's timestamps.

    Raises:
        FootageError: if no frame is shown then.
    """
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        origin = stream.start_time or 0
        unit = stream.time_base or Fraction(1, 1000)
        shown = (one.pts for one in container.demux(stream) if one.pts is not None and not one.is_discard)
        count = sum(round((pts - origin) * 1000 * unit) <= t_ms for pts in shown)
    if not count:
        msg = f"{path.name}: expected a frame at {t_ms} ms, found none"
        raise FootageError(msg)
    return count - 1


def _pictures(db: Database, exported: Exported) -> Iterator[Picture]:
    rows = corrections.all_standing(db)
    for (round_id, at_ms), group in groupby(sorted(rows, key=_moment), key=_moment):
        try:
            yield _picture(db, round_id, at_ms)
        except FootageError as error:
            exported.left_out.append(f"{len(list(group))} corrections of round {round_id}: {error}")


def _moment(row: CorrectionRow) -> tuple[int, int]:
    return row.round_id, row.at_ms


def _picture(db: Database, round_id: int, at_ms: int) -> Picture:
    """Return the frame in the middle of the state in which something was corrected."""
    row = corrections.as_corrected(db, review.round_row(db, round_id))
    footage = store.footage(db, store.run(db, row.run_id).footage_id)
    state = json.loads(as_corrected_lines(db, row, first_ms=at_ms, last_ms=at_ms)[-1])
    t_ms = sum(state["t_ms"]) // 2
    path = Path(footage.path)
    shown = frame_at(path, t_ms)
    return Picture(
        footage_sha256=footage.sha256,
        footage_path=footage.path,
        t_ms=t_ms,
        frame=frame_number(path, t_ms),
        size=(shown.source.width, shown.source.height),
        labels=tuple(_label(item) for item in state["objects"] if item.get("polygon_px")),
    )


def _label(item: Mapping[str, Any]) -> Label:
    known = {key: item[key] for key in ("card", "stack", "value", "colour") if item.get(key) is not None}
    return Label(
        kind=item["kind"],
        polygon_px=tuple((point[0], point[1]) for point in item["polygon_px"]),
        reading=known,
        first_reading=item.get("first_reading"),
    )


def _outline(label: Label) -> dict[str, Any]:
    xs, ys = [x for x, _ in label.polygon_px], [y for _, y in label.polygon_px]
    box = [min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)]
    turns = zip(label.polygon_px, label.polygon_px[1:] + label.polygon_px[:1], strict=True)
    area = abs(sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in turns)) / 2
    return {
        "bbox": [round(value, 1) for value in box],
        "segmentation": [[value for point in label.polygon_px for value in point]],
        "area": round(area, 1),
        "iscrowd": 0,
        "attributes": {**label.reading, "corrected": label.first_reading is not None},
    }


def _write_yolo(out: Path, pictures: Sequence[Picture]) -> None:
    (out / "labels").mkdir(exist_ok=True)
    for picture in pictures:
        text = "".join(f"{line}\n" for line in yolo_lines(picture))
        (out / "labels" / f"{picture.name}.txt").write_text(text, encoding="utf-8")
    names = "".join(f"  {number}: {kind}\n" for number, kind in enumerate(KINDS))
    (out / "data.yaml").write_text(f"path: .\ntrain: images\nval: images\nnames:\n{names}", encoding="utf-8")
