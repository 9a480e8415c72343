"""A camera is found by the rings printed on the felt, told apart by the layout's marks, or not at all."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from audit.table import TableProfile, load_profile, parse_profile
from models.camera import Camera, camera_of
from models.layout_fit import LayoutError, Pair, place_layout
from models.print_finder import printed_spots
from tests.models.toy_table import PROFILE
from workers.cli import catwalk
from workers.setting_up import PointError, profile_text, set_up

SIZE = (1280, 720)
# From the players' side, 1.5 m away and 1.4 m high, looking at the middle of the layout.
TRUE = """
image_size = [1280, 720]
matrix = [[2000.0, 0.0, 640.0], [0.0, 2000.0, 360.0], [0.0, 0.0, 1.0]]
rotation = [[-1.0, 0.0, 0.0], [0.0, 0.7432941463, -0.6689647316], [0.0, -0.6689647316, -0.7432941463]]
translation = [0.0, -178.390595, 2140.686826]
"""
RINGS = {
    "seat1.main": (-372.0, 361.0),
    "seat1.trilux": (-300.0, 430.0),
    "seat1.super3": (-420.0, 290.0),
    "seat2.main": (0.0, 430.0),
    "seat2.trilux": (-70.0, 500.0),
    "seat2.super3": (70.0, 500.0),
    "seat3.main": (372.0, 361.0),
    "seat3.trilux": (430.0, 280.0),
}
GRID = [(x, y) for x in (-350, 0, 350) for y in (50, 250, 450)]


def layout(rings: dict[str, tuple[float, float]] = RINGS) -> TableProfile:
    head, _, zones = PROFILE.partition("[camera]")
    camera, first, rest = "[camera]" + TRUE, *zones.partition("[[zone]]")[1:]
    marks = "".join(f'\n[[mark]]\nname = "{name}"\nxy_mm = [{x}, {y}]\n' for name, (x, y) in rings.items())
    return parse_profile(head + camera + first + rest + marks)


def painted(camera: Camera, rings: dict[str, tuple[float, float]] = RINGS, *, distractors: bool = True) -> np.ndarray:
    """A felt with double rings, a rack and, as real tables have them, chips and letters that look like rings."""
    picture = np.full((SIZE[1], SIZE[0], 3), (70, 110, 40), dtype=np.uint8)
    turns = np.linspace(0, 2 * np.pi, 90)
    circles = [(x, y, radius) for x, y in rings.values() for radius in (30.0, 25.0)]
    if distractors:
        circles += [(-150.0, 600.0, 19.0), (60.0, 610.0, 19.0), (300.0, 560.0, 19.0), (20.0, 180.0, 12.0)]
    for x, y, radius in circles:
        outline = camera.to_pixels(np.stack([x + radius * np.cos(turns), y + radius * np.sin(turns)], axis=1))
        points = [np.round(outline * 16).astype(np.int32)]
        cv2.polylines(picture, points, isClosed=True, color=(215, 225, 225), thickness=2, lineType=cv2.LINE_AA, shift=4)
    noise = np.random.default_rng(4).normal(scale=2.0, size=picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


@pytest.fixture(scope="module")
def true() -> Camera:
    return camera_of(layout())


@pytest.fixture(scope="module")
def frame(true: Camera) -> np.ndarray:
    return painted(true)


def felt_error(found: Camera, true: Camera) -> float:
    return float(np.linalg.norm(true.to_felt(found.to_pixels(GRID)) - GRID, axis=1).max())


def test_every_printed_ring_is_found_once_at_its_middle(frame: np.ndarray, true: Camera) -> None:
    spots = np.array([spot.xy_px for spot in printed_spots(frame)])
    gaps = np.linalg.norm(true.to_pixels(list(RINGS.values()))[:, None] - spots, axis=2)
    assert gaps.min(axis=1).max() < 2.0
    assert all((row < 10).sum() == 1 for row in gaps)


def test_a_bare_felt_has_no_spots() -> None:
    assert printed_spots(np.full((360, 640, 3), (70, 110, 40), dtype=np.uint8)) == ()


def test_the_camera_follows_from_the_rings_alone(frame: np.ndarray, true: Camera) -> None:
    placed = set_up(layout(), frame, [])
    assert {pair.name for pair in placed.pairs} == set(RINGS)
    assert felt_error(placed.camera, true) < 4.0
    assert placed.camera.centre_mm == pytest.approx(true.centre_mm, rel=0.1, abs=40)


def test_a_camera_upside_down_sees_the_same_table(frame: np.ndarray, true: Camera) -> None:
    placed = set_up(layout(), np.ascontiguousarray(frame[::-1, ::-1]), [])
    turned = np.array(SIZE) - 1 - placed.camera.to_pixels(GRID)
    assert float(np.linalg.norm(true.to_felt(turned) - GRID, axis=1).max()) < 4.0


def test_hidden_rings_do_not_matter_while_most_are_seen(true: Camera) -> None:
    seen = {name: place for name, place in RINGS.items() if name != "seat2.trilux"}
    placed = set_up(layout(), painted(true, seen), [])
    assert {pair.name for pair in placed.pairs} == set(seen)
    assert felt_error(placed.camera, true) < 5.0


def test_too_few_rings_are_no_answer_but_points_by_hand_help(true: Camera) -> None:
    few = {name: RINGS[name] for name in ("seat1.main", "seat2.main", "seat3.main")}
    table, picture = layout(few), painted(true, few)
    with pytest.raises(
        LayoutError, match=r"expected at least 6 marks .* found \d+ printed spots that fit no view of its 3"
    ):
        set_up(table, picture, [])
    (u0, v0), (u1, v1) = true.to_pixels([(-150.0, 0.0), (150.0, 0.0)])
    placed = set_up(table, picture, [f"-150,0={u0:.1f},{v0:.1f}", f"150,0={u1:.1f},{v1:.1f}"])
    assert (placed.marks_seen, len(placed.pairs)) == (3, 5)
    assert felt_error(placed.camera, true) < 3.0


def test_four_points_by_hand_need_no_print(true: Camera) -> None:
    blank = np.full((SIZE[1], SIZE[0], 3), (70, 110, 40), dtype=np.uint8)
    places = [(-400.0, 100.0), (400.0, 100.0), (300.0, 500.0), (-300.0, 500.0)]
    points = [f"{x:.0f},{y:.0f}={u:.1f},{v:.1f}" for (x, y), (u, v) in zip(places, true.to_pixels(places), strict=True)]
    placed = set_up(layout(), blank, points)
    assert placed.marks_seen == 0
    assert felt_error(placed.camera, true) < 3.0


def test_rings_of_another_table_are_no_answer(true: Camera) -> None:
    rng = np.random.default_rng(5)
    other = {str(i): (float(rng.uniform(-450, 450)), float(rng.uniform(150, 520))) for i in range(9)}
    with pytest.raises(LayoutError, match="expected at least 6 marks"):
        set_up(layout(), painted(true, other, distractors=False), [])


def test_a_layout_that_fits_in_two_ways_is_no_answer(true: Camera) -> None:
    grid = {f"{i}.{j}": (100.0 * i, 100.0 * j) for i in (-1, 0, 1) for j in (2, 3, 4)}
    spots = printed_spots(painted(true, grid, distractors=False))
    with pytest.raises(LayoutError, match="expected one view of the layout, found two that explain 9 and 9 marks"):
        place_layout(grid, spots, [], size=SIZE)
    named = Pair(name="-1.2", xy_mm=(-100.0, 200.0), xy_px=tuple(true.to_pixels([(-100.0, 200.0)])[0]))
    placed = place_layout(grid, spots, [named], size=SIZE)
    assert felt_error(placed.camera, true) < 12.0


@pytest.mark.parametrize(
    ("point", "sentence"),
    [
        ("seat1.main", "--point: expected a mark or X,Y in mm, =, and U,V in pixels or #SPOT, found 'seat1.main'"),
        ("seat9.main=1,2", "expected X,Y in mm or a mark of the layout (seat1.main, "),
        ("seat1.main=1;2", "expected U,V in pixels or #1 to #"),
        ("seat1.main=#0", "found '#0'"),
    ],
)
def test_a_point_that_cannot_be_used_is_one_sentence(frame: np.ndarray, point: str, sentence: str) -> None:
    with pytest.raises(PointError) as told:
        set_up(layout(), frame, [point])
    assert sentence in str(told.value)


def test_a_spot_may_be_named_by_its_number(frame: np.ndarray, true: Camera) -> None:
    spots = printed_spots(frame)
    where = true.to_pixels([RINGS["seat2.main"]])[0]
    number = 1 + int(np.argmin([np.hypot(*np.subtract(spot.xy_px, where)) for spot in spots]))
    placed = set_up(layout(), frame, [f"seat2.main=#{number}"])
    assert len(placed.pairs) == len(RINGS)
    assert felt_error(placed.camera, true) < 4.0


def test_the_profile_written_keeps_all_but_the_camera_and_the_name(frame: np.ndarray) -> None:
    table = layout()
    written = parse_profile(profile_text(table, set_up(table, frame, []), table_id="TOY-2"))
    assert written.camera is not None
    assert written.camera.matrix is None
    assert len(written.camera.points_px) == len(RINGS)
    assert (written.table_id, written.zones, written.marks) == ("TOY-2", table.zones, table.marks)


def _new(*arguments: object) -> Result:
    return CliRunner().invoke(catwalk, ["profile", "new", *map(str, arguments)])


def test_profile_new_writes_a_profile_that_the_check_accepts(frame: np.ndarray, tmp_path: Path) -> None:
    picture, like, out, proof = (tmp_path / name for name in ("frame.png", "like.toml", "new.toml", "proof.png"))
    cv2.imwrite(str(picture), frame)
    like.write_text(layout().text)
    done = _new(picture, "--like", like, "--out", out, "--table", "TOY-2", "--proof", proof)
    assert done.exit_code == 0, done.stderr
    assert done.stderr.startswith("found 8 of 8 marks, 0 points by hand; they fit to ")
    assert load_profile(out).table_id == "TOY-2"
    assert cv2.imread(str(proof)).shape == frame.shape
    checked = CliRunner().invoke(catwalk, ["profile", "check", str(out)])
    assert checked.exit_code == 0, checked.stderr


def test_profile_new_says_in_one_sentence_that_it_cannot(tmp_path: Path) -> None:
    picture, like, out, proof = (tmp_path / name for name in ("frame.png", "like.toml", "new.toml", "proof.png"))
    cv2.imwrite(str(picture), np.full((360, 640, 3), (70, 110, 40), dtype=np.uint8))
    like.write_text(layout().text)
    done = _new(picture, "--like", like, "--out", out, "--proof", proof)
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert "name points by hand" in done.stderr
    assert not out.exists()
    assert proof.exists()
    text = tmp_path / "notes.png"
    text.write_text("no picture")
    done = _new(text, "--like", like)
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert "expected a picture" in done.stderr


SAMPLES = Path(__file__).parents[2] / "sample_footage/profiles"


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.toml")), ids=lambda path: path.stem)
def test_every_sample_profile_passes_the_check_and_has_marks(path: Path) -> None:
    done = CliRunner().invoke(catwalk, ["profile", "check", str(path)])
    assert done.exit_code == 0, done.stderr
    assert load_profile(path).marks


@pytest.mark.parametrize(
    ("mark", "sentence"),
    [
        ("xy_mm = [1, 2]", "mark[0].name: expected text, found None"),
        ('name = "a"\nxy_mm = [1]', "mark[0].xy_mm (a): expected a list of points, found [[1]]"),
        ('name = "a"', "mark[0].xy_mm (a): expected a list of points, found [None]"),
        (
            'name = "a"\nxy_mm = [1, 2]\n[[mark]]\nname = "a"\nxy_mm = [3, 4]',
            "[[mark]]: expected marks with a name each",
        ),
    ],
)
def test_a_mark_that_cannot_be_one_is_named(mark: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=r"mark") as told:
        parse_profile(f"{PROFILE}\n[[mark]]\n{mark}\n")
    assert sentence in str(told.value)
