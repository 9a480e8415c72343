"""One table, watched from picture to picture: what lies where, what moved over it, which states that makes.

The small pictures say where something moves and where the table looks otherwise than known. Only such a place is looked
at closely, once it is at rest and nothing reaches over it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final

import cv2
import numpy as np

from audit.states import SeenObject, TableState
from audit.table import TableProfile
from models.camera import Camera, Floats
from models.camera_drift import CameraDrift
from models.close_look import CloseLook, Glimpse
from models.cup_watch import CupWatch
from models.dice_place import DICE_STRAY_MM
from models.frames import Frame
from models.hands import HandWatch
from models.motion import STILL_MS, Blob, Mask, Watcher, blobs, grown, share_of
from models.pile_faces import WHOLE_FACE, unmoved_face_px
from models.proposals import Eyes
from models.rivals import is_hardly_a_pile
from models.set_beside import look_beside
from models.sighting import Sighting
from models.ticking import Ticking
from models.timeline import Timeline
from models.tracking import (
    Known,
    Places,
    came_before,
    is_of_covered,
    is_same_content,
    is_same_place,
    look_anew,
    remember,
    replaces_unread,
    stands_in,
)
from models.turned import turned_in_place
from models.view_lost import LostViewWatch
from models.zones import ZoneMap

_HIDDEN_SHARE: Final = 0.3
_READ_AGAIN_MS: Final = 200
_MOST_READINGS: Final = 5
_HELD_STILL_MS: Final = 900  # beside a resting hand: a card held over the felt seldom rests so long
_HAND_AGAIN_MS: Final = 1_500  # what was a resting hand is looked at again after this, or when it has moved
_GHOST_MS: Final = 1_200
_FIRST_LOOK_MS: Final = 6_000  # a table in motion is looked at after this at the latest
_CALM_SHARE: Final = 0.015
_SHARE_OF_OBJECT: Final = 0.08
_HALF: Final = 0.5
_LEAST_BLOB: Final = 6
_LEAST_THING: Final = 20  # small pixels; the top of a single chip is about 60
_CLEAN_PERCENTILE: Final = 70
_LIGHT_MS: Final = 2_000
_UNSEEN_ZONES: Final = frozenset({"rack", "shoe"})
_NO_CHIPS_ZONES: Final = _UNSEEN_ZONES | {"ace_finder"}


@dataclass(slots=True, eq=False)
class _Look:
    """A place that came to rest, and what was seen there.

    ``kept``: known objects that lie there as before; ``under``: cards and piles unmoved, but partly covered now.
    """

    mask: Mask
    rested_ms: int
    glimpse: Glimpse
    kept: list[Known]
    under: list[Known]


class TableWatch:
    """What one table shows, picture by picture, all of one size.

    Args:
        profile: The table.
        camera: Its camera.
        eyes: What reads cards, cheques and dice.
        shape: Rows and columns of the small pictures.
        cup: What follows the dice cup.
        drift: What is known of the camera's pushes.
        start_ms: The time of the first picture.
    """

    def __init__(
        self,
        profile: TableProfile,
        camera: Camera,
        eyes: Eyes,
        *,
        shape: tuple[int, int],
        cup: CupWatch,
        drift: CameraDrift,
        start_ms: int,
    ) -> None:
        # The table, and what looks at it
        self._camera = camera
        self._drift = drift
        self._shape = shape
        self._zones = ZoneMap(profile, camera, shape)
        self._close = CloseLook(profile, camera, eyes)
        # What each picture is compared with
        self._watch = Watcher(shape)
        self._hands = HandWatch(self._zones)
        self._ticking = Ticking(self._zones)
        self._lost_view = LostViewWatch()
        self._cup = cup
        # What is known to lie there, and what is told of it
        self._places = Places()
        self._timeline = Timeline(self._hands, profile)
        # Places that wait to be looked at, or looked at again
        self._ignored = self._zones.furniture()
        self._touched: Mask = np.zeros(shape, dtype=np.uint8)
        self._hand_until = np.zeros(shape, dtype=np.float64)
        self._hands_until_ms = self._read_again_ms = 0
        self._began_ms: int | None = None
        self._waiting = False
        self._light_ms = start_ms

    def take(self) -> list[TableState]:
        """Return the states that have become final since the last call."""
        return self._timeline.take()

    def held(self) -> tuple[TableState, ...]:
        """Return the states that are not final yet, as far as they are known now."""
        return self._timeline.held()

    def see(self, frame: Frame) -> None:
        """Take in the next picture."""
        t_ms = int(frame.t_ms)
        self._watch.see(t_ms, frame.small)
        watch, moved, was_lost = self._watch, self._drift.is_lost, self._lost_view.is_lost
        lost = self._lost_view.see(t_ms, frame.small, changed=watch.changed, known=watch.known, moved=moved)
        begun = None if was_lost else self._lost_view.pending()
        if begun is not None:
            self._timeline.break_off(begun.first_ms, self._objects())
        if lost is not None:
            self._timeline.lose(lost.first_ms, t_ms, lost.reason)
        if self._lost_view.is_lost or lost is not None:
            self._forget()
            return
        if self._began_ms is None:
            self._began_ms = t_ms
        if not self._watch.known.any():
            self._first_look(frame)
            return
        self._ticking.tell(self._watch, self._hands.mask, self._places.covering)
        self._hands.see(self._watch, self._places.covering, self._places.covering(self._shape, "dice_cup"))
        self._places.touch(self._watch.active, t_ms)
        self._find_rested(frame)
        self._read_again(frame)
        self._cup.see(frame, self._places.known)
        self._timeline.tick(t_ms, self._covered(), self._objects(), calm=not self._waiting)
        if t_ms - self._light_ms >= _LIGHT_MS:
            self._light_ms = t_ms
            self._watch.follow_light()

    def _objects(self) -> tuple[SeenObject, ...]:
        """What lies on the table as the contract writes it."""
        return self._places.objects(self._watch.t_ms)

    def _read_again(self, frame: Frame) -> None:
        """Read what is not sure yet once more, as long as nothing is over it."""
        t_ms = int(frame.t_ms)
        if t_ms < self._read_again_ms:
            return
        self._read_again_ms = t_ms + _READ_AGAIN_MS
        unsure = [
            known
            for known in self._places.known
            if known.touched_ms is None and len(known.sightings) < _MOST_READINGS and known.may_tell_more(t_ms)
        ]
        if not unsure:
            return
        proposals = [self._close.again(frame, k.sightings, k.kind, k.xy_mm, self._others(k)) for k in unsure]
        lying = [known.now for known in self._places.known]
        for known, sighting in zip(unsure, self._close.read(frame, proposals, lying), strict=True):
            if sighting.confidence > 0 and is_same_place(known.now, sighting):
                known.seen_again(sighting)

    def _others(self, known: Known) -> list[Sighting]:
        return [other.now for other in self._places.known if other is not known]

    def _forget(self) -> None:
        self._watch.forget()
        self._ticking.forget()
        self._hands.forget()
        self._cup.forget()
        self._places.known.clear()
        self._touched[:] = 0
        self._began_ms = None

    def end(self, frame: Frame) -> None:
        """Tell what holds until the last picture, which was taken in already."""
        lost = self._lost_view.pending()
        if lost is not None:
            self._timeline.lose(lost.first_ms, int(frame.t_ms), lost.reason)
            return
        if not self._watch.known.any():
            self._take_first_look(frame)
        self._timeline.finish(int(frame.t_ms), self._covered(), self._objects())

    def _covered(self) -> frozenset[str]:
        active = np.asarray(cv2.bitwise_or(self._watch.active, self._touched), dtype=np.uint8)
        return self._zones.covered(active, lambda: self._watch.lying(self._hands.mask)) | self._drift.beyond

    # The first look

    def _first_look(self, frame: Frame) -> None:
        """Look at the whole table as soon as most of it is at rest."""
        assert self._began_ms is not None  # noqa: S101
        waited = int(frame.t_ms) - self._began_ms
        calm = cv2.countNonZero(self._watch.still(STILL_MS)) >= (1 - _CALM_SHARE) * self._watch.moving.size
        if waited >= STILL_MS and (calm or waited >= _FIRST_LOOK_MS):
            self._take_first_look(frame)

    def _take_first_look(self, frame: Frame) -> None:
        away = grown(np.asarray(cv2.bitwise_not(self._watch.still(STILL_MS)), dtype=np.uint8), 3)
        glimpse = self._close.whole(frame, away=self._zones.outlines_px(away))
        for hand in glimpse.hands:
            away |= self._zones.polygon_mask(hand.polygon_px, grow_px=20)
        for sighting in glimpse.sightings:
            if self._counts(sighting) and not self._is_hidden(sighting, away) and not self._is_known(sighting):
                self._add(sighting, frame)
        self._watch.account(cv2.bitwise_not(away))
        t_ms = int(frame.t_ms)
        self._timeline.change(
            rested_ms=t_ms,
            dirty_ms=t_ms - 1,
            t_ms=t_ms,
            zones=frozenset(),
            covered=self._covered(),
            objects=self._objects(),
        )

    def _is_hidden(self, sighting: Sighting, mask: Mask) -> bool:
        place = self._zones.polygon_mask(sighting.polygon_px)
        return 3 * cv2.countNonZero(cv2.bitwise_and(place, mask)) > cv2.countNonZero(place)

    # Looking at places that came to rest

    def _find_rested(self, frame: Frame) -> None:
        """Look at every changed or touched place that is at rest now."""
        for known in self._places.touched():
            self._touched |= known.mask
        calm = cv2.bitwise_and(self._watch.still(STILL_MS), cv2.bitwise_not(grown(self._hands.mask, 3)))
        calm |= self._watch.still(_GHOST_MS)  # an arm that was there from the beginning leaves its place behind
        self._watch.account(np.asarray(cv2.bitwise_and(self._ignored, calm), dtype=np.uint8))
        pending = np.asarray(cv2.bitwise_or(self._watch.active, self._touched), dtype=np.uint8)
        arms = self._hands.mask
        self._waiting = False
        if self._hands_until_ms > self._watch.t_ms:
            pending[(self._hand_until > self._watch.t_ms) & (self._watch.moving == 0)] = 0
        for blob in blobs(pending, least=_LEAST_BLOB):
            beside = bool(np.any(arms[blob.box[1] : blob.box[3], blob.box[0] : blob.box[2]] & blob.mask))
            if self._watch.rests(blob, for_ms=_HELD_STILL_MS if beside else STILL_MS):
                self._look_at(blob, frame)
            self._waiting |= not beside

    def _look_at(self, blob: Blob, frame: Frame) -> None:
        x0, y0, x1, y1 = blob.box
        rested = float(np.max(self._watch.last_motion[y0:y1, x0:x1][blob.mask > 0]))
        mask = blob.on(self._shape)
        if self._needs_look(mask, frame):
            self._conclude(self._look(mask, max(int(rested), 0), frame), frame)

    def _needs_look(self, mask: Mask, frame: Frame) -> bool:
        """Settle a place that only had something pass over it; return whether it differs and must be looked at."""
        touched = self._places.touching(mask, least=1)
        changed = cv2.countNonZero(cv2.bitwise_and(mask, self._watch.changed))
        if changed >= (_LEAST_BLOB if touched else _LEAST_THING):
            return True
        self._watch.account(mask)
        for known in touched:
            if not known.looks_the_same(frame.luma):
                return True
        self._untouch(mask)
        return False

    def _untouch(self, mask: Mask) -> None:
        for known in self._places.touching(mask, least=1):
            known.checked(self._watch.active)
        self._touched[mask > 0] = 0
        for known in self._places.touched():
            self._touched |= known.mask

    def _look(self, mask: Mask, rested_ms: int, frame: Frame) -> _Look:
        affected = self._places.touching(mask, least=1)
        if not affected:  # nothing explained what came to light when an arm of the first look had gone
            hid = np.where(self._hand_until > 0, self._watch.soon_left(self._began_ms or 0) & mask, np.uint8(0))
            self._close.felt.forget(self._zones.outlines_px(hid))
        as_before = [known for known in affected if self._is_as_before(known, frame)]
        kept = [known.now for known in self._places.known if known not in affected or known in as_before]
        parts = {id(known): self._unmoved_px(known, frame) for known in affected if known not in as_before}
        under = [known for known in affected if parts.get(id(known))]
        lying = [known for known in under if known.kind != "chips"]
        lying += [known for known in affected if known.kind == "die" and id(known) in parts and known not in lying]
        kept += [known.now for known in under if known.kind == "chips" and len(parts[id(known)]) >= WHOLE_FACE]
        away = cv2.bitwise_or(self._hands.mask, self._watch.moving)
        lying += [one for one in under if one.kind == "chips"]
        unmoved = [outline for known in under if known.kind != "chips" for outline in parts[id(known)]]
        region = self._zones.surroundings(mask)
        at = partial(self._close.at, frame, region, unmoved=unmoved, lying=[known.now for known in lying])
        at = partial(at, away=self._zones.outlines_px(np.asarray(away, dtype=np.uint8)))
        at = partial(at, places=self._zones.outlines_px(mask))
        others = [one for one in affected if one not in as_before]
        glimpse, standing = look_beside(at, kept, others, frame.luma)
        return _Look(mask=mask, rested_ms=rested_ms, glimpse=glimpse, kept=[*as_before, *standing], under=under)

    def _is_as_before(self, known: Known, frame: Frame) -> bool:
        """Whether an object's place looks as remembered; a cheque may be as bright as the felt that it leaves."""
        return known.looks_the_same(frame.luma) and self._watch.recoloured(known.mask) < _HALF

    def _unmoved_px(self, known: Known, frame: Frame) -> list[Floats]:
        """Outlines of what shows that a card or pile lies where it lay, though it does not look the same all over."""
        others = [other for other in self._places.known if other is not known]
        if known.kind != "chips":
            return known.unmoved_part_px(frame.luma, others)
        is_bare = partial(self._close.shows_bare_felt, frame, known.now)
        return unmoved_face_px(known, frame.luma, self._camera, others, is_bare=is_bare)

    def _counts(self, sighting: Sighting) -> bool:
        """Whether a sighting is an object on the felt, and not cheques in the rack or cards in the shoe."""
        if sighting.kind == "hand" or sighting.xy_mm is None or self._zones.is_behind_the_rack(sighting.xy_mm):
            return False
        if sighting.kind in ("die", "dice_cup"):
            return self._zones.is_near("dice", sighting.xy_mm, stray_mm=DICE_STRAY_MM)
        zones = set(self._zones.zones_at(sighting.xy_mm))
        return not zones & (_NO_CHIPS_ZONES if sighting.kind == "chips" else _UNSEEN_ZONES)

    def _conclude(self, look: _Look, frame: Frame) -> None:
        """Take over what the look saw at its place."""
        t_ms = int(frame.t_ms)
        hidden = self._hidden(look, self._hands.mask & look.mask)
        affected = [known for known in self._places.touching(look.mask, least=1) if known not in look.kept]
        covered = self._hidden(look, self._hands.mask)
        unseen = any(share_of(known.mask, covered) > _HIDDEN_SHARE for known in affected)
        unseen = unseen or bool(look.glimpse.unexplained_px)
        again = look.mask if unseen else hidden & look.mask
        self._hand_until[grown(again, 2) > 0] = self._hands_until_ms = t_ms + _HAND_AGAIN_MS
        seen = sorted(filter(self._counts, look.glimpse.sightings), key=lambda one: -one.confidence)
        dirty = [self._dirty_from(known) for known in affected if known.touched_ms is not None]
        came = [(known, known.since_ms) for known in affected]
        changed = self._match(affected, seen, covered, frame, under=look.under)
        added = [self._add(one, frame) for one in seen if self._is_new(one, look.mask, hidden)]
        dirty += [self._clean_until(known.mask & look.mask) for known in added]
        changed += [known.xy_mm for known in added]
        seen_free = np.asarray(cv2.bitwise_and(grown(look.mask, 2), cv2.bitwise_not(grown(hidden, 4))), dtype=np.uint8)
        self._watch.account(np.asarray(cv2.bitwise_and(seen_free, self._watch.still(STILL_MS / 2)), dtype=np.uint8))
        self._untouch(look.mask)
        if changed:
            rested = max(look.rested_ms, 0, came_before(came, self._places.known), *map(self._came_ms, added))
            before = min(dirty, default=rested - 1)
            rested = max(rested, before + 1)  # what is as bright as the felt comes without moving
            self._timeline.change(
                rested_ms=rested,
                dirty_ms=max(0, before),
                t_ms=t_ms,
                zones=frozenset(zone for place in changed for zone in self._zones.zones_at(place)),
                covered=self._covered(),
                objects=self._objects(),
            )

    def _dirty_from(self, known: Known) -> int:
        """The last moment at which an object that has changed still looked as before."""
        seen = known.under(self._watch.changed) >= _LEAST_BLOB
        since = known.touched_ms or 0
        return max(known.clean_ms, since - 1) if seen else since - 1

    def _hidden(self, look: _Look, arms: Mask) -> Mask:
        """Pixels that hands (``arms``), or something that is none of the things we know, hide."""
        hidden: Mask = np.zeros(self._shape, dtype=np.uint8)
        for outline in [*look.glimpse.unexplained_px, *(hand.polygon_px for hand in look.glimpse.hands)]:
            hidden |= self._zones.polygon_mask(outline)
        hidden |= arms
        for sighting in [*look.glimpse.sightings, *(known.now for known in look.kept)]:
            hidden[self._zones.polygon_mask(sighting.polygon_px, grow_px=4) > 0] = 0
        return hidden

    def _match(
        self,
        affected: list[Known],
        seen: list[Sighting],
        hidden: Mask,
        frame: Frame,
        *,
        under: list[Known],
    ) -> list[tuple[float, float]]:
        """Find the affected objects among the sightings again; return where the content changed."""
        changed: list[tuple[float, float]] = []
        for known in affected:
            again = next((one for one in seen if is_same_place(known.now, one)), None)
            if again is not None and known in under and known.kind == "chips":
                seen.remove(again)
                known.read_better = True
                look_anew(known, frame.luma)
            elif again is not None:
                seen.remove(again)
                if self._seen_again(known, again, frame):
                    changed.append(known.xy_mm)
            elif known in under and not any(replaces_unread(known, one) for one in seen):
                changed += self._turned(known, [*seen, *self._others(known)], frame)
            elif known in under:
                self._places.known.remove(known)
            elif share_of(known.mask, hidden) <= _HIDDEN_SHARE:
                self._places.known.remove(known)
                changed.append(known.xy_mm)
            if known in under and known in self._places.known:
                seen[:] = [one for one in seen if not is_of_covered(known, one)]
        return changed

    def _turned(self, known: Known, others: list[Sighting], frame: Frame) -> list[tuple[float, float]]:
        """Where an object that seems unmoved was turned, if it was."""
        seen = turned_in_place(known, others, partial(self._close.read, frame))
        look_anew(known, frame.luma)
        return [known.xy_mm] if seen is not None and self._seen_again(known, seen, frame) else []

    def _seen_again(self, known: Known, again: Sighting, frame: Frame) -> bool:
        """Return whether what lies at the place is another object than before."""
        if known.kind == "chips" and is_hardly_a_pile(again) and known.stayed_inside(frame.luma):
            look_anew(known, frame.luma)  # what was set beside it spoils its outline; itself it looks as it did
            return False
        same = is_same_content(known, again)
        if not same:
            known.sightings.clear()
            known.since_ms = int(frame.t_ms)
        known.seen_again(again)
        known.mask = self._zones.polygon_mask(known.now.polygon_px)
        known.clean_ms = int(frame.t_ms)
        look_anew(known, frame.luma)
        return not same

    def _is_new(self, seen: Sighting, place: Mask, hidden: Mask) -> bool:
        """Whether a sighting that is no known object may be one: at the place that changed, and not in a hand."""
        mask = self._zones.polygon_mask(seen.polygon_px)
        return not self._is_known(seen) and share_of(mask, place) >= _SHARE_OF_OBJECT and share_of(mask, hidden) < _HALF

    def _is_known(self, seen: Sighting) -> bool:
        return any(is_same_place(one.now, seen) or stands_in(one.now, seen) for one in self._places.known)

    def _came_ms(self, known: Known) -> int:
        """When it moved last where something lies that was found beside what a look was at."""
        return int(np.median(self._watch.last_motion[known.mask > 0])) if known.mask.any() else 0

    def _clean_until(self, mask: Mask) -> int:
        """The last moment at which a good part of these pixels still looked as before: nothing can have lain there."""
        times = self._watch.clean_until[mask > 0]
        return int(max(0.0, float(np.percentile(times, _CLEAN_PERCENTILE)))) if times.size else self._watch.t_ms

    def _add(self, seen: Sighting, frame: Frame) -> Known:
        known = remember([seen], self._zones.polygon_mask(seen.polygon_px), frame.luma)
        self._places.add(known, int(frame.t_ms))
        return known
