"""Training the card networks: resumable, and what is chosen after it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from models.card_fusion import CODES, NONE  # noqa: E402 - after the check for torch
from models.train import card_reader  # noqa: E402
from models.train.card_nets import READER_OUTPUTS, CardNet, corner_offsets, reader_loss, refine_loss  # noqa: E402
from models.train.card_reader import PREPARE, choose_threshold, export, with_weights  # noqa: E402
from models.train.loop import Plan, train  # noqa: E402


def write_shard(folder: Path) -> None:
    """64 crops whose rank can be told from their brightness."""
    rng = np.random.default_rng(1)
    rank = rng.integers(0, 2, 64)
    pictures = (rng.integers(0, 40, (64, 72, 48, 3)) + rank[:, None, None, None] * np.arange(48)[:, None] * 4).clip(
        0, 255
    )
    np.savez(folder / "0000.npz", picture=pictures.astype(np.uint8), rank=rank, suit=np.full(64, -1))


def everything(shard: Mapping[str, np.ndarray], _progress: float) -> dict[str, np.ndarray]:
    return {key: shard[key] for key in ("picture", "rank", "suit")}


def plan(folder: Path, samples: int) -> Plan:
    return Plan(name="test", shards=folder, samples=samples, batch=16)


def test_training_learns_and_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    write_shard(tmp_path)
    checkpoint = tmp_path / "checkpoints" / "test.pt"
    train(plan(tmp_path, 640), CardNet((48, 72), 18), reader_loss, prepare=everything, checkpoint=checkpoint)
    assert torch.load(checkpoint, weights_only=True)["seen"] == 640
    fresh = CardNet((48, 72), 18)
    trained = train(plan(tmp_path, 1920), fresh, reader_loss, prepare=everything, checkpoint=checkpoint)
    assert torch.load(checkpoint, weights_only=True)["seen"] == 1920
    with np.load(tmp_path / "0000.npz") as shard, torch.no_grad():
        ranks = trained(torch.from_numpy(shard["picture"]))[:, :14].argmax(dim=1).numpy()
        assert (ranks == shard["rank"]).mean() > 0.9


def test_beside_some_indices_lies_what_another_card_shows_there() -> None:
    rng = np.random.default_rng(3)
    shade = np.arange(100, dtype=np.uint8)[:, None, None, None, None]
    shard = {
        "corners": np.broadcast_to(shade, (100, 2, 72, 48, 3)).copy(),
        "rank": rng.integers(0, 13, (100, 3)),
        "suit": rng.integers(0, 4, (100, 3)),
        "long_px": np.full(100, 90.0),
    }
    pictures = np.array(PREPARE["corner"](shard, 0.5)["picture"])
    assert (pictures[:, :, :28] == pictures[:, :1, :1]).all(), "where the index is all stays"
    mixed = (pictures != pictures[:, :1, :1]).any(axis=(1, 2, 3))
    assert 0.2 < mixed.mean() < 0.5


@pytest.mark.filterwarnings("ignore:.torch.jit:FutureWarning", "ignore:.torch.jit:DeprecationWarning")
def test_a_reader_that_goes_on_from_exported_files_answers_as_they_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(2)
    crops = {
        "corners": rng.integers(0, 255, (64, 2, 72, 48, 3)).astype(np.uint8),
        "rank": np.zeros((64, 3), np.int64),
        "suit": np.zeros((64, 3), np.int64),
        "long_px": np.full(64, 100.0),
    }
    monkeypatch.setattr(card_reader, "load_shards", lambda *_: crops)
    torch.manual_seed(1)
    exported = CardNet((48, 72), READER_OUTPUTS).eval()
    export(exported, "corner", tmp_path)
    further = with_weights("corner", tmp_path).eval()
    pictures = torch.from_numpy(crops["corners"][:, 0])
    with torch.no_grad():
        before, after = exported(pictures), further(pictures)
    assert float((before - after).abs().max()) < 0.05 * float(before.std())


def test_undecided_labels_cost_nothing() -> None:
    output = torch.randn(2, 18)
    known = {"rank": torch.tensor([3, -1]), "suit": torch.tensor([-1, -1])}
    other = output.clone()
    other[1] = 100 * torch.randn(18)
    assert reader_loss(output, known) == reader_loss(other, known)


def test_corners_at_the_nominal_box_have_no_offset() -> None:
    target = torch.tensor([[22.0, 14, 74, 14, 74, 82, 22, 82]])
    assert corner_offsets(target).abs().max() == 0
    assert torch.isclose(corner_offsets(target + 6.8)[0, 0], torch.tensor(0.1))


def test_corners_of_what_is_no_face_are_not_learned() -> None:
    batch = {"target": torch.full((1, 8), 50.0), "sideways": torch.tensor([0]), "face": torch.tensor([0])}
    output = torch.zeros(1, 11)
    moved = output.clone()
    moved[0, :8] = 0.5
    assert refine_loss(output, batch) == refine_loss(moved, batch)


def row(card: str, probability: float) -> np.ndarray:
    """Probabilities with one likely card and the rest of it "no card"."""
    shares = np.zeros(53)
    shares[CODES.index(card)] = probability
    shares[NONE] = 1 - probability
    return shares


def test_threshold_lets_one_misreading_in_two_hundred_pass() -> None:
    right, seven = CODES.index("7c"), [row("7c", 0.999)] * 199
    assert choose_threshold(np.array([*seven, row("8c", 0.95)]), np.full(200, right)) == 0.8
    assert (
        choose_threshold(
            np.array([*seven[2:], row("8c", 0.932), row("8c", 0.932), row("8c", 0.932)]), np.full(200, right)
        )
        == 0.935
    )
