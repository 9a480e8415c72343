"""A file of table states, as commands read it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from workers.cli.places import RefusedError

if TYPE_CHECKING:
    from audit.states import TableState
    from audit.table import TableProfile


def states_in(path: Path, profile: TableProfile) -> tuple[TableState, ...]:
    """Return the states in the file, which are of the profile's table.

    Raises:
        RefusedError: if it cannot be read, holds no state, or one that breaks the contract.
    """
    from audit.states import StatesError, read_states

    try:
        with path.open(encoding="utf-8") as lines:
            seen = tuple(read_states(lines, seats=profile.seats))
    except OSError as error:
        msg = f"{path}: expected a readable file of table states, found {error.strerror}"
        raise RefusedError(msg) from None
    except UnicodeDecodeError:
        msg = f"{path}: expected table states as JSON lines in UTF-8, found other bytes"
        raise RefusedError(msg) from None
    except StatesError as error:
        msg = f"{path}: {error}"
        raise RefusedError(msg) from None
    if not seen:
        msg = f"{path}: expected table states, found an empty file"
        raise RefusedError(msg)
    return seen


def unknown_zones(states: Iterable[TableState], profile: TableProfile) -> Iterator[str]:
    """Yield each zone that ``covered`` or a hand names and the profile does not have, once, as it comes."""
    known = {zone.name for zone in profile.zones}
    for state in states:
        named = (*sorted(state.covered), *(zone for hand in state.hands for zone in hand.zones))
        for name in named:
            if name not in known:
                known.add(name)
                yield name
