"""Whoever takes in footage is told what is wrong with it: no colours, another table's print."""

from dataclasses import replace

import av
import numpy as np

from models.camera import camera_of
from models.complaints import complaint
from models.frames import probe
from tests.models.test_colourless import SIZE, grey_table, reddened
from tests.models.test_layout_fit import layout, painted
from tests.models.test_mark_check import turned


def clip(path, pictures):
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=10)
        stream.width, stream.height, stream.pix_fmt = *pictures[0].shape[1::-1], "yuv420p"
        stream.codec_context.gop_size = 5
        for picture in pictures:
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="bgr24")))
        container.mux(stream.encode())
    return probe(path)


def test_black_and_white_footage_is_told_with_its_moment(tmp_path):
    held = clip(tmp_path / "night.mp4", [reddened()] * 10 + [grey_table()] * 10)
    assert complaint(held) == (
        "night.mp4: expected colours, found black and white at 1.0 s: what chips are worth is not told there"
    )


def test_footage_in_colour_and_dark_footage_are_not_complained_of(tmp_path):
    assert complaint(clip(tmp_path / "day.mp4", [reddened()] * 12)) is None
    assert complaint(clip(tmp_path / "dark.mp4", [np.full((SIZE[1], SIZE[0], 3), 8, np.uint8)] * 12)) is None


def test_footage_of_the_profile_s_table_is_not_complained_of_also_with_its_camera_pushed(tmp_path):
    camera = camera_of(layout())
    for name, seen in (("own.mp4", camera), ("pushed.mp4", turned(camera, degrees=1.0))):
        assert complaint(clip(tmp_path / name, [painted(seen)] * 3), layout()) is None


def test_another_table_s_print_is_told_with_the_number_of_marks(tmp_path):
    blank = np.full((*painted(camera_of(layout())).shape[:2], 3), (70, 110, 40), dtype=np.uint8)
    held = clip(tmp_path / "other.mp4", [blank] * 3)
    told = (
        f"other.mp4: expected the {len(layout().marks)} marks of {layout().table_id} where its camera has them, found 0"
    )
    assert (complaint(held, layout()) or "").startswith(told)
    few = layout(dict(list(layout().marks.items())[:3]))
    assert complaint(held, few) is None


def test_zones_that_the_picture_does_not_show_are_told(tmp_path):
    table = layout()
    zone = table.zones[0]
    far = replace(zone, polygon_mm=tuple((x + 5_000.0, y) for x, y in zone.polygon_mm))
    held = clip(tmp_path / "cut.mp4", [painted(camera_of(table))] * 3)
    seat = replace(table, zones=(replace(far, name="seat1.main"), *table.zones[1:]))
    assert complaint(held, seat) == (
        f"cut.mp4: expected the zones of {table.table_id} inside the picture, found 100% of seat1.main outside:"
        " what happens there is not seen"
    )
