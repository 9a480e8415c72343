"""What moves on the sample table: cards, piles and arms, each with its legs through time."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Final

from sample_footage.layout import Place

FRAME_MS: Final = 40
"""25 pictures a second."""

Point3 = tuple[float, float, float]


def eased(u: float) -> float:
    """Return the way covered at the part ``u`` of the time, at rest at both ends (least jerk)."""
    u = min(1.0, max(0.0, u))
    return u * u * u * (10.0 - 15.0 * u + 6.0 * u * u)


@dataclass(frozen=True, slots=True, kw_only=True)
class Leg:
    """One movement of a thing from place to place; ``turns`` = it is turned over on the way.

    ``rise_mm``: how high above the felt it begins and ends.
    """

    start_ms: int
    end_ms: int
    origin: Place
    goal: Place
    lift_mm: float = 0.0
    turns: bool = False
    rise_mm: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pose:
    """Where a thing is at a moment; ``turn`` runs from 0 to 1 while it is being turned over."""

    place: Place
    z_mm: float
    face_up: bool
    moving: bool
    turn: float = 0.0


@dataclass(slots=True, kw_only=True)
class Thing:
    """A card, a pile of chips or another object from the moment it appears to the moment it has gone.

    ``card`` for a card, ``stack`` (bottom to top) for a pile, ``die`` (face and colour) for a die; ``shape`` names what
    is none of these: ``dish`` and ``lid`` of the dice cup, ``cut_card``. ``layer`` orders what lies on each other.
    ``shaken``: how often a dish was shaken, by when it was put down.
    """

    key: str
    home: Place
    born_ms: int
    card: str | None = None
    stack: tuple[str, ...] = ()
    die: tuple[int, str] | None = None
    shape: str = ""
    face_up: bool = False
    gone_ms: int | None = None
    shaken: list[tuple[int, int]] = field(default_factory=list)
    legs: list[Leg] = field(default_factory=list)
    layers: list[tuple[int, float]] = field(default_factory=list)

    @property
    def kind(self) -> str:
        """``card``, ``chips``, ``die``, ``dish``, ``lid`` or ``cut_card``."""
        if self.shape:
            return self.shape
        if self.die is not None:
            return "die"
        return "card" if self.card is not None else "chips"

    @property
    def is_flat(self) -> bool:
        """Whether it is held like a card."""
        return self.kind in ("card", "cut_card")

    @property
    def place(self) -> Place:
        """Where it comes to rest at last, so far."""
        return self.legs[-1].goal if self.legs else self.home

    def exists_at(self, t_ms: int) -> bool:
        """Whether it is on the table, or on its way over it."""
        return self.born_ms <= t_ms and (self.gone_ms is None or t_ms < self.gone_ms)

    def layer_at(self, t_ms: int) -> float:
        """Higher lies on top."""
        passed = [layer for since, layer in self.layers if since <= t_ms]
        return passed[-1] if passed else 0.0

    def pose_at(self, t_ms: int) -> Pose:
        """Return where it is at that moment."""
        begun = [leg for leg in self.legs if leg.start_ms <= t_ms]
        turned = self.face_up != (sum(leg.turns for leg in begun[:-1]) % 2 == 1)
        if not begun:
            return Pose(place=self.home, z_mm=0.0, face_up=self.face_up, moving=False)
        leg = begun[-1]
        u = eased((t_ms - leg.start_ms) / max(1, leg.end_ms - leg.start_ms))
        way = Place(
            leg.origin.x + (leg.goal.x - leg.origin.x) * u,
            leg.origin.y + (leg.goal.y - leg.origin.y) * u,
            leg.origin.angle + (leg.goal.angle - leg.origin.angle) * u,
        )
        face_up = turned != (leg.turns and u >= 0.5)
        moving = t_ms < leg.end_ms
        return Pose(
            place=way if moving else leg.goal,
            z_mm=4.0 * leg.lift_mm * u * (1.0 - u) + leg.rise_mm[0] * (1.0 - u) + leg.rise_mm[1] * u,
            face_up=face_up,
            moving=moving,
            turn=u if leg.turns and moving else 0.0,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmLeg:
    """One movement of a hand: where its fingertips go from and to, in which grip."""

    start_ms: int
    end_ms: int
    origin: Point3
    goal: Point3
    grip: str
    lift_mm: float = 0.0


@dataclass(slots=True, kw_only=True)
class Arm:
    """A dealer's or a player's arm. ``anchor`` is where it comes from, ``home`` where its fingertips rest unseen."""

    key: str
    anchor: tuple[float, float]
    home: Point3
    mirrored: bool
    legs: list[ArmLeg] = field(default_factory=list)

    @property
    def seat(self) -> int | None:
        """The player's seat, None for the dealer's arms."""
        return int(self.key[-1]) if self.key.startswith("player") else None

    @property
    def tip(self) -> Point3:
        """Where the fingertips are at last, so far."""
        return self.legs[-1].goal if self.legs else self.home

    @property
    def free_ms(self) -> int:
        """When it has finished what it was told."""
        return self.legs[-1].end_ms if self.legs else 0

    def leg_at(self, t_ms: int) -> ArmLeg | None:
        """Return the last leg begun at that moment, None before the first."""
        begun = None
        for leg in self.legs:
            if leg.start_ms > t_ms:
                break
            begun = leg
        return begun

    def tip_at(self, t_ms: int) -> Point3:
        """Return where the fingertips are at that moment."""
        leg = self.leg_at(t_ms)
        if leg is None:
            return self.home
        u = eased((t_ms - leg.start_ms) / max(1, leg.end_ms - leg.start_ms))
        x, y, z = (a + (b - a) * u for a, b in zip(leg.origin, leg.goal, strict=True))
        return x, y, z + 4.0 * leg.lift_mm * u * (1.0 - u)

    def grip_at(self, t_ms: int) -> str:
        """Return the hand's grip at that moment."""
        leg = self.leg_at(t_ms)
        return leg.grip if leg is not None else "flat"

    def is_home_at(self, t_ms: int) -> bool:
        """Whether the hand rests at home, out of the way."""
        leg = self.leg_at(t_ms)
        return leg is None or (leg.goal == self.home and t_ms >= leg.end_ms)


def with_rests(arm: Arm, *, from_ms: int = 260, whole_ms: int = 640) -> Arm:
    """Return the arm drawing back while it has nothing to do: all the way in a long gap, else a part of it."""
    legs: list[ArmLeg] = []
    for leg, after in zip_longest(arm.legs, arm.legs[1:]):
        begin = legs[-1].goal if legs else arm.home
        legs.append(_from(leg, begin))
        gap = whole_ms if after is None else after.start_ms - leg.end_ms
        if gap >= from_ms:
            legs.append(_rest(arm, leg, gap_ms=gap, whole_ms=whole_ms))
    return Arm(key=arm.key, anchor=arm.anchor, home=arm.home, mirrored=arm.mirrored, legs=legs)


def _from(leg: ArmLeg, origin: Point3) -> ArmLeg:
    return ArmLeg(
        start_ms=leg.start_ms, end_ms=leg.end_ms, origin=origin, goal=leg.goal, grip=leg.grip, lift_mm=leg.lift_mm
    )


def _rest(arm: Arm, leg: ArmLeg, *, gap_ms: int, whole_ms: int) -> ArmLeg:
    part = min(1.0, gap_ms / whole_ms)
    goal = arm.home if part == 1.0 else _between(leg.goal, arm.home, part * 0.8)
    end_ms = leg.end_ms + min(gap_ms, round(whole_ms * 0.8))
    return ArmLeg(start_ms=leg.end_ms, end_ms=end_ms, origin=leg.goal, goal=goal, grip="flat", lift_mm=6.0)


def _between(a: Point3, b: Point3, part: float) -> Point3:
    x, y, z = (p + (q - p) * part for p, q in zip(a, b, strict=True))
    return x, y, z
