"""Following the shoe from round to round: no card face may come more often than there are decks: P416."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from audit.cards import DECK
from audit.findings import Finding, Verdict
from audit.procedures.catalogue import catalogue
from audit.reconstruction.observation import Observation, SeenCard

_READ_FROM: Final = 0.5
_SUSPECT_FROM: Final = 0.05
_VIOLATION_FROM: Final = 0.99
_SHUFFLE_MM: Final = 10.0
_DECK_PROCEDURES: Final = {
    "blackjack": ("P416", "P204"),
    "double_deck": ("P391", "P416"),
    "draw_n_shoot_21": ("P001", "P416"),
    "dicey_21": ("P039", "P416"),
    "stud_21": ("P060", "P416"),
    "lucky_draw_baccarat": ("P091", "P416"),
}


@dataclass
class ShoeWatch:
    """Counts the faces seen since the last shuffle."""

    decks: int
    _seen: dict[str, list[float]] = field(default_factory=dict)
    _found: list[Finding] = field(default_factory=list)
    _height: float | None = None
    _told: Counter[str] = field(default_factory=Counter)

    def following(self, rounds: Iterable[Observation]) -> Iterator[Observation]:
        """Yield the rounds as they come, counting their cards."""
        for seen in rounds:
            self._watch_discards(seen)
            cards = [*seen.dealer, *(card for seat in seen.seats.values() for card in seat.cards)]
            for card in sorted(cards, key=lambda card: card.number):
                self._count(card, seen)
            yield seen

    def findings(self) -> Iterator[Finding]:
        """Yield what was found so far."""
        yield from self._found

    def _watch_discards(self, seen: Observation) -> None:
        """A shuffle is assumed when the discards are gone or fall by more than 10 mm."""
        for state in seen.piece.states[: seen.piece.first + 1]:
            if state.view != "ok":
                continue
            piles = [item for item in state.objects if item.kind == "discards"]
            height = max((item.height_mm or 0.0 for item in piles), default=None)
            fell = self._height is not None and (height is None or height < self._height - _SHUFFLE_MM)
            if fell and "discard" not in state.covered:
                self._seen.clear()
            self._height = height if height is not None or fell else self._height

    def _count(self, card: SeenCard, seen: Observation) -> None:
        code = max(card.chances, key=lambda name: card.chances[name], default=None)
        if code is None or card.chances[code] < _READ_FROM:
            return
        copies = self._seen.setdefault(code, [])
        copies.append(card.chances[code])
        if self.decks and len(copies) > self.decks:
            self._flag(code, copies, card, seen)

    def _flag(self, code: str, copies: list[float], card: SeenCard, seen: Observation) -> None:
        chance = 1.0
        for p in sorted(copies, reverse=True)[: self.decks + 1]:
            chance *= p
        if chance < _SUSPECT_FROM or self._told[code]:
            return
        self._told[code] += 1
        procedures = _DECK_PROCEDURES[seen.observed.round.game]
        self._found.append(
            Finding(
                procedures=procedures,
                code="extra-card",
                verdict=Verdict.VIOLATION if chance >= _VIOLATION_FROM else Verdict.SUSPECT,
                probability=round(chance, 4),
                expected=f"at most {self.decks} of a card between two shuffles, as many as there are decks",
                observed=f"{DECK[code]} for the {self.decks + 1}th time",
                span=card.appeared.span,
                citation=catalogue()[procedures[0]].citation,
            )
        )
