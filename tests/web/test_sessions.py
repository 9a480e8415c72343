"""A session that has ended: nothing is stored, and there is always a way back to the page."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from audit.store import ledger
from audit.store.database import open_store
from tests.web.conftest import post, sign_in

FROM = {"Referer": "http://localhost/findings/1?verdict=violation"}


def test_a_form_sent_after_signing_out_leads_to_sign_in_and_back_to_its_page(
    client: FlaskClient, data_dir: Path
) -> None:
    sign_in(client, "sam")
    post(client, "/sign-out")
    answer = client.post("/findings/1/decide", data={"csrf": "old", "verdict": "confirm"}, headers=FROM)
    assert answer.status_code == 302
    assert answer.location == "/sign-in?next=/findings/1?verdict%3Dviolation"
    assert "You were signed out: nothing was stored." in client.get(answer.location).text
    entered = post(client, "/sign-in", name="sam", password="right sam", next="/findings/1?verdict=violation")
    assert entered.location == "/findings/1?verdict=violation"
    assert ledger.decisions_of(open_store(data_dir), 1) == ()


def test_a_form_of_another_site_names_no_page_to_come_back_to(client: FlaskClient) -> None:
    answer = client.post("/queue/claim", headers={"Referer": "http://evil.example/findings/1"})
    assert answer.location == "/sign-in?next="


def test_an_old_sign_in_form_is_shown_again(client: FlaskClient) -> None:
    answer = client.post("/sign-in", data={"csrf": "old", "name": "sam", "password": "right sam", "next": "/footage"})
    assert answer.location == "/sign-in?next=/footage"


def test_a_script_that_sends_parts_is_told_and_not_led_elsewhere(client: FlaskClient) -> None:
    assert client.post("/footage/uploads", headers={"X-Catwalk-Token": "old"}).status_code == 400


@pytest.mark.parametrize(
    ("address", "page"),
    [
        ("/findings/1/decide", "/findings/1"),
        ("/findings/1/decide?verdict=suspect", "/findings/1?verdict=suspect"),
        ("/rounds/1/corrections", "/rounds/1"),
        ("/rounds/1/corrections/3/withdraw", "/rounds/1"),
        ("/rota/import", "/rota"),
        ("/incidents/1/print", "/incidents/1"),
        ("/queue/claim", "/home"),
        ("/decisions/undo", "/home"),
    ],
)
def test_an_address_that_only_takes_forms_leads_to_its_page(client: FlaskClient, address: str, page: str) -> None:
    sign_in(client, "sam")
    assert client.get(address).location == page


def test_the_interface_for_programs_keeps_its_answers(client: FlaskClient) -> None:
    sign_in(client, "sam")
    answer = client.put("/api/findings")
    assert answer.status_code in {400, 405}
    assert "error" in answer.json
