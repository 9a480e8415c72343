"""Every pair of a wrong and a right scene, and that no audited procedure is without a test."""

from __future__ import annotations

import re
from itertools import chain
from pathlib import Path

import pytest

from audit.findings import Finding
from audit.phases import phase_of
from audit.procedures.registry import audited as audited_ids
from tests.audit.asking import audited
from tests.audit.pairs import (
    bankroll,
    between,
    deal,
    dice,
    hands,
    irregular,
    lying,
    manner,
    money,
    other_games,
    packs,
    paying,
    rounds,
    shoe,
    side_bets,
    turns,
)
from tests.audit.pairs.pair import Pair
from tests.notation import Felt

PAIRS: list[Pair] = list(
    chain(
        bankroll.PAIRS,
        between.PAIRS,
        deal.PAIRS,
        dice.PAIRS,
        hands.PAIRS,
        irregular.PAIRS,
        lying.PAIRS,
        manner.PAIRS,
        money.PAIRS,
        other_games.PAIRS,
        packs.PAIRS,
        paying.PAIRS,
        rounds.PAIRS,
        shoe.PAIRS,
        side_bets.PAIRS,
        turns.PAIRS,
    )
)
NAMES = [f"{pair.procedure}: {pair.error}" for pair in PAIRS]


def accusations(felt: Felt) -> list[Finding]:
    """Everything found that is not left open and follows from nothing else."""
    result = audited(felt)
    findings = [one for round_ in result.rounds for one in round_.findings] + list(result.findings)
    return [one for one in findings if one.verdict.value != "undetermined" and one.because_of is None]


@pytest.mark.parametrize("pair", PAIRS, ids=NAMES)
def test_wrong_scene_breaks_its_procedure_and_no_other(pair: Pair) -> None:
    found = accusations(pair.wrong())
    own = [one for one in found if pair.procedure in one.procedures]
    assert "other" not in {phase_of(one.code) for one in found}, [one.code for one in found]
    assert [one.verdict.value for one in own] == [pair.verdict], found
    assert [one for one in found if one not in own and not set(one.procedures) & set(pair.also)] == []


@pytest.mark.parametrize("pair", PAIRS, ids=NAMES)
def test_right_scene_accuses_nobody(pair: Pair) -> None:
    assert accusations(pair.right()) == []


def test_lost_wager_still_open_at_the_next_first_card_breaks_p420_beneath_its_cause() -> None:
    (first, _) = audited(rounds.open_loser(taken=False)).rounds
    assert [(one.procedures[0], one.because_of) for one in first.findings] == [("P281", None), ("P420", 0)]
    assert [one.findings for one in audited(rounds.open_loser(taken=True)).rounds] == [(), ()]


def test_round_played_on_after_two_burn_cards_breaks_p146_and_not_p149() -> None:
    found = accusations(irregular.burnt("back back", stopped=False))
    assert [one.procedures for one in found] == [("P146",)]


def test_draw_on_17_breaks_p289_only_where_play_goes_on_at_once() -> None:
    (at_once,) = accusations(irregular.drew_on_17(pause_ms=0))
    assert at_once.procedures == ("P254", "P294", "P257", "P289")
    (asked,) = accusations(irregular.drew_on_17(pause_ms=6000))
    assert asked.procedures == ("P254", "P294", "P257")


def test_pinching_is_found_at_first_base_which_p211_has_watched_most() -> None:
    assert [one.procedures[0] for one in accusations(rounds.grown("play", "5"))] == ["P206"]


def test_player_with_reds_left_is_not_out_of_his_units_p362() -> None:
    found = accusations(paying.usual_bets(changed=True, reds_left=True))
    assert [one.procedures for one in found] == [("P278",)]


def test_side_wagers_of_one_player_need_not_be_doubled_p387() -> None:
    felt = rounds.table("trilux", "main")
    for seat in (1, 2):
        for bet, amount in (("main", "10"), ("trilux", "5")):
            felt.hand("player", f"seat{seat}.{bet}", seat=1)
            felt.put_chips(f"s{seat}.{bet}.1", amount, felt.at(f"seat{seat}.{bet}"))
    felt.snap().deal({1: "Th Qc", 2: "Ts Qh"}, dealer="9d 8s").take_spot(2, "trilux").take_spot(1, "trilux").turn()
    for seat in (2, 1):
        felt.pay_spot(seat, "main", "10").collect_spot(seat, "main")
    assert accusations(felt.pick_up()) == []


def test_every_audited_procedure_has_a_test_of_its_own() -> None:
    written = "".join(path.read_text(encoding="utf-8").upper() for path in Path(__file__).parent.rglob("*.py"))
    assert audited_ids() - set(re.findall(r"P\d{3}", written)) == set()
