"""Acts with cards: dealing, signals, splitting, the dealer's own cards, picking up."""

from __future__ import annotations

from typing import Final

from sample_footage.acts import Act
from sample_footage.dealing import HOLE_MEETS, LEFT, RIGHT, dealing_arm, draw_card, peek_at, signal, slide_under
from sample_footage.layout import HOLE_UNDER, Place, dealer_place, split_first_u
from sample_footage.scene import HandOfCards, Scene
from sample_footage.settling import gather, take_discards
from sample_footage.tracks import Thing

_ASIDE: Final = Place(-258.0, 40.0, 4.0)
_BURNT: Final = Place(-258.0, 52.0, 6.0)
_OFFERED: Final = (Place(-118.0, 112.0, 90.0), Place(-101.0, 121.0, 90.0))


def card(scene: Scene, act: Act) -> None:
    """Draw a card for a seat."""
    scene.begin_dealing()
    stage, hand = scene.stage, scene.hand(act)
    way = act.way or "upright"
    goal = scene.table.player_card(act.seat, len(hand.cards), first_u=hand.first_u, how=way)
    thing = draw_card(stage, act.card, goal, by=dealing_arm(act.seat), face_up=way != "down")
    hand.lateral = hand.lateral or way == "lateral"
    stage.now += stage.pace(300)
    hand.cards.append(thing)
    hand.codes.append(act.card)
    dealt = scene.initial.setdefault(act.seat, [])
    if len(dealt) < 2:
        dealt.append(act.card)
    scene.first_card, scene.just_dealt = scene.first_card or thing, True


def hit(scene: Scene, act: Act) -> None:
    """Let the player tap for a card, and give it."""
    hand = scene.hand(act)
    scene.think()
    signal(scene.stage, seat=act.seat, first_u=hand.first_u, sweep_mm=0.0)
    card(scene, act)
    scene.just_dealt = False
    scene.stage.now += scene.stage.pace(420)


def stand(scene: Scene, act: Act) -> None:
    """Let the player sweep his hand: no card."""
    scene.think()
    signal(scene.stage, seat=act.seat, first_u=scene.hand(act).first_u, sweep_mm=42.0)


def part(scene: Scene, act: Act) -> None:
    """Part a pair: the second card becomes the left hand's first."""
    stage, pair = scene.stage, scene.hands[act.seat, 1]
    right = HandOfCards(seat=act.seat, first_u=split_first_u(2), cards=pair.cards[:1], codes=pair.codes[:1])
    left = HandOfCards(seat=act.seat, first_u=split_first_u(1), cards=pair.cards[1:], codes=pair.codes[1:])
    scene.hands[act.seat, 1], scene.hands[act.seat, 2] = left, right
    arm = dealing_arm(act.seat)
    for hand in (left, right):
        stage.reach(arm, hand.cards[0], ms=360)
        goal = stage.about(scene.table.player_card(act.seat, 0, first_u=hand.first_u, how="upright"))
        stage.now = stage.carry(arm, [(hand.cards[0], goal)], ms=330, lift_mm=4.0)
    stage.release(arm)
    stage.now += stage.pace(200)


def dealer(scene: Scene, act: Act) -> None:
    """Draw a card for the dealer: up, down, or under the one that is turned up over it."""
    scene.begin_dealing()
    stage, index = scene.stage, len(scene.dealer)
    stage.now = max(stage.now, stage.arms[RIGHT].free_ms)
    if act.way == "under":
        thing = draw_card(stage, act.card, HOLE_UNDER, face_up=False, ms=480)
        slide_under(stage, scene.dealer[0], meet=thing.legs[-1].start_ms, turn=not scene.first_dealt_up)
        stage.now += stage.pace(HOLE_MEETS)
    else:
        by = RIGHT if act.way == "down" and index == 0 else LEFT
        thing = draw_card(stage, act.card, scene.table.dealer_card(index), by=by, face_up=act.way != "down")
        stage.now += stage.pace(260 if index == 1 else 640)
    scene.first_dealt_up = scene.first_dealt_up or (index == 0 and act.way == "up")
    scene.dealer.append(thing)
    scene.dealer_codes.append(act.card)
    scene.first_card, scene.just_dealt = scene.first_card or thing, True


def expose(scene: Scene, act: Act) -> None:
    """Turn one of the dealer's cards over where it lies."""
    _turn(scene, scene.dealer[act.numbers[0] - 1], None)


def open_hole(scene: Scene, _act: Act) -> None:
    """Turn the hole card up beside the up card."""
    _turn(scene, scene.dealer[1], dealer_place(1))


def _turn(scene: Scene, thing: Thing, goal: Place | None) -> None:
    stage = scene.stage
    stage.now += stage.pace(160)
    stage.reach(RIGHT, thing)
    place = thing.place if goal is None else stage.about(goal)
    end = stage.carry(RIGHT, [(thing, place)], ms=520, lift_mm=30.0, turning=frozenset([thing.key]))
    stage.release(RIGHT)
    stage.now = end + stage.pace(620)


def offer(scene: Scene, _act: Act) -> None:
    """Turn the dealer's cards sideways: insurance is open."""
    _shift(scene, _OFFERED)


def straighten(scene: Scene, _act: Act) -> None:
    """Turn the dealer's cards back to normal."""
    _shift(scene, (dealer_place(0), HOLE_UNDER))


def _shift(scene: Scene, goals: tuple[Place, Place]) -> None:
    stage, (up, hole) = scene.stage, scene.dealer[:2]
    stage.reach(RIGHT, up)
    stage.carry(RIGHT, [(hole, goals[1]), (up, goals[0])], ms=420, lift_mm=2.0)
    stage.now = stage.release(RIGHT) + stage.pace(420)


def peek(scene: Scene, _act: Act) -> None:
    """Slide the dealer's cards into the ace finder and back."""
    peek_at(scene.stage, scene.dealer[0], scene.dealer[1])


def clear(scene: Scene, act: Act) -> None:
    """Pick up hands in the order named, and carry them to the discard rack in one go."""
    stage = scene.stage
    if len(act.whose) > 1:
        busy = [arm.free_ms for key, arm in stage.arms.items() if key.startswith("player")]
        stage.now = max(stage.now + stage.pace(300), *(ms - 500 for ms in busy))
    piles: list[list[Thing]] = []
    for seat in act.whose:
        if seat:
            piles += [hand.cards for (own, _), hand in sorted(scene.hands.items(), reverse=True) if own == seat]
        else:
            piles.append(scene.dealer)
    gather(stage, [list(cards) for cards in piles if cards])
    for cards in piles:
        cards.clear()


def cut(scene: Scene, _act: Act) -> None:
    """Draw the cut card and lay it aside."""
    stage = scene.stage
    thing = draw_card(stage, "", _ASIDE, ms=380)
    stage.now = max(stage.now, thing.legs[-1].end_ms) + stage.pace(300)


def shuffle(scene: Scene, _act: Act) -> None:
    """Carry the discards away to the shuffler; the shoe is full again."""
    take_discards(scene.stage)


def burn(scene: Scene, act: Act) -> None:
    """Draw the first card after a shuffle and put it away: shown (up), or unseen (down)."""
    stage = scene.stage
    thing = draw_card(stage, act.card, _BURNT, face_up=act.way == "up", ms=380)
    stage.now = max(stage.now, thing.legs[-1].end_ms) + stage.pace(800)
    gather(stage, [[thing]])
