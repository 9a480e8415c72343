"""Tables and the shift report through Flask's test client."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from audit.store.database import open_store
from tests.web.conftest import post, sign_in
from tests.web.pit import put_on_duty


def rows_of(answer: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(answer)))


def test_a_table_shows_where_findings_lie_by_phase_kind_and_seat(client: FlaskClient, data_dir: Path) -> None:
    put_on_duty(data_dir)
    sign_in(client, "pat")
    for path in ("/tables", "/tables/BJ-07"):
        page = client.get(path).text
        grid = page.split('class="places"')[1].split("</table>")[0]
        row = next(part for part in grid.split("<tr>") if "Pay amount" in part)
        assert "settling" in row
        assert row.count("heat") == 2  # the table itself, and seat 1
        assert "25.00" in row
    assert client.get("/tables/BJ-99").status_code == 404


def test_what_was_unread_at_a_camera_is_counted(client: FlaskClient, data_dir: Path) -> None:
    db = open_store(data_dir)
    db.execute("DROP TRIGGER rounds_are_kept")
    db.execute("""UPDATE rounds SET record = json_set(record, '$.table.dealer[1]', NULL, '$.bets[0].amount', NULL)""")
    db.close()
    sign_in(client, "pat")
    page = client.get("/tables/BJ-07").text
    assert '1 <small class="muted">of 4</small></b><span>cards unread' in page
    assert '1 <small class="muted">of 1</small></b><span>wagers unread' in page
    assert "33.3 %" in page  # two of six: four cards, a wager, a payment


def test_the_shift_report_counts_only_its_hours(client: FlaskClient, data_dir: Path) -> None:
    put_on_duty(data_dir)
    sign_in(client, "pat")
    evening = client.get("/reports/shift?day=2026-02-28&shift=2").text
    for words in ("14:00 to 22:00, UTC", "Ana Ruiz", "table 7.mp4", "2 not reviewed", "100.00 in green"):
        assert words in evening
    assert "Nothing was audited in this shift" in client.get("/reports/shift?day=2026-02-28&shift=1").text
    assert "Ana Ruiz" in client.get("/reports/shift?day=2026-02-28").text
    assert "Ana Ruiz" in client.get("/reports/shift").text


def test_the_shift_report_as_csv_is_for_spreadsheets_and_steers_none(client: FlaskClient, data_dir: Path) -> None:
    put_on_duty(data_dir, dealer="=1+1")
    sign_in(client, "pat")
    answer = client.get("/reports/shift.csv?day=2026-02-28&shift=2")
    assert answer.mimetype == "text/csv"
    rows = rows_of(answer.text)
    assert [(row["kind"], row["amount"], row["seat"]) for row in rows] == [
        ("pay-amount", "25.00", "1"),
        ("dealer-hit", "", ""),
    ]
    assert rows[0]["dealer"] == "'=1+1"


def test_the_shift_report_gives_the_time_of_the_finding_not_of_its_round(client: FlaskClient, data_dir: Path) -> None:
    put_on_duty(data_dir)
    sign_in(client, "pat")
    assert [row["at"][11:] for row in rows_of(client.get("/reports/shift.csv?day=2026-02-28").text)] == [
        "20:00:02",
        "20:00:01",
    ]
    assert "2026-02-28 20:00:02" in client.get("/reports/shift?day=2026-02-28").text


def test_the_shift_report_as_pdf_is_made_and_logged(client: FlaskClient, data_dir: Path) -> None:
    put_on_duty(data_dir, dealer="Łukasz Ng")
    sign_in(client, "pat")
    answer = client.get("/reports/shift.pdf?day=2026-02-28&shift=2")
    assert answer.mimetype == "application/pdf"
    assert answer.data.startswith(b"%PDF-")
    sign_in(client, "ali")
    assert "as pdf, day 2026-02-28, report shift, shift 2" in client.get("/log?action=report").text


def test_what_is_suspected_only_is_told_apart_from_what_is_owed(client: FlaskClient, data_dir: Path) -> None:
    put_on_duty(data_dir)
    db = open_store(data_dir)
    db.execute("DROP TRIGGER findings_are_kept")
    db.execute("UPDATE findings SET verdict = 'suspect' WHERE id = 1")
    db.close()
    sign_in(client, "sam")
    page = client.get("/reports/shift?day=2026-02-28").text
    assert '<b class="over">0.00 <small class="apart">+ 25.00 suspected</small></b>' in page
    assert '<td class="num over">+25.00</td>' in page
    for path in ("/dealers", "/dealers/1", "/tables", "/tables/BJ-07"):
        assert '0.00 <small class="apart">+ 25.00 suspected</small>' in client.get(path).text
    post(client, "/findings/1/decide", verdict="confirm")
    assert '<b class="over">25.00</b>' in client.get("/reports/shift?day=2026-02-28").text


def test_a_dismissed_finding_no_longer_counts(client: FlaskClient, data_dir: Path) -> None:
    put_on_duty(data_dir)
    sign_in(client, "sam")
    post(client, "/findings/1/decide", verdict="dismiss")
    page = client.get("/reports/shift?day=2026-02-28").text
    assert "1 dismissed, 1 not reviewed" in page
    assert '<b class="over">0.00</b>' in page


@pytest.mark.parametrize(
    "query", ["day=x&shift=9", "day=0001-01-01", "day=9999-12-31&shift=3", "shift=-1", "shift=99999999999999999999"]
)
@pytest.mark.parametrize("path", ["/reports/shift", "/reports/shift.csv", "/reports/shift.pdf", "/tables"])
def test_a_strange_shift_is_a_page(client: FlaskClient, path: str, query: str) -> None:
    sign_in(client, "pat")
    assert client.get(f"{path}?{query}").status_code == 200
