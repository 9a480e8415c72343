"""What recordings are called on the pages, and which profile a file's name speaks of."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

_KEPT: Final = re.compile(r"[0-9a-f]{12}-(?=.)")
_FOLDER: Final = "footage"


def recording_name(path: str) -> str:
    """Return the file's name; of an uploaded one the name that it came with, without the hash that it is kept under."""
    at = Path(path)
    return _KEPT.sub("", at.name, count=1) if at.parent.name == _FOLDER and _KEPT.match(at.name) else at.name


def with_name(sentence: str | None, path: str) -> str | None:
    """Return a sentence about a recording with the name that the pages give it."""
    return sentence and sentence.replace(Path(path).name, recording_name(path))


def named_profile(name: str, known: Iterable[str]) -> str | None:
    """Return the profile whose name stands in the file's name as a word of its own, None if none or several do."""
    found = {one for one in known if re.search(rf"(?<![a-z0-9]){re.escape(one)}(?![a-z0-9])", name, re.IGNORECASE)}
    return found.pop() if len(found) == 1 else None
