"""Makes the card readers' files of what ``models.train.card_pool_training`` has learnt.

``python -m models.train.card_pool_export FOLDER --weights OUT``: FOLDER holds ``whole.pt`` and ``corner.pt``. OUT gets
all files of the card networks; ``refine`` is that of ``--refine``, by default the one shipped. How the readings are
combined is chosen on the calibration decks, whose crops are drawn if they are missing.
"""

from __future__ import annotations

import argparse
import os
import shutil
from pathlib import Path

import cv2
import torch

from models.card_networks import WEIGHTS
from models.train.card_crops import write_shards
from models.train.card_nets import ReaderNet
from models.train.card_pool_training import READERS
from models.train.card_reader import CALIBRATION_SHARDS, calibrate, export, write_manifest


def learnt(name: str, folder: Path) -> ReaderNet:
    """Return a reader with the weights of a folder, ready to be used."""
    network = ReaderNet(READERS[name])
    network.load_state_dict(torch.load(folder / f"{name}.pt", map_location="cpu", weights_only=True))
    network.eval()
    return network


def ship(networks: dict[str, ReaderNet], folder: Path, *, refine: Path) -> None:
    """Write all files of the card networks."""
    for name, network in networks.items():
        export(network, name, folder)
    for path in sorted(refine.glob("refine.*")):
        shutil.copyfile(path, folder / path.name)
    write_manifest(folder, calibrate(networks))


def main() -> None:
    """Export, calibrate."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--weights", type=Path, required=True, help="folder for the files")
    parser.add_argument("--refine", type=Path, default=WEIGHTS, help="folder that has the network for corners")
    options = parser.parse_args()
    if options.weights.resolve() == options.refine.resolve():
        parser.error(f"{options.weights}: expected another folder than that of the network for corners")
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
    cv2.setNumThreads(1)
    write_shards("calibration", seed=1, first=CALIBRATION_SHARDS[0], last=CALIBRATION_SHARDS[1])
    ship({name: learnt(name, options.folder) for name in READERS}, options.weights, refine=options.refine)


if __name__ == "__main__":
    main()
