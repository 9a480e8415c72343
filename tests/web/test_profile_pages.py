"""Table profiles through Flask's test client; the check is the command that everybody uses."""

from __future__ import annotations

import io
import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st
from werkzeug.security import generate_password_hash

from audit.store import footage, library, users
from audit.store.database import open_store
from audit.store.users import Role
from audit.table import parse_profile
from tests.web.conftest import AT, post, sign_in
from web import create_app
from web.toml_text import TomlError, write_toml

SAMPLE = Path(__file__).parents[2] / "sample_footage" / "profiles" / "BJ-07.toml"
PLAIN = st.recursive(
    st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=8,
)
TABLES = st.recursive(
    st.dictionaries(st.text(max_size=6), PLAIN, max_size=3),
    lambda inner: st.dictionaries(
        st.text(max_size=6), PLAIN | inner | st.lists(inner, min_size=1, max_size=2), max_size=3
    ),
    max_leaves=6,
)


def sample() -> dict[str, Any]:
    return tomllib.loads(SAMPLE.read_text())


@given(TABLES)
def test_what_is_written_is_read_again_as_it_was(record: dict[str, Any]) -> None:
    try:
        text = write_toml(record)
    except TomlError:
        return
    assert tomllib.loads(text) == record


@pytest.mark.parametrize(
    "value", [None, float("nan"), {"a": {"b": {"c": {"d": {"e": {"f": {"g": {"h": 1}}}}}}}}, "\ud800"]
)
def test_what_toml_does_not_know_is_refused(value: object) -> None:
    with pytest.raises(TomlError, match="expected"):
        write_toml({"x": value})


def test_a_moved_zone_is_stored_as_a_new_version_and_the_old_one_stays(client: FlaskClient, data_dir: Path) -> None:
    sign_in(client, "sam")
    record = sample()
    record["zone"][0]["polygon_mm"][0] = [-400.5, 90]
    answer = post(client, "/profiles/1", record=json.dumps(record))
    assert answer.status_code == 200, answer.text
    number = answer.json["profile"]
    db = open_store(data_dir)
    stored = footage.profile(db, number)
    assert parse_profile(stored.toml).zones[0].polygon_mm[0] == (-400.5, 90)
    assert stored.stored_by == "sam"
    assert [row.id for row in library.versions_of(db, "BJ-07")] == [number, 1]
    db.close()
    sign_in(client, "ali")
    assert "name BJ-07" in client.get("/log?action=profile stored").text


def test_the_check_refuses_what_the_command_refuses(client: FlaskClient, data_dir: Path) -> None:
    sign_in(client, "sam")
    crossing = sample()
    first = crossing["zone"][0]["polygon_mm"]
    first[1], first[2] = first[2], first[1]
    outside = sample()
    outside["zone"][0]["polygon_mm"] = [[5000, 5000], [5100, 5000], [5100, 5100]]
    for record, sentence in (
        (crossing, "does not cross itself"),
        (outside, "zone seat1.cards: expected it inside the picture"),
    ):
        for path in ("/profiles/check", "/profiles/1"):
            answer = post(client, path, record=json.dumps(record))
            assert answer.status_code == 400
            assert any(sentence in problem for problem in answer.json["problems"])
    db = open_store(data_dir)
    assert len(library.versions_of(db, "BJ-07")) == 1
    db.close()


def test_a_profile_that_names_rules_of_nobody_is_not_stored(client: FlaskClient, data_dir: Path) -> None:
    sign_in(client, "sam")
    record = sample()
    record["table"]["rules"] = "no-such-rules"
    answer = post(client, "/profiles/1", record=json.dumps(record))
    assert answer.status_code == 400
    assert any("rules: expected one of" in problem for problem in answer.json["problems"])
    db = open_store(data_dir)
    assert len(library.versions_of(db, "BJ-07")) == 1
    db.close()


def test_a_good_profile_is_told_what_its_camera_can_do(client: FlaskClient) -> None:
    sign_in(client, "sam")
    said = post(client, "/profiles/check", record=json.dumps(sample())).json
    assert said["problems"] == []
    assert set(said["verdict"]["checks"])
    assert "seat1.main" in said["verdict"]["zones"]


@pytest.mark.parametrize("sent", ["", "[]", "{", '"x"', "{}", '{"table": null}', "[" * 100_000])
def test_what_is_no_profile_is_refused_in_a_sentence(client: FlaskClient, sent: str) -> None:
    sign_in(client, "sam")
    answer = post(client, "/profiles/check", record=sent)
    assert answer.status_code == 400
    assert answer.json["problems"]


def test_text_is_saved_too_and_sent_back_as_the_file_it_is(client: FlaskClient) -> None:
    sign_in(client, "sam")
    answer = post(client, "/profiles/1", toml=SAMPLE.read_text())
    assert answer.status_code == 302
    number = answer.location.rsplit("/", 1)[1]
    assert client.get(f"/profiles/{number}.toml").text == SAMPLE.read_text()
    assert "<td>sam</td>" in client.get("/profiles").text
    broken = post(client, "/profiles/1", toml="[table]")
    assert broken.status_code == 400
    assert "table.id: expected text, found None" in broken.text


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[table]\nid = = 7 # mine\n", "line 2: <code>id = = 7 # mine</code>"),
        ("# mine\n[table]\n", "table.id: expected text, found None"),
        ("# mine" + "x" * 200_000, "expected a profile of at most 200000 characters, found 200006"),
    ],
)
def test_a_text_that_is_wrong_comes_back_in_the_editor_as_it_was_sent(
    client: FlaskClient, text: str, sentence: str
) -> None:
    sign_in(client, "sam")
    answer = post(client, "/profiles/1", toml=text)
    assert answer.status_code == 400
    assert "Profile of BJ-07" in answer.text
    assert "<details open>" in answer.text
    assert "Nothing was stored." in answer.text
    assert sentence in answer.text
    assert "# mine" in answer.text.partition("<textarea")[2]


@pytest.mark.parametrize(
    ("name", "seen", "edited"), [("sam", 200, 200), ("pat", 200, 403), ("ali", 403, 403), ("root", 403, 403)]
)
def test_who_sees_and_who_edits_profiles(client: FlaskClient, name: str, seen: int, edited: int) -> None:
    sign_in(client, name)
    assert client.get("/profiles").status_code == seen
    assert client.get("/profiles/1").status_code == edited
    assert client.get("/profiles/1.toml").status_code == edited
    if edited == 403:
        assert post(client, "/profiles/1", record="{}").status_code == 403
    else:
        assert client.get("/profiles/99").status_code == 404


@pytest.fixture
def empty(tmp_path: Path) -> FlaskClient:
    """An installation in which nothing has been stored yet, with somebody signed in who edits profiles."""
    db = open_store(tmp_path / "new")
    hashed = generate_password_hash("right sam", method="pbkdf2:sha256:1")
    users.add_user(db, name="sam", role=Role.SURVEILLANCE, at=AT, password_hash=hashed)
    db.close()
    client = create_app(tmp_path / "new", clock=lambda: AT).test_client()
    sign_in(client, "sam")
    return client


def test_a_new_installation_takes_its_first_profile_in_the_pages(empty: FlaskClient) -> None:
    assert 'href="/footage"' in empty.get("/").text.partition("No footage has been audited yet")[2]
    assert '<a href="/profiles">import a profile</a>' in empty.get("/footage").text
    assert "Import a profile" in empty.get("/profiles").text
    file = (io.BytesIO(SAMPLE.read_bytes()), "BJ-07.toml")
    answer = post(empty, "/profiles", file=file)
    assert answer.status_code == 302, answer.text
    page = empty.get(answer.location).text
    assert "Stored as the first version of BJ-07" in page
    assert "import a profile" not in empty.get("/footage").text


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        ({"toml": "[table]\nid = = 7\n"}, "line 2: <code>id = = 7</code>"),
        ({"file": (io.BytesIO(b"[table]\n# mine"), "a.toml")}, "table.id: expected text, found None"),
        ({"file": (io.BytesIO(b"\xff\xfe"), "a.toml")}, "expected UTF-8 text, found another byte at position 0"),
        ({}, "record: expected a profile in JSON"),
    ],
)
def test_what_cannot_be_imported_comes_back_with_its_sentence(
    client: FlaskClient, sent: dict[str, Any], sentence: str
) -> None:
    sign_in(client, "sam")
    answer = post(client, "/profiles", **sent)
    assert answer.status_code == 400
    assert sentence in answer.text


def test_a_new_table_is_begun_like_another_and_stored_only_when_it_is_saved(
    client: FlaskClient, data_dir: Path
) -> None:
    sign_in(client, "sam")
    page = client.get("/profiles/new?table=BJ-08&like=1").text
    assert "New profile of BJ-08" in page
    assert 'data-save="/profiles"' in page
    assert '"id": "BJ-08"' in page
    assert "found &#39;BJ-07&#39;, which has one" in client.get("/profiles/new?table=BJ-07&like=1").text
    assert client.get("/profiles/new?table=BJ-08&like=9").status_code == 404
    db = open_store(data_dir)
    assert library.versions_of(db, "BJ-08") == ()
    with_camera = post(client, "/profiles", toml=SAMPLE.read_text()).location.rsplit("/", 1)[1]
    page = client.get(f"/profiles/new?table=BJ-08&like={with_camera}").text
    record = json.loads(page.partition("data-record>")[2].partition("</script>")[0])
    assert len(record["camera"]["points_px"]) == 4
    assert "matrix" not in record["camera"]
    assert post(client, "/profiles", record=json.dumps(record)).json["address"].startswith("/profiles/")
    assert len(library.versions_of(db, "BJ-08")) == 1
    db.close()
    sign_in(client, "pat")
    assert client.get("/profiles/new?table=BJ-09&like=1").status_code == 403
    assert post(client, "/profiles", toml="").status_code == 403
