"""A close look at one place of the table: what stands out there, which things of known size explain it, what they are.

Geometry proposes, the readers say what it is, and the detector is asked about what geometry leaves unexplained.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import cv2
import numpy as np

from audit.states import CARD_KINDS
from audit.table import TableProfile
from models.asked_detection import AskedDetection
from models.back_look import BackLook, ink_of
from models.camera import Camera, Floats
from models.chip_palette import Palette
from models.dice_place import DICE, DicePlace
from models.felt_shapes import Shape, outline_mm
from models.felt_view import FeltView, MmBox
from models.frames import Frame
from models.ghosts import Ghosts
from models.hidden_feet import with_hidden_feet
from models.little_piles import little_piles
from models.look_scene import SLIVER_MM, UNEXPLAINED_MM2, Scene
from models.motion import Mask, share_of
from models.outline_lessons import OutlineLessons
from models.paper import tint_of
from models.pile_edges import pile_box_px
from models.pile_shapes import Surroundings, faint_on, fits_of, fitted, is_like_felt, pile_confidence
from models.proposals import Eyes, Proposal, fitted_anew, once_more
from models.rack_watch import RackWatch
from models.rivals import FURNITURE, Rivals
from models.shapes import beside, explain
from models.sighting import Box, Sighting
from models.two_piles import explains_better, is_strange, parted, with_room_beside, without_squeezed
from models.view_parts import square, touching, wider, without
from models.zones import within

_MORE_THAN_ONE: Final = 2
_FACE_SHARE: Final = 0.28
_STRIP_SHARE: Final = 0.5  # of a strip, which of a back is border for the most part
_HALF_CARD_MM2: Final = 2500
_CORE_SHARE: Final = {1: 0.97, 2: 0.93}  # between two piles side by side some shadow is left
_SURE_CARD: Final = 0.85
_GUARD_MM: Final = 7
_PILE_GUARD_MM: Final = 30
_PARTINGS: Final = 2  # of what was taken for one pile: up to four stand in a square
_COVERED: Final = 0.9  # of what was taken for one pile
_HAND_GUARD_MM: Final = 40
_ARM_RIM_MM: Final = 5
_FELT_KNOWN: Final = 0.8
_HARDLY_OUT: Final = 0.1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Glimpse:
    """What one look saw: objects, hands, and the parts (n, 2) in pixels that stand out and are none of them."""

    sightings: tuple[Sighting, ...]
    hands: tuple[Sighting, ...]
    unexplained_px: tuple[Floats, ...]


class CloseLook:
    """Looks closely at places of one table; learns its bare felt and the look of its chips on the way."""

    def __init__(self, profile: TableProfile, camera: Camera, eyes: Eyes) -> None:
        self._camera = camera
        self._eyes = eyes
        self.felt = FeltView(profile, camera)
        self._palette, self._lessons = Palette(), OutlineLessons()
        self._backs = BackLook()
        self._rack = RackWatch(profile, camera)
        self._spots = [zone.polygon_mm for zone in profile.zones if zone.bet is not None]
        self._dealers = [zone.polygon_mm for zone in profile.zones if zone.name.startswith("dealer.")]
        self._rivals, self._ghosts = Rivals.of(profile), Ghosts(profile, camera, self.felt)
        self._furniture = [zone.polygon_mm for zone in profile.zones if zone.name in FURNITURE]
        self._dice = DicePlace.of(profile, camera, self.felt)
        self._detection = AskedDetection(
            eyes=eyes,
            camera=camera,
            felt=self.felt,
            rivals=self._rivals,
            ghosts=self._ghosts,
            dice=self._dice,
            spots_mm=self._spots,
            furniture_mm=self._furniture,
            read=self.read,
        )

    def whole(self, frame: Frame, *, away: Sequence[Floats]) -> Glimpse:
        """Look at the whole table; ``away`` are outlines (n, 2) in pixels of what moves over it."""
        width, height = self._camera.size
        return self._look(frame, (0, 0, width, height), places=None, kept=(), unmoved=(), away=away)

    def read(self, frame: Frame, proposals: Sequence[Proposal], lying: Sequence[Sighting] = ()) -> list[Sighting]:
        """Return what proposals are, in order, told by the picture, the bare felt and the table's other piles.

        ``lying``: what else is known to lie there, and may hide the foot of a pile.
        """
        asked = [replace(one, outline=self._lessons.applied(one)) for one in proposals]
        answers = self._eyes.read(frame.bgr, asked, partial(self.felt.codes, frame), self._palette)
        self._lessons.learn_all(proposals, answers)
        told = [replace(answer, outline=one.outline) for one, answer in zip(proposals, answers, strict=True)]
        return with_hidden_feet(told, lying, self._camera)

    def shows_bare_felt(self, frame: Frame, one: Sighting) -> bool:
        """Return whether the felt, known there, shows where something lay: hardly anything stands out."""
        corners = np.concatenate([one.polygon_px.min(axis=0), one.polygon_px.max(axis=0)])
        x0, y0, x1, y1 = (round(float(value)) for value in corners)
        box = self.felt.box_of((x0, y0, x1, y1))
        place = self.felt.hidden_by([one], box)
        known = np.asarray(self.felt.known_bare(box)[1], dtype=np.uint8) * 255
        if not place.any() or share_of(place, known) < _FELT_KNOWN:
            return False
        return share_of(place, self.felt.standing_out(self.felt.seen(frame, box), box)) < _HARDLY_OUT

    def again(
        self,
        frame: Frame,
        seen: Sequence[Sighting],
        kind: str,
        xy_mm: tuple[float, float],
        others: Sequence[Sighting] = (),
    ) -> Proposal:
        """Return what was seen at a place as what may lie there; a pile seen only once with its outline fitted anew.

        ``others``: what else is known to lie on the table.
        """
        before = once_more(replace(seen[-1], kind=kind), xy_mm)
        if kind != "chips" or len(seen) > 1 or not seen[-1].stacks or not self._camera.heights_known:
            return before
        chips = len(seen[-1].stacks[0].stack)
        if not self._lessons.trusts_outlines(xy_mm):
            return before
        return fitted_anew(before, chips, frame, self._camera, self.felt, beside=fits_of(others))

    def at(
        self,
        frame: Frame,
        region: Box,
        *,
        places: Sequence[Floats],
        kept: Sequence[Sighting],
        unmoved: Sequence[Floats],
        lying: Sequence[Sighting] = (),
        away: Sequence[Floats],
    ) -> Glimpse:
        """Look at places within a region.

        Args:
            frame: The frame.
            region: Box in pixels with room for whole objects around the places.
            places: Outlines (n, 2) in pixels of what has changed.
            kept: Objects that are known to lie there still.
            unmoved: Outlines (n, 2) in pixels of parts of known objects that look as before; the rest is covered now.
            lying: Cards and piles that are unmoved in part and may lie there still, and dice that look different now.
            away: Outlines (n, 2) in pixels of arms.
        """
        if not self.felt.holds(region):  # beyond the table
            return Glimpse(sightings=(), hands=(), unexplained_px=())
        return self._look(frame, region, places=places, kept=kept, unmoved=unmoved, lying=lying, away=away)

    def _look(
        self,
        frame: Frame,
        region: Box,
        *,
        places: Sequence[Floats] | None,
        kept: Sequence[Sighting],
        unmoved: Sequence[Floats],
        lying: Sequence[Sighting] = (),
        away: Sequence[Floats],
    ) -> Glimpse:
        scene = self._scene(frame, region, kept=kept, unmoved=unmoved, lying=lying, away=away, whole=places is None)
        self._rack.learn(frame, away, self._eyes, self._palette)
        left = self._left(scene, places)
        found = self._found(scene, left)
        rest, hands, dropped = self._unexplained(left, found, scene.box), list[Sighting](), list[Sighting]()
        if self._detection.is_wanted(scene, found, rest):
            opinion = self._detection.asked(scene, region, found, left, away)
            found, hands, dropped = opinion.found, opinion.hands, opinion.dropped
            rest = self._unexplained(left, found, scene.box)
        rest = self._dice.without_dish(rest, found, scene.box)
        found, rest = self._without_ghosts(scene, found, dropped, left, rest)
        self._learn(scene, found, hands)
        if not hands:
            rest = self._learn_unknown(scene, rest)
        outlines = () if scene.whole else self._outlines_px(rest, scene.box)
        return Glimpse(sightings=tuple(found), hands=tuple(hands), unexplained_px=outlines)

    def _left(self, scene: Scene, places: Sequence[Floats] | None) -> Mask:
        """What stands out and is neither known nor set aside; where a place is looked at, what reaches into it."""
        left = cv2.bitwise_and(scene.out, cv2.bitwise_not(scene.aside | wider(scene.behind, 1)))
        left = np.asarray(cv2.morphologyEx(left, op=cv2.MORPH_OPEN, kernel=square(SLIVER_MM)), dtype=np.uint8)
        return left if places is None else touching(left, self.felt.masked(places, scene.box))

    def _found(self, scene: Scene, left: Mask) -> list[Sighting]:
        """What geometry proposes for what is left, as the readers say what it is."""
        shapes = self._explained(left, scene)
        shapes += self._little_piles(left, shapes, scene)
        shapes = [shape for shape in shapes if not self._dice.claims(shape.kind, shape.xy_mm)]
        return without_squeezed(self._as_several(self._read(scene, shapes, left), left, scene))

    def _without_ghosts(
        self, scene: Scene, found: list[Sighting], dropped: Sequence[Sighting], left: Mask, rest: Mask
    ) -> tuple[list[Sighting], Mask]:
        """What was found without what is print, which is learnt, and what nothing explains then.

        ``dropped``: what was no pile at the first look; it is print, too.
        """
        ghosts = [*self._ghosts.among(found, scene), *dropped]
        doubted = [one for one in found if self._ghosts.may_be_print(one, found, scene)]
        if not ghosts and not doubted:
            return found, rest
        found = [one for one in found if one not in (*ghosts, *doubted)]
        rest = self._dice.without_dish(self._unexplained(left, found, scene.box), found, scene.box)
        rest[self._ghosts.learn(ghosts, found, scene) > 0] = 0
        return found, rest

    def _scene(
        self,
        frame: Frame,
        region: Box,
        *,
        kept: Sequence[Sighting],
        unmoved: Sequence[Floats],
        lying: Sequence[Sighting],
        away: Sequence[Floats],
        whole: bool,
    ) -> Scene:
        box = self.felt.box_of(region)
        seen = self.felt.seen(frame, box)
        return Scene(
            frame=frame,
            box=box,
            seen=seen,
            out=self.felt.standing_out(seen, box),
            behind=np.asarray(self.felt.hidden_by(kept, box) | self.felt.masked(unmoved, box), dtype=np.uint8),
            aside=self._aside(away, box),
            kept=kept,
            lying=[one for one in lying if one.kind not in (*DICE, "chips")],
            piles=[one for one in lying if one.kind == "chips"],
            dice_mm=[one.xy_mm for one in lying if one.kind in DICE and one.xy_mm is not None],
            whole=whole,
        )

    def _aside(self, away: Sequence[Floats], box: MmBox) -> Mask:
        """Arms with their rims, and the table's furniture."""
        arms = wider(self.felt.masked(away, box), _ARM_RIM_MM)
        return np.asarray(arms | self.felt.masked_mm(self._furniture, box), dtype=np.uint8)

    def _shapes(self, mask: Mask, behind: Mask, scene: Scene) -> list[Shape]:
        origin, see = self.felt.origin_of(scene.box), self.felt.edges if scene.whole else self.felt.rims
        edges, centre = see(scene.seen), self._camera.centre_mm
        feet = [one.xy_mm for one in scene.kept if one.kind == "chips" and one.xy_mm is not None]
        return explain(mask, behind=behind, edges=edges, origin_mm=origin, centre_mm=centre, feet_mm=feet)

    def _explained(self, left: Mask, scene: Scene) -> list[Shape]:
        """The shapes that explain what is left: fewer, if cards that may lie there still explain a part of it."""
        origin, centre = self.felt.origin_of(scene.box), self._camera.centre_mm
        shapes = self._shapes(left, scene.behind, scene)
        if not scene.lying or len(shapes) < _MORE_THAN_ONE:
            return shapes
        there = self.felt.hidden_by(scene.lying, scene.box)
        needed = beside(shapes, left, there, origin_mm=origin, centre_mm=centre)
        if 0 < len(needed) < len(shapes):
            return needed
        rest = cv2.bitwise_and(left, cv2.bitwise_not(cv2.dilate(there, square(3))))
        fewer = self._shapes(rest, np.asarray(scene.behind | there, dtype=np.uint8), scene)
        for shape in fewer:
            rest[self.felt.polygon(outline_mm(shape, centre), scene.box) > 0] = 0
        is_all = cv2.countNonZero(cv2.morphologyEx(rest, op=cv2.MORPH_OPEN, kernel=square(9))) < UNEXPLAINED_MM2
        return fewer if is_all and 0 < len(fewer) < len(shapes) else shapes

    def _little_piles(self, left: Mask, shapes: Sequence[Shape], scene: Scene) -> list[Shape]:
        rest = left.copy()
        for shape in shapes:
            rest[self.felt.polygon(outline_mm(shape, self._camera.centre_mm), scene.box) > 0] = 0
        return little_piles(rest, scene.box, self._camera, self.felt, spots=self._spots, first=scene.whole)

    def _as_several(self, found: list[Sighting], left: Mask, scene: Scene) -> list[Sighting]:
        """What was found, a pile that no stack fits as several beside each other, if those are read."""
        for one in filter(is_strange, found):
            others = [other for other in found if other is not one]
            own = self._own(one, left, scene)
            several = self._side_by_side(own, scene)
            others = with_room_beside(several, others)
            if self._explain(several, others, own, scene):
                found = [*others, *several]
        return found

    def _own(self, one: Sighting, left: Mask, scene: Scene) -> Mask:
        """What of that which is left a pile explains."""
        there = cv2.dilate(self.felt.hidden_by([one], scene.box), square(2 * _GUARD_MM + 1))
        return np.asarray(cv2.bitwise_and(left, there), dtype=np.uint8)

    def _side_by_side(self, own: Mask, scene: Scene, partings: int = _PARTINGS) -> list[Sighting]:
        """The piles on both sides of a waist; a half that no stack fits is parted again."""
        halves = parted(own)
        if halves is None:
            return []
        piles = list[Sighting]()
        for half, other in (halves, halves[::-1]):
            shapes = self._shapes(half, np.asarray(scene.behind | other, dtype=np.uint8), scene)
            for one in self._read(scene, shapes, own):
                again = self._side_by_side(half, scene, partings - 1) if is_strange(one) and partings > 1 else []
                piles += again or [one]
        return [one for one in piles if one.kind == "chips"]

    def _explain(self, piles: list[Sighting], others: list[Sighting], own: Mask, scene: Scene) -> bool:
        """Whether piles explain what one was taken for: two or more, or one that with others leaves hardly a rest."""
        if not piles or not explains_better(piles):
            return False
        if len(piles) > 1:
            return True
        return share_of(own, wider(self.felt.hidden_by([*piles, *others], scene.box), _GUARD_MM)) >= _COVERED

    # Proposals and what they are

    def _read(self, scene: Scene, shapes: list[Shape], left: Mask) -> list[Sighting]:
        if not shapes:
            return []
        cards = any(shape.kind == "card" for shape in shapes)
        paper = self._backs.paper(scene.seen) if cards else np.zeros_like(left)
        covers = [self.felt.polygon(outline_mm(shape, self._camera.centre_mm), scene.box) for shape in shapes]
        alone = [cv2.bitwise_and(without(left, covers, number), cover) for number, cover in enumerate(covers)]
        proposals = [
            self._proposal(one, paper, own, scene)
            for shape, own in zip(shapes, alone, strict=True)
            for one in self._sharpened(shape, own, scene)
        ]
        answers = self.read(scene.frame, proposals, [*scene.kept, *scene.piles])
        answers = self._backs.told(proposals, answers, scene.kept, self._is_dealers)
        return [answer for answer in answers if answer.confidence > 0]

    def _is_dealers(self, one: Sighting) -> bool:
        return one.kind in CARD_KINDS and one.xy_mm is not None and within(one.xy_mm, self._dealers)

    def _sharpened(self, shape: Shape, own: Mask, scene: Scene) -> list[Shape]:
        """The shape as the full picture has it: a pile's height is a matter of single pixels.

        A tall pile may turn out to be two in one line of sight. Of a pile of the felt's colour only the top has sharp
        edges, so that its outline is not fitted. Nothing changes if the result left out what surely stands there.
        """
        if shape.kind != "chips" or not self._camera.heights_known:
            return [shape]
        like_felt = not shape.explained or is_like_felt(own, scene.seen, scene.out)
        faint = faint_on(scene.seen, scene.out)
        kept, before = fits_of(scene.kept), fits_of(scene.piles)
        among = Surroundings(frame=scene.frame, box=scene.box, faint=faint, piles=kept, standing=before)
        shape, found = fitted(shape, among, self._camera, self.felt, like_felt=like_felt)
        proposed, *after = (
            self.felt.polygon(outline_mm(one, self._camera.centre_mm), scene.box) for one in (shape, *found)
        )
        core = cv2.erode(cv2.bitwise_and(own, proposed), square(5), borderType=cv2.BORDER_CONSTANT, borderValue=0)
        share = cv2.countNonZero(cv2.bitwise_and(core, np.bitwise_or.reduce(after)))
        return found if share >= _CORE_SHARE[len(found)] * cv2.countNonZero(core) else [shape]

    def _proposal(self, shape: Shape, paper: Mask, left: Mask, scene: Scene) -> Proposal:
        outline = outline_mm(shape, self._camera.centre_mm)
        if shape.kind == "card":
            inside = cv2.bitwise_and(self.felt.polygon(outline, scene.box), left)
            share = cv2.countNonZero(cv2.bitwise_and(inside, paper)) / max(1, cv2.countNonZero(inside))
            least = _FACE_SHARE if cv2.countNonZero(inside) > _HALF_CARD_MM2 else _STRIP_SHARE
            return Proposal(
                kind="card" if share >= least else "card_back",
                polygon_px=self._camera.to_pixels(outline),
                xy_mm=shape.xy_mm,
                angle_deg=shape.angle_deg,
                confidence=0.9 if shape.explained >= _SURE_CARD else 0.6,
                paper=share,
                seen_mm2=cv2.countNonZero(inside),
                ink=ink_of(scene.seen, inside, paper),
                tint=tint_of(scene.seen, inside),
            )
        return Proposal(
            kind="chips",
            polygon_px=pile_box_px(self._camera, shape.xy_mm, shape.chips),
            xy_mm=shape.xy_mm,
            angle_deg=None,
            confidence=pile_confidence(shape),
            outline=shape.outline,
        )

    # What is left, and the bare felt

    def _unexplained(self, left: Mask, found: Sequence[Sighting], box: MmBox) -> Mask:
        rest = cv2.bitwise_and(left, cv2.bitwise_not(wider(self.felt.hidden_by(found, box), _GUARD_MM)))
        thick = cv2.morphologyEx(rest, op=cv2.MORPH_OPEN, kernel=square(9))
        return np.asarray(thick, dtype=np.uint8)

    def _learn(self, scene: Scene, found: Sequence[Sighting], hands: Sequence[Sighting]) -> None:
        """Take for bare felt what stands out nowhere near an object; at the first look all that is no object."""
        things = [*found, *scene.kept]
        flat = self.felt.hidden_by([one for one in things if one.kind != "chips"], scene.box)
        tall = self.felt.hidden_by([one for one in things if one.kind == "chips"], scene.box)
        near = wider(flat | tall, _GUARD_MM)
        beside = wider(tall, _PILE_GUARD_MM)  # here a pile of another height might reach
        over = wider(self.felt.hidden_by(hands, scene.box), _HAND_GUARD_MM)
        uneven = wider(scene.out, _GUARD_MM)
        doubtful = beside & uneven if scene.whole else beside | uneven
        self.felt.learn_bare(scene.seen, scene.box, np.bitwise_not(near | over | scene.aside | doubtful))

    def _learn_unknown(self, scene: Scene, rest: Mask) -> Mask:
        """Learn what print came to light of what is left, but where a cup may have come over dice; return the rest."""
        spared = self.felt.masked_mm(self._dice.may_be_covered(scene.kept, rest, scene.box), scene.box)
        cup = cv2.bitwise_and(rest, spared)
        other = np.asarray(cv2.bitwise_and(rest, cv2.bitwise_not(spared)), dtype=np.uint8)
        return np.asarray(self.felt.learn_unknown(scene.seen, scene.box, other) | cup, dtype=np.uint8)

    def _outlines_px(self, mask: Mask, box: MmBox) -> tuple[Floats, ...]:
        contours, _ = cv2.findContours(mask, mode=cv2.RETR_EXTERNAL, method=cv2.CHAIN_APPROX_SIMPLE)
        origin = self.felt.origin_of(box)
        large = [contour for contour in contours if cv2.contourArea(contour) >= UNEXPLAINED_MM2]
        return tuple(self._camera.to_pixels(contour.reshape(-1, 2).astype(np.float64) + origin) for contour in large)
