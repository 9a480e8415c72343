"""Networks that go on training from the files that are shipped."""

from pathlib import Path

import numpy as np
import openvino
import pytest
import torch

from models.chip_geometry import STEPS, STRIP_COLUMNS, STRIP_ROWS
from models.detection import training_network
from models.train.chip_network import StripNetwork, TopNetwork
from models.train.detector_export import AsShipped, converted
from models.train.shipped import ShippedWeightsError, take_over
from models.trained import CHIP_WEIGHTS, DETECTOR_WEIGHTS


def strips(count: int, seed: int) -> tuple[torch.Tensor, torch.Tensor]:
    chance = torch.Generator().manual_seed(seed)
    sides = torch.rand(count, 10, STRIP_ROWS, STRIP_COLUMNS, generator=chance) * 255
    return sides, torch.rand(count, 5, STEPS, generator=chance)


def answers(network: StripNetwork, given: tuple[torch.Tensor, ...]) -> np.ndarray:
    with torch.no_grad():
        return network(*given).numpy()


def told_by(file: Path, *given: torch.Tensor) -> list[np.ndarray]:
    """Return what a shipped file answers, computed as exactly as in training: left alone, some processors round."""
    exact = {"INFERENCE_PRECISION_HINT": "f32"}
    answered = openvino.Core().compile_model(file, "CPU", exact)([part.numpy() for part in given])
    return list(answered.values())


@pytest.fixture
def further() -> StripNetwork:
    """A network of each test's own: one that learns changes its normalisations."""
    network = StripNetwork()
    take_over(network, CHIP_WEIGHTS / "strip.xml", [strips(12, seed) for seed in range(3)])
    return network


def test_the_network_answers_as_the_shipped_file_does(further: StripNetwork) -> None:
    given = strips(5, 9)
    (told,) = told_by(CHIP_WEIGHTS / "strip.xml", *given)
    assert np.abs(answers(further.eval(), given) - told).max() < 0.001 * told.std()


def test_its_normalisations_know_what_they_get_so_that_it_can_learn(further: StripNetwork) -> None:
    given = strips(12, 0)
    at_rest = answers(further.eval(), given)
    learning = answers(further.train(), given)
    assert np.abs(learning - at_rest).mean() < 0.5 * at_rest.std()


@pytest.mark.filterwarnings("ignore:.*torch.jit:FutureWarning")
@pytest.mark.filterwarnings("ignore::torch.jit.TracerWarning")  # ultralytics ignores it, once a process
def test_a_network_with_branches_takes_its_layers_in_the_order_of_the_file() -> None:
    pictures = torch.randint(0, 255, (2, 128, 128, 3), generator=torch.Generator().manual_seed(1), dtype=torch.uint8)
    shipped = AsShipped(training_network())
    file = DETECTOR_WEIGHTS / "detector.xml"
    take_over(shipped, file, [(pictures[:1],), (pictures,)], converted=lambda asked: converted(asked.network))
    with torch.no_grad():
        boxes, scores, _ = shipped.eval()(pictures[1:])
    told = told_by(file, pictures[1:])
    assert np.abs(scores.numpy() - told[1]).max() < 0.02
    assert np.abs(boxes.numpy() - told[0]).max() < 0.05 * told[0].std()


def test_the_file_of_another_network_is_refused() -> None:
    with pytest.raises(ShippedWeightsError, match="expected"):
        take_over(TopNetwork(), CHIP_WEIGHTS / "strip.xml", [(torch.zeros(1, 3, 48, 48),)])
