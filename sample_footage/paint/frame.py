"""One frame of the session: what rests, kept from frame to frame; what moves, laid over it; the arms on top."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np

from sample_footage.choreography import Performance
from sample_footage.geometry import Camera, Floats
from sample_footage.layout import CARD_H, DISH_R, SHOE, TUBES, Place, bet_place
from sample_footage.paint.canvas import Light, Patch, Picture, Reals, blend, shade, smeared
from sample_footage.paint.cards import CUT_CARD, CardArt, card_patch, card_shadow
from sample_footage.paint.chips import ChipArt, chips_of, pile_patch, pile_shadow, seed_of
from sample_footage.paint.cup import dish_patch, lid_patch, round_shadow
from sample_footage.paint.dice import die_patch, die_shadow
from sample_footage.paint.felt import table_picture
from sample_footage.paint.furniture import paint_discards, paint_finder, paint_rack, paint_shoe
from sample_footage.paint.hands import Person, Sprite, draw_hand, pointing_deg
from sample_footage.paint.look import Look
from sample_footage.stage import thing_height
from sample_footage.tracks import Arm, Pose, Thing

_TUBE_START: Final = (34, 32, 36, 30, 22, 28, 25, 24, 33)
_SHUTTER_MS: Final = 13
Key = tuple[str, ...]


def in_order(things: Sequence[Thing], t_ms: int, eye_mm: Floats) -> list[Thing]:
    """Return things as they are painted: what lies on top last, of the dice beside each other the nearest last."""
    dice = min((thing.layer_at(t_ms) for thing in things if thing.die is not None), default=0.0)

    def depth(thing: Thing) -> tuple[float, float]:
        if thing.die is None:
            return thing.layer_at(t_ms), 0.0
        at = thing.pose_at(t_ms).place
        return dice, -math.hypot(at.x - eye_mm[0], at.y - eye_mm[1])

    return sorted(things, key=depth)


@dataclass(slots=True)
class Studio:
    """Everything needed to paint the frames of one performance."""

    performance: Performance
    camera: Camera
    look: Look
    light: Light = field(init=False)
    _cards: CardArt = field(init=False)
    _chips: ChipArt = field(init=False)
    _table: Picture = field(init=False)
    _furnished: tuple[tuple[int, ...], Picture] | None = None
    _settled: tuple[tuple[Key, tuple[int, ...]], Picture] | None = None
    _patches: dict[str, tuple[Patch, Patch | None]] = field(default_factory=dict)
    _sprites: dict[tuple[str, str], Sprite] = field(default_factory=dict)
    _rack_moves: list[tuple[int, int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.light = Light.over(self.camera, self.look)
        self._cards, self._chips = CardArt(self.look), ChipArt(self.look)
        table = self.performance.table
        self._table = table_picture(
            self.camera, self.look, self.light, seed=self.performance.stage.seed, sheet=table.sheet
        )
        if "finder" in table.furniture:
            paint_finder(self._table, self.camera, self.light)
        self._rack_moves = list(_rack_moves(self.performance))

    def paint(self, t_ms: int) -> Picture:
        """Return the table at that moment (h, w, 3), BGR, as a perfect lens would see it."""
        things = in_order(
            [thing for thing in self.performance.stage.things if thing.exists_at(t_ms)], t_ms, self.camera.eye_mm
        )
        poses = [(thing, thing.pose_at(t_ms)) for thing in things]
        picture = self._resting(t_ms, [(thing, pose) for thing, pose in poses if not pose.moving]).copy()
        for thing, pose in poses:
            if pose.moving:
                self._paint_moving(picture, thing, pose, t_ms)
        if any(pose.moving and thing.card and pose.place.x < SHOE[2] + CARD_H for thing, pose in poses):
            paint_shoe(picture, self.camera, self.light)
        for arm in self.performance.stage.arms.values():
            if not arm.is_home_at(t_ms):
                self._paint_arm(picture, arm, t_ms)
        return picture

    def _resting(self, t_ms: int, resting: list[tuple[Thing, Pose]]) -> Picture:
        counts = (*self._tubes_at(t_ms), [n for since, n in self.performance.stage.discards if since <= t_ms][-1])
        key = tuple(f"{thing.key}:{pose.place}:{pose.face_up}" for thing, pose in resting)
        if self._settled is None or self._settled[0] != (key, counts):
            picture = self._furniture(counts).copy()
            for thing, pose in resting:
                shadow, patch = self._patch(thing, pose)
                shade(picture, shadow)
                if patch is not None:
                    blend(picture, patch)
            paint_shoe(picture, self.camera, self.light)
            self._settled = ((key, counts), picture)
        return self._settled[1]

    def _furniture(self, counts: tuple[int, ...]) -> Picture:
        if self._furnished is None or self._furnished[0] != counts:
            picture = self._table.copy()
            paint_rack(picture, self.camera, self.light, self._chips, counts[:-1])
            paint_discards(picture, self.camera, self.light, self._cards, counts[-1])
            self._furnished = (counts, picture)
        return self._furnished[1]

    def _tubes_at(self, t_ms: int) -> tuple[int, ...]:
        counts = list(_TUBE_START)
        for when, tube, change in self._rack_moves:
            if when <= t_ms:
                counts[tube] += change
        return tuple(max(0, min(44, count)) for count in counts)

    def _patch(self, thing: Thing, pose: Pose) -> tuple[Patch, Patch | None]:
        """Return shadow and picture of a thing at rest."""
        key = f"{thing.key}:{pose.place}:{pose.face_up}"
        if key not in self._patches:
            if thing.kind == "chips":
                chips = chips_of(thing.stack, pose.place, seed=seed_of(thing.key))
                shadow = pile_shadow(pose.place, len(thing.stack), self.camera)
                self._patches[key] = (shadow, pile_patch(self._chips, chips, self.camera, self.light))
            elif thing.is_flat:
                patch = card_patch(self._cards, _face(thing, pose), pose.place, self.camera, self.light)
                self._patches[key] = (card_shadow(pose.place, self.camera), patch)
            else:
                self._patches[key] = object_patches(thing, pose.place, self.camera, self.light)
        return self._patches[key]

    def _paint_moving(self, picture: Picture, thing: Thing, pose: Pose, t_ms: int) -> None:
        before = thing.pose_at(t_ms - _SHUTTER_MS).place
        here = self.camera.project([[pose.place.x, pose.place.y, pose.z_mm]])[0]
        way = here - self.camera.project([[before.x, before.y, pose.z_mm]])[0]
        if not thing.is_flat:
            shade(picture, self._shadow_under(thing, pose))
            patch: Patch | None = self._moved_pile(thing, here)
        else:
            shade(picture, card_shadow(pose.place, self.camera, z_mm=pose.z_mm + 1.0))
            patch = card_patch(
                self._cards,
                _face(thing, pose),
                pose.place,
                self.camera,
                self.light,
                z_mm=pose.z_mm + 1.0,
                turn=pose.turn,
            )
        if patch is not None:
            blend(picture, smeared(patch, (float(way[0]), float(way[1]))))

    def _shadow_under(self, thing: Thing, pose: Pose) -> Patch:
        if thing.kind == "chips":
            return pile_shadow(pose.place, len(thing.stack), self.camera, z_mm=pose.z_mm)
        return round_shadow(pose.place, self.camera, radius=DISH_R, high=thing_height(thing), z_mm=pose.z_mm)

    def _moved_pile(self, thing: Thing, here: Floats) -> Patch:
        """Return the pile as it will look where it comes to rest (or stood, once lifted), shifted to where it is."""
        place = thing.place if thing.gone_ms is None or len(thing.legs) < 2 else thing.legs[-1].origin
        rest = Pose(place=place, z_mm=0.0, face_up=False, moving=False)
        _, patch = self._patch(thing, rest)
        assert patch is not None  # noqa: S101 - a pile is never edge-on
        shift = here - self.camera.project([[place.x, place.y, 0.0]])[0]
        whole = np.floor(shift).astype(int)
        part = np.array([[1, 0, shift[0] - whole[0]], [0, 1, shift[1] - whole[1]]], np.float32)
        height, width = patch.cover.shape
        both = np.dstack([patch.colour, patch.cover])
        moved = cv2.warpAffine(src=both, M=part, dsize=(width + 1, height + 1), flags=cv2.INTER_LINEAR)
        return Patch(moved[..., :3], moved[..., 3], patch.x + int(whole[0]), patch.y + int(whole[1]))

    def sprite(self, arm: Arm, grip: str) -> Sprite:
        """Return the drawn hand of an arm in a grip."""
        if (arm.key, grip) not in self._sprites:
            spot = reference_spot(arm)
            who = "dealer" if arm.seat is None else arm.key
            person = Person(
                skin=self.look.skins[who],
                sleeve=self.look.sleeves[who],
                length_mm=1000.0 if arm.seat is None else 520.0,
                mirrored=arm.mirrored,
            )
            towards = _towards(arm, spot)
            self._sprites[arm.key, grip] = draw_hand(self.camera, person, grip=grip, tip_mm=spot, towards_deg=towards)
        return self._sprites[arm.key, grip]

    def arm_patches(self, arm: Arm, t_ms: int) -> tuple[Patch, Patch]:
        """Return shadow and picture of an arm at that moment, cut to what can be seen."""
        sprite = self.sprite(arm, arm.grip_at(t_ms))
        x, y, z = arm.tip_at(t_ms)
        turn = pointing_deg(self.camera, (x, y), _towards(arm, (x, y))) - sprite.degrees
        zoom = self.camera.px_per_mm((x, y, z)) / sprite.px_per_mm
        level = self.light.at(*self.camera.project([[x, y, 0.0]])[0])
        tip = self.camera.project([[x, y, z]])[0]
        foot = self.camera.project([[x - 0.17 * z, y - 0.27 * z, 0.0]])[0]
        body = self._turned(sprite.pixels, sprite, tip, turn=turn, zoom=zoom)
        body[0][..., :3] *= level
        dark = self._turned(sprite.shadow, sprite, foot, turn=turn, zoom=zoom)
        empty = np.zeros((*dark[0].shape, 3), np.float32)
        return Patch(empty, dark[0], dark[1], dark[2]), Patch(body[0][..., :3], body[0][..., 3], body[1], body[2])

    def _turned(self, pixels: Reals, sprite: Sprite, at: Floats, *, turn: float, zoom: float) -> tuple[Reals, int, int]:
        """Turn and scale about the fingertips and cut to the picture; return the pixels and their corner."""
        warp = cv2.getRotationMatrix2D(center=sprite.tip, angle=-turn, scale=zoom)
        warp[:, 2] += at - np.array(sprite.tip)
        height, width = pixels.shape[:2]
        corners = np.array([(0, 0), (width, 0), (width, height), (0, height)]) @ warp[:, :2].T + warp[:, 2]
        low = np.maximum(np.floor(corners.min(axis=0)), 0).astype(int)
        high = np.minimum(np.ceil(corners.max(axis=0)), self.camera.size).astype(int)
        size = np.maximum(high - low, 1)
        warp[:, 2] -= low
        cut = cv2.warpAffine(src=pixels, M=warp, dsize=(int(size[0]), int(size[1])), flags=cv2.INTER_LINEAR)
        return cut, int(low[0]), int(low[1])

    def _paint_arm(self, picture: Picture, arm: Arm, t_ms: int) -> None:
        shadow, body = self.arm_patches(arm, t_ms)
        before, now = (self.camera.project([arm.tip_at(t)])[0] for t in (t_ms - _SHUTTER_MS, t_ms))
        way = (float(now[0] - before[0]), float(now[1] - before[1]))
        shade(picture, shadow)
        blend(picture, smeared(body, way))


def _face(thing: Thing, pose: Pose) -> str | None:
    """Return what a card shows: its face, None for its back."""
    if thing.kind == "cut_card":
        return CUT_CARD
    return thing.card if pose.face_up else None


def object_patches(thing: Thing, place: Place, camera: Camera, light: Light) -> tuple[Patch, Patch]:
    """Return shadow and picture of a die, or of a part of the cup, at rest."""
    if thing.die is not None:
        return die_shadow(place, camera), die_patch(thing.die, place, camera, light)
    shadow = round_shadow(place, camera, radius=DISH_R, high=thing_height(thing))
    return shadow, (dish_patch if thing.kind == "dish" else lid_patch)(place, camera, light)


def reference_spot(arm: Arm) -> tuple[float, float]:
    """Return where on the felt the arm's sprites are drawn."""
    if arm.seat is None:
        return (-130.0 if arm.mirrored else 130.0), 250.0
    spot = bet_place(arm.seat)
    return spot.x, spot.y


def _towards(arm: Arm, tip: tuple[float, float]) -> float:
    """Direction from the arm's root to its fingertips, degrees counter-clockwise from +y."""
    return math.degrees(math.atan2(arm.anchor[0] - tip[0], tip[1] - arm.anchor[1]))


def _rack_moves(performance: Performance) -> Iterator[tuple[int, int, int]]:
    """When which tube loses or gains how many chips."""
    for payment in performance.stage.payments:
        when, sign = (payment.first_ms, -1) if payment.kind == "pay" else (payment.last_ms, 1)
        for colour in sorted(set(payment.stack)):
            if colour in TUBES:
                yield when, TUBES.index(colour), sign * payment.stack.count(colour)
