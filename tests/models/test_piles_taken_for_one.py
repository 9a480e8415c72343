"""What was taken for one pile that no stack fits is several beside each other, or one beside another that was found."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from audit.states import StackCandidate
from models import close_look
from models.camera import camera_of
from models.close_look import CloseLook
from models.felt_shapes import Shape, pile_outline_mm
from models.sighting import Sighting, card_corners_mm
from tests.models.toy_table import PixelEyes, Thing, Toy, profile

CAMERA = camera_of(profile())
PILE = Thing(x=-200.0, y=400.0, chips="red")
BESIDE = Thing(x=-158.0, y=400.0, chips="red")
BEYOND = Thing(x=-124.0, y=372.0, chips="red")
READ, STRANGE = (StackCandidate(stack=("red",), p=0.95),), (StackCandidate(stack=("black",) * 12, p=0.1),)
A_CARD = Sighting(kind="card_back", polygon_px=np.zeros((4, 2)), confidence=0.9, xy_mm=(PILE.x, PILE.y), angle_deg=0.0)


class ReadsOnlyWhatStandsThere(PixelEyes):
    """Reads one cheque where a pile stands, and no stack, of a size that covers all of them, anywhere else."""

    def __init__(self, piles, instead=None):
        super().__init__()
        self.piles, self.instead = piles, instead

    def look(self, frame_bgr, regions=None, wanted=None):
        return []

    def read(self, frame_bgr, proposals, *known):
        return [self.one(proposal.xy_mm, number) for number, proposal in enumerate(proposals)]

    def one(self, xy_mm, number):
        if any(np.hypot(xy_mm[0] - pile.x, xy_mm[1] - pile.y) < 6 for pile in self.piles):
            outline = CAMERA.to_pixels(pile_outline_mm(xy_mm, 1, CAMERA.centre_mm))
            pile = Sighting(kind="chips", polygon_px=outline, confidence=0.9, xy_mm=xy_mm, stacks=READ)
            return self.instead or pile
        outline = CAMERA.to_pixels(card_corners_mm(xy_mm, 90.0) * 2 - np.asarray(xy_mm))
        sure = 0.0 if number else 0.9
        return Sighting(kind="chips", polygon_px=outline, confidence=sure, xy_mm=xy_mm, stacks=STRANGE)


@pytest.fixture(autouse=True)
def _without_little_piles(monkeypatch):
    monkeypatch.setattr(close_look, "little_piles", lambda *_args, **_kinds: [])


def in_the_middle(mask, *, origin_mm, **_):
    rows, columns = np.nonzero(mask)
    if not len(rows):
        return []
    x, y = np.array([columns.mean(), rows.mean()]) + origin_mm
    return [Shape(kind="chips", xy_mm=(float(x), float(y)), chips=1)]


def seen_where_came(piles, *, instead=None):
    """Where piles are seen once some were set beside each other."""
    close = CloseLook(profile(), CAMERA, ReadsOnlyWhatStandsThere(piles, instead))
    box = (0, 0, *close.felt.shape[::-1])
    bare = close.felt.seen(next(Toy(length_ms=40).frames()), box)
    close.felt.learn_bare(bare, box, np.full(close.felt.shape, 255, np.uint8))
    x, y = CAMERA.to_pixels([((PILE.x + BESIDE.x) / 2, PILE.y)])[0]
    place = np.array([(x - 80, y - 80), (x + 80, y - 80), (x + 80, y + 80), (x - 80, y + 80)])
    region = (int(x) - 130, int(y) - 130, int(x) + 130, int(y) + 130)
    frame = next(Toy(things=tuple(piles), length_ms=40).frames())
    return close.at(frame, region, places=[place], kept=[], unmoved=[], away=()).sightings


def are_at(seen, piles):
    places = sorted(one.xy_mm for one in seen if one.kind == "chips")
    wanted = sorted((pile.x, pile.y) for pile in piles)
    return len(places) == len(wanted) and all(
        np.hypot(x - to_x, y - to_y) < 6 for (x, y), (to_x, to_y) in zip(places, wanted, strict=True)
    )


@pytest.mark.parametrize("piles", [(PILE, BESIDE), (PILE, BESIDE, BEYOND)])
def test_piles_that_stood_out_as_one_are_read_one_by_one(monkeypatch, piles):
    """A wager broken down and the first cheques of its payment, 32 s: a pile of 18 hid what was paid."""
    monkeypatch.setattr(close_look, "explain", in_the_middle)
    assert are_at(seen_where_came(piles), piles)


def test_nothing_but_piles_takes_the_place_of_a_pile_that_no_stack_fits(monkeypatch):
    monkeypatch.setattr(close_look, "explain", in_the_middle)
    assert len(seen_where_came((PILE, BESIDE), instead=A_CARD)) == 1


@pytest.mark.parametrize("found", [(BESIDE,), ()])
def test_one_of_two_is_read_instead_only_where_the_other_was_found_already(monkeypatch, found):
    """A wager broken down, 30 s: a pile of 8 over both, and the green cheque besides; the half of the reds was read."""
    piles = (PILE, BESIDE)

    def one_side(mask, *, origin_mm, **_):
        middle = in_the_middle(mask, origin_mm=origin_mm)
        known = [Shape(kind="chips", xy_mm=(one.x, one.y), chips=1) for one in found]
        if not middle or abs(middle[0].xy_mm[0] - BESIDE.x) < 6:
            return []
        return middle if abs(middle[0].xy_mm[0] - PILE.x) < 6 else [*middle, *known]

    monkeypatch.setattr(close_look, "explain", one_side)
    between = Thing(x=(PILE.x + BESIDE.x) / 2, y=PILE.y)
    assert are_at(seen_where_came(piles), piles if found else [between])


def test_halves_of_which_one_is_no_stack_either_explain_nothing(monkeypatch):
    """What is read of the one half stands 30 mm from the pile there, and is as strange as the whole."""

    def astray(mask, *, origin_mm, **_):
        (shape,) = in_the_middle(mask, origin_mm=origin_mm)
        x, y = shape.xy_mm
        return [replace(shape, xy_mm=(x, y + 30.0))] if abs(x - BESIDE.x) < 6 else [shape]

    monkeypatch.setattr(close_look, "explain", astray)
    between = Thing(x=(PILE.x + BESIDE.x) / 2, y=PILE.y)
    assert are_at(seen_where_came((PILE, BESIDE)), [between])


def test_what_little_was_made_of_the_rest_gives_room_to_what_is_read(monkeypatch):
    """The pile of 18 left a rim of a cheque, which was a pile 7 mm beside its place."""
    piles = (PILE, BESIDE)
    rim = Shape(kind="chips", xy_mm=(BESIDE.x + 5.0, BESIDE.y), chips=1)

    def with_a_rim(mask, *, origin_mm, **_):
        middle = in_the_middle(mask, origin_mm=origin_mm)
        return [*middle, rim] if middle and abs(middle[0].xy_mm[0] - (PILE.x + BESIDE.x) / 2) < 6 else middle

    monkeypatch.setattr(close_look, "explain", with_a_rim)
    assert are_at(seen_where_came(piles), piles)
