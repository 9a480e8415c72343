"""From script to stage: every round acted out in the manual's order, with its times noted for the truth."""

from __future__ import annotations

from dataclasses import dataclass

from sample_footage.acting import ToldRound, act_round, open_scene
from sample_footage.acts import ActedRound
from sample_footage.dealing import RoundOnTable, deal, decide, has_blackjack, peek, place_wagers, split_pair
from sample_footage.layout import at_seat
from sample_footage.script import RoundScript, SessionScript
from sample_footage.settling import collect, end_hand, gather, pick_up, settle, turn_hole_card
from sample_footage.stage import Payment, Stage
from sample_footage.tables import PLAIN, Table, table_of
from sample_footage.tracks import with_rests


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedRound:
    """A round as it was acted: its script, between which times, and the cheques that moved."""

    script: RoundScript
    start_ms: int
    end_ms: int
    payments: tuple[Payment, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Performance:
    """A whole session: the stage with all that moves, its rounds, its length and the table it is played at."""

    stage: Stage
    rounds: tuple[PlayedRound | ToldRound, ...]
    end_ms: int
    table: Table = PLAIN


def perform(session: SessionScript) -> Performance:
    """Act the session out."""
    stage, table = Stage(seed=session.seed), table_of(session.table)
    for seat, banks in table.banks.items():
        for i, stack in enumerate(banks):
            stage.add_pile(stack, stage.about(at_seat(seat, u=4.0 + 42.5 * i, radius=table.bank_radius)), at=0)
    stage.now = 900
    scene = open_scene(stage, table)
    rounds = tuple(
        act_round(scene, script) if isinstance(script, ActedRound) else _play(stage, script)
        for script in session.rounds
    )
    stage.arms = {key: with_rests(arm) for key, arm in stage.arms.items()}
    return Performance(stage=stage, rounds=rounds, end_ms=stage.now + 1400, table=table)


def _play(stage: Stage, script: RoundScript) -> PlayedRound:
    table = RoundOnTable(script=script)
    paid_before = len(stage.payments)
    place_wagers(stage, table)
    deal(stage, table)
    first = table.hands[0].cards[0]
    peek(stage, table)
    if not (has_blackjack(script.dealer) and script.dealer[0][0] in "ATJQK"):
        for seat in sorted(script.seats):
            _play_seat(stage, table, seat)
    turn_hole_card(stage, table)
    settle(stage, table)
    pick_up(stage, table)
    return PlayedRound(
        script=script,
        start_ms=first.legs[0].end_ms,
        end_ms=stage.discards[-1][0],
        payments=tuple(stage.payments[paid_before:]),
    )


def _play_seat(stage: Stage, table: RoundOnTable, seat: int) -> None:
    script = table.script.seats[seat]
    if script.split:
        split_pair(stage, table, script, table.hands_of(seat)[0])
    for hand in table.hands_of(seat):
        plan = script.hands[hand.number - 1]
        decide(stage, table, hand, plan)
        if plan.end in ("blackjack", "broken"):
            end_hand(stage, hand, plan)
        if plan.end == "broken":
            gather(stage, [hand.cards])
            hand.cards = []
        if plan.end == "blackjack":
            collect(stage, [hand])
