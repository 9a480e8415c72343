"""What the camera does by itself is taken out of the frames: trembling, pushes, light, faded colours; states tell it.

They also say which piles its picture cuts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from audit.states import TableState
from audit.table import TableProfile
from models.border import Border
from models.camera import Camera
from models.camera_drift import CameraDrift
from models.frames import Frame
from models.full_colours import FullColours
from models.light import SteadyLight
from models.trembling import StillView
from models.troubles import Troubles


class Steadied:
    """Frames as a camera that holds still would show them, in one light and in full colours."""

    def __init__(self, profile: TableProfile, camera: Camera, drift: CameraDrift) -> None:
        self._drift = drift
        self._border = Border(profile, camera)
        self._still = StillView()
        self._light, self._colours, self._troubles = SteadyLight(), FullColours(), Troubles()

    def frames(self, footage: Iterable[Frame]) -> Iterator[Frame]:
        """Yield the frames, but for those taken while the camera shook."""
        for frame in filter(None, map(self._drift.steady, map(self._still.still, footage))):
            even = self._light.even(frame)
            self._troubles.see(even)
            yield self._colours.vivid(even)

    def as_shown(self, state: TableState) -> TableState:
        """Return a state where the camera saw it, with the troubles it was seen in."""
        return self._troubles.told(self._drift.as_seen(self._border.told(state)))
