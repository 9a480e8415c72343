"""Intervals against printed tables."""

from __future__ import annotations

import math

import pytest

from audit.intervals import Estimate, poisson, product, rate_ratio, wilson

# Garwood 1936 (Biometrika 28), limits of the expectation for an observed count, P = 0.95.
GARWOOD = [(0, 0.0, 3.69), (1, 0.0253, 5.57), (2, 0.242, 7.22), (5, 1.62, 11.67), (10, 4.80, 18.39), (50, 37.11, 65.92)]

# Newcombe 1998 (Statistics in Medicine 17), table I, method 3: Wilson's score interval.
NEWCOMBE = [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)]


@pytest.mark.parametrize(("count", "low", "high"), GARWOOD)
def test_counts_have_the_printed_exact_limits(count: int, low: float, high: float) -> None:
    found = poisson(count)
    assert found.low == pytest.approx(low, abs=0.006)
    assert found.high == pytest.approx(high, abs=0.006)


@pytest.mark.parametrize(("part", "whole", "low", "high"), NEWCOMBE)
def test_shares_have_the_printed_score_limits(part: int, whole: int, low: float, high: float) -> None:
    found = wilson(part, whole)
    assert found is not None
    assert (round(found.low, 4), round(found.high, 4)) == (low, high)


def test_a_share_of_nothing_is_not_known() -> None:
    assert wilson(0, 0) is None
    assert rate_ratio(0, 100, 0, 100) is None


def test_a_product_is_as_uncertain_as_its_parts_together() -> None:
    one = Estimate(value=10, low=5, high=20)
    sure = Estimate(value=0.5, low=0.5, high=0.5)
    assert product([one, sure]) == Estimate(value=5, low=pytest.approx(2.5), high=pytest.approx(10))
    both = product([one], divided_by=[Estimate(value=0.5, low=0.25, high=1.0)])
    assert both.value == 20
    assert both.low == pytest.approx(20 / 2 ** math.sqrt(2))
    assert both.high == pytest.approx(20 * 2 ** math.sqrt(2))


def test_no_error_seen_still_has_an_upper_limit() -> None:
    found = product([poisson(0)], divided_by=[Estimate(value=0.5, low=0.25, high=0.75)])
    assert found.value == 0
    assert found.low == 0
    assert found.high == pytest.approx(3.6889 / 0.25, abs=0.001)


def test_a_share_that_may_be_zero_leaves_no_upper_limit() -> None:
    found = product([poisson(4)], divided_by=[Estimate(value=0.2, low=0.0, high=0.5)])
    assert found.value == 20
    assert math.isinf(found.high)


def test_twice_as_often_over_equal_exposure() -> None:
    found = rate_ratio(20, 1000, 10, 1000)
    assert found is not None
    assert found.value == pytest.approx(2.0)
    assert found.low < 1
    assert 2 < found.high < 5
