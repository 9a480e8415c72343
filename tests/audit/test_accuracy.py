"""Rates by hand."""

from __future__ import annotations

import pytest

from audit.accuracy import Errors, Exposure, corrected_rate, observed_rate, quality

SEEN = Exposure(rounds=2000, whole=1000, paced=90, paced_ms=3_600_000, shuffles=2, shuffle_ms=240_000)


def test_ten_findings_in_two_thousand_rounds_are_five_per_thousand() -> None:
    found = observed_rate(Errors(confirmed=4, dismissed=7, open={"suspect": 6}), SEEN)
    assert found is not None
    assert found.value == 5.0
    assert found.low == pytest.approx(2.40, abs=0.005)  # 4.795 of 2,000
    assert found.high == pytest.approx(9.20, abs=0.005)  # 18.390 of 2,000


def test_the_corrected_rate_takes_out_what_is_dismissed_and_adds_what_is_missed() -> None:
    known = quality({"violation": (9, 1), "suspect": (1, 3)}, recall=(1, 2))
    found = corrected_rate(Errors(confirmed=2, open={"violation": 10, "suspect": 4}), SEEN, known)
    assert found.rate is not None
    # 2 confirmed + 10 x 0.9 + 4 x 0.25 = 12 real ones, half of all: 24 in 1,000 wholly audited rounds
    assert found.rate.value == pytest.approx(24.0)
    assert found.rate.low < 12
    assert found.rate.high > 60


def test_what_is_not_known_is_said_and_not_filled_in() -> None:
    some = Errors(open={"suspect": 1})
    undecided = quality({}, recall=(1, 2))
    assert corrected_rate(some, SEEN, undecided).reason == "no suspect has been confirmed or dismissed yet"
    assert "standing evaluation" in corrected_rate(some, SEEN, quality({"suspect": (1, 1)}, recall=None)).reason
    assert "found none" in corrected_rate(some, SEEN, quality({"suspect": (1, 1)}, recall=(0, 5))).reason
    assert corrected_rate(some, Exposure(rounds=5), undecided).reason == "no round was wholly audited"
    assert observed_rate(some, Exposure()) is None


def test_no_error_in_few_rounds_is_not_called_perfect() -> None:
    found = corrected_rate(Errors(), Exposure(rounds=100, whole=100), quality({}, recall=(5, 5)))
    assert found.rate is not None
    assert found.rate.value == 0
    assert found.rate.high > 36.8  # 3.69 of 100, and more as five of five planted errors prove little


def test_pace_shuffles_and_coverage() -> None:
    assert SEEN.rounds_per_hour == 90
    assert SEEN.shuffle_s == 120
    assert SEEN.coverage is not None
    assert SEEN.coverage.value == 0.5
    assert (Exposure().rounds_per_hour, Exposure().shuffle_s, Exposure().coverage) == (None, None, None)
