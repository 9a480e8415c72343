"""Crops that the detector learns from: what they show, and where their labels lie."""

from pathlib import Path

import cv2
import numpy as np
import pytest

torch = pytest.importorskip("torch")

from models.kinds import KINDS  # noqa: E402
from models.train.detector_crops import FILL, Cuts, canonical, labelled, shown  # noqa: E402
from models.train.detector_pictures import Pictures, Shards, ShardsError  # noqa: E402
from models.train.detector_variety import varied  # noqa: E402

CARD, CUP = KINDS.index("card"), KINDS.index("dice_cup")
QUARTER = np.pi / 2
SIDE = 192


def jpeg(picture: np.ndarray) -> np.ndarray:
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 100])[1].ravel()


def card_on_table() -> tuple[np.ndarray, np.ndarray]:
    """A white card, 80 by 56 px, turned by 20 degrees, and its label row."""
    picture = np.full((320, 320, 3), (60, 40, 20), np.uint8)
    corners = cv2.boxPoints(((190.0, 130.0), (80.0, 56.0), 20.0))
    cv2.fillConvexPoly(picture, np.int32(np.round(corners * 16)), (235, 235, 235), shift=4)
    return picture, np.array([[CARD, 190 / 320, 130 / 320, 80 / 320, 56 / 320, np.radians(20)]], np.float32)


def pictures(number: int = 1) -> Pictures:
    made = Pictures(number, torch.device("cpu"))
    picture, rows = card_on_table()
    made.add([(jpeg(picture), rows)] * number)
    return made


def drawn(row: np.ndarray, side: int) -> np.ndarray:
    """Where a label row says that its object is."""
    x, y, width, height = (float(value) * side for value in row[1:5])
    corners = cv2.boxPoints(((x, y), (width, height), float(np.degrees(row[5]))))
    return cv2.fillConvexPoly(np.zeros((side, side), np.uint8), np.int32(np.round(corners)), 1) > 0


def test_labels_lie_where_the_card_is_seen_however_a_crop_is_mirrored_or_turned() -> None:
    asked, together = pictures(), 0
    cuts = asked.cuts(40, SIDE, np.random.default_rng(1))
    seen = shown(asked.levels, cuts, SIDE).numpy()
    for crop, picture in enumerate(seen):
        bright = picture.min(axis=0) > 140
        rows = cuts.rows[cuts.owners == crop]
        if not len(rows):
            assert bright.mean() < 0.1
            continue
        where = drawn(rows[0], SIDE)
        assert (where & bright).sum() > 0.9 * (where | bright).sum()
        together += 1
    assert together > 20


def test_a_crop_shows_what_opencv_cuts_out_by_the_same_map() -> None:
    asked, (picture, _) = pictures(), card_on_table()
    cuts = asked.cuts(6, SIDE, np.random.default_rng(2))
    seen = shown(asked.levels, cuts, SIDE).numpy()
    for crop, back in enumerate(cuts.maps.astype(np.float64) * 320):
        half = back[:, :2] @ [0.5, 0.5]
        by_index = np.column_stack([back[:, :2], back[:, 2] + half - 0.5])
        way = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        told = cv2.warpAffine(picture, by_index, (SIDE, SIDE), flags=way, borderValue=(FILL,) * 3)
        assert np.abs(told.transpose(2, 0, 1) - seen[crop]).mean() < 2.5


def test_a_rectangle_is_written_one_way_turned_by_45_degrees_at_most() -> None:
    ways = [(30, 20, 0.3), (20, 30, 0.3 + QUARTER), (30, 20, 0.3 + 2 * QUARTER), (20, 30, 0.3 - QUARTER)]
    written = np.column_stack(canonical(*np.array(ways, np.float64).T))
    assert np.allclose(written, [[30, 20, 0.3]] * 4)


def test_mirrored_and_turned_labels_are_written_one_way() -> None:
    rows = pictures().cuts(200, SIDE, np.random.default_rng(3)).rows
    assert np.abs(rows[:, 5]).max() <= np.pi / 4 + 1e-6
    lengths = np.where(np.abs(np.abs(rows[:, 5]) - np.radians(20)) < 1e-4, 1.0, 0.0)
    assert lengths.all(), "20 degrees one way or the other, whichever side is the width"
    wide, high = rows[:, 3] > rows[:, 4], rows[:, 3] < rows[:, 4]
    assert wide.any()
    assert high.any()


def test_what_lies_outside_of_a_crop_has_no_label() -> None:
    rows = np.array([[0, 0.5, 0.5, 0.2, 0.2, 0], [0, 1.02, 0.5, 0.2, 0.2, 0], [0, 1.09, 0.5, 0.2, 0.2, 0]])
    kept, owners = labelled(rows, np.arange(3))
    assert owners.tolist() == [0, 1], "of the second a good part lies in it, of the third hardly any"
    assert labelled(np.zeros((0, 6)), np.zeros(0, np.int64))[0].shape == (0, 6)
    assert len(kept) == 2


def test_grey_lies_around_a_picture() -> None:
    levels = [torch.full((1, 3, 320, 320), 200, dtype=torch.uint8)]
    back = np.array([[[2 / SIDE, 0, -0.5], [0, 2 / SIDE, -0.5]]], np.float32)
    cuts = Cuts(
        pictures=np.zeros(1, np.int64),
        maps=back,
        level=np.zeros(1, np.int64),
        spread=np.ones(1, np.float32),
        room=np.ones((1, 2), np.float32),
        grey=np.full((1, 3), FILL, np.float32),
        counted=np.ones((1, len(KINDS)), np.float32),
        rows=np.zeros((0, 6), np.float32),
        owners=np.zeros(0, np.int64),
    )
    seen = shown(levels, cuts, SIDE)
    assert float(seen[0, :, 10, 10].mean()) == FILL
    assert float(seen[0, :, SIDE // 2, SIDE // 2].mean()) == 200


def test_pictures_with_what_is_rare_come_more_often_and_none_is_forgotten() -> None:
    asked = Pictures(8, torch.device("cpu"))
    picture, rows = card_on_table()
    cup = np.concatenate([rows, [[CUP, 0.2, 0.8, 0.2, 0.2, 0]]]).astype(np.float32)
    asked.add([(jpeg(picture), rows)] * 7 + [(jpeg(picture), cup)])
    often = np.bincount(asked.cuts(800, SIDE, np.random.default_rng(4)).pictures, minlength=8)
    assert often[7] > 1.5 * often[:7].mean()
    assert often.min() > 0


def test_a_new_picture_takes_the_place_of_the_oldest() -> None:
    asked, (_, rows) = pictures(2), card_on_table()
    asked.add([(jpeg(np.zeros((320, 320, 3), np.uint8)), rows)])
    assert [int(one.max()) > 200 for one in asked.levels[0]] == [False, True]


def test_pictures_of_another_size_are_refused() -> None:
    with pytest.raises(ShardsError, match="expected composed pictures of 320 by 320 pixels, found one of 640 by 480"):
        pictures().add([(jpeg(np.zeros((480, 640, 3), np.uint8)), card_on_table()[1])])


def test_no_shards_give_no_pictures(tmp_path: Path) -> None:
    assert Shards(tmp_path).take(5, again=True) == []


@pytest.mark.parametrize("side", [64, 192])
def test_varied_crops_stay_pictures_of_the_same_things(side: int) -> None:
    torch.manual_seed(1)
    plain = torch.full((24, 3, side, side), 60.0)
    plain[:, :, :, side // 2 :] = 190.0
    seen = varied(plain)
    assert seen.shape == plain.shape
    assert float(seen.min()) >= 0
    assert float(seen.max()) <= 1
    dark, bright = seen[..., : side // 2 - 8].mean(dim=(1, 2, 3)), seen[..., side // 2 + 8 :].mean(dim=(1, 2, 3))
    assert bool((bright > dark + 0.15).all())
    assert float(dark.std()) > 0.02
    assert float(plain.max()) == 190, "what was given is left as it was"
