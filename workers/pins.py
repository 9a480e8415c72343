"""What pins a run: the exact software, weights and rules it was made with."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Final

import audit
import models
from audit.store.footage import Pins

_AUDIT: Final = Path(audit.__file__).parent
_MODELS: Final = Path(models.__file__).parent
_DOCUMENTS: Final = frozenset({".md", ".py"})
_CHUNK: Final = 1 << 20


@cache
def current_pins() -> Pins:
    """Return the pins of what is installed here.

    The software is the version and the beginning of the SHA-256 over the code that judges and sees, so that a changed
    checkout never passes for the release it came from.
    """
    judging = [path for path in _AUDIT.rglob("*.py") if "store" not in path.relative_to(_AUDIT).parts]
    seeing = [path for path in _MODELS.rglob("*.py") if "train" not in path.relative_to(_MODELS).parts]
    code = sha256_of_files([*judging, *seeing])
    return Pins(
        software=f"{version('catwalk')}+{code[:12]}",
        weights_sha256=sha256_of_files(_material(_MODELS / "weights")),
        rules_sha256=sha256_of_files(_material(_AUDIT / "data")),
    )


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file's content."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def sha256_of_files(paths: Iterable[Path]) -> str:
    """Return one SHA-256 over the names and contents of files, whatever their order."""
    digest = hashlib.sha256()
    for path in sorted(paths):
        digest.update(f"{path.parent.name}/{path.name} {sha256_of(path)}\n".encode())
    return digest.hexdigest()


def _material(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and path.suffix not in _DOCUMENTS | {".pyc"}]
