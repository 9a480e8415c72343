"""What the detector is trained with: pictures from shards, those with a dice cup more often."""

from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import torch

from models.kinds import KINDS
from models.train.compose_shards import read_shard, save_shard, shard_path
from models.train.detector import batches

CARD, CUP = KINDS.index("card"), KINDS.index("dice_cup")


def picture(grey: int) -> np.ndarray:
    return cv2.imencode(".jpg", np.full((320, 320, 3), grey, np.uint8))[1].ravel()


def row(kind: int) -> list[float]:
    return [kind, 0.5, 0.5, 0.3, 0.2, 0.1]


def shards(folder: Path) -> Path:
    rows = [np.array([row(CARD)], np.float32), np.array([row(CARD), row(CUP)], np.float32)]
    save_shard(shard_path(folder, "train", 3), [(picture(60), rows[0]), (picture(200), rows[1])])
    return folder


def test_a_shard_gives_back_what_was_written(tmp_path: Path) -> None:
    first, second = read_shard(shard_path(shards(tmp_path), "train", 3))
    assert len(first[1]) == 1
    assert np.allclose(second[1], [row(CARD), row(CUP)])
    assert cv2.imdecode(second[0], cv2.IMREAD_GRAYSCALE).mean() > 190


def test_pictures_with_a_cup_are_shown_as_often_as_asked_in_each_round(tmp_path: Path) -> None:
    asked = batches(shards(tmp_path), 4, 0.08, 96, np.random.default_rng(1), cups=3)
    for batch in islice(asked, 3):
        bright = (batch["img"].mean(dim=(1, 2, 3)) > 0.5).sum()
        assert int(bright) == 3
        assert batch["img"].shape == (4, 3, 96, 96)
        assert set(torch.unique(batch["batch_idx"]).tolist()) <= {0.0, 1.0, 2.0, 3.0}
