"""Times on the pages are those of the property's zone; the log keeps UTC."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from audit.store import library
from audit.store.database import open_store
from audit.store.settings import House, store_house
from tests.web.conftest import AT, post, sign_in
from tests.web.pit import put_on_duty


@pytest.fixture
def at_home(client: FlaskClient, data_dir: Path) -> FlaskClient:
    """A house in Los Angeles: what the recording shows at 20:00 UTC happened there at noon."""
    put_on_duty(data_dir)
    db = open_store(data_dir)
    store_house(db, House(zone="America/Los_Angeles"), actor="root", at=AT)
    number = library.add_folder(db, "/nights", profile_id=None, actor="sam", at=AT)
    library.folder_looked_into(db, number, at=AT, error=None)
    db.close()
    sign_in(client, "sam")
    return client


@pytest.mark.parametrize(
    ("path", "written"),
    [
        ("/", 'title="America/Los_Angeles">02-28 12:00:02<'),
        ("/", "From (America/Los_Angeles)"),
        ("/findings/1", "2026-02-28 12:00:02 America/Los_Angeles"),
        ("/findings/1/report", 'name="occurred_at" value="2026-02-28 12:00:02 PST"'),
        ("/findings/1/report", 'name="reported_at" value="2026-02-28 20:00 PST"'),
        ("/reports/shift?day=2026-02-28", "2026-02-28 12:00:02"),
        ("/footage", "2026-02-28 20:00:00"),
        ("/profiles", "2026-02-28 20:00 PST"),
        ("/profiles/1", "2026-02-28 20:00 PST"),
    ],
)
def test_a_page_writes_times_of_the_property(at_home: FlaskClient, path: str, written: str) -> None:
    page = at_home.get(path).text
    assert written in page
    assert "UTC" not in page


@pytest.mark.parametrize(
    ("query", "found"),
    [("since=2026-02-28T12:00:02", True), ("since=2026-02-28T12:00:03", False), ("until=2026-02-28T12:00:02", False)],
)
def test_the_queue_takes_times_of_the_property(at_home: FlaskClient, query: str, found: bool) -> None:
    assert ("Pay amount" in at_home.get(f"/?{query}").text.partition('<table class="queue">')[2]) is found


def test_a_decision_and_a_report_bear_the_propertys_time(at_home: FlaskClient) -> None:
    post(at_home, "/findings/1/decide", verdict="confirm")
    assert '<span class="num">2026-02-28 20:00:00 PST</span>' in at_home.get("/findings/1").text
    post(at_home, "/findings/1/report", occurred_at="noon")
    printed = post(at_home, "/incidents/1/print").text
    assert "When (America/Los_Angeles)" in printed
    assert "2026-02-28 20:00:00" in printed
    assert "UTC" not in printed


def test_the_log_keeps_utc(at_home: FlaskClient) -> None:
    sign_in(at_home, "ali")
    page = at_home.get("/log").text
    assert "When (UTC)" in page
    assert "2026-03-01 04:00:00" in page


def test_a_sentence_about_the_rota_gives_the_propertys_time(at_home: FlaskClient) -> None:
    sign_in(at_home, "pat")
    line = "dealer,table,from,to\nBo,BJ-07,2026-02-28 12:30,2026-02-28 13:30\n"
    said = "found Ana Ruiz at BJ-07 from 2026-02-28 12:00"
    assert said in post(at_home, "/rota/import", text=line).text
    entry = {"dealer": "Bo", "table": "BJ-07", "from": "2026-02-28 12:30", "to": "2026-02-28 13:30"}
    assert said in post(at_home, "/rota/entries", **entry).text
