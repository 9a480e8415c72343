"""Weight files that are missing, broken or other ones are told by name, whichever network they are of."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from models.card_corners import CornerRefiner
from models.card_reader import CardReader
from models.chip_reader import ChipReader
from models.detection import Detector
from models.dice_finder import DiceFinder
from models.dice_reader import DiceReader
from models.trained import (
    CARD_WEIGHTS,
    CHIP_WEIGHTS,
    DETECTOR_WEIGHTS,
    DICE_WEIGHTS,
    WeightsError,
    check_files,
    read_manifest,
)

READERS: Final = [
    pytest.param(lambda folder: CardReader(folder=folder), CARD_WEIGHTS, "cards.json", "whole.bin", id="cards"),
    pytest.param(lambda folder: CornerRefiner(folder=folder), CARD_WEIGHTS, "cards.json", "refine.bin", id="corners"),
    pytest.param(ChipReader, CHIP_WEIGHTS, "sha256.json", "top.xml", id="chips"),
    pytest.param(Detector, DETECTOR_WEIGHTS, "detector.json", "detector.xml", id="detector"),
    pytest.param(DiceReader, DICE_WEIGHTS, "sha256.json", "die.bin", id="dice"),
    pytest.param(DiceFinder, DICE_WEIGHTS, "sha256.json", "finder.xml", id="finder"),
]


@pytest.mark.parametrize(("reader", "shipped", "manifest", "file"), READERS)
def test_every_network_names_the_file_of_its_that_is_missing(
    tmp_path: Path, reader: Callable[[Path], Any], shipped: Path, manifest: str, file: str
) -> None:
    assert (shipped / manifest).exists()
    folder = Path(shutil.copytree(shipped, tmp_path / "weights"))
    (folder / file).unlink()
    with pytest.raises(WeightsError, match=rf"{file}: expected SHA-256 [0-9a-f]{{64}}, found no file"):
        reader(folder)


@pytest.mark.parametrize(("reader", "shipped", "manifest", "file"), READERS)
def test_every_network_names_a_manifest_that_was_cut_short(
    tmp_path: Path, reader: Callable[[Path], Any], shipped: Path, manifest: str, file: str
) -> None:
    (tmp_path / manifest).write_bytes((shipped / manifest).read_bytes()[:50])
    with pytest.raises(WeightsError, match=rf"{manifest}: expected JSON, found none"):
        reader(tmp_path)
    (tmp_path / manifest).write_text("{}")
    with pytest.raises(WeightsError, match=r"expected SHA-256 none listed, found no file"):
        reader(tmp_path)


def test_a_missing_manifest_says_what_makes_it(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match=r"found no sha256\.json: run python -m models\.train\.dice_reader"):
        read_manifest(tmp_path / "sha256.json", made_by="models.train.dice_reader")


def test_a_manifest_is_an_object(tmp_path: Path) -> None:
    (tmp_path / "sha256.json").write_text("[]")
    with pytest.raises(WeightsError, match="expected a JSON object, found list"):
        read_manifest(tmp_path / "sha256.json", made_by="models.train.dice_reader")


def test_files_as_listed_pass_and_no_file_is_listed_by_accident(tmp_path: Path) -> None:
    (tmp_path / "one.bin").write_bytes(b"weights")
    sums = {"one.bin": hashlib.sha256(b"weights").hexdigest()}
    check_files(tmp_path, ["one.bin"], sums)
    (tmp_path / "two.bin").write_bytes(b"weights")
    with pytest.raises(WeightsError, match=r"two\.bin: expected SHA-256 none listed, found [0-9a-f]{64}"):
        check_files(tmp_path, ["one.bin", "two.bin"], sums)


@pytest.mark.parametrize("folder", [CARD_WEIGHTS, DETECTOR_WEIGHTS, CHIP_WEIGHTS, DICE_WEIGHTS], ids=lambda f: f.name)
def test_every_shipped_file_is_listed(folder: Path) -> None:
    (manifest,) = (path for path in folder.glob("*.json") if path.name != "calibration.json")
    told = json.loads(manifest.read_text(encoding="utf-8"))
    sums = told.get("sha256", told)
    assert {path.name for path in folder.iterdir()} - {manifest.name, "README.md"} == set(sums)
    check_files(folder, sums, sums)
