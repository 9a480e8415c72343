"""Where the detector looks."""

import numpy as np
import pytest

from models.detection_windows import Window, plan_regions, plan_whole


@pytest.mark.parametrize(
    ("width", "height"), [(64, 48), (320, 320), (640, 360), (1280, 720), (1920, 1080), (3840, 2160), (1080, 1920)]
)
def test_each_pass_over_a_picture_counts_every_place_once(width: int, height: int) -> None:
    for windows in plan_whole(width, height):
        for x, y in ((1.3, 1.7), (width * 0.333, height * 0.71), (width - 1.1, height - 1.9)):
            holders = [w for w in windows if w.keep[0] <= x < w.keep[2] and w.keep[1] <= y < w.keep[3]]
            assert len(holders) == 1


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1920, 1080), (3840, 2160)])
def test_what_counts_of_a_window_lies_in_it(width: int, height: int) -> None:
    for windows in plan_whole(width, height):
        for w in windows:
            assert w.keep[0] >= w.x0 - 1e-6
            assert w.keep[2] <= w.x0 + w.net_wh[0] / w.scale + 1e-6
            assert w.keep[3] <= w.y0 + w.net_wh[1] / w.scale + 1e-6


def test_a_large_picture_is_looked_at_in_its_own_resolution_too() -> None:
    assert plan_whole(1920, 1080)[-1][0].scale == 1.0


def test_inputs_are_whole_cells_of_32_pixels() -> None:
    sizes = {w.net_wh for windows in plan_whole(1366, 768) for w in windows}
    assert all(width % 32 == 0 and height % 32 == 0 for width, height in sizes)


def test_a_region_is_shown_larger_with_the_picture_around_it() -> None:
    [window] = plan_regions([(900.0, 500.0, 1060.0, 620.0)], 1920, 1080, None)
    assert window.net_wh == (320, 320)
    assert window.scale == 1.5
    assert window.x0 == pytest.approx(980 - 320 / 1.5 / 2)


def test_a_region_at_the_edge_is_filled_up_from_inside_the_picture() -> None:
    [window] = plan_regions([(0.0, 0.0, 160.0, 160.0)], 1920, 1080, None)
    assert (window.x0, window.y0) == (0.0, 0.0)


def test_cards_of_known_size_are_shown_about_75_pixels_long() -> None:
    [window] = plan_regions([(100.0, 100.0, 400.0, 400.0)], 1920, 1080, 75.0)
    assert window.scale == 1.0


def test_a_region_wider_than_the_large_input_is_shrunk_into_it() -> None:
    [window] = plan_regions([(0.0, 0.0, 1920.0, 300.0)], 1920, 1080, 75.0)
    assert window.net_wh == (640, 640)
    assert window.scale == pytest.approx(1 / 3)


@pytest.mark.parametrize("scale", [0.5, 1.0, 1.5])
def test_a_mark_is_cut_where_the_way_back_finds_it(scale: float) -> None:
    frame = np.zeros((400, 600, 3), np.uint8)
    frame[198:202, 298:302] = 255
    window = Window(x0=250.0, y0=170.0, scale=scale, net_wh=(320, 320), keep=(0.0, 0.0, 600.0, 400.0))
    rows, columns = np.nonzero(window.cut(frame)[..., 0] > 200)
    middle = [columns.mean() + 0.5, rows.mean() + 0.5, 4.0, 4.0, 0.0, 1.0, 0.0]
    [back] = window.to_picture(np.array([middle], np.float32))
    assert back[:2].tolist() == pytest.approx([300.0, 200.0], abs=0.8)


def test_a_window_over_the_edge_of_the_picture_is_filled_with_grey() -> None:
    frame = np.full((100, 100, 3), 255, np.uint8)
    window = Window(x0=0.0, y0=0.0, scale=1.0, net_wh=(320, 320), keep=(0.0, 0.0, 100.0, 100.0))
    shown = window.cut(frame)
    assert shown[50, 50].tolist() == [255, 255, 255]
    assert shown[200, 200].tolist() == [114, 114, 114]


def test_an_object_whose_middle_another_window_counts_is_dropped() -> None:
    window = Window(x0=0.0, y0=0.0, scale=1.0, net_wh=(320, 320), keep=(0.0, 0.0, 100.0, 100.0))
    rows = np.array([[50, 50, 9, 9, 0, 1, 0], [150, 50, 9, 9, 0, 1, 0]], np.float32)
    assert window.to_picture(rows)[:, 0].tolist() == [50.0]
