"""Photographs without a camera: cards are looked for as they are, and in the picture made wider and higher."""

from dataclasses import replace

import numpy as np

from models.sighting import Sighting
from models.stretched import look_stretched

SQUARE = np.zeros((640, 640, 3), np.uint8)
CARD = np.array([(100.0, 100.0), (200.0, 100.0), (200.0, 300.0), (100.0, 300.0)])
ELSEWHERE = CARD + np.array([300.0, 200.0])
BESIDE = CARD + np.array([20.0, 0.0])


def card(polygon: np.ndarray, face: str | None, p: float, *, kind: str = "card", confidence: float = 0.8) -> Sighting:
    return Sighting(kind=kind, polygon_px=polygon, confidence=confidence, face=face, faces={face or "As": p})


def look_with(answers: dict[tuple[int, int], list[Sighting]]):
    """Eyes that see, by a picture's width and height, what is given in pixels of the square."""

    def look(picture: np.ndarray) -> list[Sighting]:
        height, width = picture.shape[:2]
        stretch = np.array([width / 640, height / 640])
        seen = answers.get((width, height), [])
        return [replace(one, polygon_px=one.polygon_px * stretch) for one in seen]

    return look


def test_a_card_that_is_read_in_a_stretched_picture_takes_the_place_of_the_unread_one():
    look = look_with({(640, 640): [card(CARD, None, 0.6)], (853, 640): [card(CARD + 3, "7h", 0.98)]})
    (seen,) = look_stretched(SQUARE, look)
    assert seen.face == "7h"
    assert np.allclose(seen.polygon_px, CARD + 3, atol=0.2), "in pixels of the picture as it is"


def test_a_card_that_was_read_stays_as_it_is_when_a_stretched_picture_tells_less():
    look = look_with({(640, 640): [card(CARD, "7h", 0.98)], (853, 640): [card(CARD, None, 0.99)]})
    (seen,) = look_stretched(SQUARE, look)
    assert (seen.face, seen.faces) == ("7h", {"7h": 0.98})


def test_a_card_found_in_a_stretched_picture_alone_counts_if_it_was_read():
    found = [card(CARD, "7h", 0.98), card(ELSEWHERE, None, 0.9)]
    seen = look_stretched(SQUARE, look_with({(1138, 640): found}))
    assert [one.face for one in seen] == ["7h"]


def test_two_cards_that_overlap_are_not_joined_into_one():
    plain = [card(CARD, "7h", 0.98), card(BESIDE, None, 0.5)]
    wide = [card(CARD, "7h", 0.97), card(BESIDE, "8h", 0.97)]
    seen = look_stretched(SQUARE, look_with({(640, 640): plain, (853, 640): wide}))
    assert sorted(str(one.face) for one in seen) == ["7h", "8h"]


def test_everything_but_cards_is_seen_in_the_picture_as_it_is():
    pile, ghost = card(CARD, None, 0.0, kind="chips"), card(ELSEWHERE, None, 0.0, kind="chips")
    seen = look_stretched(SQUARE, look_with({(640, 640): [pile], (853, 640): [pile, ghost]}))
    assert [one.kind for one in seen] == ["chips"]


def test_a_card_that_two_pictures_read_differently_is_not_read():
    look = look_with(
        {
            (640, 640): [card(CARD, "7h", 0.96)],
            (853, 640): [card(CARD, "7d", 0.99)],
            (1138, 640): [card(CARD, "7h", 0.97)],
        }
    )
    (seen,) = look_stretched(SQUARE, look)
    assert (seen.face, seen.faces) == (None, {"7d": 0.99})


def test_one_look_that_differs_is_outvoted_by_three_and_not_by_two():
    wide = {(853, 640): "7h", (1138, 640): "7h", (640, 853): "7h"}
    for agreeing, told in ((3, "7h"), (2, None)):
        answers = {(640, 640): [card(CARD, "7d", 0.99)]}
        answers |= {size: [card(CARD, face, 0.97)] for size, face in list(wide.items())[:agreeing]}
        (seen,) = look_stretched(SQUARE, look_with(answers))
        assert seen.face == told


def test_a_card_that_only_a_turned_picture_shows_is_told_where_it_is_in_the_picture_as_it_is():
    def look(picture: np.ndarray) -> list[Sighting]:
        marked = np.argwhere(picture[..., 2] > 128)[:, ::-1]
        if picture.shape[0] == picture.shape[1] == 905 and len(marked):
            box = marked.mean(axis=0) + np.array([(-40, -60), (40, -60), (40, 60), (-40, 60)])
            return [card(box, "Ks", 0.97)]
        return []

    picture = SQUARE.copy()
    picture[470:490, 120:140] = (0, 0, 255)
    (seen,) = look_stretched(picture, look)
    assert np.allclose(seen.polygon_px.mean(axis=0), (129.5, 479.5), atol=1.5)
    sides = np.linalg.norm(np.roll(seen.polygon_px, -1, axis=0) - seen.polygon_px, axis=1)
    assert np.allclose(sides, (80, 120, 80, 120), atol=0.5)


def test_a_card_that_is_read_twice_at_one_place_is_one_card():
    shorter = np.array([(101.0, 101.0), (199.0, 101.0), (199.0, 210.0), (101.0, 210.0)])
    found = [card(CARD, "7h", 0.98), card(shorter, "7h", 0.96)]
    (seen,) = look_stretched(SQUARE, look_with({(640, 640): found}))
    assert np.allclose(seen.polygon_px, CARD), "the one that is read more surely"


def test_two_of_the_same_card_that_both_show_their_indices_are_two():
    pair = [card(CARD, "8d", 0.98), card(CARD + np.array([30.0, 45.0]), "8d", 0.97)]
    assert len(look_stretched(SQUARE, look_with({(640, 640): pair}))) == 2


def test_a_piece_of_a_read_card_is_no_card_of_its_own_and_one_as_large_is():
    half = np.array([(105.0, 195.0), (195.0, 195.0), (195.0, 298.0), (105.0, 298.0)])
    for second, many in ((half, 1), (BESIDE, 2)):
        plain = [card(CARD, "7h", 0.98), card(second, None, 0.4)]
        assert len(look_stretched(SQUARE, look_with({(640, 640): plain}))) == many


def test_a_card_that_only_its_index_shows_is_added_and_one_beneath_is_not_lost():
    found = look_with({(1280, 1280): [card(CARD, "7h", 0.98), card(BESIDE, "8h", 0.97)]})
    for plain in ([card(CARD, "7h", 0.95)], [card(CARD, None, 0.6)], []):
        seen = look_stretched(SQUARE, look_with({(640, 640): plain}), indices=found)
        assert sorted(str(one.face) for one in seen) == ["7h", "8h"]


def test_an_index_says_what_a_card_is_and_a_look_at_all_of_it_where_it_lies():
    look = look_with({(640, 640): [card(CARD, "7h", 0.93)]})
    (seen,) = look_stretched(SQUARE, look, indices=look_with({(1280, 1280): [card(CARD + 9, "7h", 0.99)]}))
    assert (seen.face, seen.polygon_px.tolist()) == ("7h", CARD.tolist())


def test_an_index_where_a_card_has_its_own_that_says_another_leaves_it_unread():
    look = look_with({(640, 640): [card(CARD, "7h", 0.93)]})
    seen = look_stretched(SQUARE, look, indices=look_with({(1280, 1280): [card(CARD + 3, "7d", 0.99)]}))
    assert [one.face for one in seen] == [None]


def test_a_piece_of_a_card_that_is_read_the_same_is_that_card():
    half = np.array([(105.0, 195.0), (195.0, 195.0), (195.0, 275.0), (105.0, 275.0)])
    for face, many in (("7h", 1), ("8h", 2)):
        plain = [card(CARD, "7h", 0.98), card(half, face, 0.95)]
        assert len(look_stretched(SQUARE, look_with({(640, 640): plain}))) == many


def test_an_index_of_a_read_card_does_not_make_the_unread_one_beside_it_that_card():
    across = np.roll(CARD + np.array([14.0, 0.0]), 1, axis=0)
    index = look_with({(1280, 1280): [card(CARD + np.array([12.0, 0.0]), "7h", 0.99)]})
    for unread, told in ((across, ["7h", None]), (CARD + np.array([14.0, 0.0]), ["7h"])):
        plain = [card(CARD, "7h", 0.98), card(unread, None, 0.5)]
        assert [one.face for one in look_stretched(SQUARE, look_with({(640, 640): plain}), indices=index)] == told
