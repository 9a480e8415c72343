"""Scores against a truth: objects once while they lie, rounds entirely right or not, findings found or false."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from audit.states import SeenObject, TableState
from audit.timing import Span
from models.evaluate import score_states
from models.evaluate_rounds import score_rounds
from models.evaluation import Truth, TruthError, evaluate_states, load_truth, together
from tests.models.toy_table import profile


def card(face: str | None, x: float = -220.0, y: float = 250.0) -> SeenObject:
    return SeenObject(kind="card", xy_mm=(x, y), angle_deg=0.0, card=face)


def chips(stack: tuple[str, ...] | None, x: float = -220.0, y: float = 400.0) -> SeenObject:
    return SeenObject(kind="chips", xy_mm=(x, y), stack=stack)


def state(first: int, last: int, *objects: SeenObject, covered: frozenset[str] = frozenset()) -> TableState:
    return TableState(span=Span.of(first, last), objects=objects, covered=covered)


def counts(found: list[TableState], truth: list[TableState], name: str) -> dict[str, int]:
    scored = score_states(found, truth, profile())[name].as_record()
    return {verdict: count for verdict, count in scored.items() if count}


def test_nothing_against_nothing_is_nothing() -> None:
    assert counts([], [], "cards") == {}


def test_a_card_counts_once_for_all_the_states_in_which_it_lies() -> None:
    truth = [state(0, 1000, card("Ah")), state(2000, 3000, card("Ah"))]
    assert counts([state(0, 3000, card("Ah", x=-217.0))], truth, "cards") == {"right": 1}


def test_one_wrong_reading_makes_it_wrong() -> None:
    truth = [state(0, 3000, card("Ah"))]
    assert counts([state(0, 1000, card("Ah")), state(1001, 3000, card("Ad"))], truth, "cards") == {"wrong": 1}


def test_unread_is_not_wrong_and_missed_is_not_unread() -> None:
    truth = [state(0, 1000, card("Ah"), card("Ks", x=220.0))]
    assert counts([state(0, 1000, card(None))], truth, "cards") == {"unread": 1, "missed": 1}


def test_a_card_where_none_lies_is_false_once() -> None:
    found = [state(0, 500, card("7d")), state(501, 1000, card("7d"))]
    assert counts(found, [state(0, 1000)], "cards") == {"false": 1}


def test_a_card_that_lies_there_while_the_truth_tells_nothing_new_is_not_false() -> None:
    found = [state(4500, 4600, card("7d"))]
    assert counts(found, [state(0, 1000, card("7d")), state(6000, 7000)], "cards") == {"right": 1}
    assert counts(found, [state(0, 1000), state(6000, 7000)], "cards") == {"false": 1}


def test_an_exact_stack_is_right_and_one_chip_more_is_wrong() -> None:
    truth = [state(0, 1000, chips(("red", "red")), chips(("green",), x=220.0))]
    found = [state(0, 1000, chips(("red", "red")), chips(("green", "green"), x=221.0))]
    assert counts(found, truth, "chip stacks") == {"right": 1, "wrong": 1}


def test_a_card_hidden_under_a_hand_for_a_while_is_still_the_same_card() -> None:
    under = frozenset({"seat1.cards"})
    truth = [state(0, 1000, card("Ah")), state(1001, 2000, covered=under), state(2001, 3000, card("Ah"))]
    assert counts([state(0, 3000, card("Ah"))], truth, "cards") == {"right": 1}


NINE, SEVEN, FIVE = (("red",) * count for count in (9, 7, 5))
TAKEN_FROM = [state(0, 900, chips(NINE)), state(2000, 2100, chips(SEVEN)), state(4500, 4600, chips(FIVE))]


def test_what_lay_for_moments_of_which_no_state_tells_is_missed_and_not_wrong() -> None:
    truth = [TAKEN_FROM[0], state(2000, 2100, chips(SEVEN)), state(3000, 3100, chips(FIVE))]
    found = [state(300, 600, chips(NINE)), state(4700, 4800, chips(FIVE))]
    assert counts(found, truth, "chip stacks") == {"right": 2, "missed": 1}
    not_yet = [found[0], state(2000, 2500, chips(NINE)), found[1]]
    assert counts(not_yet, truth, "chip stacks") == {"right": 2, "missed": 1}
    misread = [found[0], state(2000, 2500, chips(SEVEN[:4])), found[1]]
    assert counts(misread, truth, "chip stacks") == {"right": 2, "wrong": 1}


def test_what_lies_for_long_is_wrong_if_what_was_told_before_was_not_taken_back() -> None:
    assert counts([state(300, 600, chips(NINE))], TAKEN_FROM, "chip stacks") == {"right": 1, "wrong": 2}


def test_states_that_tell_of_it_later_and_wrongly_make_it_wrong() -> None:
    found = [state(300, 600, chips(NINE)), state(4700, 4800, chips(SEVEN))]
    assert counts(found, TAKEN_FROM[::2], "chip stacks") == {"right": 1, "wrong": 1}


def die(value: int | None, x: float = 0.0, y: float = 205.0) -> SeenObject:
    return SeenObject(kind="die", xy_mm=(x, y), value=value, colour="red")


def test_dice_side_by_side_are_told_apart_by_their_places() -> None:
    truth = [state(0, 1000, die(3), die(5, x=18.0))]
    found = [state(0, 1000, die(3, x=1.0), die(6, x=17.0))]
    assert counts(found, truth, "dice") == {"right": 1, "wrong": 1}
    assert counts([state(0, 1000, die(None), die(5, x=18.0))], truth, "dice") == {"unread": 1, "right": 1}


def test_the_same_die_thrown_again_counts_again() -> None:
    truth = [state(0, 1000, die(3)), state(2000, 3000, die(4))]
    assert counts([state(0, 1000, die(3)), state(2000, 3000, die(4))], truth, "dice") == {"right": 2}


ROUND: dict[str, Any] = {
    "start_ms": 0,
    "end_ms": 9000,
    "table": {"dealer": ["Kd", "7c"], "seats": {"1": {"initial": ["Ah", "Ks"], "hands": [{"cards": ["Ah", "Ks"]}]}}},
    "bets": [{"seat": 1, "hand": 1, "bet": "main", "amount": "10.00"}],
    "pays": [{"seat": 1, "hand": 1, "bet": "main", "amount": "20.00"}],
    "takes": [],
    "findings": [],
}
PLANTED: dict[str, Any] = {
    "round": 0,
    "code": "pay-amount",
    "procedures": ["P280"],
    "seat": 1,
    "amount": "5.00",
    "expected": "3 to 2 on 10.00: 15.00",
}
FOUND: dict[str, Any] = {
    "verdict": "violation",
    "code": "pay-amount",
    "procedures": ["P280", "P282"],
    "seat": 1,
    "amount": "5.00",
    "expected": "3 to 2 on 10.00: 15.00",
    "observed": "20.00 in red",
    "because_of": None,
}


def scored(found: list[dict[str, Any]], planted: list[dict[str, Any]]) -> dict[str, Any]:
    return score_rounds({"rounds": found, "findings": []}, {"rounds": [ROUND], "findings": planted}).as_record()


def test_a_round_with_all_cards_and_money_is_entirely_right() -> None:
    record = scored([ROUND | {"findings": [FOUND]}], [PLANTED])
    assert (record["rounds entirely right"], record["found"], record["false findings"]) == (1, 1, 0)
    assert (record["wagers right"], record["pays right"]) == (1, 1)


def test_a_toke_among_a_truths_tokes_needs_no_name() -> None:
    truth = {"rounds": [ROUND | {"tokes": [{"seat": 1, "amount": "5.00"}]}], "findings": []}
    found = {"rounds": [ROUND | {"tokes": [{"seat": 1, "bet": "toke", "amount": "5.00"}]}], "findings": []}
    score = score_rounds(found, truth)
    assert score.counts["rounds entirely right"] == 1
    assert score.counts["wagers right"] == score.counts["wagers"] == len(ROUND["bets"]) + 1


def test_a_toke_that_a_truth_lists_among_the_bets_is_the_one_told_among_the_tokes() -> None:
    toke = {"seat": 1, "bet": "toke", "amount": "5.00"}
    truth = {"rounds": [ROUND | {"bets": [*ROUND["bets"], toke]}], "findings": []}
    for tokes, right in (([toke], 1), ([], 0), ([toke | {"amount": "10.00"}], 0)):
        found = {"rounds": [ROUND | {"tokes": tokes}], "findings": []}
        assert score_rounds(found, truth).as_record()["rounds entirely right"] == right


def test_an_unread_card_or_amount_is_not_entirely_right() -> None:
    unread = ROUND | {"table": {**ROUND["table"], "dealer": ["Kd", None]}}
    assert scored([unread], [])["rounds entirely right"] == 0
    short = ROUND | {"pays": [{"seat": 1, "hand": 1, "bet": "main", "amount": None}]}
    assert scored([short], [])["pays right"] == 0


def test_a_finding_of_another_amount_is_false_and_the_error_missed() -> None:
    record = scored([ROUND | {"findings": [FOUND | {"amount": "10.00"}]}], [PLANTED])
    assert (record["found"], record["false findings"]) == (0, 1)
    assert record["false findings per 1,000 rounds"] == 1000.0


def test_a_suspect_is_counted_apart_and_undetermined_is_not_false() -> None:
    suspect = FOUND | {"verdict": "suspect"}
    open_question = FOUND | {"verdict": "undetermined", "procedures": ["P254"], "amount": None}
    record = scored([ROUND | {"findings": [suspect, open_question]}], [PLANTED])
    assert (record["found as suspect"], record["undetermined"], record["false findings"]) == (1, 1, 0)


def test_a_false_violation_is_counted_apart_from_a_false_suspect() -> None:
    late = FOUND | {"code": "late", "procedures": ["P100"]}
    record = scored([ROUND | {"findings": [FOUND, late, late | {"verdict": "suspect", "seat": 2}]}], [PLANTED])
    assert (record["false findings"], record["false violations"]) == (2, 1)
    assert record["false violations per 1,000 rounds"] == 1000.0


def test_errors_are_counted_by_kind_and_what_was_undetermined_by_reason() -> None:
    missed = PLANTED | {"code": "push-paid", "procedures": ["P281"], "seat": 2}
    suspect = FOUND | {"code": "late", "procedures": ["P100"], "verdict": "suspect"}
    unread = FOUND | {"code": "not-seen", "verdict": "undetermined", "observed": "dealer's third card not read"}
    acted = {"rounds": [ROUND], "findings": [PLANTED, missed]}
    score = score_rounds({"rounds": [ROUND | {"findings": [FOUND, suspect, unread]}]}, acted)
    assert score.kinds_record() == {
        "P280 pay-amount": {"planted": 1, "violation": 1, "suspect": 0, "missed": 0},
        "P281 push-paid": {"planted": 1, "violation": 0, "suspect": 0, "missed": 1},
    }
    assert dict(score.false) == {"suspect P100 late": 1}
    assert dict(score.reasons) == {"dealer's third card not read": 1}


def test_scores_of_several_pieces_add_up() -> None:
    right = evaluate_states((state(0, 1000, card("Ah")),), truth_of(state(0, 1000, card("Ah"))), profile())
    wrong = evaluate_states((state(0, 1000, card("Ad")),), truth_of(state(0, 1000, card("Ah"))), profile())
    record = together([right, wrong, right]).as_record()
    assert record["stages"]["cards"] == {"right": 2, "wrong": 1, "unread": 0, "missed": 0, "false": 0}
    assert record["end_to_end"]["rounds"] == 3
    assert record["planted_by_kind"]["P280 pay-amount"]["planted"] == 3


def truth_of(*states: TableState) -> Truth:
    return Truth(states=states, record={"rounds": [ROUND], "findings": [PLANTED]})


def test_a_finding_that_follows_from_a_planted_error_is_not_false() -> None:
    follows = FOUND | {"code": "late", "procedures": ["P100"], "because_of": 0}
    assert scored([ROUND | {"findings": [FOUND, follows]}], [PLANTED])["false findings"] == 0


def test_a_round_that_was_not_seen_is_missed_and_one_that_never_was_is_invented() -> None:
    assert scored([], [PLANTED])["rounds missed"] == 1
    later = ROUND | {"start_ms": 20_000, "end_ms": 30_000}
    assert scored([ROUND, later], [])["rounds invented"] == 1


def test_dice_and_hands_without_splits_are_compared() -> None:
    table = {"dice": [5, 3], "seats": {"1": {"cards": ["8s", "7c"]}}}
    acted = ROUND | {"table": table, "bets": [], "pays": [], "takes": []}
    misread = acted | {"table": table | {"dice": [5, 4]}}
    turned = acted | {"table": table | {"dice": [3, 5]}}
    scores = [score_rounds({"rounds": [one]}, {"rounds": [acted]}) for one in (acted, turned, misread)]
    assert [score.counts["rounds entirely right"] for score in scores] == [1, 1, 0]
    assert any("dice: expected [3, 5], found [4, 5]" in remark for remark in scores[-1].remarks)


def test_dealers_cards_by_name_are_compared() -> None:
    table = {"dealer": {"down": "Kd", "up": "6c", "third": "2h"}, "seats": {}}
    acted = ROUND | {"table": table, "bets": [], "pays": [], "takes": []}
    others = [{"down": "Kd", "up": "6c"}, {"down": "Kd", "up": "7c", "third": "2h"}, table["dealer"]]
    scores = [
        score_rounds({"rounds": [acted | {"table": table | {"dealer": one}}]}, {"rounds": [acted]}) for one in others
    ]
    assert [score.counts["rounds entirely right"] for score in scores] == [0, 0, 1]


def test_face_that_nobody_was_shown_may_be_unread_but_not_misread() -> None:
    acted = ROUND | {"table": {"seats": {"1": {"cards": ["8s", "7c"]}}}, "bets": [], "pays": [], "takes": []}
    back = {"t_ms": [ROUND["start_ms"]] * 2, "objects": [{"kind": "card_back", "card": "7c"}]}
    up = back | {"objects": [{"kind": "card", "card": "7c"}]}
    scores = [
        score_rounds(
            {"rounds": [acted | {"table": {"seats": {"1": {"cards": ["8s", seen]}}}}]},
            {"rounds": [acted], "moments": moments},
        ).counts["rounds entirely right"]
        for seen, moments in ((None, [back]), ("7d", [back]), (None, [back, up]), (None, []))
    ]
    assert scores == [1, 0, 0, 0]


def test_truth_with_nothing_but_what_its_schema_requires_is_enough() -> None:
    bare = {key: PLANTED[key] for key in ("round", "code", "procedures", "amount")} | {"verdict": "violation"}
    score = score_rounds({"rounds": [ROUND], "findings": []}, {"rounds": [ROUND], "findings": [bare]})
    assert score.remarks == ["round 1: planted pay-amount (P280) not found"]


def test_a_truth_whose_rounds_are_none_is_named_and_breaks_nothing(tmp_path: Path) -> None:
    path = tmp_path / "night.truth.json"
    path.write_text(json.dumps({"moments": [], "rounds": ["x"], "findings": []}))
    with pytest.raises(TruthError, match=r"night\.truth\.json: rounds\[0\]: expected an object, found 'x'"):
        load_truth(path)
