"""Makes the card readers' files of what ``models.train.card_pool_training`` has learnt.

``python -m models.train.card_pool_export FOLDER --weights OUT``: FOLDER holds ``whole.pt`` and ``corner.pt``, which
become the large readers. OUT gets all files of the card networks; the others are those of ``--beside``, by default as
shipped. How the readings are combined is chosen on the calibration decks, whose crops are drawn if they are missing.
"""

from __future__ import annotations

import argparse
import os
import shutil
from pathlib import Path

import cv2
import torch
from torch import Tensor

from models.card_networks import LARGE, Network
from models.train.card_crops import write_shards
from models.train.card_nets import ReaderNet
from models.train.card_pool_training import READERS
from models.train.card_reader import CALIBRATION_SHARDS, calibrate, export, write_manifest
from models.trained import CARD_WEIGHTS


def learnt(name: str, folder: Path) -> ReaderNet:
    """Return a reader with the weights of a folder, ready to be used."""
    network = ReaderNet(READERS[name])
    network.load_state_dict(torch.load(folder / f"{name}.pt", map_location="cpu", weights_only=True))
    network.eval()
    return network


def ship(networks: dict[str, ReaderNet], folder: Path, *, beside: Path) -> None:
    """Write all files of the card networks: these as the large ones, the others from another folder."""
    for name, network in networks.items():
        export(network, name, folder, file=f"{name}{LARGE}")
    for path in sorted(beside.glob("*.[xb]*")):
        if LARGE not in path.stem:
            shutil.copyfile(path, folder / path.name)
    write_manifest(folder, {})
    write_manifest(folder, calibrate({name: AsTorch(Network(name, folder=folder)) for name in networks}))


class AsTorch:
    """A network as it is used, for what asks one of PyTorch's."""

    def __init__(self, network: Network) -> None:
        self._network = network

    def __call__(self, pictures: Tensor) -> Tensor:
        """Return the outputs for pictures (n, h, w, 3)."""
        return torch.from_numpy(self._network(pictures.numpy()))


def main() -> None:
    """Export, calibrate."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--weights", type=Path, required=True, help="folder for the files")
    parser.add_argument("--beside", type=Path, default=CARD_WEIGHTS, help="folder that has the other networks")
    options = parser.parse_args()
    if options.weights.resolve() == options.beside.resolve():
        parser.error(f"{options.weights}: expected another folder than that of the other networks")
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
    cv2.setNumThreads(1)
    write_shards("calibration", seed=1, first=CALIBRATION_SHARDS[0], last=CALIBRATION_SHARDS[1])
    ship({name: learnt(name, options.folder) for name in READERS}, options.weights, beside=options.beside)


if __name__ == "__main__":
    main()
