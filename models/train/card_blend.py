"""Goes a part of the way from one set of card readers to another, which had learnt further from it.

``python -m models.train.card_blend OLD NEW --way 0.7 --weights OUT``: folders of exported weights. Readers that learn
something new forget a little of what they knew; in between lie some that have most of both. ``refine`` is OLD's.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path
from typing import Final

from models.train.card_reader import calibrate, export, with_weights, write_manifest
from models.train.shipped import between

_READERS: Final = ("whole", "corner")


def main() -> None:
    """Write the readers between two folders, and how their answers are combined."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--way", type=float, default=0.7)
    parser.add_argument("--weights", type=Path, required=True, help="folder for the weights")
    options = parser.parse_args()
    options.weights.mkdir(parents=True, exist_ok=True)
    networks = {}
    for name in _READERS:
        network, before = with_weights(name, options.new), with_weights(name, options.old)
        network.load_state_dict(between(before.state_dict(), network.state_dict(), options.way))
        networks[name] = network.eval()
        export(network, name, options.weights)
    for path in sorted(options.old.glob("refine.*")):
        shutil.copyfile(path, options.weights / path.name)
    write_manifest(options.weights, calibrate(networks))


if __name__ == "__main__":
    main()
