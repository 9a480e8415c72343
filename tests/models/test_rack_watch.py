"""When the rack is looked at."""

from dataclasses import replace

import av
import numpy as np

from audit.table import Zone
from audit.timing import Millis
from models.chip_palette import Palette
from models.frames import Frame
from models.rack_view import RackColours
from models.rack_watch import RackWatch

from .toy_table import PixelEyes, profile

RACK = ((-100.0, -60.0), (100.0, -60.0), (100.0, 60.0), (-100.0, 60.0))


class CountsLooks(PixelEyes):
    """Says how often the rack was looked at."""

    looks = 0

    def rack(self, frame_bgr, polygon_mm):
        self.looks += 1
        return RackColours()


def looks_of(*, away, frames=5):
    eyes = CountsLooks()
    table = replace(profile(), zones=(Zone(name="rack", polygon_mm=RACK),))
    watch = RackWatch(table, eyes.camera)
    frame = Frame(t_ms=Millis(0), source=av.VideoFrame(960, 540, "bgr24"))
    for _ in range(frames):
        watch.learn(frame, away(eyes.camera), eyes, Palette())
    return eyes.looks


def outline(camera, x0, x1):
    return camera.to_pixels(np.array([(x0, -20.0), (x1, -20.0), (x1, 20.0), (x0, 20.0)]))


def test_a_rack_is_looked_at_a_few_times():
    assert looks_of(away=lambda _: []) == 2


def test_a_rack_under_an_arm_is_looked_at_later():
    assert looks_of(away=lambda camera: [outline(camera, 50, 150)]) == 0
    assert looks_of(away=lambda camera: [outline(camera, 110, 150)]) == 2
