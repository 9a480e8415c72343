"""Photographs among the composed pictures that the detector learns from."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from models.kinds import KINDS
from models.sighting import Sighting
from models.train.card_photo_scores import answers
from models.train.detector_photographs import look, looks, quadrangles


def photograph() -> tuple[np.ndarray, np.ndarray]:
    """One white card, turned by 20°, on dark ground, and its corners."""
    picture = np.full((400, 600, 3), 40, np.uint8)
    quad = cv2.boxPoints(((300.0, 200.0), (190.0, 136.0), 20.0))
    cv2.fillConvexPoly(picture, np.int32(quad), (235, 235, 235))
    return picture, quad.astype(np.float32)


@pytest.mark.parametrize("seed", range(6))
def test_the_label_lies_where_the_card_is_seen(seed: int) -> None:
    picture, quad = photograph()
    jpeg, rows = look(picture, [quad], np.random.default_rng(seed))
    seen = cv2.imdecode(jpeg, cv2.IMREAD_GRAYSCALE)
    (kind, x, y, wide, high, angle) = rows[0].tolist()
    assert kind == KINDS.index("card")
    side = seen.shape[0]
    drawn = np.zeros_like(seen)
    corners = cv2.boxPoints(((x * side, y * side), (wide * side, high * side), float(np.degrees(angle))))
    cv2.fillConvexPoly(drawn, np.int32(corners), 255)
    card = (seen > 0.75 * float(seen.max())).astype(np.uint8) * 255
    shared = np.logical_and(drawn, card).sum() / np.logical_or(drawn, card).sum()
    assert shared > 0.7  # a stretched card is no rectangle


def test_each_look_is_another_picture() -> None:
    picture, quad = photograph()
    looks_at = [look(picture, [quad], np.random.default_rng(seed))[1] for seed in range(4)]
    assert len({tuple(rows.ravel().round(3)) for rows in looks_at}) == 4


def test_the_labelled_photographs_are_named_once_each_with_cards_of_a_sensible_size() -> None:
    cards = quadrangles()
    assert len(cards) > 70
    sides = [float(np.linalg.norm(np.diff(quad, axis=0), axis=1).min()) for quads in cards.values() for quad in quads]
    assert min(sides) > 20


def test_a_photograph_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="expected a photograph"):
        next(looks(tmp_path, None, np.random.default_rng(1)))


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
