"""No form and no address of the review desk breaks a page, whatever is put into it."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from audit.store.database import open_store
from tests.web.conftest import fill, post, sign_in
from web import create_app
from web.queue_filter import NAMES

TEXT = st.one_of(
    st.text(max_size=60), st.sampled_from(["", "1", "-1", "nan", "inf", "1e400", "9" * 30, "\x00", "٣", "yes"])
)
FORMS = {
    "/findings/1/decide": ("verdict", "note", "reason"),
    "/queue/claim": ("finding",),
    "/queue/release": ("finding",),
    "/queue/dismiss": ("finding", "all", "reason", "note"),
    "/queue/views": ("name",),
    "/rounds/1/corrections": ("at_ms", "kind", "x_mm", "y_mm", "reading"),
    "/rounds/1/additions": ("at_ms", "x_mm", "y_mm", "reading", "sideways", "since_ms", "until_ms"),
    "/rounds/1/corrections/1/withdraw": ("at_ms",),
    "/findings/1/report": ("property", "occurred_at", "dealer", "summary", "money"),
    "/incidents/1": ("disposition", "summary"),
    "/incidents/1/pdf": (),
    "/incidents/1/print": (),
    "/second/findings/1": ("verdict", "note"),
    "/second/rounds/1": ("verdict", "note"),
    "/decisions/undo": (),
    "/findings/1/take-over": (),
}
QUICK = settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory, clip: Path) -> FlaskClient:
    folder = tmp_path_factory.mktemp("fuzz")
    store = open_store(folder)
    fill(store, clip)
    store.close()
    client = create_app(folder).test_client()
    sign_in(client, "sam")
    return client


@QUICK
@given(
    values=st.dictionaries(st.sampled_from(NAMES), TEXT, max_size=5),
    page=st.sampled_from(["/", "/queue/news.json", "/findings/1", "/rounds/1"]),
)
def test_no_address_breaks_a_page(client: FlaskClient, values: dict[str, str], page: str) -> None:
    assert client.get(page, query_string=values).status_code < 500


@pytest.mark.parametrize("path", FORMS)
@QUICK
@given(data=st.data())
def test_no_form_breaks_a_page(client: FlaskClient, path: str, data: st.DataObject) -> None:
    fields = {name: data.draw(TEXT) for name in FORMS[path]}
    assert post(client, path, **fields).status_code < 500
