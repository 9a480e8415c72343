"""Looks at chips that stay on a device, and the networks that learn from them."""

from functools import partial
from itertools import count
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from models.cheque_size import HIGHEST_STACK  # noqa: E402
from models.chip_geometry import STEPS, STRIP_COLUMNS, STRIP_ROWS, TOP_PX  # noqa: E402
from models.chip_reader import ChipReader  # noqa: E402
from models.train import chip_crops, chip_pool_training  # noqa: E402
from models.train.chip_pool import NAMES, makers, packs, sides  # noqa: E402
from models.train.chip_pool_training import begun, ship, train  # noqa: E402
from models.train.chip_variety import varied_sides  # noqa: E402
from models.train.makers import Makers, MakersError  # noqa: E402
from models.train.pool import Pool  # noqa: E402


def pack(size: int, *, first: int = 0) -> dict[str, np.ndarray]:
    """Looks that can be told apart by their flatness; each shows two chips, of the colours 1 and 2."""
    chance = np.random.default_rng(first)
    numbers = np.arange(first, first + size)
    labels, lines = np.zeros((size, HIGHEST_STACK), np.int64), np.zeros((size, HIGHEST_STACK + 1), np.float32)
    labels[:, :2], lines[:, :3] = (1, 2), (12, 16, 20)
    return {
        "strip": chance.integers(0, 256, (size, STRIP_ROWS, STRIP_COLUMNS, 3), np.uint8),
        "codes": chance.integers(0, 256, (size, STRIP_ROWS, STRIP_COLUMNS, 2), np.uint8),
        "facts": chance.random((size, 5, STEPS)).astype(np.float16),
        "top": chance.integers(0, 256, (size, TOP_PX, TOP_PX, 3), np.uint8),
        "labels": labels,
        "lines": lines,
        "flatness": (numbers / 1000).astype(np.float32),
        "calibrated": numbers % 2 == 0,
    }


def pool(capacity: int = 60, *, held: int = 4, looks: int = 40) -> Pool:
    made = Pool(capacity, held=held, device="cpu", names=NAMES)
    for first in range(0, looks, 10):
        made.add(pack(10, first=first))
    return made


def numbers(looks: dict[str, torch.Tensor]) -> list[int]:
    return [round(float(value) * 1000) for value in looks["flatness"]]


def test_sides_made_on_the_device_are_those_of_the_shards() -> None:
    looks = pack(300)
    looks["flatness"] = np.random.default_rng(1).uniform(0, 1, 300).astype(np.float32)
    on_device = {name: torch.from_numpy(value) for name, value in looks.items()}
    made = sides(on_device | {"codes": on_device["codes"][..., :2]})
    assert made.dtype == torch.uint8
    assert np.array_equal(made.numpy(), chip_crops.sides(looks))


def test_the_first_looks_only_measure() -> None:
    asked = pool()
    learnt = {number for _ in range(30) for number in numbers(asked.chosen(20))}
    assert learnt == set(range(4, 40))
    assert [numbers(looks) for looks in asked.held_out(3)] == [[0, 1, 2], [3]]


def test_half_of_a_batch_is_of_the_newest_quarter() -> None:
    assert all(31 <= number < 40 for number in numbers(pool().chosen(20))[:10])


def test_a_full_pool_forgets_the_oldest_but_not_what_measures() -> None:
    asked = pool(capacity=24, looks=40)
    assert {number for _ in range(30) for number in numbers(asked.chosen(20))} == set(range(20, 40))
    assert numbers(next(asked.held_out(8))) == [0, 1, 2, 3]


def test_varied_sides_keep_the_codes_and_stay_pictures() -> None:
    plain = torch.full((16, 10, STRIP_ROWS, STRIP_COLUMNS), 120, dtype=torch.uint8)
    seen = varied_sides(plain)
    assert seen.shape == plain.shape
    assert bool((seen[:, [3, 4, 8, 9]] == 120).all())
    assert float(seen.std(dim=0).mean()) > 1
    assert float(seen.min()) >= 0
    assert float(seen.max()) <= 255


def test_a_pack_is_of_the_size_asked_and_the_same_for_the_same_seed() -> None:
    once, again = (next(packs((7, 1), size=3)) for _ in range(2))
    assert once["strip"].shape == (3, STRIP_ROWS, STRIP_COLUMNS, 3)
    assert np.array_equal(once["top"], again["top"])


def test_makers_that_are_not_at_work_are_named() -> None:
    with pytest.raises(MakersError, match="expected 2 makers of looks at work, found none"):
        makers(2, seed=(1,))()


@pytest.mark.filterwarnings("ignore:.*torch.jit:FutureWarning")
def test_a_run_goes_on_from_its_checkpoint_and_gives_files_that_the_reader_loads(tmp_path: Path) -> None:
    looks, faces = pool(), (torch.zeros(8, TOP_PX, TOP_PX, 3, dtype=torch.uint8), torch.ones(8, dtype=torch.int64))
    came = [[pack(10, first=40)]]

    def run(seconds: float) -> dict:
        parts = begun(looks, tmp_path, further=False)
        train(looks, lambda: came.pop() if came else [], parts, faces, folder=tmp_path, seconds=seconds, batch=4)
        return parts

    steps = run(0.5)["stack"].step
    assert steps >= 1
    assert looks.count == 50
    parts = begun(looks, tmp_path, further=False)
    assert parts["stack"].step == steps
    assert parts["stack"].seconds >= 0.5
    assert run(0.5)["stack"].step == steps, "the time was spent"
    ship(parts, tmp_path)
    assert ChipReader(tmp_path).read(np.zeros((90, 90, 3), np.uint8), np.zeros((0, 4, 2))) == []


def test_further_begins_with_the_weights_that_are_shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chip_pool_training, "_EXAMPLE", 4)
    parts = begun(pool(), tmp_path, further=True)
    fresh = begun(pool(), tmp_path, further=False)
    assert parts["stack"].rate < fresh["stack"].rate
    name = "colour.weight"
    assert float((parts["stack"].average.state[name] - fresh["stack"].average.state[name]).abs().max()) > 0.01


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--minutes", "0"], "expected minutes above 0"),
        (["--photographs", "nowhere"], "nowhere: expected labelled photographs with boxes.csv, found none"),
        (["--fold", "1"], "expected --photographs beside --fold"),
    ],
)
def test_wrong_options_are_refused_in_one_sentence(
    options: list[str],
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("sys.argv", ["train", "--fresh", "--out", str(tmp_path / "out"), *options])
    with pytest.raises(SystemExit):
        chip_pool_training.main()
    assert told in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_makers_draw_in_processes_of_their_own_until_they_are_left() -> None:
    with Makers([partial(count, 5)], what="numbers") as made:
        came: list[int] = []
        while len(came) < 3:
            came += made()
    assert came[:3] == [5, 6, 7]
