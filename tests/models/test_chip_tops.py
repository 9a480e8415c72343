"""Photographs among the crops that the network for uppermost chips learns from."""

from pathlib import Path

import cv2
import numpy as np
import pytest

torch = pytest.importorskip("torch")

from models.chip_geometry import TOP_PX  # noqa: E402 - after the check for torch
from models.train import chip_tops  # noqa: E402
from models.train.chip_crops import CLASSES  # noqa: E402
from models.train.chip_tops import photographed  # noqa: E402
from models.train.chip_variety import varied_tops  # noqa: E402

RED = (40, 40, 200)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two photographs of one red pile each, the second pile of a colour that is no cheque's."""
    for name, colour in (("dg_1.jpg", RED), ("dg_2.jpg", (200, 200, 40))):
        picture = np.full((300, 300, 3), 90, np.uint8)
        cv2.rectangle(picture, (100, 80), (200, 220), colour, thickness=-1)
        cv2.imwrite(str(tmp_path / name), picture)
    rows = ["file,colour,x0,y0,x1,y1", "dg_1.jpg,red,100,80,200,220", "dg_2.jpg,turquoise,100,80,200,220"]
    (tmp_path / "boxes.csv").write_text("\n".join(rows) + "\n")
    (tmp_path / "labels.csv").write_text("file,colour,chips_in_stack\ndg_1.jpg,red,NA\ndg_2.jpg,turquoise,NA\n")
    return tmp_path


def test_every_look_shows_the_pile_and_has_its_colour(folder: Path) -> None:
    views, colours = photographed(folder, None)
    assert views.shape == (len(colours), TOP_PX, TOP_PX, 3)
    red = views[colours == CLASSES.index("red") + 1]
    assert len(red) == len(views) / 2
    assert (colours[colours != CLASSES.index("red") + 1] == CLASSES.index("other") + 1).all()
    middle = red[:, TOP_PX // 2, TOP_PX // 2].astype(int)
    assert np.abs(middle - RED).max() < 12
    assert len({view.tobytes() for view in red}) > len(red) / 2, "boxes differ"


def test_a_half_is_kept_out(folder: Path) -> None:
    halves = [set(photographed(folder, fold)[1].tolist()) for fold in (0, 1)]
    assert not halves[0] & halves[1]


def test_varied_views_keep_their_colour_apart_from_others() -> None:
    torch.manual_seed(1)
    plain = torch.zeros(64, 3, 4, 4)
    plain[:, 2] = 180.0
    plain[:, :2] = 40.0
    seen = varied_tops(plain)
    assert seen.shape == plain.shape
    assert float(seen.min()) >= 0
    assert float(seen.max()) <= 255
    assert bool((seen[:, 2] > 1.5 * seen[:, 0]).all())
    assert float(seen.std(dim=0).max()) > 5


def test_a_half_cannot_be_kept_out_of_weights_that_have_learnt_from_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["train", str(tmp_path), "--weights", str(tmp_path / "out"), "--fold", "0"])
    with pytest.raises(SystemExit):
        chip_tops.main()
    assert "from before any photograph" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
