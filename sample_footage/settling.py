"""The acts that end a round: the dealer's hand, taking and paying, the players' collecting, picking up."""

from __future__ import annotations

from typing import Final

from sample_footage.dealing import RIGHT, HandOnTable, RoundOnTable, dealing_arm, draw_card
from sample_footage.layout import BESIDE, DISCARD, TUBES, Place, at_seat, bet_place, dealer_place, tube_x
from sample_footage.script import HandScript
from sample_footage.stacks import Stack
from sample_footage.stage import Payment, Stage
from sample_footage.tracks import Thing

COLLECT_AFTER_MS: Final = 1750


def turn_hole_card(stage: Stage, table: RoundOnTable) -> None:
    """Turn the hole card up beside the up card, then deal the dealer's further cards left to right (P252, P256)."""
    hole = table.dealer[1]
    stage.now += stage.pace(160)
    stage.reach(RIGHT, hole)
    end = stage.carry(
        RIGHT, [(hole, stage.about(dealer_place(1)))], ms=520, lift_mm=30.0, turning=frozenset([hole.key])
    )
    stage.release(RIGHT)
    stage.now = end + stage.pace(620)
    for index, code in enumerate(table.script.dealer[2:], start=2):
        table.dealer.append(draw_card(stage, code, dealer_place(index)))
        stage.now += stage.pace(520)


def settle(stage: Stage, table: RoundOnTable) -> None:
    """Take and pay from third base to first base, the right hand of a split before the left (P259)."""
    for seat in sorted(table.script.seats, reverse=True):
        for hand in reversed(table.hands_of(seat)):
            if not hand.done:
                end_hand(stage, hand, table.script.seats[seat].hands[hand.number - 1])
        collect(stage, table.hands_of(seat))


def end_hand(stage: Stage, hand: HandOnTable, script: HandScript) -> None:
    """Do to one hand's wagers what the script says."""
    hand.done = True
    if script.end in ("pay", "blackjack"):
        _pay(stage, hand, script.paid)
    elif script.end in ("take", "broken"):
        _take(stage, hand)
    elif script.end == "push":
        _pat(stage, hand)


def rack_place(stack: Stack) -> Place:
    """Return where over the rack a hand takes such cheques, or lets them fall."""
    return Place(tube_x(TUBES.index(stack[-1]) if stack[-1] in TUBES else len(TUBES) // 2), -52.0)


def _pay(stage: Stage, hand: HandOnTable, paid: tuple[Stack, ...]) -> None:
    """Set a pile beside each wager: on the free side, clearly apart from it."""
    arm = dealing_arm(hand.seat)
    for bet, stack in zip(reversed(list(hand.bets)), reversed(paid), strict=True):
        at = stage.move(arm, (*_xy(rack_place(stack)), 26.0), ms=360, grip="pinch", lift_mm=20.0)
        pile = stage.add_pile(stack, rack_place(stack), at=at)
        stage.wait(arm, 150, grip="pinch")
        goal = stage.about(bet_place(hand.seat, slot=_pay_slot(hand, bet)))
        end = stage.carry(arm, [(pile, goal)], ms=520, lift_mm=30.0)
        stage.release(arm, ms=110)
        hand.bets[f"{bet} paid"] = pile
        stage.payments.append(
            Payment(kind="pay", seat=hand.seat, hand=hand.number, bet=bet, stack=stack, first_ms=at, last_ms=end)
        )
        stage.now = end + stage.pace(330)


def _xy(place: Place) -> tuple[float, float]:
    return place.x, place.y


def _pay_slot(hand: HandOnTable, bet: str) -> float:
    if bet == "double":
        return hand.slot + 2 * BESIDE
    if bet == "main" and ("double" in hand.bets or hand.first_u < 0):
        return hand.slot - BESIDE
    return hand.slot + BESIDE


def _take(stage: Stage, hand: HandOnTable) -> None:
    """Lift the wagers into the rack in one movement."""
    arm = dealing_arm(hand.seat)
    piles = list(hand.bets.items())
    stage.reach(arm, piles[0][1])
    rack = rack_place(piles[0][1].stack)
    start = stage.arms[arm].free_ms
    goals = [(pile, Place(rack.x + 6.0 * i, rack.y)) for i, (_, pile) in enumerate(piles)]
    end = stage.carry(arm, goals, ms=520, lift_mm=30.0)
    stage.release(arm, ms=140)
    for bet, pile in piles:
        pile.gone_ms = end
        stage.payments.append(
            Payment(
                kind="take", seat=hand.seat, hand=hand.number, bet=bet, stack=pile.stack, first_ms=start, last_ms=end
            )
        )
    hand.bets.clear()
    stage.now = end + stage.pace(240)


def _pat(stage: Stage, hand: HandOnTable) -> None:
    """Pat the table before the wager: a push (P266)."""
    pat(stage, dealing_arm(hand.seat), bet_place(hand.seat, slot=hand.slot, outward=-58.0))


def pat(stage: Stage, arm: str, spot: Place) -> None:
    """Pat the table with a flat hand."""
    end = stage.move(arm, (spot.x, spot.y, 20.0), ms=420, grip="flat", lift_mm=16.0)
    for z in (2.0, 20.0, 2.0):
        end = stage.move(arm, (spot.x, spot.y, z), ms=140, grip="flat")
    stage.now = end + stage.pace(420)


def collect(stage: Stage, hands: list[HandOnTable]) -> None:
    """Let the player take back what stands before him, a good moment after the dealer has left it."""
    piles = [pile for hand in hands for pile in hand.bets.values()]
    if not piles:
        return
    key = f"player{hands[0].seat}"
    arm = stage.arms[key]
    first = min(piles, key=lambda pile: abs(pile.place.x - arm.anchor[0]))
    stage.reach(key, first, at=stage.now + stage.pace(COLLECT_AFTER_MS), ms=460)
    home = at_seat(hands[0].seat, u=-70.0, radius=1400.0)
    goals = [(first, home)] + [(pile, home) for pile in piles if pile is not first]
    end = stage.carry(key, goals, ms=560, lift_mm=16.0)
    for pile in piles:
        pile.gone_ms = end
    for hand in hands:
        hand.bets.clear()


def pick_up(stage: Stage, table: RoundOnTable) -> None:
    """Pick the cards up from third base to first base, the dealer's own last, and put them away (P283-P287)."""
    busy = [arm.free_ms for key, arm in stage.arms.items() if key.startswith("player")]
    stage.now = max(stage.now + stage.pace(300), *(ms - 500 for ms in busy))
    piles = [hand.cards for seat in sorted(table.script.seats, reverse=True) for hand in reversed(table.hands_of(seat))]
    gather(stage, [*(cards for cards in piles if cards), table.dealer])


def gather(stage: Stage, hands: list[list[Thing]]) -> None:
    """Sweep up hand after hand, each onto the one before, and carry all to the discard rack."""
    held: list[Thing] = []
    for cards in hands:
        spot = cards[-1].place
        if held:
            stage.carry(RIGHT, [(card, spot) for card in held], ms=430, lift_mm=8.0)
        else:
            stage.reach(RIGHT, cards[-1])
        held = [*held, *cards]
        stage.carry(RIGHT, [(card, spot) for card in reversed(held)], ms=230, lift_mm=0.0)
    x0, y0, x1, y1 = DISCARD
    rack = Place((x0 + x1) / 2, (y0 + y1) / 2, 0.0)
    end = stage.carry(RIGHT, [(card, rack) for card in reversed(held)], ms=560, lift_mm=26.0)
    stage.release(RIGHT, ms=120)
    for card in held:
        card.gone_ms = end
    stage.discards.append((end, stage.discard_count() + len(held)))
    stage.now = end + stage.pace(240)


def take_discards(stage: Stage) -> None:
    """Lift the cards out of the discard rack, for the shuffler."""
    x0, y0, x1, y1 = DISCARD
    stage.now = max(stage.now, *(arm.free_ms for key, arm in stage.arms.items() if key.startswith("player")))
    at = stage.move(RIGHT, ((x0 + x1) / 2, (y0 + y1) / 2, 20.0), ms=460, grip="pinch", lift_mm=24.0)
    end = stage.wait(RIGHT, 200, grip="pinch")
    stage.discards.append((at + 120, 0))
    home = stage.arms[RIGHT].home
    stage.now = stage.move(RIGHT, home, ms=520, grip="pinch", at=end, lift_mm=30.0) + stage.pace(1500)
