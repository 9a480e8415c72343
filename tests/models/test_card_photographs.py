"""Photographs among the drawn cards: which are kept out, and what is learnt of a card's two ends."""

from pathlib import Path

import numpy as np
import pytest
import torch

from audit.cards import RANKS, SUITS
from models.train import card_photographs
from models.train.card_crops import IGNORED
from models.train.card_photo_scores import kept_out
from models.train.card_photographs import among, crops_of_card
from models.train.shipped import between

FILES = ("mb_club1.jpg", "mb_club2.jpg", "mb_club3.jpg", "mb_club4.jpg", "ed_IMG_2383.jpg", "ed_IMG_2387.jpg")


def test_two_frames_of_one_layout_are_kept_out_together():
    assert kept_out(FILES, 0) == {"ed_IMG_2383.jpg", "mb_club1.jpg", "mb_club2.jpg"}
    assert kept_out(FILES, 1) == {"ed_IMG_2387.jpg", "mb_club3.jpg", "mb_club4.jpg"}


def test_nothing_is_kept_out_without_a_fold():
    assert kept_out(FILES, None) == frozenset()


def crops(*, index_px):
    frame = np.full((300, 300, 3), 200, np.uint8)
    quad = np.array([[100.0, 80.0], [163.0, 80.0], [163.0, 168.0], [100.0, 168.0]])
    return crops_of_card(frame, quad, "Td", np.random.default_rng(1), index_px=index_px)


def test_of_a_wholly_labelled_card_both_ends_have_its_index():
    seen = crops(index_px=None)
    assert set(seen["rank"].ravel()) == {RANKS.index("T")}
    assert set(seen["suit"].ravel()) == {SUITS.index("d")}


def test_of_a_labelled_index_nothing_is_said_about_the_other_end():
    seen = crops(index_px=np.array([156.0, 156.0]))
    assert set(seen["rank"][:, 1]) == {RANKS.index("T")}
    assert set(seen["rank"][:, 2]) == {IGNORED}


def test_photographed_crops_come_after_the_drawn_ones():
    photos = crops(index_px=None)
    drawn = {key: np.repeat(value[:1], 5, axis=0) for key, value in photos.items()}
    drawn["rank"] = np.zeros_like(drawn["rank"])
    kept = among(drawn, 0.5, prepare=lambda shard, _: dict(shard), photos=photos)
    assert set(kept["rank"][:5, 0]) == {0}
    assert set(kept["rank"][5:, 0]) == {RANKS.index("T")}


def test_weights_are_taken_part_of_the_way_and_counters_as_they_are():
    before = {"weight": torch.tensor([1.0, 2.0]), "seen": torch.tensor(4)}
    after = {"weight": torch.tensor([3.0, 2.0]), "seen": torch.tensor(9)}
    mixed = between(before, after, 0.25)
    assert mixed["weight"].tolist() == [1.5, 2.0]
    assert int(mixed["seen"]) == 9


def test_a_half_cannot_be_kept_out_of_weights_that_have_learnt_from_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["train", str(tmp_path), "--weights", str(tmp_path / "out"), "--fold", "0"])
    with pytest.raises(SystemExit):
        card_photographs.main()
    assert "from before any photograph" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
