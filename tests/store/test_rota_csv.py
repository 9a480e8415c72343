"""Reading a rota: what is stored, and the sentence for each line that is not."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlite_utils import Database

from audit.store.dealers import all_dealers, import_rota, rota_between
from audit.store.rota_csv import read_rota
from tests.store.conftest import NOW

LA = ZoneInfo("America/Los_Angeles")
CLOCKS = "expected a time with its offset, as the clocks change then, found"
HEADING = "dealer,table,from,to"
GOOD = "Ana Ruiz,BJ-07,2026-11-20 20:00,2026-11-20 21:00"


def problems(*lines: str) -> tuple[str, ...]:
    read = read_rota("\n".join(lines), LA)
    return (read.problem,) if read.problem else tuple(line.problem for line in read.lines)


def test_a_line_is_a_duty_in_the_propertys_time() -> None:
    (line,) = read_rota(f"{HEADING},number,supervisor\n{GOOD},417,Kim\n", LA).lines
    assert line.duty is not None
    assert (line.duty.dealer, line.duty.table_name, line.duty.number, line.duty.supervisor) == (
        "Ana Ruiz",
        "BJ-07",
        "417",
        "Kim",
    )
    assert line.duty.starts == datetime(2026, 11, 21, 4, 0, tzinfo=UTC)


def test_semicolons_a_byte_order_mark_and_offsets_are_read() -> None:
    text = "\ufeffTable;Dealer;From;To\r\nBJ-07;Ruiz, Ana;2026-11-20T20:00:00Z;2026-11-20T21:00:00+00:00\r\n"
    (line,) = read_rota(text, LA).lines
    assert line.duty is not None
    assert line.duty.dealer == "Ruiz, Ana"
    assert line.duty.starts == datetime(2026, 11, 20, 20, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("Ana,BJ-07,2026-11-20 20:00", "line 2: expected 4 fields, found 3"),
        ('"Ana,BJ-07,2026-11-20 20:00,x', "line 2: expected 4 fields, found an open quotation mark"),
        (",BJ-07,2026-11-20 20:00,2026-11-20 21:00", "line 2, dealer: expected it filled, found nothing"),
        ("Ana,BJ-07,20.11.26,x", "line 2, from: expected a date and time such as 2026-11-20 20:00, found '20.11.26'"),
        (
            "Ana,BJ-07,2026-11-20,x",
            "line 2, from: expected a date and time such as 2026-11-20 20:00, found only a date '2026-11-20'",
        ),
        (
            "Ana,BJ-07,2026-11-20 20:00,2026-12-20 20:00",
            "line 2, to: expected at most 24 hours after 2026-11-20 20:00, found 2026-12-20 20:00",
        ),
        (
            "Ana,BJ-07,2026-11-01 01:30,x",
            f"line 2, from: {CLOCKS} '2026-11-01 01:30', which was twice",
        ),
        (
            "Ana,BJ-07,2026-03-08 02:30,x",
            f"line 2, from: {CLOCKS} '2026-03-08 02:30', which was never",
        ),
    ],
)
def test_a_bad_line_is_one_sentence(line: str, sentence: str) -> None:
    assert problems(HEADING, line) == (sentence,)


@pytest.mark.parametrize(
    ("heading", "sentence"),
    [
        ("", "line 1: expected the heading dealer,table,from,to, found nothing"),
        ("dealer,from,to", "line 1: expected the heading dealer,table,from,to, found no table"),
        (
            "dealer,table,from,to,pay",
            "line 1: expected only dealer, table, from, to, number, supervisor in the heading, found 'pay'",
        ),
        ("dealer,dealer,table,from,to", "line 1: expected each heading once, found dealer twice"),
    ],
)
def test_a_bad_heading_is_one_sentence(heading: str, sentence: str) -> None:
    assert problems(heading, GOOD) == (sentence,) if heading else problems("") == (sentence,)


def test_good_lines_are_stored_bad_ones_handed_back_and_a_repeat_changes_nothing(db: Database) -> None:
    bad = "Bo,BJ-07,2026-11-20 20:30,2026-11-20 21:30"
    text = f"{HEADING}\n{GOOD}\n{bad}\nBo,BJ-08,x,y\n"
    first = import_rota(db, read_rota(text, LA).lines, actor="pat", at=NOW)
    assert (first.stored, first.known, first.refused) == (1, 0, (bad, "Bo,BJ-08,x,y"))
    assert first.problems[0].startswith(
        "line 3, table: expected BJ-07 free, found Ana Ruiz at BJ-07 from 2026-11-21T04:00"
    )
    again = import_rota(db, read_rota(text, LA).lines, actor="pat", at=NOW)
    assert (again.stored, again.known) == (0, 1)
    assert len(rota_between(db, datetime(2026, 11, 20, tzinfo=UTC), datetime(2026, 11, 23, tzinfo=UTC))) == 1
    assert [row.name for row in all_dealers(db)] == ["Ana Ruiz"]


@given(st.text(max_size=200))
def test_any_text_is_lines_or_sentences(text: str) -> None:
    for line in read_rota(f"{HEADING}\n{text}", LA).lines:
        assert (line.duty is None) == bool(line.problem)
    read_rota(text, LA)
