"""Cards of a deck that was never trained with are found exactly and read."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from models.card_corners import CornerRefiner
from models.card_networks import Network
from models.card_reader import CardReader
from models.eyes import load_eyes
from models.trained import CARD_WEIGHTS, WeightsError
from tests.models.card_table import felt, lay, quad

TRUE = quad(300, 200, 25.0)
ROUGH = TRUE + np.array([[6.0, -4.0], [5.0, 3.0], [4.0, -5.0], [3.0, 4.0]])


@pytest.fixture(scope="module")
def reader() -> CardReader:
    return CardReader()


@pytest.fixture(scope="module")
def refiner() -> CornerRefiner:
    return CornerRefiner()


def error_share(found: np.ndarray, true: np.ndarray) -> float:
    """Mean distance of the corners in card heights, whichever way up the card is."""
    ways = [np.linalg.norm(np.roll(found, k, axis=0) - true, axis=1).mean() for k in range(4)]
    return min(ways) / np.linalg.norm(true[3] - true[0])


@pytest.mark.parametrize("card", ["As", "Td", "Qh", "7c", "2d", "9s", "Kc", "6h"])
def test_a_card_with_exact_corners_is_read(card: str, reader: CardReader) -> None:
    picture = felt()
    lay(picture, card, TRUE)
    reading = reader.read(picture, TRUE[None])[0]
    assert reading.card == card
    assert next(iter(reading.candidates)) == card


def test_probabilities_of_a_reading_are_probabilities(reader: CardReader) -> None:
    picture = felt()
    lay(picture, "5h", TRUE)
    reading = reader.read(picture, TRUE[None])[0]
    assert sum(reading.candidates.values()) + reading.none_probability <= 1.0001
    assert list(reading.candidates.values()) == sorted(reading.candidates.values(), reverse=True)


def test_it_does_not_matter_which_way_up_the_card_is(reader: CardReader) -> None:
    picture = felt()
    lay(picture, "Jd", TRUE)
    assert reader.read(picture, np.roll(TRUE, 2, axis=0)[None])[0].card == "Jd"


def test_card_that_looks_wider_than_long_is_read_from_corners_in_either_order(reader: CardReader) -> None:
    picture, place = felt(), quad(300, 200, 5.0, long_px=170, squash=0.62)
    lay(picture, "3d", place)
    assert reader.read(picture, place[None])[0].card == "3d"
    assert reader.read(picture, np.roll(place, 1, axis=0)[None])[0].card == "3d"


def test_empty_felt_is_not_read(reader: CardReader) -> None:
    reading = reader.read(felt(), TRUE[None])[0]
    assert reading.card is None
    assert reading.none_probability > 0.5


def test_blank_paper_is_not_read(reader: CardReader) -> None:
    picture = felt()
    picture[120:280, 240:360] = 245
    blank = np.array([[240.0, 120.0], [360.0, 120.0], [360.0, 280.0], [240.0, 280.0]])
    assert reader.read(picture, blank[None])[0].card is None


def test_no_cards_give_no_readings(reader: CardReader, refiner: CornerRefiner) -> None:
    assert reader.read(felt(), np.zeros((0, 4, 2))) == []
    assert refiner.refine(felt(), np.zeros((0, 4, 2))) == []


def test_many_cards_are_read_in_their_order(reader: CardReader) -> None:
    picture, cards = felt(400, 900), ["4s", "8d", "Kh", "3c"]
    quads = np.array([quad(130 + 210 * n, 200, 15.0 * n) for n in range(4)])
    for card, place in zip(cards, quads, strict=True):
        lay(picture, card, place)
    assert [reading.card for reading in reader.read(picture, quads)] == cards


def test_corners_are_found_from_a_rough_box(refiner: CornerRefiner) -> None:
    picture = felt()
    lay(picture, "9d", TRUE)
    found = refiner.refine(picture, ROUGH[None])[0]
    assert error_share(found.quad_px, TRUE) < 0.03
    assert found.face_probability > 0.5


def test_covered_card_is_outlined_and_read_by_its_free_corner(refiner: CornerRefiner, reader: CardReader) -> None:
    picture = felt()
    lower, upper = quad(290, 190, 0.0, squash=0.9), quad(316, 214, 0.0, squash=0.9)
    lay(picture, "Qc", lower)
    lay(picture, "8h", upper)
    found = refiner.refine(picture, (lower + 2.0)[None])[0]
    assert error_share(found.quad_px, lower) < 0.05
    assert reader.read(picture, lower[None])[0].card in {"Qc", None}
    assert reader.read(picture, upper[None])[0].card == "8h"


def test_snapping_replaces_the_quad_but_may_decline(refiner: CornerRefiner) -> None:
    picture = felt()
    lay(picture, "9d", TRUE)
    snapped = refiner.refine(picture, ROUGH[None], snap_to_felt=lambda _: TRUE)[0]
    declined = refiner.refine(picture, ROUGH[None], snap_to_felt=lambda _: None)[0]
    assert np.array_equal(snapped.quad_px, TRUE)
    assert error_share(declined.quad_px, TRUE) < 0.03


def test_changed_weights_are_refused(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(CARD_WEIGHTS, tmp_path / "cards"))
    (folder / "corner.bin").write_bytes(b"something else")
    with pytest.raises(WeightsError, match=r"corner\.bin: expected SHA-256"):
        CardReader(folder=folder)


def test_missing_weights_are_named(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match=r"cards\.json"):
        CardReader(folder=tmp_path)


def test_the_manifest_names_every_weight_file() -> None:
    manifest = json.loads((CARD_WEIGHTS / "cards.json").read_text(encoding="utf-8"))
    names = ("whole", "corner", "refine", "whole_large", "corner_large")
    assert set(manifest["sha256"]) == {f"{n}.{e}" for n in names for e in ("xml", "bin")}


def test_a_large_network_of_the_same_name_is_asked_too(tmp_path: Path) -> None:
    pictures = np.random.default_rng(1).integers(0, 255, (3, 96, 64, 3), dtype=np.uint8)
    both = Network("whole")(pictures)
    alone = []
    for number, name in enumerate(("whole", "whole_large")):
        folder = tmp_path / str(number)
        folder.mkdir()
        for kind in ("xml", "bin"):
            shutil.copyfile(CARD_WEIGHTS / f"{name}.{kind}", folder / f"whole.{kind}")
        hashes = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}
        (folder / "cards.json").write_text(json.dumps({"sha256": hashes}), encoding="utf-8")
        alone.append(Network("whole", folder=folder)(pictures))
    np.testing.assert_allclose(both, np.mean(alone, axis=0), rtol=1e-4, atol=1e-4)


def test_eyes_without_weights_are_a_value_error_as_every_command_expects(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"cards\.json"):
        load_eyes(None, card_weights=tmp_path)
