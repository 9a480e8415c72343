"""Corrections as labels, on the sample clip: the frame, its number, and what lies where."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import pytest
from click.testing import CliRunner
from sqlite_utils import Database

from audit.store import corrections, users
from audit.store.database import open_store
from audit.store.users import Role
from models.kinds import KINDS
from tests.models.test_frames import cut, write_clip
from tests.web.conftest import AT
from tests.web.sample_desk import CLIP, fill_sample, jack_of
from workers.cli.export_labels import export_labels
from workers.labels import Label, Picture, coco, frame_number, yolo_lines


def correct(db: Database, round_id: int) -> int:
    """Say that the misread card is the jack, as the pages store it; returns the correction."""
    place = jack_of(db, round_id)
    said = {"kind": "card", "at_ms": int(place["at_ms"]), "x_mm": float(place["x_mm"]), "y_mm": float(place["y_mm"])}
    first = {"kind": "card", "card": "2c"}
    rest = {"withdraws": None, "first_reading": first, "reading": {"card": "Jc"}}
    user_id = users.add_user(db, name="sam", role=Role.SURVEILLANCE, at=AT)
    return corrections.append(db, round_id, said=said | rest, record=None, findings=None, user_id=user_id, at=AT)


@pytest.fixture
def db(tmp_path: Path) -> Database:
    return open_store(tmp_path / "data")


def test_without_corrections_nothing_is_exported(db: Database, tmp_path: Path) -> None:
    done = CliRunner().invoke(export_labels, [str(tmp_path / "out"), "--data", str(tmp_path / "data")])
    assert done.exit_code == 0
    assert "0 pictures, 0 labels" in done.output


def test_a_corrected_frame_comes_with_every_label_and_its_number(db: Database, tmp_path: Path) -> None:
    correct(db, fill_sample(db))
    out = tmp_path / "out"
    done = CliRunner().invoke(export_labels, [str(out), "--data", str(tmp_path / "data")])
    assert done.exit_code == 0, done.output
    written = json.loads((out / "annotations.json").read_text(encoding="utf-8"))
    (image,) = written["images"]
    assert image["frame"] == image["t_ms"] // 40  # 25 frames a second
    assert image["footage_sha256"] == "5" * 64
    assert cv2.imread(str(out / image["file_name"])).shape == (1080, 1920, 3)
    fixed = [one for one in written["annotations"] if one["attributes"]["corrected"]]
    assert [one["attributes"]["card"] for one in fixed] == ["Jc"]
    kinds = {one["id"]: one["name"] for one in written["categories"]}
    assert kinds[fixed[0]["category_id"]] == "card"
    lines = (
        (out / "labels" / Path(image["file_name"]).with_suffix(".txt").name).read_text(encoding="utf-8").splitlines()
    )
    assert len(lines) == len(written["annotations"])
    assert all(0 <= float(value) <= 1 for line in lines for value in line.split()[1:])
    assert "0: card" in (out / "data.yaml").read_text(encoding="utf-8")


def test_the_label_lies_on_the_white_of_the_card(db: Database, tmp_path: Path) -> None:
    correct(db, fill_sample(db))
    out = tmp_path / "out"
    CliRunner().invoke(export_labels, [str(out), "--data", str(tmp_path / "data"), "--format", "coco"])
    written = json.loads((out / "annotations.json").read_text(encoding="utf-8"))
    picture = cv2.imread(str(out / written["images"][0]["file_name"]))
    x, y, width, height = (
        round(v) for v in next(a["bbox"] for a in written["annotations"] if a["attributes"]["corrected"])
    )
    inside = picture[y : y + height, x : x + width].astype(int)
    assert (inside.min(axis=2) > 150).mean() > 0.4
    assert not (out / "labels").exists()


def test_a_card_that_was_added_is_exported_as_a_corrected_one(db: Database, tmp_path: Path) -> None:
    """The jack that recognition did not see lies where the outline of the added card is."""
    round_id = fill_sample(db, unseen=True)
    user_id = users.add_user(db, name="sam", role=Role.SURVEILLANCE, at=AT)
    reading = {"card": "Jc", "lies_ms": [28_720, 43_760], "angle_deg": 0.1}
    said = {"kind": "card", "at_ms": 32_200, "x_mm": 38.9, "y_mm": 302.6, "reading": reading}
    rest = {"withdraws": None, "first_reading": {"absent": True}}
    corrections.append(db, round_id, said=said | rest, record=None, findings=None, user_id=user_id, at=AT)
    out = tmp_path / "out"
    done = CliRunner().invoke(export_labels, [str(out), "--data", str(tmp_path / "data")])
    assert "1 of them corrected by reviewers" in done.output
    written = json.loads((out / "annotations.json").read_text(encoding="utf-8"))
    (added,) = [one for one in written["annotations"] if one["attributes"]["corrected"]]
    assert added["attributes"]["card"] == "Jc"
    picture = cv2.imread(str(out / written["images"][0]["file_name"]))
    x, y, width, height = (round(value) for value in added["bbox"])
    inside = picture[y : y + height, x : x + width].astype(int)
    assert (inside.min(axis=2) > 150).mean() > 0.4


def test_a_withdrawn_correction_is_not_exported(db: Database, tmp_path: Path) -> None:
    round_id = fill_sample(db)
    number = correct(db, round_id)
    row = corrections.entries(db, round_id)[0]
    said = {"kind": row.kind, "at_ms": row.at_ms, "x_mm": row.x_mm, "y_mm": row.y_mm, "withdraws": number}
    rest = {"first_reading": {}, "reading": {}}
    corrections.append(db, round_id, said=said | rest, record=None, findings=None, user_id=1, at=AT)
    done = CliRunner().invoke(export_labels, [str(tmp_path / "out"), "--data", str(tmp_path / "data")])
    assert "0 pictures" in done.output


def test_a_recording_that_is_gone_is_named(db: Database, tmp_path: Path) -> None:
    correct(db, fill_sample(db))
    db.execute("UPDATE footage SET path = '/gone/night.mp4'")
    db.conn.commit()
    done = CliRunner().invoke(export_labels, [str(tmp_path / "out"), "--data", str(tmp_path / "data")])
    assert done.exit_code == 1
    assert "night.mp4: expected a video file, found no such file" in done.output


def test_the_frame_is_the_last_that_is_not_later() -> None:
    assert [frame_number(CLIP, ms) for ms in (0, 39, 40, 41, 1000)] == [0, 0, 1, 1, 25]


def test_frames_before_the_beginning_of_a_cut_file_have_no_number(tmp_path: Path) -> None:
    path = cut(write_clip(tmp_path / "whole.mp4"), tmp_path / "cut.mp4")
    assert [frame_number(path, ms) for ms in (0, 39, 40, 1000)] == [0, 0, 1, 25]


def test_labels_are_written_as_yolo_and_coco_have_them() -> None:
    card = Label(
        kind="card", polygon_px=((10, 20), (30, 20), (30, 60), (10, 60)), reading={"card": "Td"}, first_reading=None
    )
    other = Label(kind="discards", polygon_px=((0, 0), (1, 0), (1, 1)), reading={}, first_reading=None)
    picture = Picture(footage_sha256="a" * 64, footage_path="", t_ms=0, frame=7, size=(100, 200), labels=(card, other))
    assert picture.name == "aaaaaaaaaaaa-0000007"
    line = f"{KINDS.index('card')} 0.100000 0.100000 0.300000 0.100000 0.300000 0.300000 0.100000 0.300000"
    assert list(yolo_lines(picture)) == [line]
    (found,) = coco([picture])["annotations"]
    assert (found["bbox"], found["area"], found["attributes"]) == (
        [10, 20, 20, 40],
        800,
        {"card": "Td", "corrected": False},
    )
    assert coco([]) == {"images": [], "annotations": [], "categories": coco([picture])["categories"]}
