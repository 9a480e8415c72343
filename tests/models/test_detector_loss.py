"""What the detector is told: a rectangle is one however it is written, and unlabelled kinds do not count."""

import math

import pytest

torch = pytest.importorskip("torch")

from models.train.detector_loss import CountedKinds, NearestTurn, nearest_turn  # noqa: E402

QUARTER = math.pi / 2


def box(width: float, height: float, angle: float) -> torch.Tensor:
    return torch.tensor([[[50.0, 40.0, width, height, angle]]])


@pytest.mark.parametrize(
    ("answered", "nearest"),
    [
        (0.0, (30.0, 10.0, 0.2)),
        (1.5, (10.0, 30.0, 0.2 + QUARTER)),
        (-1.2, (10.0, 30.0, 0.2 - QUARTER)),
        (3.3, (30.0, 10.0, 0.2 + 2 * QUARTER)),
    ],
)
def test_a_box_is_wanted_the_way_that_is_nearest_to_the_answer(
    answered: float, nearest: tuple[float, float, float]
) -> None:
    assert torch.allclose(nearest_turn(box(30, 10, 0.2), torch.tensor([[[answered]]])), box(*nearest))


def test_the_plain_loss_gets_what_the_ways_of_one_rectangle_have_in_common() -> None:
    class Told(torch.nn.Module):
        def forward(self, distances, boxes, anchors, wanted, factor):
            return (boxes - wanted).abs().sum() * factor

    answer, loss = box(29, 11, 0.1), NearestTurn(Told())
    losses = [float(loss(None, answer, None, wanted, 2.0)) for wanted in (box(30, 10, 0.2), box(10, 30, 0.2 - QUARTER))]
    assert losses == pytest.approx([4.2, 4.2], abs=1e-4)


def test_a_kind_that_does_not_count_teaches_nothing() -> None:
    loss, scores = CountedKinds(), torch.zeros(2, 5, 3, requires_grad=True)
    loss.counted = torch.tensor([[1.0, 1.0, 1.0], [1.0, 0.0, 1.0]])
    told = loss(scores, torch.zeros(2, 5, 3))
    assert told.shape == (2, 5, 3)
    told.sum().backward()
    assert bool((scores.grad[0] > 0).all())
    assert scores.grad[1].abs().sum(dim=0).tolist() == pytest.approx([2.5, 0.0, 2.5])
