"""One look at one place: what lies there, and what has only been partly covered."""

from dataclasses import replace

import av
import cv2
import numpy as np

from audit.states import StackCandidate
from audit.table import parse_profile
from audit.timing import Millis
from models.camera import camera_of
from models.close_look import CloseLook
from models.frames import Frame
from models.sighting import Sighting, card_corners_mm
from tests.models.toy_table import PROFILE, PixelEyes, Thing, Toy, profile

ACE, KING = Thing(x=-118.0, y=112.0, face="Ah"), Thing(x=-69.0, y=117.0, face="Ks", start_ms=40)


def look_at_the_king_beside_the_ace(*, knows_the_ace, eyes=None):
    camera = camera_of(profile())
    close = CloseLook(profile(), camera, eyes or PixelEyes())
    bare, laid = Toy(length_ms=40).frames(), Toy(things=(ACE, KING), begin_ms=40, length_ms=80).frames()
    close.whole(next(bare), away=())
    strip = camera.to_pixels(np.array([[-149.5, 68.0], [-130.0, 68.0], [-130.0, 156.0], [-149.5, 156.0]]))
    outlines = [camera.to_pixels(card_corners_mm((one.x, one.y), one.angle)) for one in (ACE, KING)]
    lying = Sighting(kind="card", polygon_px=outlines[0], confidence=0.9, xy_mm=(ACE.x, ACE.y), face="Ah")
    low, high = np.vstack(outlines).min(axis=0) - 40, np.vstack(outlines).max(axis=0) + 40
    glimpse = close.at(
        next(laid),
        (int(low[0]), int(low[1]), int(high[0]), int(high[1])),
        places=[outlines[1]],
        kept=[],
        unmoved=[strip],
        lying=[lying] if knows_the_ace else (),
        away=(),
    )
    return [(one.kind, one.face, *(round(v) for v in one.xy_mm)) for one in glimpse.sightings]


def test_card_laid_upon_one_that_lies_there_still_is_the_only_new_one():
    (found,) = look_at_the_king_beside_the_ace(knows_the_ace=True)
    assert found[0] == "card"
    assert np.hypot(found[2] + 69, found[3] - 117) < 6


def test_without_the_card_that_lies_there_more_than_one_is_needed():
    assert len(look_at_the_king_beside_the_ace(knows_the_ace=False)) > 1


class SeesABack(PixelEyes):
    """Takes the ace for the back of a card."""

    def look(self, frame_bgr, regions=None, wanted=None):
        outline = camera_of(profile()).to_pixels(card_corners_mm((ACE.x, ACE.y), 0.0))
        place = {"xy_mm": (ACE.x, ACE.y), "angle_deg": 0.0}
        self.asked.append(regions)
        return [Sighting(kind="card_back", polygon_px=outline, confidence=0.6, **place)]


def test_a_card_that_lies_there_still_is_not_taken_for_another_by_the_detector():
    eyes = SeesABack()
    found = look_at_the_king_beside_the_ace(knows_the_ace=True, eyes=eyes)
    assert any(eyes.asked[1:])  # what shows of the ace beside the part that is unmoved has no other explanation
    assert {kind for kind, *_ in found} == {"card"}
    assert ("card", "Ah", ACE.x, ACE.y) in found


CUP_AT = (-220.0, 250.0)


class SeesACup(PixelEyes):
    """Takes whatever is at a place for a dice cup."""

    def look(self, frame_bgr, regions=None, wanted=None):
        outline = camera_of(profile()).to_pixels(card_corners_mm(CUP_AT, 0.0))
        cup = Sighting(kind="dice_cup", polygon_px=outline, confidence=0.9, xy_mm=CUP_AT)
        return [*super().look(frame_bgr, regions, wanted), cup]


class WithADarkDisc(Toy):
    def paint(self, camera, t_ms):
        picture = super().paint(camera, t_ms)
        around = [(CUP_AT[0] + 45 * np.cos(a), CUP_AT[1] + 45 * np.sin(a)) for a in np.linspace(0, 6.2, 40)]
        cv2.fillPoly(picture, [np.round(camera.to_pixels(around)).astype(int)], (30, 40, 75))
        return picture


def cups_seen(table, toy):
    close = CloseLook(table, camera_of(table), SeesACup())
    seen = close.whole(next(toy(length_ms=40).frames()), away=()).sightings
    return [one.kind for one in seen if one.kind == "dice_cup"]


def test_a_cup_is_believed_only_where_the_table_has_its_dice_and_something_stands_out():
    place = "[[-350, 170], [-100, 170], [-100, 330], [-350, 330]]"
    dice = PROFILE + f'\n[[zone]]\nname = "dice"\npolygon_mm = {place}\n'
    with_dice = parse_profile(dice.replace('"seat1.cards"', '"seat1.draw"'))
    assert cups_seen(profile(), WithADarkDisc) == []
    assert cups_seen(with_dice, WithADarkDisc) == ["dice_cup"]
    assert cups_seen(with_dice, Toy) == []  # what looks like the felt around it is print


class TakesAllForChips(PixelEyes):
    """Sees no chips by itself, and takes whatever is proposed for three of them."""

    def look(self, frame_bgr, regions=None, wanted=None):
        return [one for one in super().look(frame_bgr, regions, wanted) if one.kind != "chips"]

    def read(self, frame_bgr, proposals, *known):
        return [
            Sighting(kind="chips", polygon_px=one.polygon_px, confidence=0.9, xy_mm=one.xy_mm, stacks=CHIPS_OF_THREE)
            for one in proposals
        ]


CHIPS_OF_THREE = (StackCandidate(stack=("red", "red", "red"), p=0.9),)
SOME_CHIPS = (StackCandidate(stack=("red",), p=0.6), StackCandidate(stack=("orange",), p=0.3))
PILE = Thing(x=-200.0, y=400.0, chips="red")


def frame_with_a_pile_of_the_felts_colour(*, stands):
    """A pile of which hardly more than the white in the middle stands out stands there, or has gone."""
    camera = camera_of(profile())
    picture = Toy().paint(camera, 0)
    if stands:
        (x, y), px = camera.to_pixels([(PILE.x, PILE.y)])[0], camera.px_per_mm((PILE.x, PILE.y))
        for radius, colour in ((19.5, (60, 94, 34)), (12.0, (230, 230, 230))):
            cv2.circle(picture, (round(x), round(y)), round(radius * px), colour, -1, cv2.LINE_AA)
    source = av.VideoFrame.from_ndarray(picture, format="bgr24").reformat(format="yuv420p")
    return Frame(t_ms=0, source=source)


def seen_after(*, stood, stands):
    """What is seen where a pile stands or has gone, if what was seen before was taken for bare felt."""
    close = CloseLook(profile(), camera_of(profile()), TakesAllForChips())
    box = (0, 0, *close.felt.shape[::-1])
    bare = close.felt.seen(frame_with_a_pile_of_the_felts_colour(stands=stood), box)
    close.felt.learn_bare(bare, box, np.full(close.felt.shape, 255, np.uint8))
    outline = camera_of(profile()).to_pixels(card_corners_mm((PILE.x, PILE.y), 0.0))
    (x0, y0), (x1, y1) = outline.min(axis=0) - 60, outline.max(axis=0) + 60
    frame = frame_with_a_pile_of_the_felts_colour(stands=stands)
    region = (int(x0), int(y0), int(x1), int(y1))
    return close.at(frame, region, places=[outline], kept=[], unmoved=[], away=()).sightings


def test_felt_that_shows_where_a_pile_was_taken_for_felt_is_no_pile():
    assert seen_after(stood=True, stands=False) == ()
    assert len(seen_after(stood=False, stands=True)) == 1


class SeesADie(PixelEyes):
    """Finds a die in the middle of the felt."""

    def look(self, frame_bgr, regions=None, wanted=None):
        outline = camera_of(profile()).to_pixels(card_corners_mm((0.0, 300.0), 0.0))
        return [Sighting(kind="die", polygon_px=outline, confidence=0.9, xy_mm=(0.0, 300.0))]


def test_the_dish_in_which_dice_are_seen_hides_nothing():
    table = parse_profile(
        PROFILE + '[[zone]]\nname = "dice"\npolygon_mm = [[-80, 240], [80, 240], [80, 360], [-80, 360]]\n'
    )
    camera = camera_of(table)
    dish = camera.to_pixels([(44 * np.cos(a), 300 + 44 * np.sin(a)) for a in np.linspace(0, 6.2, 40)])
    picture = Toy().paint(camera, 0)
    cv2.fillPoly(picture, [np.round(dish).astype(np.int32)], (25, 20, 60))
    laid = Frame(t_ms=Millis(80), source=av.VideoFrame.from_ndarray(picture, format="bgr24").reformat(format="yuv420p"))
    low, high = dish.min(axis=0) - 60, dish.max(axis=0) + 60
    region = (int(low[0]), int(low[1]), int(high[0]), int(high[1]))
    unexplained = []
    for eyes in (PixelEyes(), SeesADie()):
        close = CloseLook(table, camera, eyes)
        close.whole(next(Toy(length_ms=40).frames()), away=())
        unexplained.append(close.at(laid, region, places=[dish], kept=[], unmoved=[], away=()).unexplained_px)
    assert len(unexplained[0]) == 1
    assert not unexplained[1]


class Remembers(TakesAllForChips):
    """Keeps what was proposed."""

    def __init__(self):
        super().__init__()
        self.proposed = []

    def read(self, frame_bgr, proposals, *known):
        self.proposed += proposals
        return super().read(frame_bgr, proposals, *known)


def proposed_at_first_look(*, x, round_=True):
    """What is proposed where a disc, or a square, of an inlay's size stands out when a piece of footage begins."""
    camera = camera_of(profile())
    picture = Toy().paint(camera, 0)
    (px, py), scale = camera.to_pixels([(x, 400.0)])[0], camera.px_per_mm((x, 400.0))
    half = round(12.0 * scale)
    if round_:
        cv2.circle(picture, (round(px), round(py)), half, (230, 230, 230), -1, cv2.LINE_AA)
    else:
        cv2.rectangle(
            picture, (round(px) - half, round(py) - half), (round(px) + half, round(py) + half), (230,) * 3, -1
        )
    eyes = Remembers()
    source = av.VideoFrame.from_ndarray(picture, format="bgr24").reformat(format="yuv420p")
    CloseLook(profile(), camera, eyes).whole(Frame(t_ms=Millis(0), source=source), away=())
    return [one.confidence for one in eyes.proposed if abs(one.xy_mm[0] - x) < 12 and abs(one.xy_mm[1] - 400.0) < 12]


def test_a_disc_of_an_inlays_size_on_a_betting_spot_is_a_pile_of_the_felts_colour_from_the_first_look():
    assert proposed_at_first_look(x=-200.0) == [0.5]
    assert proposed_at_first_look(x=-200.0, round_=False) == [0.3]


def test_beside_the_betting_spots_a_disc_may_be_print():
    assert proposed_at_first_look(x=0.0) == []


class DetectsChips(PixelEyes):
    """Sees one pile without much certainty, and makes nothing of what is proposed."""

    def __init__(self, place):
        super().__init__()
        self.place = place

    def look(self, frame_bgr, regions=None, wanted=None):
        outline = camera_of(profile()).to_pixels(card_corners_mm(self.place, 0.0))
        return [
            Sighting(kind="chips", polygon_px=outline, confidence=0.4, xy_mm=self.place, stacks=CHIPS_OF_THREE),
        ]

    def read(self, frame_bgr, proposals, *known):
        return [Sighting(kind="chips", polygon_px=one.polygon_px, confidence=0.0) for one in proposals]


def piles_where_something_unclear_came(*, x):
    """What is seen where the detector sees a pile without much certainty, and more stands out than a pile's middle."""
    camera, eyes = camera_of(profile()), DetectsChips((x, 400.0))
    close = CloseLook(profile(), camera, eyes)
    close.whole(next(Toy(length_ms=40).frames()), away=())
    picture = Toy().paint(camera, 0)
    (px, py), scale = camera.to_pixels([(x, 400.0)])[0], camera.px_per_mm((x, 400.0))
    cv2.rectangle(
        picture, (round(px - 40 * scale), round(py - 9)), (round(px + 40 * scale), round(py + 9)), (230,) * 3, -1
    )
    source = av.VideoFrame.from_ndarray(picture, format="bgr24").reformat(format="yuv420p")
    (x0, y0), (x1, y1) = (px - 150, py - 150), (px + 150, py + 150)
    place = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
    region = (int(x0), int(y0), int(x1), int(y1))
    frame = Frame(t_ms=Millis(40), source=source)
    return close.at(frame, region, places=[place], kept=[], unmoved=[], away=()).sightings


def test_on_a_betting_spot_a_pile_is_believed_that_the_detector_is_less_sure_of():
    assert [one.xy_mm for one in piles_where_something_unclear_came(x=-200.0)] == [(-200.0, 400.0)]
    assert not piles_where_something_unclear_came(x=0.0)


def seen_at_first_look(*, spots):
    """What is taken for a pile where a white field of a pile's size is painted, or something with spots stands."""
    camera = camera_of(profile())
    picture = Toy().paint(camera, 0)
    field = np.array([(-222.0, 378.0), (-178.0, 378.0), (-178.0, 422.0), (-222.0, 422.0)])
    cv2.fillPoly(picture, [np.round(camera.to_pixels(field)).astype(np.int32)], (225, 232, 235))
    for x, y in ((-213, 400), (-187, 400), (-200, 387), (-200, 413)) if spots else ():
        (px, py), scale = camera.to_pixels([(x, y)])[0], camera.px_per_mm((x, y))
        cv2.circle(picture, (round(px), round(py)), round(8 * scale), (40, 40, 190), -1, cv2.LINE_AA)
    source = av.VideoFrame.from_ndarray(picture, format="bgr24").reformat(format="yuv420p")
    close = CloseLook(profile(), camera, TakesAllForChips())
    return close.whole(Frame(t_ms=Millis(0), source=source), away=()).sightings


def test_a_painted_field_is_no_pile_at_the_first_look():
    assert not seen_at_first_look(spots=False)
    assert seen_at_first_look(spots=True)


class HardlyReads(TakesAllForChips):
    """Reads none of it surely, and detects nothing but a hand beside it, so that no felt is learnt there."""

    def look(self, frame_bgr, regions=None, wanted=None):
        hand = np.array([(-165.0, 390.0), (-140.0, 390.0), (-140.0, 410.0), (-165.0, 410.0)])
        return [Sighting(kind="hand", polygon_px=camera_of(profile()).to_pixels(hand), confidence=0.9)]

    def read(self, frame_bgr, proposals, *known):
        return [replace(one, stacks=SOME_CHIPS) for one in super().read(frame_bgr, proposals, *known)]


def test_what_was_no_pile_at_the_first_look_is_print_later():
    """A red disc with a yellow seven, where progressive wagers are put, was none, and one after a hand had passed."""
    camera = camera_of(profile())
    picture = Toy().paint(camera, 0)
    (x, y), scale = camera.to_pixels([(-200, 400)])[0], camera.px_per_mm((-200, 400))
    for red, green, blue, width in ((190, 40, 40, -1), (230, 200, 60, 3)):
        cv2.circle(picture, (round(x), round(y)), round(20 * scale), (blue, green, red), width, cv2.LINE_AA)
    cv2.putText(picture, "7", (round(x) - 9, round(y) + 9), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (60, 200, 230), 3)
    source = av.VideoFrame.from_ndarray(picture, format="bgr24").reformat(format="yuv420p")
    frame, reach = Frame(t_ms=Millis(0), source=source), round(60 * scale)
    region = (round(x) - reach, round(y) - reach, round(x) + reach, round(y) + reach)
    outline = np.array([(region[a], region[b]) for a, b in ((0, 1), (2, 1), (2, 3), (0, 3))], dtype=float)
    close = CloseLook(profile(), camera, HardlyReads())
    assert close.at(frame, region, places=[outline], kept=[], unmoved=[], away=()).sightings
    close = CloseLook(profile(), camera, HardlyReads())
    assert not close.whole(frame, away=()).sightings
    assert not close.at(frame, region, places=[outline], kept=[], unmoved=[], away=()).sightings


class TakesAPieceForACard(PixelEyes):
    """Reads nothing of what is proposed; the detector finds the king and reads it."""

    def look(self, frame_bgr, regions=None, wanted=None):
        outline = camera_of(profile()).to_pixels(card_corners_mm((KING.x, KING.y), 0.0))
        place = {"xy_mm": (KING.x, KING.y), "angle_deg": 0.0}
        return [Sighting(kind="card", polygon_px=outline, confidence=0.9, face="Ks", faces={"Ks": 0.99}, **place)]

    def read(self, frame_bgr, proposals, *known):
        """The first proposal lies aslant upon what shows, the others are nothing."""
        corners = camera_of(profile()).to_pixels(card_corners_mm(self.piece_mm, 34.0))
        piece = {"kind": "card_back", "polygon_px": corners, "xy_mm": self.piece_mm, "angle_deg": 34.0}
        return [Sighting(confidence=0.0 if place else 0.6, **piece) for place in range(len(proposals))]


def test_what_shows_of_a_card_that_the_detector_read_is_no_other_card():
    for piece_mm, kinds in (((-69.0, 102.0), ["card"]), ((-122.0, 114.0), ["card_back", "card"])):
        eyes = TakesAPieceForACard()
        eyes.piece_mm = piece_mm
        found = look_at_the_king_beside_the_ace(knows_the_ace=False, eyes=eyes)
        assert [kind for kind, *_ in found] == kinds


class TakesACardForAPile(TakesAPieceForACard):
    """Sees a pile where the king lies, and a stack in it with some chance."""

    some = 0.03

    def read(self, frame_bgr, proposals, *known):
        corners = camera_of(profile()).to_pixels(card_corners_mm((KING.x, KING.y), 0.0))
        stacks = (StackCandidate(stack=("white",) * 17, p=self.some),)
        pile = {"kind": "chips", "polygon_px": corners, "xy_mm": (KING.x + 12, KING.y + 12), "stacks": stacks}
        return [Sighting(confidence=0.0 if place else 0.9, **pile) for place in range(len(proposals))]


def test_what_is_hardly_a_pile_is_the_card_that_the_detector_reads_there():
    """Where cards are dealt a pile that is not surely read is hardly one."""
    for some, kinds in ((0.03, ["card"]), (0.7, ["card"]), (0.95, ["chips"])):
        eyes = TakesACardForAPile()
        eyes.some = some
        found = look_at_the_king_beside_the_ace(knows_the_ace=False, eyes=eyes)
        assert [kind for kind, *_ in found] == kinds


class SeesADieBesideThePlace(PixelEyes):
    """Takes a letter beside the place of the dice for a die."""

    read_as = 0.5

    def look(self, frame_bgr, regions=None, wanted=None):
        outline = camera_of(profile()).to_pixels(card_corners_mm((0.0, 200.0), 0.0))
        return [
            Sighting(kind="die", polygon_px=outline, confidence=0.9, xy_mm=(0.0, 200.0), faces={"3": self.read_as}),
        ]


def test_a_die_beside_its_place_of_which_no_face_was_read_is_none():
    table = parse_profile(
        PROFILE + '[[zone]]\nname = "dice"\npolygon_mm = [[-80, 240], [80, 240], [80, 360], [-80, 360]]\n'
    )
    for read_as, kinds in ((0.5, []), (0.95, ["die"])):
        eyes = SeesADieBesideThePlace()
        eyes.read_as = read_as
        seen = CloseLook(table, camera_of(table), eyes).whole(next(Toy(length_ms=40).frames()), away=()).sightings
        assert [one.kind for one in seen] == kinds


class OnlyTheDetectorSees(PixelEyes):
    """Takes nothing that is proposed for anything: what there is the detector finds."""

    def read(self, frame_bgr, proposals, *known):
        return [
            Sighting(kind=one.kind, polygon_px=one.polygon_px, confidence=0.0, xy_mm=one.xy_mm) for one in proposals
        ]


def test_what_the_detector_finds_at_the_first_look_is_not_learnt_as_felt():
    frame = next(Toy(things=(PILE,), length_ms=40).frames())
    close = CloseLook(profile(), camera_of(profile()), OnlyTheDetectorSees())
    (pile,) = close.whole(frame, away=()).sightings
    x, y = np.round(pile.polygon_px.mean(axis=0)).astype(int)
    _, known = close.felt.unlike(frame, (x - 4, y - 4, x + 5, y + 5))
    assert not known.any()
    _, known = close.felt.unlike(frame, (x + 90, y - 4, x + 99, y + 5))
    assert known.all()


def test_what_comes_to_rest_beyond_the_table_is_nothing():
    camera = camera_of(profile())
    close = CloseLook(profile(), camera, PixelEyes())
    frame = next(Toy(length_ms=40).frames())
    close.whole(frame, away=())
    (x, y), _ = camera.to_pixels([(0.0, 2500.0), (0.0, 2600.0)])
    region = (int(x), int(y), int(x) + 20, int(y) + 10)
    corner = np.array([(x, y), (x + 20, y), (x + 20, y + 10), (x, y + 10)])
    glimpse = close.at(frame, region, places=[corner], kept=[], unmoved=[], away=())
    assert not glimpse.sightings
    assert not glimpse.unexplained_px


def test_bare_felt_shows_where_nothing_lies_and_only_where_it_is_known():
    camera = camera_of(profile())
    close = CloseLook(profile(), camera, PixelEyes())
    place = Sighting(
        kind="chips", polygon_px=camera.to_pixels(card_corners_mm((-200.0, 395.0), 0.0)), confidence=0.9, xy_mm=None
    )
    bare = next(Toy(length_ms=40).frames())
    assert not close.shows_bare_felt(bare, place)
    close.whole(bare, away=())
    assert close.shows_bare_felt(bare, place)
    laid = Toy(things=(Thing(x=-200.0, y=395.0, chips="red"),), begin_ms=40, length_ms=80).frames()
    assert not close.shows_bare_felt(next(laid), place)
