"""Rule sets and pay tables: what a file must hold, and what is said of one that does not."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest

from audit.money import Rounding
from audit.paytables import DATA, DEFAULT_RULES, PayTableError, load_rules, load_rules_file, rules_names, rules_of

LINES = {"000": 214, "001": 175, "002": 125, "003": 87, "004": 1131}
HOUSE_RULES = """
title = "House"
game = "dicey_21"
[tables]
ante = "house-score"
raise = "score-21-dicey"
chuck = "chuck-a-luck-plus"
[options]
decks = { value = 6, allowed = [6, 8], source = "house form 7" }
skill_game = { value = false, allowed = [false], source = "house form 7" }
[limits]
chuck = { minimum = "1.00", maximum = "50.00", source = "house form 7" }
"""
HOUSE_TABLE = (DATA / "paytables" / "score-21-dicey.toml").read_text()


UNKNOWN_ROW = """[[row]]
class = "natural"
result = "lose"
words = "x"
rule = "x"
source = "x:L1"

[[row]]"""


def house(folder: Path, *, rules: str = HOUSE_RULES, table: str = HOUSE_TABLE) -> Path:
    (folder / "house.toml").write_text(rules)
    (folder / "house-score.toml").write_text(table)
    return folder / "house.toml"


def test_a_games_rule_sets_are_listed_with_its_own_first() -> None:
    assert rules_of("blackjack") == ("shoe-six-deck", "shoe-eight-deck")
    assert rules_of("stud_21") == ("stud-21", "stud-21-spanish")
    assert rules_of("craps") == ()


@pytest.mark.parametrize("name", rules_names())
def test_rules_that_come_with_the_program_load(name: str) -> None:
    assert load_rules_file(DATA / "rules" / f"{name}.toml").name == name


@pytest.mark.parametrize(
    "path", sorted([*DATA.glob("rules/*.toml"), *DATA.glob("paytables/*.toml")]), ids=lambda path: path.stem
)
def test_every_source_names_lines_that_the_document_has(path: Path) -> None:
    sources = re.findall(r'source = "([^"]*)"', path.read_text())
    assert sources
    for source in sources:
        document, lines = source.split(":", 1)
        for first, last in re.findall(r"L(\d+)(?:-(\d+))?", lines):
            assert 0 < int(first) <= int(last or first) <= LINES[document]


@pytest.mark.parametrize(("game", "name"), DEFAULT_RULES.items())
def test_every_game_has_rules_of_its_own(game: str, name: str) -> None:
    assert load_rules(game).name == name


def test_house_adds_a_pay_table_without_touching_code(tmp_path: Path) -> None:
    file = house(tmp_path, table=HOUSE_TABLE.replace('odds = "6:5"', 'odds = "7:5"'))
    rules = load_rules("dicey_21", str(file))
    assert str(rules.rows("ante")["twenty_one"].odds) == "7:5"
    assert str(rules.rows("raise")["twenty_one"].odds) == "6:5"
    assert rules.sha256 != load_rules("dicey_21").sha256


def test_variant_overrides_the_rules_file() -> None:
    assert load_rules("stud_21", None, {"decks": 8}).decks == 8
    assert load_rules("stud_21", "stud-21-spanish", {"spanish": False}).option("spanish") is False
    assert load_rules("stud_21", "stud-21-spanish").option("spanish") is True


def test_facts_of_a_round_are_no_options() -> None:
    assert load_rules("blackjack", None, {"progressive_meter": "1.00", "bj_revealed_late": True}) is load_rules(
        "blackjack"
    )


def test_house_names_its_rounding_policy(tmp_path: Path) -> None:
    assert load_rules("dicey_21").rounding is None
    written = HOUSE_RULES + '[money]\nrounding = "down"\nsource = "house form 7"\n'
    assert load_rules_file(house(tmp_path, rules=written)).rounding is Rounding.DOWN


BAD_TABLES = [
    ('class = "blackjack"', 'class = "natural"', "house-score.toml: row.class: expected a row 'blackjack' for ante"),
    ('odds = "2:1"', 'odds = "2 to 1"', "house-score.toml: row 1.odds: expected odds such as '3:2', found '2 to 1'"),
    ('odds = "2:1"', "odds = 2.0", "house-score.toml: row 1.odds: expected odds such as '3:2', found 2.0"),
    ('odds = "2:1"', 'odds = "0:1"', "house-score.toml: row 1.odds: expected odds such as '3:2', found '0:1'"),
    ('odds = "2:1"', 'odd = "2:1"', "house-score.toml: row 1.odd: expected one of class, envy"),
    ('result = "push"', 'result = "tie"', "house-score.toml: row 4.result: expected win, lose or push, found 'tie'"),
    ('source = "001:L32, L83, L98"\n', "", "house-score.toml: row 1.source: expected where it is written"),
    ('words = "17"', "words = 17", "house-score.toml: row 4.words: expected text, found 17"),
    ('class = "twenty_one"', 'class = "blackjack"', "house-score.toml: row 2.class: expected each class once"),
    ("[[row]]", "[row]", "house-score.toml: expected TOML"),
    ('game = "dicey_21"', 'game = "dicey"', "house-score.toml: game: expected one of blackjack"),
    (HOUSE_TABLE[HOUSE_TABLE.index("[[row]]") :], "", "house-score.toml: [[row]]: expected at least one row"),
    (HOUSE_TABLE, 'title = "x"\ngame = "dicey_21"\nrow = [1]', "house-score.toml: row 1: expected a row, found 1"),
    (
        'result = "push"',
        'result = "push"\nodds = "1:1"',
        "house-score.toml: row 4.odds: expected no odds on a row that",
    ),
    ('class = "seventeen"', 'class = "seventeen"\nshare = "tenth"', "row 4.share: expected a share of the meter"),
    ('class = "seventeen"', 'class = "seventeen"\npays = 10', "row 4.pays: expected an amount such as '125.00'"),
    ('class = "seventeen"', 'class = "seventeen"\nstake_returned = "no"', "row 4.stake_returned: expected true or"),
    ("[[row]]", UNKNOWN_ROW, "house-score.toml: row.class: expected one of below_seventeen"),
]


@pytest.mark.parametrize(("old", "new", "error"), BAD_TABLES, ids=range(len(BAD_TABLES)))
def test_bad_pay_table_is_refused_with_file_field_expected_and_found(
    tmp_path: Path, old: str, new: str, error: str
) -> None:
    assert old in HOUSE_TABLE
    file = house(tmp_path, table=HOUSE_TABLE.replace(old, new, 1 if new == UNKNOWN_ROW else -1))
    with pytest.raises(PayTableError) as caught:
        load_rules_file(file)
    assert error in str(caught.value)


BAD_RULES = [
    ('game = "dicey_21"', 'game = "dicey"', "house.toml: game: expected one of blackjack"),
    ('ante = "house-score"', 'ante = "nowhere"', "house.toml: tables.ante: expected a pay table beside the rules"),
    ('ante = "house-score"\n', "", "house.toml: tables.ante: expected the name of a pay table"),
    ("[tables]", '[tables]\nmain = "blackjack"', "house.toml: tables.main: expected a bet of dicey_21"),
    ("value = 6", "value = 5", "house.toml: options.decks: expected 6 or 8, found 5"),
    ("value = false", "value = 0", "house.toml: options.skill_game: expected false, found 0"),
    ("decks = {", "packs = {", "house.toml: options."),
    (
        'allowed = [6, 8], source = "house form 7"',
        "allowed = [6, 8]",
        "house.toml: options.decks.source: expected where",
    ),
    ('minimum = "1.00"', "minimum = 1.0", "house.toml: limits.chuck.minimum: expected an amount such as '125.00'"),
    ('minimum = "1.00"', 'minimum = "ten"', "house.toml: limits.chuck.minimum: expected an amount"),
    ("chuck = { minimum", "trilux = { minimum", "house.toml: limits.trilux: expected a bet of dicey_21"),
    ("[limits]", '[money]\nrounding = "off"\nsource = "x"\n[limits]', "house.toml: money.rounding: expected down, up"),
    ("[limits]", '[money]\nrounding = "up"\n[limits]', "house.toml: money.source: expected where it is written"),
    ("[limits]", "[money]\nround = 1\n[limits]", "house.toml: money.round: expected rounding and source"),
    ("[tables]", "limits = 1\n[tables]", "house.toml: expected TOML"),
    (
        "decks = { value = 6, allowed = [6, 8]",
        "decks = { value = 6, allowed = 6",
        "options.decks.allowed: expected a list",
    ),
    ("decks = { value = 6,", "decks = { values = 6,", "house.toml: options.decks: expected value, allowed and source"),
    (
        "decks = { value",
        "x = 1\ndecks = { value",
        "house.toml: options.x: expected one of decks, skill_game, found 'x'",
    ),
    ('ante = "house-score"', 'ante = { by = "decks" }', "house.toml: tables.ante.6: expected the name of a pay table"),
    (
        'chuck = { minimum = "1.00", maximum = "50.00", source = "house form 7" }',
        "chuck = 5",
        "limits.chuck: expected minimum",
    ),
    ("[limits]", "[limit]", "house.toml: limit: expected game, title, tables, options, limits or money"),
]


@pytest.mark.parametrize(("old", "new", "error"), BAD_RULES, ids=range(len(BAD_RULES)))
def test_bad_rules_are_refused_with_file_field_expected_and_found(
    tmp_path: Path, old: str, new: str, error: str
) -> None:
    assert old in HOUSE_RULES
    with pytest.raises(PayTableError) as caught:
        load_rules_file(house(tmp_path, rules=HOUSE_RULES.replace(old, new)))
    assert error in str(caught.value)


def test_rules_that_are_not_there_are_named() -> None:
    with pytest.raises(PayTableError, match=r"rules: expected one of dicey-21, .*, found 'nowhere'"):
        load_rules("blackjack", "nowhere")


def test_rules_of_another_game_are_refused() -> None:
    with pytest.raises(PayTableError, match=r"dicey-21.toml: game: expected blackjack, found 'dicey_21'"):
        load_rules("blackjack", "dicey-21")


def test_unknown_game_is_refused() -> None:
    with pytest.raises(PayTableError, match="game: expected one of blackjack"):
        load_rules("poker")


@pytest.mark.parametrize(
    ("value", "error"),
    [
        ({"ultimate": "forty"}, "variant.block_odds.ultimate: expected odds such as '40:1', found 'forty'"),
        ({"triple": "4:1"}, "variant.block_odds: expected odds for ultimate, pair, flush, normal"),
        ("40:1", "variant.block_odds: expected odds for ultimate"),
    ],
)
def test_block_odds_that_are_none_are_refused(value: object, error: str) -> None:
    with pytest.raises(PayTableError) as caught:
        load_rules("lucky_draw_baccarat", None, {"block_odds": value})
    assert error in str(caught.value)


def test_section_that_is_none_is_refused(tmp_path: Path) -> None:
    written = HOUSE_RULES.partition("[tables]")[0] + "tables = 1\n" + HOUSE_RULES[HOUSE_RULES.index("[options]") :]
    with pytest.raises(PayTableError, match=r"house.toml: \[tables\]: expected a section, found 1"):
        load_rules_file(house(tmp_path, rules=written))


@pytest.mark.parametrize("content", [None, b"\xff"])
def test_file_that_cannot_be_read_is_refused(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "house.toml"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(PayTableError, match=r"house\.toml: expected a readable file in UTF-8"):
        load_rules_file(file)


@pytest.mark.parametrize(
    ("variant", "error"),
    [
        (
            {"foo": 1},
            "variant.foo: expected one of decks, quickcraps_table, skill_game for draw_n_shoot_21, found 'foo'",
        ),
        ({"decks": date(2026, 11, 21)}, "variant.decks: expected 6, found '2026-11-21'"),
        ({"skill_game": 1}, "variant.skill_game: expected false or true, found 1"),
    ],
)
def test_variant_that_the_game_does_not_have_is_refused(variant: dict[str, object], error: str) -> None:
    with pytest.raises(PayTableError) as caught:
        load_rules("draw_n_shoot_21", None, variant)
    assert error in str(caught.value)
