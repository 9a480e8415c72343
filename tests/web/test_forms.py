"""Whatever is put into a form or an address, the answer is a page, a sentence or a redirect: never a fault."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.web.conftest import sign_in
from tests.web.pit import put_on_duty

ODD = st.sampled_from(
    ["", "0", "-1", "9" * 30, "x", "\x00", "1e9", "../..", "2026-11-20T20:00", "0001-01-01T00:00", "%s", "≠", "'"]
)
VALUE = ODD | st.text(max_size=40)
FORMS = {
    "pat": {
        "/rota/import": ("text",),
        "/rota/entries": ("dealer", "table", "from", "to", "supervisor", "kind", "number"),
        "/rota/entries/1": ("dealer", "table", "from", "to", "act"),
        "/account/tokens/1/end": (),
    },
    "sam": {"/profiles/check": ("toml",), "/profiles/1": ("record",), "/footage/1": ("act", "recorded_at", "profile")},
    "root": {
        "/settings": ("property_name", "zone", "day_starts", "shift_starts"),
        "/users": ("name", "role"),
        "/users/1": ("act", "role"),
        "/footage/uploads": ("name", "size"),
        "/footage/uploads/" + "0" * 32 + "/finish": ("profile", "recorded_at"),
        "/footage/folders": ("folder", "profile"),
        "/footage/folders/1": ("act",),
    },
}
ADDRESSES = {
    "pat": {
        "/dealers": ("days", "first", "last", "order"),
        "/tables": ("days", "first", "last"),
        "/reports/shift": ("day", "shift"),
        "/rota": ("day",),
        "/export/findings.csv": ("days", "table"),
    },
    "ali": {"/log": ("actor", "action", "before")},
    "sam": {"/footage": ("from",), "/profiles/1": ("x",)},
}
TIMES = settings(
    max_examples=15,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
SLOW = settings(TIMES, max_examples=3)  # each asks the check in a process of its own


@pytest.mark.parametrize(("name", "path"), [(name, path) for name, paths in FORMS.items() for path in paths])
def test_no_form_breaks(client: FlaskClient, data_dir: Path, name: str, path: str) -> None:
    put_on_duty(data_dir)
    sign_in(client, name)
    with client.session_transaction() as session:
        session["csrf"] = "token"

    @(SLOW if path.startswith("/profiles") else TIMES)
    @given(values=st.fixed_dictionaries(dict.fromkeys(FORMS[name][path], VALUE)))
    def fill(values: dict[str, str]) -> None:
        safe = {key: value.encode(errors="replace").decode() for key, value in values.items()}
        answer = client.post(path, data={"csrf": "token", **safe})
        assert answer.status_code in (200, 302, 400, 404), answer.text[:300]

    fill()


@pytest.mark.parametrize(("name", "path"), [(name, path) for name, paths in ADDRESSES.items() for path in paths])
def test_no_address_breaks(client: FlaskClient, data_dir: Path, name: str, path: str) -> None:
    put_on_duty(data_dir)
    sign_in(client, name)

    @TIMES
    @given(values=st.fixed_dictionaries(dict.fromkeys(ADDRESSES[name][path], VALUE)))
    def ask(values: dict[str, str]) -> None:
        safe = {key: value.encode(errors="replace").decode() for key, value in values.items()}
        answer = client.get(path, query_string=safe)
        assert answer.status_code in (200, 400, 404), answer.text[:300]

    ask()
