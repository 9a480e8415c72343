"""The pages in ``docs/rules`` say what the program does."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit.games.catalogue import GAMES
from audit.paytables import load_rules_file, rules_names, rules_path

PAGES = Path(__file__).parents[2] / "docs" / "rules"


@pytest.mark.parametrize("game", GAMES)
def test_page_explains_every_violation_code(game: str) -> None:
    page = (PAGES / f"{game}.md").read_text()
    assert [code for code in GAMES[game].codes if f"`{code}`" not in page] == []


@pytest.mark.parametrize("name", rules_names())
def test_page_prints_every_row_limit_and_option(name: str) -> None:
    rules = load_rules_file(rules_path(name))
    page = (PAGES / f"{rules.game}.md").read_text()
    rows = [row for table in rules.tables.values() for row in table.rows.values()]
    assert [row.name for row in rows if f"{row.why} | {row.source} |" not in page] == []
    assert [key for key in (*rules.options, *rules.limits) if f"| `{key}` |" not in page] == []


def test_index_names_every_rule_set() -> None:
    index = (PAGES / "README.md").read_text()
    assert [name for name in rules_names() if f"`{name}`" not in index] == []
