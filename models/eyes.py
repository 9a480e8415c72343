"""The close look: the detector finds objects in a part of the picture, the readers say what they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np

from audit.states import CARD_KINDS, StackCandidate
from audit.table import TableProfile
from models.backdrop import Backdrop
from models.camera import Camera, Floats
from models.cheque_size import CHIP_DIAMETER_MM
from models.chip_decode import likeliest_number
from models.chip_geometry import place_stack
from models.chip_palette import Palette
from models.dice_finder import DIE_MM
from models.every_number import in_numbers, likely_numbers, number_chances, numbers_asked, numbers_beyond, shares_of
from models.frames import Pixels
from models.miscounts import with_a_miscount_of_one_look
from models.outline import Outline
from models.photographed_dice import look_for_dice, with_dice
from models.pile_edges import is_cut_off, pile_box_px, under_its_top
from models.pile_weights import weighed, with_a_black_foot, with_a_dark_foot
from models.printed_indices import cards_by_index
from models.proposals import Proposal
from models.rack_view import RackColours
from models.sighting import (
    CARD_HEIGHT_MM,
    Box,
    DetectionsLike,
    Sighting,
    card_corners_mm,
    fit_card,
    folded,
)
from models.stretched import FEW_WAYS, look_stretched
from models.zones import within

_NOT_A_CARD: Final = 0.5
_DOUBTFUL: Final = 0.65
_MOST_OF_A_CHEQUE: Final = 0.7
_COUNT_SURE: Final = 0.95
_SOME_PILE: Final = 0.5  # that it is any stack at all
_READ_PILE: Final = 0.75  # what hardly stands out must at least be read
_SURELY_A_FACE: Final = 0.9
_FOOT_SHOWS_PX: Final = 3.0  # of a chip's edge: from there on the marks hold
_NO_FACE: Final = 0.9
_DIE_MIDDLE_MM: Final = 14.0  # over the felt, on a dish or without one
_GLINT: Final = 0.6
_TWICE_MM: Final = 7.0  # two cards cannot lie so exactly upon each other and both be seen


class CardReadingLike(Protocol):
    """A card reader's answer."""

    @property
    def card(self) -> str | None: ...  # noqa: D102 - the likeliest if it is sure enough to be said
    @property
    def candidates(self) -> Mapping[str, float]: ...  # noqa: D102 - probabilities by card
    @property
    def none_probability(self) -> float: ...  # noqa: D102 - that it is no card face


class Eyes:
    """Looks with a detector and readers; with a camera it places what it sees on the felt.

    Args:
        detector: Finds objects (``models.detection``).
        corners: Moves approximate corners of cards onto the true ones (``models.card_corners``).
        cards: Reads card faces (``models.card_reader``).
        chips: Reads chip stacks (``models.chip_reader``).
        dice: Reads dice (``models.dice_reader``).
        finder: Finds dice where they may lie (``models.dice_finder``).
        camera: The table's camera, None for a photograph of anything.
        dice_places: Outlines in mm of where only dice and their cup lie.
    """

    def __init__(
        self,
        *,
        detector: Any,
        corners: Any,
        cards: Any,
        chips: Any,
        dice: Any,
        finder: Any,
        camera: Camera | None,
        dice_places: Sequence[Sequence[tuple[float, float]]] = (),
    ) -> None:
        self._detector = detector
        self._corners = corners
        self._cards = cards
        self._chips = chips
        self._dice = dice
        self._finder = finder
        self._dice_places = dice_places
        self._camera = camera

    def look(
        self,
        frame_bgr: Pixels,
        regions: Sequence[Box] | None = None,
        wanted: Callable[[Sighting], bool] | None = None,
    ) -> list[Sighting]:
        """Return what lies in the regions (the whole frame without), hands included; of piles those that are wanted."""
        if self._camera is None and regions is None:
            dice = look_for_dice(frame_bgr, self._detector, self._dice)
            cards = look_stretched(frame_bgr, self._look, self._look_for_cards, indices=self._look_for_indices)
            return with_dice(cards, dice)
        return self._look(frame_bgr, regions, wanted)

    def look_at_picture(self, picture_bgr: Pixels) -> list[Sighting]:
        """Return what lies in a single picture: its cards are looked at in several ways, also where a camera is known.

        A frame of footage is followed by others; a picture is all there is.
        """
        if self._camera is None:
            return self.look(picture_bgr)
        look = self._without_camera()._look_for_cards  # noqa: SLF001 - of the same class
        placed = [self._placed(one) for one in look_stretched(picture_bgr, look, ways=FEW_WAYS)]
        rest = [one for one in self._look(picture_bgr) if one.kind not in CARD_KINDS]
        return [*(one for one in placed if one.xy_mm is not None or one.face is not None), *rest]

    def _without_camera(self) -> Eyes:
        return Eyes(
            detector=self._detector,
            corners=self._corners,
            cards=self._cards,
            chips=self._chips,
            dice=self._dice,
            finder=self._finder,
            camera=None,
        )

    def _placed(self, card: Sighting) -> Sighting:
        """A card of a picture with its place on the felt, if one of its size can lie there so."""
        fit = None if self._camera is None else fit_card(self._camera, card.polygon_px)
        return card if fit is None else replace(card, xy_mm=fit.xy_mm, angle_deg=fit.angle_deg)

    def _look(
        self,
        frame_bgr: Pixels,
        regions: Sequence[Box] | None = None,
        wanted: Callable[[Sighting], bool] | None = None,
    ) -> list[Sighting]:
        quads, kinds, chances = self._detected(frame_bgr, regions)
        seen = self._card_sightings(frame_bgr, quads, kinds, chances)
        piles = [self._pile(quads[i], chances[i]) for i, kind in enumerate(kinds) if kind == "chips"]
        seen += self._read_piles(frame_bgr, [pile for pile in piles if wanted is None or wanted(pile)])
        dice = [i for i, kind in enumerate(kinds) if kind == "die"]
        seen += self._die_sightings(frame_bgr, quads[dice], [chances[i] for i in dice])
        seen += self._dice_in_their_places(frame_bgr, regions)
        rest = [i for i, kind in enumerate(kinds) if kind not in ("card", "card_back", "chips", "die")]
        seen += [self._plain(kinds[i], quads[i], chances[i]) for i in rest]
        return seen

    def _look_for_cards(self, frame_bgr: Pixels) -> list[Sighting]:
        """Return the cards of the whole frame alone."""
        return self._card_sightings(frame_bgr, *self._detected(frame_bgr, None))

    def _look_for_indices(self, frame_bgr: Pixels) -> list[Sighting]:
        """Return the cards of a photograph that are read by an index which is seen."""
        return cards_by_index(frame_bgr, self._cards, self._corners)

    def _detected(self, frame_bgr: Pixels, regions: Sequence[Box] | None) -> tuple[Floats, list[str], list[float]]:
        """The outlines (n, 4, 2), kinds and confidences of what the detector finds and is not left to the finder."""
        boxes = None if regions is None else [tuple(float(side) for side in box) for box in regions]
        found: DetectionsLike = self._detector.detect(frame_bgr, boxes, card_px=self._card_px(regions))
        quads = np.asarray(found.polygons_px, dtype=np.float64).reshape(-1, 4, 2)
        kinds = [self._kind_at_the_table(str(kind), quad) for kind, quad in zip(found.kinds, quads, strict=True)]
        kept = [i for i, kind in enumerate(kinds) if not self._is_left_to_finder(kind, quads[i])]
        return quads[kept], [kinds[i] for i in kept], [float(found.confidences[i]) for i in kept]

    def _kind_at_the_table(self, kind: str, quad_px: Floats) -> str:
        """What something seen is: at a table without dice what looks like one as large as a cheque is a pile."""
        if kind != "die" or self._camera is None or self._dice_places:
            return kind
        place = self._camera.to_felt([quad_px.mean(axis=0)])[0]
        across = float(np.linalg.norm(quad_px - np.roll(quad_px, 1, axis=0), axis=1).min())
        wide = np.isfinite(place).all() and across > _MOST_OF_A_CHEQUE * CHIP_DIAMETER_MM * self._camera.px_per_mm(
            place
        )
        return "chips" if wide else kind

    def _is_left_to_finder(self, kind: str, quad_px: Floats) -> bool:
        """Whether a detection is a small thing where only dice lie: the finder knows them better."""
        if kind not in ("chips", "die") or self._camera is None or not self._dice_places:
            return False
        x, y = self._camera.to_felt([quad_px.mean(axis=0)])[0]
        return within((float(x), float(y)), self._dice_places)

    def _dice_in_their_places(self, frame: Pixels, regions: Sequence[Box] | None) -> list[Sighting]:
        """The dice that lie in the regions where dice may lie."""
        if self._camera is None:
            return []
        found = []
        for place in self._dice_places:
            outline = self._camera.to_pixels([(*point, _DIE_MIDDLE_MM) for point in place])
            (x0, y0), (x1, y1) = outline.min(axis=0), outline.max(axis=0)
            die_px = DIE_MM * self._camera.px_per_mm(np.mean(place, axis=0))
            for die in self._finder.find(frame, (int(x0), int(y0), int(x1), int(y1)), die_px):
                x, y = die.polygon_px.mean(axis=0)
                if regions is None or any(a <= x <= c and b <= y <= d for a, b, c, d in regions):
                    found.append(die)
        seen = self._die_sightings(
            frame, np.array([die.polygon_px for die in found]), [die.confidence for die in found]
        )
        if _is_a_knob(seen):
            return []
        return [replace(one, xy_mm=self._under(one.polygon_px)) for one in seen]

    def _under(self, quad_px: Floats) -> tuple[float, float] | None:
        """The felt point under a die."""
        if self._camera is None:
            return None
        x, y = self._camera.to_felt([quad_px.mean(axis=0)], z_mm=_DIE_MIDDLE_MM)[0]
        return (float(x), float(y)) if np.isfinite((x, y)).all() else None

    def read(
        self,
        frame_bgr: Pixels,
        proposals: Sequence[Proposal],
        backdrop: Backdrop | None = None,
        palette: Palette | None = None,
    ) -> list[Sighting]:
        """Return what proposals are, in order; one that is nothing gets a confidence of 0.

        Args:
            frame_bgr: the whole picture.
            proposals: what may lie there.
            backdrop: the bare felt behind the picture.
            palette: how the table's chips look, as far as is known; it learns from this picture.
        """
        cards = [one for one in proposals if one.kind != "chips"]
        piles = [one for one in proposals if one.kind == "chips"]
        answers = dict(zip(map(id, cards), self._proposed_cards(frame_bgr, cards), strict=True))
        answers |= dict(zip(map(id, piles), self._proposed_piles(frame_bgr, piles, backdrop, palette), strict=True))
        return [answers[id(one)] for one in proposals]

    def rack(self, frame_bgr: Pixels, polygon_mm: Sequence[tuple[float, float]]) -> RackColours:
        """Return what the rack shows of the table's colours; nothing without a calibrated camera."""
        if self._camera is None or not self._camera.heights_known:
            return RackColours()
        shown: RackColours = self._chips.read_rack(frame_bgr, self._camera, polygon_mm)
        return shown

    def _proposed_cards(self, frame: Pixels, cards: list[Proposal]) -> list[Sighting]:
        if not cards:
            return []
        # Corners that fit the felt are better than the refiner's: it helps only where no camera is known.
        readings = self._cards.read(frame, np.array([card.polygon_px for card in cards]))
        return [self._proposed_card(card, reading) for card, reading in zip(cards, readings, strict=True)]

    def _proposed_card(self, card: Proposal, reading: CardReadingLike) -> Sighting:
        likeliest = max(reading.candidates.values(), default=0.0)
        is_face = card.kind == "card" or likeliest >= _SURELY_A_FACE
        confidence = card.confidence
        if card.kind == "card" and reading.none_probability > _NO_FACE and confidence < _DOUBTFUL:
            confidence = 0.0
        return Sighting(
            kind="card" if is_face else "card_back",
            polygon_px=card.polygon_px,
            confidence=confidence,
            xy_mm=card.xy_mm,
            angle_deg=None if card.angle_deg is None else folded(card.angle_deg),
            faces=dict(reading.candidates) if is_face else {},
            face=reading.card if is_face else None,
        )

    def _proposed_piles(
        self, frame: Pixels, piles: list[Proposal], backdrop: Backdrop | None, palette: Palette | None
    ) -> list[Sighting]:
        if not piles:
            return []
        boxes = np.array([pile.polygon_px for pile in piles])
        readings = self._chips.read(frame, boxes, self._camera, backdrop, palette)
        readings = [
            self._in_every_box(frame, reading, pile.outline, backdrop, palette)
            for pile, reading in zip(piles, readings, strict=True)
        ]
        return [self._proposed_pile(pile, reading) for pile, reading in zip(piles, readings, strict=True)]

    def _in_every_box(
        self, frame: Pixels, reading: Any, outline: Outline | None, backdrop: Backdrop | None, palette: Palette | None
    ) -> Any:
        """A reading with its candidates as boxes of every likely number under the pile's top tell them."""
        if self._camera is None or reading.base_mm is None or not reading.candidates:
            return reading
        seen: dict[int, Any] = {}
        numbers = numbers_asked(reading.box_chips, likeliest_number(reading.candidates)[0])
        while numbers:
            boxes = np.array([_box_under_its_top(reading, number, self._camera) for number in numbers])
            seen |= zip(numbers, self._chips.look_into(frame, boxes, self._camera, backdrop), strict=True)
            numbers = numbers_beyond({number: one.numbers for number, one in seen.items()})
        told = {number: one.numbers for number, one in seen.items()}
        felt = {number: one.felt_below for number, one in seen.items()}
        chances = number_chances(told, shares_of(reading.candidates), reading.box_chips, felt, outline)
        likely, read = likely_numbers(chances), {}
        for number in reversed(likely):  # the palette keeps what it learns last
            known = palette if number == likely[0] or palette is None else palette.apart()
            read[number] = self._chips.read_colours(frame, seen[number], self._camera, known).candidates
        count = likely[0] if chances[likely[0]] >= _COUNT_SURE else None
        return replace(
            reading, candidates=in_numbers(chances, read, told), count=count, count_p=chances[likely[0]], stack=None
        )

    def _proposed_pile(self, pile: Proposal, reading: Any) -> Sighting:
        stacks = with_a_black_foot(weighed(reading.candidates, pile), self._chips.colours)
        if reading.px_per_edge < _FOOT_SHOWS_PX:
            stacks = with_a_dark_foot(stacks, self._chips.colours)
        stacks = with_a_miscount_of_one_look(stacks)
        best, some = max((stack.p for stack in stacks), default=0.0), sum(stack.p for stack in stacks)
        doubtful = pile.confidence < _DOUBTFUL and some < _SOME_PILE
        doubtful |= pile.confidence < _SOME_PILE and best < _READ_PILE
        return Sighting(
            kind="chips",
            polygon_px=pile.polygon_px,
            confidence=0.0 if doubtful else pile.confidence,
            xy_mm=pile.xy_mm,
            stacks=stacks,
            colour=reading.top_colour,
            count=reading.count,
            outline=pile.outline,
            unweighed=tuple(StackCandidate(stack=tuple(stack), p=float(p)) for stack, p in reading.candidates),
        )

    def _card_px(self, regions: Sequence[Box] | None) -> float | None:
        """How long a card is in the first region, or amid the picture, if the camera is known."""
        if self._camera is None or (regions is not None and not regions):
            return None
        x0, y0, x1, y1 = (0.0, 0.0, *self._camera.size) if regions is None else regions[0]
        centre = self._camera.to_felt([((x0 + x1) / 2, (y0 + y1) / 2)])[0]
        return None if not np.isfinite(centre).all() else CARD_HEIGHT_MM * self._camera.px_per_mm(centre)

    def _card_sightings(self, frame: Pixels, quads: Floats, kinds: list[str], chances: list[float]) -> list[Sighting]:
        chosen = [i for i, kind in enumerate(kinds) if kind in CARD_KINDS]
        if not chosen:
            return []
        snap = self._snap if self._camera is not None else None
        found = self._corners.refine(frame, quads[chosen], snap_to_felt=snap)
        corners = np.array([card.quad_px for card in found], dtype=np.float64).reshape(-1, 4, 2)
        faces = [n for n, i in enumerate(chosen) if kinds[i] == "card"]
        readings = dict(zip(faces, self._cards.read(frame, corners[faces]), strict=True)) if faces else {}
        seen = [self._card(kinds[i], corners[n], chances[i], readings.get(n)) for n, i in enumerate(chosen)]
        return _without_doubles([sighting for sighting in seen if sighting is not None])

    def _snap(self, quad_px: Floats) -> Floats | None:
        """Return the corners, in the same order, of the card flat on the felt that fits best; None if none does."""
        fit = None if self._camera is None else fit_card(self._camera, quad_px)
        if fit is None or self._camera is None:
            return None
        corners = self._camera.to_pixels(card_corners_mm(fit.xy_mm, fit.angle_deg))
        turned = [np.roll(order, shift, axis=0) for order in (corners, corners[::-1]) for shift in range(4)]
        nearest: Floats = min(turned, key=lambda way: float(np.abs(way - quad_px).sum()))
        return nearest

    def _card(self, kind: str, quad_px: Floats, confidence: float, reading: CardReadingLike | None) -> Sighting | None:
        if reading is not None and reading.none_probability > _NOT_A_CARD and confidence < _DOUBTFUL:
            return None
        sighting = Sighting(
            kind=kind,
            polygon_px=quad_px,
            confidence=confidence,
            faces={} if reading is None else dict(reading.candidates),
            face=None if reading is None else reading.card,
        )
        if self._camera is None:
            return sighting
        fit = fit_card(self._camera, quad_px)
        if fit is None:
            return None
        outline = self._camera.to_pixels(card_corners_mm(fit.xy_mm, fit.angle_deg))
        return replace(sighting, xy_mm=fit.xy_mm, angle_deg=fit.angle_deg, polygon_px=outline)

    def _pile(self, quad_px: Floats, confidence: float) -> Sighting:
        """A detected pile, not read yet, where it stands."""
        plain = self._plain("chips", quad_px, confidence)
        if self._camera is None or not self._camera.heights_known:
            return plain  # on the felt at its middle, as if it were flat
        base = place_stack(quad_px, self._camera).base_mm
        return replace(plain, xy_mm=(float(base[0]), float(base[1]))) if np.isfinite(base).all() else plain

    def _read_piles(self, frame: Pixels, piles: Sequence[Sighting]) -> list[Sighting]:
        if not piles:
            return []
        readings = self._chips.read(frame, np.array([pile.polygon_px for pile in piles]), self._camera)
        return [
            pile
            if is_cut_off(pile.polygon_px, frame)
            else replace(
                pile,
                stacks=tuple(StackCandidate(stack=tuple(stack), p=float(p)) for stack, p in reading.candidates),
                colour=reading.top_colour,
                count=reading.count,
            )
            for pile, reading in zip(piles, readings, strict=True)
        ]

    def _die_sightings(self, frame: Pixels, quads: Floats, chances: Sequence[float]) -> list[Sighting]:
        readings = self._dice.read(frame, quads, self._camera) if len(quads) else []
        return [
            replace(
                self._plain("die", quad, chance),
                faces={str(value): p for value, p in reading.candidates.items()},
                face=None if reading.value is None else str(reading.value),
                colour=reading.colour,
            )
            for quad, chance, reading in zip(quads, chances, readings, strict=True)
        ]

    def _plain(self, kind: str, quad_px: Floats, confidence: float) -> Sighting:
        sighting = Sighting(kind=kind, polygon_px=quad_px, confidence=confidence)
        if self._camera is None:
            return sighting
        x, y = self._camera.to_felt([quad_px.mean(axis=0)])[0]
        return replace(sighting, xy_mm=(float(x), float(y)) if np.isfinite((x, y)).all() else None)


def _box_under_its_top(reading: Any, number: int, camera: Camera) -> Floats:
    """The box (4, 2) of so many chips under the top of the box in which a pile was read."""
    x, y = under_its_top(camera, reading.base_mm, reading.box_chips, number)
    return pile_box_px(camera, (float(x), float(y)), number)


def _is_a_knob(dice: Sequence[Sighting]) -> bool:
    """Whether what was found is the knob of the cup's cover, and glints on it: a lamp on a knob is like a pip.

    There is more than one die, and hardly ever a single one of them can be read.
    """
    likely = [die for die in dice if die.face is not None or die.confidence >= _GLINT]
    return (len(dice) == 1 and dice[0].face is None) or [die.face for die in likely] == ["1"]


def _without_doubles(cards: list[Sighting]) -> list[Sighting]:
    """Of two cards at one place keep the more certain one."""
    kept: list[Sighting] = []
    for card in sorted(cards, key=lambda c: -c.confidence):
        if card.xy_mm is None or not any(_is_double(card, other) for other in kept):
            kept.append(card)
    return kept


def _is_double(card: Sighting, other: Sighting) -> bool:
    if card.xy_mm is None or other.xy_mm is None:
        return False
    return float(np.hypot(card.xy_mm[0] - other.xy_mm[0], card.xy_mm[1] - other.xy_mm[1])) < _TWICE_MM


def load_eyes(
    camera: Camera | None = None,
    *,
    profile: TableProfile | None = None,
    threads: int = 1,
    card_weights: Path | None = None,
) -> Eyes:
    """Return eyes with the trained networks of this version.

    Args:
        camera: The table's camera, None for a photograph of anything.
        profile: The table; chips that are worth more than its maximum are not in play there.
        threads: CPU threads that inference may use.
        card_weights: Folder of the card reader's weights, None for those that are shipped.

    Raises:
        ValueError: if weights are missing or are not the ones that were measured.
    """
    from models.card_corners import CornerRefiner  # noqa: PLC0415 - networks are loaded only where a picture is read
    from models.card_reader import CardReader  # noqa: PLC0415
    from models.chip_reader import ChipReader  # noqa: PLC0415
    from models.detection import Detector  # noqa: PLC0415
    from models.dice_finder import DiceFinder  # noqa: PLC0415
    from models.dice_reader import DiceReader  # noqa: PLC0415

    return Eyes(
        detector=Detector(threads=threads),
        corners=CornerRefiner(),
        cards=CardReader() if card_weights is None else CardReader(folder=card_weights),
        chips=ChipReader(colours=None if profile is None else colours_in_play(profile)),
        dice=DiceReader(),
        finder=DiceFinder(),
        camera=camera,
        dice_places=() if profile is None else [zone.polygon_mm for zone in profile.zones if zone.name == "dice"],
    )


def colours_in_play(profile: TableProfile) -> tuple[str, ...]:
    """Return the chip colours that can lie on the felt of a table: those worth no more than its maximum."""
    return tuple(colour for colour, value in profile.chips.items() if value <= profile.maximum)
