"""The stage: the clock, the things and the arms of a session, and the few movements of which all acts are made."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from sample_footage.layout import CARD_THICK, CHIP_H, DIE_MM, DISH_FLOOR, LID_HIGH, SEAT_DEG, Place, at_seat
from sample_footage.stacks import Stack
from sample_footage.tracks import Arm, ArmLeg, Leg, Point3, Thing

REACH_MS: Final = 400
CARRY_MS: Final = 440
GRASP_MS: Final = 80
_HEIGHTS: Final = {
    "card": CARD_THICK,
    "cut_card": CARD_THICK,
    "die": DIE_MM + DISH_FLOOR,
    "dish": 12.0,
    "lid": LID_HIGH,
}
TEMPO: Final = 0.87
"""All times below are multiplied by this: the pace of a practised dealer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Payment:
    """Cheques that the dealer added to (``pay``) or removed from (``take``) a wager, and between which times."""

    kind: str
    seat: int
    hand: int
    bet: str
    stack: Stack
    first_ms: int
    last_ms: int


@dataclass(slots=True)
class Stage:
    """Everything that happens, in the making. ``now`` is the time up to which the acts have been told."""

    seed: int
    now: int = 0
    things: list[Thing] = field(default_factory=list)
    arms: dict[str, Arm] = field(default_factory=dict)
    payments: list[Payment] = field(default_factory=list)
    discards: list[tuple[int, int]] = field(default_factory=list)
    accidents: random.Random = field(init=False)
    _layer: float = 0.0

    def __post_init__(self) -> None:
        self.accidents = random.Random(self.seed)
        self.discards.append((0, 0))
        for side, key in ((-1, "dealer.left"), (1, "dealer.right")):
            self.arms[key] = Arm(
                key=key, anchor=(side * 200.0, -560.0), home=(side * 130.0, -330.0, 40.0), mirrored=side < 0
            )
        for seat in SEAT_DEG:
            away, home = at_seat(seat, u=-70.0, radius=1720.0), at_seat(seat, u=-70.0, radius=1420.0)
            key = f"player{seat}"
            self.arms[key] = Arm(key=key, anchor=(away.x, away.y), home=(home.x, home.y, 40.0), mirrored=False)

    def about(self, place: Place, *, mm: float = 1.2, deg: float = 1.2) -> Place:
        """Return the place as a hand hits it: a little off."""
        off = self.accidents.uniform
        return Place(place.x + off(-mm, mm), place.y + off(-mm, mm), place.angle + off(-deg, deg))

    def pace(self, ms: float) -> int:
        """Return the time as a person keeps it: a little more or less."""
        return round(ms * TEMPO * self.accidents.uniform(0.92, 1.1))

    def next_layer(self) -> float:
        """Return a layer above all that lie on the table."""
        self._layer += 1.0
        return self._layer

    def add_card(self, code: str, place: Place, *, at: int, face_up: bool = False) -> Thing:
        """Bring a card onto the table."""
        thing = Thing(key=f"card{len(self.things)}", home=place, born_ms=at, card=code, face_up=face_up)
        return self._add(thing, at)

    def add_pile(self, stack: Stack, place: Place, *, at: int) -> Thing:
        """Bring a pile of chips onto the table."""
        return self._add(Thing(key=f"pile{len(self.things)}", home=place, born_ms=at, stack=stack), at)

    def add_object(self, shape: str, place: Place, *, at: int, die: tuple[int, str] | None = None) -> Thing:
        """Bring something else onto the table: a die, the dish or the lid of the cup, a cut card."""
        name = shape or "die"
        return self._add(Thing(key=f"{name}{len(self.things)}", home=place, born_ms=at, shape=shape, die=die), at)

    def _add(self, thing: Thing, at: int) -> Thing:
        thing.layers.append((at, self.next_layer()))
        self.things.append(thing)
        return thing

    def tip_for(self, arm: Arm, thing: Thing, place: Place) -> Point3:
        """Return where the arm's fingertips hold the thing when it is at the place."""
        if not thing.is_flat:
            return place.x, place.y, thing_height(thing)
        towards = math.hypot(arm.anchor[0] - place.x, arm.anchor[1] - place.y)
        part = 26.0 / towards
        return place.x + (arm.anchor[0] - place.x) * part, place.y + (arm.anchor[1] - place.y) * part, 2.0

    def move(self, key: str, goal: Point3, *, ms: float, grip: str, at: int | None = None, lift_mm: float = 0.0) -> int:
        """Move an arm's fingertips; return when they arrive. It begins when the arm is free, not before ``at``."""
        arm = self.arms[key]
        start = max(self.now if at is None else at, arm.free_ms)
        end = start + self.pace(ms)
        arm.legs.append(ArmLeg(start_ms=start, end_ms=end, origin=arm.tip, goal=goal, grip=grip, lift_mm=lift_mm))
        return end

    def wait(self, key: str, ms: float, *, grip: str) -> int:
        """Keep the arm where it is."""
        return self.move(key, self.arms[key].tip, ms=ms, grip=grip, at=self.arms[key].free_ms)

    def reach(self, key: str, thing: Thing, *, at: int | None = None, ms: float = REACH_MS) -> int:
        """Bring the arm's fingers to the thing and close them."""
        arm = self.arms[key]
        self.move(key, self.tip_for(arm, thing, thing.place), ms=ms, grip=_grip(thing), at=at, lift_mm=24.0)
        return self.wait(key, GRASP_MS, grip=_grip(thing))

    def carry(
        self,
        key: str,
        goals: Sequence[tuple[Thing, Place]],
        *,
        ms: float = CARRY_MS,
        at: int = 0,
        lift_mm: float = 14.0,
        turning: frozenset[str] = frozenset(),
        rise_mm: tuple[float, float] = (0.0, 0.0),
    ) -> int:
        """Carry things, the arm holding the first, each to its goal; return when they lie there.

        Those whose keys are in ``turning`` are turned over on the way.
        """
        arm, (first, goal) = self.arms[key], goals[0]
        start = max(at, arm.free_ms)
        x, y, z = self.tip_for(arm, first, goal)
        end = self.move(key, (x, y, z + rise_mm[1]), ms=ms, grip=_grip(first), at=start, lift_mm=lift_mm)
        for thing, place in goals:
            thing.legs.append(
                Leg(
                    start_ms=start,
                    end_ms=end,
                    origin=thing.place,
                    goal=place,
                    lift_mm=lift_mm,
                    turns=thing.key in turning,
                    rise_mm=rise_mm,
                )
            )
            thing.layers.append((start, self.next_layer()))
        return end

    def release(self, key: str, *, ms: float = 60) -> int:
        """Open the fingers and leave."""
        return self.wait(key, ms, grip=self.arms[key].legs[-1].grip)

    def discard_count(self) -> int:
        """How many cards lie in the discard rack."""
        return self.discards[-1][1]


def thing_height(thing: Thing) -> float:
    """Return how high above the felt the top of a thing is."""
    return _HEIGHTS.get(thing.kind, len(thing.stack) * CHIP_H)


def _grip(thing: Thing) -> str:
    return "card" if thing.is_flat else "pinch"
