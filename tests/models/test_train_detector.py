"""What the detector is trained with, and a training as short as can be."""

from itertools import count, islice
from pathlib import Path

import cv2
import numpy as np
import pytest

torch = pytest.importorskip("torch")

from models.detection import Detector  # noqa: E402
from models.kinds import KINDS  # noqa: E402
from models.train import detector  # noqa: E402
from models.train.compose_shards import read_shard, save_shard, shard_path  # noqa: E402
from models.train.detector import Mixture, ahead, batches, filled  # noqa: E402
from models.train.detector_pictures import Shards  # noqa: E402

CARD, CUP = KINDS.index("card"), KINDS.index("dice_cup")


def picture(grey: int) -> np.ndarray:
    return cv2.imencode(".jpg", np.full((320, 320, 3), grey, np.uint8))[1].ravel()


def row(kind: int, length: float = 0.3) -> list[float]:
    return [kind, 0.5, 0.5, length, 0.2, 0.1]


def shards(folder: Path) -> Path:
    rows = [np.array([row(CARD)], np.float32), np.array([row(CARD), row(CUP)], np.float32)]
    save_shard(shard_path(folder, "train", 3), [(picture(60), rows[0]), (picture(200), rows[1])])
    return folder


def test_a_shard_gives_back_what_was_written(tmp_path: Path) -> None:
    first, second = read_shard(shard_path(shards(tmp_path), "train", 3))
    assert len(first[1]) == 1
    assert np.allclose(second[1], [row(CARD), row(CUP)])
    assert cv2.imdecode(second[0], cv2.IMREAD_GRAYSCALE).mean() > 190


def test_shards_are_taken_once_and_again_only_if_asked_for(tmp_path: Path) -> None:
    feed = Shards(shards(tmp_path))
    assert [len(feed.take(1, again=False)) for _ in range(3)] == [1, 1, 0]
    assert len(feed.take(4, again=True)) == 4, "twice from the first on"
    tiny = np.array([[CARD, 0.5, 0.5, 0.05, 0.03, 0.0]], np.float32)
    save_shard(shard_path(tmp_path, "train", 4), [(picture(90), tiny), (picture(90), np.zeros((0, 6), np.float32))])
    assert len(feed.take(5, again=False)) == 1, "a new shard, without the picture whose card is tiny"


def test_batches_have_fewer_crops_where_they_are_large_and_labels_for_each(tmp_path: Path) -> None:
    feed = Shards(shards(tmp_path))
    pictures = filled(feed, tmp_path, torch.device("cpu"))
    for large, shape in ((0.0, (16, 3, 192, 192)), (1.0, (9, 3, 256, 256))):
        mixture = Mixture(size=16, large=large, photographed=0.5)
        for batch in islice(batches(feed, pictures, None, mixture, np.random.default_rng(1)), 2):
            assert batch["img"].shape == shape
            assert batch["counted"].shape == (shape[0], len(KINDS))
            assert len(batch["cls"]) == len(batch["bboxes"]) == len(batch["batch_idx"])
            assert set(torch.unique(batch["batch_idx"]).tolist()) <= set(range(shape[0]))


def test_what_is_made_ahead_comes_in_order_and_so_does_an_error() -> None:
    def made():
        for number in count():
            if number == 3:
                msg = "no more"
                raise ValueError(msg)
            yield number

    asked = ahead(made(), 2)
    assert list(islice(asked, 3)) == [0, 1, 2]
    with pytest.raises(ValueError, match="no more"):
        next(asked)


def trained(monkeypatch: pytest.MonkeyPatch, folder: Path, *options: str) -> dict:
    """Run the command with crops as small as can be; return its checkpoint."""
    asked = ["train", "--shards", str(folder), "--run", str(folder / "run"), "--batch", "2", *options]
    for name, value in (("_SIDE_PX", 64), ("_LARGE_PX", 96), ("_MOST_ON_CPU", 4), ("_EXAMPLES", 2)):
        monkeypatch.setattr(detector, name, value)
    monkeypatch.setattr("sys.argv", ["detector", *asked])
    detector.main()
    return torch.load(folder / "run" / "last.pt", weights_only=True)


@pytest.mark.filterwarnings("ignore:.*torch.jit:FutureWarning")
@pytest.mark.filterwarnings("ignore::torch.jit.TracerWarning")  # ultralytics ignores it, once a process
def test_a_run_goes_on_where_it_stopped_and_gives_files_that_the_detector_loads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds, steps, pictures = trained(monkeypatch, shards(tmp_path), "--minutes", "0.01", "--further")["spent"]
    assert steps >= 1
    assert pictures > 40_000, "those that the shipped network has learnt from count"
    assert trained(monkeypatch, tmp_path, "--minutes", "0.01", "--resume")["spent"][1] == steps, "the time was spent"
    assert trained(monkeypatch, tmp_path, "--minutes", str(seconds / 60 + 0.005), "--resume")["spent"][1] > steps
    detector.export_run(tmp_path / "run", tmp_path / "out", 0.5)
    assert Detector(tmp_path / "out").detect(np.zeros((64, 64, 3), np.uint8)) is not None


def test_a_folder_without_shards_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        trained(monkeypatch, tmp_path)
    assert f"{tmp_path}: expected shards train-*.npz with pictures, found none" in capsys.readouterr().err
