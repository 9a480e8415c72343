"""What the dice reader is trained with, from where it goes on, and how it reads dice that it has not seen."""

import numpy as np
import pytest
import torch

from models.dice_reader import DIE_PX
from models.train.dice_reader import as_shipped, part_of_the_way
from models.train.dice_views import flat_views, solid_views, table_views
from models.train.die_network import DieNetwork
from models.trained import DICE_WEIGHTS, compiled


def inputs(views: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(views.transpose(0, 3, 1, 2), dtype=np.float32)


@pytest.fixture(scope="module")
def solid() -> dict[str, np.ndarray]:
    return solid_views(np.random.default_rng(8), 400)


def test_views_to_train_with_show_dice_of_all_faces_and_what_is_none(solid: dict[str, np.ndarray]) -> None:
    assert solid["view"].shape[1:] == (DIE_PX, DIE_PX, 3)
    assert set(solid["value"].tolist()) == set(range(7))
    assert (solid["colour"][solid["value"] == 0] == -1).all(), "what is no die has no colour"


@pytest.mark.filterwarnings("ignore:.*torch.jit:FutureWarning")
def test_training_goes_on_from_the_weights_that_are_shipped(solid: dict[str, np.ndarray]) -> None:
    network = as_shipped(DICE_WEIGHTS, solid["view"]).eval()
    given = inputs(solid["view"][:40])
    with torch.no_grad():
        ours = network(torch.from_numpy(given))
    told = compiled(DICE_WEIGHTS / "die.xml")([given]).values()
    for mine, file in zip(ours, told, strict=True):
        assert np.abs(mine.numpy() - file).max() < 0.05 * file.std()


@pytest.mark.filterwarnings("ignore:.*torch.jit:FutureWarning")
def test_the_end_of_the_way_is_the_trained_network(solid: dict[str, np.ndarray]) -> None:
    torch.manual_seed(1)
    shipped = as_shipped(DICE_WEIGHTS, solid["view"])
    there, back = (part_of_the_way(DieNetwork(), shipped, way, solid["view"]).eval() for way in (1.0, 0.0))
    given = torch.from_numpy(inputs(solid["view"]))
    with torch.no_grad():
        told, (same, _), (other, _) = shipped.eval()(given)[0], there(given), back(given)
    agree = (told.argmax(dim=1) == same.argmax(dim=1)).float().mean()
    assert agree > 0.85
    assert (told.argmax(dim=1) == other.argmax(dim=1)).float().mean() < 0.5


def likeliest_right(views: dict[str, np.ndarray]) -> float:
    dice = views["value"] > 0
    values, _ = compiled(DICE_WEIGHTS / "die.xml")([inputs(views["view"][dice])]).values()
    return float((values.argmax(axis=1) == views["value"][dice]).mean())


def test_plain_dice_of_a_table_are_told_nearly_always() -> None:
    assert likeliest_right(flat_views(np.random.default_rng(9), 300)) > 0.96


def test_plain_dice_before_a_table_camera_are_told_nearly_always() -> None:
    assert likeliest_right(table_views(np.random.default_rng(10), 300)) > 0.93
