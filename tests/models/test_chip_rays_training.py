"""The network for sides learns from looks that are drawn for it, goes on where it stopped, and becomes the reader's."""

import argparse
from pathlib import Path

import numpy as np
import pytest
import torch

from models.chip_reader import ChipReader
from models.train import chip_rays_training
from models.train.chip_rays_training import begun, ship, train
from models.train.chip_reader import Training
from models.train.chip_styles import FAMILIES
from models.train.stack_rays.designs import designs
from models.train.stack_rays.looks import Looks
from models.train.stack_rays.wagers import wagers
from tests.models.test_stack_rays import needs_compiler


def options(out: Path, **given: object) -> argparse.Namespace:
    return argparse.Namespace(
        **{"start_from": None, "further": False, "minutes": 0.01, "batch": 3, "passes": 2, "out": out}
        | {"rate": 1e-3, "still": False, **given}
    )


@needs_compiler
@pytest.mark.filterwarnings("ignore:.*torch.jit:FutureWarning")
def test_a_run_goes_on_and_gives_files_that_the_reader_loads(tmp_path: Path) -> None:
    source = source_of_looks()
    held = next(source.batches(2, at_once=2))

    def run() -> Training:
        training = begun(options(tmp_path), source, "cpu")
        train(training, source, held, options=options(tmp_path))
        return training

    steps = run().step
    assert steps >= 1
    assert run().step == steps, "the time was spent"
    ship(tmp_path, None, 1.0)
    assert ChipReader(tmp_path).read(np.zeros((90, 90, 3), np.uint8), np.zeros((0, 4, 2))) == []


def source_of_looks() -> Looks:
    return Looks(wagers(1, 20), *designs(1, 4, families=FAMILIES), device="cpu", seed=2)


@needs_compiler
def test_normalisations_may_stay_as_they_are_and_where_it_began_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chip_rays_training, "_EXAMPLE", 2)
    source = source_of_looks()
    held = next(source.batches(2, at_once=2))

    def moved(name: str, *, still: bool) -> float:
        given = options(tmp_path / str(still), further=True, still=still)
        given.out.mkdir(exist_ok=True)
        training = begun(given, source, "cpu")
        train(training, source, held, options=given)
        before = torch.load(given.out / "start.pt", weights_only=True)
        return float((training.network.state_dict()[name] - before[name]).abs().max())

    assert moved("look.0.1.running_mean", still=True) == 0
    assert moved("look.0.1.running_mean", still=False) > 0
    assert moved("shape.bias", still=True) > 0


@needs_compiler
def test_it_begins_with_an_earlier_training_or_with_what_is_shipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chip_rays_training, "_EXAMPLE", 2)
    earlier = Training.fresh("stack", "cpu")
    with torch.no_grad():
        earlier.network.shape.bias += 1
    earlier.average.state = {key: value.clone() for key, value in earlier.network.state_dict().items()}
    earlier.save(tmp_path / "stack.ckpt")
    given = options(tmp_path / "out", start_from=tmp_path / "stack.ckpt")
    assert torch.equal(begun(given, source_of_looks(), "cpu").network.shape.bias, earlier.network.shape.bias)
    shipped = begun(options(tmp_path / "out", further=True), source_of_looks(), "cpu").network
    assert float((shipped.colour.weight - earlier.network.colour.weight).detach().abs().max()) > 0.01


@pytest.mark.filterwarnings("ignore:.*torch.jit:FutureWarning")
def test_a_part_of_the_way_lies_between_both(tmp_path: Path) -> None:
    first, last = Training.fresh("stack", "cpu").network, Training.fresh("stack", "cpu").network
    with torch.no_grad():
        last.shape.bias += 1
    torch.save(first.state_dict(), tmp_path / "first.pt")
    torch.save(last.state_dict(), tmp_path / "stack.pt")
    shipped: dict[str, torch.Tensor] = {}

    def remember(states: dict[str, dict[str, torch.Tensor]], _: Path) -> None:
        shipped.update(states["stack"])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("models.train.chip_export.export", remember)
        ship(tmp_path, tmp_path / "first.pt", 0.25)
    assert torch.allclose(shipped["shape.bias"], first.shape.bias + 0.25)


@pytest.mark.parametrize(("given", "told"), [(["--minutes", "0"], "minutes above 0"), (["--batch", "0"], "from 1 on")])
def test_wrong_options_are_refused_in_one_sentence(
    given: list[str], told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["train", "--fresh", "--out", "nowhere", *given])
    with pytest.raises(SystemExit):
        chip_rays_training.main()
    assert told in capsys.readouterr().err
