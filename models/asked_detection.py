"""What the detector adds at a place where geometry leaves something unexplained, or in doubt.

It is asked last, and believed only of what stands out from the felt and is none of the things that are known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import cv2

from audit.states import CARD_KINDS
from models.camera import Camera, Floats
from models.detected_piles import stands_there
from models.dice_place import DICE, DicePlace
from models.felt_shapes import Shape
from models.felt_view import FeltView
from models.ghosts import Ghosts
from models.hidden_feet import with_hidden_feet
from models.laid_along import laid_along
from models.look_scene import SLIVER_MM, UNEXPLAINED_MM2, Scene
from models.motion import Mask
from models.proposals import Eyes
from models.rivals import Rivals, too_near
from models.shapes import judged
from models.sighting import Box, Sighting
from models.view_parts import square
from models.zones import within

_OWN_SHARE: Final = 0.1  # of what shows of a card: less is shown by the cards around it
_DETECTED: Final = 0.35
_DETECTED_ALONE: Final = 0.5
_MOST_BARE: Final = 0.15

Polygons = Sequence[Sequence[tuple[float, float]]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Opinion:
    """What lies at a place once the detector was asked; ``dropped``: what at the first look only seemed to."""

    found: list[Sighting]
    hands: list[Sighting]
    dropped: list[Sighting]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AskedDetection:
    """Asks the detector, and holds what it says against what is known.

    ``read`` tells in a frame what proposals are, given what else lies there.
    """

    eyes: Eyes
    camera: Camera
    felt: FeltView
    rivals: Rivals
    ghosts: Ghosts
    dice: DicePlace
    spots_mm: Polygons
    furniture_mm: Polygons
    read: Callable[..., list[Sighting]]

    def is_wanted(self, scene: Scene, found: Sequence[Sighting], rest: Mask) -> bool:
        """Return whether something is left unexplained or in doubt; the first look asks always."""
        return scene.whole or cv2.countNonZero(rest) >= UNEXPLAINED_MM2 or any(map(self.rivals.is_doubtful, found))

    def asked(
        self, scene: Scene, region: Box, found: Sequence[Sighting], left: Mask, away: Sequence[Floats]
    ) -> Opinion:
        """Return what lies there by geometry and detector together.

        Args:
            scene: The look.
            region: Box in pixels of the place.
            found: What geometry explains.
            left: What stands out and was not known before.
            away: Outlines (n, 2) in pixels of arms.
        """
        surely = self.rivals.surely_there(found, first_look=scene.whole)
        detected = self._detected(scene, region, surely)
        hands = [one for one in detected if one.kind == "hand" and one.confidence >= _DETECTED]
        supported = self._added(scene, found, detected, surely)
        found, dropped = self.rivals.without_unseen(found, detected), list[Sighting]()
        if scene.whole:
            before = found
            found, supported = self.rivals.surer(before, supported)
            dropped = [one for one in before if one not in found and self.rivals.may_be_new(one, supported)]
        supported = with_hidden_feet(supported, [*found, *scene.kept, *scene.piles], self.camera)
        found = self.rivals.without_replaced(found, supported, scene.kept)
        found = self._without_pieces(found, supported, left, scene) + supported
        found += self._cups(scene, found, [*away, *(hand.polygon_px for hand in hands)])
        return Opinion(found=found, hands=hands, dropped=dropped)

    def _detected(self, scene: Scene, region: Box, surely: Sequence[Sighting]) -> list[Sighting]:
        """What the detector sees at the place, or on the whole table at the first look."""
        wanted = partial(self.rivals.may_be_new, others=[*surely, *scene.kept])
        detected = self.eyes.look(scene.frame.bgr, None if scene.whole else [region], wanted)
        return self.ghosts.without_flat_hands(detected, scene)

    def _added(
        self, scene: Scene, found: Sequence[Sighting], detected: Sequence[Sighting], surely: Sequence[Sighting]
    ) -> list[Sighting]:
        """What of it is to be believed, beside what was found."""
        known = [*found, *scene.kept, *scene.lying]
        supported = self.rivals.without_backs_again(self._supported(detected, surely, scene), found)
        supported = self.rivals.without_unread(supported, known)
        return laid_along(supported, known, self.camera, partial(self.read, scene.frame))

    def _cups(self, scene: Scene, found: Sequence[Sighting], covering: Sequence[Floats]) -> list[Sighting]:
        """The cup that stands over the dice; later looks follow it by its picture, learnt best from the detector's."""
        aside = self.felt.masked_mm(self.furniture_mm, scene.box) if scene.whole else None
        return self.dice.cups(
            scene.out, [*found, *scene.kept], covering, scene.box, furniture=aside, dice_mm=scene.dice_mm
        )

    def _supported(self, detected: Sequence[Sighting], surely: Sequence[Sighting], scene: Scene) -> list[Sighting]:
        """Detected objects that geometry did not propose and that stand out from the felt where they are.

        A back where a card may lie face up still is that card: courts look like backs.
        """
        fresh: list[Sighting] = []
        faces = [card for card in scene.lying if card.kind == "card"]
        for seen in sorted(detected, key=lambda sighting: -sighting.confidence):
            one = next((card for card in faces if seen.kind == "card_back" and too_near(seen, card)), seen)
            if one.kind == "hand" or one.xy_mm is None:
                continue
            if not self.rivals.may_be_new(one, [*surely, *scene.kept, *fresh]):
                continue
            if self.dice.claims(one.kind, one.xy_mm) != (one.kind in DICE) or self.dice.doubts(one):
                continue
            if self._stands_out(one, scene):
                fresh.append(one)
        return fresh

    def _without_pieces(
        self, found: Sequence[Sighting], supported: Sequence[Sighting], left: Mask, scene: Scene
    ) -> list[Sighting]:
        """Leave out unread cards that are only what shows of read cards, of which the detector found one."""
        read = [card for card in (*found, *supported) if card.kind == "card" and card.face is not None]
        if not any(card in supported for card in read):
            return list(found)
        others = cv2.bitwise_not(cv2.dilate(self.felt.hidden_by(read, scene.box), square(SLIVER_MM + 1)))

        def is_piece(one: Sighting) -> bool:
            seen = cv2.bitwise_and(self.felt.hidden_by([one], scene.box), left)
            return cv2.countNonZero(cv2.bitwise_and(seen, others)) < _OWN_SHARE * cv2.countNonZero(seen)

        return [one for one in found if one.kind not in CARD_KINDS or one in read or not is_piece(one)]

    def _stands_out(self, one: Sighting, scene: Scene) -> bool:
        if one.kind == "chips":
            place, on_spot = (
                self.felt.hidden_by([one], scene.box),
                one.xy_mm is not None and within(one.xy_mm, self.spots_mm),
            )
            differing = partial(self.felt.differing, scene.seen, scene.box)
            return stands_there(one, place, scene.out, differing, on_spot=on_spot)
        if one.kind == "dice_cup" and self.dice.is_ring(one, scene.seen, scene.box):
            return False
        if one.kind not in CARD_KINDS or one.xy_mm is None or one.angle_deg is None:
            return one.confidence >= _DETECTED_ALONE
        shape = Shape(kind="card", xy_mm=one.xy_mm, angle_deg=one.angle_deg)
        origin, centre = self.felt.origin_of(scene.box), self.camera.centre_mm
        fit = judged(shape, scene.out, behind=scene.behind, origin_mm=origin, centre_mm=centre)
        return fit.spilt <= _MOST_BARE and (one.face is not None or not scene.whole)
