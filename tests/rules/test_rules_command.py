"""``catwalk rules``: what is listed, shown and refused."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from audit.paytables import DATA, rules_names
from workers.cli.rules import rules


def test_list_names_every_rule_set_and_marks_the_default_of_each_game() -> None:
    result = CliRunner().invoke(rules, ["list"])
    assert [line[2:].split()[0] for line in result.stdout.splitlines()] == list(rules_names())
    assert [line.split()[2] for line in result.stdout.splitlines() if line.startswith("*")] == [
        "dicey_21",
        "double_deck",
        "draw_n_shoot_21",
        "lucky_draw_baccarat",
        "blackjack",
        "stud_21",
    ]


def test_show_prints_rows_with_odds_words_and_source() -> None:
    result = CliRunner().invoke(rules, ["show", "draw-n-shoot-21"])
    row = "2:1  21 with one card and the roll: 2 to 1, Draw 'n Shoot 21, 21 Rules 8  (000:L32, L70)"
    assert row in result.stdout


def test_show_prints_json() -> None:
    record = json.loads(CliRunner().invoke(rules, ["show", "shoe-six-deck", "--json"]).stdout)
    assert record["options"]["decks"] == {"value": 6, "allowed": [6, 8], "source": "004:L109-115, L650, L670"}
    assert record["limits"]["super3"]["maximum"] == "50.00"
    assert record["tables"]["blazing7"]["rows"][3]["share"] == "10%"


def test_show_refuses_rules_that_are_not_there() -> None:
    result = CliRunner().invoke(rules, ["show", "nowhere"])
    assert result.exit_code == 2
    assert "found 'nowhere'" in result.stderr


def test_check_says_what_is_wrong_with_each_file_and_exits_with_2(tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text('game = "faro"')
    good = DATA / "rules" / "dicey-21.toml"
    result = CliRunner().invoke(rules, ["check", str(bad), str(good)])
    assert result.exit_code == 2
    assert "bad.toml: game: expected one of blackjack" in result.stderr
    assert "dicey-21.toml: ok, dicey_21, pay tables chuck-a-luck-plus, score-21-dicey" in result.stdout
