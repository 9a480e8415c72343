"""Acts with cheques: wagers placed, capped and pinched, taken, paid, pushed and collected."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from sample_footage.acts import Act
from sample_footage.dealing import RIGHT, dealing_arm
from sample_footage.layout import BESIDE, Place, at_seat
from sample_footage.scene import Scene, Standing
from sample_footage.settling import COLLECT_AFTER_MS, pat, rack_place
from sample_footage.stacks import Stack
from sample_footage.stage import Payment
from sample_footage.tracks import Thing

_SPLIT_SLOT: Final = BESIDE + 2.0
_ON_MAIN: Final = ("main", "split", "double")


def bet(scene: Scene, act: Act) -> None:
    """Let a player set a pile on a spot; several players do so at the same time."""
    if scene.just_dealt:
        scene.think()
    stage, key = scene.stage, f"player{act.seat}"
    arm = stage.arms[key]
    start = max(stage.now, arm.free_ms)
    pile = stage.add_pile(act.stack, Place(arm.home[0], arm.home[1]), at=start)
    end = stage.carry(key, [(pile, stage.about(_wager_place(scene, act)))], ms=600, at=start)
    stage.release(key)
    stage.now += stage.pace(330)
    scene.waiting_ms = max(scene.waiting_ms, end)
    scene.wagers[act.seat, act.spot, act.hand] = Standing(pile=pile)
    scene.placed.add((act.seat, act.spot, act.hand))
    scene.note_bet(act)


def _wager_place(scene: Scene, act: Act) -> Place:
    if act.spot in _ON_MAIN:
        return _on_main(scene, act.seat, _slot(act))
    return scene.table.wager_place(act.seat, act.spot)


def _on_main(scene: Scene, seat: int, slot: float) -> Place:
    return at_seat(seat, u=slot, radius=scene.table.spot("main").radius)


def _slot(act: Act) -> float:
    """Where across the betting area: the split wager right of the first, a double right of its bet."""
    base = _SPLIT_SLOT if act.hand == 2 else 0.0
    return base + BESIDE if act.spot == "double" else base


def _pay_place(scene: Scene, act: Act) -> Place:
    """On the free side of the wager."""
    if act.spot not in _ON_MAIN:
        return scene.table.pay_place(act.seat, act.spot)
    neighbour = {(act.seat, "double", act.hand), (act.seat, "split", 2)} & scene.placed
    left = act.spot == "main" and bool(neighbour)
    return _on_main(scene, act.seat, _slot(act) + (-BESIDE if left else BESIDE))


def pay(scene: Scene, act: Act) -> None:
    """Set a payment beside a wager."""
    pile = _bring(scene, act, _pay_place(scene, act))
    scene.standing(act, act.spot).paid.append(pile)


def onto(scene: Scene, act: Act) -> None:
    """Stack a payment onto its wager."""
    standing = scene.standing(act, act.spot)
    old = standing.pile
    if old is None:
        pay(scene, act)
        return
    added = _bring(scene, act, old.place, high_mm=len(old.stack) * 3.3)
    standing.pile = _merged(scene, old, added, (*old.stack, *added.stack))


def _bring(scene: Scene, act: Act, goal: Place, *, high_mm: float = 0.0) -> Thing:
    stage, arm, stack = scene.stage, dealing_arm(act.seat), act.stack
    rack = rack_place(stack)
    at = stage.move(arm, (rack.x, rack.y, 26.0), ms=360, grip="pinch", lift_mm=20.0)
    pile = stage.add_pile(stack, rack, at=at)
    stage.wait(arm, 150, grip="pinch")
    end = stage.carry(arm, [(pile, stage.about(goal))], ms=520, lift_mm=30.0, rise_mm=(0.0, high_mm))
    stage.release(arm, ms=110)
    _note(scene, "pay", act, act.spot, stack, first_ms=at, last_ms=end)
    stage.now = end + stage.pace(330)
    return pile


def _note(scene: Scene, kind: str, act: Act, spot: str, stack: Stack, *, first_ms: int, last_ms: int) -> None:
    scene.stage.payments.append(
        Payment(kind=kind, seat=act.seat, hand=act.hand, bet=spot, stack=stack, first_ms=first_ms, last_ms=last_ms)
    )


def _merged(scene: Scene, old: Thing, added: Thing, stack: Stack) -> Thing:
    """Replace a pile and what was put onto it by one pile."""
    end = added.legs[-1].end_ms
    old.gone_ms = added.gone_ms = end
    return scene.stage.add_pile(stack, old.place, at=end)


def take(scene: Scene, act: Act) -> None:
    """Lift wagers into the rack in one movement."""
    standing = [(spot, scene.wagers.pop((act.seat, spot, act.hand))) for spot in act.spots]
    piles = [(spot, pile) for spot, one in standing for pile in one.piles]
    start, end = _into_rack(scene, dealing_arm(act.seat), [pile for _, pile in piles])
    for spot, one in standing:
        if one.pile is not None:
            _note(scene, "take", act, spot, one.pile.stack, first_ms=start, last_ms=end)


def sensors(scene: Scene, _act: Act) -> None:
    """Collect every progressive wager into the rack before the deal; it stays in play."""
    scene.stage.now += scene.stage.pace(600)
    for _, one in sorted((name, one) for name, one in scene.wagers.items() if name[1] == "blazing7"):
        if one.pile is not None:
            _into_rack(scene, RIGHT, [one.pile])
            one.pile = None


def _into_rack(scene: Scene, arm: str, piles: Sequence[Thing]) -> tuple[int, int]:
    stage = scene.stage
    stage.reach(arm, piles[0])
    rack = rack_place(piles[0].stack)
    start = stage.arms[arm].free_ms
    goals = [(pile, Place(rack.x + 6.0 * i, rack.y)) for i, pile in enumerate(piles)]
    end = stage.carry(arm, goals, ms=520, lift_mm=30.0)
    stage.release(arm, ms=140)
    for pile in piles:
        pile.gone_ms = end
    stage.now = end + stage.pace(240)
    return start, end


def push(scene: Scene, act: Act) -> None:
    """Pat the table before a wager: a push."""
    place = _wager_place(scene, act)
    towards = at_seat(act.seat, u=0.0, radius=0.0)
    part = 58.0 / max(1.0, ((place.x - towards.x) ** 2 + (place.y - towards.y) ** 2) ** 0.5)
    spot = Place(place.x + (towards.x - place.x) * part, place.y + (towards.y - place.y) * part)
    pat(scene.stage, dealing_arm(act.seat), spot)


def cap(scene: Scene, act: Act) -> None:
    """Let a player put more cheques onto a wager that stands."""
    stage, key, standing = scene.stage, f"player{act.seat}", scene.standing(act, act.spot)
    arm, old = stage.arms[key], standing.pile
    assert old is not None  # noqa: S101 - a script that caps a wager in the rack is wrong
    start = max(stage.now, arm.free_ms)
    added = stage.add_pile(act.stack, Place(arm.home[0], arm.home[1]), at=start)
    high = len(old.stack) * 3.3
    end = stage.carry(key, [(added, old.place)], ms=620, at=start, lift_mm=18.0, rise_mm=(0.0, high))
    stage.release(key)
    standing.pile = _merged(scene, old, added, (*old.stack, *added.stack))
    stage.now = end + stage.pace(900)


def pinch(scene: Scene, act: Act) -> None:
    """Let a player take cheques off the top of a wager; ``stack`` is what he leaves."""
    stage, key, standing = scene.stage, f"player{act.seat}", scene.standing(act, act.spot)
    old = standing.pile
    assert old is not None  # noqa: S101 - see above
    stage.reach(key, old, ms=460)
    at = stage.arms[key].free_ms
    old.gone_ms = at
    standing.pile = stage.add_pile(act.stack, old.place, at=at)
    removed = stage.add_pile(old.stack[len(act.stack) :], old.place, at=at)
    home = at_seat(act.seat, u=-70.0, radius=1400.0)
    end = stage.carry(key, [(removed, home)], ms=560, lift_mm=16.0)
    removed.gone_ms = end
    stage.now = end + stage.pace(700)


def collect(scene: Scene, act: Act) -> None:
    """Let the player take back what stands before him, a good moment after the dealer has left it."""
    names = [name for name in scene.wagers if name[0] == act.seat and (not act.spots or name[1] in act.spots)]
    groups = [scene.wagers.pop(name).piles for name in names]
    groups = [group for group in groups if group]
    if not groups:
        return
    stage, key = scene.stage, f"player{act.seat}"
    away = stage.arms[key].anchor
    groups.sort(key=lambda group: -math.dist((group[0].place.x, group[0].place.y), away))
    held: list[Thing] = []
    at = stage.now + stage.pace(COLLECT_AFTER_MS)
    for group in groups:
        if held:
            place = group[0].place
            stage.carry(key, [(pile, place) for pile in held], ms=330, lift_mm=10.0)
        else:
            stage.reach(key, group[0], at=at, ms=460)
        held = [*held, *group]
    home = at_seat(act.seat, u=-70.0, radius=1400.0)
    end = stage.carry(key, [(pile, home) for pile in held], ms=560, lift_mm=16.0)
    for pile in held:
        pile.gone_ms = end
    scene.collected_ms = max(scene.collected_ms, end)
