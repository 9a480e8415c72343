"""The JSON interface: what it sends, to whom, and that nothing asked of it breaks it."""

from __future__ import annotations

import csv
import io
import json
from datetime import timedelta
from pathlib import Path

import pytest
import schemathesis
from flask.testing import FlaskClient
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from audit.store import second_reviews, users
from audit.store.database import open_store
from tests.web.conftest import AT, post, sign_in
from tests.web.pit import put_on_duty
from web import create_app
from web.api import OPERATIONS

TOKENS = {"sam": "catwalk-s", "pat": "catwalk-p", "ali": "catwalk-a", "root": "catwalk-r"}


@pytest.fixture
def api(data_dir: Path) -> FlaskClient:
    put_on_duty(data_dir)
    db = open_store(data_dir)
    for name, token in TOKENS.items():
        user = users.user_named(db, name)
        assert user is not None
        users.add_api_token(db, token=token, user_id=user.id, at=AT)
    db.close()
    return create_app(data_dir, clock=lambda: AT + timedelta(hours=1)).test_client()


def get(client: FlaskClient, path: str, name: str = "sam"):
    return client.get(f"/api{path}", headers={"Authorization": f"Bearer {TOKENS[name]}"})


def test_findings_come_as_the_queue_ranks_them(api: FlaskClient) -> None:
    sent = get(api, "/findings").json
    assert sent["total"] == 2
    first = sent["items"][0]
    assert (first["code"], first["amount"], first["table"], first["seat"]) == ("pay-amount", "25.00", "BJ-07", 1)
    assert get(api, "/findings?verdict=suspect").json["total"] == 1
    assert get(api, f"/findings/{first['id']}").json == first


def test_a_round_comes_as_the_contract_writes_it_and_the_log_keeps_the_look(api: FlaskClient) -> None:
    sent = get(api, "/rounds/1", "pat").json
    assert sent["record"]["bets"] == [{"seat": 1, "hand": 1, "bet": "main", "amount": "50.00"}]
    assert [one["code"] for one in sent["findings"]] == ["pay-amount", "dealer-hit"]
    looks = [one for one in get(api, "/log", "ali").json["items"] if one["action"] == "access"]
    assert looks[0]["details"] == {"by": "api", "round": 1, "run": 1}
    assert looks[0]["actor"] == "pat"


def test_a_dealers_rate_comes_with_its_interval(api: FlaskClient) -> None:
    sent = get(api, "/dealers", "pat").json
    (ana,) = sent["items"]
    assert (ana["name"], ana["rounds"], ana["findings_standing"], ana["overpaid"]) == ("Ana Ruiz", 1, 2, "25.00")
    assert ana["observed_per_1000"]["value"] == 2000
    assert ana["observed_per_1000"]["low"] == pytest.approx(242.21, abs=0.01)
    assert ana["corrected_per_1000"] is None
    assert "standing evaluation" in ana["not_corrected_because"]
    kinds = get(api, "/dealers/1/kinds", "pat").json["items"]
    assert {(one["code"], one["phase"], one["findings"]) for one in kinds} == {
        ("pay-amount", "settling", 1),
        ("dealer-hit", "other", 1),
    }


def test_a_decision_that_a_second_reviewer_must_not_see_is_left_out(api: FlaskClient, data_dir: Path) -> None:
    db = open_store(data_dir)
    shares = second_reviews.Shares(flagged=1.0, unflagged=0.0)
    second_reviews.set_shares(db, shares, user_id=1, actor="sam", at=AT)
    number = users.add_user(db, name="sue", role=users.Role.SURVEILLANCE, at=AT)
    users.add_one_time_login(db, token="sue", user_id=number, expires=AT + timedelta(hours=5))
    db.close()
    sign_in(api, "sam")
    post(api, "/findings/1/decide", verdict="confirm")
    assert api.get("/api/findings/1").json["decision"] == "confirm"
    assert [one["decision"] for one in api.get("/api/shift?day=2026-02-28").json["findings"]] == ["confirm", None]
    api.get("/login/sue")
    for sent in (
        api.get("/api/findings/1").json,
        api.get("/api/shift?day=2026-02-28").json["findings"][0],
        api.get("/api/rounds/1").json["findings"][0],
    ):
        assert sent["decision"] is None
    assert '"decision": "kept_back"' in api.get("/export/findings.jsonl?days=all").text
    page = api.get("/reports/shift?day=2026-02-28").text
    assert "not shown before your own" in page
    assert "<td>confirmed</td>" not in page


@pytest.mark.parametrize(
    ("path", "status", "sentence"),
    [
        ("/findings?limit=0", 400, "limit: expected a whole number from 1 to 500, found '0'"),
        ("/findings?limit=x", 400, "limit: expected a whole number from 1 to 500, found 'x'"),
        ("/findings/99", 404, "expected a stored finding, found none with number 99"),
        ("/rounds/99999999999999999999", 404, "Nothing stored has so high a number."),
        ("/tables/X/places", 404, "expected a table at which rounds were audited, found 'X'"),
        ("/shift?day=x", 400, "day: expected a date such as 2026-11-20, found 'x'"),
        ("/nothing", 404, "The requested URL was not found"),
    ],
)
def test_what_cannot_be_is_told_in_json(api: FlaskClient, path: str, status: int, sentence: str) -> None:
    answer = get(api, path)
    assert answer.status_code == status
    assert answer.json["error"].startswith(sentence)


def test_the_interface_opens_for_its_roles_only(api: FlaskClient) -> None:
    assert api.get("/api/findings").status_code == 401
    assert api.get("/api/findings", headers={"Authorization": "Bearer catwalk-x"}).json == {
        "error": "expected a signed-in user or a token, found none"
    }
    for name, allowed in {
        "sam": {"/findings", "/dealers", "/health"},
        "pat": {"/findings", "/dealers", "/health"},
        "ali": {"/log"},
        "root": {"/log", "/users", "/settings", "/health"},
    }.items():
        for path in ("/findings", "/dealers", "/health", "/log", "/users", "/settings"):
            assert get(api, path, name).status_code == (200 if path in allowed else 403), (name, path)


def test_an_ended_token_opens_nothing(api: FlaskClient, data_dir: Path) -> None:
    db = open_store(data_dir)
    user = users.user_named(db, "sam")
    assert user is not None
    assert users.end_api_token(db, 1, user_id=user.id, at=AT)
    db.close()
    assert get(api, "/findings").status_code == 401


def test_the_description_names_every_path_and_needs_no_user(api: FlaskClient) -> None:
    described = api.get("/api/openapi.json").json
    assert described["openapi"] == "3.1.0"
    served = {str(rule) for rule in api.application.url_map.iter_rules() if str(rule).startswith("/api/")}
    assert len(described["paths"]) == len(served) - 1 == len(OPERATIONS)


@pytest.mark.parametrize("path", [one.path for one in OPERATIONS])
def test_nothing_that_is_asked_breaks_the_interface(api: FlaskClient, path: str) -> None:
    """Whatever is sent, the answer is one that the description knows, in the shape that it says."""
    schema = schemathesis.openapi.from_wsgi("/api/openapi.json", api.application)
    asked = schema[path]["GET"]
    role = next(iter(sorted(next(one.roles for one in OPERATIONS if one.path == path))))
    name = {"surveillance": "sam", "pit_manager": "pat", "auditor": "ali", "administrator": "root"}[role.value]
    known = {"Authorization": f"Bearer {TOKENS[name]}"}
    checks = [
        schemathesis.checks.not_a_server_error,
        schemathesis.checks.response_schema_conformance,
        schemathesis.checks.status_code_conformance,
        schemathesis.checks.content_type_conformance,
    ]

    @settings(
        max_examples=12,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        derandomize=True,
    )
    @given(case=st.one_of(asked.as_strategy(), asked.as_strategy(generation_mode=schemathesis.GenerationMode.NEGATIVE)))
    def ask(case: schemathesis.Case) -> None:
        case.call_and_validate(headers=known, checks=checks)

    ask()


def test_exports_are_whole_and_logged(api: FlaskClient) -> None:
    sign_in(api, "pat")
    found = [json.loads(line) for line in api.get("/export/findings.jsonl?days=all").text.splitlines()]
    assert [(one["code"], one["dealer"], one["amount"]) for one in found] == [
        ("pay-amount", "Ana Ruiz", "25.00"),
        ("dealer-hit", "Ana Ruiz", None),
    ]
    rounds = list(csv.DictReader(io.StringIO(api.get("/export/rounds.csv?days=all").text)))
    assert [(one["round"], one["findings"], one["undetermined"]) for one in rounds] == [("1", "2", "0")]
    assert api.get("/export/rounds.xlsx").status_code == 404
    assert api.get("/export/users.csv").status_code == 404
    assert api.get("/export").status_code == 200
    sign_in(api, "ali")
    assert "export findings" in api.get("/log?action=export").text
    assert api.get("/export/findings.csv").status_code == 403


def test_parquet_has_numbers_as_numbers_and_what_is_not_known_as_null(api: FlaskClient) -> None:
    sign_in(api, "pat")
    sent = api.get("/export/findings.parquet?days=all")
    assert sent.mimetype == "application/vnd.apache.parquet"
    table = parquet.read_table(io.BytesIO(sent.data))
    first, second = table.select(["code", "seat", "probability", "amount", "dealer"]).to_pylist()
    assert first == {"code": "pay-amount", "seat": 1, "probability": 0.998, "amount": "25.00", "dealer": "Ana Ruiz"}
    assert second["amount"] is None
    rounds = parquet.read_table(io.BytesIO(api.get("/export/rounds.parquet?days=all").data))
    assert rounds.column("findings").to_pylist() == [2]
    assert parquet.read_table(io.BytesIO(api.get("/export/rounds.parquet?table=X").data)).num_rows == 0


def test_without_its_library_parquet_is_not_offered_and_the_answer_says_what_to_install(
    api: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    sign_in(api, "pat")
    assert "Findings, Parquet" in api.get("/export").text
    monkeypatch.setattr("web.parquet.find_spec", lambda _: None)
    assert "Parquet" not in api.get("/export").text
    answer = api.get("/export/findings.parquet")
    assert answer.status_code == 404
    assert "pip install &#39;catwalk[parquet]&#39;" in answer.text
