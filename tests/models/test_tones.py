"""A camera's own gain and black are told from what lies on the table, whatever lies there."""

import numpy as np
import pytest

from models.frames import SmallPicture
from models.tones import Shades

SHAPE = (270, 480)


def table(seed=4):
    """Felt, wood, a dark rack, print and paper, with noise."""
    rng = np.random.default_rng(seed)
    luma = np.full(SHAPE, 72.0)
    luma[:30] = 48
    luma[20:60, 150:300] = 28
    luma[150:170, 40:120] = 110
    luma[180:200, 300:420] = 140
    luma[90:130, 350:400] = 200
    return luma + rng.normal(0, 1.5, SHAPE)


def small(luma, *, blue=128.0, red=128.0):
    """A picture of that brightness and of one colour."""
    planes = (np.clip(np.zeros(SHAPE) + colour + 0.5, 0, 255).astype(np.uint8) for colour in (blue, red))
    return SmallPicture(luma=luma, **dict(zip(("blue", "red"), planes, strict=True)))


def as_taken(luma, *, steep=1.0, level=0.0):
    return np.clip(level + steep * luma + 0.5, 0, 255).astype(np.uint8)


@pytest.mark.parametrize(("steep", "level"), [(1.0, 12.0), (0.85, 20.0), (1.15, -25.0), (1.2, -3.2), (1.0, 0.0)])
def test_gain_and_black_are_told_through_arms_and_new_cards(steep, level):
    before = as_taken(table())
    now = table(seed=5)
    now[100:270, 200:290] = 120  # an arm
    now[200:240, 60:110] = 205  # cards
    tone = Shades(small(before)).tone(as_taken(now, steep=steep, level=level))
    assert tone is not None
    assert tone.steep == pytest.approx(1 / steep, abs=0.03)
    assert tone.level + tone.steep * (level + steep * 72) == pytest.approx(72, abs=1.5)


def test_cards_that_have_gone_do_not_count():
    before, now = table(), table(seed=6)
    before[200:260, 60:260] = 205
    before[90:130, 350:400] = 72
    tone = Shades(small(as_taken(before))).tone(as_taken(now))
    assert tone is None or (tone.steep == pytest.approx(1, abs=0.03) and abs(tone.level) < 2)


def test_of_one_shade_alone_nothing_is_told():
    assert Shades(small(np.full(SHAPE, 80, np.uint8))).tone(np.full(SHAPE, 95, np.uint8)) is None


def test_of_another_picture_nothing_is_told():
    rng = np.random.default_rng(1)
    assert Shades(small(as_taken(table()))).tone(rng.integers(16, 235, SHAPE).astype(np.uint8)) is None


@pytest.mark.parametrize(("level", "steep"), [(6.0, 0.0), (0.0, -0.06), (-3.0, 0.02)])
def test_another_white_is_told_by_shade_through_a_red_arm(level, steep):
    luma = as_taken(table())
    red = 128 + level + steep * luma
    red[100:270, 200:290] = 160
    cast = Shades(small(luma)).cast(small(luma, red=red))
    assert cast is not None
    assert cast[1].level + cast[1].steep * 72 == pytest.approx(level + steep * 72, abs=0.8)
    assert cast[1].level + cast[1].steep * 140 == pytest.approx(level + steep * 140, abs=1.2)
    assert abs(cast[0].level + cast[0].steep * 72) < 0.5


def test_a_coloured_thing_on_the_table_is_no_other_white():
    luma = as_taken(table())
    red = np.full(SHAPE, 128.0)
    red[80:200, 150:300] = 170
    assert Shades(small(luma)).cast(small(luma, red=red)) is None
