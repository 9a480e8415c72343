"""Objects at their places: what is the same object, and what several looks say together."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from audit.states import StackCandidate
from models.camera import camera_of
from models.fusion import best, fused_faces, fused_stacks
from models.sighting import Sighting, angle_gap, card_corners_mm, fit_card, folded
from models.tracking import (
    Places,
    came_before,
    is_of_covered,
    is_same_content,
    is_same_place,
    is_seen_twice,
    remember,
    replaces_unread,
    seen_object,
    stands_in,
)
from tests.models.toy_table import profile

SMALL = np.zeros((270, 480), dtype=np.uint8)
GREY = np.full((540, 960), 90, dtype=np.uint8)


def card(x: float, y: float, angle: float = 0.0, **faces: float) -> Sighting:
    polygon = camera_of(profile()).to_pixels(card_corners_mm((x, y), angle))
    return Sighting(kind="card", polygon_px=polygon, confidence=0.9, xy_mm=(x, y), angle_deg=angle, faces=faces)


def pile(x: float, y: float, **stacks: float) -> Sighting:
    polygon = camera_of(profile()).to_pixels([(x - 20, y - 20), (x + 20, y - 20), (x + 20, y + 20), (x - 20, y + 20)])
    readings = tuple(StackCandidate(stack=tuple(name.split("_")), p=p) for name, p in stacks.items())
    return Sighting(kind="chips", polygon_px=polygon, confidence=0.9, xy_mm=(x, y), stacks=readings)


def test_two_equal_looks_are_as_sure_as_one() -> None:
    assert fused_faces([{"Ah": 0.9, "Ad": 0.05}] * 2) == pytest.approx({"Ah": 0.9, "Ad": 0.05})


def test_looks_that_disagree_leave_the_card_unread() -> None:
    joined = fused_faces([{"9c": 0.95, "8c": 0.05}, {"9c": 0.05, "8c": 0.95}])
    assert joined["9c"] == pytest.approx(joined["8c"])
    assert best(joined) is None


def test_nothing_seen_is_nothing_known() -> None:
    assert fused_faces([]) == {}
    assert fused_stacks([]) == ()
    assert best({}) is None


def test_probabilities_never_sum_to_more_than_one() -> None:
    joined = fused_faces([{"9c": 0.7, "8c": 0.3}, {"Td": 1.0}])
    assert sum(joined.values()) <= 1.0


def test_stacks_are_joined_by_their_chips_from_bottom_to_top() -> None:
    first = (StackCandidate(stack=("red", "red"), p=0.8), StackCandidate(stack=("red",), p=0.2))
    second = (StackCandidate(stack=("red", "red"), p=0.9),)
    joined = fused_stacks([first, second])
    assert joined[0].stack == ("red", "red")
    assert joined[0].p > 0.8


def test_a_card_a_little_off_is_in_the_same_place_and_one_beside_it_is_not() -> None:
    assert is_same_place(card(0, 200), card(5, 203, 4))
    assert not is_same_place(card(0, 200), card(20, 200))
    assert not is_same_place(card(0, 200), card(0, 200, 40))
    assert not is_same_place(card(0, 200), pile(0, 200))


def test_another_face_at_the_same_place_is_another_card() -> None:
    known = remember([card(0, 200, Ah=0.97)], SMALL, GREY)
    assert is_same_content(known, card(0, 200, Ah=0.9))
    assert is_same_content(known, card(0, 200, Ah=0.3, Kd=0.3))
    assert not is_same_content(known, card(0, 200, Kd=0.97))


def test_face_where_looks_saw_none_is_another_content() -> None:
    known = remember([card(0, 200, Kd=0.002)], SMALL, GREY)
    assert not is_same_content(known, card(0, 200, Qd=0.97))
    assert is_same_content(known, card(0, 200, Qd=0.3))
    unsure = remember([card(0, 200, Kd=0.3)], SMALL, GREY)
    assert is_same_content(unsure, card(0, 200, Qd=0.97))


def test_what_has_gone_cannot_have_gone_before_it_came() -> None:
    ace, king, queen = (remember([card(x, 200, Ah=0.97)], SMALL, GREY) for x in (0, 100, 200))
    ace.since_ms, king.since_ms, queen.since_ms = 500, 900, None
    before = [(one, one.since_ms) for one in (ace, king, queen)]
    assert came_before(before, [ace, king, queen]) == 0
    assert came_before(before, [king]) == 500
    assert came_before(before, []) == 900
    king.since_ms = 2000  # another card lies there now
    assert came_before(before, [ace, king, queen]) == 900


def test_a_grown_pile_is_another_content() -> None:
    known = remember([pile(0, 400, red_red=0.97)], SMALL, GREY)
    assert is_same_content(known, pile(1, 401, red_red=0.9))
    assert not is_same_content(known, pile(1, 401, red_red_red=0.9))


def test_a_place_that_only_got_darker_looks_the_same() -> None:
    polygon_area = np.random.default_rng(5).integers(60, 200, size=(540, 960)).astype(np.uint8)
    known = remember([card(0, 200, Ah=0.97)], SMALL, polygon_area)
    assert known.looks_the_same((polygon_area * 0.85).astype(np.uint8))
    assert not known.looks_the_same(polygon_area[::-1].copy())


def test_a_card_partly_covered_by_another_has_not_moved() -> None:
    table = np.full((540, 960), 60, dtype=np.uint8)
    seen = card(0, 200, Ah=0.97)
    cv2.fillPoly(table, pts=[np.round(seen.polygon_px).astype(np.int32)], color=220)
    known = remember([seen], SMALL, table)
    middle, corner = seen.polygon_px.mean(axis=0), seen.polygon_px[0]
    covered = table.copy()
    other = np.round(seen.polygon_px + (middle - corner)).astype(np.int32)  # the same card, half a card further
    cv2.fillPoly(covered, pts=[other], color=150)
    assert not known.looks_the_same(covered)
    parts = known.unmoved_part_px(covered)
    assert parts
    assert all(cv2.pointPolygonTest(other, tuple(p), measureDist=False) < 0 for part in parts for p in part[:1])


def test_a_card_that_slid_aside_has_moved() -> None:
    table = np.full((540, 960), 60, dtype=np.uint8)
    seen = card(0, 200, Ah=0.97)
    slid = table.copy()
    cv2.fillPoly(table, pts=[np.round(seen.polygon_px).astype(np.int32)], color=220)
    along = (seen.polygon_px[1] - seen.polygon_px[0]) * 0.3
    cv2.fillPoly(slid, pts=[np.round(seen.polygon_px + along).astype(np.int32)], color=220)
    assert remember([seen], SMALL, table).unmoved_part_px(slid) == []


def with_card(table: np.ndarray, seen: Sighting, *, index: bool) -> None:
    """Draw a white card, with a dark mark in one corner or all white."""
    cv2.fillPoly(table, pts=[np.round(seen.polygon_px).astype(np.int32)], color=220)
    cv2.polylines(table, pts=[np.round(seen.polygon_px).astype(np.int32)], isClosed=True, color=150)
    corner, middle = seen.polygon_px[1], seen.polygon_px.mean(axis=0)
    if index:
        at = np.round(corner + 0.15 * (middle - corner)).astype(int).tolist()
        cv2.circle(table, at, radius=2, color=20, thickness=-1)


@pytest.mark.parametrize("is_taken", [False, True])
def test_a_card_between_two_has_not_moved_while_its_index_over_the_lower_shows(is_taken: bool) -> None:
    lower, between, upper = card(30, 200, Ah=0.97), card(0, 200, Kd=0.97), card(-28, 200, Td=0.97)
    table = np.full((540, 960), 60, dtype=np.uint8)
    with_card(table, lower, index=False)
    first = remember([lower], SMALL, table)
    taken = table.copy()
    with_card(table, between, index=True)
    known = remember([between], SMALL, table)
    first.since_ms, known.since_ms = 1000, 3000
    after = taken if is_taken else table.copy()
    with_card(after, upper, index=False)
    assert bool(known.unmoved_part_px(after, [first])) is not is_taken
    known.since_ms = first.since_ms  # nobody saw which lies upon the other
    assert not known.unmoved_part_px(after, [first])


def test_a_card_face_down_that_came_later_may_lie_under_the_other() -> None:
    upper, hole = card(30, 200, Ah=0.97), replace(card(0, 200), kind="card_back")
    table = np.full((540, 960), 60, dtype=np.uint8)
    with_card(table, hole, index=False)
    with_card(table, upper, index=True)
    known, first = remember([hole], SMALL, table), remember([upper], SMALL, table)
    first.since_ms, known.since_ms = 1000, 3000
    gone = np.full((540, 960), 60, dtype=np.uint8)
    with_card(gone, upper, index=True)
    assert not known.unmoved_part_px(gone, [first])


def test_an_unread_card_is_written_as_null_with_its_candidates() -> None:
    written = seen_object(remember([card(0, 200, Ah=0.6, Ad=0.4)], SMALL, GREY))
    assert written.card is None
    assert written.candidates == pytest.approx({"Ah": 0.6, "Ad": 0.4}, abs=1e-3)
    assert len(written.extra["polygon_px"]) == 4


def test_corners_off_by_two_millimetres_still_give_the_card() -> None:
    camera = camera_of(profile())
    corners = card_corners_mm((-120.0, 210.0), 33.0) + np.array([[2, 0], [0, -2], [-2, 0], [0, 2]])
    fit = fit_card(camera, camera.to_pixels(corners))
    assert fit is not None
    assert fit.xy_mm == pytest.approx((-120, 210), abs=0.5)
    assert fit.angle_deg == pytest.approx(33, abs=2)


@pytest.mark.parametrize("shift", [0, 1, 2, 3])
def test_the_order_of_the_corners_does_not_matter(shift: int) -> None:
    camera = camera_of(profile())
    corners = np.roll(camera.to_pixels(card_corners_mm((50.0, 210.0), -70.0)), shift, axis=0)
    fit = fit_card(camera, corners[::-1])
    assert fit is not None
    assert fit.angle_deg == pytest.approx(-70, abs=0.1)


def test_a_square_of_another_size_is_no_card() -> None:
    camera = camera_of(profile())
    assert fit_card(camera, camera.to_pixels([(0, 200), (140, 200), (140, 340), (0, 340)])) is None


def test_angles_are_those_of_undirected_lines() -> None:
    assert folded(-90.0) == 90.0
    assert folded(181.0) == 1.0
    assert angle_gap(89.0, -89.0) == pytest.approx(2.0)


@pytest.mark.parametrize(
    ("sighting", "of_it"),
    [
        (card(109, 203, Th=0.99), True),
        (card(109, 203), True),
        (card(109, 203, Ks=0.99), False),
        (card(118, 203, Th=0.99), False),
        (card(122, 203), True),
        (card(130, 203), False),
        (card(109, 203, 30.0, Th=0.99), False),
    ],
    ids=[
        "the same face",
        "no face",
        "another face",
        "further away",
        "no face, further away",
        "no face, far away",
        "turned",
    ],
)
def test_what_shows_of_a_covered_card_is_no_second_card(sighting: Sighting, of_it: bool) -> None:
    known = remember([card(100, 200, Th=0.99)], SMALL, GREY)
    assert is_of_covered(known, sighting) is of_it


def test_a_card_read_nearly_where_an_unread_one_was_thought_to_lie_replaces_it() -> None:
    unread, read = (remember([card(100, 200, **faces)], SMALL, GREY) for faces in ({}, {"Ks": 0.99}))
    assert replaces_unread(unread, card(109, 203, Th=0.99))
    assert not replaces_unread(unread, card(109, 203))
    assert not replaces_unread(unread, card(130, 203, Th=0.99))
    assert not replaces_unread(read, card(109, 203, Th=0.99))


@pytest.mark.parametrize(("apart", "within"), [(12.0, True), (25.0, True), (39.0, False)])
def test_piles_stand_beside_each_other_never_in_one_another(apart: float, within: bool) -> None:
    assert stands_in(pile(0, 400, red=0.9), pile(apart, 400, red=0.9)) is within
    assert not stands_in(pile(0, 400, red=0.9), card(apart, 400))


@pytest.mark.parametrize(
    ("other", "one_card"),
    [
        (card(112, 204, Ks=0.99), True),
        (card(112, 204, Kc=0.99), False),
        (card(112, 204), False),
        (card(130, 204, Ks=0.99), False),
        (card(112, 204, 90.0, Ks=0.99), False),
    ],
    ids=["twice", "another face", "unread", "apart", "across"],
)
def test_a_face_seen_twice_within_a_few_millimetres_is_one_card(other: Sighting, one_card: bool) -> None:
    """Seen in footage of a pushed camera: the card's old and new place, and a second card on top of the first."""
    assert stands_in(card(100, 200, Ks=0.99), other) is one_card


@pytest.mark.parametrize(
    ("x", "turned", "one_card"),
    [
        (116, 0.0, True),
        (116, 30.0, False),
        (125, 0.0, False),
        (103, 13.0, True),
        (112, 13.0, False),
        (103, 40.0, False),
    ],
)
def test_a_back_seen_just_beside_another_is_that_one(x: float, turned: float, one_card: bool) -> None:
    """21 Stud at a low bit rate: a dealer's second card, face down, was two until the picture had settled."""
    one, other = (replace(card(place, 200, angle), kind="card_back") for place, angle in ((100, 0.0), (x, turned)))
    assert stands_in(one, other) is one_card


@pytest.mark.parametrize(
    ("other", "twice"),
    [(card(112, 204, Ts=0.99), True), (card(112, 204, Tc=0.99), False), (card(130, 204, Ts=0.99), False)],
    ids=["hardly read before", "another face", "apart"],
)
def test_a_face_hardly_read_nearly_where_it_is_read_now_is_one_card(other: Sighting, twice: bool) -> None:
    """In a degraded clip a double's card lay there twice, 13 mm apart, and the hand had one card too many."""
    assert is_seen_twice(remember([card(100, 200, Ts=0.54, Tc=0.02)], SMALL, GREY), other, 5000) is twice


@pytest.mark.parametrize(("t_ms", "twice"), [(4100, True), (9000, False)], ids=["a moment ago", "long ago"])
def test_an_unread_card_a_moment_ago_was_the_one_that_is_read_now(t_ms: int, twice: bool) -> None:
    """A card in the dealer's fingers was the up card, and the one that lay there then a second one."""
    unread = remember([card(100, 200, 18.0)], SMALL, GREY)
    unread.since_ms = 4000
    assert is_seen_twice(unread, card(110, 195, Th=0.99), t_ms) is twice


def test_a_card_that_was_hardly_read_makes_way_for_it_when_it_is_read() -> None:
    places = Places()
    places.add(remember([card(100, 200, Ts=0.54, Tc=0.02)], SMALL, GREY), 4000)
    places.add(remember([card(160, 200, Kd=0.99)], SMALL, GREY), 5000)
    places.add(remember([card(112, 204, Ts=0.99)], SMALL, GREY), 9000)
    assert [(one.xy_mm, one.since_ms) for one in places.known] == [((160, 200), 5000), ((112, 204), 9000)]


def test_what_is_not_sure_is_looked_at_again_later_by_twice_as_much_each_time() -> None:
    """Looks 200 ms apart saw the same coarse blocks; later ones read 10 of 36 more of the piles of a low bit rate."""
    unsure = remember([card(100, 200, Ts=0.6, Tc=0.3)], SMALL, GREY)
    asked = []
    for t_ms in range(0, 7_000, 200):
        if unsure.may_tell_more(t_ms) and len(unsure.sightings) < 5:
            asked.append(t_ms)
            unsure.seen_again(card(100, 200, Ts=0.6, Tc=0.3))
    assert asked == [0, 200, 600, 1_400]
    assert not remember([card(100, 200, Ts=0.99)], SMALL, GREY).may_tell_more(0)


@pytest.mark.parametrize("touched", [None, 5_000])
def test_what_lies_unexplained_beside_a_card_is_not_over_it_until_more_is(touched: int | None) -> None:
    """A strip of the hole card showed beside the up card, which for seconds was taken to be under a hand."""
    places, whole, strip, more = Places(), *(np.zeros_like(SMALL) for _ in range(3))
    whole[20:50, 20:40], strip[20:50, 16:24], more[20:50, 16:30] = 255, 255, 255
    known = remember([card(100, 200, Ts=0.99)], whole, GREY)
    places.add(known, 4000)
    places.touch(strip, 4_200)
    assert known.touched_ms == 4_200
    known.checked(strip)
    places.touch(strip if touched is None else more, 5_000)
    assert known.touched_ms == touched


def test_a_die_that_shows_another_face_is_another_throw() -> None:
    polygon = camera_of(profile()).to_pixels([(-8, 92), (8, 92), (8, 108), (-8, 108)])

    def die(face: str) -> Sighting:
        return Sighting(kind="die", polygon_px=polygon, confidence=0.9, xy_mm=(0.0, 100.0), faces={face: 0.99})

    known = remember([die("5")], SMALL, GREY)
    assert is_same_content(known, die("5"))
    assert not is_same_content(known, die("3"))


def test_what_is_written_of_an_object_follows_what_is_seen_of_it() -> None:
    luma = np.full((400, 400), 90, dtype=np.uint8)
    known = remember([card(100, 200, Ks=0.9)], np.full((40, 40), 255, dtype=np.uint8), luma)
    assert known.written().candidates == {"Ks": 0.9}
    assert not known.is_sure()
    for _ in range(4):
        known.seen_again(card(100, 200, Ks=0.999))
    assert known.is_sure()
    assert known.written().candidates["Ks"] > 0.99


def test_how_much_of_an_object_is_under_a_mask_is_told_of_the_place_it_has_now() -> None:
    luma = np.full((400, 400), 90, dtype=np.uint8)
    here, there = np.zeros((2, 40, 40), dtype=np.uint8)
    here[4:8, 5:10] = there[20:22, 30:40] = 255
    known = remember([card(100, 200, Ks=0.9)], here, luma)
    everywhere, nowhere = np.full((40, 40), 255, dtype=np.uint8), np.zeros((40, 40), dtype=np.uint8)
    assert (known.under(everywhere), known.under(there), known.under(nowhere), known.area) == (20, 0, 0, 20)
    known.mask = there
    assert (known.under(everywhere), known.under(here), known.area) == (20, 0, 20)
    known.mask = nowhere
    assert (known.under(everywhere), known.area) == (0, 1)
