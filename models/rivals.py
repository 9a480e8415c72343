"""Which of two things that are seen at one place is there: geometry proposes, the detector sees, the readers tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from audit.states import CARD_KINDS
from audit.table import TableProfile
from models.sighting import Sighting, covered_share
from models.zones import within

_FACE_UP: Final = frozenset({"blackjack", "draw_n_shoot_21", "dicey_21"})
_DEALT: Final = (".cards", ".card1", ".card2")
FURNITURE: Final = ("rack", "shoe", "discard")
Polygon = Sequence[tuple[float, float]]

_FLAT: Final = frozenset({"card", "card_back", "die"})
_FLAT_MM: Final = 11.0
_NEAR_MM: Final = 22.0
_HARDLY: Final = 0.1
_SURE: Final = 0.9
_OF_PILES: Final = 0.5
_OUTLINED: Final = 0.8
_OF_CARDS: Final = 0.5
_SAME_CARD: Final = 0.3
_IN_HAND: Final = 0.6
_RESTING_MM: Final = 90.0  # from the rack the dealer's fingers reach
_MOSTLY_UNDER: Final = 0.6
_HARDLY_READ: Final = 0.2
_HIDDEN: Final = 0.85
_GRID: Final = 200.0
_UPON_MM: Final = 18.0  # cards so near each other hide each other's indices
_SAME_TOP: Final = 0.3  # of a pile's width


def too_near(one: Sighting, other: Sighting) -> bool:
    """Return whether two things cannot both lie where they are seen."""
    if one.xy_mm is None or other.xy_mm is None:
        return False
    least = _FLAT_MM if {one.kind, other.kind} <= _FLAT else _NEAR_MM
    return float(np.hypot(one.xy_mm[0] - other.xy_mm[0], one.xy_mm[1] - other.xy_mm[1])) < least


def one_beneath_each(answers: Sequence[Sighting], upper: Sequence[Sighting]) -> list[Sighting]:
    """Leave nothing sure of a back of which most lies under a card under which most of another one does.

    A hole card that showed on two sides of the up card was two, one for each strip.
    """
    taken: set[int] = set()
    twice: set[int] = set()
    backs = [number for number, one in enumerate(answers) if one.kind == "card_back"]
    for number in sorted(backs, key=lambda number: -answers[number].confidence):
        back = answers[number].polygon_px
        under = {n for n, card in enumerate(upper) if covered_share(back, card.polygon_px) >= _MOSTLY_UNDER}
        if under & taken:
            twice.add(number)
        taken |= under
    return [replace(one, confidence=0.0) if number in twice else one for number, one in enumerate(answers)]


def is_hardly_a_pile(one: Sighting) -> bool:
    """Return whether a thing with a pile's outline is no stack of cheques as far as its side tells.

    A card laid half upon another has been taken for a pile of seventeen, and its face was never looked at.
    """
    return one.kind == "chips" and sum(stack.p for stack in one.stacks) < _HARDLY


def is_unlikely_among_cards(one: Sighting) -> bool:
    """Return whether a pile where cards are dealt is rather a card, if one is read there: it is not surely read itself.

    A white card beside another has been taken for a tall pile of white cheques, with 0.51.
    """
    return one.kind == "chips" and _best(one) < _SURE


@dataclass(frozen=True, slots=True, kw_only=True)
class Rivals:
    """What may be where something is seen at a table: outlines (mm) of where cards are dealt, and of its furniture.

    ``racks``: of the racks alone, before which the dealer's hands rest. ``face_up``: of where cards lie face up as a
    rule, the players'.
    """

    card_places: Sequence[Polygon]
    furniture: Sequence[Polygon]
    racks: Sequence[Polygon] = ()
    face_up: Sequence[Polygon] = ()

    @classmethod
    def of(cls, profile: TableProfile) -> Rivals:
        """Return what a table's zones tell."""
        return cls(
            card_places=[zone.polygon_mm for zone in profile.zones if zone.name.endswith(_DEALT)],
            furniture=[zone.polygon_mm for zone in profile.zones if zone.name in FURNITURE],
            racks=[zone.polygon_mm for zone in profile.zones if zone.name == "rack"],
            face_up=[zone.polygon_mm for zone in profile.zones if _is_for_faces(profile, zone.name)],
        )

    def is_hardly(self, one: Sighting) -> bool:
        """Return whether what has a pile's outline is rather something else, if that is seen there."""
        among_cards = one.xy_mm is not None and within(one.xy_mm, self.card_places)
        return is_hardly_a_pile(one) or (among_cards and is_unlikely_among_cards(one))

    def is_doubtful(self, one: Sighting) -> bool:
        """Return whether the detector is to be asked about what was found: hardly a pile, or hardly a card.

        What was set beside a pile has had, with it, the outline of a card face down, and a card laid upon another
        the outline of a back that explained neither well. Fingers that rest before the rack have had that of a pile,
        and a hand upon a card just dealt that of a back beside it, or of a card that is not read at all.
        """
        hardly = self.is_hardly(one) or self._is_hardly_a_card(one) or _is_hardly_a_back(one)
        return hardly or self._may_be_fingers(one) or self._may_be_a_hand(one) or _is_not_read(one)

    def surely_there(self, found: Sequence[Sighting], *, first_look: bool = False) -> list[Sighting]:
        """Return what was found without what is hardly a pile or back, or not read; at the first look without piles."""
        hardly = [one for one in found if self.is_hardly(one) or _is_not_read(one) or _is_hardly_a_back(one)]
        return [one for one in found if one not in hardly and not (first_look and one.kind == "chips")]

    def may_be_new(self, one: Sighting, others: Sequence[Sighting]) -> bool:
        """Return whether something that was detected may be there beside what others are known to be."""
        if one.xy_mm is None or within(one.xy_mm, self.furniture):
            return False
        return not any(too_near(one, other) for other in others)

    def without_replaced(
        self, found: Sequence[Sighting], instead: Sequence[Sighting], kept: Sequence[Sighting] = ()
    ) -> list[Sighting]:
        """Return what was found without what is hardly a pile, where the detector saw something else that was read.

        Nor what is hardly a card where it saw piles: two tall ones, one behind the other, have had a card's outline,
        and so had a payment with what showed of its wager, ``kept``. Nor a card that is not read where it saw one, nor
        what is hardly a back where it saw a face: a jack upon three cards was one that lay across them. Nor a card with
        the face of one it saw there: an ace that lay across a hole card was two, read by one index.
        """
        cards = [one for one in instead if one.kind in CARD_KINDS]
        read = [one for one in instead if one.face is not None or one.stacks]
        piles = [one for one in instead if sum(stack.p for stack in one.stacks) >= _SURE]
        faces = [one for one in instead if one.kind == "card" and one.face is not None]
        upper = [*faces, *(one for one in kept if one.kind == "card" and one.face is not None)]
        return [
            one
            for one in one_beneath_each(found, upper)
            if one.confidence > 0
            and not (self.is_hardly(one) and any(too_near(one, other) or _covers(other, one) for other in read))
            and not (self._is_hardly_a_card(one) and _is_of_piles(one, piles, kept))
            and not (_is_not_read(one) and _covered(one, cards) >= _OF_PILES)
            and not (_is_hardly_a_back(one) and any(too_near(one, face) for face in faces))
            and not any(_is_read_by_the_index_of(face, one) for face in faces)
        ]

    def surer(self, found: Sequence[Sighting], detected: Sequence[Sighting]) -> tuple[list[Sighting], list[Sighting]]:
        """Return what was found and what was detected at the first look, of piles at one place the one to be believed.

        Where the bare felt is not known yet, an outline may be wrong: of twelve red cheques on red felt only the
        uppermost stood out, and a pile was three, with 0.94, where six to eight were detected. So what was detected
        counts, unless what was found is told to be the same, or both are read and it is higher. What is hardly read
        and was not detected is print: discs for progressive wagers were four and five black cheques, with 0.8. So is
        what hardly has a pile's outline: the signs of cards' suits on empty spots were red cheques, with 0.95.
        """
        piles = [one for one in found if one.kind == "chips"]
        seen = [one for one in detected if one.kind == "chips"]
        kept = [one for one in piles if all(_is_surer(one, pile) for pile in seen if _is_one(one, pile))]
        kept = [one for one in kept if _is_outlined(one) or any(_is_one(one, pile) for pile in seen)]
        told = [one for one in detected if one not in seen or not any(_is_one(one, pile) for pile in kept)]
        return [one for one in found if one not in piles or one in kept], told

    def without_unseen(self, found: Sequence[Sighting], detected: Sequence[Sighting]) -> list[Sighting]:
        """Return what was found without what is hardly a card and where the detector saw none.

        A hand at the rail may have its outline, and so have parts of the cover of a cup that was put down. Nor what is
        hardly a pile where it saw a hand: fingers that rest beside the rack were a pink cheque, and felt between them
        was a green one, with 0.92, whose outline explained little of what stood out. Nor what is not read before the
        rack, or seems to lie face down where cards lie face up, and was not detected: those were hands at rest. So was
        what seems to lie face up and is not read at all, or has hardly the outline of a back, and of which the detector
        saw a hand and no card. Fingers upon a card that was read, and lay half there, were one face down, and a rim of
        the dice's dish beside it; so were the spot of a wager and a payment beside it, a pile that was detected.
        """
        cards = [one for one in detected if one.kind in CARD_KINDS]
        hands = [one for one in detected if one.kind == "hand"]
        piles = [one for one in detected if one.kind == "chips"]

        def is_unseen(one: Sighting) -> bool:
            if one.kind == "chips":
                is_detected = any(_is_one(one, pile) for pile in piles)
                hardly = _best(one) < _SURE or not (_is_surely_a_pile(one) or is_detected)
                in_hand = hardly and _covered(one, hands) >= _IN_HAND
                return in_hand or (self._may_be_fingers(one) and not is_detected)
            hardly = _is_not_read(one) or _is_hardly_a_back(one)
            maybe = self._may_be_a_hand(one) or (hardly and _covered(one, hands) >= _IN_HAND)
            maybe = maybe or (_is_hardly_a_back(one) and any(_is_in(one, pile) for pile in piles))
            vouching = [card for card in cards if one.kind == "card" or card.face is None]
            if maybe and not any(_lies_there(one, card) for card in vouching):
                return True
            its_own = [card for card in cards if card.face is None or _lies_there(one, card)]
            return self._is_hardly_a_card(one) and _covered(one, its_own) < _SAME_CARD

        return [one for one in found if not is_unseen(one)]

    def without_backs_again(self, detected: Sequence[Sighting], found: Sequence[Sighting]) -> list[Sighting]:
        """Return what was detected without cards that are not read where what is hardly a back was found."""
        backs = [one for one in found if _is_hardly_a_back(one)]
        read = [one for one in detected if one.kind not in CARD_KINDS or one.face is not None]
        return [one for one in detected if one in read or not any(too_near(one, back) for back in backs)]

    def without_unread(self, detected: Sequence[Sighting], known: Sequence[Sighting]) -> list[Sighting]:
        """Return what was detected without cards face up that are not read and seem to lie where read ones do.

        Two cards side by side have been detected as a third one across them, and so has a card laid half upon another,
        an ace with 0.38. Of ``known`` cards are read, too.
        """
        read = [one for one in (*detected, *known) if one.kind == "card" and one.face is not None]
        return [
            one
            for one in detected
            if one.kind != "card"
            or max(one.faces.values(), default=0.0) >= _OF_CARDS
            or _hidden_share(one, [card for card in read if card is not one]) < _HIDDEN
        ]

    def _may_be_fingers(self, one: Sighting) -> bool:
        """Whether a pile before the rack, or on its rim, is not read or explains little of what stands out there."""
        unsure = one.kind == "chips" and one.xy_mm is not None and not _is_surely_a_pile(one)
        return unsure and any(_beside(one.xy_mm, rack) <= _RESTING_MM for rack in self.racks)

    def _may_be_a_hand(self, one: Sighting) -> bool:
        """Whether a card lies face down where players' cards lie face up as a rule."""
        return one.kind == "card_back" and one.xy_mm is not None and within(one.xy_mm, self.face_up)

    def _is_hardly_a_card(self, one: Sighting) -> bool:
        """Whether a card was not read and lies where none is dealt."""
        is_card = one.kind in CARD_KINDS and max(one.faces.values(), default=0.0) < _SURE
        return is_card and one.xy_mm is not None and not within(one.xy_mm, self.card_places)


def _lies_there(one: Sighting, card: Sighting) -> bool:
    """Whether a card was detected where one seems to lie: most of each covers the other."""
    least = min(covered_share(one.polygon_px, card.polygon_px), covered_share(card.polygon_px, one.polygon_px))
    return least >= _OF_PILES


def _is_not_read(one: Sighting) -> bool:
    """Whether something is a card face up of which no face is likely."""
    return one.kind == "card" and max(one.faces.values(), default=0.0) < _HARDLY_READ


def _is_for_faces(profile: TableProfile, zone: str) -> bool:
    """Whether players' cards lie face up in a zone as a rule."""
    return profile.game in _FACE_UP and zone.startswith("seat") and zone.endswith(_DEALT)


def _is_hardly_a_back(one: Sighting) -> bool:
    """Whether a card face down has an outline that does not explain well what stands out."""
    return one.kind == "card_back" and one.confidence < _SURE


def _is_read_by_the_index_of(face: Sighting, one: Sighting) -> bool:
    """Whether a card has the face of another that is read more surely and hardly leaves any of it to be seen."""
    if one.kind != "card" or _is_not_read(one) or one.xy_mm is None or face.xy_mm is None or face.face is None:
        return False
    alike = max(one.faces, key=lambda code: one.faces[code]) == face.face
    surer = face.faces.get(face.face, 0.0) > max(one.faces.values())
    return alike and surer and float(np.hypot(one.xy_mm[0] - face.xy_mm[0], one.xy_mm[1] - face.xy_mm[1])) < _UPON_MM


def _is_surely_a_pile(one: Sighting) -> bool:
    """Whether a pile is read, and has the outline of one."""
    return _best(one) >= _SURE and one.confidence >= _OF_PILES


def _is_outlined(one: Sighting) -> bool:
    """Whether a pile is read, and its outline explains nearly all that stands out."""
    return _best(one) >= _SURE and one.confidence >= _OUTLINED


def _beside(point: tuple[float, float] | None, outline: Polygon) -> float:
    """How far (mm) a point is from an outline, less than nothing inside."""
    assert point is not None  # noqa: S101 - for the type checker
    return -float(cv2.pointPolygonTest(np.asarray(outline, dtype=np.float32), point, measureDist=True))


def _best(one: Sighting) -> float:
    return max((stack.p for stack in one.stacks), default=0.0)


def _covered(one: Sighting, others: Sequence[Sighting]) -> float:
    """How much of a thing's outline in the picture one of some others covers at most, 0 to 1."""
    return max((covered_share(one.polygon_px, other.polygon_px) for other in others), default=0.0)


def _hidden_share(one: Sighting, cards: Sequence[Sighting]) -> float:
    """How much of a thing's outline in the picture lies within the outlines of cards, 0 to 1."""
    outlines = [outline.polygon_px for outline in (one, *cards)]
    corner = np.min([outline.min(axis=0) for outline in outlines], axis=0)
    across = np.max([outline.max(axis=0) for outline in outlines], axis=0) - corner
    scale = min(1.0, _GRID / float(across.max()))
    width, height = (int(v) + 2 for v in across * scale)
    mine, theirs = np.zeros((height, width), dtype=np.uint8), np.zeros((height, width), dtype=np.uint8)
    for mask, outline in zip((mine, *[theirs] * len(cards)), outlines, strict=True):
        cv2.fillConvexPoly(mask, np.rint((outline - corner) * scale).astype(np.int32), 1)
    return cv2.countNonZero(mine & theirs) / max(1, cv2.countNonZero(mine))


def _is_surer(one: Sighting, other: Sighting) -> bool:
    """Whether what was found is rather so than what was detected: told alike, or both are read and it is higher."""
    mine, theirs = (max(pile.stacks, key=lambda stack: stack.p, default=None) for pile in (one, other))
    if mine is None or theirs is None:
        return theirs is None
    if mine.stack == theirs.stack:
        return mine.p >= min(_SURE, theirs.p)
    return min(mine.p, theirs.p) >= _SURE and (len(mine.stack), mine.p) > (len(theirs.stack), theirs.p)


def _is_one(one: Sighting, other: Sighting) -> bool:
    """Whether two sightings are of one pile: they stand at one place, or what shows of one may be the other's top."""
    (left, top), (right, _) = one.polygon_px.min(axis=0), one.polygon_px.max(axis=0)
    apart = other.polygon_px.min(axis=0) - (left, top), other.polygon_px.max(axis=0)[0] - right
    farthest = max(float(np.abs(apart[0]).max()), abs(float(apart[1])))
    return too_near(one, other) or farthest <= _SAME_TOP * float(right - left)


def _is_of_piles(one: Sighting, piles: Sequence[Sighting], kept: Sequence[Sighting]) -> bool:
    """Whether most of what a thing covers in the picture is covered by piles, some of which are new."""
    new, old = (
        sum(covered_share(one.polygon_px, pile.polygon_px) for pile in some)
        for some in (piles, [pile for pile in kept if pile.kind == "chips"])
    )
    return new > 0 and new + old >= _OF_PILES


def _covers(card: Sighting, one: Sighting) -> bool:
    """Whether a thing is in the picture where a card is."""
    return card.kind == "card" and _is_in(card, one)


def _is_in(outer: Sighting, one: Sighting) -> bool:
    """Whether the middle of a thing is in the picture within another's outline."""
    x, y = (float(v) for v in one.polygon_px.mean(axis=0))
    return within((x, y), [[(float(a), float(b)) for a, b in outer.polygon_px]])
