"""A part of the way between two networks of one shape."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import openvino
import pytest

from models.train.chip_blend import BlendError, blended
from models.trained import CHIP_WEIGHTS


def network(path: Path, weights: list[float]) -> Path:
    """Save a network that multiplies by ``weights``."""
    ops = openvino.opset13
    asked = ops.parameter([1, len(weights)], np.float32)
    told = ops.multiply(asked, ops.constant(np.array([weights], dtype=np.float32)))
    openvino.save_model(openvino.Model([told], [asked]), path, compress_to_fp16=True)
    return path


def answers(path: Path, weights: bytes, ones: int) -> list[float]:
    path.with_suffix(".bin").write_bytes(weights)
    (told,) = openvino.Core().compile_model(path, "CPU")([np.ones((1, ones), np.float32)]).values()
    return [round(float(value), 2) for value in told[0]]


@pytest.mark.parametrize(
    ("way", "expected"), [(0.0, [1.0, 2.0, 3.0]), (0.25, [1.5, 2.0, 2.0]), (1.0, [3.0, 2.0, -1.0])]
)
def test_weights_lie_between_those_of_the_two(tmp_path: Path, way: float, expected: list[float]) -> None:
    one, other = network(tmp_path / "one.xml", [1, 2, 3]), network(tmp_path / "other.xml", [3, 2, -1])
    assert answers(one, blended(one, other, way), 3) == expected


def test_networks_of_other_shapes_are_refused(tmp_path: Path) -> None:
    one, other = network(tmp_path / "one.xml", [1, 2, 3]), network(tmp_path / "other.xml", [3, 2])
    with pytest.raises(BlendError, match="expected a network of the same shape"):
        blended(one, other, 0.5)


def test_the_shipped_network_is_one_of_the_kind() -> None:
    assert (
        blended(CHIP_WEIGHTS / "strip.xml", CHIP_WEIGHTS / "strip.xml", 0.5)
        == (CHIP_WEIGHTS / "strip.bin").read_bytes()
    )
