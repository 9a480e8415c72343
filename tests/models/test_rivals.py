"""A pile where cards are dealt gives way to a card that is read there, unless it is surely read itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from audit.states import StackCandidate
from models.rivals import Rivals, is_hardly_a_pile, is_unlikely_among_cards
from models.sighting import Sighting

SQUARE = np.array([[0.0, 0.0], [20.0, 0.0], [20.0, 20.0], [0.0, 20.0]])
CARD = Sighting(kind="card", polygon_px=SQUARE, confidence=0.9, xy_mm=(0.0, 0.0), face="8d")


def pile(p: float) -> Sighting:
    stacks = (StackCandidate(stack=("white",) * 14, p=p),)
    return Sighting(kind="chips", polygon_px=SQUARE, confidence=0.9, xy_mm=(4.0, 3.0), stacks=stacks)


@pytest.mark.parametrize(("p", "unlikely", "hardly"), [(0.05, True, True), (0.51, True, False), (0.95, False, False)])
def test_how_surely_a_pile_is_read_tells_whether_it_may_be_a_card(p: float, unlikely: bool, hardly: bool) -> None:
    """A blackjack clip, 14.48 s: an eight of diamonds beside a king was fourteen white cheques, with 0.51."""
    assert is_unlikely_among_cards(pile(p)) is unlikely
    assert is_hardly_a_pile(pile(p)) is hardly
    assert not is_unlikely_among_cards(CARD)


def left(p: float, *, among_cards: bool, instead: tuple[Sighting, ...] = (CARD,)) -> int:
    place = ((-50.0, -50.0), (50.0, -50.0), (50.0, 50.0), (-50.0, 50.0))
    rivals = Rivals(card_places=(place,) if among_cards else (), furniture=())
    return len(rivals.without_replaced([pile(p)], instead))


def test_a_card_that_was_read_replaces_what_is_unlikely_where_cards_are_dealt_alone() -> None:
    assert left(0.51, among_cards=True) == 0
    assert left(0.51, among_cards=False) == left(0.95, among_cards=True) == 1
    assert left(0.51, among_cards=True, instead=()) == 1
    assert left(0.05, among_cards=False) == 0


def square(x: float, y: float, wide: float, high: float) -> np.ndarray:
    return np.array([[x, y], [x + wide, y], [x + wide, y + high], [x, y + high]])


def cards_left(piles: tuple[float, ...], *, face: float = 0.0, among_cards: bool = False) -> int:
    """How often a card 30 wide stays, each 12 of which a pile hides that is read with such a probability."""
    card = Sighting(
        kind="card",
        polygon_px=square(0, 0, 30, 20),
        confidence=0.9,
        xy_mm=(0.0, 0.0),
        faces={"8d": face} if face else {},
    )
    place = ((-50.0, -50.0), (50.0, -50.0), (50.0, 50.0), (-50.0, 50.0))
    seen = [
        Sighting(
            kind="chips",
            polygon_px=square(12.0 * number, -5, 12, 30),
            confidence=0.8,
            xy_mm=(60.0, 30.0 * number),
            stacks=(StackCandidate(stack=("red",) * 9, p=p),),
        )
        for number, p in enumerate(piles)
    ]
    rivals = Rivals(card_places=(place,) if among_cards else (), furniture=())
    return len(rivals.without_replaced([card], seen))


def test_two_piles_one_behind_the_other_are_no_card_though_they_have_its_outline() -> None:
    """A blackjack clip at 2560 by 1440, 46.5 s: a player's piles of fifteen and nine were a card outside the hands."""
    assert cards_left((0.99, 0.93)) == 0
    assert cards_left((0.99,)) == cards_left((0.99, 0.5)) == 1
    assert cards_left((0.99, 0.93), face=0.97) == cards_left((0.99, 0.93), among_cards=True) == 1


def test_a_payment_and_what_showed_of_its_wager_are_no_card_though_they_have_its_outline() -> None:
    outline = np.array([[0.0, 0.0], [60.0, 0.0], [60.0, 90.0], [0.0, 90.0]])
    back = Sighting(kind="card_back", polygon_px=outline, confidence=0.6, xy_mm=(30.0, 45.0))
    stack = (StackCandidate(stack=("red",) * 8, p=0.94),)
    wager, payment = (
        Sighting(kind="chips", polygon_px=outline * (0.6, 1.0) + aside, confidence=0.9, xy_mm=(0.0, 0.0), stacks=stack)
        for aside in ((-12.0, 0.0), (36.0, 0.0))
    )
    rivals = Rivals(card_places=(), furniture=())
    assert rivals.without_replaced([back], [payment], [wager]) == []
    assert rivals.without_replaced([back], [payment]) == [back]
    assert rivals.without_replaced([back], [], [wager, wager]) == [back]


@pytest.mark.parametrize(
    ("detected", "at", "among_cards", "face", "left"),
    [
        ("card_back", 0.0, False, 0.0, 1),
        ("card", 18.0, False, 0.0, 1),
        ("card", 24.0, False, 0.0, 0),  # another card
        ("hand", 0.0, False, 0.0, 0),
        ("hand", 0.0, True, 0.0, 0),  # where cards are dealt, too: nothing of it is read
        ("card_back", 24.0, True, 0.0, 1),  # no hand
        ("hand", 0.0, False, 0.95, 1),  # it was read
    ],
)
def test_at_the_first_look_a_card_that_was_not_read_and_is_not_detected_is_none(
    detected: str, at: float, *, among_cards: bool, face: float, left: int
) -> None:
    """A clip of 21 Stud, 46 s: a player's hand at the rail was a card that lies face down outside the hands."""
    faces = {"8d": face} if face else {}
    one = Sighting(kind="card", polygon_px=square(0, 0, 30, 20), confidence=0.9, xy_mm=(0.0, 0.0), faces=faces)
    seen = Sighting(kind=detected, polygon_px=square(at, 0, 30, 20), confidence=0.6, xy_mm=(at, 0.0))
    place = ((-50.0, -50.0), (50.0, -50.0), (50.0, 50.0), (-50.0, 50.0))
    rivals = Rivals(card_places=(place,) if among_cards else (), furniture=())
    assert len(rivals.without_unseen([one], [seen])) == left


@pytest.mark.parametrize(("at", "read", "left"), [(18.0, True, 0), (18.0, False, 1), (4.0, True, 1)])
def test_a_card_that_was_read_half_beside_what_seems_to_lie_face_down_is_another(
    at: float, *, read: bool, left: int
) -> None:
    """Film r, 54 s: the dealer's fingers upon an eight just dealt were a card face down where insurance is put."""
    back = Sighting(kind="card_back", polygon_px=square(0, 0, 30, 20), confidence=0.9, xy_mm=(0.0, 0.0))
    eight = Sighting(kind="card", polygon_px=square(at, 0, 30, 20), confidence=0.7, xy_mm=(at, 0.0), faces={"8c": 0.99})
    seen = replace(eight, face="8c") if read else replace(eight, faces={})
    assert len(Rivals(card_places=(), furniture=()).without_unseen([back], [seen])) == left


def test_the_detector_is_asked_about_what_is_hardly_a_card_where_none_is_dealt() -> None:
    """A payment of eight set beside its wager had, with what showed of that, the outline of a card face down."""
    place = ((-50.0, -50.0), (50.0, -50.0), (50.0, 50.0), (-50.0, 50.0))
    back = Sighting(kind="card_back", polygon_px=SQUARE, confidence=0.9, xy_mm=(0.0, 0.0))
    assert Rivals(card_places=(), furniture=()).is_doubtful(back)
    assert not Rivals(card_places=(place,), furniture=()).is_doubtful(back)
    assert not Rivals(card_places=(), furniture=()).is_doubtful(pile(0.95))


def face_up(x: float, wide: float, faces: dict[str, float]) -> Sighting:
    face = next((name for name, p in faces.items() if p >= 0.9), None)
    return Sighting(
        kind="card",
        polygon_px=square(x, 0, wide, 88),
        confidence=0.7,
        xy_mm=(x + wide / 2, 44.0),
        face=face,
        faces=faces,
    )


@pytest.mark.parametrize("p", [0.09, 0.38])
def test_an_unread_card_across_two_read_ones_side_by_side_is_none(p: float) -> None:
    """Film a of 27 November: a two of diamonds and a nine of hearts side by side had a third card's outline.

    So had an eight laid half upon a three, in an invented session of Draw 'n Shoot 21.
    """
    rivals = Rivals(card_places=(), furniture=())
    two, nine = face_up(0, 63, {"2d": 1.0}), face_up(32, 63, {"9h": 1.0})
    across = face_up(4, 88, {"Ac": p, "As": p * 0.8})
    assert rivals.without_unread([nine, across], [two]) == [nine]
    assert rivals.without_unread([nine, across], []) == [nine, across], "a third of it lies beside the one"
    read = face_up(4, 88, {"Kd": 0.9})
    assert rivals.without_unread([nine, read], [two]) == [nine, read]


@pytest.mark.parametrize(("confidence", "doubtful"), [(0.6, True), (0.9, False)])
def test_a_back_that_explains_little_of_what_stands_out_is_doubtful(confidence: float, doubtful: bool) -> None:
    """A blackjack clip at a low bit rate, 32 s: a nine of hearts upon a hole card, misplaced, was a second back."""
    back = Sighting(kind="card_back", polygon_px=square(0, 0, 63, 88), confidence=confidence, xy_mm=(31.0, 44.0))
    place = ((0.0, 0.0), (99.0, 0.0), (99.0, 99.0), (0.0, 99.0))
    assert Rivals(card_places=(place,), furniture=()).is_doubtful(back) is doubtful


@pytest.mark.parametrize(("p", "hand_x", "left"), [(0.6, 0.0, 0), (0.6, 12.0, 1), (0.95, 0.0, 1)])
def test_what_is_hardly_a_pile_where_a_hand_is_detected_is_that_hand(p: float, hand_x: float, left: int) -> None:
    """Film j of 27 November: the fingers of a hand that rests beside the rack were a pink cheque, with 0.6."""
    hand = Sighting(kind="hand", polygon_px=square(hand_x, -5, 40, 40), confidence=0.8, xy_mm=(20.0, 10.0))
    assert len(Rivals(card_places=(), furniture=()).without_unseen([pile(p)], [hand])) == left


@pytest.mark.parametrize(("confidence", "seen", "left"), [(0.3, False, 0), (0.3, True, 1), (0.9, False, 1)])
def test_what_hardly_has_the_outline_of_a_pile_where_a_hand_is_detected_is_that_hand(
    confidence: float, *, seen: bool, left: int
) -> None:
    """Film k, 16 s: felt between the fingers of a hand at rest before the rack was a green cheque, with 0.92."""
    hand = Sighting(kind="hand", polygon_px=square(0, -5, 40, 40), confidence=0.6, xy_mm=(20.0, 10.0))
    found = replace(pile(0.92), confidence=confidence)
    detected = [hand, pile(0.5)] if seen else [hand]
    assert len(Rivals(card_places=(), furniture=()).without_unseen([found], detected)) == left


@pytest.mark.parametrize(
    ("zone", "detected_at", "left"),
    [("seat", None, 0), ("seat", 54.0, 0), ("seat", 4.0, 1), ("dealer", None, 1)],  # 54: the card just dealt
)
def test_a_back_where_cards_lie_face_up_that_is_not_detected_is_a_hand(
    zone: str, detected_at: float | None, left: int
) -> None:
    """Film m, 67 s: the dealer's hand that rested upon the card he had dealt was a back beside it, with 0.9."""
    place = ((-99.0, -99.0), (99.0, -99.0), (99.0, 199.0), (-99.0, 199.0))
    rivals = Rivals(card_places=(place,), furniture=(), face_up=(place,) if zone == "seat" else ())
    back = Sighting(kind="card_back", polygon_px=square(0, 0, 63, 88), confidence=0.9, xy_mm=(31.0, 44.0))
    assert rivals.is_doubtful(back) is (zone == "seat")
    at = detected_at or 0.0
    card = Sighting(kind="card", polygon_px=square(0, at, 63, 88), confidence=0.8, xy_mm=(31.0, 44.0 + at))
    assert len(rivals.without_unseen([back], [] if detected_at is None else [card])) == left


@pytest.mark.parametrize(("face", "left"), [("Th", 0), (None, 1)])
def test_a_card_that_was_read_says_nothing_for_a_back_half_beneath_it(face: str | None, left: int) -> None:
    """Film19 f, 14 s: the rim of the dice's dish beside a ten just uncovered was a card under it."""
    rivals = Rivals(card_places=(AMONG_CARDS,), furniture=(), face_up=(AMONG_CARDS,))
    back = Sighting(kind="card_back", polygon_px=square(0, 0, 63, 88), confidence=0.6, xy_mm=(31.0, 44.0))
    card = Sighting(kind="card", polygon_px=square(0, 28, 63, 88), confidence=0.88, xy_mm=(31.0, 72.0), face=face)
    assert len(rivals.without_unseen([back], [card])) == left


@pytest.mark.parametrize(
    ("confidence", "face", "at", "left"),
    [(0.6, "Jc", 4.0, ["Jc"]), (0.6, None, 4.0, [None]), (0.9, "Jc", 4.0, [None]), (0.6, "Jc", 40.0, [None, "Jc"])],
    ids=["a face there", "one not read", "surely a back", "a face elsewhere"],
)
def test_what_is_hardly_a_back_where_a_face_was_detected_is_that_card(
    confidence: float, face: str | None, at: float, left: list[str | None]
) -> None:
    """Film19 c, 48 s: a jack laid upon three cards was a back that lay across them, and could not be new there."""
    rivals = Rivals(card_places=(AMONG_CARDS,), furniture=())
    back = Sighting(
        kind="card_back", polygon_px=square(0, 0, 88, 63), confidence=confidence, xy_mm=(44.0, 31.0), angle_deg=-62.0
    )
    card = Sighting(kind="card", polygon_px=square(at, 0, 63, 88), confidence=0.86, xy_mm=(44.0 + at, 31.0), face=face)
    new = [card] if rivals.may_be_new(card, rivals.surely_there([back])) else []
    new = rivals.without_backs_again(new, [back])
    assert [one.face for one in (*rivals.without_replaced([back], new), *new)] == left


AMONG_CARDS = ((-99.0, -99.0), (99.0, -99.0), (99.0, 199.0), (-99.0, 199.0))


def left_under_a_hand(one: Sighting, hand_at: float, *, seen: bool) -> int:
    """How many are left of a card, among players' cards unless it lies face down, where a hand is detected."""
    hand = Sighting(kind="hand", polygon_px=square(hand_at, -40, 90, 200), confidence=0.6, xy_mm=(45.0, 60.0))
    face_up = (AMONG_CARDS,) if one.kind == "card" else ()
    rivals = Rivals(card_places=(AMONG_CARDS,), furniture=(), face_up=face_up)
    return len(rivals.without_unseen([one], [hand, one] if seen else [hand]))


@pytest.mark.parametrize(
    ("confidence", "hand_at", "seen", "left"),
    [(0.6, 0.0, False, 0), (0.6, 0.0, True, 1), (0.6, 60.0, False, 1), (0.9, 0.0, False, 1)],
)
def test_what_has_hardly_the_outline_of_a_back_where_a_hand_is_detected_is_that_hand(
    confidence: float, hand_at: float, *, seen: bool, left: int
) -> None:
    """Lucky Draw Baccarat on wine red, 5 s: the dealer's hand at rest beside his first card was a second one."""
    back = Sighting(kind="card_back", polygon_px=square(0, 0, 63, 88), confidence=confidence, xy_mm=(31.0, 44.0))
    assert left_under_a_hand(back, hand_at, seen=seen) == left


@pytest.mark.parametrize(
    ("confidence", "pile_at", "seen", "left"),
    [(0.6, 8.0, False, 0), (0.6, 8.0, True, 1), (0.6, 60.0, False, 1), (0.9, 8.0, False, 1)],
)
def test_what_has_hardly_the_outline_of_a_back_where_a_pile_is_detected_is_that_pile(
    confidence: float, pile_at: float, *, seen: bool, left: int
) -> None:
    """21 Stud on bricks, 41.7 s: a payment and the dark spot of the wager beside it were a card, a third one."""
    back = Sighting(kind="card_back", polygon_px=square(0, 0, 63, 88), confidence=confidence, xy_mm=(31.0, 44.0))
    paid = replace(pile(0.95), polygon_px=square(pile_at, 20, 40, 50), xy_mm=(pile_at + 20, 45.0))
    rivals = Rivals(card_places=(AMONG_CARDS,), furniture=())
    assert len(rivals.without_unseen([back], [paid, back] if seen else [paid])) == left


@pytest.mark.parametrize(
    ("p", "hand_at", "seen", "left"),
    [(0.01, 0.0, False, 0), (0.01, 0.0, True, 1), (0.01, 60.0, False, 1), (0.3, 0.0, False, 1)],
)
def test_a_card_that_is_not_read_at_all_where_a_hand_and_no_card_is_detected_is_that_hand(
    p: float, hand_at: float, *, seen: bool, left: int
) -> None:
    """Film l, 38.8 s: the dealer's hand at rest upon two read cards was two cards that nobody could read, with 0.9."""
    one = Sighting(
        kind="card", polygon_px=square(0, 0, 63, 88), confidence=0.9, xy_mm=(31.0, 44.0), faces={"Qh": p, "2h": p / 2}
    )
    assert Rivals(card_places=(AMONG_CARDS,), furniture=()).is_doubtful(one) is (p < 0.2)
    assert left_under_a_hand(one, hand_at, seen=seen) == left


@pytest.mark.parametrize(
    ("p", "outlined", "y", "seen", "left"),
    [
        (0.5, 0.9, 60.0, False, 0),
        (0.5, 0.9, 60.0, True, 1),
        (0.95, 0.9, 60.0, False, 1),
        (0.5, 0.9, 130.0, False, 1),
        (0.95, 0.3, 60.0, False, 0),
        (0.95, 0.3, 60.0, True, 1),
    ],
)
def test_what_is_hardly_a_pile_before_the_rack_and_not_detected_is_a_hand_at_rest(
    p: float, outlined: float, y: float, *, seen: bool, left: int
) -> None:
    """The fingers of hands that no detector saw were a white cheque before the rack, with 0.5, and a purple one."""
    rack = ((-200.0, -100.0), (200.0, -100.0), (200.0, 0.0), (-200.0, 0.0))
    rivals, one = Rivals(card_places=(), furniture=(), racks=(rack,)), replace(pile(p), xy_mm=(0.0, y))
    one = replace(one, confidence=outlined)
    assert rivals.is_doubtful(one) is ((p < 0.9 or outlined < 0.5) and y < 90)
    assert len(rivals.without_unseen([one], [one] if seen else [])) == left


def test_a_card_that_is_not_read_gives_way_to_one_that_was_detected_where_it_seems_to_lie() -> None:
    """Side bets, blocks before the table, 76 s: a king laid upon an ace was found 14 mm beside itself, and not read."""
    place = ((-99.0, -99.0), (99.0, -99.0), (99.0, 199.0), (-99.0, 199.0))
    rivals = Rivals(card_places=(place,), furniture=())
    one = Sighting(kind="card", polygon_px=square(0, 0, 88, 63), confidence=0.9, xy_mm=(44.0, 31.0), faces={"Kd": 0.02})
    king = Sighting(
        kind="card",
        polygon_px=square(26, -12, 63, 88),
        confidence=0.9,
        xy_mm=(57.0, 32.0),
        face="Kd",
        faces={"Kd": 1.0},
    )
    surely = rivals.surely_there([one, replace(one, faces={"Kd": 0.9})])
    assert [card.faces for card in surely] == [{"Kd": 0.9}]
    assert rivals.may_be_new(king, rivals.surely_there([one]))
    assert rivals.without_replaced([one], [king]) == []
    assert rivals.without_replaced([one], [replace(king, polygon_px=square(60, -12, 63, 88))]) == [one]  # another card
    assert rivals.without_replaced([one], []) == [one]


def test_of_two_backs_found_under_a_card_that_was_detected_one_is_left() -> None:
    """Blackjack at a low bit rate, 32 s: each strip of a hole card that shows beside the up card was a back."""
    up = Sighting(kind="card", polygon_px=square(0, 0, 63, 88), confidence=0.9, xy_mm=(31.0, 44.0), face="9h")
    right = Sighting(kind="card_back", polygon_px=square(16, 0, 63, 88), confidence=0.9, xy_mm=(47.0, 44.0))
    lower = replace(right, polygon_px=square(0, 16, 63, 88), confidence=0.6, xy_mm=(31.0, 60.0))
    rivals = Rivals(card_places=(((-99.0, -99.0), (299.0, -99.0), (299.0, 299.0), (-99.0, 299.0)),), furniture=())
    assert rivals.without_replaced([lower, right], [up]) == [right]
    assert rivals.without_replaced([lower, right], []) == [lower, right]


@pytest.mark.parametrize(("face", "away", "left"), [("Ah", 14.0, 0), ("Ah", 30.0, 1), ("8s", 14.0, 1)])
def test_a_card_read_by_the_index_of_one_that_was_detected_upon_it_is_none(face: str, away: float, left: int) -> None:
    """Of an ace laid across a hole card, a hand upon it, one outline was an ace upright, 14 mm aside, with 0.94."""
    upright = Sighting(
        kind="card", polygon_px=square(0, 0, 60, 90), confidence=0.9, xy_mm=(-away, 0.0), faces={face: 0.94}, face=face
    )
    across = Sighting(
        kind="card", polygon_px=square(0, 0, 90, 60), confidence=0.87, xy_mm=(0.0, 0.0), faces={"Ah": 1.0}, face="Ah"
    )
    assert len(Rivals(card_places=(), furniture=()).without_replaced([upright], [across])) == left
