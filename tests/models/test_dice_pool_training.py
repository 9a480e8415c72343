"""Training of the network for dice from a pool of views: it learns, and goes on where it was."""

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from models.train import dice_pool_training  # noqa: E402
from models.train.dice_pool_training import NAMES, begun, packs, train  # noqa: E402
from models.train.pool import Pool  # noqa: E402

Pack = dict[str, np.ndarray]


def filled() -> Pool:
    pool = Pool(400, held=40, device="cpu", names=NAMES)
    drawn = packs((5, 0), size=120)
    for _ in range(3):
        pool.add(next(drawn))
    return pool


def nothing_more() -> list[Pack]:
    return []


def test_packs_differ_and_hold_dice_and_what_is_none() -> None:
    first, second = (next(packs((5, number), size=150)) for number in (0, 4))
    assert set(first["value"].tolist()) == set(range(7))
    assert not np.array_equal(first["view"][:50], second["view"][:50])
    assert np.array_equal(first["view"], next(packs((5, 0), size=150))["view"]), "the same seed draws the same"


def test_it_learns_saves_and_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pool, checkpoint = filled(), tmp_path / "die.ckpt"
    training = begun("cpu", checkpoint)
    before = {key: value.clone() for key, value in training.network.state_dict().items()}
    monkeypatch.setattr(dice_pool_training, "_OFTEN", 2)
    train(pool, nothing_more, training, folder=tmp_path, seconds=3.0, batch=32)
    assert 0 < training.step <= 2 * pool.count // 32 + 1, "no view is learnt from more often than it may be"
    assert any(not torch.equal(before[key], value) for key, value in training.network.state_dict().items())
    again = begun("cpu", checkpoint)
    assert (again.step, again.seconds >= 3.0) == (training.step, True)
    stored = torch.load(tmp_path / "die.pt", weights_only=True)
    assert all(torch.equal(stored[key], value) for key, value in again.average.state.items())
    further = begun("cpu", tmp_path / "none.ckpt", tmp_path / "die.pt")
    assert all(torch.equal(stored[key], value) for key, value in further.network.state_dict().items())
