"""Tables, indexes and triggers, as a list of migrations that only ever grows."""

from __future__ import annotations

from typing import Any, Final

from sqlite_utils import Database, Migrations

from audit.store import review_schema, schema_pit

MIGRATIONS: Final[Any] = Migrations("catwalk")

_FOOTAGE_TABLES: Final = (
    """
    CREATE TABLE footage (
        id INTEGER PRIMARY KEY,
        sha256 TEXT NOT NULL UNIQUE,
        path TEXT NOT NULL,
        size_bytes INTEGER NOT NULL,
        duration_ms INTEGER,
        width INTEGER,
        height INTEGER,
        codec TEXT,
        recorded_at TEXT,
        registered_at TEXT NOT NULL,
        error TEXT
    ) STRICT
    """,
    """
    CREATE TABLE profiles (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        game TEXT NOT NULL,
        toml TEXT NOT NULL,
        sha256 TEXT NOT NULL UNIQUE,
        stored_at TEXT NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE runs (
        id INTEGER PRIMARY KEY,
        footage_id INTEGER NOT NULL REFERENCES footage(id),
        profile_id INTEGER NOT NULL REFERENCES profiles(id),
        software TEXT NOT NULL,
        weights_sha256 TEXT NOT NULL,
        rules_sha256 TEXT NOT NULL,
        created_at TEXT NOT NULL,
        status TEXT NOT NULL DEFAULT 'running' CHECK (status IN ('running', 'done', 'failed')),
        current INTEGER NOT NULL DEFAULT 0 CHECK (current IN (0, 1)),
        rounds INTEGER NOT NULL DEFAULT 0,
        findings INTEGER NOT NULL DEFAULT 0,
        finished_at TEXT,
        error TEXT,
        UNIQUE (footage_id, profile_id, software, weights_sha256, rules_sha256)
    ) STRICT
    """,
    """
    CREATE TRIGGER runs_are_pinned
    BEFORE UPDATE OF footage_id, profile_id, software, weights_sha256, rules_sha256, created_at ON runs
    BEGIN SELECT RAISE(ABORT, 'a run keeps what it was made with'); END
    """,
    """
    CREATE TABLE segments (
        id INTEGER PRIMARY KEY,
        run_id INTEGER NOT NULL REFERENCES runs(id),
        ordinal INTEGER NOT NULL,
        first_ms INTEGER NOT NULL,
        last_ms INTEGER NOT NULL CHECK (last_ms >= first_ms),
        status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'running', 'done', 'failed')),
        worker TEXT,
        lease_until TEXT,
        finished_at TEXT,
        error TEXT,
        UNIQUE (run_id, ordinal)
    ) STRICT
    """,
    """
    CREATE TABLE states (
        id INTEGER PRIMARY KEY,
        run_id INTEGER NOT NULL REFERENCES runs(id),
        segment_id INTEGER NOT NULL REFERENCES segments(id),
        ordinal INTEGER NOT NULL,
        first_ms INTEGER NOT NULL,
        last_ms INTEGER NOT NULL,
        line TEXT NOT NULL CHECK (json_valid(line)),
        UNIQUE (segment_id, ordinal)
    ) STRICT
    """,
    "CREATE INDEX states_in_time ON states (run_id, first_ms, last_ms)",
)

_AUDIT_TABLES: Final = (
    """
    CREATE TABLE rounds (
        id INTEGER PRIMARY KEY,
        run_id INTEGER NOT NULL REFERENCES runs(id),
        ordinal INTEGER NOT NULL,
        start_ms INTEGER NOT NULL,
        end_ms INTEGER NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('complete', 'partial', 'void')),
        game TEXT NOT NULL,
        record TEXT NOT NULL CHECK (json_valid(record)),
        UNIQUE (run_id, ordinal)
    ) STRICT
    """,
    """
    CREATE TABLE findings (
        id INTEGER PRIMARY KEY,
        run_id INTEGER NOT NULL REFERENCES runs(id),
        round_id INTEGER REFERENCES rounds(id),
        ordinal INTEGER NOT NULL,
        code TEXT NOT NULL,
        verdict TEXT NOT NULL CHECK (verdict IN ('violation', 'suspect', 'undetermined')),
        probability REAL NOT NULL CHECK (probability BETWEEN 0 AND 1),
        seat INTEGER,
        hand INTEGER,
        number INTEGER,
        bet TEXT,
        expected TEXT NOT NULL,
        observed TEXT NOT NULL,
        amount TEXT,
        amount_cents INTEGER,
        rank REAL NOT NULL,
        first_ms INTEGER NOT NULL,
        last_ms INTEGER NOT NULL,
        citation TEXT NOT NULL,
        procedures TEXT NOT NULL CHECK (json_valid(procedures)),
        because_of INTEGER,
        extra TEXT NOT NULL CHECK (json_valid(extra)),
        game TEXT NOT NULL,
        table_name TEXT NOT NULL,
        current INTEGER NOT NULL DEFAULT 1 CHECK (current IN (0, 1)),
        decision TEXT
    ) STRICT
    """,
    "CREATE UNIQUE INDEX findings_once ON findings (run_id, ifnull(round_id, 0), ordinal)",
    "CREATE INDEX findings_of_round ON findings (round_id, ordinal)",
    # The queue reads these two in order and answers every filter without touching the table.
    """
    CREATE INDEX findings_queue ON findings
    (current, decision, rank DESC, id, verdict, code, game, table_name, amount_cents)
    """,
    """
    CREATE INDEX findings_ranked ON findings
    (current, rank DESC, id, decision, verdict, code, game, table_name, amount_cents)
    """,
    "CREATE INDEX findings_facets ON findings (current, decision, verdict, code, table_name, game)",
    """
    CREATE TRIGGER rounds_are_kept BEFORE UPDATE ON rounds
    BEGIN SELECT RAISE(ABORT, 'a stored round is never changed'); END
    """,
    """
    CREATE TRIGGER findings_are_kept
    BEFORE UPDATE OF run_id, round_id, ordinal, code, verdict, probability, seat, hand, number, bet, expected, observed,
        amount, amount_cents, rank, first_ms, last_ms, citation, procedures, because_of, extra, game, table_name
    ON findings
    BEGIN SELECT RAISE(ABORT, 'a stored finding is never changed'); END
    """,
)

_PEOPLE_TABLES: Final = (
    """
    CREATE TABLE users (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE COLLATE NOCASE,
        password_hash TEXT,
        role TEXT NOT NULL CHECK (role IN ('surveillance', 'pit_manager', 'auditor', 'administrator')),
        created_at TEXT NOT NULL,
        disabled_at TEXT
    ) STRICT
    """,
    """
    CREATE TABLE one_time_logins (
        token_sha256 TEXT PRIMARY KEY,
        user_id INTEGER NOT NULL REFERENCES users(id),
        expires_at TEXT NOT NULL,
        used_at TEXT
    ) STRICT
    """,
    """
    CREATE TABLE log (
        id INTEGER PRIMARY KEY,
        at TEXT NOT NULL,
        actor TEXT NOT NULL,
        action TEXT NOT NULL,
        details TEXT NOT NULL CHECK (json_valid(details)),
        previous_hash TEXT NOT NULL,
        hash TEXT NOT NULL UNIQUE
    ) STRICT
    """,
    """
    CREATE TABLE decisions (
        id INTEGER PRIMARY KEY,
        finding_id INTEGER NOT NULL REFERENCES findings(id),
        user_id INTEGER NOT NULL REFERENCES users(id),
        kind TEXT NOT NULL CHECK (kind IN ('confirm', 'dismiss', 'cannot_tell', 'escalate', 'undo')),
        note TEXT NOT NULL,
        at TEXT NOT NULL,
        log_id INTEGER NOT NULL REFERENCES log(id)
    ) STRICT
    """,
    "CREATE INDEX decisions_of_finding ON decisions (finding_id, id)",
    "CREATE INDEX decisions_of_user ON decisions (user_id, id)",
)

_RECORDINGS: Final = (
    "ALTER TABLE footage ADD COLUMN recorder TEXT",
    "DROP TRIGGER rounds_are_kept",
    # What is told while a camera runs may still change; what is finished may not.
    """
    CREATE TRIGGER rounds_are_kept BEFORE UPDATE ON rounds
    WHEN (SELECT f.recorder FROM runs AS r JOIN footage AS f ON f.id = r.footage_id WHERE r.id = old.run_id) IS NULL
    BEGIN SELECT RAISE(ABORT, 'a stored round is never changed'); END
    """,
    """
    CREATE TABLE withdrawn_findings (
        finding_id INTEGER PRIMARY KEY REFERENCES findings(id),
        at TEXT NOT NULL
    ) STRICT
    """,
)


def _footage(db: Database) -> None:
    _execute(db, _FOOTAGE_TABLES)


def _audits(db: Database) -> None:
    _execute(db, _AUDIT_TABLES)


def _people(db: Database) -> None:
    _execute(db, _PEOPLE_TABLES)
    _append_only(db, "log", "decisions")


def _review_desk(db: Database) -> None:
    desk = review_schema
    _execute(db, desk.DESK)
    _append_only(db, *desk.APPENDED)
    for statements in (desk.FINDING_COLUMNS, desk.HAPPENED, desk.QUEUE_INDEXES, desk.COUNTS, desk.SEARCH):
        _execute(db, statements)


def _second_offers(db: Database) -> None:
    _execute(db, review_schema.SECOND_OFFERS)


def _recordings(db: Database) -> None:
    _execute(db, _RECORDINGS)


def _append_only(db: Database, *tables: str) -> None:
    for table in tables:
        for verb in ("UPDATE", "DELETE"):
            db.execute(
                f"CREATE TRIGGER {table}_refuses_{verb.lower()} BEFORE {verb} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
            )


def _rota(db: Database) -> None:
    _execute(db, schema_pit.ROTA_TABLES)


def _counts(db: Database) -> None:
    _execute(db, schema_pit.COUNT_TABLES)


def _evaluations(db: Database) -> None:
    _execute(db, schema_pit.EVALUATION_TABLES)


def _recounts(db: Database) -> None:
    _execute(db, schema_pit.RECOUNTS)


def _covered(db: Database) -> None:
    _execute(db, schema_pit.COVERED)


def _wishes(db: Database) -> None:
    _execute(db, schema_pit.WISHES)


def _sums(db: Database) -> None:
    _execute(db, schema_pit.SUMS)


def _kind_sums(db: Database) -> None:
    _execute(db, schema_pit.KIND_SUMS)


def _round_sums(db: Database) -> None:
    _execute(db, schema_pit.ROUND_SUMS)


def _refusals(db: Database) -> None:
    _execute(db, schema_pit.REFUSALS)


def _seen_by_people(db: Database) -> None:
    _execute(db, review_schema.SEEN_BY_PEOPLE)


def _search_in_order(db: Database) -> None:
    _execute(db, review_schema.SEARCH_IN_ORDER)


MIGRATIONS(name="0001_footage_runs_and_states")(_footage)
MIGRATIONS(name="0002_rounds_and_findings")(_audits)
MIGRATIONS(name="0003_users_log_and_decisions")(_people)
MIGRATIONS(name="0004_review_desk")(_review_desk)
MIGRATIONS(name="0010_dealers_rota_and_settings")(_rota)
MIGRATIONS(name="0011_counts_of_rounds_and_findings")(_counts)
MIGRATIONS(name="0012_evaluations_folders_and_tokens")(_evaluations)
MIGRATIONS(name="0020_second_reviews_are_offered")(_second_offers)
MIGRATIONS(name="0013_counting_again_after_corrections")(_recounts)
MIGRATIONS(name="0014_indexes_that_answer_the_pit")(_covered)
MIGRATIONS(name="0015_wanted_audits_and_folders")(_wishes)
MIGRATIONS(name="0016_sums_of_findings")(_sums)
MIGRATIONS(name="0017_sums_of_kinds")(_kind_sums)
MIGRATIONS(name="0018_sums_of_rounds")(_round_sums)
MIGRATIONS(name="0021_search_in_the_order_of_the_queue")(_search_in_order)
MIGRATIONS(name="0022_recordings_of_running_cameras")(_recordings)
MIGRATIONS(name="0023_audits_that_were_refused")(_refusals)
MIGRATIONS(name="0024_findings_of_people")(_seen_by_people)


def _execute(db: Database, statements: tuple[str, ...]) -> None:
    for statement in statements:
        db.execute(statement)
