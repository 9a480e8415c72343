"""A small real video, a profile for it, and a recogniser that needs no networks: the fake at the detector's seam."""

import sys
from collections.abc import Iterator
from pathlib import Path

import av
import numpy as np
import pytest
from sqlite_utils import Database

from audit.store.database import open_store
from workers import batch
from workers.settings import Settings

FAKE_WORKER = (sys.executable, "-m", "tests.workers.fake_worker")

PROFILE = """
[table]
id = "BJ-07"
game = "blackjack"
minimum = "10.00"
maximum = "2000.00"
[camera]
image_size = [64, 48]
points_mm = [[0, 0], [100, 0], [100, 100], [0, 100]]
points_px = [[2, 44], [62, 44], [52, 4], [12, 4]]
[[zone]]
name = "seat1.main"
polygon_mm = [[0, 0], [50, 0], [50, 50]]
"""


def write_video(path: Path, *, seconds: int, size: tuple[int, int] = (64, 48)) -> Path:
    """Write an H.264 video of plain pictures, 10 a second, with a keyframe every second."""
    with av.open(str(path), mode="w") as container:
        stream = container.add_stream("libx264", rate=10)
        stream.width, stream.height = size
        stream.pix_fmt = "yuv420p"
        stream.gop_size = 10
        stream.options = {"sc_threshold": "0"}  # keyframes at every second and nowhere else
        for number in range(seconds * 10):
            picture = np.full((size[1], size[0], 3), (20, 50 + number % 200, 30), dtype=np.uint8)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        container.mux(stream.encode())
    return path


@pytest.fixture(scope="session")
def video(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """450 seconds: three segments."""
    return write_video(tmp_path_factory.mktemp("footage") / "night.mp4", seconds=450)


@pytest.fixture
def profile(tmp_path: Path) -> Path:
    path = tmp_path / "BJ-07.toml"
    path.write_text(PROFILE)
    return path


@pytest.fixture
def fake_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Crews are of workers that see without networks."""
    monkeypatch.setattr(batch, "WORKER_COMMAND", FAKE_WORKER)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data_dir=tmp_path / "data")


@pytest.fixture
def db(settings: Settings) -> Iterator[Database]:
    db = open_store(settings.data_dir)
    yield db
    db.close()
