"""Looks at cards that are made on a device, and the readers that learn from them."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from random import Random

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from audit.cards import DECK, RANKS, SUITS  # noqa: E402
from models.card_reader import CardReader  # noqa: E402
from models.card_views import corner_view, whole_view  # noqa: E402
from models.train import card_pool_export, card_pool_training  # noqa: E402
from models.train.card_bank import BACK, Bank, Cards, faces_of  # noqa: E402
from models.train.card_canvas import SIZES, canvases, picture_side  # noqa: E402
from models.train.card_crops import IGNORED, NONE_RANK  # noqa: E402
from models.train.card_cuts import Canvas, looks  # noqa: E402
from models.train.card_makers import KEPT, made, makers  # noqa: E402
from models.train.card_makers import Sources as Files  # noqa: E402
from models.train.card_nets import weighted_reader_loss  # noqa: E402
from models.train.card_patches import Patch, Patches  # noqa: E402
from models.train.card_patches import pack as pack_patches  # noqa: E402
from models.train.card_patches import unpack as unpack_patches  # noqa: E402
from models.train.card_pool import Ring, Sources, beside_another, fill  # noqa: E402
from models.train.card_pool_training import Readers, Scale, train  # noqa: E402
from models.train.deck_packs import pack  # noqa: E402
from models.train.decks import Deck  # noqa: E402
from models.train.makers import MakersError  # noqa: E402
from models.trained import CARD_WEIGHTS  # noqa: E402

SCALE = Scale(batch=8, chunk=4, rendered=16, drawn=16, held=6, decks=1)


def chance() -> Random:
    return Random(1)  # noqa: S311 - seeded, not secret


def deck(shade: int = 0, cards: tuple[str, ...] = tuple(DECK)) -> Deck:
    """White cards with a dark index in both corners, their backs of one colour."""
    pictures = np.full((53, 100, 70, 4), 255, np.uint8)
    for index in (pictures[:52, 8:24, 4:12, :3], pictures[:52, -24:-8, -12:-4, :3]):
        index[:] = shade
    pictures[-1, ..., :3] = (200, 30, 30)
    return Deck(name="plain", cards=cards, pictures=pictures)


def bank(*decks: Deck, capacity: int = 3, kept: int = 1) -> Bank:
    there = Bank(capacity, kept=kept, device="cpu")
    for one in decks or (deck(),):
        there.add(faces_of(one))
    return there


def canvas(**changed: torch.Tensor) -> Canvas:
    """A picture of 80 by 80 px with an upright king of hearts whose left half is dark."""
    picture = torch.full((1, 3, 80, 80), 200.0)
    picture[..., :40] = 20
    parts = {
        "picture": picture,
        "quad": torch.tensor([[[20.0, 10], [60, 10], [60, 70], [20, 70]]]),
        "rank": torch.full((1, 3), RANKS.index("K")),
        "suit": torch.full((1, 3), SUITS.index("h")),
        "seen": torch.ones(1, 1, 80, 80),
        "ink": torch.ones(1, 30, 14, dtype=torch.bool),
        "alone": torch.zeros(1, dtype=torch.bool),
    }
    return Canvas(**(parts | changed))


def some_looks(size: int, first: int = 0) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(first)
    return {
        "whole": rng.integers(0, 256, (size, 96, 64, 3), np.uint8),
        "corners": rng.integers(0, 256, (size, 2, 72, 48, 3), np.uint8),
        "rank": np.tile(np.arange(first, first + size)[:, None] % 13, (1, 3)),
        "suit": np.zeros((size, 3), np.int64),
        "long_px": np.full(size, 90, np.float32),
    }


def sources() -> Sources:
    return Sources(bank=bank(), photographs=None, drawn=16, rendered=16, held=6, photographed=0.0)


def test_a_bank_shows_only_cards_whose_index_is_known_and_forgets_the_oldest_deck() -> None:
    there = bank(deck(), deck(50, ("Ks",)), deck(90, ("Ks",)), deck(130, ("Ks",)))
    chosen = there.chosen(200)
    spade = list(DECK).index("Ks")
    assert set(chosen.face[chosen.deck > 0].tolist()) == {spade}
    shades = {int(there.pictures(Cards(torch.tensor([k]), torch.tensor([spade])), 0)[0, 0, 40, 20]) for k in range(3)}
    assert shades == {0, 90, 130}


def test_ranks_and_suits_are_those_of_the_faces() -> None:
    cards = Cards(torch.zeros(2, dtype=torch.long), torch.tensor([list(DECK).index("Td"), BACK]))
    assert cards.rank.tolist() == [RANKS.index("T"), NONE_RANK]
    assert int(cards.suit[0]) == SUITS.index("d")


@pytest.mark.parametrize("size", SIZES)
def test_pictures_of_all_sizes_show_the_card_in_the_middle(
    size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("models.train.card_canvas.SIZES", (size,))
    monkeypatch.setattr("models.train.card_canvas.SIZE_SHARES", (1.0,))
    made_now = canvases(bank(), 6, chance())
    side = picture_side(size[1])
    assert made_now.picture.shape == (6, 3, side, side)
    assert bool(torch.isfinite(made_now.picture).all())
    assert float((made_now.quad.mean(dim=1) - side / 2).abs().max()) < 0.1 * side
    seen = looks(made_now)
    assert seen["whole"].shape == (6, 96, 64, 3)
    assert seen["corners"].shape == (6, 2, 72, 48, 3)


def test_views_on_the_device_are_those_of_the_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("models.train.card_cuts._jittered", lambda quad: quad)
    monkeypatch.setattr("models.train.card_cuts.uniform", lambda like, *_: torch.ones(len(like)))
    there = canvas(picture=torch.rand(1, 3, 80, 80) * 255)
    seen, quad = looks(there), there.quad[0].double().numpy()
    frame = there.picture[0].permute(1, 2, 0).round().to(torch.uint8).numpy()
    for view, expected in (
        (seen["whole"][0], whole_view(frame, quad)),
        (seen["corners"][0, 0], corner_view(frame, quad)),
    ):
        assert np.abs(view.numpy().astype(int) - expected).mean() < 2


def test_an_end_that_is_covered_has_nothing_to_read_and_the_other_speaks_for_the_card() -> None:
    covered = torch.ones(1, 1, 80, 80)
    covered[..., :34, :] = 0
    seen = looks(canvas(seen=covered))
    assert int(seen["rank"][0, 0]) == RANKS.index("K")
    assert sorted(seen["rank"][0, 1:].tolist()) == [RANKS.index("K"), NONE_RANK]
    assert sorted(seen["suit"][0, 1:].tolist()) == [IGNORED, SUITS.index("h")]


def test_a_back_is_no_readable_card() -> None:
    seen = looks(canvas(rank=torch.full((1, 3), NONE_RANK)))
    assert seen["rank"].tolist() == [[NONE_RANK] * 3]
    assert seen["suit"].tolist() == [[IGNORED] * 3]


def test_an_end_without_a_label_stays_undecided(tmp_path: Path) -> None:
    quad = np.array([[100, 60], [190, 60], [190, 220], [100, 220]], np.float64)
    patch = Patch(np.full((288, 288, 3), 90, np.uint8), quad, "Qc", both_ends=False)
    pack_patches([patch], tmp_path / "patches.npz")
    (again,) = unpack_patches(tmp_path / "patches.npz")
    assert np.array_equal(again.quad_px, quad)
    seen = looks(Patches([again], device="cpu").canvases(8, chance()))
    assert set(seen["rank"][:, 0].tolist()) == {RANKS.index("Q")}
    assert all(sorted(row) == [IGNORED, RANKS.index("Q")] for row in seen["rank"][:, 1:].tolist())


def test_a_full_ring_forgets_the_oldest() -> None:
    ring = Ring(8, device="cpu")
    for first in (0, 5, 10):
        ring.add(some_looks(5, first))
    assert ring.there == 8
    assert set(ring.chosen(200)["rank"][:, 0].tolist()) == {number % 13 for number in range(7, 15)}


def test_what_lies_beside_an_index_may_be_of_another_corner_the_index_is_not() -> None:
    shades = torch.arange(64.0)[:, None, None, None].expand(64, 72, 48, 3)
    mixed = beside_another(shades)
    assert torch.equal(mixed[:, :, :28], shades[:, :, :28])
    assert 4 < int((mixed[:, 0, -1, 0] != shades[:, 0, -1, 0]).sum()) < 32


def test_undecided_rows_teach_nothing_and_suits_weigh_as_told() -> None:
    output = torch.zeros(3, 18)
    rank, suit = torch.tensor([4, IGNORED, NONE_RANK]), torch.tensor([2, IGNORED, IGNORED])
    weight, suit_weight = torch.ones(3), torch.tensor([2.0, 2.0, 2.0])
    loss = weighted_reader_loss(output, rank, suit, weight=weight, suit_weight=suit_weight, hidden=1.0)
    assert float(loss) == pytest.approx(2.639057 + 2 * 1.386294 / 2)  # ln 14, and twice ln 4 over two rows


def test_a_maker_gives_what_measures_first_then_scenes(tmp_path: Path) -> None:
    pack([deck()], tmp_path / "decks.npz")
    files = Files(train=tmp_path / "decks.npz", held=tmp_path / "decks.npz", fonts=None)
    (first, held), (second, scenes) = islice(made(files, (7, 1), held=2, new_decks=False), 2)
    assert (first, second) == ("held", "scenes")
    assert len(held["rank"]) == 2
    assert set(scenes) == set(KEPT)
    kind, faces = next(made(files, (7, 1), held=0, new_decks=True))
    assert kind == "deck"
    assert np.asarray(faces["pictures"]).shape == (53, 200, 144, 4)


def test_makers_that_are_not_at_work_are_named(tmp_path: Path) -> None:
    files = Files(train=tmp_path, held=tmp_path, fonts=None)
    with pytest.raises(MakersError, match="expected 2 makers of cards at work, found none"):
        makers(2, files, seed=(1,), held=0)()


def test_learning_begins_when_there_is_what_to_measure_with() -> None:
    asked, came = sources(), [[("held", some_looks(4))], [], [("held", some_looks(4)), ("scenes", some_looks(5))]]
    fill(asked, lambda: came.pop(0) if came else [], chunk=4, chance=chance())
    assert asked.held.count == 6
    assert asked.drawn.count == 5
    assert asked.rendered.there == 16


@pytest.mark.filterwarnings("ignore:.*torch.jit:FutureWarning")
def test_a_run_goes_on_from_its_state_and_gives_files_that_the_reader_loads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = sources()
    asked.take([("held", some_looks(6)), ("scenes", some_looks(8))])

    def run(seconds: float) -> Readers:
        readers = Readers.fresh("cpu")
        readers.load(tmp_path, tmp_path, "cpu")
        train(readers, asked, list, out=tmp_path, state=tmp_path, seconds=seconds, scale=SCALE)
        return readers

    steps = run(0.3).step
    assert steps >= 1
    assert run(0.3).step == steps, "the time was spent"
    monkeypatch.setattr(card_pool_export, "calibrate", lambda _: {"fusion": {}, "threshold": 0.9})
    networks = {name: card_pool_export.learnt(name, tmp_path) for name in card_pool_training.READERS}
    card_pool_export.ship(networks, tmp_path / "weights", beside=CARD_WEIGHTS)
    reader = CardReader(folder=tmp_path / "weights")
    quad = np.array([[[10, 10], [40, 10], [40, 60], [10, 60]]], np.float64)
    assert len(reader.read(np.zeros((90, 90, 3), np.uint8), quad)) == 1


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--minutes", "0"], "expected minutes above 0"),
        (["--chunk", "0"], "expected a look or more at once, found 0"),
        ([], "nowhere.npz: expected a packed file, found none"),
    ],
)
def test_wrong_options_are_refused_in_one_sentence(
    options: list[str],
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    files = ["--decks", "nowhere.npz", "--held", "nowhere.npz"]
    monkeypatch.setattr("sys.argv", ["train", *files, "--out", str(tmp_path / "out"), *options])
    with pytest.raises(SystemExit):
        card_pool_training.main()
    assert told in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
