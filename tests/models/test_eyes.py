"""What detections are taken for, with a detector and readers that say what the test wants."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from models.camera import camera_of
from models.cheque_size import CHIP_HEIGHT_MM, HIGHEST_STACK
from models.chip_palette import Palette
from models.chip_reader import StackReading
from models.dice_finder import FoundDie
from models.dice_reader import DieReading
from models.eyes import Eyes
from models.outline import Outline
from models.pile_edges import along_sight, pile_box_px
from models.proposals import Proposal
from models.sighting import Sighting
from tests.models.toy_table import profile

PLACE = [(-60.0, 40.0), (60.0, 40.0), (60.0, 160.0), (-60.0, 160.0)]


def look(
    xy_mm: tuple[float, float],
    *,
    found_by_finder: bool = False,
    value: int | None = 5,
    kind: str = "chips",
    half_px: float = 8.0,
    dice: bool = True,
) -> list[Any]:
    """Return what is seen of one small thing, at a point of the felt, that the detector takes for chips or a die."""
    camera = camera_of(profile())
    x, y = camera.to_pixels([(*xy_mm, 14.0)])[0]
    quad = np.array([[[x, y]] * 4]) + half_px * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    detected = SimpleNamespace(polygons_px=quad, kinds=[kind], confidences=np.array([0.7]))
    found = [FoundDie(polygon_px=quad[0], confidence=0.8)] if found_by_finder else []
    die = DieReading(value=value, candidates={value: 0.99} if value else {2: 0.8}, colour="red", colour_p=0.9)
    pile = SimpleNamespace(candidates=[(("red",), 0.9)], base_mm=xy_mm, top_colour="red", count=1)
    eyes = Eyes(
        detector=SimpleNamespace(detect=lambda *_, **__: detected),
        corners=None,
        cards=None,
        chips=SimpleNamespace(read=lambda *_: [pile]),
        dice=SimpleNamespace(read=lambda *_: [die]),
        finder=SimpleNamespace(find=lambda *_: found),
        camera=camera,
        dice_places=[PLACE] if dice else [],
    )
    return eyes.look(np.zeros((540, 960, 3), np.uint8))


def test_a_die_that_the_finder_sees_in_the_place_of_the_dice_is_read_and_put_where_it_stands() -> None:
    (seen,) = look((0.0, 100.0), found_by_finder=True)
    assert (seen.kind, seen.face, seen.faces, seen.colour) == ("die", "5", {"5": 0.99}, "red")
    assert seen.xy_mm is not None
    assert np.hypot(seen.xy_mm[0], seen.xy_mm[1] - 100.0) < 0.5


def test_one_die_alone_that_is_not_read_is_the_knob_of_a_cover() -> None:
    assert look((0.0, 100.0), found_by_finder=True, value=None) == []


def test_a_lamp_on_the_knob_is_no_one_beside_a_glint() -> None:
    assert look((0.0, 100.0), found_by_finder=True, value=1) == []
    assert look_at_two_dice((1, None), glint=0.5) == []
    assert look_at_two_dice((1, None), glint=0.8) == ["1", None]
    assert look_at_two_dice((1, 6), glint=0.5) == ["1", "6"]


def look_at_two_dice(values: tuple[int | None, ...], *, glint: float) -> list[str | None]:
    """Return the faces that are told of two things in the place of the dice; of the second the finder is less sure."""
    camera = camera_of(profile())
    found, read = [], []
    for value, x_mm, confidence in zip(values, (-20.0, 20.0), (0.9, glint), strict=True):
        x, y = camera.to_pixels([(x_mm, 100.0, 14.0)])[0]
        quad = np.array([[x - 8, y - 8], [x + 8, y - 8], [x + 8, y + 8], [x - 8, y + 8]])
        found.append(FoundDie(polygon_px=quad, confidence=confidence))
        read.append(DieReading(value=value, candidates={value: 0.99} if value else {}, colour="red", colour_p=0.9))
    nothing = SimpleNamespace(polygons_px=np.zeros((0, 4, 2)), kinds=[], confidences=np.zeros(0))
    eyes = Eyes(
        detector=SimpleNamespace(detect=lambda *_, **__: nothing),
        corners=None,
        cards=None,
        chips=None,
        dice=SimpleNamespace(read=lambda *_: read),
        finder=SimpleNamespace(find=lambda *_: found),
        camera=camera,
        dice_places=[PLACE],
    )
    return [one.face for one in eyes.look(np.zeros((540, 960, 3), np.uint8))]


def test_what_the_detector_calls_chips_where_only_dice_lie_is_left_to_the_finder() -> None:
    assert look((0.0, 100.0)) == []


def test_chips_elsewhere_stay_a_pile() -> None:
    (seen,) = look((0.0, 250.0))
    assert (seen.kind, seen.stacks[0].stack) == ("chips", ("red",))


@pytest.mark.parametrize(
    ("half_px", "dice", "taken_for"), [(20.0, False, "chips"), (8.0, False, "die"), (20.0, True, "die")]
)
def test_at_a_table_without_dice_what_looks_like_a_large_die_is_a_pile(
    half_px: float, *, dice: bool, taken_for: str
) -> None:
    (seen,) = look((0.0, 250.0), kind="die", half_px=half_px, dice=dice)
    assert seen.kind == taken_for


def read_pile(candidates: list[tuple[tuple[str, ...], float]], *, px_per_edge: float = 3.0, **known: Any) -> Sighting:
    """What becomes of a proposed pile that the reader reads so."""
    quad = np.array([[0, 0], [30, 0], [30, 30], [0, 30]], dtype=np.float64)
    pile = Proposal(kind="chips", polygon_px=quad, xy_mm=(0.0, 300.0), angle_deg=None, **known)
    reading = SimpleNamespace(
        candidates=candidates, top_colour=None, count=None, base_mm=None, box_chips=1.0, px_per_edge=px_per_edge
    )
    eyes = Eyes(
        detector=None,
        corners=None,
        cards=None,
        chips=SimpleNamespace(read=lambda *_: [reading], colours=frozenset({"red", "green", "black"})),
        dice=None,
        finder=None,
        camera=camera_of(profile()),
    )
    (seen,) = eyes.read(np.zeros((540, 960, 3), np.uint8), [pile])
    return seen


@pytest.mark.parametrize(("chances", "kept"), [((0.4, 0.3), True), ((0.3, 0.1), False)])
def test_a_doubtful_pile_stays_as_long_as_it_is_more_likely_some_stack_than_none(
    chances: tuple[float, float], kept: bool
) -> None:
    seen = read_pile([(("green",), chances[0]), (("green", "green"), chances[1])], confidence=0.6)
    assert (seen.confidence > 0) is kept


def test_numbers_that_the_outline_speaks_for_gain_and_what_is_not_named_keeps_a_share() -> None:
    outline = Outline(heights={1: 0.1, 2: 0.8}, faint=frozenset())
    seen = read_pile([(("red",), 0.4), (("red", "red"), 0.4)], confidence=0.9, outline=outline)
    # a fifth of 0.8 may be one chip and its shadow: 0.64 and 0.24, whose logarithms count 0.15: 0.94 and 0.81; 0.4 of
    # each and 0.2 * 0.2 for the rest, over the sum
    assert [(stack.stack, round(stack.p, 3)) for stack in seen.stacks] == [
        (("red", "red"), 0.507),
        (("red",), 0.438),
        (("red", "red", "red"), 0.001),
    ]


@pytest.mark.parametrize(
    ("shown", "chances", "likeliest"),
    [
        (3, {2: 0.6, 3: 0.4}, 2),  # more chips than are read are a shadow
        (1, {2: 0.52, 1: 0.48}, 1),
        (1, {2: 0.6, 1: 0.4}, 2),
        (1, {2: 0.95, 1: 0.05}, 2),  # fewer are left out by the outline where the reader is sure
        (2, {2: 0.6, 3: 0.4}, 2),
        (1, {4: 0.55, 1: 0.45}, 4),  # two and more fewer: a dark side
    ],
)
def test_the_outline_hardly_ever_overrules_the_reader(shown: int, chances: dict[int, float], likeliest: int) -> None:
    outline = Outline(heights={shown: 0.97}, faint=frozenset())
    seen = read_pile([(("red",) * number, p) for number, p in chances.items()], confidence=0.9, outline=outline)
    assert len(seen.stacks[0].stack) == likeliest


def test_the_number_of_faint_chips_at_a_foot_is_never_quite_sure() -> None:
    outline = Outline(heights={3: 0.97}, faint=frozenset({"black", "green"}))
    seen = read_pile([(("black", "black", "red", "red", "red"), 1.0)], confidence=0.9, outline=outline)
    chances = {one.stack: one.p for one in seen.stacks}
    assert chances["black", "red", "red", "red"] == pytest.approx(0.015)
    assert chances["black", "black", "black", "red", "red", "red"] == pytest.approx(0.015)
    assert sum(chances.values()) == pytest.approx(1.0)


def test_where_edges_are_small_a_pile_may_stand_upon_a_cheque_too_dark_to_be_seen() -> None:
    seen = read_pile([(("red",), 0.95)], confidence=0.9, px_per_edge=2.0)
    assert {one.stack: round(one.p, 4) for one in seen.stacks} == {
        ("red",): pytest.approx(0.9414),
        ("green", "red"): pytest.approx(0.0038),
        ("black", "red"): pytest.approx(0.0038),
        ("red", "red"): pytest.approx(0.001),
    }
    seen = read_pile([(("red",), 0.95)], confidence=0.9)
    assert [one.stack for one in seen.stacks] == [("red",), ("red", "red")]


class TrustsItsBox:
    """Reads piles of two red cheques upon ``feet`` green ones: in a box as it is told, by the number of its chips."""

    colours = frozenset({"red", "green"})

    def __init__(self, told: dict[int, dict[int, float]]) -> None:
        self.told = told
        self.palettes: list[tuple[int, Any]] = []

    def read(self, _frame: object, boxes: np.ndarray, _camera: Any, _backdrop: Any, palette: Any) -> list[StackReading]:
        number = chips_of(boxes[0])
        self.palettes.append((number, palette))
        unread = {"stack": None, "count": None, "count_p": 0.0, "top_colour": None, "top_p": 0.0}
        where = {"base_mm": (0.0, 300.0), "base_px": (0.0, 0.0), "px_per_edge": 3.0, "box_chips": float(number)}
        seen = tuple((("green",) * (n - 2) + ("red",) * min(n, 2), p) for n, p in self.told[number].items())
        return [StackReading(candidates=seen, **unread, **where)]

    def look_into(self, _frame: object, boxes: np.ndarray, *_: object) -> list[SimpleNamespace]:
        shares = [np.array([self.told[chips_of(box)].get(n, 0.0) for n in range(HIGHEST_STACK + 1)]) for box in boxes]
        return [
            SimpleNamespace(box=box, numbers=numbers, felt_below=0.0)
            for box, numbers in zip(boxes, shares, strict=True)
        ]

    def read_colours(self, frame: object, seen: SimpleNamespace, camera: Any, palette: Any) -> StackReading:
        return self.read(frame, seen.box[None], camera, None, palette)[0]


def chips_of(box: np.ndarray) -> int:
    """How many chips high a box is that hangs from the top of a pile of two."""
    camera = camera_of(profile())
    top = np.array([0.0, 300.0, 2 * CHIP_HEIGHT_MM])
    feet = {n: along_sight(camera, top, n * CHIP_HEIGHT_MM)[:2] for n in range(1, 9)}
    highs = {n: pile_box_px(camera, (float(x), float(y)), n) for n, (x, y) in feet.items()}
    return min(highs, key=lambda n: float(np.abs(highs[n] - box).max()))


def read_in_every_box(told: dict[int, dict[int, float]], palette: Palette | None = None) -> tuple[Sighting, Any]:
    """What becomes of a pile with an outline of two chips."""
    chips, camera = TrustsItsBox(told), camera_of(profile())
    eyes = Eyes(detector=None, corners=None, cards=None, chips=chips, dice=None, finder=None, camera=camera)
    box = pile_box_px(camera, (0.0, 300.0), 2)
    pile = Proposal(kind="chips", polygon_px=box, xy_mm=(0.0, 300.0), angle_deg=None, confidence=0.9)
    return eyes.read(np.zeros((540, 960, 3), np.uint8), [pile], palette=palette)[0], chips


HIGHER = {1: {2: 0.9}, 2: {2: 0.35, 3: 0.65}, 3: {3: 0.95}, 4: {3: 0.6, 4: 0.4}, 5: {4: 0.5, 5: 0.5}}


def test_a_pile_has_the_number_that_its_own_box_shows_whatever_its_outline_left_out() -> None:
    seen, _ = read_in_every_box(HIGHER)
    assert seen.stacks[0].stack == ("green", "red", "red")
    assert 0.5 < seen.stacks[0].p < 0.95


def test_a_number_that_only_its_own_box_shows_is_one_too_many() -> None:
    """In a box too high a chip more is found, and surely."""
    seen, _ = read_in_every_box({1: {2: 0.9}, 2: {2: 0.95}, 3: {3: 0.9, 2: 0.1}, 4: {4: 0.8}, 5: {5: 0.7}})
    assert seen.stacks[0].stack == ("red", "red")


def test_a_pile_that_fills_the_highest_box_is_looked_at_in_higher_ones() -> None:
    """Of a pile half behind another the uppermost cheque was outlined alone, and six were read as one, and surely."""
    behind = {1: {2: 0.9}, 2: {2: 0.85, 5: 0.1}, **{n: {7: 0.95} for n in range(3, 8)}, 8: {7: 0.8, 8: 0.2}}
    seen, _ = read_in_every_box(behind)
    numbers = {len(one.stack): one.p for one in seen.stacks}
    assert numbers[7] > 0.3
    assert max(one.p for one in seen.stacks) < 0.9


def test_what_all_boxes_agree_upon_is_sure() -> None:
    seen, chips = read_in_every_box({n: {2: 0.99} for n in range(1, 6)})
    assert (seen.stacks[0].p > 0.9, seen.count) == (True, 2)
    assert len(chips.palettes) == 2


def test_the_palette_learns_last_from_the_likeliest_box_and_not_from_the_others() -> None:
    palette = Palette()
    _, chips = read_in_every_box(HIGHER, palette)
    assert [number for number, known in chips.palettes if known is palette] == [2, 3]
    assert chips.palettes[-1][0] == 3


def test_card_of_a_picture_that_another_look_reads_is_read_and_placed_where_a_camera_is_known() -> None:
    camera = camera_of(profile())
    outline = camera.to_pixels([(x, y, 0.0) for x, y in ((-31.5, 56.0), (31.5, 56.0), (31.5, 144.0), (-31.5, 144.0))])
    picture = np.zeros((camera.size[1], camera.size[0], 3), np.uint8)
    cv2.fillConvexPoly(picture, points=np.round(outline).astype(np.int32), color=(255, 255, 255))

    def detect(seen: Any, *_: Any, **__: Any) -> Any:
        contours, _ = cv2.findContours((seen[..., 0] > 200).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        quad = cv2.boxPoints(cv2.minAreaRect(max(contours, key=cv2.contourArea)))
        return SimpleNamespace(polygons_px=quad[None].astype(float), kinds=["card"], confidences=np.array([0.9]))

    def read(seen: Any, quads: Any) -> list[Any]:
        sure = seen.shape != picture.shape
        said = SimpleNamespace(
            card="Kd" if sure else None, candidates={"Kd": 0.99 if sure else 0.5}, none_probability=0.0
        )
        return [said] * len(quads)

    eyes = Eyes(
        detector=SimpleNamespace(detect=detect),
        corners=SimpleNamespace(refine=lambda _, quads, **__: [SimpleNamespace(quad_px=quad) for quad in quads]),
        cards=SimpleNamespace(read=read),
        chips=None,
        dice=None,
        finder=SimpleNamespace(find=lambda *_: []),
        camera=camera,
    )
    assert [one.face for one in eyes.look(picture)] == [None]
    (card,) = eyes.look_at_picture(picture)
    assert card.face == "Kd"
    assert card.xy_mm is not None
    assert np.hypot(card.xy_mm[0], card.xy_mm[1] - 100.0) < 12.0
