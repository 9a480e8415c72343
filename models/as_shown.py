"""Pictures as players show them: some cameras store them turned, or with pixels that are not square, and say so."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

import av

_QUARTER: Final = 90
_TURNS: Final = {90: (("transpose", "cclock"),), 180: (("hflip", ""), ("vflip", "")), 270: (("transpose", "clock"),)}
"""By which filters pictures are turned that are to be shown turned to the left by so many degrees."""
_STRANGEST: Final = 3  # a pixel more oblong than this is a mistake of the file, not a camera's


class AsShown:
    """Makes pictures' pixels square and turns them by quarters, as the file says that they are to be shown.

    Args:
        stream: the video's track, which tells how much wider than high a pixel is.
    """

    def __init__(self, stream: Any) -> None:
        self._pixel = _shape_of_pixels(stream.sample_aspect_ratio)
        self._graphs: dict[int, Any] = {}

    def size(self, stored: tuple[int, int], *, left_deg: int = 0) -> tuple[int, int]:
        """Return columns and rows of what is shown, of a stored picture and by how much it is turned to the left.

        No row and no column is lost: pixels wider than high make the picture wider, others higher.
        """
        columns, rows = stored
        if self._pixel > 1:
            columns = _even(columns * self._pixel)
        elif self._pixel < 1:
            rows = _even(rows / self._pixel)
        return (rows, columns) if left_deg % (2 * _QUARTER) == _QUARTER else (columns, rows)

    def picture(self, source: Any) -> Any:
        """Return a decoded picture as it is to be shown; itself where it is stored so."""
        left_deg = source.rotation % 360
        if left_deg not in _TURNS and self._pixel == 1:
            return source
        if left_deg not in self._graphs:
            self._graphs[left_deg] = self._filters(source, left_deg)
        self._graphs[left_deg].push(source)
        return self._graphs[left_deg].pull()

    def _filters(self, source: Any, left_deg: int) -> Any:
        """Return the filters for pictures like this one."""
        columns, rows = self.size((source.width, source.height))
        squared = (("scale", f"{columns}:{rows}:flags=bicubic"),) if self._pixel != 1 else ()
        graph = av.filter.Graph()
        begin = graph.add_buffer(
            width=source.width, height=source.height, format=source.format, time_base=source.time_base
        )
        steps = (graph.add(*step) for step in (*squared, *_TURNS.get(left_deg, ())))
        graph.link_nodes(begin, *steps, graph.add("buffersink")).configure()
        return graph


def _shape_of_pixels(told: Fraction | None) -> Fraction:
    """Return how much wider than high a pixel is: 1 where nothing, or nothing credible, is said of it."""
    if not told or not Fraction(1, _STRANGEST) <= told <= _STRANGEST:
        return Fraction(1)
    return Fraction(told)


def _even(length: Fraction) -> int:
    return 2 * round(length / 2)
