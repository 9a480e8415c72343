"""Paper: reports as PDF, with headings, facts and tables that break over pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from fpdf import FPDF

_FONTS: Final = Path(__file__).with_name("fonts")
_FAMILY: Final = "DejaVu"
_MARGIN_MM: Final = 15
_LINE_MM: Final = 4.6
_GAP_MM: Final = 4
_SMALL: Final = 8.0
_TEXT: Final = 9.0


class Paper:
    """One document. ``footer`` stands at the foot of every page, with the page's number."""

    def __init__(self, title: str, *, footer: str, made: datetime, landscape: bool = False) -> None:
        self._pdf = _new(footer, landscape=landscape)
        self._pdf.set_title(title)
        self._pdf.set_creation_date(made)
        self._pdf.add_page()
        self._pdf.set_font(_FAMILY, style="B", size=15)
        self._pdf.multi_cell(0, 8, title, new_x="LMARGIN", new_y="NEXT")

    def heading(self, text: str, *, room_mm: float = 20) -> None:
        """Write a heading, on a page that has that much room for it and what follows it."""
        if self._pdf.will_page_break(room_mm):
            self._pdf.add_page()
        self._pdf.ln(2.5)
        self._pdf.set_font(_FAMILY, style="B", size=11)
        self._pdf.multi_cell(0, 6.5, text, new_x="LMARGIN", new_y="NEXT")

    def text(self, text: str) -> None:
        """Write a paragraph."""
        self._pdf.set_font(_FAMILY, size=_TEXT)
        self._pdf.multi_cell(0, _LINE_MM, text, new_x="LMARGIN", new_y="NEXT")

    def facts(self, rows: Iterable[tuple[str, str]]) -> None:
        """Write names with their values, one a line."""
        for name, value in rows:
            self._pdf.set_font(_FAMILY, style="B", size=_TEXT)
            self._pdf.cell(52, _LINE_MM, name)
            self._pdf.set_font(_FAMILY, size=_TEXT)
            self._pdf.multi_cell(0, _LINE_MM, value or "–", new_x="LMARGIN", new_y="NEXT")

    def table(
        self,
        heading: Sequence[str],
        rows: Iterable[Sequence[str]],
        *,
        widths: Sequence[float],
        right: Sequence[int] = (),
    ) -> None:
        """Write a table; ``widths`` are proportions, ``right`` the numbers of columns that are set to the right."""
        from fpdf.fonts import FontFace  # noqa: PLC0415 - loaded only where a PDF is made

        self._pdf.set_font(_FAMILY, size=_SMALL)
        align = tuple("RIGHT" if i in right else "LEFT" for i in range(len(heading)))
        with self._pdf.table(
            col_widths=tuple(widths),
            text_align=align,
            line_height=_LINE_MM,
            headings_style=FontFace(emphasis="BOLD", fill_color=(228, 232, 235)),
            borders_layout="HORIZONTAL_LINES",
            padding=(0.4, 0.8),
        ) as table:
            for row in (heading, *rows):
                line = table.row()
                for cell in row:
                    line.cell(cell)

    def pictures(self, pictures: Sequence[tuple[str, bytes]]) -> None:
        """Put pictures with their captions where the text has come to, two beside each other."""
        for first in range(0, len(pictures), 2):
            self._beside(pictures[first : first + 2])

    def _beside(self, pictures: Sequence[tuple[str, bytes]]) -> None:
        from fpdf.image_parsing import preload_image  # noqa: PLC0415 - loaded only where a PDF is made

        width = (self._pdf.epw - _GAP_MM) / 2
        sizes = [preload_image(self._pdf.image_cache, BytesIO(content))[2] for _, content in pictures]
        height = max(width * size.height / size.width for size in sizes)
        if self._pdf.will_page_break(height + _LINE_MM):
            self._pdf.add_page()
        top = self._pdf.get_y()
        self._pdf.set_font(_FAMILY, size=_SMALL)
        for number, (caption, content) in enumerate(pictures):
            left = self._pdf.l_margin + number * (width + _GAP_MM)
            self._pdf.image(BytesIO(content), x=left, y=top, w=width, alt_text=caption)
            self._pdf.set_xy(left, top + height)
            self._pdf.cell(width, _LINE_MM, caption)
        self._pdf.set_xy(self._pdf.l_margin, top + height + _LINE_MM + _GAP_MM / 2)

    def as_bytes(self) -> bytes:
        """Return the finished document."""
        return bytes(self._pdf.output())


def _new(footer: str, *, landscape: bool) -> FPDF:
    from fpdf import FPDF  # noqa: PLC0415 - loaded only where a PDF is made

    class _Sheet(FPDF):
        def footer(self) -> None:
            self.set_y(-12)
            self.set_font(_FAMILY, size=7)
            self.set_text_color(90)
            self.cell(0, 5, footer, align="L")
            self.cell(0, 5, f"page {self.page_no()} of {{nb}}", align="R")
            self.set_text_color(0)

    pdf = _Sheet(orientation="landscape" if landscape else "portrait", format="A4")
    pdf.set_margins(_MARGIN_MM, _MARGIN_MM, _MARGIN_MM)
    pdf.set_auto_page_break(auto=True, margin=_MARGIN_MM + 3)
    pdf.add_font(_FAMILY, style="", fname=_FONTS / "DejaVuSans.ttf")
    pdf.add_font(_FAMILY, style="B", fname=_FONTS / "DejaVuSans-Bold.ttf")
    pdf.alias_nb_pages()
    return pdf
