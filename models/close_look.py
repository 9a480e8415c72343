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
from models.back_look import BackLook, ink_of
from models.camera import Camera, Floats
from models.chip_palette import Palette
from models.detected_piles import stands_there
from models.dice_place import DICE, DicePlace
from models.felt_shapes import Shape, outline_mm
from models.felt_view import FeltView, MmBox
from models.frames import Frame
from models.ghosts import Ghosts
from models.hidden_feet import with_hidden_feet
from models.laid_along import laid_along
from models.little_piles import little_piles
from models.look_scene import Scene
from models.motion import Mask, share_of
from models.outline_lessons import OutlineLessons
from models.paper import tint_of
from models.pile_edges import pile_box_px
from models.pile_shapes import Surroundings, faint_on, fits_of, fitted, is_like_felt, pile_confidence
from models.proposals import Eyes, Proposal, fitted_anew, once_more
from models.rack_watch import RackWatch
from models.rivals import FURNITURE, Rivals, too_near
from models.shapes import beside, explain, judged
from models.sighting import Box, Sighting
from models.two_piles import explains_better, is_strange, parted, without_squeezed
from models.view_parts import square, touching, wider, without
from models.zones import within

_SLIVER_MM: Final = 6  # what sticks out less from a known card is its own misplaced edge
_OWN_SHARE: Final = 0.1  # of what shows of a card: less is shown by the cards around it
_UNEXPLAINED_MM2: Final = 500.0
_MORE_THAN_ONE: Final = 2
_FACE_SHARE: Final = 0.28
_STRIP_SHARE: Final = 0.5  # of a strip, which of a back is border for the most part
_HALF_CARD_MM2: Final = 2500
_CORE_SHARE: Final = {1: 0.97, 2: 0.93}  # between two piles side by side some shadow is left
_SURE_CARD: Final = 0.85
_DETECTED: Final = 0.35
_DETECTED_ALONE: Final = 0.5
_MOST_BARE: Final = 0.15
_GUARD_MM: Final = 7
_PILE_GUARD_MM: Final = 30
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
        left = cv2.bitwise_and(scene.out, cv2.bitwise_not(scene.aside | wider(scene.behind, 1)))
        left = np.asarray(cv2.morphologyEx(left, op=cv2.MORPH_OPEN, kernel=square(_SLIVER_MM)), dtype=np.uint8)
        if places is not None:
            left = touching(left, self.felt.masked(places, scene.box))
        shapes = self._explained(left, scene)
        shapes += self._little_piles(left, shapes, scene)
        shapes = [shape for shape in shapes if not self._dice.claims(shape.kind, shape.xy_mm)]
        found = without_squeezed(self._as_two(self._read(scene, shapes, left), left, scene))
        rest = self._unexplained(left, found, scene.box)
        hands, dropped = list[Sighting](), list[Sighting]()
        if scene.whole or cv2.countNonZero(rest) >= _UNEXPLAINED_MM2 or any(map(self._rivals.is_doubtful, found)):
            surely = self._rivals.surely_there(found, first_look=scene.whole)
            wanted = partial(self._rivals.may_be_new, others=[*surely, *kept])
            detected = self._eyes.look(frame.bgr, None if scene.whole else [region], wanted)
            detected = self._ghosts.without_flat_hands(detected, scene)
            hands = [one for one in detected if one.kind == "hand" and one.confidence >= _DETECTED]
            known = [*found, *kept, *scene.lying]
            supported = self._rivals.without_backs_again(self._supported(detected, surely, scene), found)
            supported = self._rivals.without_unread(supported, known)
            supported = laid_along(supported, known, self._camera, partial(self.read, frame))
            found = self._rivals.without_unseen(found, detected)
            if scene.whole:
                before = found
                found, supported = self._rivals.surer(before, supported)
                dropped = [one for one in before if one not in found and self._rivals.may_be_new(one, supported)]
            supported = with_hidden_feet(supported, [*found, *kept, *scene.piles], self._camera)
            found = self._rivals.without_replaced(found, supported, kept)
            found = self._without_pieces(found, supported, left, scene) + supported
            covering = [*away, *(hand.polygon_px for hand in hands)]
            # later looks follow the cup by its picture, which is learnt best from the detector's
            aside = self.felt.masked_mm(self._furniture, scene.box) if scene.whole else None
            found += self._dice.cups(
                scene.out, [*found, *kept], covering, scene.box, furniture=aside, dice_mm=scene.dice_mm
            )
            rest = self._unexplained(left, found, scene.box)
        rest = self._dice.without_dish(rest, found, scene.box)
        ghosts = [*self._ghosts.among(found, scene), *dropped]  # what was no pile at the first look is print
        doubted = [one for one in found if self._ghosts.may_be_print(one, found, scene)]
        if ghosts or doubted:
            found = [one for one in found if one not in (*ghosts, *doubted)]
            rest = self._dice.without_dish(self._unexplained(left, found, scene.box), found, scene.box)
            rest[self._ghosts.learn(ghosts, found, scene) > 0] = 0
        self._learn(scene, found, hands)
        if not hands:
            rest = self._learn_unknown(scene, rest)
        outlines = () if scene.whole else self._outlines_px(rest, scene.box)
        return Glimpse(sightings=tuple(found), hands=tuple(hands), unexplained_px=outlines)

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
        is_all = cv2.countNonZero(cv2.morphologyEx(rest, op=cv2.MORPH_OPEN, kernel=square(9))) < _UNEXPLAINED_MM2
        return fewer if is_all and 0 < len(fewer) < len(shapes) else shapes

    def _little_piles(self, left: Mask, shapes: Sequence[Shape], scene: Scene) -> list[Shape]:
        rest = left.copy()
        for shape in shapes:
            rest[self.felt.polygon(outline_mm(shape, self._camera.centre_mm), scene.box) > 0] = 0
        return little_piles(rest, scene.box, self._camera, self.felt, spots=self._spots, first=scene.whole)

    def _as_two(self, found: list[Sighting], left: Mask, scene: Scene) -> list[Sighting]:
        """What was found, a pile that no stack fits as two beside each other, if those are read."""
        for one in filter(is_strange, found):
            there = cv2.dilate(self.felt.hidden_by([one], scene.box), square(2 * _GUARD_MM + 1))
            own = np.asarray(cv2.bitwise_and(left, there), dtype=np.uint8)
            halves = parted(own)
            if halves is None:
                continue
            shapes = [
                shape
                for half, other in (halves, halves[::-1])
                for shape in self._shapes(half, np.asarray(scene.behind | other, dtype=np.uint8), scene)
            ]
            two = [seen for seen in self._read(scene, shapes, own) if seen.kind == "chips"]
            if len(two) > 1 and explains_better(two):
                found = [*(other for other in found if other is not one), *two]
        return found

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
            if not self._rivals.may_be_new(one, [*surely, *scene.kept, *fresh]):
                continue
            if self._dice.claims(one.kind, one.xy_mm) != (one.kind in DICE) or self._dice.doubts(one):
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
        others = cv2.bitwise_not(cv2.dilate(self.felt.hidden_by(read, scene.box), square(_SLIVER_MM + 1)))

        def is_piece(one: Sighting) -> bool:
            seen = cv2.bitwise_and(self.felt.hidden_by([one], scene.box), left)
            return cv2.countNonZero(cv2.bitwise_and(seen, others)) < _OWN_SHARE * cv2.countNonZero(seen)

        return [one for one in found if one.kind not in CARD_KINDS or one in read or not is_piece(one)]

    def _stands_out(self, one: Sighting, scene: Scene) -> bool:
        if one.kind == "chips":
            place, on_spot = (
                self.felt.hidden_by([one], scene.box),
                one.xy_mm is not None and within(one.xy_mm, self._spots),
            )
            differing = partial(self.felt.differing, scene.seen, scene.box)
            return stands_there(one, place, scene.out, differing, on_spot=on_spot)
        if one.kind == "dice_cup" and self._dice.is_ring(one, scene.seen, scene.box):
            return False
        if one.kind not in CARD_KINDS or one.xy_mm is None or one.angle_deg is None:
            return one.confidence >= _DETECTED_ALONE
        shape = Shape(kind="card", xy_mm=one.xy_mm, angle_deg=one.angle_deg)
        origin, centre = self.felt.origin_of(scene.box), self._camera.centre_mm
        fit = judged(shape, scene.out, behind=scene.behind, origin_mm=origin, centre_mm=centre)
        return fit.spilt <= _MOST_BARE and (one.face is not None or not scene.whole)

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
        large = [contour for contour in contours if cv2.contourArea(contour) >= _UNEXPLAINED_MM2]
        return tuple(self._camera.to_pixels(contour.reshape(-1, 2).astype(np.float64) + origin) for contour in large)
