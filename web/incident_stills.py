"""Still frames for a report on paper, taken by a process of its own: the pages load no video."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sqlite_utils import Database

from audit.store import corrections, review
from audit.store import footage as store
from audit.store.resettling import as_corrected_lines
from audit.store.review import FindingRow
from web.pack_request import stills_of
from web.words import clock

_COMMAND: Final = (sys.executable, "-m", "workers.cli", "stills")
_LONGEST_S: Final = 60
_WORDS: Final = {
    "before": "one second before",
    "begins": "it begins",
    "ends": "it ends",
    "after": "one second after",
}


@dataclass(frozen=True, kw_only=True)
class Still:
    """One frame of the recording as JPEG, with the boxes of what lay there, and which moment it shows."""

    caption: str
    jpeg: bytes


@dataclass(frozen=True, kw_only=True)
class Stills:
    """The stills of a finding; where there are none, in a sentence why."""

    taken: tuple[Still, ...] = ()
    missing: str = ""


def take_stills(db: Database, finding: FindingRow) -> Stills:
    """Return the frames that prove a finding, from its recording where that is."""
    footage = store.footage(db, finding.footage_id)
    wanted = stills_of(finding, _lines(db, finding), last_ms=footage.duration_ms or finding.last_ms)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        request = {"footage": footage.path, "stills": wanted}
        (folder / "request.json").write_text(json.dumps(request), encoding="utf-8")
        why = _run(folder)
        if why:
            return Stills(missing=f"No still frames could be taken. {why}.")
        return Stills(
            taken=tuple(
                Still(
                    caption=f"{_WORDS[one['name']]}, {clock(one['ms'])}",
                    jpeg=(folder / f"{one['name']}.jpg").read_bytes(),
                )
                for one in wanted
            )
        )


def _lines(db: Database, finding: FindingRow) -> tuple[str, ...]:
    """Return the table states around the finding, with the corrections of its round in them."""
    first, last = max(0, finding.first_ms - 1000), finding.last_ms + 1000
    if finding.round_id is None:
        return store.states_between(db, finding.run_id, first_ms=first, last_ms=last)
    row = corrections.as_corrected(db, review.round_row(db, finding.round_id))
    return as_corrected_lines(db, row, first_ms=first, last_ms=last)


def _run(folder: Path) -> str:
    """Have the stills taken; return why that failed, empty if it did not."""
    try:
        done = subprocess.run(  # noqa: S603 - our own command, no shell
            [*_COMMAND, str(folder)], capture_output=True, text=True, timeout=_LONGEST_S, check=False
        )
    except subprocess.TimeoutExpired:
        return f"it took more than {_LONGEST_S} seconds"
    said = done.stderr.strip().splitlines()
    return "" if done.returncode == 0 else said[-1] if said else f"exit status {done.returncode}"
