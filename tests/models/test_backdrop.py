"""What looks like the felt behind it, in whatever shade, and what does not."""

import numpy as np
import pytest

from models.backdrop import LIKE, against

FELT = (90.0, 120.0, 112.0)
KNOWN = np.ones((1, 1), np.bool_)


def codes(seen, *, bare=FELT, known=KNOWN):
    pixel = [np.array(colour, np.float32).reshape(1, 1, 3) for colour in (seen, bare)]
    return against(*pixel, known)[0, 0].tolist()


def test_felt_that_looks_as_it_did_is_like_itself():
    assert codes(FELT) == [LIKE, LIKE, 255]


def test_shadow_is_like_its_felt_but_darker():
    shadow = (16 + 74 * 0.7, 128 - 8 * 0.7, 128 - 16 * 0.7)
    unlike, light, _ = codes(shadow)
    assert unlike == LIKE
    assert light < LIKE - 20


def test_black_cheque_is_unlike_a_green_felt():
    assert codes((30.0, 128.0, 128.0))[0] > LIKE + 30


def test_cheque_of_the_felt_s_colour_in_full_light_is_told_by_its_brightness():
    unlike, light, _ = codes((16 + 74 * 1.2, 128 - 8 * 1.2, 128 - 16 * 1.2))
    assert light == pytest.approx(LIKE + 14, abs=2)
    assert unlike > LIKE


def test_nothing_is_said_where_the_bare_felt_is_not_known():
    assert codes((30.0, 128.0, 128.0), known=~KNOWN) == [LIKE, LIKE, 0]
