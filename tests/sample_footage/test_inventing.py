"""Invented sessions of the other games: repeatable, dues as the documents print them, errors of every kind, found."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from audit.money import Odds, parse_money
from audit.pipeline import audit_states
from audit.states import format_state, parse_state
from audit.table import parse_profile
from sample_footage.acts import ActedRound
from sample_footage.inventing.card_games import baccarat_score, block_class, match_odds, mirror_odds, stud_total
from sample_footage.inventing.dice_games import chuck_odds, craps_odds, score_odds, score_of
from sample_footage.inventing.plan import UnpayableError, cheques
from sample_footage.inventing.session import GAMES, invented_acts
from sample_footage.profile import profile_toml
from sample_footage.render import prepare
from sample_footage.script import parse_session
from sample_footage.settled import settled
from sample_footage.stacks import write_stack
from sample_footage.truth import truth_record


@pytest.mark.parametrize(
    ("cards", "roll", "score"),
    [("Ah", 8, 19), ("Ah", 12, 13), ("As 9c", 11, 21), ("Kd", 11, 21), ("8s 7c", 8, 23), ("Ah Ad", 9, 21)],
)
def test_scores_of_cards_and_dice(cards: str, roll: int, score: int) -> None:
    assert score_of(cards.split(), roll) == score


# 000 Draw 'n Shoot 21, table of payouts (L32)
@pytest.mark.parametrize(
    ("cards", "roll", "paid"),
    [("Kd", 11, Odds(2, 1)), ("Kd 2c", 9, Odds(6, 5)), ("Kd", 8, Odds(1, 1)), ("Kd", 7, None), ("Kd", 6, None)],
)
def test_what_a_score_pays(cards: str, roll: int, paid: Odds | None) -> None:
    assert score_odds(cards.split(), roll) == paid


# 000 Draw 'n Shoot 21, QuickCraps, the recommended table (L83-93)
@pytest.mark.parametrize(
    ("first", "dice", "paid"),
    [
        ("2", [6, 6], Odds(1, 1)),
        ("7", [3, 4], Odds(4, 1)),
        ("8", [3, 4], "push"),
        ("K", [4, 6], Odds(2, 1)),
        ("9", [4, 5], Odds(4, 1)),
        ("A", [5, 6], Odds(20, 1)),
        ("4", [1, 3], Odds(10, 1)),
        ("4", [4, 4], Odds(40, 1)),
        ("4", [3, 5], "lose"),
        ("8", [4, 4], Odds(4, 1)),
        ("K", [5, 6], "lose"),
    ],
)
def test_what_a_craps_bet_pays(first: str, dice: list[int], paid: Odds | str) -> None:
    assert craps_odds(first, dice) == paid


# 001 Dicey 21, Chuck-a-Luck PLUS (L66-77)
@pytest.mark.parametrize(
    ("first", "dice", "paid"),
    [
        ("K", [5, 5, 5], Odds(20, 1)),
        ("J", [5, 5, 5], Odds(9, 1)),
        ("5", [5, 5, 5], Odds(40, 1)),
        ("9", [5, 2, 5], Odds(2, 1)),
        ("9", [1, 2, 5], Odds(1, 1)),
        ("9", [1, 2, 3], None),
    ],
)
def test_what_a_number_pays(first: str, dice: list[int], paid: Odds | None) -> None:
    assert chuck_odds(first, 5, dice) == paid


def test_an_ace_makes_a_quad_of_ones() -> None:
    assert chuck_odds("A", 1, [1, 1, 1]) == Odds(40, 1)


# 002 21 Stud, tables of Mirror Match (L77-81) and Match the Dealer (L91-97), standard
@pytest.mark.parametrize(
    ("cards", "paid"),
    [("Kh Kc", 5), ("Kh Kd", 12), ("9s 9s", 25), ("Ad Ad", 40), ("Kh Qh", None)],
)
def test_what_a_pair_pays(cards: str, paid: int | None) -> None:
    assert mirror_odds(cards.split()) == (None if paid is None else Odds(paid, 1))


@pytest.mark.parametrize(
    ("cards", "paid"), [("9c 9c", 22), ("9c 9d", 15), ("9c 4d", 11), ("9h 9d", 8), ("9h 4d", 4), ("Th 4d", None)]
)
def test_what_a_match_pays(cards: str, paid: int | None) -> None:
    assert match_odds(cards.split(), "9c") == (None if paid is None else Odds(paid, 1))


def test_two_aces_are_as_good_as_a_ten_and_an_ace() -> None:
    assert stud_total(["Ah", "As"]) == stud_total(["Ah", "Ts"]) == 22
    assert stud_total(["Kh", "Ts"]) == 20


# 003 Lucky Draw Baccarat, "Block Bonus Wager", examples as printed (L41-54)
@pytest.mark.parametrize(
    ("cards", "up", "found"),
    [("Js Qc", "5d", "lose"), ("Js Qs", "Qs", "push"), ("Js Qs", "Js", "flush"), ("Js Js", "5s", "ultimate")],
)
def test_classes_of_the_block_bonus(cards: str, up: str, found: str) -> None:
    assert block_class(cards.split(), up) == found


def test_a_baccarat_score_is_the_last_digit() -> None:
    assert baccarat_score(["8c", "7d", "4s"]) == 9
    assert baccarat_score(["Kc", "Td"]) == 0


@pytest.mark.parametrize(
    ("amount", "bet", "paid"),
    [
        ("12.50", ("red",), "2 red 1 pink"),
        ("6.00", ("red",), "1 red 1 white"),
        ("264.00", ("black",), "2 black 2 green 2 red 4 white"),
        ("300.00", ("red",), "12 green"),
    ],
)
def test_payouts_in_cheques(amount: str, bet: tuple[str, ...], paid: str) -> None:
    assert write_stack(cheques(parse_money(amount), bet)) == paid


def test_an_amount_that_no_cheque_pays_is_refused() -> None:
    with pytest.raises(UnpayableError, match=r"3\.60"):
        cheques(parse_money("3.60"), ("white",))


@pytest.mark.parametrize("game", GAMES)
def test_the_same_seed_invents_the_same_acts(game: str) -> None:
    once = invented_acts(game, rounds=6, seed=3, errors=0.5)
    assert once == invented_acts(game, rounds=6, seed=3, errors=0.5)
    assert once != invented_acts(game, rounds=6, seed=4, errors=0.5)


@pytest.mark.parametrize("game", GAMES)
def test_no_errors_are_planted_unless_asked_for_in_acts(game: str) -> None:
    assert "round.finding" not in invented_acts(game, rounds=30, seed=1, errors=0.0)


def planted(game: str, *, rounds: int) -> Counter[tuple[str, str]]:
    text = invented_acts(game, rounds=rounds, seed=8, errors=1.0)
    script = parse_session(text)
    return Counter(
        (finding["code"], finding["procedures"][0])
        for round_ in script.rounds
        if isinstance(round_, ActedRound)
        for finding in round_.findings
    )


def test_sixty_kinds_of_error_can_be_planted() -> None:
    kinds = {kind for game in GAMES for kind in planted(game, rounds=80)}
    assert len(kinds) >= 60


@pytest.mark.parametrize("seed", range(7101, 7109))
def test_a_wager_swept_late_still_stands_when_it_is_taken(seed: int) -> None:
    """A player collects what is left of his wagers, so that none can be taken afterwards."""
    text = invented_acts("draw_n_shoot_21", rounds=12, seed=seed, errors=1.0, only="craps-swept-late")
    rounds = [round_ for round_ in parse_session(text).rounds if isinstance(round_, ActedRound)]
    late = [(one, finding["seat"]) for one in rounds for finding in one.findings]
    assert late
    for one, seat in late:
        acts = [(act.verb, act.seat, act.spots) for act in one.acts]
        assert acts.index(("take", seat, ("craps",))) < acts.index(("collect", seat, ()))


@pytest.mark.parametrize("game", GAMES)
def test_legal_rounds_are_clean_and_come_out_as_acted(game: str) -> None:
    truth, audit = acted(invented_acts(game, rounds=6, seed=11, errors=0.0))
    assert [f for r in audit["rounds"] for f in r["findings"] if f["verdict"] == "violation"] == []
    for told, seen in zip(truth["rounds"], audit["rounds"], strict=True):
        assert seen["table"] == told["table"]


def acted(text: str) -> tuple[dict[str, Any], dict[str, Any]]:
    session = parse_session(text)
    rendering = prepare(session, size=(1920, 1080))
    moments = settled(rendering.performance, rendering.camera)
    truth = json.loads(json.dumps(truth_record(session, rendering.performance, moments, rendering.camera)))
    states = [parse_state(format_state(moment.state)) for moment in moments]
    profile = parse_profile(profile_toml(session.table, rendering.camera))
    return truth, audit_states(states, profile).to_json()
