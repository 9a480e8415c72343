"""A session of acts, acted out: every line of the script done in its order by the hand whose it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from sample_footage import acting_cards, acting_dice, acting_money
from sample_footage.acts import Act, ActedRound
from sample_footage.scene import Scene
from sample_footage.stage import Payment, Stage
from sample_footage.tables import DICE_GAMES, Table


def _pause(scene: Scene, act: Act) -> None:
    scene.stage.now += act.numbers[0]


DOING: Final[dict[str, Callable[[Scene, Act], None]]] = {
    "bet": acting_money.bet,
    "card": acting_cards.card,
    "hit": acting_cards.hit,
    "stand": acting_cards.stand,
    "part": acting_cards.part,
    "dealer": acting_cards.dealer,
    "expose": acting_cards.expose,
    "open": acting_cards.open_hole,
    "offer": acting_cards.offer,
    "straighten": acting_cards.straighten,
    "peek": acting_cards.peek,
    "take": acting_money.take,
    "pay": acting_money.pay,
    "onto": acting_money.onto,
    "push": acting_money.push,
    "collect": acting_money.collect,
    "clear": acting_cards.clear,
    "shake": acting_dice.shake,
    "reveal": acting_dice.reveal,
    "tip": acting_dice.tip,
    "cover": acting_dice.cover,
    "cap": acting_money.cap,
    "pinch": acting_money.pinch,
    "sensors": acting_money.sensors,
    "cut": acting_cards.cut,
    "shuffle": acting_cards.shuffle,
    "burn": acting_cards.burn,
    "pause": _pause,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldRound:
    """A round of acts as it was played: what the truth tells of it."""

    script: ActedRound
    start_ms: int
    end_ms: int
    payments: tuple[Payment, ...]
    table: dict[str, Any]
    bets: tuple[dict[str, Any], ...]


def open_scene(stage: Stage, table: Table) -> Scene:
    """Return the scene with what stands on the table from the beginning."""
    scene = Scene(stage=stage, table=table)
    if table.game in DICE_GAMES:
        acting_dice.set_up(scene)
    return scene


def act_round(scene: Scene, script: ActedRound) -> ToldRound:
    """Act one round out."""
    stage = scene.stage
    scene.begin_round()
    paid_before = len(stage.payments)
    for act in script.acts:
        if act.verb != "bet":
            scene.wait_for_players()
        DOING[act.verb](scene, act)
    scene.wait_for_players()
    first = scene.first_card
    return ToldRound(
        script=script,
        start_ms=first.legs[0].end_ms if first is not None else stage.now,
        end_ms=stage.discards[-1][0],
        payments=tuple(stage.payments[paid_before:]),
        table=table_record(scene),
        bets=tuple(bet for bet in scene.bets if bet["seat"] in scene.initial),
    )


def table_record(scene: Scene) -> dict[str, Any]:
    """Return cards and dice of the round as the contract of settlement writes them."""
    game = scene.table.game
    seats = {str(seat): _seat_record(scene, seat) for seat in sorted(scene.initial)}
    if game in DICE_GAMES:
        dice = [{"v": face, "c": colour} if game == "dicey_21" else face for face, colour in scene.shown]
        return {"dice": dice, "seats": seats}
    if game == "lucky_draw_baccarat":
        names = ("up", "down", "third") if scene.first_dealt_up else ("down", "up", "third")
        return {"dealer": dict(zip(names, scene.dealer_codes, strict=False)), "seats": seats}
    return {"dealer": list(scene.dealer_codes), "seats": seats}


def _seat_record(scene: Scene, seat: int) -> dict[str, Any]:
    hands = [hand for (own, _), hand in sorted(scene.hands.items()) if own == seat]
    if scene.table.game in ("blackjack", "double_deck"):
        return {"initial": scene.initial[seat], "hands": [{"cards": list(hand.codes)} for hand in hands]}
    record: dict[str, Any] = {"cards": list(hands[0].codes)}
    if scene.table.game in DICE_GAMES:
        record["first_card_lateral"] = hands[0].lateral
    return record
