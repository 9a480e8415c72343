"""The catalogue of all 420 procedures: what each demands, where it is written, and whether it is audited."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

_FILE: Final = Path(__file__).parent.parent / "data" / "procedures" / "procedures.json"


class State(StrEnum):
    """Whether a procedure is audited."""

    AUDITED = "audited"
    IN_PART = "in part"
    NOT_AUDITED = "not audited"


class Severity(StrEnum):
    """What a breach touches: money, the integrity of the game, or the manner of dealing."""

    MONEY = "money"
    INTEGRITY = "integrity"
    MANNER = "manner"


@dataclass(frozen=True, slots=True, kw_only=True)
class Procedure:
    """One procedure of the documents. ``why``: what is not audited of it, and what would have to be seen."""

    id: str
    game: str
    kind: str
    title: str
    violation: str
    source: str
    citation: str
    severity: Severity
    state: State
    why: str

    @property
    def excusable(self) -> bool:
        """Whether something outside the picture, an approval or a request, may excuse the act (A/C, O/C, B/C)."""
        return "/" in self.kind


@lru_cache(maxsize=1)
def catalogue() -> Mapping[str, Procedure]:
    """Return every procedure by its id, in the order of the documents."""
    records = json.loads(_FILE.read_text(encoding="utf-8"))
    return MappingProxyType({record["id"]: _procedure(record) for record in records})


def _procedure(record: Mapping[str, str]) -> Procedure:
    return Procedure(
        id=record["id"],
        game=record["game"],
        kind=record["class"],
        title=record["title"],
        violation=record["violation"],
        source=record["source"],
        citation=record["citation"],
        severity=Severity(record["severity"]),
        state=State(record["state"]),
        why=record["why"],
    )
