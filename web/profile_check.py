"""The check of a profile, by the command that everybody uses: the pages themselves load no recognition."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

_COMMAND: Final = (sys.executable, "-m", "workers.cli", "profile", "check", "--json")
_LONGEST_S: Final = 60


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What ``catwalk profile check`` says: its record (zones, checks), and every sentence about what is wrong."""

    record: dict[str, Any] | None
    problems: tuple[str, ...]


def check_profile(text: str) -> Verdict:
    """Return the verdict on a profile's text."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "profile.toml"
        path.write_text(text, encoding="utf-8")
        done = subprocess.run(  # noqa: S603 - our own command, no shell
            [*_COMMAND, str(path)], capture_output=True, text=True, timeout=_LONGEST_S, check=False
        )
        said = [line.removeprefix(f"{path}: ") for line in done.stderr.splitlines() if line.strip()]
    record = json.loads(done.stdout) if done.stdout.strip() else None
    if done.returncode and not said:
        said = [f"expected a verdict of the check, found exit status {done.returncode}"]
    return Verdict(record=record, problems=tuple(said) if done.returncode else ())
