"""What moves and what has changed, on small pictures."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from models.frames import SmallPicture
from models.motion import Watcher, blobs, grown

SHAPE = (270, 480)


def picture(
    level: int = 80, *, blue: int = 120, red: int = 110, at: tuple[slice, slice] | None = None, **other: int
) -> SmallPicture:
    planes = [np.full(SHAPE, value, dtype=np.uint8) for value in (level, blue, red)]
    if at is not None:
        for plane, name in zip(planes, ("level", "blue", "red"), strict=True):
            plane[at] = other.get(f"{name}_there", plane[0, 0])
    return SmallPicture(luma=planes[0], blue=planes[1], red=planes[2])


PLACE = (slice(100, 122), slice(200, 216))


def watcher() -> Watcher:
    watch = Watcher(SHAPE)
    for t_ms in (0, 400):
        watch.see(t_ms, picture())
    watch.account(np.full(SHAPE, 255, dtype=np.uint8))
    return watch


def test_at_the_beginning_nothing_is_known() -> None:
    watch = Watcher(SHAPE)
    watch.see(0, picture())
    assert watch.changed.all()
    assert not watch.known.any()


def test_a_table_that_stays_as_it_is_is_clean() -> None:
    watch = watcher()
    watch.see(800, picture())
    assert not watch.active.any()
    assert watch.clean_until.min() == 800


def test_a_card_laid_down_has_changed_its_place_and_nothing_else() -> None:
    watch = watcher()
    watch.see(800, picture(at=PLACE, level_there=220, blue_there=128, red_there=128))
    assert watch.changed[105:118, 203:213].all()
    assert not watch.changed[:95].any()
    assert watch.moving[110, 208]
    watch.see(1200, picture(at=PLACE, level_there=220, blue_there=128, red_there=128))
    assert watch.changed[110, 208]
    assert not watch.moving.any()
    assert watch.clean_until[110, 208] == 400


def test_a_shadow_on_the_felt_is_no_change() -> None:
    watch = watcher()
    # 64 levels above black shaded to 70 %: 16 + 64 * 0.7 = 61; colours 128 - 8 * 0.7 = 122 and 128 - 18 * 0.7 = 115
    watch.see(800, picture(at=(slice(60, 200), slice(100, 300)), level_there=61, blue_there=122, red_there=115))
    assert not watch.changed.any()


def test_a_chip_of_the_same_brightness_but_another_colour_is_a_change() -> None:
    watch = watcher()
    watch.see(800, picture(at=PLACE, level_there=80, blue_there=110, red_there=170))
    assert watch.changed[110, 208]


def test_what_has_been_accounted_for_is_no_longer_a_change() -> None:
    watch = watcher()
    for t_ms in (800, 1200):
        watch.see(t_ms, picture(at=PLACE, level_there=220, blue_there=128, red_there=128))
    watch.account(watch.changed.copy())
    watch.see(1600, picture(at=PLACE, level_there=220, blue_there=128, red_there=128))
    assert not watch.changed.any()
    watch.see(2000, picture())
    assert watch.changed[110, 208]


def test_slow_changes_of_the_light_are_followed() -> None:
    watch = watcher()
    for step in range(30):
        watch.see(800 + step * 400, picture(80 + step))
        watch.follow_light()
    assert not watch.changed.any()


def glaring(picture_: SmallPicture) -> SmallPicture:
    """The picture, as bright as the camera can show it where something lies."""
    glare = np.zeros(SHAPE, dtype=np.uint8)
    glare[PLACE] = 255
    return replace(picture_, glare=glare)


def test_what_was_too_bright_for_the_camera_may_be_brighter_and_no_darker() -> None:
    card = picture(at=PLACE, level_there=226, blue_there=128, red_there=128)
    clipped = glaring(picture(at=PLACE, level_there=212, blue_there=120, red_there=136))
    for known, seen in ((card, clipped), (clipped, card), (clipped, clipped)):
        watch = watcher()
        watch.see(800, known)
        watch.account(watch.changed.copy())
        watch.see(1_200, known)
        watch.see(1_280, seen)
        assert not watch.active.any()
    watch.see(1_360, clipped)
    watch.see(1_440, picture(at=PLACE, level_there=180, blue_there=110, red_there=150))
    assert watch.moving[110, 208]
    assert watch.changed[110, 208]


def test_a_card_that_slides_in_glaring_light_has_moved() -> None:
    watch, print_there, moved = watcher(), (slice(104, 108), slice(204, 208)), (slice(112, 116), slice(206, 210))
    for t_ms, there in ((800, print_there), (1_200, print_there), (1_600, moved)):
        card = picture(at=PLACE, level_there=214, blue_there=128, red_there=128)
        card.luma[there] = 60
        watch.see(t_ms, glaring(card))
        if t_ms == 1_200:
            watch.account(watch.changed.copy())
    assert watch.moving[106, 206]
    assert watch.changed[114, 208]


def test_what_is_known_of_a_glaring_place_is_learnt_anew_once_the_camera_can_show_it() -> None:
    watch = watcher()
    watch.see(800, glaring(picture(at=PLACE, level_there=212, blue_there=128, red_there=128)))
    watch.account(watch.changed.copy())
    card = picture(at=PLACE, level_there=228, blue_there=128, red_there=128)
    clipped = glaring(picture(at=PLACE, level_there=212, blue_there=128, red_there=128))
    for step, seen in enumerate([card, *[clipped] * 12, card]):
        watch.see(1_200 + 400 * step, seen)
        watch.follow_light()
        assert not watch.changed.any()
    watch.see(8_000, picture(at=PLACE, level_there=240, blue_there=128, red_there=128))
    assert watch.changed[110, 208]


def test_light_of_which_flicker_was_taken_out_may_be_a_little_off_where_it_is_bright() -> None:
    watch = watcher()
    card = picture(at=PLACE, level_there=216)
    for t_ms in (800, 1_200):
        watch.see(t_ms, card)
    watch.account(watch.changed.copy())
    watch.see(1_600, card)
    watch.see(1_680, replace(picture(at=PLACE, level_there=227), doubt=0.03))
    assert not watch.active.any()
    watch.see(1_760, picture(at=PLACE, level_there=216))
    assert not watch.active.any()
    watch.see(1_840, replace(picture(level=88, at=PLACE, level_there=240), doubt=0.03))
    assert watch.moving[110, 208]
    assert watch.changed[110, 208]
    assert not watch.moving[:95].any()
    watch.see(1_920, replace(picture(level=98, at=PLACE, level_there=240), doubt=0.03))
    assert watch.moving[:95].all()


def test_parts_of_a_mask_are_found_with_their_boxes() -> None:
    mask = np.zeros(SHAPE, dtype=np.uint8)
    assert list(blobs(mask, least=1)) == []
    mask[10:14, 20:26] = 255
    mask[200:203, 470:480] = 255
    mask[5, 5] = 255
    found = {blob.box: blob.area for blob in blobs(mask, least=2)}
    assert found == {(20, 10, 26, 14): 24, (470, 200, 480, 203): 30}
    assert np.array_equal(sum(blob.on(SHAPE) for blob in blobs(mask, least=1)), mask)


def test_a_mask_grows_in_every_direction() -> None:
    mask = np.zeros(SHAPE, dtype=np.uint8)
    mask[50, 60] = 255
    assert int((grown(mask, 2) > 0).sum()) == 25
    assert grown(mask, 0) is mask


def test_what_lay_there_but_a_moment_at_first_and_what_has_been_seen_for_longer_since_is_told() -> None:
    watch = watcher()  # an arm at rest at the first look; it goes at once, and the table comes to light
    watch.see(800, picture(level=150, level_there=80, at=PLACE))
    assert not watch.soon_left(0).any()
    watch.see(7_000, picture(at=PLACE, level_there=150))
    assert watch.soon_left(0)[110, 208] == 255
    assert np.count_nonzero(watch.soon_left(0)) == np.count_nonzero(watch.changed)


def test_what_was_known_for_long_is_not_soon_left() -> None:
    watch = watcher()
    watch.see(30_000, picture())
    watch.see(90_000, picture(at=PLACE, level_there=150))
    assert watch.changed[110, 208]
    assert not watch.soon_left(0).any()


def test_more_parts_than_sixteen_bits_can_number_are_each_found() -> None:
    mask = np.zeros((600, 600), dtype=np.uint8)
    mask[::2, ::2] = 255
    mask[596:, 596:] = 255
    found = list(blobs(mask, least=4))
    assert [(blob.box, blob.area) for blob in found] == [((596, 596, 600, 600), 16)]
    assert sum(1 for _ in blobs(mask, least=1)) == 300 * 300 - 4 + 1


def test_an_account_of_a_place_leaves_the_rest_as_it_was() -> None:
    watch = watcher()
    before = watch.known.copy()
    place = np.zeros(watch.shape, dtype=np.uint8)
    place[95:110, 195:210] = 255
    watch.see(5_000, picture(at=PLACE, level_there=150))
    changed = watch.changed.copy()
    assert changed[place > 0].any()
    watch.account(place)
    assert not (watch.changed[place > 0]).any()
    assert np.array_equal(watch.changed[place == 0], changed[place == 0])
    assert np.array_equal(watch.known[place == 0], before[place == 0])
    assert (watch.clean_until[watch.active == 0] == watch.t_ms).all()


def test_what_was_put_down_lies_there_once_it_has_rested_a_while_unless_it_is_an_arm() -> None:
    watch, arms, nothing = watcher(), np.zeros(SHAPE, dtype=np.uint8), np.zeros(SHAPE, dtype=np.uint8)
    arms[PLACE] = 255
    for t_ms, lies in ((800, False), (1_900, False), (2_200, True)):
        watch.see(t_ms, picture(at=PLACE, level_there=220))
        assert bool(watch.lying(nothing)[PLACE].all()) is lies
    assert not watch.lying(arms)[PLACE].any()
