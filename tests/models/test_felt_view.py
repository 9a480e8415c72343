"""The bare felt's print, and whether it shows."""

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace

import av
import cv2
import numpy as np
import pytest

from audit.states import StackCandidate
from audit.timing import Millis
from models.camera import camera_of
from models.close_look import CloseLook
from models.felt_view import FeltView
from models.frames import Frame
from models.ghosts import Ghosts
from models.pile_edges import pile_box_px
from models.pile_shapes import FAINT
from models.proposals import Proposal
from models.sighting import Sighting
from models.view_parts import is_plain
from tests.models.toy_table import SIZE, PixelEyes, Thing, Toy, profile

WORDS_MM = (-60.0, 250.0)
AROUND = (330, 180, 630, 380)


def table(*things: Thing, ink: float = 1.0, light: float = 1.0, shift_px: float = 0.0) -> Frame:
    """A table with words printed on it, the ink and the light so strong, seen so far beside its place."""
    picture = Toy().paint(camera_of(profile()), 0).astype(np.float32)
    words = np.zeros(SIZE[::-1], np.uint8)
    x, y = np.round(camera_of(profile()).to_pixels([WORDS_MM])[0]).astype(int)
    cv2.putText(words, "PAYS", (x - 75, y + 15), cv2.FONT_HERSHEY_SIMPLEX, 1.6, 255, 4, cv2.LINE_AA)
    picture += 45 * ink * (words[..., None] / 255)
    laid = Toy(things=things).paint(camera_of(profile()), 0)
    covered = np.any(laid != Toy().paint(camera_of(profile()), 0), axis=2)
    picture[covered] = laid[covered]
    move = np.array([[1, 0, shift_px], [0, 1, 0]], np.float32)
    shown = cv2.warpAffine(picture * light, move, SIZE, borderMode=cv2.BORDER_REPLICATE)
    shown += np.random.default_rng(3).normal(0, 2, SIZE[::-1])[..., None]
    bgr = np.clip(shown, 0, 255).astype(np.uint8)
    return Frame(t_ms=Millis(0), source=av.VideoFrame.from_ndarray(bgr, format="bgr24").reformat(format="yuv420p"))


class Words:
    """The felt as it was learnt, and a place of a card's size upon the words."""

    def __init__(self, *, known: bool = True) -> None:
        self.felt = FeltView(profile(), camera_of(profile()))
        self.box = self.felt.box_of(AROUND)
        x, y = WORDS_MM
        card = np.array([(x - 30, y - 40), (x + 30, y - 40), (x + 30, y + 40), (x - 30, y + 40)])
        self.place = self.felt.polygon(card, self.box)
        if known:
            everywhere = np.full(self.place.shape, 255, np.uint8)
            self.felt.learn_bare(self.felt.seen(table(), self.box), self.box, everywhere)

    def shown_by(self, frame: Frame) -> float:
        return self.felt.shows_print(self.felt.seen(frame, self.box), self.box, self.place)


@pytest.mark.parametrize("seen", [{}, {"light": 0.6}, {"ink": 1.6}, {"shift_px": 2.0}], ids=str)
def test_words_that_nothing_hides_are_found_again_in_any_light(seen):
    assert Words().shown_by(table(**seen)) > 0.9


@pytest.mark.parametrize("print_stays", [True, False], ids=["a letter", "the middle of a cheque"])
def test_the_white_middle_of_a_cheque_is_no_white_letter(print_stays):
    """A disc of the felt's brightness and another colour, white in the middle, where a white letter is printed."""
    words = Words(known=False)
    box, (rows, columns) = words.box, words.place.shape
    y, x = np.indices((rows, columns)) - np.array([rows / 2, columns / 2])[:, None, None]
    out = np.hypot(x, y)
    bare = np.full((rows, columns, 3), (90.0, 112.0, 142.0), np.float32)
    bare[(np.abs(x) < 5) & (np.abs(y) < 8)] = (225.0, 128.0, 128.0)
    words.felt.learn_bare(bare, box, np.full((rows, columns), 255, np.uint8))
    cheque = bare.copy()
    cheque[out < 19.5] = (88.0, 118.0, 98.0)
    cheque[out < 9.0] = (215.0, 128.0, 128.0)
    middle = np.where(out < 14.0, np.uint8(255), np.uint8(0))
    darker = np.array([16, 128, 128], np.float32) + 0.9 * (bare - np.array([16, 128, 128], np.float32))
    shown = words.felt.shows_print(darker if print_stays else cheque, box, middle)
    assert (shown > 0.7) is print_stays


@pytest.mark.parametrize("thing", [{"face": "Ks"}, {}, {"chips": "red"}], ids=["card", "back", "chip"])
def test_a_thing_hides_the_words(thing):
    x, y = WORDS_MM
    words = Words()
    if "chips" in thing:
        ring = np.array([(x + 18 * np.cos(a), y + 18 * np.sin(a)) for a in np.linspace(0, 6.2, 20)])
        words.place = words.felt.polygon(ring, words.box)
    assert words.shown_by(table(Thing(x=x, y=y, angle=90.0, **thing))) < 0.5


def test_words_are_print_and_the_felt_around_them_is_none():
    words = Words()
    x, y = WORDS_MM
    beside = words.felt.polygon(np.array([(x, y + 50), (x + 30, y + 50), (x + 30, y + 70), (x, y + 70)]), words.box)
    assert words.felt.printed(words.box, words.place) > 0.15
    assert words.felt.printed(words.box, beside) < 0.02
    assert Words(known=False).felt.printed(words.box, words.place) == 0.0


def test_nothing_is_said_where_the_felt_is_plain_or_unknown():
    plain = Words()
    plain.place = plain.felt.polygon(np.array([(-20, 300), (40, 300), (40, 330), (-20, 330)]), plain.box)
    assert plain.shown_by(table()) == 0.0
    assert Words(known=False).shown_by(table()) == 0.0


def may_be_print(frame: Frame, *, x: float, y: float) -> bool:
    """Whether what a cheque would hide of the felt may be its print."""
    words = Words()
    ring = np.array([(x + 19.5 * np.cos(a), y + 19.5 * np.sin(a)) for a in np.linspace(0, 6.2, 20)])
    place = words.felt.polygon(ring, words.box)
    return words.felt.may_be_print(words.felt.seen(frame, words.box), words.box, place)


def test_words_that_moved_may_be_print_and_a_cheque_upon_them_may_not():
    """In coarse video of a pushed camera words that moved a little were green cheques on green felt."""
    x, y = WORDS_MM
    assert may_be_print(table(shift_px=8.0), x=x, y=y)
    assert not may_be_print(table(Thing(x=x, y=y, chips="red")), x=x, y=y)
    assert not may_be_print(table(), x=10, y=310)  # nothing is printed there


def test_pile_in_the_middle_of_which_words_show_is_none_whatever_lies_at_its_rim():
    """In coarse video a card beside the words kept what seemed a pile there from being known as felt."""
    camera, words = camera_of(profile()), Words()
    ghosts = Ghosts(profile(), camera, words.felt)
    x, y = WORDS_MM
    stacks = (StackCandidate(stack=("green", "green"), p=0.9),)
    box = pile_box_px(camera, WORDS_MM, 2)
    pile = Sighting(kind="chips", polygon_px=box, confidence=0.9, xy_mm=WORDS_MM, stacks=stacks)

    def is_ghost(frame: Frame) -> bool:
        scene = SimpleNamespace(seen=words.felt.seen(frame, words.box), box=words.box, whole=False, out=words.place)
        nothing = np.zeros(words.place.shape, np.uint8)
        return ghosts.shows_felt(pile, nothing, scene)

    beside = table(Thing(x=x, y=y - 58, face="Ks"))  # its edge lies over the rim of the place
    place = words.felt.hidden_by([pile], words.box)
    assert words.felt.shows_print(words.felt.seen(beside, words.box), words.box, place) < 0.7
    assert is_ghost(beside)
    assert not is_ghost(table(Thing(x=x, y=y, chips="green")))


@pytest.mark.parametrize(
    ("thing", "confidence", "print_"),
    [(None, FAINT, True), (None, 0.9, False), ("red", FAINT, False)],
    ids=["words that moved", "a pile that stands out as a whole", "a red cheque"],
)
def test_faint_pile_beside_the_betting_spots_may_be_words_that_moved(thing, confidence, print_):
    camera, words = camera_of(profile()), Words()
    ghosts = Ghosts(profile(), camera, words.felt)
    x, y = WORDS_MM
    place = camera.to_pixels([(x + 19.5 * np.cos(a), y + 19.5 * np.sin(a)) for a in np.linspace(0, 6.2, 20)])
    pile = Sighting(kind="chips", polygon_px=place, confidence=confidence, xy_mm=WORDS_MM)
    frame = table(shift_px=8.0) if thing is None else table(Thing(x=x, y=y, chips=thing))
    scene = SimpleNamespace(seen=words.felt.seen(frame, words.box), box=words.box, kept=[], lying=[])
    assert ghosts.may_be_print(pile, [pile], scene) is print_
    ghosts._spots = [[(x - 60, y - 60), (x + 60, y - 60), (x + 60, y + 60), (x - 60, y + 60)]]
    assert not ghosts.may_be_print(pile, [pile], scene)  # there its chips have the felt's colour


class Credulous(PixelEyes):
    """Takes whatever is proposed for a pile, and is sure of it."""

    def read(self, frame_bgr: np.ndarray, proposals: Sequence[Proposal], *known: object) -> list[Sighting]:
        return [replace(one, confidence=0.9) for one in super().read(frame_bgr, proposals, *known)]


def test_words_that_stand_out_are_no_pile():
    close, camera = CloseLook(profile(), camera_of(profile()), Credulous()), camera_of(profile())
    close.whole(table(), away=())
    x, y = WORDS_MM
    place = camera.to_pixels(np.array([(x - 90, y - 40), (x + 90, y - 40), (x + 90, y + 40), (x - 90, y + 40)]))

    def seen_in(frame: Frame) -> list[str]:
        glimpse = close.at(frame, AROUND, places=[place], kept=[], unmoved=[], away=())
        return [one.kind for one in glimpse.sightings]

    assert seen_in(table(ink=2.6)) == []
    assert seen_in(table(Thing(x=x, y=y, chips="red"), ink=2.6)) == ["chips"]


def is_bare_again(*, learnt: Frame, now: Frame) -> bool:
    words = Words(known=False)
    everywhere = np.full(words.place.shape, 255, np.uint8)
    words.felt.learn_bare(words.felt.seen(learnt, words.box), words.box, everywhere)
    return words.felt.is_bare_again(words.felt.seen(now, words.box), words.box, words.place, words.place)


def test_where_a_card_was_taken_for_bare_felt_the_felt_is_known_again_when_it_shows():
    """Seen in flickering light: three card backs where cards had lain, for they had been learnt as print."""
    x, y = WORDS_MM
    card = table(Thing(x=x, y=y, angle=0.0, face="Ks"))
    assert is_bare_again(learnt=card, now=table())
    assert not is_bare_again(learnt=table(), now=card)
    assert not is_bare_again(learnt=table(), now=table(light=0.8))


@pytest.mark.parametrize(("ring", "bare"), [(72, True), (60, True), (20, False)])
def test_a_pale_inlay_within_a_dark_ring_is_no_pale_field_laid_bare(ring: int, bare: bool) -> None:
    """Lucky Draw Baccarat on beige: a black cheque on a cream field was that field, and nobody's wager for 100."""
    felt = FeltView(profile(), camera_of(profile()))
    box = felt.box_of(AROUND)
    plain = np.full((box[3] - box[1], box[2] - box[0], 3), (60.0, 128.0, 128.0), np.float32)
    learnt, now, place, core = plain.copy(), plain.copy(), *np.zeros((2, *plain.shape[:2]), np.uint8)
    cv2.rectangle(learnt, (60, 40), (130, 110), color=(110.0, 128.0, 128.0), thickness=-1)
    for picture, radius, shade in ((place, 20, 255), (core, 11, 255)):
        cv2.circle(picture, (95, 75), radius, shade, thickness=-1)
    now[place > 0] = (ring, 128.0, 128.0)
    now[core > 0] = (65.0, 128.0, 128.0)
    felt.learn_bare(learnt, box, np.full(place.shape, 255, np.uint8))
    assert felt.is_bare_again(now, box, place, core) is bare


def test_whether_a_place_is_bare_again_hangs_on_what_is_near_it_alone() -> None:
    x, y = WORDS_MM
    words = Words(known=False)
    everywhere = np.full(words.place.shape, 255, np.uint8)
    learnt = words.felt.seen(table(Thing(x=x, y=y, angle=0.0, face="Ks")), words.box)
    words.felt.learn_bare(learnt, words.box, everywhere)
    now = words.felt.seen(table(), words.box)
    nowhere = np.zeros_like(everywhere)
    part = nowhere.copy()
    part[40:80, 60:100] = 255
    whole, told = (words.felt._is_barer(now, words.box, where) for where in (everywhere, part))
    assert np.array_equal(whole[part > 0], told[part > 0])
    assert told[part > 0].any()
    assert not words.felt.is_bare_again(now, words.box, nowhere, nowhere)


def test_felt_that_was_seen_in_the_shadow_of_an_arm_is_bare_when_the_light_falls_on_it_again():
    """Two rounds ran into one another: where an arm's shadow had been learnt something seemed to lie, for good."""
    words = Words()
    everywhere = np.full(words.place.shape, 255, np.uint8)
    words.felt.learn_bare(words.felt.seen(table(light=0.75), words.box), words.box, everywhere)
    stands_out = words.felt.standing_out(words.felt.seen(table(), words.box), words.box)
    assert cv2.countNonZero(stands_out & words.place) < 0.02 * cv2.countNonZero(words.place)


def test_the_spotted_side_of_a_pile_of_the_felts_colour_stands_out_and_the_gap_between_two_cards_does_not():
    felt = FeltView(profile(), camera_of(profile()))
    box = felt.box_of(AROUND)
    bare = np.full((box[3] - box[1], box[2] - box[0], 3), (70.0, 120.0, 122.0), np.float32)
    felt.learn_bare(bare, box, np.full(bare.shape[:2], 255, np.uint8))
    seen, (x, y) = bare.copy(), (60, 60)
    for row in range(0, 30, 5):  # the edges of chips that lie upon each other, each with spots
        for column in range(row % 4, 36, 9):
            seen[y + row : y + row + 3, x + column : x + column + 4, 0] += 60
    for row in (-18, 28):  # what shows in any case: the top, and the foot in its shadow
        disc = np.hypot(*np.meshgrid(np.arange(seen.shape[1]) - x - 19, np.arange(seen.shape[0]) - y - row - 8)) < 12
        seen[disc, 0] = 160.0
    out = felt.standing_out(cv2.blur(seen, (3, 3)), box)
    assert np.mean(out[y : y + 28, x + 8 : x + 31] > 0) > 0.9
    cards = bare.copy()
    cards[20:108, 10:73] = cards[20:108, 81:144] = (205.0, 128.0, 128.0)
    gap = felt.standing_out(cv2.blur(cards, (3, 3)), box)[24:104, 75:79]
    assert not gap.any()


@pytest.mark.parametrize("wide", [1, 2, 3, 5])
def test_a_strip_at_the_border_is_looked_at_like_any_part(wide: int) -> None:
    """A thing at the view's border, all of which lay in three millimetres of it, ended the run."""
    felt = Words(known=False).felt
    for box in ((0, 0, 200, wide), (0, 0, wide, 200)):
        seen = felt.seen(table(), box)
        assert felt.standing_out(seen, box).shape == seen.shape[:2]
        assert not felt.differing(seen, box).any()


def test_part_with_the_felts_colour_is_plain_and_one_of_another_is_not() -> None:
    seen = np.full((200, 200, 3), (80.0, 120.0, 118.0), np.float32)
    seen[20:60, 20:60] = (200.0, 128.0, 128.0)
    out = np.where(seen[..., 0] > 100, 255, 0).astype(np.uint8)
    felt, card, border = (np.zeros((200, 200), np.uint8) for _ in range(3))
    felt[100:140, 100:140] = card[20:60, 20:60] = border[40:80, 20:60] = 255
    assert [is_plain(seen, where, out) for where in (felt, card, border)] == [True, False, False]
    assert not is_plain(seen, felt, np.full_like(out, 255))  # where no felt is seen nothing is like it


def test_what_hardly_differs_from_unknown_felt_is_told_apart_and_its_shade_is_not() -> None:
    felt = FeltView(profile(), camera_of(profile()))
    box = felt.box_of(AROUND)
    bare = np.full((box[3] - box[1], box[2] - box[0], 3), (70.0, 118.0, 124.0), np.float32)
    seen = bare.copy()
    seen[40:80, 40:80] = (82.0, 112.0, 119.0)  # a green cheque in dim light
    seen[40:80, 120:160] = (54.0, 121.2, 125.6)  # a shadow
    out, differing = felt.standing_out(seen, box), felt.differing(seen, box)
    assert not out.any()
    assert differing[40:80, 40:80].all()
    assert np.count_nonzero(differing) == 40 * 40


@pytest.mark.parametrize("forgotten", [True, False])
def test_felt_that_was_learnt_under_an_arm_is_forgotten_where_it_is_told_and_learnt_anew(forgotten: bool):
    words = Words()
    x, y = WORDS_MM
    sleeve, device = table(Thing(x=x, y=y, face="7d")), words.felt.seen(table(Thing(x=x, y=y, face="Ks")), words.box)
    words.felt.learn_bare(words.felt.seen(sleeve, words.box), words.box, words.place)
    outline = camera_of(profile()).to_pixels([(x - 35, y - 45), (x + 35, y - 45), (x + 35, y + 45), (x - 35, y + 45)])
    if forgotten:
        words.felt.forget([outline])
    left = words.felt.learn_unknown(device, words.box, words.place)
    assert (cv2.countNonZero(left) == 0) is forgotten


def test_red_beside_grey_as_bright_is_a_rim():
    red, grey = (81.0, 90.0, 240.0), (81.0, 128.0, 128.0)
    seen = np.full((40, 40, 3), grey, dtype=np.float32)
    seen[:, 20:] = red
    assert FeltView.rims(seen)[20, 19:21].min() == 1.0
    assert FeltView.edges(seen)[20, 19:21].max() < 0.01
    assert FeltView.rims(seen)[20, :10].max() < 0.01
