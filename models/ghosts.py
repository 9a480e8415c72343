"""What seems to lie on the felt, and is its print or the felt itself: nothing lies there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from audit.table import TableProfile
from models.camera import Camera
from models.dice_place import DICE
from models.felt_view import FeltView, MmBox
from models.look_scene import Scene
from models.motion import Mask
from models.pile_shapes import FAINT, middle_of
from models.sighting import Sighting
from models.spot_twins import SpotTwins
from models.view_parts import is_painted, is_plain, square
from models.zones import within

_PRINT_SHOWS: Final = 0.7  # what hides the print has not reached 0.4, what does not is above 0.9
_HAND_OUT: Final = 0.25  # of the felt that a hand hides; hands have 0.33 and more, a felt with hexagons 0.1 to 0.2
_IN_VIEW: Final = 0.5


class Ghosts:
    """Tells things from the felt that only seems to be some."""

    def __init__(self, profile: TableProfile, camera: Camera, felt: FeltView) -> None:
        self._camera, self.felt = camera, felt
        self._twins = SpotTwins(profile, felt)
        self._spots = [zone.polygon_mm for zone in profile.zones if zone.bet is not None]

    def among(self, found: Sequence[Sighting], scene: Scene) -> list[Sighting]:
        """Return the things where the felt shows, its print or all of it. Dice are too small to tell.

        A painted field stands out at the first look like a pile, but for its colour.
        """
        faces = self.felt.hidden_by([one for one in found if one.faces], scene.box)
        shown = [one for one in found if one.kind not in DICE and self.shows_felt(one, faces, scene)]
        rest, lying = [one for one in found if one not in shown], [*scene.kept, *scene.lying, *scene.piles]
        return shown + self._twins.prints(rest, lying, scene.seen, scene.box)

    def shows_felt(self, one: Sighting, faces: Mask, scene: Scene) -> bool:
        """Return whether the felt shows where a thing seems to lie; ``faces`` hide it."""
        place, core = self.felt.hidden_by([one], scene.box), self._core(one, scene.box)
        if self.felt.is_bare_again(scene.seen, scene.box, place, core):
            return True
        if scene.whole and one.kind == "chips" and is_painted(scene.seen, place):
            return True
        own = np.asarray(cv2.bitwise_and(place, cv2.bitwise_not(faces)), dtype=np.uint8)
        if one.kind == "card_back" and is_plain(scene.seen, own, scene.out):
            return True
        wheres = (place, core) if one.kind == "chips" else (place,)
        return any(self.felt.shows_print(scene.seen, scene.box, where) >= _PRINT_SHOWS for where in wheres)

    def may_be_print(self, one: Sighting, found: Sequence[Sighting], scene: Scene) -> bool:
        """Return whether what seems the middle of a pile's top, beside the spots, may be print that moved a little."""
        if one.kind != "chips" or one.xy_mm is None or one.confidence > FAINT or within(one.xy_mm, self._spots):
            return False
        others = [other for other in (*found, *scene.kept, *scene.lying) if other is not one]
        hidden = cv2.dilate(self.felt.hidden_by(others, scene.box), square(5))
        own = cv2.bitwise_and(self.felt.hidden_by([one], scene.box), cv2.bitwise_not(hidden))
        return self.felt.may_be_print(scene.seen, scene.box, np.asarray(own, dtype=np.uint8))

    def without_flat_hands(self, detected: Sequence[Sighting], scene: Scene) -> list[Sighting]:
        """Return what was detected without hands where nothing stands out: on a felt with a pattern many were seen."""
        return [one for one in detected if one.kind != "hand" or self._stands_out(one, scene)]

    def _stands_out(self, hand: Sighting, scene: Scene) -> bool:
        """Whether enough stands out where a hand was detected, if most of that lies in view."""
        x0, y0, x1, y1 = scene.box
        hidden = cv2.bitwise_and(self.felt.hidden_by([hand], scene.box), self.felt.inside[y0:y1, x0:x1])
        in_view = cv2.countNonZero(hidden)
        outline = self._camera.to_felt(hand.polygon_px).astype(np.float32)
        if not np.isfinite(outline).all() or in_view < _IN_VIEW * cv2.contourArea(outline):
            return True
        return cv2.countNonZero(cv2.bitwise_and(hidden, scene.out)) >= _HAND_OUT * in_view

    def _core(self, one: Sighting, box: MmBox) -> Mask:
        """What a thing surely hides; of a pile that lay there the white in the middle of its top stood out most."""
        middle = middle_of(one, self._camera, self.felt, box)
        return self.felt.hidden_by([one], box) if middle is None else middle

    def learn(self, ghosts: Sequence[Sighting], found: Sequence[Sighting], scene: Scene) -> Mask:
        """Take what shows where nothing lies for bare felt, and return where that is."""
        things = self.felt.hidden_by([*found, *scene.kept], scene.box) | scene.aside
        bare = cv2.bitwise_and(self.felt.hidden_by(ghosts, scene.box), cv2.bitwise_not(things))
        self.felt.learn_bare(scene.seen, scene.box, np.asarray(bare, dtype=np.uint8))
        return np.asarray(bare, dtype=np.uint8)
