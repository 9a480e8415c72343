"""Dealers and rota through Flask's test client."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from audit.store.database import open_store
from audit.store.log_reading import check_chain
from tests.web.conftest import post, sign_in
from tests.web.pit import date_footage, put_on_duty
from web.pit_view import percent

CSV = "dealer,table,from,to\nAna Ruiz,BJ-07,2026-02-28 20:00,2026-02-28 21:00\n"


def row_of(page: str, name: str) -> str:
    """The table row in which the name stands."""
    return next(row for row in page.split("<tr") if f">{name}</a>" in row or f"<td>{name}</td>" in row)


def test_a_dealers_rate_never_comes_without_its_interval(client: FlaskClient, data_dir: Path) -> None:
    put_on_duty(data_dir)
    sign_in(client, "pat")
    page = client.get("/dealers").text
    row = row_of(page, "Ana Ruiz")
    assert "2,000.0" in row  # two findings in one round
    assert "242.2 to 7,224.7" in row  # 0.2422 and 7.2247 for a count of two
    assert "nothing to compare" in row
    assert "25.00" in row


def test_an_empty_store_says_what_to_do(client: FlaskClient, data_dir: Path) -> None:
    db = open_store(data_dir)
    db.execute("UPDATE findings SET current = 0")
    db.execute("UPDATE runs SET current = 0")
    db.close()
    sign_in(client, "pat")
    assert "No rounds in this period" in client.get("/dealers").text


def test_rounds_without_a_rota_are_nobodys(client: FlaskClient) -> None:
    sign_in(client, "pat")
    assert "Dealer not known" in client.get("/dealers").text
    assert "Dealer not known" in client.get("/dealers/0").text


def test_a_dealers_page_shows_kinds_money_and_what_is_not_known(client: FlaskClient, data_dir: Path) -> None:
    put_on_duty(data_dir)
    sign_in(client, "pat")
    page = client.get("/dealers/1").text
    for words in ("Pay amount", "Dealer hit", "25.00", "no standing evaluation says", "02-28"):
        assert words in page
    assert client.get("/dealers/99").status_code == 404


def test_a_rota_sent_as_a_file_gives_its_rounds_to_the_dealer(client: FlaskClient, data_dir: Path) -> None:
    date_footage(data_dir)
    sign_in(client, "pat")
    with client.session_transaction() as session:
        token = session["csrf"] = "token"
    sent = {"csrf": token, "file": (io.BytesIO(CSV.encode()), "rota.csv")}
    answer = client.post("/rota/import", data=sent, content_type="multipart/form-data")
    assert answer.location == "/rota?day=2026-02-28"
    page = client.get(answer.location).text
    assert "Ana Ruiz" in page
    assert "Rota: 1 stored." in page
    assert "Ana Ruiz" in row_of(client.get("/dealers").text, "Ana Ruiz")


def test_bad_lines_come_back_with_a_sentence_each_and_the_good_ones_are_stored(client: FlaskClient) -> None:
    sign_in(client, "pat")
    answer = post(client, "/rota/import", text=CSV + "Bo,BJ-07,2026-02-28 20:30,2026-02-28 22:00\nBo,BJ-08,x,y\n")
    assert answer.status_code == 400
    assert "Rota: 1 stored, 2 to correct." in answer.text
    assert "line 3, table: expected BJ-07 free, found Ana Ruiz at BJ-07" in answer.text
    assert "line 4, from: expected a date and time" in answer.text
    assert "Bo,BJ-08,x,y</textarea>" in answer.text
    kept = answer.text.split("<textarea")[1].split(">", 1)[1].split("</textarea>")[0]
    assert "Ana Ruiz,BJ-07" not in kept


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        (b"\xff\xfe\x00", "expected UTF-8 text, found another byte at position 0"),
        (b"", "line 1: expected the heading dealer,table,from,to, found nothing"),
        (b"MZ\x90not a rota", "expected UTF-8 text, found another byte at position 2"),
    ],
)
def test_a_file_that_is_no_rota_stores_nothing(client: FlaskClient, raw: bytes, sentence: str) -> None:
    sign_in(client, "pat")
    with client.session_transaction() as session:
        session["csrf"] = "token"
    sent = {"csrf": "token", "file": (io.BytesIO(raw), "rota.csv")}
    answer = client.post("/rota/import", data=sent, content_type="multipart/form-data")
    assert answer.status_code == 400
    assert sentence in answer.text


def test_an_entry_can_be_added_changed_and_taken_out(client: FlaskClient, data_dir: Path) -> None:
    date_footage(data_dir)
    sign_in(client, "pat")
    entry = {"dealer": "Ana Ruiz", "table": "BJ-07", "from": "2026-02-28T19:00", "to": "2026-02-28T21:00"}
    assert post(client, "/rota/entries", **entry).location == "/rota?day=2026-02-28"
    assert post(client, "/rota/entries", **entry).status_code == 400
    over = entry | {"dealer": "Bo Lind", "from": "2026-02-28T20:30", "kind": "tap_in"}
    assert post(client, "/rota/entries", **over).status_code == 302
    page = client.get("/rota?day=2026-02-28").text
    assert "20:30" in row_of(page, "Ana Ruiz")
    assert "tap-in" in row_of(page, "Bo Lind")
    assert post(client, "/rota/entries/1", **(entry | {"to": "2026-02-28T20:00"})).status_code == 302
    assert "20:00" in row_of(client.get("/rota?day=2026-02-28").text, "Ana Ruiz")
    assert post(client, "/rota/entries/2", act="remove").status_code == 302
    assert "Bo Lind</a>" not in client.get("/rota?day=2026-02-28").text
    db = open_store(data_dir)
    assert check_chain(db).broken is None
    db.close()


@pytest.mark.parametrize(
    ("name", "dealers", "rota", "store"), [("sam", 200, 200, 403), ("ali", 403, 403, 403), ("root", 403, 403, 403)]
)
def test_only_the_pit_manager_keeps_the_rota(
    client: FlaskClient, name: str, dealers: int, rota: int, store: int
) -> None:
    sign_in(client, name)
    assert client.get("/dealers").status_code == dealers
    assert client.get("/rota").status_code == rota
    assert post(client, "/rota/import", text=CSV).status_code == store
    assert post(client, "/rota/entries", dealer="x").status_code == store


@pytest.mark.parametrize(
    "query", ["days=x", "days=7", "first=2026-02-01&last=x", "first=0001-01-01&last=9999-12-31", "order=x"]
)
@pytest.mark.parametrize("path", ["/dealers", "/dealers/1", "/rota"])
def test_a_strange_period_shows_a_page(client: FlaskClient, data_dir: Path, path: str, query: str) -> None:
    put_on_duty(data_dir)
    sign_in(client, "pat")
    assert client.get(f"{path}?{query}&day=0001-01-01").status_code == 200


@pytest.mark.parametrize(
    "path", ["/dealers/99999999999999999999", "/rota/entries/99999999999999999999", "/rota/entries/7"]
)
def test_a_number_beyond_all_numbers_is_not_there(client: FlaskClient, path: str) -> None:
    sign_in(client, "pat")
    assert client.get(path).status_code == 404


@pytest.mark.parametrize(
    ("share", "written"),
    [(1.0, "100 %"), (0.9997, "> 99.9 %"), (0.996, "99.6 %"), (0.0003, "< 0.1 %"), (0.0, "0 %"), (None, "–")],
)
def test_less_than_all_is_never_written_as_all(share: float | None, written: str) -> None:
    assert percent(share) == written


def test_the_fields_of_the_rota_are_text_that_begins_with_the_day_shown(client: FlaskClient, data_dir: Path) -> None:
    put_on_duty(data_dir)
    sign_in(client, "pat")
    page = client.get("/rota?day=2026-02-27").text
    assert page.count('value="2026-02-27 "') == 2
    assert "datetime-local" not in page
    form = client.get("/rota/entries/1").text
    assert 'name="from" value="2026-02-28 20:00"' in form
    assert 'href="/rota?day=2026-02-28">Leave it' in form


def test_the_rota_stays_on_its_day_when_an_import_reaches_other_days_or_fails(client: FlaskClient) -> None:
    sign_in(client, "pat")
    lines = CSV + "Bo,BJ-07,2026-03-01 20:30,2026-03-01 22:00\n"
    assert post(client, "/rota/import?day=2026-03-01", text=lines).location == "/rota?day=2026-03-01"
    assert post(client, "/rota/import?day=2026-03-07", text=lines).location == "/rota?day=2026-02-28"
    assert "gaming day 2026-03-07" in post(client, "/rota/import?day=2026-03-07", text="x").text
    assert "gaming day 2026-03-07" in post(client, "/rota/entries?day=2026-03-07", dealer="Bo").text
