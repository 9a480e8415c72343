"""The covered dice cup is followed while it is carried: what swings is counted, of what was lost nothing is told."""

from collections.abc import Collection
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from audit.states import SeenObject, TableState
from audit.table import parse_profile
from audit.timing import Span
from models.camera import camera_of
from models.cup_watch import CupWatch, _Seen, cycles
from tests.models.toy_table import PROFILE

WITH_DICE = PROFILE + '[[zone]]\nname = "dice"\npolygon_mm = [[-80, 60], [80, 60], [80, 180], [-80, 180]]\n'
HOME = (0.0, 120.0)
STEP = 80


def frame(t_ms: int, offset: tuple[float, float] | None, camera: Any) -> Any:
    """The felt with a lamp's gradient, print around the cup's place, and the cup: a dark dome with a bright rim."""
    luma = np.tile(np.linspace(90, 120, 960).astype(np.uint8), (540, 1))
    x, y = (round(float(v)) for v in camera.to_pixels([(*HOME, 0.0)])[0])
    cv2.circle(luma, (x, y), 62, 200, thickness=3)
    if offset is not None:
        at = (x + round(offset[0]), y + round(offset[1]))
        cv2.ellipse(luma, at, (46, 40), 0, 0, 360, 45, thickness=-1)
        cv2.ellipse(luma, at, (46, 40), 0, 20, 160, 150, thickness=4)
        cv2.ellipse(luma, (at[0] - 12, at[1] - 10), (12, 7), 0, 0, 360, 95, thickness=-1)
    return SimpleNamespace(t_ms=t_ms, luma=luma)


def known(kind: str, camera: Any, *, touched: bool) -> Any:
    x, y = camera.to_pixels([(*HOME, 0.0)])[0]
    box = np.array([(x - 50, y - 44), (x + 50, y - 44), (x + 50, y + 44), (x - 50, y + 44)])
    now = SimpleNamespace(polygon_px=box)
    return SimpleNamespace(kind=kind, touched_ms=0 if touched else None, xy_mm=HOME, now=now)


def seen(kind: str, at: tuple[float, float]) -> SeenObject:
    return SeenObject(kind=kind, xy_mm=at, value=3 if kind == "die" else None)


def state(first: int, last: int, *kinds: str, at: tuple[float, float] = HOME) -> TableState:
    return TableState(span=Span.of(first, last), objects=tuple(seen(kind, at) for kind in kinds))


REST: list[tuple[float, float] | None] = [(0.0, 0.0)] * 8
UP: list[tuple[float, float] | None] = [(0.0, -20.0), (0.0, -40.0)]
SHAKE: list[tuple[float, float] | None] = [(-14.0, -44.0), (-22.0, -44.0), (10.0, -40.0), (20.0, -40.0)]
AWAY: list[tuple[float, float] | None] = [(40.0, 0.0), (90.0, 10.0), (130.0, 20.0)] + [(130.0, 20.0)] * 6


def watching(way: list[tuple[float, float] | None]) -> CupWatch:
    """Watch a cup that stands for a while and is in a hand from then on."""
    profile = parse_profile(WITH_DICE)
    camera = camera_of(profile)
    watch = CupWatch(profile, camera)
    for number, offset in enumerate(way):
        watch.see(frame(number * STEP, offset, camera), [known("dice_cup", camera, touched=number >= len(REST))])
    return watch


def told(way: list[tuple[float, float] | None], *, opened: bool = True) -> list[tuple[str | None, int | None]]:
    """The cup of a state at rest and of the state after the way, as (lid, shakes)."""
    frames = REST + way
    watch = watching(frames)
    end = len(frames) * STEP
    after = ["die"] if opened else ["dice_cup"]
    states = [state(0, 0), state(80, 7 * STEP, "dice_cup"), state(end, end + 400, *after)]
    marked = list(watch.told(states))[1:]
    return [(one.lid, one.shakes) for state in marked for one in state.objects if one.kind == "dice_cup"]


@pytest.mark.parametrize("times", [0, 1, 2, 3, 5])
def test_every_shake_is_counted(times: int) -> None:
    assert told(UP + SHAKE * times + UP[::-1] + REST + AWAY) == [("on", 0), ("off", times)]


@pytest.mark.parametrize(("times", "shakes"), [(1, 0), (2, 1), (3, None), (4, 3)])
def test_a_cup_shaken_as_it_is_lifted_may_have_been_shaken_once_more_than_is_seen(
    times: int, shakes: int | None
) -> None:
    """Up and down: the first swing goes on from the lifting, the last one ends on the felt; 2 may be enough, or not."""
    swing: list[tuple[float, float] | None] = [(0.0, -50.0), (0.0, -66.0), (0.0, -50.0), (0.0, -32.0)]
    assert told([(0.0, -20.0), (0.0, -40.0), *swing * times, (0.0, -12.0), *REST, *AWAY]) == [
        ("on", 0),
        ("off", shakes),
    ]


def test_what_is_foreseen_is_what_will_be_told_and_nothing_is_told_by_it() -> None:
    frames = REST + UP + 3 * SHAKE + AWAY
    watch, end = watching(frames), len(frames) * STEP
    states = [state(0, 0), state(80, 7 * STEP, "dice_cup"), state(end, end + 400, "die")]
    foreseen = [list(watch.foreseen(states[:count])) for count in (1, 2, 3)]
    marked = list(watch.told(states))
    assert foreseen == [marked[:1], marked[:2], marked]
    assert [one.shakes for one in marked[2].objects if one.kind == "dice_cup"] == [3]


def test_the_way_of_the_cover_may_count_as_one_where_the_cup_was_not_let_go() -> None:
    """Rather one too many than a dealer who is said to have shaken too seldom."""
    assert told(UP + SHAKE * 3 + UP[::-1] + AWAY) in ([("on", 0), ("off", 3)], [("on", 0), ("off", 4)])
    assert told(UP + SHAKE * 1 + UP[::-1] + AWAY)[1][1] < 3


def test_a_cup_that_stands_where_it_was_learnt_is_found_again_though_something_else_was_followed() -> None:
    way = AWAY + REST + UP + SHAKE * 3 + UP[::-1] + REST + AWAY
    assert told(way)[1] in {("off", 3), ("off", 4)}  # the way there and back may count as one


def test_a_cup_that_stands_is_followed_again_though_what_was_followed_instead_looks_much_like_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Print far off looks like the cup with 0.8, to which a hand over the cup led; the cup that is back does with 1."""
    watch = watching(REST)
    template = watch._template
    assert template is not None
    astray = template.corner_px + np.array([150.0, 150.0])

    def best_match(luma: object, template: object, corner_px: Any) -> tuple[Any, float]:
        return (astray, 0.8) if np.array_equal(corner_px, astray) else (corner_px, 1.0)

    monkeypatch.setattr("models.cup_watch._best_match", best_match)
    watch._corner_px = astray
    watch._follow(frame(len(REST) * STEP, (0.0, 0.0), camera_of(parse_profile(WITH_DICE))), template)
    assert np.array_equal(watch._corner_px, template.corner_px)


def test_a_cup_that_stays_covered_was_shaken_all_the_same() -> None:
    assert told(UP + SHAKE * 3 + UP[::-1] + REST, opened=False) == [("on", 0), ("on", 3)]


@pytest.mark.parametrize("before_end", [None, 12])
def test_a_cup_is_shaken_while_nothing_changes_on_the_felt(before_end: int | None) -> None:
    """A state without a cup may begin when it is taken up, or when it has been put down elsewhere, shaken."""
    way = UP + SHAKE * 3 + UP[::-1] + REST + AWAY
    watch = watching(REST + way)
    end = (len(REST) + len(way)) * STEP
    carried = state(len(REST) * STEP if before_end is None else end - before_end * STEP, end - STEP)
    states = [state(0, 0), state(80, 7 * STEP, "dice_cup"), carried, state(end, end + 400, "die")]
    opened = list(watch.told(states))[-1]
    assert [one.shakes for one in opened.objects if one.kind == "dice_cup"] == [3]


@pytest.mark.parametrize(("times", "told"), [(3, 3), (2, None)])
def test_of_a_cup_that_was_hidden_at_first_only_enough_shakes_are_told(times: int, told: int | None) -> None:
    hidden: list[tuple[float, float] | None] = [None] * 6
    begun = len(REST) + len(UP) + len(hidden)
    way = [*REST, *UP, *hidden, *UP, *SHAKE * times, *UP[::-1], *REST, *AWAY]
    watch = watching(way)
    carried, end = state(begun * STEP, (begun + 1) * STEP), len(way) * STEP
    states = [state(0, 0), state(80, 7 * STEP, "dice_cup"), carried, state(end, end + 400, "die")]
    opened = list(watch.told(states))[-1]
    assert [one.shakes for one in opened.objects if one.kind == "dice_cup"] == [told]


@pytest.mark.parametrize(("moved_mm", "told"), [(0.0, 0), (9.0, 3)])
def test_dice_that_lie_as_they_lay_were_not_shaken(moved_mm: float, told: int) -> None:
    way = UP + SHAKE * 3 + UP[::-1] + REST + AWAY
    watch = watching(REST + way)
    end = (len(REST) + len(way)) * STEP
    after = state(end, end + 400, "die", at=(HOME[0] + moved_mm, HOME[1]))
    *_, opened = watch.told([state(0, 0), state(80, 7 * STEP, "die"), after])
    assert [one.shakes for one in opened.objects if one.kind == "dice_cup"] == [told]


@pytest.mark.parametrize(("alike", "shakes"), [(0.9, 0), (0.6, None)])
def test_of_what_never_looked_surely_like_the_cup_no_shakes_are_told(alike: float, shakes: int | None) -> None:
    profile = parse_profile(WITH_DICE)
    watch = CupWatch(profile, camera_of(profile))
    watch._seen = [_Seen(t_ms=k * STEP, at_mm=np.zeros(2), alike=alike) for k in range(12)]
    *_, standing = watch.told([state(0, 0, "dice_cup"), state(10 * STEP, 11 * STEP, "dice_cup")])
    assert [one.shakes for one in standing.objects] == [shakes]


@pytest.mark.parametrize(("alike", "far_mm", "shakes"), [(0.8, 30.0, 3), (0.66, 30.0, None), (0.8, 12.0, None)])
def test_arms_that_pass_over_a_cup_that_stands_are_no_shakes(alike: float, far_mm: float, shakes: int | None) -> None:
    """What was followed drifted to the dealer's arm, or trembled under it: the cup was shaken twice before a card."""
    profile = parse_profile(WITH_DICE)
    watch = CupWatch(profile, camera_of(profile))
    swings = [0.0, 0.0, *[far_mm, -far_mm] * 3, far_mm, 0.0, 0.0]
    watch._seen = [
        _Seen(t_ms=k * STEP, at_mm=np.array([x, 0.0]), alike=alike if x else 0.9) for k, x in enumerate(swings)
    ]
    end = len(swings) * STEP
    *_, standing = watch.told([state(0, 0, "dice_cup"), state(end, end + STEP, "dice_cup")])
    assert [one.shakes for one in standing.objects] == [shakes]


def told_of(places: list[tuple[float, float]], *, moving: float = 0.9, lost: Collection[int] = ()) -> int | None:
    """The shakes of a cup seen at these places, so much alike while it moved, until dice were seen."""
    profile = parse_profile(WITH_DICE)
    watch = CupWatch(profile, camera_of(profile))
    watch._seen = [
        _Seen(t_ms=k * STEP, at_mm=np.array(place), alike=moving if any(place) else 0.95)
        for k, place in enumerate(places)
        if k not in lost
    ]
    end = len(places) * STEP
    *_, opened = watch.told([state(0, 0, "dice_cup"), state(end, end + 400, "die")])
    return next(one.shakes for one in opened.objects if one.kind == "dice_cup")


@pytest.mark.parametrize(("lost", "shakes"), [(range(0), 3), (range(15, 19), None)])
def test_shakes_may_be_missing_where_the_cup_was_lost_while_it_moved(lost: range, shakes: int | None) -> None:
    """Frames were lost at the third shake, and the cup was said to have been shaken twice."""
    way = [*REST[:6], *UP, *SHAKE * 3, *UP[::-1], *REST[:3], *AWAY]
    assert told_of([place for place in way if place], lost=lost) == shakes


@pytest.mark.parametrize(("lost", "shakes"), [((), 2), ((9,), 2), ((9, 13), None)])
def test_shakes_may_be_missing_where_single_pictures_of_the_moving_cup_are(
    lost: Collection[int], shakes: int | None
) -> None:
    """A cup that was tilted and shaken three times in a second was lost at its turns, and "shaken once"."""
    way = [*REST[:6], *UP, *SHAKE * 2, *UP[::-1], *REST[:3], *AWAY]
    assert told_of([place for place in way if place], lost=lost) == shakes


@pytest.mark.parametrize(("alike", "times", "shakes"), [(0.8, 1, 1), (0.6, 1, None), (0.8, 3, 3), (0.66, 3, None)])
def test_of_what_was_little_like_the_cup_while_it_moved_no_shakes_are_told(
    alike: float, times: int, shakes: int | None
) -> None:
    """Something else in its place was followed until the dice were seen, and seemed to swing once, or three times."""
    way = [*REST[:2], *UP, *SHAKE * times, *UP[::-1], *REST, *AWAY]
    assert told_of([place for place in way if place], moving=alike) == shakes


def test_of_a_cup_that_was_out_of_sight_no_shakes_are_told() -> None:
    hidden: list[tuple[float, float] | None] = [None] * 6
    assert told(UP + SHAKE + hidden + SHAKE + UP[::-1] + REST + AWAY) == [("on", 0), ("off", None)]


@pytest.mark.parametrize(("hidden_ms", "shakes"), [(600, 0), (3_000, None)])
def test_a_cup_that_was_out_of_sight_long_after_its_rest_may_have_been_shaken(
    hidden_ms: int, shakes: int | None
) -> None:
    # What looked a little like the cup three seconds later was taken for its cover on the way: shaken "0 times".
    profile = parse_profile(WITH_DICE)
    watch = CupWatch(profile, camera_of(profile))
    rest = [_Seen(t_ms=k * STEP, at_mm=np.zeros(2), alike=0.95) for k in range(12)]
    again = rest[-1].t_ms + hidden_ms
    watch._seen = [*rest, *(_Seen(t_ms=again + k * STEP, at_mm=np.array([-22.0, 26.0]), alike=0.65) for k in range(4))]
    end = again + 4 * STEP
    *_, opened = watch.told([state(0, 0, "dice_cup"), state(end, end + 400, "die")])
    assert [one.shakes for one in opened.objects if one.kind == "dice_cup"] == [shakes]


@pytest.mark.parametrize(("alike", "shakes"), [(0.66, None), (0.9, 0)])
def test_what_was_followed_instead_of_a_cup_between_two_hands_says_nothing_of_its_shakes(
    alike: float, shakes: int | None
) -> None:
    """For four seconds a place on the felt was followed while both hands shook the cup: "shaken 0 times"."""
    way = [*REST[:6], (-30.0, 0.0), *[(-60.0, -10.0)] * 50]
    assert told_of([place for place in way if place], moving=alike) == shakes


def test_a_cup_that_only_moves_aside_was_not_shaken() -> None:
    slide: list[tuple[float, float] | None] = [(float(x), 0.0) for x in range(0, 40, 8)]
    assert told(slide + slide[::-1] + REST, opened=False) == [("on", 0), ("on", 0)]


def test_the_cover_beside_is_no_cup_and_a_table_without_dice_is_left_alone() -> None:
    profile = parse_profile(WITH_DICE)
    watch = CupWatch(profile, camera_of(profile))
    (beside,) = watch.told([state(0, 100, "dice_cup", at=(104.0, 40.0))])
    assert beside.objects == ()
    plain = parse_profile(PROFILE)
    (same,) = CupWatch(plain, camera_of(plain)).told([state(0, 100, "dice_cup", at=(104.0, 40.0))])
    assert len(same.objects) == 1


def test_a_die_apart_from_those_in_their_place_is_the_knob_of_the_cover_beside() -> None:
    """Film d of 27 November: a ball of metal with a highlight on the cover that lay beside read as a black one."""
    profile = parse_profile(WITH_DICE)
    watch = CupWatch(profile, camera_of(profile))
    dish, astray, knob = ((-20.0, 120.0), (10.0, 130.0)), (100.0, 130.0), (-118.0, 15.0)

    def dice(*places: tuple[float, float]) -> list[tuple[float, float]]:
        state = TableState(span=Span.of(0, 100), objects=tuple(seen("die", place) for place in places))
        (marked,) = watch.told([state])
        return [one.xy_mm for one in marked.objects if one.kind == "die"]

    assert dice(*dish, knob) == list(dish)
    assert dice(*dish, (-75.0, 70.0)) == [*dish, (-75.0, 70.0)], "within the place"
    assert dice((40.0, 120.0), (20.0, 110.0), astray) == [(40.0, 120.0), (20.0, 110.0), astray], "beside its dish"
    assert dice(dish[0], knob) == [dish[0], knob], "which of two is the die is not known"


def test_a_covered_cup_that_the_detector_missed_is_found_where_it_was_learnt() -> None:
    profile = parse_profile(WITH_DICE)
    camera = camera_of(profile)
    watch = CupWatch(profile, camera)
    for number in range(20):
        things = [known("dice_cup", camera, touched=False)] if number < 5 else []
        watch.see(frame(number * STEP, (0.0, 0.0) if number < 12 else None, camera), things)
    marked = list(watch.told([state(0, 0), state(7 * STEP, 10 * STEP), state(14 * STEP, 19 * STEP)]))
    assert [[one.lid for one in each.objects] for each in marked] == [["on"], ["on"], []]


def test_cycles_are_counted_along_the_line_of_the_shaking() -> None:
    def path(dx: float, dy: float, count: int) -> list[np.ndarray]:
        swings = [0.0, *(swing for _ in range(count) for swing in (-1.0, -0.2, 1.0, 0.2)), 0.0]
        return [np.array([dx, dy]) * swing for swing in swings]

    assert cycles(path(15.0, 0.0, 3)) == cycles(path(0.0, 15.0, 3)) == cycles(path(-11.0, 11.0, 3)) == 3
    assert cycles(path(3.0, 0.0, 6)) == 0, "a trembling hand"
    assert cycles([]) == 0


@pytest.mark.parametrize(("times", "one"), [(0, 0.4), (3, 0.4), (3, 0.9999)])
def test_die_with_no_face_or_one_pip_alone_in_its_place_is_the_knob_of_the_cover(times: int, one: float) -> None:
    """The detector names the knob alone, and it as a die, a lamp on it as a pip; the cover is followed by it."""
    profile = parse_profile(WITH_DICE)
    camera = camera_of(profile)
    watch = CupWatch(profile, camera)
    way = REST + UP + SHAKE * times + UP[::-1] + REST + AWAY
    for number, offset in enumerate(way):
        knob = known("die", camera, touched=number >= len(REST))
        middle = knob.now.polygon_px.mean(axis=0)
        knob.now = SimpleNamespace(polygon_px=middle + (knob.now.polygon_px - middle) * 0.4, faces={"1": one})
        watch.see(frame(number * STEP, offset, camera), [knob])
    end = len(way) * STEP
    die = SeenObject(kind="die", xy_mm=HOME, value=1 if one > 0.9 else None, candidates={"1": one})
    unread = TableState(span=Span.of(80, 7 * STEP), objects=(die,))
    marked = list(watch.told([state(0, 0), unread, state(end, end + 400, "die")]))[1:]
    assert [one.kind for one in marked[0].objects] == ["dice_cup"]
    assert [(one.lid, one.shakes) for state in marked for one in state.objects if one.kind == "dice_cup"] == [
        ("on", 0),
        ("off", times),
    ]


def test_the_cup_is_followed_by_its_knob_beside_faint_print() -> None:
    profile = parse_profile(WITH_DICE)
    camera = camera_of(profile)
    watch = CupWatch(profile, camera)
    way = REST + UP + SHAKE * 3 + UP[::-1] + REST + AWAY
    for number, offset in enumerate(way):
        seen = [known("die", camera, touched=number >= len(REST)) for _ in range(2)]
        middle = seen[0].now.polygon_px.mean(axis=0)
        outline = middle + (seen[0].now.polygon_px - middle) * 0.4
        for one, aside in zip(seen, (60.0, 0.0), strict=True):
            one.now = SimpleNamespace(polygon_px=outline + np.array([aside, 0.0]), faces={"1": 0.4}, confidence=0.55)
        watch.see(frame(number * STEP, offset, camera), seen)
    end = len(way) * STEP
    (_, told) = watch.told([state(0, 0), state(end, end + 400, "die")])
    assert [one.shakes for one in told.objects if one.kind == "dice_cup"] == [3]


@pytest.mark.parametrize(("aside_mm", "lids"), [(0.0, [("on", 0), ("off", 3)]), (45.0, [("on", None), ("off", None)])])
def test_what_looks_like_a_die_aside_of_the_middle_is_no_knob_by_which_the_cup_is_followed(
    aside_mm: float, lids: list[tuple[str, int | None]]
) -> None:
    """Print that stays where it is would tell of a cup that is not shaken."""
    profile = parse_profile(WITH_DICE)
    camera = camera_of(profile)
    watch, way = CupWatch(profile, camera), REST + UP + SHAKE * 3 + UP[::-1] + REST + AWAY
    for number, offset in enumerate(way):
        one = known("die", camera, touched=number >= len(REST))
        shift = camera.to_pixels([(HOME[0] + aside_mm, HOME[1], 0.0)])[0] - camera.to_pixels([(*HOME, 0.0)])[0]
        middle = one.now.polygon_px.mean(axis=0)
        one.now = SimpleNamespace(polygon_px=middle + shift + (one.now.polygon_px - middle) * 0.4, faces={"1": 0.4})
        one.xy_mm = (HOME[0] + aside_mm, HOME[1])
        watch.see(frame(number * STEP, offset, camera), [one])
    end = len(way) * STEP
    blank = TableState(span=Span.of(80, 7 * STEP), objects=(SeenObject(kind="die", xy_mm=one.xy_mm),))
    marked = list(watch.told([state(0, 0), blank, state(end, end + 400, "die")]))[1:]
    assert [(it.lid, it.shakes) for state in marked for it in state.objects if it.kind == "dice_cup"] == lids


def test_a_knob_seen_straight_from_above_is_over_the_middle() -> None:
    """No way is up there."""
    above: Any = SimpleNamespace(to_pixels=lambda points: np.array([at[:2] for at in points]), px_per_mm=lambda _: 1.0)
    watch = CupWatch(parse_profile(WITH_DICE), above)
    assert watch._is_over_the_middle(np.array([HOME, (HOME[0] + 8.0, HOME[1] + 8.0)]))


@pytest.mark.parametrize(("since_ms", "dice"), [(80, [3, 5]), (2000, [3, 5, None])])
def test_print_that_looks_like_a_die_before_a_throw_and_beside_it_is_none_of_its_dice(
    since_ms: int, dice: list[int | None]
) -> None:
    """A blank die that came with the throw is one of its dice, wherever it lies; the knob may be seen beside print."""
    watch = CupWatch(parse_profile(WITH_DICE), camera_of(parse_profile(WITH_DICE)))
    (x, y), nothing = HOME, {"1": 0.4, "3": 0.3}
    letter = SeenObject(kind="die", xy_mm=(x - 10, y + 50), candidates=nothing, since_ms=80)
    blank = SeenObject(kind="die", xy_mm=(x - 10, y + 51), candidates=nothing, since_ms=since_ms)
    thrown = tuple(SeenObject(kind="die", xy_mm=(x + 20 * n, y), value=face) for n, face in enumerate((3, 5)))
    states = [
        TableState(span=Span.of(80, 960), objects=(letter,)),
        TableState(span=Span.of(2000, 2400), objects=(*thrown, blank)),
        TableState(span=Span.of(2480, 2800), objects=(*thrown, blank)),
    ]
    told = list(watch.told(states))
    assert [one.kind for one in told[0].objects] == ["dice_cup"]
    assert [[one.value for one in state.objects if one.kind == "die"] for state in told[1:]] == [dice, dice]
    knob = SeenObject(kind="die", xy_mm=(x, y - 20), candidates=nothing, since_ms=80)
    with_knob = [replace(states[0], objects=(letter, knob)), *states[1:]]
    again = CupWatch(parse_profile(WITH_DICE), camera_of(parse_profile(WITH_DICE)))
    told = list(again.told(with_knob))
    assert [[one.value for one in state.objects if one.kind == "die"] for state in told[1:]] == [dice, dice]


@pytest.mark.parametrize(("confidence", "lids"), [(0.56, ["on"]), (0.9, ["off"]), (None, ["off"])])
def test_several_faint_things_like_dice_without_a_face_are_knob_and_print(
    confidence: float | None, lids: list[str]
) -> None:
    (x, y), nothing = HOME, {"1": 0.4, "3": 0.3}
    places = ((x, y - 20), (x - 10, y + 50))
    some = tuple(SeenObject(kind="die", xy_mm=at, candidates=nothing, confidence=confidence) for at in places)
    watch = CupWatch(parse_profile(WITH_DICE), camera_of(parse_profile(WITH_DICE)))
    (told,) = watch.told([TableState(span=Span.of(80, 960), objects=some)])
    assert [one.lid for one in told.objects if one.kind == "dice_cup"] == lids
    assert len([one for one in told.objects if one.kind == "die"]) == (2 if lids == ["off"] else 0)


@pytest.mark.parametrize(("aside_mm", "kinds"), [(0.0, ["die", "dice_cup"]), (30.0, ["dice_cup"])])
def test_one_pip_where_one_of_several_dice_lay_is_that_die(aside_mm: float, kinds: list[str]) -> None:
    watch = CupWatch(parse_profile(WITH_DICE), camera_of(parse_profile(WITH_DICE)))
    x, y = HOME
    four, one = (SeenObject(kind="die", xy_mm=at, value=v) for at, v in (((x - 20.0, y), 4), ((x + 20.0, y), 1)))
    later = SeenObject(kind="die", xy_mm=(x + 20.0 - aside_mm, y), value=1)
    both = TableState(span=Span.of(0, 400), objects=(four, one))
    (_, alone) = watch.told([both, TableState(span=Span.of(800, 1200), objects=(later,))])
    assert [thing.kind for thing in alone.objects] == kinds


@pytest.mark.parametrize(("times", "shakes"), [(0, None), (2, None), (5, 5)])
def test_in_pictures_that_come_too_seldom_only_enough_shakes_are_told(
    times: int, shakes: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five pictures a second: a swing may begin and end between two of them."""
    monkeypatch.setattr("tests.models.test_cup_watch.STEP", 200)
    assert told(UP + SHAKE * times + UP[::-1] + REST + AWAY)[-1] == ("off", shakes)


def test_a_cup_that_stands_for_minutes_is_not_remembered_look_by_look_and_its_shakes_are_counted() -> None:
    """What every look of an idle table was gone through again, twice a second."""
    profile = parse_profile(WITH_DICE)
    camera = camera_of(profile)
    watch = CupWatch(profile, camera)
    way = REST * 400 + UP + SHAKE * 3 + UP[::-1] + REST + AWAY
    first = [*watch.told([state(0, 0), state(80, 7 * STEP, "dice_cup")])]
    for number, offset in enumerate(way):
        touched = number >= 400 * len(REST)
        watch.see(frame(number * STEP, offset, camera), [known("dice_cup", camera, touched=touched)])
        if number == len(REST):
            first = list(watch.told([state(0, 0), state(80, 7 * STEP, "dice_cup")]))
    assert len(first) == 2
    assert len(watch._seen) < 2_100
    end = len(way) * STEP
    (last,) = watch.told([state(end, end + 400, "die")])
    assert [(one.lid, one.shakes) for one in last.objects if one.kind == "dice_cup"] == [("off", 3)]
