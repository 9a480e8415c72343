"""Reports on paper."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from web.pdf import Paper

AT = datetime(2026, 3, 1, 4, 0, tzinfo=UTC)


def paper(rows: int) -> bytes:
    sheet = Paper("Shift report of Łukasz Ωmega ♠", footer="Catwalk", made=AT)
    sheet.heading("Findings")
    sheet.facts([("Table", "BJ-07"), ("Game", "")])
    sheet.table(["What", "Amount"], [[f"row {i}", "12.50"] for i in range(rows)], widths=[3, 1], right=[1])
    sheet.text("The end.")
    return sheet.as_bytes()


def test_a_long_table_breaks_over_pages_and_the_same_report_is_the_same_file() -> None:
    one, long = paper(3), paper(200)
    assert one.startswith(b"%PDF-")
    assert len(re.findall(rb"/Type /Page\b", one)) == 1
    assert len(re.findall(rb"/Type /Page\b", long)) > 3
    assert paper(3) == one
