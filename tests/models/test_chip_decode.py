"""Stacks spelled by the answers along a strip: every expected probability worked out by hand."""

import numpy as np
import pytest

from models.chip_decode import calibrated, likely_sequences, softmax

PLAIN = {"slope": 1.0, "offset": 0.0, "fineness": 0.0, "height": 0.0}


def test_one_chip_seen_in_one_of_two_steps_or_in_both_is_one_chip():
    # gap 0.4, chip 0.6 twice: chip-gap 0.24 + gap-chip 0.24 + chip-chip 0.36
    sequences = dict(likely_sequences(np.array([[0.4, 0.6], [0.4, 0.6]])))
    assert sequences[1,] == pytest.approx(0.84)
    assert sequences[()] == pytest.approx(0.16)
    assert (1, 1) not in sequences


def test_two_chips_of_one_colour_need_a_gap_between_them():
    sequences = dict(likely_sequences(np.array([[0.1, 0.9], [0.8, 0.2], [0.1, 0.9]])))
    assert sequences[1, 1] == pytest.approx(0.9 * 0.8 * 0.9)


def test_two_colours_are_told_bottom_to_top():
    sequences = likely_sequences(np.array([[0.0, 1.0, 0.0], [0.0, 0.25, 0.75]]))
    assert sequences[0] == ((1, 2), pytest.approx(0.75))
    assert sequences[1] == ((1,), pytest.approx(0.25))


def test_no_steps_are_no_chips():
    assert likely_sequences(np.zeros((0, 12))) == [((), 1.0)]


def test_probabilities_of_all_sequences_sum_to_at_most_one():
    scores = np.random.default_rng(5).normal(0, 2, (30, 12)).astype(np.float32)
    assert sum(p for _, p in likely_sequences(softmax(scores))) <= 1 + 1e-9


def test_softer_scores_are_less_certain():
    scores = np.array([2.0, 0.0], np.float32)
    assert softmax(scores, temperature=2.0)[0] == pytest.approx(0.7310586)
    assert softmax(scores)[0] == pytest.approx(0.8807971)


def test_plain_correction_changes_nothing():
    likely = [((1, 1), 0.9), ((1,), 0.06)]
    assert calibrated(likely, PLAIN, 3.0) == [((1, 1), pytest.approx(0.9)), ((1,), pytest.approx(0.06))]


def test_correction_downwards_gives_the_rest_to_the_others():
    # half the certainty in logits: 0.9 -> 0.75; the others grow from 0.1 to 0.25 together
    likely = calibrated([((1, 1), 0.9), ((1,), 0.06)], PLAIN | {"slope": 0.5}, 3.0)
    assert likely == [((1, 1), pytest.approx(0.75)), ((1,), pytest.approx(0.15))]


def test_correction_never_puts_another_reading_first():
    likely = calibrated([((1, 1), 0.5), ((1,), 0.49)], PLAIN | {"offset": -2.0}, 3.0)
    assert likely[0][1] >= likely[1][1]
    assert sum(p for _, p in likely) <= 1


def test_nothing_stays_nothing():
    assert calibrated([], PLAIN, 3.0) == []
