"""Whatever is put into a form or an address, the answer is a page, a sentence or a redirect: never a fault.

Which forms and addresses there are is read off the application and its pages, so that none can be left out.
"""

from __future__ import annotations

import json
import re
import shutil
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from werkzeug.routing import Rule

import web
from audit.store import corrections, library, second_reviews, users
from audit.store.database import open_store
from audit.store.incidents import FIELDS
from tests.web.conftest import fill, post, sign_in
from tests.web.pit import put_on_duty
from web import create_app
from web.queue_filter import NAMES

ODD = st.sampled_from(
    [
        *(
            "",
            "0",
            "1",
            "-1",
            "9" * 30,
            "nan",
            "inf",
            "1e400",
            "1e9",
            "x",
            "yes",
            "\x00",
            "\u0663",
            "%s",
            "≠",
            "'",
            "/",
        ),
        *("../..", "2026-11-20", "2026-11-20T20:00", "0001-01-01T00:00", "9999-12-31T23:59", "a" * 5000),
        *("Jc", "5 red + 2 green", "red 3", "nothing", "confirm", "surveillance"),
    ]
)
VALUE = ODD | st.text(max_size=40)
JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["table", "camera", "zone", "name", "polygon_mm", "points_mm", "id"]), inner)
    ),
    max_leaves=12,
)
CHOSEN = ("finding", "all", "reason", "note")
FORMS = {
    "sam": {
        "/sign-in": ("name", "password", "next"),
        "/sign-out": (),
        "/account/password": ("before", "password", "again", "username"),
        "/account/tokens": ("label",),
        "/account/tokens/1/end": (),
        "/decisions/undo": (),
        "/findings/1/decide": ("verdict", "note", "reason"),
        "/findings/1/take-over": (),
        "/findings/2/report": FIELDS,
        "/footage/1": ("act", "recorded_at", "profile"),
        "/incidents/1": FIELDS,
        "/incidents/1/pack": (),
        "/incidents/1/pdf": (),
        "/incidents/1/print": (),
        "/profiles": ("record", "toml"),
        "/profiles/1": ("record", "toml"),
        "/profiles/check": ("record", "toml"),
        "/queue/claim": CHOSEN,
        "/queue/dismiss": CHOSEN,
        "/queue/release": CHOSEN,
        "/queue/views": ("name",),
        "/queue/views/1/remove": (),
        "/rounds/1/additions": ("at_ms", "x_mm", "y_mm", "zone", "reading", "sideways", "since_ms", "until_ms"),
        "/findings/1/take-back": (),
        "/rounds/1/findings": ("procedure", "seat", "from", "to", "due", "paid", "note", "shown_ms"),
        "/rounds/1/corrections": ("at_ms", "kind", "x_mm", "y_mm", "reading"),
        "/rounds/1/corrections/1/withdraw": ("at_ms",),
        "/second/findings/1": ("verdict", "note"),
        "/second/rounds/1": ("verdict", "note"),
    },
    "pat": {
        "/rota/entries": ("dealer", "number", "table", "from", "to", "supervisor", "kind"),
        "/rota/entries/1": ("act", "dealer", "number", "table", "from", "to", "supervisor"),
        "/rota/import": ("text",),
    },
    "ali": {"/log/check": ()},
    "root": {
        "/agreement/shares": ("flagged", "unflagged"),
        "/footage/folders": ("folder", "profile"),
        "/footage/folders/1": ("act",),
        "/footage/uploads": ("name", "size"),
        "/footage/uploads/TOKEN/finish": ("profile", "recorded_at"),
        "/settings": ("property_name", "zone", "day_starts", "shift_starts"),
        "/users": ("name", "role", "password"),
        "/users/1": ("act", "role", "password"),
    },
}
ASKED = (*NAMES, *("days", "first", "last", "order", "day", "shift", "from", "actor", "action", "before", "after"))
ASKED += ("at", "finding", "blind", "next", "page", "limit", "offset", "like")
"""What addresses may carry beside what the queue understands."""
TIMES = settings(
    max_examples=15, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), print_blob=False
)
SLOW = settings(TIMES, max_examples=4)  # each asks the check in a process of its own
ANSWERS = frozenset({200, 302, 400, 401, 404, 409})
ROLES = ("sam", "pat", "ali", "root")


class Forms(HTMLParser):
    """Gathers the forms of a page that are sent by POST: where to, and the names of their fields."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, set[str]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "form":
            self.found.append((given.get("action") or "", set()))
            self.is_post = given.get("method") == "post"
            if not self.is_post:
                self.found.pop()
        elif given.get("name") and self.found and self.is_post and tag in {"input", "select", "textarea", "button"}:
            self.found[-1][1].add(str(given["name"]))


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, clip: Path) -> Path:
    """A store in which everything that a form acts on is there."""
    folder = tmp_path_factory.mktemp("house")
    store = open_store(folder)
    fill(store, clip)
    now = datetime.now(UTC)
    second_reviews.set_shares(store, second_reviews.Shares(flagged=1.0, unflagged=1.0), user_id=1, actor="sam", at=now)
    users.add_api_token(store, token="t", user_id=1, at=now)
    library.add_folder(store, str(folder), profile_id=None, actor="root", at=now)
    sue = users.add_user(store, name="sue", role=users.Role.SURVEILLANCE, at=now)
    users.add_one_time_login(store, token="sue", user_id=sue, expires=now + timedelta(hours=1))
    put_on_duty(folder)
    other, client = create_app(folder).test_client(), create_app(folder).test_client()
    other.get("/login/sue")
    post(other, "/findings/1/decide", verdict="confirm")
    sign_in(client, "sam")
    for path, fields in {
        "/findings/1/report": {"summary": "x"},
        "/queue/views?verdict=suspect": {"name": "mine"},
        "/rounds/1/corrections": {"kind": "card", "at_ms": "1000", "x_mm": "-350", "y_mm": "280", "reading": "Td"},
    }.items():
        assert post(client, path, **fields).status_code == 302
    assert [store.table(name).count for name in ("incidents", "saved_views", "second_offers")] == [1, 1, 1]
    assert len(corrections.entries(store, 1)) == 1
    store.close()
    return folder


@pytest.fixture
def app(house: Path, tmp_path: Path) -> Flask:
    shutil.copytree(house, tmp_path / "data")
    return create_app(tmp_path / "data", make_pack=lambda _: None)


def entered(app: Flask, name: str) -> FlaskClient:
    client = app.test_client()
    sign_in(client, name)
    with client.session_transaction() as session:
        session["csrf"] = "token"
    return client


def send(client: FlaskClient, path: str, values: dict[str, str], **more: object) -> int:
    safe = {key: value.encode(errors="replace").decode() for key, value in values.items()}
    with client.session_transaction() as session:
        session["csrf"] = "token"
    return client.post(path, data={"csrf": "token", **safe, **more}).status_code


def rule_of(app: Flask, path: str, method: str) -> str:
    rule = app.url_map.bind("x").match(path.partition("?")[0], method=method, return_rule=True)[0]
    assert isinstance(rule, Rule)
    return rule.rule


def test_every_form_of_the_application_is_in_the_table(app: Flask) -> None:
    rules = {rule.rule for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ())}
    assert {rule_of(app, path, "POST") for forms in FORMS.values() for path in forms} == rules


def test_every_field_of_every_page_is_in_the_table(app: Flask) -> None:
    fields = {rule_of(app, path, "POST"): set(names) for forms in FORMS.values() for path, names in forms.items()}
    shown = 0
    for name in ROLES:
        client = entered(app, name)
        for rule in {str(rule) for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ())}:
            parser = Forms()
            with client.get(re.sub(r"<int:\w+>", "1", rule).replace("<name>", "BJ-07")) as page:
                parser.feed(page.text if page.mimetype == "text/html" else "")
            for action, names in parser.found:
                assert names - {"csrf", "file"} <= fields[rule_of(app, action, "POST")], (rule, action)
                shown += 1
    assert shown > 60


@pytest.mark.parametrize(("name", "path"), [(name, path) for name, forms in FORMS.items() for path in forms])
def test_no_form_breaks(app: Flask, name: str, path: str) -> None:
    client = entered(app, name)
    fields = dict.fromkeys(FORMS[name][path], VALUE)
    if "record" in fields:
        fields["record"] = JSON.map(json.dumps) | VALUE
    if "TOKEN" in path:
        begun = client.post("/footage/uploads", data={"csrf": "token", "name": "a.mp4", "size": "10"}).json
        path = path.replace("TOKEN", begun["upload"])

    @(SLOW if path.startswith("/profiles") else TIMES)
    @given(values=st.fixed_dictionaries({}, optional=fields))
    def fill_in(values: dict[str, str]) -> None:
        assert send(client, path, values) in ANSWERS

    fill_in()


@TIMES
@given(content=st.binary(max_size=200) | st.text(max_size=80).map(lambda text: text.encode("utf-16")))
def test_no_rota_file_breaks(app: Flask, content: bytes) -> None:
    sent = {"file": (BytesIO(content), "rota.csv")}
    assert send(entered(app, "pat"), "/rota/import", {}, **sent) in ANSWERS


@TIMES
@given(offset=VALUE, body=st.binary(max_size=60), size=st.integers(-5, 60).map(str))
def test_no_part_of_an_upload_breaks(app: Flask, offset: str, body: bytes, size: str) -> None:
    client = entered(app, "root")
    begun = client.post("/footage/uploads", data={"csrf": "token", "name": "a.mp4", "size": size}).json
    path = f"/footage/uploads/{begun.get('upload', 'x')}"
    answer = client.put(path, query_string={"from": offset}, data=body, headers={"X-Catwalk-Token": "token"})
    assert answer.status_code in ANSWERS
    assert client.post(f"{path}/finish", data={"csrf": "token"}).status_code in ANSWERS


@pytest.mark.parametrize("name", ROLES)
def test_no_address_breaks(app: Flask, name: str) -> None:
    """Every address that is asked for by GET, with whatever it may carry, and numbers of things that are not there."""
    client = entered(app, name)
    rules = sorted(rule.rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ()))

    @settings(TIMES, max_examples=400)
    @given(
        rule=st.sampled_from(rules),
        number=st.sampled_from(["0", "1", "2", "9" * 20]),
        word=st.sampled_from(["BJ-07", "findings", "csv", "x", "0" * 32, "..", "%00", "\u2260"]),
        values=st.dictionaries(st.sampled_from(ASKED), VALUE, max_size=5),
    )
    def ask(rule: str, number: str, word: str, values: dict[str, str]) -> None:
        path = re.sub(r"<(?!int)[\w:]+>", word, re.sub(r"<int:\w+>", number, rule))
        safe = {key: value.encode(errors="replace").decode() for key, value in values.items()}
        with client.get(path, query_string=safe) as answer:
            assert answer.status_code in ANSWERS | {403, 410}

    ask()


def test_every_name_that_an_address_may_carry_is_asked_with() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in Path(web.__file__).parent.glob("*.py"))
    names = set(re.findall(r'args(?:\.get\(|\[)"(\w+)"|"(\w+)" in request\.args|whole_number\("(\w+)"', text))
    assert {name for found in names for name in found if name} <= set(ASKED)
