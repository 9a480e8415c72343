"""Looks at stacks drawn in batches: the same places, rims and codes as those cut one by one."""

import shutil

import cv2
import numpy as np
import pytest
import torch

from models.backdrop import against
from models.cheque_size import HIGHEST_STACK
from models.chip_geometry import COLOURS, FootCamera, guess_camera, place_stack, side_places
from models.train.chip_crops import _lines
from models.train.chip_crops import sides as crop_sides
from models.train.chip_pool import sides
from models.train.chip_scenes import DrawnView, SeenStack
from models.train.chip_styles import EDGE_ROWS, FACE_PX, FAMILIES
from models.train.chip_tables import ChipTable
from models.train.stack_rays import cut
from models.train.stack_rays.designs import MIXED, SPOTS, TINTS, designs
from models.train.stack_rays.looks import Looks
from models.train.stack_rays.painting import paint
from models.train.stack_rays.tables import LARGE, SMALL, Camera, Lot, Tables, random_tables
from models.train.stack_rays.taken import _COARSE_LUMA, _compressed, softened, taken
from models.train.stack_rays.wagers import KINDS, Wagers, amount, wagers

NUMBER = 4
CHAMFER = 28  # of the numbers of a scene, in the order of the kernel's ``Scene``
GLINT, GLINT_WIDE, SLIP, UNEVEN, RING = 36, 37, 40, 41, 42
needs_compiler = pytest.mark.skipif(
    not (shutil.which("cc") or torch.cuda.is_available()), reason="neither a C compiler nor a card"
)


def a_lot(number: int = NUMBER, seed: int = 5) -> Lot:
    return Lot(number, torch.Generator().manual_seed(seed))


def given(some: Wagers) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    return torch.from_numpy(some.felts), torch.from_numpy(some.colours), torch.from_numpy(some.counts)


@pytest.fixture(scope="module")
def tables() -> Tables:
    some = wagers(3, NUMBER)
    drawn = random_tables(a_lot(), LARGE, given(some), 6)
    drawn.counts[:, 0] = drawn.box_counts  # none is missing
    return drawn


def one_camera(camera: Camera, n: int) -> FootCamera:
    return FootCamera(
        foot_px=camera.foot[n].double().numpy(), px_per_mm=float(camera.px_per_mm[n]), sine=float(camera.sine[n]),
        cosine=float(camera.cosine[n]), roll=float(camera.roll[n]), distance_mm=float(camera.distance[n]),
    )  # fmt: skip


def test_stacks_are_placed_as_one_by_one(tables: Tables) -> None:
    camera = cut.misjudged(tables.camera, a_lot())
    box = cut.boxes(cut.outlines(tables), tables.camera, torch.full((NUMBER,), 3.0, dtype=torch.float64), a_lot())
    places = cut.place_stacks(box, camera)
    seen = cut.side_places(camera, places)
    for n in range(NUMBER):
        alone = place_stack(box[n].numpy(), one_camera(camera, n))
        np.testing.assert_allclose(places.base[n], alone.base_mm, atol=1e-6)
        np.testing.assert_allclose(places.away[n], alone.away, atol=1e-6)
        assert float(places.px_per_edge[n]) == pytest.approx(alone.px_per_edge)
        assert float(places.chips_hint[n]) == pytest.approx(alone.chips_hint)
        where = side_places(one_camera(camera, n), alone)
        means = seen[n].reshape(*where.shape[:1], 32, 4, 2).mean(dim=2)
        np.testing.assert_allclose(means, where.reshape(where.shape[0], 32, -1, 2).mean(axis=2), atol=0.3)


def test_cameras_are_guessed_as_one_by_one(tables: Tables) -> None:
    box = cut.boxes(cut.outlines(tables), tables.camera, torch.full((NUMBER,), 3.0, dtype=torch.float64), a_lot())
    camera, places = cut.guessed(box, tables.camera.sine.double())
    for n in range(NUMBER):
        alone, place = guess_camera(box[n].numpy(), float(tables.camera.sine[n]))
        np.testing.assert_allclose(camera.foot[n], alone.foot_px, atol=1e-6)
        assert float(camera.roll[n]) == pytest.approx(alone.roll)
        assert float(places.chips_hint[n]) == pytest.approx(place.chips_hint)
        assert float(places.px_per_edge[n]) == pytest.approx(place.px_per_edge)


def test_rims_lie_where_they_do_one_by_one(tables: Tables) -> None:
    camera = cut.misjudged(tables.camera, a_lot())
    box = cut.boxes(cut.outlines(tables), tables.camera, torch.full((NUMBER,), 3.0, dtype=torch.float64), a_lot())
    lines = cut.rims(tables, camera, cut.place_stacks(box, camera))
    for n in range(NUMBER):
        true, guess, count = one_camera(tables.camera, n), one_camera(camera, n), int(tables.counts[n, 0])
        view = DrawnView(**{name: getattr(true, name) for name in true.__dataclass_fields__})
        stack = SeenStack(
            colours=("red",) * count, camera=view, outline=np.zeros((3, 2)), visible=1.0, px_per_edge=3.0,
            aside_mm=tables.places[n, 0, :count].double().numpy(),
        )  # fmt: skip
        expected = _lines(stack, guess, place_stack(box[n].numpy(), guess))
        np.testing.assert_allclose(lines[n, : count + 1], expected, atol=0.02)
        assert not lines[n, count + 1 :].any()


def test_codes_against_felt_are_those_of_a_run() -> None:
    rng = np.random.default_rng(2)
    seen, bare = (rng.uniform(0, 255, (1, 3, 5, 7)).astype(np.float32) for _ in range(2))
    known = torch.from_numpy(rng.random((1, 5, 7)) < 0.5)
    one, other = (cut._as_video(torch.from_numpy(picture)) for picture in (seen, bare))
    told = cut._against(one, other, known)[0].permute(1, 2, 0).numpy()
    plain, felt = (video[0].permute(1, 2, 0).numpy() for video in (one, other))
    np.testing.assert_allclose(told, against(plain, felt, known[0].numpy()), atol=1)


def test_designs_have_tints_that_there_are() -> None:
    edges, faces = designs(4, 12, families=FAMILIES)
    assert edges.shape == (12, EDGE_ROWS, 360)
    assert faces.shape == (12, FACE_PX, FACE_PX)
    assert (edges % MIXED).max() < TINTS
    assert faces.max() < TINTS
    assert len({one.tobytes() for one in edges}) > 6


def test_wagers_are_of_known_colours() -> None:
    some = wagers(1, 40)
    assert some.colours.max() < len(KINDS)
    assert some.counts.min() >= 1
    assert some.counts.max() <= HIGHEST_STACK
    assert len(COLOURS) + 1 == len(KINDS)


def test_an_amount_is_paid_in_few_cheques_the_highest_at_the_foot() -> None:
    rng = np.random.default_rng(4)
    table = ChipTable(felt="green", colours=("black", "green", "red"))
    values = {"red": 5, "green": 25, "black": 100}
    made = [amount(table, rng) for _ in range(200)]
    for stack in made:
        assert 1 <= len(stack) <= HIGHEST_STACK
        paid = [values[colour] for colour in stack]
        assert paid == sorted(paid, reverse=True)
    assert ("black", "green", "red") in made or ("black", "green", "green") in made


@needs_compiler
def test_a_stack_shows_its_colours_in_its_place() -> None:
    some = wagers(3, 24)
    lot = a_lot(24)
    drawn = random_tables(lot, SMALL, given(some), 1)
    edge, face = torch.zeros(1, EDGE_ROWS, 360).byte(), torch.zeros(1, FACE_PX, FACE_PX).byte()
    grain = torch.zeros(24, SMALL.rows, SMALL.columns)
    painted = paint(drawn, edge, face, grain, finer=1)
    checked = 0
    for n in range(24):
        count = int(drawn.counts[n, 0])
        if count == 0:
            continue
        middle = torch.cat([drawn.places[n, 0, count - 1], torch.tensor([count * 3.3])])
        x, y = (drawn.camera.to_pixels(middle.expand(24, 1, 3))[n, 0] + 0.5).int().tolist()
        if not (0 <= y < SMALL.rows and 0 <= x < SMALL.columns and painted.owners[n, y, x] == 1):
            continue
        base, seen = drawn.tints[n, drawn.colours[n, 0, count - 1], 0], painted.seen[n, y, x]
        share = seen / base.clamp(min=1)
        assert float(share.max()) < 1.5  # of its own colour, in more light or less
        if float(base.min()) > 40:
            assert float(share.max() - share.min()) < 0.05
            checked += 1
    assert checked >= 5


@needs_compiler
def test_looks_are_what_the_networks_learn_from() -> None:
    source = Looks(wagers(1, 50), *designs(1, 8, families=FAMILIES), device="cpu", seed=3)
    looks = next(source.batches(6, at_once=4))
    assert looks["strip"].shape == (6, 216, 32, 3)
    counts = (looks["labels"] > 0).sum(dim=1)
    rising = looks["lines"].diff(dim=1)
    for n, count in enumerate(counts.tolist()):
        assert bool((rising[n, : max(count - 1, 0)] > -10).all())
    assert sides(looks).shape == (6, 10, 216, 32)
    many = {name: looks[name].numpy() for name in ("strip", "codes", "flatness")}
    many["codes"] = np.concatenate([many["codes"], many["codes"][..., :1]], axis=3)
    np.testing.assert_array_equal(sides(looks), crop_sides(many))


@needs_compiler
def test_several_pictures_are_taken_of_one_painting() -> None:
    source = Looks(wagers(1, 50), *designs(1, 8, families=FAMILIES), device="cpu", seed=3, takes=3)
    looks = source.drawn(4, SMALL)
    first, second, _ = looks["labels"].chunk(3)
    assert torch.equal(first, second)
    strips = looks["strip"].chunk(3)
    assert float((strips[0].float() - strips[1].float()).abs().mean()) > 1


def test_pictures_are_taken_alike_and_softened_each_by_its_own() -> None:
    grey = torch.full((2, 32, 48, 3), 90.0)
    seen, bare = taken(grey, grey.clone(), a_lot(2))
    assert seen.shape == (2, 3, 32, 48)
    assert float((seen.mean(dim=(2, 3)) - bare.mean(dim=(2, 3))).abs().max()) < 4
    point = torch.zeros(2, 1, 9, 9)
    point[:, :, 4, 4] = 1
    soft = softened(point, torch.tensor([0.0, 1.0]), torch.tensor([0.0, 1.0]))
    assert float(soft[0, 0, 4, 4]) == pytest.approx(1)
    assert float(soft[1, 0, 4, 4]) == pytest.approx(0.16, abs=0.01)


def test_compression_is_that_of_jpeg() -> None:
    rng = np.random.default_rng(1)
    picture = cv2.GaussianBlur(rng.uniform(0, 255, (64, 48)).astype(np.float32), ksize=(0, 0), sigmaX=2).round()
    for quality in (20, 80):
        kept = cv2.imdecode(
            cv2.imencode(".jpg", picture.astype(np.uint8), params=[cv2.IMWRITE_JPEG_QUALITY, quality])[1],
            flags=cv2.IMREAD_GRAYSCALE,
        )
        as_jpeg = (torch.zeros(1), torch.full((1,), 0.5))
        ours = _compressed(
            torch.from_numpy(picture)[None, None], _COARSE_LUMA, torch.tensor([float(quality)]), as_jpeg
        )[0, 0]
        assert np.abs(ours.numpy() - kept).mean() < 1


def test_even_steps_lose_what_is_faint_and_soften_where_blocks_meet() -> None:
    rng = np.random.default_rng(1)
    faint = torch.from_numpy(rng.normal(120, 2, (1, 1, 32, 32)).astype(np.float32))
    kept = _compressed(faint, _COARSE_LUMA, torch.tensor([50.0]), (torch.tensor([40.0]), torch.tensor([0.17])))
    assert float(kept.std()) < 0.2 * float(faint.std())
    halves = torch.full((1, 1, 32, 32), 60.0)
    halves[..., 16:] = 180
    kept = _compressed(halves, _COARSE_LUMA, torch.tensor([50.0]), (torch.tensor([12.0]), torch.tensor([0.4])))[
        0, 0, 16
    ]
    assert float(kept[14]) == pytest.approx(60, abs=4)
    assert 60 < float(kept[15]) < float(kept[16]) < 180


def test_some_designs_have_spots_of_three_tints() -> None:
    edges, _ = designs(4, 60, families=FAMILIES, free=1.0)
    tints = [set(np.unique(one % MIXED).tolist()) & set(SPOTS) for one in edges]
    assert 3 <= sum(len(some) == len(SPOTS) for some in tints) < 40


@needs_compiler
def test_the_kernel_leaves_the_smallest_numbers_alone() -> None:
    softened(torch.zeros(1, 1, 16, 16), torch.ones(1), torch.ones(1))
    assert np.float64(5e-324) * 1.0 > 0


@needs_compiler
def test_rims_that_are_cut_off_leave_the_outline_narrower_between_chips() -> None:
    def shown(chamfer: float) -> torch.Tensor:
        drawn = random_tables(a_lot(), LARGE, given(wagers(3, NUMBER)), 6)
        drawn.scene[:, CHAMFER] = chamfer
        edges, faces = (torch.from_numpy(made) for made in designs(7, 6, families=FAMILIES))
        grain = torch.zeros(NUMBER, LARGE.rows, LARGE.columns)
        return (paint(drawn, edges, faces, grain, finer=3).owners > 0).sum(dim=(1, 2))

    whole, cut_off = shown(0.0), shown(1.4)
    assert (cut_off[whole > 0] < whole[whole > 0]).all()
    assert (cut_off >= 0.85 * whole).all()
    assert (whole > 0).sum() >= 2


def test_chips_slide_aside_together_and_edge_spots_stand_above_each_other_on_some_stacks() -> None:
    some = wagers(3, 400)
    drawn = random_tables(a_lot(400), SMALL, given(some), 6)
    steps = (drawn.places[:, :, 1:] - drawn.places[:, :, :-1]).norm(dim=3)
    within = torch.arange(1, HIGHEST_STACK)[None, None] < drawn.counts[..., None]
    pairs = drawn.counts[:, 0] == 2
    assert (steps[pairs, 0, 0] > 2.5).float().mean() > 0.1  # of two alone, too, the upper one has slid now and then
    turned = (drawn.turns[:, :, 1:] - drawn.turns[:, :, :-1] + 180) % 360 - 180
    aligned = ((turned.abs() < 40) | ~within).all(dim=2) & (drawn.counts > 4)
    assert 0.1 < aligned.sum() / (drawn.counts > 4).sum() < 0.35


@needs_compiler
def test_dark_rings_lie_along_rims_of_the_uppermost_chip_too_and_spots_of_faces_may_stand_elsewhere() -> None:
    def shown(column: int, value: float) -> tuple[torch.Tensor, torch.Tensor]:
        drawn = random_tables(a_lot(), LARGE, given(wagers(3, NUMBER)), 6)
        drawn.scene[:, [GLINT, SLIP, UNEVEN, RING]] = 0
        drawn.scene[:, GLINT_WIDE] = 0.6
        drawn.scene[:, column] = value
        edges, faces = (torch.from_numpy(made) for made in designs(7, 6, families=FAMILIES))
        painted = paint(drawn, edges, faces, torch.zeros(NUMBER, LARGE.rows, LARGE.columns), finer=3)
        return painted.seen.mean(dim=3), painted.owners

    plain, owners = shown(RING, 0.0)
    ringed, same = shown(RING, -0.5)
    assert torch.equal(owners, same)
    darker = (plain - ringed) > 4
    some = (owners == 1).sum(dim=(1, 2)) > 100
    share = ((darker & (owners == 1)).sum(dim=(1, 2)) / (owners == 1).sum(dim=(1, 2)).clamp(min=1))[some]
    assert some.sum() >= 2
    assert ((share > 0.03) & (share < 0.6)).all()  # along rims, not all over
    assert float((ringed - plain)[owners == 1].max()) < 1
    glinting, _ = shown(GLINT, 0.3)
    assert float((glinting - plain)[owners == 1].max()) > 30
    slipped, _ = shown(SLIP, 90.0)
    assert float((slipped - plain).abs()[owners == 1].max()) > 30
