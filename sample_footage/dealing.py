"""The acts of a round up to the dealer's last card: wagers, dealing, the peek, the players' decisions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from sample_footage.layout import (
    BESIDE,
    CARD_RADIUS,
    HOLE_UNDER,
    SHOE_MOUTH,
    Place,
    at_seat,
    bet_place,
    card_place,
    dealer_place,
    split_first_u,
)
from sample_footage.script import HandScript, Move, RoundScript, SeatScript
from sample_footage.stacks import Stack
from sample_footage.stage import Stage
from sample_footage.tracks import Thing

LEFT: Final = "dealer.left"
RIGHT: Final = "dealer.right"
HOLE_MEETS: Final = 420.0
"""Milliseconds after the hole card lies, before play goes on."""
_MOUTH: Final = Place(SHOE_MOUTH[0], SHOE_MOUTH[1], 90.0)
_HAND_OVER: Final = Place(-40.0, 56.0, 20.0)
_PEEK: Final = Place(0.0, 61.0, 0.0)
_PEEK_SIDEWAYS: Final = Place(0.0, 50.0, 90.0)


@dataclass(slots=True)
class HandOnTable:
    """A hand as it lies there: its cards, and its wager's piles by the name of the bet (``main``, ``double`` ...)."""

    seat: int
    number: int
    first_u: float
    slot: float
    cards: list[Thing] = field(default_factory=list)
    bets: dict[str, Thing] = field(default_factory=dict)
    done: bool = False


@dataclass(slots=True)
class RoundOnTable:
    """The round as it lies there."""

    script: RoundScript
    hands: list[HandOnTable] = field(default_factory=list)
    dealer: list[Thing] = field(default_factory=list)
    placed: list[tuple[str, int, int, Stack]] = field(default_factory=list)

    def hands_of(self, seat: int) -> list[HandOnTable]:
        """The seat's hands, left to right."""
        return [hand for hand in self.hands if hand.seat == seat]


def dealing_arm(seat: int) -> str:
    """Return the dealer's arm that serves the seat: the left for the two at the extreme left (P262)."""
    return LEFT if seat <= 2 else RIGHT


def place_wagers(stage: Stage, table: RoundOnTable) -> None:
    """Let the players put their wagers down, one a moment after the other."""
    begin = stage.now
    ends = []
    for order, (seat, script) in enumerate(table.script.seats.items()):
        hand = HandOnTable(seat=seat, number=1, first_u=40.0, slot=0.0)
        table.hands.append(hand)
        at = begin + order * stage.pace(330)
        hand.bets["main"], end = put_wager(stage, seat, script.bet, slot=0.0, at=at)
        ends.append(end)
    stage.now = max(ends) + stage.pace(420)


def put_wager(stage: Stage, seat: int, stack: Stack, *, slot: float, at: int) -> tuple[Thing, int]:
    """Let a player set a pile on his betting area; return it and when it stands."""
    key = f"player{seat}"
    arm = stage.arms[key]
    start = max(at, arm.free_ms)
    pile = stage.add_pile(stack, Place(arm.home[0], arm.home[1]), at=start)
    end = stage.carry(key, [(pile, stage.about(bet_place(seat, slot=slot)))], ms=600, at=start)
    stage.release(key)
    return pile, end


def draw_card(stage: Stage, code: str, goal: Place, *, by: str = LEFT, face_up: bool = True, ms: float = 430) -> Thing:
    """Draw a card from the shoe and lay it down; the right hand is handed it by the left, which alone draws.

    Without a code it is the cut card.
    """
    mouth = stage.about(_MOUTH, mm=0.5, deg=0.5)
    x, y = mouth.x - 4.0, mouth.y - 8.0
    at = stage.move(LEFT, (x, y, 6.0), ms=270, grip="card", lift_mm=20.0)
    card = stage.add_card(code, mouth, at=at) if code else stage.add_object("cut_card", mouth, at=at)
    turning = frozenset([card.key]) if face_up else frozenset()
    goal = stage.about(goal)
    if by == LEFT:
        end = stage.carry(LEFT, [(card, goal)], ms=ms, turning=turning)
        stage.release(LEFT)
    else:
        given = stage.carry(LEFT, [(card, _HAND_OVER)], ms=300)
        tip = stage.tip_for(stage.arms[RIGHT], card, _HAND_OVER)
        stage.move(RIGHT, tip, ms=260, grip="card", at=given - 280)
        end = stage.carry(RIGHT, [(card, goal)], ms=370, at=given, turning=turning)
        stage.release(RIGHT)
    stage.now = end + (0 if by == LEFT else -120)
    return card


def deal(stage: Stage, table: RoundOnTable) -> None:
    """Deal the first cards: one face up to each box, one to the dealer, a second to each (P233-P236)."""
    for hand in table.hands:
        _card_to(stage, hand, table.script.seats[hand.seat].initial[0])
    up = draw_card(stage, table.script.dealer[0], dealer_place(0), by=RIGHT, face_up=False)
    for hand in table.hands:
        _card_to(stage, hand, table.script.seats[hand.seat].initial[1])
    stage.now = max(stage.now, stage.arms[RIGHT].free_ms)
    hole = _hole_under(stage, table.script.dealer[1], up)
    table.dealer = [up, hole]
    stage.now += stage.pace(HOLE_MEETS)


def _hole_under(stage: Stage, code: str, up: Thing) -> Thing:
    """Slide the dealer's second card under the first while the first is turned up."""
    hole = draw_card(stage, code, HOLE_UNDER, face_up=False, ms=480)
    slide_under(stage, up, meet=hole.legs[-1].start_ms)
    return hole


def slide_under(stage: Stage, up: Thing, *, meet: int, turn: bool = True) -> None:
    """Turn the dealer's first card up (unless it is up already) while his second comes to lie under it."""
    tip = stage.tip_for(stage.arms[RIGHT], up, up.place)
    stage.move(RIGHT, tip, ms=330, grip="card", at=meet - 200)
    turning = frozenset([up.key]) if turn else frozenset[str]()
    end = stage.carry(RIGHT, [(up, up.place)], ms=420, lift_mm=22.0, turning=turning)
    stage.release(RIGHT)
    stage.now = max(stage.now, end)


def _card_to(stage: Stage, hand: HandOnTable, code: str, *, sideways: bool = False) -> None:
    place = card_place(hand.seat, len(hand.cards), first_u=hand.first_u, sideways=sideways)
    hand.cards.append(draw_card(stage, code, place, by=dealing_arm(hand.seat)))


def peek(stage: Stage, table: RoundOnTable) -> None:
    """Slide both cards into the ace finder and back; sideways for an ace, lengthwise for a ten (P. "Ace finder")."""
    if table.script.dealer[0][0] in "ATJQK":
        peek_at(stage, *table.dealer)


def peek_at(stage: Stage, up: Thing, hole: Thing) -> None:
    """Slide both cards into the ace finder and back to where they lay."""
    goal = _PEEK_SIDEWAYS if (up.card or "")[:1] == "A" else _PEEK
    back, back_hole = up.place, hole.place
    under = Place(goal.x + 3.0, goal.y + 3.0, goal.angle)
    stage.reach(RIGHT, up)
    stage.carry(RIGHT, [(hole, under), (up, goal)], ms=460, lift_mm=0.0)
    stage.wait(RIGHT, 620, grip="card")
    stage.carry(RIGHT, [(hole, back_hole), (up, back)], ms=460, lift_mm=0.0)
    stage.now = stage.release(RIGHT) + stage.pace(260)


def has_blackjack(cards: tuple[str, ...]) -> bool:
    """Whether the first two cards are an ace and a ten-valued card."""
    ranks = {cards[0][0], cards[1][0]}
    return "A" in ranks and bool(ranks & set("TJQK"))


def split_pair(stage: Stage, table: RoundOnTable, script: SeatScript, pair: HandOnTable) -> None:
    """Take the second wager, part the pair and give the left hand its second card."""
    seat = pair.seat
    pile, end = put_wager(stage, seat, script.split, slot=BESIDE + 2.0, at=stage.now)
    stage.now = end + stage.pace(480)
    table.placed.append(("split", seat, 2, script.split))
    right_card, left_card = pair.cards
    pair.cards, pair.first_u = [left_card], split_first_u(1)
    other = HandOnTable(seat=seat, number=2, first_u=split_first_u(2), slot=BESIDE + 2.0, cards=[right_card])
    other.bets["split"] = pile
    table.hands.insert(table.hands.index(pair) + 1, other)
    arm = dealing_arm(seat)
    for hand in (pair, other):
        stage.reach(arm, hand.cards[0], ms=360)
        goal = stage.about(card_place(seat, 0, first_u=hand.first_u))
        stage.now = stage.carry(arm, [(hand.cards[0], goal)], ms=330, lift_mm=4.0)
    stage.release(arm)
    stage.now += stage.pace(200)


def decide(stage: Stage, table: RoundOnTable, hand: HandOnTable, script: HandScript) -> None:
    """Play one hand: second card of a split, then signal and card until the player stands, is done or breaks."""
    for code in script.cards[len(hand.cards) :]:
        _card_to(stage, hand, code)
        stage.now += stage.pace(620)
    for move in script.moves:
        _decision(stage, table, hand, move)


def _decision(stage: Stage, table: RoundOnTable, hand: HandOnTable, move: Move) -> None:
    if move.kind == "stand":
        signal(stage, seat=hand.seat, first_u=hand.first_u, sweep_mm=42.0)
        return
    if move.kind == "double":
        stack = next(iter(hand.bets.values())).stack
        hand.bets["double"], end = put_wager(stage, hand.seat, stack, slot=hand.slot + BESIDE, at=stage.now)
        table.placed.append(("double", hand.seat, hand.number, stack))
        stage.now = end + stage.pace(460)
    else:
        signal(stage, seat=hand.seat, first_u=hand.first_u, sweep_mm=0.0)
    _card_to(stage, hand, move.card or "", sideways=move.kind == "double")
    stage.now += stage.pace(420)


def signal(stage: Stage, *, seat: int, first_u: float, sweep_mm: float) -> None:
    """Tap twice for a card, or sweep across to stand, between the cards and the wager."""
    key = f"player{seat}"
    spot = at_seat(seat, u=first_u - 62.0, radius=CARD_RADIUS + 42.0)
    far = at_seat(seat, u=first_u - 62.0 - sweep_mm, radius=CARD_RADIUS + 42.0)
    grip = "flat" if sweep_mm else "point"
    low, high = (14.0, 14.0) if sweep_mm else (2.0, 22.0)
    stage.move(key, (spot.x, spot.y, high), ms=430, grip=grip, lift_mm=20.0)
    for x, y, z in ((far.x, far.y, low), (spot.x, spot.y, high), (far.x, far.y, low)):
        end = stage.move(key, (x, y, z), ms=190 if sweep_mm else 130, grip=grip)
    stage.now = end + stage.pace(200)
