"""Cohen's kappa on tables worked out by hand."""

from __future__ import annotations

import pytest

from audit.agreement import agreement


def test_nothing_compared_has_no_share_and_no_kappa() -> None:
    found = agreement([])
    assert (found.n, found.share, found.kappa) == (0, None, None)


def test_one_pair_with_one_answer_has_no_kappa() -> None:
    found = agreement([("confirm", "confirm")])
    assert (found.n, found.share, found.kappa) == (1, 1.0, None)


def test_a_table_of_fifty_gives_the_textbook_value() -> None:
    """20 both yes, 5 yes/no, 10 no/yes, 15 both no: observed 0.7, by chance 0.5, kappa 0.4."""
    pairs = [("yes", "yes")] * 20 + [("yes", "no")] * 5 + [("no", "yes")] * 10 + [("no", "no")] * 15
    found = agreement(pairs)
    assert (found.n, found.agreed, found.share) == (50, 35, 0.7)
    assert found.kappa == pytest.approx(0.4)


def test_reviewers_who_always_differ_are_below_chance() -> None:
    found = agreement([("confirm", "dismiss"), ("dismiss", "confirm")])
    assert found.kappa == pytest.approx(-1.0)
