"""Photographs among the composed pictures that the detector learns from."""

from pathlib import Path

import cv2
import numpy as np
import pytest
import torch

from models.kinds import KINDS
from models.sighting import Sighting
from models.train.card_photo_scores import answers
from models.train.detector_crops import FILL, shown
from models.train.detector_photographs import Photographs, quadrangles


def photograph() -> tuple[np.ndarray, np.ndarray]:
    """One white card, turned by 20°, on dark ground, and its corners."""
    picture = np.full((400, 600, 3), 40, np.uint8)
    quad = cv2.boxPoints(((300.0, 200.0), (190.0, 136.0), 20.0))
    cv2.fillConvexPoly(picture, np.int32(quad), (235, 235, 235))
    return picture, quad.astype(np.float32)


def photographs(folder: Path, *names: str) -> Photographs:
    picture, quad = photograph()
    for name in names:
        cv2.imwrite(str(folder / name), picture)
    return Photographs(folder, torch.device("cpu"), cards={name: [quad] for name in names})


def test_labels_lie_where_the_card_is_seen(tmp_path: Path) -> None:
    asked, side, together = photographs(tmp_path, "am_1.png"), 192, 0
    cuts = asked.cuts(40, side, np.random.default_rng(1))
    for crop, seen in enumerate(shown(asked.levels, cuts, side).numpy()):
        rows = cuts.rows[cuts.owners == crop]
        if not len(rows):
            continue
        kind, x, y, wide, high, angle = rows[0].tolist()
        assert kind == KINDS.index("card")
        corners = cv2.boxPoints(((x * side, y * side), (wide * side, high * side), float(np.degrees(angle))))
        drawn = cv2.fillConvexPoly(np.zeros((side, side), np.uint8), np.int32(corners), 1) > 0
        card = (seen.min(axis=0) > 180) & (seen.max(axis=0) - seen.min(axis=0) < 4)
        if (cuts.grey[crop] == FILL).all():  # another grey could be as bright as the card
            assert (drawn & card).sum() > 0.7 * (drawn | card).sum(), "a stretched card is no rectangle"
            together += 1
    assert together > 15


def test_chips_do_not_count_where_they_have_no_label(tmp_path: Path) -> None:
    asked = photographs(tmp_path, "am_1.png", "mb_1.png")
    cuts = asked.cuts(30, 64, np.random.default_rng(2))
    chips, others = cuts.counted[:, KINDS.index("chips")], np.delete(cuts.counted, KINDS.index("chips"), axis=1)
    assert np.array_equal(chips == 0, cuts.pictures == 1)
    assert (others == 1).all()


def test_a_half_is_kept_out(tmp_path: Path) -> None:
    cards = {name: [photograph()[1]] for name in ("am_1.png", "am_3.png")}
    photographs(tmp_path, *cards)
    assert [len(Photographs(tmp_path, torch.device("cpu"), cards=cards, fold=fold)) for fold in (None, 0, 1)] == [
        2,
        1,
        1,
    ]


def test_the_labelled_photographs_are_named_once_each_with_cards_of_a_sensible_size() -> None:
    cards = quadrangles()
    assert len(cards) > 70
    sides = [float(np.linalg.norm(np.diff(quad, axis=0), axis=1).min()) for quads in cards.values() for quad in quads]
    assert min(sides) > 20


def test_a_photograph_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="expected a photograph"):
        Photographs(tmp_path, torch.device("cpu"), cards=quadrangles())


def sighting_of_card(quad: np.ndarray, face: str) -> Sighting:
    return Sighting(kind="card", polygon_px=quad, confidence=0.9, faces={face: 0.99}, face=face)


def test_a_card_that_looks_wider_than_long_is_found_all_the_same() -> None:
    quad = np.array([[0.0, 0.0], [100.0, 0.0], [100.0, 80.0], [0.0, 80.0]])
    index = ("Kd", "corner", np.array([10.0, 11.0]))
    for turn in range(4):
        assert answers([sighting_of_card(np.roll(quad, turn, axis=0), "Kd")], [index]) == ["right"]
    assert answers([sighting_of_card(quad, "Kd")], [("Kd", "corner", np.array([50.0, 40.0]))]) == ["missed"]


def test_a_card_does_not_answer_for_another_one_whose_index_is_near_its_own() -> None:
    quad = np.array([[0.0, 0.0], [80.0, 0.0], [80.0, 100.0], [0.0, 100.0]])
    labels = [
        ("8d", "corner", np.array([14.0, 20.0])),
        ("Kd", "corner", np.array([8.0, 14.0])),
        ("Kd", "corner", np.array([72.0, 86.0])),
    ]
    assert answers([sighting_of_card(quad, "Kd")], labels) == ["missed", "right", "right"]
