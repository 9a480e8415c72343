"""One card on the felt, look by look."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from audit.reconstruction.changes import Change
from audit.reconstruction.evidence import card_chances
from audit.states import SeenObject

_CERTAIN: Final = 0.5


@dataclass(slots=True, eq=False)
class CardTrack:
    """One card on the felt, look by look: pairs of state index and what was seen there.

    ``exposed``: the change that showed its face before it was turned down again.
    """

    number: int
    owner: str
    appeared: Change
    looks: list[tuple[int, SeenObject]] = field(default_factory=list)
    gone: Change | None = None
    turned: Change | None = None
    read: Change | None = None
    exposed: Change | None = None

    @property
    def last(self) -> SeenObject:
        """The latest look."""
        return self.looks[-1][1]

    @property
    def face(self) -> Mapping[str, float]:
        """What the last look that surely read its face says of it, else the last that read it; empty if none did."""
        looks = [chances for _, item in reversed(self.looks) if (chances := card_chances(item))]
        return next((one for one in looks if max(one.values()) >= _CERTAIN), looks[0] if looks else {})

    def at(self, state: int) -> SeenObject | None:
        """Return the card as last seen up to that state, None before it came or after it had gone."""
        if self.gone is not None and state >= self.gone.state:
            return None
        return next((item for index, item in reversed(self.looks) if index <= state), None)

    def seen_in(self, state: int) -> bool:
        """Return whether that very state shows the card."""
        return any(index == state for index, _ in self.looks)
