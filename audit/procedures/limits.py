"""The numbers that checks of procedures measure by, from ``audit/data/procedures/limits.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

_FILE: Final = Path(__file__).parent.parent / "data" / "procedures" / "limits.toml"


@lru_cache(maxsize=1)
def limits() -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
    """Return every number by its section and name, with its source."""
    return MappingProxyType(tomllib.loads(_FILE.read_text(encoding="utf-8")))


def limit(section: str, name: str) -> float:
    """Return one number."""
    return float(limits()[section][name]["value"])


def bounds(section: str, name: str, key: str) -> tuple[float, float] | None:
    """Return the least and the most, None where the document has no such pair for that name."""
    pair = limits()[section].get(name, {}).get(key)
    return None if pair is None else (float(pair[0]), float(pair[1]))
