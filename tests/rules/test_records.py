"""``catwalk settle``: every line gets an answer, whatever it holds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.record_schema import schemas
from tests.rules.playing import play
from workers.cli.settle import answer_line, settle

IN, OUT = (jsonschema.Draft202012Validator(schemas()[side]) for side in ("in", "out"))
GOOD: dict[str, Any] = {
    "id": "BJ-00006",
    "game": "blackjack",
    "variant": {"decks": 8, "progressive_meter": "80273.00"},
    "table": {
        "dealer": ["2h", "6h", "Ad"],
        "seats": {"7": {"initial": ["9s", "Qh"], "hands": [{"cards": ["9s", "Qh", "6d"]}]}},
    },
    "bets": [
        {"seat": 7, "bet": "blazing7", "amount": "5.00"},
        {"seat": 7, "hand": 1, "bet": "main", "amount": "75.00"},
    ],
}


def changed(path: str, value: Any) -> bytes:
    """The good record with one field changed; ``...`` removes it."""
    record = json.loads(json.dumps(GOOD))
    *parents, last = [int(key) if key.isdigit() and key != "7" else key for key in path.split(".")]
    section: Any = record
    for key in parents:
        section = section[key]
    if value is ...:
        del section[last]
    else:
        section[last] = value
    return json.dumps(record).encode()


def test_example_of_the_contract_is_answered_as_printed() -> None:
    answer = answer_line(json.dumps(GOOD).encode(), 1)
    assert answer["id"] == "BJ-00006"
    blazing, main = answer["settled"]
    assert {key: blazing[key] for key in ("seat", "bet", "outcome", "odds", "pay", "envy", "stake_returned")} == {
        "seat": 7,
        "bet": "blazing7",
        "outcome": "lose",
        "odds": None,
        "pay": "0.00",
        "envy": "0.00",
        "stake_returned": False,
    }
    assert {key: main[key] for key in ("seat", "hand", "bet", "outcome", "odds", "pay")} == {
        "seat": 7,
        "hand": 1,
        "bet": "main",
        "outcome": "lose",
        "odds": None,
        "pay": "0.00",
    }
    assert answer["violations"] == []


WRONG_FIELDS = [
    ("game", "poker", "game: expected one of blackjack"),
    ("game", ..., "game: expected one of blackjack"),
    ("id", ["x"], "id: expected text or a number"),
    ("foo", 1, "foo: expected one of the keys"),
    ("variant.decks", 5, "variant.decks: expected 6 or 8, found 5"),
    ("variant.decks", True, "variant.decks: expected 6 or 8, found True"),
    ("variant.spanish", True, "variant.spanish: expected one of"),
    ("variant.progressive_meter", 80273, "variant.progressive_meter: expected an amount"),
    ("variant.bj_revealed_late", "yes", "variant.bj_revealed_late: expected true or false"),
    ("table", [], "table: expected an object"),
    ("table.dice", [1, 2], "table.dice: expected one of the keys dealer, seats"),
    ("table.dealer", "2h 6h", "table.dealer: expected a list of cards"),
    ("table.dealer", ["2h", "10h"], "table.dealer[1]: expected a card"),
    ("table.dealer", ["2h", ["6h"]], "table.dealer[1]: expected a card"),
    ("table.seats.0", {}, "table.seats: expected seats 1 to 9, found '0'"),
    ("table.seats.10", {}, "table.seats: expected seats 1 to 9, found '10'"),
    ("table.seats.7.initial", ..., "table.seats.7.initial: expected a list of cards, found nothing"),
    ("table.seats.7.hands", [], "table.seats.7.hands: expected a list of hands"),
    ("table.seats.7.hands", [["9s"]], 'table.seats.7.hands[0]: expected an object {"cards": [...]}'),
    ("table.seats.7.even_money", 1, "table.seats.7.even_money: expected true or false"),
    ("table.seats.7.cards", ["9s"], "table.seats.7.cards: expected one of the keys"),
    ("bets", {}, "bets: expected a list of bets"),
    ("bets", ..., "bets: expected a list of bets"),
    ("bets.1.bet", "tie", "bets[1].bet: expected one of main"),
    ("bets.1.seat", True, "bets[1].seat: expected a whole number from 1 to 9, found true"),
    ("bets.1.seat", "7", "bets[1].seat: expected a whole number from 1 to 9, found '7'"),
    ("bets.1.seat", 7.0, "bets[1].seat: expected a whole number from 1 to 9, found 7.0"),
    ("bets.1.seat", 10**30, "bets[1].seat: expected a whole number from 1 to 9, found 1000000"),
    ("bets.1.seat", 3, "bets[1].seat: expected a seat with cards (7), found 3"),
    ("bets.1.hand", 2, "bets[1].hand: expected a whole number from 1 to 1, found 2"),
    ("bets.1.number", 2, "bets[1].number: expected one of the keys"),
    ("bets.1.amount", ..., "bets[1].amount: expected an amount"),
    ("bets.1.amount", 75, "bets[1].amount: expected an amount"),
    ("bets.1.amount", 75.0, "bets[1].amount: expected an amount"),
    ("bets.1.amount", "0.00", "bets[1].amount: expected an amount of dollars above 0"),
    ("bets.1.amount", "-5.00", "bets[1].amount: expected an amount"),
    ("bets.1.amount", "5,00", "bets[1].amount: expected an amount"),
    ("bets.1.amount", "1e3", "bets[1].amount: expected an amount"),
    ("bets.1.amount", "NaN", "bets[1].amount: expected an amount"),
    ("bets.1.amount", "٥.00", "bets[1].amount: expected an amount"),
    ("bets.1.amount", "5.001", "bets[1].amount: expected an amount"),
    ("bets.1.amount", "9" * 1_000_000, "bets[1].amount: expected an amount"),
    ("bets.1.amount", ["5.00"], "bets[1].amount: expected an amount"),
]


@pytest.mark.parametrize(
    ("path", "value", "error"), WRONG_FIELDS, ids=[f"{p}-{n}" for n, (p, _, _) in enumerate(WRONG_FIELDS)]
)
def test_wrong_field_is_named_with_what_was_expected_and_found(path: str, value: Any, error: str) -> None:
    answer = answer_line(changed(path, value), 4)
    assert str(answer["error"]).startswith(error)
    assert len(str(answer["error"])) < 300
    assert answer["line"] == 4


OTHER_GAMES = [
    (
        {"game": "stud_21", "variant": None, "table": {"dealer": [], "seats": {"1": []}}},
        "table.seats.1: expected an object",
    ),
    (
        {"game": "lucky_draw_baccarat", "table": {"dealer": [], "seats": {}}},
        "table.dealer: expected an object of down, up",
    ),
    (
        {"game": "lucky_draw_baccarat", "table": {"dealer": {"up": "9s"}, "seats": {}}},
        "table.dealer.down: expected a card",
    ),
    (
        {"game": "dicey_21", "table": {"dice": [{"v": 1, "c": ""}] * 3, "seats": {}}},
        "table.dice[0].c: expected a colour, found ''",
    ),
    (
        {"game": "dicey_21", "table": {"dice": [{"v": 0, "c": "red"}] * 3, "seats": {}}},
        "table.dice[0].v: expected a whole number from 1 to 6, found 0",
    ),
    (
        {"game": "draw_n_shoot_21", "table": {"dice": [1], "seats": {}}},
        "table.dice: expected a list of 2 dice, found a list",
    ),
    ({"game": "draw_n_shoot_21", "table": {"dice": [1, True], "seats": {}}}, "table.dice[1]: expected a whole number"),
]


@pytest.mark.parametrize(("record", "error"), OTHER_GAMES, ids=range(len(OTHER_GAMES)))
def test_wrong_field_of_other_games_is_named(record: dict[str, Any], error: str) -> None:
    assert str(answer_line(json.dumps(record | {"bets": []}).encode(), 1)["error"]).startswith(error)


def test_split_or_double_must_name_its_hand() -> None:
    line = changed("bets.1", {"seat": 7, "bet": "double", "amount": "5.00"})
    assert answer_line(line, 1)["error"] == "bets[1].hand: expected the number of the hand it stands on, found nothing"


BROKEN_LINES = [
    (b"", "line: expected a JSON object, found expecting value at character 0"),
    (b"{", "line: expected a JSON object"),
    (b"null", "line: expected a JSON object, found nothing"),
    (b"[1, 2]", "line: expected a JSON object, found a list of 2"),
    (b"\xff\xfe{}", "line: expected UTF-8, found byte 0xff at 0"),
    (b"[" * 200_000, "line: expected a JSON object, found one nested too deep"),
    (b'{"id": NaN}', "id: expected text or a number, found NaN"),
    (b'{"game": "blackjack", "game": "stud_21"}', "game: expected each key once, found it more than once"),
    (b'{"game": -Infinity}', "game: expected one of blackjack"),
    (b'{"game": ' + b"1" * 1_000_000 + b"}", "game: expected one of blackjack"),
    (b'{"game": "\\ud800"}', "game: expected one of blackjack"),
]


@pytest.mark.parametrize(("line", "error"), BROKEN_LINES, ids=range(len(BROKEN_LINES)))
def test_broken_line_is_answered_with_what_is_wrong(line: bytes, error: str) -> None:
    answer = answer_line(line, 1)
    assert str(answer["error"]).startswith(error)
    json.dumps(answer)


def test_amount_of_a_million_digits_written_as_a_number_is_named() -> None:
    line = json.dumps(GOOD).replace('"75.00"', "7" * 1_000_000).encode()
    assert str(answer_line(line, 1)["error"]).startswith("bets[1].amount: expected an amount")


def test_card_that_the_shoe_cannot_hold_is_refused() -> None:
    hands = [
        {"cards": ["9s", "9s", "2c"]},
        {"cards": ["9s", "9s", "2c"]},
        {"cards": ["9s", "9s"]},
        {"cards": ["9s", "9s"]},
    ]
    line = changed("table.seats.7", {"initial": ["9s", "9s"], "hands": hands})
    assert "error" not in answer_line(line, 1)
    nine = line.replace(b'"6h"', b'"9s"')
    assert answer_line(nine, 1)["error"] == "table: expected at most 8 of 9s in 8 decks, found 9"


def test_dealt_cards_are_not_counted_twice_when_listed_as_initial_too() -> None:
    record = {
        "game": "double_deck",
        "table": {
            "dealer": ["2h", "Th", "7d"],
            "seats": {"1": {"initial": ["9s", "9s"], "hands": [{"cards": ["9s", "9s"]}]}},
        },
        "bets": [{"seat": 1, "bet": "main", "amount": "10"}],
    }
    assert "error" not in answer_line(json.dumps(record).encode(), 1)


def test_round_of_the_audit_is_settled_as_it_is() -> None:
    record = GOOD | {"start_ms": 18200, "end_ms": 51240, "status": "complete", "missing": [], "settled": [], "pays": []}
    record |= {"takes": [], "findings": [], "tokes": []}
    assert "error" not in answer_line(json.dumps(record).encode(), 1)


def run(lines: bytes, *options: str) -> Any:
    return CliRunner().invoke(settle, list(options), input=lines)


def test_good_lines_are_answered_beside_bad_ones_and_the_exit_status_is_1() -> None:
    good = json.dumps(GOOD).encode()
    result = run(b"\xef\xbb\xbf" + good + b"\n{\n" + good + b"\r\n\n" + good + b"\n\n\n")
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert ["error" in answer for answer in answers] == [False, True, False, True, False]
    assert result.exit_code == 1


def test_only_good_lines_exit_with_status_0() -> None:
    assert run(json.dumps(GOOD).encode()).exit_code == 0


def test_no_line_has_no_answer() -> None:
    result = run(b"")
    assert (result.stdout, result.exit_code) == ("", 0)


def test_file_of_rounds_is_read(tmp_path: Path) -> None:
    file = tmp_path / "rounds.jsonl"
    file.write_text(json.dumps(GOOD) + "\n")
    assert json.loads(run(b"", "--json-lines", str(file)).stdout)["id"] == "BJ-00006"


def test_unknown_rules_exit_with_status_2() -> None:
    result = run(b"", "--rules", "nowhere")
    assert result.exit_code == 2
    assert "rules: expected one of dicey-21" in result.stderr


def test_rules_apply_to_the_rounds_of_their_game() -> None:
    craps = {
        "game": "draw_n_shoot_21",
        "table": {"dice": [5, 6], "seats": {"1": {"cards": ["As"]}}},
        "bets": [{"seat": 1, "bet": "craps", "amount": "5.00"}],
    }
    lines = (json.dumps(craps) + "\n" + json.dumps(GOOD)).encode()
    answers = [json.loads(line) for line in run(lines, "--rules", "draw-n-shoot-21-alternate").stdout.splitlines()]
    assert answers[0]["settled"][0]["odds"] == "12:1"
    assert answers[1]["settled"][1]["outcome"] == "lose"


def test_schema_is_a_schema_and_fits_the_example() -> None:
    printed = json.loads(run(b"", "--schema").stdout)
    for side in ("in", "out"):
        jsonschema.Draft202012Validator.check_schema(printed[side])
    jsonschema.validate(GOOD, printed["in"])
    jsonschema.validate(answer_line(json.dumps(GOOD).encode(), 1), printed["out"])


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_schema_fits_every_legal_round_and_its_answer(seed: int) -> None:
    record = play(seed)
    assert not list(IN.iter_errors(record))
    assert not list(OUT.iter_errors(answer_line(json.dumps(record).encode(), 1)))


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=6)
    | st.sampled_from(["As", "7", "5.00"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=8,
)


@settings(max_examples=120, deadline=None)
@given(data=st.data(), seed=st.integers(0, 2**32 - 1))
def test_any_record_with_any_field_replaced_gets_an_answer(data: Any, seed: int) -> None:
    record: Any = play(seed)
    section = record
    while True:
        key = data.draw(st.sampled_from(sorted(section) if isinstance(section, dict) else range(len(section))))
        child = section[key]
        if not isinstance(child, dict | list) or not child or data.draw(st.booleans()):
            break
        section = child
    section[key] = data.draw(JSON_VALUES)
    answer = answer_line(json.dumps(record).encode(), 1)
    assert ("error" in answer) != ("settled" in answer)
    assert not list(OUT.iter_errors(answer))


def test_violation_comes_with_the_rule_that_forbids_it() -> None:
    answer = answer_line(changed("bets.0.amount", "10.00"), 1)
    assert answer["violations"] == [["seat 7 blazing7", "over-maximum"]]
    assert "documents fix" in answer["forbidden"]["over-maximum"]
    drew = answer_line(changed("table.dealer", ["Th", "7h", "2d"]), 1)
    assert drew["violations"] == []  # the only hand broke: nobody waits for the dealer
    stood = changed("table.seats.7.hands", [{"cards": ["9s", "Qh"]}]).replace(b'"6h"', b'"9h"').replace(b', "Ad"', b"")
    assert answer_line(stood, 1)["forbidden"] == {
        "dealer-stood-below-17": "the dealer hits 16 or less (004:L662, L725)"
    }


@pytest.mark.parametrize("options", [["-"], ["--json-lines", "-"], []])
def test_standard_input_is_read_whichever_way_it_is_named(options: list[str]) -> None:
    assert json.loads(run(json.dumps(GOOD).encode(), *options).stdout)["id"] == "BJ-00006"
