"""Goes a part of the way from one network for sides to another of the same shape, as OpenVINO's files hold them.

``python -m models.train.chip_blend FROM TO --way 0.3 --weights OUT``: folders of weights. What learnt to tell every
chip at a place of its own forgot a little of what tidy stacks look like; a part of the way back has most of both.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

import numpy as np

_NAME: Final = "strip"
_HALF: Final = "f16"


class BlendError(ValueError):
    """Two files that are not of one network."""


def blended(one: Path, other: Path, way: float) -> bytes:
    """Return the weights (contents of a .bin) a part of the way (0 to 1) from one network's to another's.

    Args:
        one: the .xml of the network at 0; its .bin lies beside it.
        other: that of the network at 1.
        way: how far to go.

    Raises:
        BlendError: if the files are not of networks of the same shape.
    """
    places, others = list(_constants(one)), list(_constants(other))
    if [place[1:] for place in places] != [place[1:] for place in others]:
        msg = f"{other}: expected a network of the same shape as {one}, found another"
        raise BlendError(msg)
    weights, rest = bytearray(one.with_suffix(".bin").read_bytes()), other.with_suffix(".bin").read_bytes()
    for (start, size, *_), (other_start, *_) in zip(places, others, strict=True):
        before = np.frombuffer(weights, np.float16, count=size // 2, offset=start).astype(np.float32)
        after = np.frombuffer(rest, np.float16, count=size // 2, offset=other_start).astype(np.float32)
        weights[start : start + size] = ((1 - way) * before + way * after).astype(np.float16).tobytes()
    return bytes(weights)


def _constants(xml: Path) -> Iterator[tuple[int, int, str]]:
    """Where the 16-bit constants of a network lie in its .bin: start, size in bytes, shape."""
    for layer in ET.parse(xml).getroot().iterfind("layers/layer[@type='Const']/data"):  # noqa: S314 (our file)
        if layer.attrib["element_type"] == _HALF:
            yield int(layer.attrib["offset"]), int(layer.attrib["size"]), layer.attrib.get("shape", "")


def main() -> None:
    """Write a folder of weights between two."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("one", metavar="FROM", type=Path)
    parser.add_argument("other", metavar="TO", type=Path)
    parser.add_argument("--way", type=float, default=0.3)
    parser.add_argument("--weights", type=Path, required=True, help="folder for the weights")
    options = parser.parse_args()
    shutil.copytree(options.one, options.weights, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.ckpt"))
    weights = blended(options.one / f"{_NAME}.xml", options.other / f"{_NAME}.xml", options.way)
    (options.weights / f"{_NAME}.bin").write_bytes(weights)
    manifest = options.weights / "sha256.json"
    hashes = {
        name: hashlib.sha256((options.weights / name).read_bytes()).hexdigest()
        for name in json.loads(manifest.read_text(encoding="utf-8"))
    }
    manifest.write_text(json.dumps(hashes, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
