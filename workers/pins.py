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
from audit.paytables import load_rules
from audit.store.footage import Pins
from audit.table import TableProfile

_AUDIT: Final = Path(audit.__file__).parent
_MODELS: Final = Path(models.__file__).parent
_WEIGHTS: Final = frozenset({".xml", ".bin", ".npz", ".onnx", ".pt", ".json"})
_CHUNK: Final = 1 << 20


def pins_of(profile: TableProfile) -> Pins:
    """Return the pins of what is installed here, for a table.

    Raises:
        PayTableError: if the profile's rules cannot be loaded.
    """
    rules = load_rules(profile.game, profile.rules, profile.variant)
    return Pins(software=_software(), weights_sha256=_weights(), rules_sha256=rules.sha256)


@cache
def _software() -> str:
    """Return the version and the beginning of the SHA-256 over what sees and judges.

    So a changed checkout never passes for the release it came from.
    """
    judging = [path for path in _AUDIT.rglob("*.py") if "store" not in path.relative_to(_AUDIT).parts]
    seeing = [path for path in _MODELS.rglob("*.py") if "train" not in path.relative_to(_MODELS).parts]
    code = sha256_of_files([*judging, *seeing, *(_AUDIT / "data" / "procedures").iterdir()])
    return f"{version('catwalk')}+{code[:12]}"


@cache
def _weights() -> str:
    return sha256_of_files(path for path in (_MODELS / "weights").rglob("*") if path.suffix in _WEIGHTS)


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
