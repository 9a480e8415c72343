"""The table while a session of acts is played: what lies and stands there, and what the truth must tell."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from audit.money import format_money
from sample_footage.acts import Act
from sample_footage.stacks import Stack, value_of
from sample_footage.stage import Stage
from sample_footage.tables import Table
from sample_footage.tracks import Thing

LATER: Final = frozenset({"raise", "draw", "double", "split", "insurance"})
"""Wagers that are placed after the first card."""
_ON_HANDS: Final = frozenset({"main", "double", "split"})
_THINKS_MS: Final = 430
_FIRST_THINKS_MS: Final = 900
Name = tuple[int, str, int]
"""A wager: seat, spot, hand."""


@dataclass(slots=True)
class HandOfCards:
    """One hand on the felt: its cards, what they are, and where across the seat's ray its first card lies."""

    seat: int
    first_u: float = 40.0
    cards: list[Thing] = field(default_factory=list)
    codes: list[str] = field(default_factory=list)
    lateral: bool = False


@dataclass(slots=True)
class Standing:
    """A wager as it stands: its pile (None when it lies in the rack, in play), and what was paid beside it."""

    pile: Thing | None
    paid: list[Thing] = field(default_factory=list)

    @property
    def piles(self) -> list[Thing]:
        """All cheques of it."""
        return ([self.pile] if self.pile is not None else []) + self.paid


@dataclass(slots=True)
class Scene:
    """One session being acted, and the round it is in."""

    stage: Stage
    table: Table
    dish: Thing | None = None
    lid: Thing | None = None
    dice: list[Thing] = field(default_factory=list)
    waiting_ms: int = 0
    wagers: dict[Name, Standing] = field(default_factory=dict)
    hands: dict[tuple[int, int], HandOfCards] = field(default_factory=dict)
    dealer: list[Thing] = field(default_factory=list)
    bets: list[dict[str, Any]] = field(default_factory=list)
    initial: dict[int, list[str]] = field(default_factory=dict)
    dealer_codes: list[str] = field(default_factory=list)
    shown: tuple[tuple[int, str], ...] = ()
    first_card: Thing | None = None
    first_dealt_up: bool = False
    just_dealt: bool = False
    collected_ms: int = 0
    placed: set[Name] = field(default_factory=set)

    def begin_round(self) -> None:
        """Forget the round before; what lies on the felt stays there."""
        self.hands, self.dealer, self.bets, self.initial = {}, [], [], {}
        self.wagers, self.placed = {}, set()
        self.dealer_codes, self.shown, self.first_card, self.first_dealt_up = [], (), None, False

    def wait_for_players(self) -> None:
        """Let the dealer wait until every player has put his wager down."""
        if self.waiting_ms:
            self.stage.now = max(self.stage.now, self.waiting_ms + self.stage.pace(420))
            self.waiting_ms = 0

    def think(self) -> None:
        """Let a player look at the cards before he decides, longest when they have just been dealt."""
        self.stage.now += self.stage.pace(_FIRST_THINKS_MS if self.just_dealt else _THINKS_MS)
        self.just_dealt = False

    def begin_dealing(self) -> None:
        """Let the dealer wait, before a round's first card, until the players have taken up what is theirs."""
        if self.first_card is None and self.stage.now < self.collected_ms:
            self.stage.now = self.collected_ms + self.stage.pace(420)

    def hand(self, act: Act) -> HandOfCards:
        """Return the hand that an act is about, a new one if there is none."""
        return self.hands.setdefault((act.seat, act.hand), HandOfCards(seat=act.seat))

    def standing(self, act: Act, spot: str) -> Standing:
        """Return the wager that an act is about."""
        return self.wagers[act.seat, spot, act.hand]

    def note_bet(self, act: Act) -> None:
        """Note a wager for the truth; one that comes too late is none."""
        if self.first_card is None or act.spot in LATER:
            self.bets.append(named_bet(act.seat, act.spot, act.hand, act.stack))


def named_bet(seat: int, spot: str, hand: int, stack: Stack) -> dict[str, Any]:
    """Return a wager, or a part of one, as the contract of rounds names it."""
    record: dict[str, Any] = {"seat": seat}
    if spot in _ON_HANDS:
        record["hand"] = hand
    record["bet"] = spot
    if spot.startswith("chuck"):
        record |= {"bet": "chuck", "number": int(spot[-1])}
    return {**record, "amount": format_money(value_of(stack)), "stack": list(stack)}
