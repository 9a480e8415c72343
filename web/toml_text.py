"""Writing a profile's record as TOML text: tables of text, numbers and lists, and lists of tables."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")
_DEEPEST: Final = 6


class TomlError(ValueError):
    """A record that TOML cannot hold; the message says what was expected and what was found."""


def write_toml(record: Mapping[str, Any]) -> str:
    """Return the record as TOML, in the order of its keys.

    Raises:
        TomlError: if it holds what TOML does not know.
    """
    return "\n".join(_table((), record)).strip() + "\n"


def _table(path: tuple[str, ...], record: Mapping[str, Any]) -> Iterator[str]:
    if len(path) > _DEEPEST:
        msg = f"expected tables at most {_DEEPEST} deep, found {'.'.join(path)}"
        raise TomlError(msg)
    inner: list[tuple[str, Any]] = []
    for key, value in record.items():
        if isinstance(value, Mapping) or _is_tables(value):
            inner.append((key, value))
        else:
            yield f"{_key(key)} = {_value(value, 0)}"
    for key, value in inner:
        name = ".".join(_key(part) for part in (*path, key))
        heads = ((f"[{name}]", value),) if isinstance(value, Mapping) else ((f"[[{name}]]", one) for one in value)
        for head, table in heads:
            yield ""
            yield head
            yield from _table((*path, key), table)


def _is_tables(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, Mapping) for one in value)


def _value(value: object, depth: int) -> str:
    if depth > _DEEPEST:
        msg = f"expected lists at most {_DEEPEST} deep, found deeper ones"
        raise TomlError(msg)
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float() if math.isfinite(value):
            return repr(value)
        case str():
            return _text(value)
        case list():
            return _list(value, depth)
        case _:
            msg = f"expected text, numbers, lists and tables, found {value!r:.40}"
            raise TomlError(msg)


def _list(items: Sequence[object], depth: int) -> str:
    return f"[{', '.join(_value(one, depth + 1) for one in items)}]"


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _text(key)


def _text(text: str) -> str:
    """JSON's escapes are TOML's too, apart from a lone surrogate and the character DEL."""
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        msg = f"expected text, found half a character in {text!a:.40}"
        raise TomlError(msg)
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
