"""From a figure of the pit to the findings that it counts."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.web.conftest import post, sign_in
from tests.web.pit import put_on_duty


def links_of(page: str) -> list[str]:
    return [unescape(found) for found in re.findall(r'class="figure" href="([^"]+)"', page)]


def titles(client: FlaskClient, address: str) -> list[str]:
    rows = client.get(address).text.partition('<table class="queue">')[2]
    return re.findall(r'<td class="what"><a [^>]+>([^<]+)</a>', rows)


@pytest.mark.parametrize(
    ("path", "asked"),
    [
        ("/dealers/1", ("dealer=1", "code=pay-amount")),
        ("/dealers", ("dealer=1", "side=over")),
        ("/tables", ("code=pay-amount", "seat=1")),
        ("/tables", ("table=BJ-07", "side=over")),
        ("/tables/BJ-07", ("table=BJ-07", "code=pay-amount", "seat=1")),
        ("/reports/shift?day=2026-02-28", ("dealer=1", "side=over", "first=2026-02-28")),
        ("/reports/shift?day=2026-02-28&shift=2", ("table=BJ-07", "side=over", "since=2026-02-28T14:00")),
    ],
)
def test_a_figure_leads_to_the_findings_that_it_counts(
    client: FlaskClient, data_dir: Path, path: str, asked: tuple[str, ...]
) -> None:
    put_on_duty(data_dir)
    sign_in(client, "pat")
    links = links_of(client.get(path).text)
    link = next(one.replace("%3A", ":") for one in links if all(part in one.replace("%3A", ":") for part in asked))
    assert titles(client, link) == ["Pay amount"]


def test_findings_that_were_dismissed_or_of_other_days_or_seats_are_not_among_the_counted(
    client: FlaskClient, data_dir: Path
) -> None:
    put_on_duty(data_dir)
    sign_in(client, "sam")
    client.get("/dealers")  # counts what has not been counted yet
    assert titles(client, "/?state=counted") == ["Pay amount", "Dealer hit"]
    assert titles(client, "/?state=counted&seat=0") == ["Dealer hit"]
    assert titles(client, "/?state=counted&first=2026-03-01") == []
    post(client, "/findings/1/decide", verdict="dismiss")
    assert titles(client, "/?state=counted") == ["Dealer hit"]


def test_the_queue_says_for_which_days_and_seat_it_was_asked(client: FlaskClient) -> None:
    sign_in(client, "pat")
    page = client.get("/?state=counted&first=2026-02-01&last=2026-02-28&seat=1&code=gone").text
    assert "gaming days 2026-02-01 to 2026-02-28 · seat 1" in page
    assert '<input type="hidden" name="seat" value="1">' in page
    assert '<option value="gone" selected>Gone</option>' in page


def test_a_dealer_of_the_shift_leads_to_the_dealers_page(client: FlaskClient, data_dir: Path) -> None:
    put_on_duty(data_dir)
    sign_in(client, "pat")
    page = client.get("/reports/shift?day=2026-02-28").text
    assert '<a href="/dealers/1?first=2026-02-28&amp;last=2026-02-28">Ana Ruiz</a>' in page
