"""Users, accounts, log, settings and help through Flask's test client."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from audit.store.database import open_store
from audit.store.ledger import entry_hash
from tests.web.conftest import post, sign_in


def test_each_role_begins_where_it_may_be(client: FlaskClient) -> None:
    for name, home in (("sam", "/"), ("pat", "/dealers"), ("ali", "/log"), ("root", "/users")):
        sign_in(client, name)
        assert client.get("/home").location == home
        assert client.get(home).status_code == 200


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/users", {"root"}),
        ("/settings", {"root"}),
        ("/log", {"ali", "root"}),
        ("/log.jsonl", {"ali", "root"}),
        ("/help", {"sam", "pat", "ali", "root"}),
        ("/account", {"sam", "pat", "ali", "root"}),
        ("/dealers", {"sam", "pat"}),
        ("/rounds/1", {"sam", "pat"}),
        ("/footage/1/video", {"sam", "pat"}),
    ],
)
def test_a_page_opens_for_its_roles_only(client: FlaskClient, path: str, allowed: set[str]) -> None:
    for name in ("sam", "pat", "ali", "root"):
        sign_in(client, name)
        with client.get(path) as answer:
            assert (answer.status_code == 200) == (name in allowed)
            assert answer.status_code in (200, 403)


def test_an_added_user_enters_by_a_link_that_is_shown_once(client: FlaskClient) -> None:
    sign_in(client, "root")
    answer = post(client, "/users", name="Lee", role="auditor")
    token = re.search(r"/login/([\w-]+)", answer.text)
    assert token is not None
    assert token[1] not in client.get("/users").text
    post(client, "/sign-out")
    assert client.get(f"/login/{token[1]}").location == "/log"


def test_a_user_with_a_password_enters_and_a_disabled_one_does_not(client: FlaskClient) -> None:
    sign_in(client, "root")
    assert post(client, "/users", name="Lee", role="pit_manager", password="ten letters").status_code == 302
    post(client, "/sign-out")
    entered = {"name": "Lee", "password": "ten letters"}
    assert post(client, "/sign-in", **entered).location == "/dealers"
    post(client, "/sign-out")
    sign_in(client, "root")
    assert post(client, "/users/5", act="disable").status_code == 302
    post(client, "/sign-out")
    assert post(client, "/sign-in", **entered).status_code == 401
    sign_in(client, "root")
    post(client, "/users/5", act="enable")
    post(client, "/users/5", act="role", role="auditor")
    post(client, "/sign-out")
    assert post(client, "/sign-in", **entered).location == "/log"


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"name": "SAM", "role": "auditor"}, "expected a name that no user has yet"),
        ({"name": "", "role": "auditor"}, "expected a name of 1 to 60 printable characters"),
        ({"name": "a\x00b", "role": "auditor"}, "expected a name of 1 to 60 printable characters"),
        ({"name": "Lee", "role": "boss"}, "role: expected one of surveillance, pit_manager"),
        ({"name": "Lee", "role": "auditor", "password": "short"}, "password: expected at least 10 characters, found 5"),
    ],
)
def test_a_user_that_cannot_be_is_refused_in_a_sentence(
    client: FlaskClient, fields: dict[str, str], sentence: str
) -> None:
    sign_in(client, "root")
    answer = post(client, "/users", **fields)
    assert answer.status_code == 400
    assert sentence in answer.text.replace("&#39;", "'")


@pytest.mark.parametrize("fields", [{"act": "disable"}, {"act": "role", "role": "auditor"}])
def test_the_last_administrator_stays(client: FlaskClient, fields: dict[str, str]) -> None:
    sign_in(client, "root")
    answer = post(client, "/users/4", **fields)
    assert answer.status_code == 400
    assert "expected an administrator besides root, found none" in answer.text
    assert client.get("/users").status_code == 200


def test_who_has_a_password_proves_it_before_changing_it(client: FlaskClient) -> None:
    sign_in(client, "pat")
    assert post(client, "/account/password", before="wrong", password="ten letters").status_code == 400
    assert post(client, "/account/password", before="right pat", password="short").status_code == 400
    assert post(client, "/account/password", before="right pat", password="ten letters").status_code == 302
    post(client, "/sign-out")
    assert post(client, "/sign-in", name="pat", password="ten letters").status_code == 302


def test_a_token_is_ended_by_its_owner_only(client: FlaskClient) -> None:
    sign_in(client, "pat")
    assert "catwalk-" in post(client, "/account/tokens").text
    sign_in(client, "sam")
    assert post(client, "/account/tokens/1/end").status_code == 404
    sign_in(client, "pat")
    assert post(client, "/account/tokens/1/end").status_code == 302
    assert "ended" in client.get("/account").text


def test_the_log_tells_who_did_what_and_can_be_checked(client: FlaskClient, data_dir: Path) -> None:
    sign_in(client, "sam")
    post(client, "/findings/1/decide", verdict="confirm")
    sign_in(client, "ali")
    page = client.get("/log?action=decision&actor=sam").text
    assert "finding 1, kind confirm" in page
    assert "entries fit the chain" in post(client, "/log/check").text
    db = open_store(data_dir)
    db.execute("DROP TRIGGER log_refuses_update")
    db.execute("UPDATE log SET actor = 'pat' WHERE id = 2")
    db.close()
    assert "Entry 2 does not fit the chain" in post(client, "/log/check").text


def test_the_exported_log_can_be_checked_elsewhere(client: FlaskClient) -> None:
    sign_in(client, "ali")
    entries = [json.loads(line) for line in client.get("/log.jsonl").text.splitlines()]
    assert entries
    for entry in entries:
        assert entry.pop("hash") == entry_hash(entry)


def test_settings_are_stored_all_or_none(client: FlaskClient) -> None:
    sign_in(client, "root")
    fields = {"property_name": "Oak", "zone": "America/Los_Angeles", "day_starts": "6", "shift_starts": "6,14,22"}
    answer = post(client, "/settings", **(fields | {"zone": "Mars"}))
    assert answer.status_code == 400
    assert "time zone: expected a name such as America/Los_Angeles" in answer.text
    assert 'value="Oak"' not in client.get("/settings").text
    assert post(client, "/settings", **fields).status_code == 302
    assert 'value="Oak"' in client.get("/settings").text


def test_help_lists_the_keys_that_the_pages_list(client: FlaskClient) -> None:
    sign_in(client, "ali")
    page = client.get("/help").text
    for words in ("One frame back, on", "Claim, release", "cannot decide on findings"):
        assert words in page


def test_who_was_not_let_in_and_who_signed_out_stand_in_the_log(client: FlaskClient) -> None:
    sign_in(client, "sam")
    post(client, "/sign-out")
    client.get("/sign-in")
    assert post(client, "/sign-in", name="samm", password="no").status_code == 401
    assert client.get("/login/used").status_code == 401
    sign_in(client, "ali")
    refused = client.get("/log?action=sign-in refused").text
    assert "address 127.0.0.1, name samm, why wrong name or password" in refused
    assert "address 127.0.0.1, why login link used already or too old" in refused
    assert "<td>sam</td><td>sign out</td><td>address 127.0.0.1</td>" in client.get("/log?action=sign out").text
    assert "<option selected>sign-in refused</option>" in refused


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("/no-such-page", "There is no page at this address."),
        ("/profiles/99", "No profile has that number."),
        ("/dealers/99", "No dealer has that number."),
        ("/footage/99/video", "No recording has that number."),
    ],
)
def test_what_is_not_there_is_told_in_a_sentence_with_a_way_on(client: FlaskClient, path: str, sentence: str) -> None:
    sign_in(client, "sam")
    answer = client.get(path)
    assert answer.status_code == 404
    assert f'<p>{sentence}</p><p><a href="/home">Back to the first page</a></p>' in answer.text
