"""Why a file cannot be read as text, in words."""

from __future__ import annotations


def what_was_found(error: OSError | UnicodeDecodeError) -> str:
    """Return what was found instead of a readable text."""
    if isinstance(error, UnicodeDecodeError):
        return "other bytes than UTF-8"
    return (error.strerror or "nothing that can be read").lower()
