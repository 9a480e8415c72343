"""``catwalk rules``: list, show and check rule sets and their pay tables."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from audit.games.terms import Limit, PayTable, Row, RuleSet
from audit.money import Money, format_money
from audit.paytables import DEFAULT_RULES, PayTableError, load_rules_file, rules_names, rules_path


@click.group()
def rules() -> None:
    """List, show and check the rule sets of the games."""


@rules.command("list")
def list_() -> None:
    """List the rule sets that come with the program; * marks the one a game uses if its profile names none."""
    for name in rules_names():
        rule_set = load_rules_file(rules_path(name))
        mark = "*" if DEFAULT_RULES[rule_set.game] == name else " "
        click.echo(f"{mark} {name:28} {rule_set.game:20} {rule_set.title}")


@rules.command()
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def show(name: str, as_json: bool) -> None:
    """Show a rule set, given by name or as a .toml file: options, limits and pay tables, each with its source."""
    rule_set = _load(name)
    record = rules_record(rule_set)
    click.echo(json.dumps(record, indent=2) if as_json else "\n".join(_text(record)))


@rules.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
def check(files: Sequence[str]) -> None:
    """Check rules files and the pay tables that they name; the exit status is 2 if one cannot be used."""
    failed = False
    for file in files:
        try:
            rule_set = load_rules_file(Path(file))
        except PayTableError as error:
            click.echo(str(error), err=True)
            failed = True
        else:
            tables = sorted({table.name for table in rule_set.tables.values()})
            click.echo(f"{file}: ok, {rule_set.game}, pay tables {', '.join(tables)}, sha256 {rule_set.sha256[:12]}")
    sys.exit(2 if failed else 0)


def _load(name: str) -> RuleSet:
    try:
        return load_rules_file(rules_path(name))
    except PayTableError as error:
        click.echo(str(error), err=True)
        sys.exit(2)


def rules_record(rule_set: RuleSet) -> dict[str, Any]:
    """Return the rule set as plain data."""
    options = rule_set.options.items()
    return {
        "name": rule_set.name,
        "title": rule_set.title,
        "game": rule_set.game,
        "sha256": rule_set.sha256,
        "options": {
            key: {"value": option.value, "allowed": list(option.allowed), "source": option.source}
            for key, option in options
        },
        "limits": {bet: _limit_record(limit) for bet, limit in rule_set.limits.items()},
        "tables": {bet: _table_record(table) for bet, table in rule_set.tables.items()},
    }


def _limit_record(limit: Limit) -> dict[str, Any]:
    def text(amount: Money | None) -> str | None:
        return None if amount is None else format_money(amount)

    return {"minimum": text(limit.minimum), "maximum": text(limit.maximum), "source": limit.source}


def _table_record(table: PayTable) -> dict[str, Any]:
    return {"name": table.name, "title": table.title, "rows": [_row_record(row) for row in table.rows.values()]}


def _row_record(row: Row) -> dict[str, Any]:
    record: dict[str, Any] = {"class": row.name, "result": row.outcome.value}
    if row.odds is not None:
        record["odds"] = str(row.odds)
    if row.pays is not None:
        record["pays"] = format_money(row.pays)
    if row.share is not None:
        record["share"] = f"{row.share * 100}%"
    if row.envy:
        record["envy"] = format_money(row.envy)
    return record | {"why": row.why, "source": row.source}


def _text(record: dict[str, Any]) -> list[str]:
    lines = [f"{record['title']} ({record['name']}, {record['game']})", "", "Options"]
    for key, option in record["options"].items():
        allowed = ", ".join(json.dumps(value) for value in option["allowed"])
        lines.append(f"  {key} = {json.dumps(option['value'])}  (of {allowed or 'any'}; {option['source']})")
    lines += ["", "Limits that the documents fix"] if record["limits"] else []
    for bet, limit in record["limits"].items():
        lines.append(f"  {bet}: {limit['minimum'] or '-'} to {limit['maximum'] or '-'}  ({limit['source']})")
    shown: dict[str, list[str]] = {}
    for bet, table in record["tables"].items():
        shown.setdefault(table["name"], []).append(bet)
    for name, bets in shown.items():
        table = record["tables"][bets[0]]
        lines += ["", f"{table['title']} ({name}): {', '.join(bets)}"]
        lines += [f"  {row.get('odds') or row['result']:>7}  {row['why']}  ({row['source']})" for row in table["rows"]]
    return lines
