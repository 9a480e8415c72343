"""What may lie somewhere, or lies there by the look of it, and what is asked of the eyes that say what it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from models.backdrop import Backdrop
from models.camera import Camera, Floats
from models.chip_palette import Palette
from models.felt_view import FeltView
from models.frames import Frame, Pixels
from models.outline import Outline
from models.paper import Tint
from models.pile_edges import Fit, PileView, fit_pile, height_chances, pile_box_px
from models.rack_view import RackColours
from models.sighting import Box, Sighting


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Proposal:
    """Something that may lie there: a card's corners or a pile's box (4, 2) in pixels, and its place on the felt.

    ``paper``: share of what is seen of it, ``seen_mm2``, that is as white as a card's paper; ``ink``: brightness and
    colour of the rest; ``tint``: of its paper, if it is a face (``models/paper``). ``outline``: what a pile's outline
    says of the number of its chips; None for a card, and where it tells nothing.
    """

    kind: str
    polygon_px: Floats
    xy_mm: tuple[float, float]
    angle_deg: float | None
    confidence: float
    paper: float = 0.0
    seen_mm2: int = 0
    ink: tuple[float, float, float] | None = None
    tint: Tint | None = None
    outline: Outline | None = None


def once_more(one: Sighting, xy_mm: tuple[float, float]) -> Proposal:
    """Return what was seen somewhere as something that may lie there."""
    return Proposal(
        kind=one.kind,
        polygon_px=one.polygon_px,
        xy_mm=xy_mm,
        angle_deg=one.angle_deg,
        confidence=one.confidence,
        outline=one.outline,
    )


def fitted_anew(
    pile: Proposal, chips: int, frame: Frame, camera: Camera, felt: FeltView, *, beside: Sequence[Fit] = ()
) -> Proposal:
    """Return a pile with its outline fitted again, as it was if that is no sharper.

    When it came to rest, a shadow or an arm may have been beside it, and less of the bare felt was known.

    Args:
        pile: a pile with an outline.
        chips: how high it may be.
        frame: the picture now, with nothing over the pile.
        camera: the table's camera.
        felt: the bare felt as far as it is known.
        beside: the other piles that stand there.
    """
    view = PileView.around(frame, camera, felt, (pile.xy_mm, chips), beside)
    if view is None or pile.outline is None:
        return pile
    fit = fit_pile(view, (pile.xy_mm, chips))
    if view.contrast(fit) <= view.contrast((pile.xy_mm, chips)):
        return pile
    outline = Outline(heights=height_chances(view, fit), faint=pile.outline.faint)
    return replace(pile, xy_mm=fit[0], polygon_px=pile_box_px(camera, *fit), outline=outline)


class Eyes(Protocol):
    """What looks closely: the detector and the readers."""

    def look(
        self,
        frame_bgr: Pixels,
        regions: Sequence[Box] | None = None,
        wanted: Callable[[Sighting], bool] | None = None,
    ) -> list[Sighting]:
        """Return what the detector finds in the regions (the whole frame without), read, hands included.

        Piles that are not ``wanted`` where they stand are neither read nor told.
        """

    def read(
        self,
        frame_bgr: Pixels,
        proposals: Sequence[Proposal],
        backdrop: Backdrop | None = None,
        palette: Palette | None = None,
    ) -> list[Sighting]:
        """Return what proposals are, in order; one that is nothing gets a confidence of 0."""

    def rack(self, frame_bgr: Pixels, polygon_mm: Sequence[tuple[float, float]]) -> RackColours:
        """Return what the rack shows of the table's colours."""
