"""Arms over the table: one that slides along the border stays its owner's, one that comes from elsewhere is another."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from audit.states import HandSeen
from audit.table import parse_profile
from models.camera import camera_of
from models.hands import HandWatch
from models.motion import Mask, Watcher
from models.zones import HAND_MM2, ZoneMap
from tests.models.test_zones import RACK, TABLE

SHAPE = (270, 480)
FROM_BEHIND_HIM = "[[300, 900], [1600, 900], [1500, 300], [400, 300]]"
FROM_BEFORE_HIM = "[[1600, 180], [300, 180], [400, 780], [1500, 780]]"
NOTHING: Mask = np.zeros(SHAPE, dtype=np.uint8)


@pytest.fixture
def zones() -> ZoneMap:
    profile = parse_profile(TABLE + RACK)
    return ZoneMap(profile, camera_of(profile), SHAPE)


def turning_row(zones: ZoneMap) -> int:
    """The row of the left border at which the dealer is no longer nearer than the player."""
    sides = [zones.side_of(np.array([(0.0, row / zones.scale)])).name for row in range(SHAPE[0])]
    assert sides[-1] == "dealer"
    return max(row for row, side in enumerate(sides) if side == "player")


def arm(root: tuple[int, int]) -> Mask:
    """An arm from the border to the wager's zone."""
    mask: Mask = np.zeros(SHAPE, dtype=np.uint8)
    cv2.line(mask, pt1=root, pt2=(240, 140), color=255, thickness=30)
    return mask


def watched(zones: ZoneMap, pictures: Sequence[Mask]) -> tuple[HandSeen, ...]:
    hands, watcher = HandWatch(zones), Watcher(SHAPE)
    for number, mask in enumerate(pictures):
        watcher.t_ms, watcher.moving, watcher.restless = 80 * number, mask, mask
        watcher.known = np.zeros(SHAPE, dtype=np.uint8)
        hands.see(watcher, lambda _: NOTHING)
    return hands.take(80 * len(pictures))


def test_dealers_arm_that_slides_along_the_border_stays_his(zones: ZoneMap) -> None:
    row = turning_row(zones)
    rows = [*[row + 30] * 12, *range(row + 26, row - 40, -4)]
    seen = watched(zones, [arm((0, at)) for at in rows])
    assert {hand.side for hand in seen if "seat1.main" in hand.zones} == {"dealer"}


def test_arm_from_the_players_side_over_the_same_place_is_his(zones: ZoneMap) -> None:
    row = turning_row(zones)
    seen = watched(zones, [*[arm((0, row + 30))] * 12, *[arm((240, 0))] * 12])
    assert {hand.side for hand in seen if "seat1.main" in hand.zones} == {"dealer", "player"}


def reaching(tip: int) -> Mask:
    """A dealer's arm whose fingers end so many rows from the upper border."""
    mask: Mask = np.zeros(SHAPE, dtype=np.uint8)
    cv2.line(mask, pt1=(240, 269), pt2=(240, tip + 15), color=255, thickness=30)
    return mask


def test_hand_that_a_picture_shows_apart_from_its_arm_is_that_arms() -> None:
    """The dealer sits above: his forearm is met first."""
    profile = parse_profile(TABLE.replace(FROM_BEHIND_HIM, FROM_BEFORE_HIM) + RACK)
    zones = ZoneMap(profile, camera_of(profile), SHAPE)
    parted = np.ascontiguousarray(reaching(20)[::-1])
    parted[60:70] = 0
    whole = [np.ascontiguousarray(reaching(tip)[::-1]) for tip in (*range(240, 20, -20), *[20] * 3)]
    assert {hand.side for hand in watched(zones, [*whole, parted])} == {"dealer"}


def from_above(tip: int) -> Mask:
    mask: Mask = np.zeros(SHAPE, dtype=np.uint8)
    cv2.line(mask, pt1=(240, 0), pt2=(240, tip - 15), color=255, thickness=30)
    return mask


def test_fingers_that_touch_the_far_border_for_a_moment_are_no_arm_from_there(zones: ZoneMap) -> None:
    """A dealer took a wager near the upper border: hands of both sides were said to have been over it."""
    there = [*range(160, 0, -20), *[-5] * 3]
    seen = watched(zones, [reaching(tip) for tip in [*there, *there[::-1]]])
    assert {hand.side for hand in seen} == {"dealer"}


@pytest.mark.parametrize("pictures_apart", [1, 4])
def test_fingers_at_the_far_border_that_pictures_show_apart_from_their_arm_are_its_own(
    zones: ZoneMap, pictures_apart: int
) -> None:
    """A dealer pushed a payment on to the border: his cuff had the felt's colour, and a player was in the rack."""
    reached = [reaching(tip) for tip in (*range(160, 0, -20), -5)]
    parted = reaching(-5)
    parted[100:110] = 0
    back = [reaching(tip) for tip in range(0, 160, 20)]
    assert {hand.side for hand in watched(zones, [*reached, *[parted] * pictures_apart, *back])} == {"dealer"}


@pytest.mark.parametrize("long", [False, True])
def test_an_arm_that_came_from_the_far_border_or_may_have_come_meanwhile_is_told(zones: ZoneMap, long: bool) -> None:
    met = [cv2.bitwise_or(reaching(150), from_above(tip)) for tip in (40, 60, 80, 160, 160, 160)]
    pictures = [*[reaching(150)] * 6, *met]
    if long:
        pictures = [reaching(tip) for tip in [*range(160, 0, -20), *[-5] * 14]]
    assert {hand.side for hand in watched(zones, pictures)} == {"dealer", "player"}


def test_players_arm_beside_the_dealers_is_his_when_that_has_gone(zones: ZoneMap) -> None:
    dealers, players = arm((0, turning_row(zones) + 30)), arm((240, 0))
    seen = watched(zones, [*[dealers] * 12, *[dealers | players] * 6, *[players] * 12])
    assert {hand.side for hand in seen if hand.span.last >= 80 * 28} == {"player"}


@pytest.mark.parametrize(("pictures", "told"), [(1, {"dealer"}), (2, {"dealer"}), (5, {"dealer", "player"})])
def test_where_the_dealers_arm_meets_a_players_at_rest_only_the_dealers_hand_was(
    zones: ZoneMap, pictures: int, told: set[str]
) -> None:
    """A dealer's arm that paid a side bet met a player's on the rail for one picture: both had been over the bet."""
    dealers = arm((0, turning_row(zones) + 30))
    players: Mask = np.zeros(SHAPE, dtype=np.uint8)
    cv2.line(players, pt1=(240, 0), pt2=(240, 60), color=255, thickness=30)
    between: Mask = np.zeros(SHAPE, dtype=np.uint8)
    cv2.line(between, pt1=(240, 60), pt2=(240, 140), color=255, thickness=12)
    met = dealers | players | between
    seen = watched(zones, [*[dealers | players] * 12, *[met] * pictures, *[dealers | players] * 6])
    assert {hand.side for hand in seen if "seat1.main" in hand.zones} == told


@pytest.mark.parametrize("alone", [1, 20])
def test_dealers_arm_that_looked_like_one_with_a_players_for_long_is_his_again(zones: ZoneMap, alone: int) -> None:
    """Film m, 50 s: his arm at rest, which a player's had touched for ten seconds, took a wager as that player's."""
    dealers, players = arm((0, turning_row(zones) + 30)), arm((240, 0))
    both = dealers | players
    seen = watched(zones, [*[both] * 20, *[players] * alone, *[both] * 20, *[dealers] * 6])
    assert {hand.side for hand in seen if hand.span.last >= 80 * (alone + 45)} == {"dealer"}


def test_arm_that_long_seemed_to_come_from_two_sides_is_another_than_one_from_the_side_that_fewer_speak_for(
    zones: ZoneMap,
) -> None:
    """Film m: of an arm that two players' sides and the dealer's had spoken for, no side had four in five votes."""
    dealers, players = arm((0, turning_row(zones) + 30)), arm((240, 0))
    seen = watched(zones, [*[players, players, dealers] * 10, *[dealers] * 6])
    assert {hand.side for hand in seen if hand.span.last >= 80 * 34} == {"dealer"}


def resting(zones: ZoneMap, mask: Mask, *, seconds: float, things: Mask = NOTHING) -> Mask:
    """What is still an arm when something that came in at the border has not moved for so long."""
    hands, watcher = HandWatch(zones), Watcher(SHAPE)
    watcher.known = np.full(SHAPE, 255, dtype=np.uint8)
    watcher.last_motion[mask > 0] = 0
    for t_ms in range(0, round(seconds * 1000), 80):
        watcher.t_ms, watcher.changed, watcher.other = t_ms, mask, mask
        watcher.moving = watcher.restless = mask if t_ms < 200 else np.zeros(SHAPE, dtype=np.uint8)
        watcher.active = cv2.bitwise_or(watcher.changed, watcher.moving)
        hands.see(watcher, lambda _: things)
    return hands.mask


def test_what_an_arm_left_at_the_border_is_no_arm(zones: ZoneMap) -> None:
    left: Mask = np.zeros(SHAPE, dtype=np.uint8)
    side = int(np.sqrt(HAND_MM2) * zones.camera.px_per_mm((0.0, 150.0)) * zones.scale * 1.2)
    left[100 : 100 + side, :side] = 255
    assert np.any(resting(zones, left, seconds=2))
    assert not np.any(resting(zones, left, seconds=4))


def test_where_an_arm_took_away_what_lay_at_the_border_is_no_arm(zones: ZoneMap) -> None:
    hand = int(np.sqrt(HAND_MM2) * zones.camera.px_per_mm((0.0, 150.0)) * zones.scale)
    lay: Mask = np.zeros(SHAPE, dtype=np.uint8)
    lay[100 : 100 + 2 * hand, : 3 * hand] = 255
    assert np.any(resting(zones, lay, seconds=6))
    assert np.any(resting(zones, lay, seconds=0.4, things=lay))
    assert not np.any(resting(zones, lay, seconds=1, things=lay))
    over = lay | arm((0, turning_row(zones) + 30))
    assert np.any(resting(zones, over, seconds=6, things=lay))


@pytest.mark.parametrize(("stands", "share", "still", "beyond", "covered"), [
    (True, 0.6, True, False, False), (False, 0.6, True, False, True), (True, 0.25, True, False, True),
    (True, 0.6, False, False, True), (True, 0.6, True, True, True),
])  # fmt: skip
def test_a_cup_that_was_opened_and_touches_the_lid_under_a_hand_is_no_arm(
    zones: ZoneMap, *, stands: bool, share: float, still: bool, beyond: bool, covered: bool
) -> None:
    """Draw 'n Shoot, 54 s: the dice lay in sight for nine seconds, and their place was told to be covered."""
    size = round(float(np.sqrt(zones.hand_px)))
    x, cup, inner = 250 + 3 * size, NOTHING.copy(), NOTHING.copy()
    cv2.circle(cup, center=(x, 140), radius=2 * size, color=255, thickness=-1)
    cv2.circle(inner, center=(x, 140), radius=round(2 * size * share**0.5), color=255, thickness=-1)
    whole = arm((0, 260)) | inner
    cv2.line(whole, pt1=(240, 140), pt2=(x, 140), color=255, thickness=6)
    if beyond:  # the arm goes on behind it
        cv2.line(whole, pt1=(x, 140), pt2=(x + 6 * size, 140), color=255, thickness=30)
    hands, watcher = HandWatch(zones), Watcher(SHAPE)
    for number in range(40):
        watcher.t_ms, watcher.known = 80 * number, np.full(SHAPE, 255, dtype=np.uint8)
        watcher.other = watcher.restless = whole
        watcher.moving = whole if number < 4 or not still else NOTHING
        watcher.last_motion = np.full(SHAPE, 80.0 * (min(number, 3) if still else number), dtype=np.float32)
        hands.see(watcher, lambda _: NOTHING, cup if stands else NOTHING)
    assert bool(hands.mask[140, x]) is covered
    assert hands.mask[140, 230]


def test_an_arm_that_rests_stays_one(zones: ZoneMap) -> None:
    assert np.any(resting(zones, arm((0, turning_row(zones) + 30)), seconds=12))


def test_a_clock_at_the_border_is_no_arm_but_an_arm_before_it_is_whole(zones: ZoneMap) -> None:
    clock: Mask = np.zeros(SHAPE, dtype=np.uint8)
    clock[100:160, 0:60] = 255
    hands, watcher = HandWatch(zones), Watcher(SHAPE)
    watcher.known = np.full(SHAPE, 255, dtype=np.uint8)
    watcher.ignore(clock)
    whole = arm((0, 130)) | clock
    for number, mask in enumerate([clock] * 6 + [whole] * 6):
        watcher.t_ms, watcher.restless = 80 * number, mask
        watcher.moving = cv2.bitwise_and(mask, cv2.bitwise_not(clock))
        watcher.other = watcher.changed = NOTHING
        hands.see(watcher, lambda _: NOTHING)
        assert bool(hands.mask.any()) == (number >= 6)
    assert hands.mask[130, 2] == 255
