"""The truth beside a clip: what lay where at every settled moment, the rounds, and what an audit must find.

All of it comes from the script and from what was acted; none of it is computed by the audit. The format is
``truth.schema.json``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from audit.money import format_money
from audit.states import format_state
from sample_footage.acting import ToldRound
from sample_footage.choreography import Performance, PlayedRound
from sample_footage.coverage import card_corners_mm, cylinder_mm, die_corners_mm, pile_outline_mm
from sample_footage.geometry import Camera, Floats
from sample_footage.layout import DISH_FLOOR, DISH_R, LID_HIGH, folded
from sample_footage.scene import named_bet
from sample_footage.script import HandScript, RoundScript, SeatScript, SessionScript
from sample_footage.settled import Moment, Settled, lid_of
from sample_footage.stacks import Stack, value_of
from sample_footage.stage import Payment, thing_height
from sample_footage.tracks import FRAME_MS, Pose, Thing

VERSION = 1


def truth_record(
    session: SessionScript, performance: Performance, moments: list[Settled], camera: Camera
) -> dict[str, Any]:
    """Return the whole truth of a rendered session."""
    return {
        "truth_version": VERSION,
        "session": session.session_id,
        "profile": session.table,
        "seed": session.seed,
        "size": list(camera.size),
        "frame_ms": FRAME_MS,
        "frames": len(range(0, performance.end_ms, FRAME_MS)),
        "moments": [_moment(moment, camera) for moment in moments],
        "rounds": [
            _told(played, performance) if isinstance(played, ToldRound) else _round(played)
            for played in performance.rounds
        ],
        "findings": [
            {"round": index, **_finding(finding)}
            for index, played in enumerate(performance.rounds)
            for finding in played.script.findings
        ],
    }


def states_text(moments: list[Settled]) -> str:
    """Return the settled states as JSON lines, the boundary between seeing and judging."""
    return "".join(format_state(moment.state) + "\n" for moment in moments)


def _moment(settled: Settled, camera: Camera) -> dict[str, Any]:
    moment = settled.moment
    pairs = zip(settled.state.objects, settled.things, strict=True)
    return {
        "t_ms": [moment.first_ms, moment.last_ms],
        "covered": sorted(moment.covered),
        "objects": [_object(thing, moment, camera) for _, thing in pairs if thing is not None],
        "discards": moment.discards,
    }


def _object(thing: Thing, moment: Moment, camera: Camera) -> dict[str, Any]:
    pose = thing.pose_at(moment.first_ms)
    place = pose.place
    common = {"key": thing.key, "xy_mm": [round(place.x, 1), round(place.y, 1)]}
    if thing.kind == "chips":
        hull = camera.project(pile_outline_mm(place, len(thing.stack)))
        return {"kind": "chips", **common, "stack": list(thing.stack), "polygon_px": _bounds(hull)}
    if thing.die is not None:
        hull = camera.project(die_corners_mm(place, z_mm=DISH_FLOOR))
        face, colour = thing.die
        return {"kind": "die", **common, "value": face, "colour": colour, "polygon_px": _bounds(hull)}
    if thing.kind == "dish":
        lid = lid_of(moment, thing)
        high = LID_HIGH if lid == "on" else thing_height(thing)
        hull = camera.project(cylinder_mm(place, radius=DISH_R, low=0.0, high=high))
        return {"kind": "dice_cup", **common, "lid": lid, "polygon_px": _bounds(hull)}
    return _flat_object(thing, pose, common, camera)


def _flat_object(thing: Thing, pose: Pose, common: dict[str, Any], camera: Camera) -> dict[str, Any]:
    angle = round(folded(pose.place.angle), 1)
    quad = np.round(camera.project(card_corners_mm(pose.place)), 1).tolist()
    if thing.kind == "cut_card":
        return {"kind": "cut_card", **common, "angle_deg": angle, "polygon_px": quad}
    kind = "card" if pose.face_up else "card_back"
    return {"kind": kind, **common, "angle_deg": angle, "card": thing.card, "polygon_px": quad}


def _bounds(hull: Floats) -> list[list[float]]:
    (x0, y0), (x1, y1) = np.round(hull.min(axis=0), 1).tolist(), np.round(hull.max(axis=0), 1).tolist()
    return [[x0, y0], [x1, y0], [x1, y1], [x0, y1]]


def _told(played: ToldRound, performance: Performance) -> dict[str, Any]:
    moved = {
        kind: [
            {
                **named_bet(payment.seat, payment.bet, payment.hand, payment.stack),
                "first_ms": payment.first_ms,
                "last_ms": payment.last_ms,
            }
            for payment in played.payments
            if payment.kind == kind
        ]
        for kind in ("pay", "take")
    }
    return {
        "title": played.script.title,
        "start_ms": played.start_ms,
        "end_ms": played.end_ms,
        "status": "complete",
        "game": performance.table.game,
        "variant": dict(performance.table.variant),
        "table": played.table,
        "bets": list(played.bets),
        "pays": moved["pay"],
        "takes": moved["take"],
    }


def _round(played: PlayedRound) -> dict[str, Any]:
    script = played.script
    return {
        "title": script.title,
        "start_ms": played.start_ms,
        "end_ms": played.end_ms,
        "status": "complete",
        "game": "blackjack",
        "variant": {"decks": 6},
        "table": {
            "dealer": list(script.dealer),
            "seats": {str(seat): _seat(script.seats[seat]) for seat in sorted(script.seats)},
        },
        "bets": _bets(script),
        "pays": [_payment(payment) for payment in played.payments if payment.kind == "pay"],
        "takes": [_payment(payment) for payment in played.payments if payment.kind == "take"],
    }


def _seat(seat: SeatScript) -> dict[str, Any]:
    return {"initial": list(seat.initial), "hands": [{"cards": list(hand.final_cards)} for hand in seat.hands]}


def _bets(script: RoundScript) -> list[dict[str, Any]]:
    bets: list[dict[str, Any]] = []
    for seat in sorted(script.seats):
        plan = script.seats[seat]
        bets.append(_bet(seat, 1, "main", plan.bet))
        if plan.split:
            bets.append(_bet(seat, 2, "split", plan.split))
        bets += [_bet(seat, n, "double", stack) for n, stack in _doubles(plan)]
    return bets


def _doubles(plan: SeatScript) -> list[tuple[int, Stack]]:
    def wager(number: int) -> Stack:
        return plan.bet if number == 1 else plan.split

    doubled: list[tuple[int, HandScript]] = [(n, h) for n, h in enumerate(plan.hands, start=1) if h.is_doubled]
    return [(number, wager(number)) for number, _ in doubled]


def _bet(seat: int, hand: int, bet: str, stack: Stack) -> dict[str, Any]:
    amount = format_money(value_of(stack))
    return {"seat": seat, "hand": hand, "bet": bet, "amount": amount, "stack": list(stack)}


def _payment(payment: Payment) -> dict[str, Any]:
    times = {"first_ms": payment.first_ms, "last_ms": payment.last_ms}
    return {**_bet(payment.seat, payment.hand, payment.bet, payment.stack), **times}


def _finding(finding: dict[str, Any]) -> dict[str, Any]:
    return {"verdict": "violation", "amount": None, **finding}
