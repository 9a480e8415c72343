"""Rule sets and pay tables from their TOML files: every number that a casino may change on a form, with its source.

A rules file names its game, the pay table of each bet, options and limits. Its pay tables are looked up in the folder
of the rules file, in ``paytables`` beside that folder, and among those that come with the program; so a house adds its
own files and names them, and touches no code.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from audit.games.catalogue import GAMES
from audit.games.terms import Game, Limit, Option, Outcome, PayTable, Row, RuleSet
from audit.money import ZERO, Money, Odds, Rounding, parse_money, parse_odds
from audit.rounds import VariantValue
from audit.text_files import what_was_found

DATA: Final = Path(__file__).parent / "data"
DEFAULT_RULES: Final = {
    "blackjack": "shoe-six-deck",
    "double_deck": "double-deck",
    "draw_n_shoot_21": "draw-n-shoot-21",
    "dicey_21": "dicey-21",
    "stud_21": "stud-21",
    "lucky_draw_baccarat": "lucky-draw-baccarat",
}

_SOURCE: Final = re.compile(r"\S.*")
_ROW_KEYS: Final = frozenset(
    {"class", "result", "odds", "pays", "share", "envy", "stake_returned", "words", "rule", "source"}
)
_CONFIGURED: Final = "block_odds"


class PayTableError(ValueError):
    """A rules or pay table file, or a variant, that cannot be used: file, field, what was expected, what was found."""


def rules_names() -> tuple[str, ...]:
    """Return the names of the rule sets that come with the program."""
    return tuple(sorted(path.stem for path in (DATA / "rules").glob("*.toml")))


def rules_of(game: str) -> tuple[str, ...]:
    """Return the names of the rule sets of a game that come with the program, its own rules first."""
    names = [name for name in rules_names() if _read(rules_path(name)).get("game") == game]
    return tuple(sorted(names, key=lambda name: (name != DEFAULT_RULES.get(game), name)))


def load_rules(game: str, name: str | None = None, variant: Mapping[str, VariantValue] | None = None) -> RuleSet:
    """Return the rule set of that name (or path of a TOML file) for the game, its options overridden by the variant.

    Without a name the game's own rules are meant. Variant keys that say something about a round (the progressive
    meter, a late blackjack) are left to the round.

    Raises:
        PayTableError: naming file, field, what was expected and what was found.
    """
    if game not in GAMES:
        msg = f"game: expected one of {', '.join(GAMES)}, found {game!r:.40}"
        raise PayTableError(msg)
    key = "" if not variant else _variant_key(GAMES[game], variant)
    return _rule_set(game, name or DEFAULT_RULES[game], key)


def load_rules_file(path: Path) -> RuleSet:
    """Return the rule set in the file, whatever its game.

    Raises:
        PayTableError: naming file, field, what was expected and what was found.
    """
    record = _read(path)
    game = record.get("game")
    if not isinstance(game, str) or game not in GAMES:
        raise _error(path, "game", f"one of {', '.join(GAMES)}", game)
    return load_rules(game, str(path))


def _plain(value: object) -> object:
    return dict(value) if isinstance(value, Mapping) else str(value)


_KEYS: Final = json.JSONEncoder(sort_keys=True, default=_plain)


def _variant_key(game: Game, variant: Mapping[str, VariantValue]) -> str:
    table = {key: value for key, value in variant.items() if key not in game.facts}
    return _KEYS.encode(table) if table else ""


@lru_cache(maxsize=256)
def _rule_set(game: str, name: str, variant: str) -> RuleSet:
    path = rules_path(name)
    record = _read(path)
    if record.get("game") != game:
        raise _error(path, "game", game, record.get("game"))
    for field in record.keys() - {"game", "title", "tables", "options", "limits", "money"}:
        raise _error(path, field, "game, title, tables, options, limits or money", field)
    options = _options(path, record, GAMES[game])
    options = _override(options, json.loads(variant) if variant else {}, GAMES[game])
    tables = _tables(path, record, GAMES[game], options)
    return RuleSet(
        name=path.stem,
        title=_text(path, record, "title", "title"),
        game=game,
        tables=_configure(tables, options),
        options=options,
        limits={bet: _limit(path, bet, entry) for bet, entry in _limit_entries(path, record, GAMES[game])},
        sha256=_pin(path, tables, variant),
        rounding=_rounding(path, record),
    )


def rules_path(name: str) -> Path:
    """Return the file of a rule set, given by name or by the path of a TOML file.

    Raises:
        PayTableError: if no rule set has that name.
    """
    path = Path(name) if name.endswith(".toml") else DATA / "rules" / f"{name}.toml"
    if not name.endswith(".toml") and name not in rules_names():
        msg = f"rules: expected one of {', '.join(rules_names())} or the path of a .toml file, found {name!r:.60}"
        raise PayTableError(msg)
    return path


def _pin(path: Path, tables: Mapping[str, PayTable], variant: str) -> str:
    texts = [path.read_bytes().hex(), variant, *sorted({table.sha256 for table in tables.values()})]
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        msg = f"{path}: expected a readable file in UTF-8, found {what_was_found(error)}"
        raise PayTableError(msg) from None
    except tomllib.TOMLDecodeError as error:
        msg = f"{path}: expected TOML, found {error}"
        raise PayTableError(msg) from None


def _error(path: Path, field: str, expected: str, found: object) -> PayTableError:
    shown = "nothing" if found is None else f"{found!r:.60}"
    return PayTableError(f"{path.name}: {field}: expected {expected}, found {shown}")


def _text(path: Path, section: Mapping[str, Any], key: str, field: str) -> str:
    value = section.get(key)
    if not isinstance(value, str) or not value.strip():
        raise _error(path, field, "text", value)
    return value


def _source(path: Path, section: Mapping[str, Any], field: str) -> str:
    value = section.get("source")
    if not isinstance(value, str) or not _SOURCE.fullmatch(value):
        raise _error(path, f"{field}.source", "where it is written, such as '004:L686'", value)
    return value


def _section(path: Path, record: Mapping[str, Any], key: str) -> dict[str, Any]:
    value = record.get(key, {})
    if not isinstance(value, dict):
        raise _error(path, f"[{key}]", "a section", value)
    return value


def _options(path: Path, record: Mapping[str, Any], game: Game) -> dict[str, Option]:
    section = _section(path, record, "options")
    for key in section.keys() ^ game.options:
        if key in section:
            raise _error(path, f"options.{key}", f"one of {', '.join(sorted(game.options))}", key)
        raise _error(path, f"options.{key}", "this option of the game", None)
    options = {}
    for key, entry in section.items():
        field = f"options.{key}"
        if not isinstance(entry, dict) or ("value" not in entry and key != _CONFIGURED):
            raise _error(path, field, "value, allowed and source", entry)
        allowed = entry.get("allowed", [])
        if not isinstance(allowed, list):
            raise _error(path, f"{field}.allowed", "a list of values", allowed)
        option = Option(value=entry.get("value"), allowed=tuple(allowed), source=_source(path, entry, field))
        options[key] = option
        _check_option(f"{path.name}: {field}", key, option.value, option.allowed)
    return options


def _check_option(where: str, key: str, value: VariantValue, allowed: tuple[VariantValue, ...]) -> None:
    if key == _CONFIGURED:
        if value is not None:
            _block_odds(where, value)
        return
    if not any(type(value) is type(choice) and value == choice for choice in allowed):
        shown = " or ".join(_KEYS.encode(choice) for choice in allowed)
        msg = f"{where}: expected {shown}, found {value!r:.60}"
        raise PayTableError(msg)


def _override(options: Mapping[str, Option], variant: Mapping[str, VariantValue], game: Game) -> dict[str, Option]:
    changed = dict(options)
    for key, value in variant.items():
        if key not in options:
            known = ", ".join(sorted(game.options | game.facts))
            msg = f"variant.{key:.40}: expected one of {known} for {game.name}, found {key!r:.60}"
            raise PayTableError(msg)
        _check_option(f"variant.{key}", key, value, options[key].allowed)
        changed[key] = Option(value=value, allowed=options[key].allowed, source=options[key].source)
    return changed


def _tables(path: Path, record: Mapping[str, Any], game: Game, options: Mapping[str, Option]) -> dict[str, PayTable]:
    section = _section(path, record, "tables")
    for bet in section.keys() - game.classes.keys():
        raise _error(path, f"tables.{bet}", f"a bet of {game.name}: {', '.join(game.classes)}", bet)
    tables = {}
    for bet, classes in game.classes.items():
        name = _table_name(path, section.get(bet), f"tables.{bet}", options)
        table = _pay_table(_table_path(path, name, f"tables.{bet}"))
        for missing in classes - table.rows.keys():
            raise _error(Path(f"{name}.toml"), "row.class", f"a row {missing!r} for {bet}", None)
        for unknown in table.rows.keys() - classes:
            raise _error(Path(f"{name}.toml"), "row.class", f"one of {', '.join(sorted(classes))} for {bet}", unknown)
        tables[bet] = table
    return tables


def _table_name(path: Path, entry: object, field: str, options: Mapping[str, Option]) -> str:
    """Return the pay table's name: written out, or chosen by the value of an option."""
    if isinstance(entry, str):
        return entry
    if not isinstance(entry, dict) or entry.get("by") not in options:
        raise _error(path, field, "the name of a pay table, or {by = option, value = name, ...}", entry)
    value = options[str(entry["by"])].value
    name = entry.get(value if isinstance(value, str) else json.dumps(value))
    if not isinstance(name, str):
        raise _error(path, f"{field}.{value}", "the name of a pay table", name)
    return name


def _table_path(path: Path, name: str, field: str) -> Path:
    for folder in (path.parent / "paytables", path.parent.parent / "paytables", path.parent, DATA / "paytables"):
        if (folder / f"{name}.toml").is_file() and folder / f"{name}.toml" != path:
            return folder / f"{name}.toml"
    raise _error(path, field, "a pay table beside the rules or among those of the program", name)


@lru_cache(maxsize=256)
def _pay_table(path: Path) -> PayTable:
    record = _read(path)
    game = _text(path, record, "game", "game")
    if game not in GAMES:
        raise _error(path, "game", f"one of {', '.join(GAMES)}", game)
    rows = record.get("row")
    if not isinstance(rows, list) or not rows:
        raise _error(path, "[[row]]", "at least one row", rows)
    by_class: dict[str, Row] = {}
    for number, entry in enumerate(rows, start=1):
        row = _row(path, entry, f"row {number}")
        if row.name in by_class:
            raise _error(path, f"row {number}.class", "each class once", row.name)
        by_class[row.name] = row
    return PayTable(
        name=path.stem,
        title=_text(path, record, "title", "title"),
        game=game,
        rows=by_class,
        sha256=hashlib.sha256(path.read_bytes()).hexdigest(),
    )


def _row(path: Path, entry: object, field: str) -> Row:
    if not isinstance(entry, dict):
        raise _error(path, field, "a row", entry)
    for key in entry.keys() - _ROW_KEYS:
        raise _error(path, f"{field}.{key}", f"one of {', '.join(sorted(_ROW_KEYS))}", key)
    outcome = entry.get("result")
    if outcome not in tuple(Outcome):
        raise _error(path, f"{field}.result", "win, lose or push", outcome)
    odds = _optional_odds(path, entry, field)
    if odds is not None and outcome != "win":
        raise _error(path, f"{field}.odds", f"no odds on a row that is a {outcome}", entry["odds"])
    words, rule = _text(path, entry, "words", f"{field}.words"), _text(path, entry, "rule", f"{field}.rule")
    return Row(
        name=_text(path, entry, "class", f"{field}.class"),
        outcome=Outcome(str(outcome)),
        odds=odds,
        why=f"{words}: {entry.get('says') or (odds.in_words if odds else outcome)}, {rule}",
        source=_source(path, entry, field),
        pays=_optional_money(path, entry, field, "pays"),
        share=_optional_share(path, entry, field),
        envy=_optional_money(path, entry, field, "envy") or ZERO,
        stake_returned=_optional_flag(path, entry, field),
    )


def _optional_odds(path: Path, entry: Mapping[str, Any], field: str) -> Odds | None:
    if "odds" not in entry:
        return None
    try:
        odds = parse_odds(entry["odds"])
    except (ValueError, TypeError):
        odds = None
    if odds is None or odds.a == 0:
        raise _error(path, f"{field}.odds", "odds such as '3:2'", entry["odds"])
    return odds


def _optional_money(path: Path, entry: Mapping[str, Any], field: str, key: str) -> Money | None:
    if key not in entry:
        return None
    try:
        return parse_money(entry[key])
    except (ValueError, TypeError):
        raise _error(path, f"{field}.{key}", "an amount such as '125.00'", entry[key]) from None


def _optional_share(path: Path, entry: Mapping[str, Any], field: str) -> Fraction | None:
    if "share" not in entry:
        return None
    match = re.fullmatch(r"([0-9]{1,3})%", str(entry["share"]))
    if match is None:
        raise _error(path, f"{field}.share", "a share of the meter such as '10%'", entry["share"])
    return Fraction(int(match[1]), 100)


def _optional_flag(path: Path, entry: Mapping[str, Any], field: str) -> bool:
    value = entry.get("stake_returned", True)
    if not isinstance(value, bool):
        raise _error(path, f"{field}.stake_returned", "true or false", value)
    return value


def _limit_entries(path: Path, record: Mapping[str, Any], game: Game) -> Iterator[tuple[str, object]]:
    for bet, entry in _section(path, record, "limits").items():
        if bet.removesuffix("_vip") not in game.classes:
            raise _error(path, f"limits.{bet}", f"a bet of {game.name}: {', '.join(game.classes)}", bet)
        yield bet, entry


def _limit(path: Path, bet: str, entry: object) -> Limit:
    field = f"limits.{bet}"
    if not isinstance(entry, dict):
        raise _error(path, field, "minimum, maximum and source", entry)
    return Limit(
        minimum=_optional_money(path, entry, field, "minimum"),
        maximum=_optional_money(path, entry, field, "maximum"),
        source=_source(path, entry, field),
    )


def _rounding(path: Path, record: Mapping[str, Any]) -> Rounding | None:
    """Return the policy of ``[money] rounding``; the documents know none [GEN-2]."""
    section = _section(path, record, "money")
    if not section:
        return None
    for key in section.keys() - {"rounding", "source"}:
        raise _error(path, f"money.{key}", "rounding and source", key)
    _source(path, section, "money")
    value = section.get("rounding")
    if value not in tuple(Rounding):
        raise _error(path, "money.rounding", "down, up or nearest", value)
    return Rounding(str(value))


def _block_odds(where: str, value: object) -> dict[str, Odds]:
    """Return the configured Block Bonus odds by class; a class left out has none [LDB-2]."""
    classes = ("ultimate", "pair", "flush", "normal")
    if not isinstance(value, Mapping) or not value.keys() <= set(classes):
        msg = f"{where}: expected odds for {', '.join(classes)}, found {value!r:.60}"
        raise PayTableError(msg)
    odds = {}
    for name, text in value.items():
        try:
            odds[str(name)] = parse_odds(text)
        except (ValueError, TypeError):
            msg = f"{where}.{name}: expected odds such as '40:1', found {text!r:.40}"
            raise PayTableError(msg) from None
    return odds


def _configure(tables: Mapping[str, PayTable], options: Mapping[str, Option]) -> Mapping[str, PayTable]:
    """Return the tables with the house's Block Bonus odds written in."""
    value = options[_CONFIGURED].value if _CONFIGURED in options else None
    if value is None:
        return tables
    odds = _block_odds(_CONFIGURED, value)
    table = tables["block_bonus"]
    rows = {name: _with_odds(row, odds.get(name)) for name, row in table.rows.items()}
    changed = PayTable(name=table.name, title=table.title, game=table.game, rows=rows, sha256=table.sha256)
    return {**tables, "block_bonus": changed}


def _with_odds(row: Row, odds: Odds | None) -> Row:
    if odds is None:
        return row
    words = row.why.replace(": win,", f": {odds.in_words} (odds of the house),")
    return Row(name=row.name, outcome=row.outcome, odds=odds, why=words, source=row.source)
