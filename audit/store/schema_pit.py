"""Tables of the pit's pages: dealers and their rota, what is counted of rounds and findings, settings, evaluations."""

from __future__ import annotations

from typing import Final

ROTA_TABLES: Final = (
    """
    CREATE TABLE dealers (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE COLLATE NOCASE,
        number TEXT UNIQUE,
        added_at TEXT NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE rota (
        id INTEGER PRIMARY KEY,
        dealer_id INTEGER NOT NULL REFERENCES dealers(id),
        table_name TEXT NOT NULL,
        starts_at TEXT NOT NULL,
        ends_at TEXT NOT NULL CHECK (ends_at > starts_at),
        supervisor TEXT NOT NULL DEFAULT '',
        source TEXT NOT NULL CHECK (source IN ('import', 'page', 'tap_in')),
        changed_by TEXT NOT NULL,
        changed_at TEXT NOT NULL
    ) STRICT
    """,
    "CREATE INDEX rota_at_table ON rota (table_name, starts_at, ends_at)",
    "CREATE INDEX rota_of_dealer ON rota (dealer_id, starts_at, ends_at)",
    """
    CREATE TABLE settings (
        name TEXT PRIMARY KEY,
        value TEXT NOT NULL,
        changed_by TEXT NOT NULL,
        changed_at TEXT NOT NULL
    ) STRICT
    """,
)

COUNT_TABLES: Final = (
    # One row: rounds of a run, within an hour, under a dealer (0 = not known). Day '' = recorded at an unknown time.
    """
    CREATE TABLE round_tallies (
        run_id INTEGER NOT NULL REFERENCES runs(id),
        hour TEXT NOT NULL,
        dealer_id INTEGER NOT NULL,
        day TEXT NOT NULL,
        table_name TEXT NOT NULL,
        game TEXT NOT NULL,
        rounds INTEGER NOT NULL,
        whole INTEGER NOT NULL,
        partial INTEGER NOT NULL,
        void INTEGER NOT NULL,
        paced INTEGER NOT NULL,
        paced_ms INTEGER NOT NULL,
        shuffles INTEGER NOT NULL,
        shuffle_ms INTEGER NOT NULL,
        PRIMARY KEY (run_id, hour, dealer_id)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX round_tallies_of_dealer ON round_tallies (dealer_id, day)",
    "CREATE INDEX round_tallies_of_day ON round_tallies (day, dealer_id)",
    # One row: a current finding, with the dealer and the day it belongs to.
    """
    CREATE TABLE finding_facts (
        finding_id INTEGER PRIMARY KEY REFERENCES findings(id),
        run_id INTEGER NOT NULL REFERENCES runs(id),
        at TEXT NOT NULL,
        day TEXT NOT NULL,
        dealer_id INTEGER NOT NULL,
        table_name TEXT NOT NULL,
        game TEXT NOT NULL,
        code TEXT NOT NULL,
        verdict TEXT NOT NULL,
        decision TEXT,
        seat INTEGER,
        bet TEXT,
        cents INTEGER NOT NULL,
        in_whole_round INTEGER NOT NULL CHECK (in_whole_round IN (0, 1)),
        follows INTEGER NOT NULL CHECK (follows IN (0, 1))
    ) STRICT
    """,
    "CREATE INDEX finding_facts_of_run ON finding_facts (run_id)",
    """
    CREATE INDEX finding_facts_of_dealer ON finding_facts
    (dealer_id, day, verdict, decision, follows, in_whole_round, code, cents)
    """,
    """
    CREATE INDEX finding_facts_of_day ON finding_facts
    (day, dealer_id, verdict, decision, follows, in_whole_round, code, cents)
    """,
    """
    CREATE INDEX finding_facts_of_table ON finding_facts
    (table_name, day, verdict, decision, follows, in_whole_round, code, seat, cents)
    """,
    # What recognition could read of a run, and for how long the camera saw nothing usable.
    """
    CREATE TABLE run_health (
        run_id INTEGER PRIMARY KEY REFERENCES runs(id),
        day TEXT NOT NULL,
        table_name TEXT NOT NULL,
        cards INTEGER NOT NULL,
        cards_unread INTEGER NOT NULL,
        wagers INTEGER NOT NULL,
        wagers_unread INTEGER NOT NULL,
        moves INTEGER NOT NULL,
        moves_unread INTEGER NOT NULL,
        states INTEGER NOT NULL,
        watched_ms INTEGER NOT NULL,
        lost_ms INTEGER NOT NULL,
        lost_reasons TEXT NOT NULL CHECK (json_valid(lost_reasons))
    ) STRICT
    """,
    "CREATE INDEX run_health_of_day ON run_health (day, table_name)",
    "CREATE TABLE uncounted_runs (run_id INTEGER PRIMARY KEY REFERENCES runs(id)) STRICT",
    "INSERT INTO uncounted_runs SELECT id FROM runs WHERE status = 'done'",
    """
    CREATE TRIGGER finished_runs_are_counted AFTER UPDATE OF current ON runs WHEN new.current <> old.current
    BEGIN INSERT OR IGNORE INTO uncounted_runs VALUES (new.id); END
    """,
    """
    CREATE TRIGGER dated_footage_is_counted_again AFTER UPDATE OF recorded_at ON footage
    WHEN new.recorded_at IS NOT old.recorded_at
    BEGIN INSERT OR IGNORE INTO uncounted_runs SELECT id FROM runs WHERE footage_id = new.id AND status = 'done'; END
    """,
    """
    CREATE TRIGGER counted_findings_follow_decisions AFTER UPDATE OF decision ON findings
    BEGIN UPDATE finding_facts SET decision = new.decision WHERE finding_id = new.id; END
    """,
    """
    CREATE TRIGGER retired_findings_are_not_counted AFTER UPDATE OF current ON findings WHEN new.current = 0
    BEGIN DELETE FROM finding_facts WHERE finding_id = new.id; END
    """,
)

EVALUATION_TABLES: Final = (
    """
    CREATE TABLE evaluations (
        id INTEGER PRIMARY KEY,
        at TEXT NOT NULL,
        footage TEXT NOT NULL,
        software TEXT NOT NULL,
        weights_sha256 TEXT NOT NULL,
        scores TEXT NOT NULL CHECK (json_valid(scores))
    ) STRICT
    """,
    """
    CREATE TABLE folders (
        id INTEGER PRIMARY KEY,
        path TEXT NOT NULL UNIQUE,
        profile_id INTEGER REFERENCES profiles(id),
        added_by TEXT NOT NULL,
        added_at TEXT NOT NULL,
        looked_at TEXT,
        error TEXT
    ) STRICT
    """,
    """
    CREATE TABLE api_tokens (
        id INTEGER PRIMARY KEY,
        token_sha256 TEXT NOT NULL UNIQUE,
        user_id INTEGER NOT NULL REFERENCES users(id),
        made_at TEXT NOT NULL,
        ended_at TEXT
    ) STRICT
    """,
)

RECOUNTS: Final = (
    "ALTER TABLE run_health ADD COLUMN shuffles TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(shuffles))",
    """
    CREATE TRIGGER corrected_rounds_are_counted_again AFTER INSERT ON findings WHEN new.correction_id IS NOT NULL
    BEGIN INSERT OR IGNORE INTO uncounted_runs VALUES (new.run_id); END
    """,
    """
    CREATE TRIGGER findings_that_are_back_are_counted_again AFTER UPDATE OF current ON findings
    WHEN new.current = 1 AND old.current = 0
    BEGIN INSERT OR IGNORE INTO uncounted_runs VALUES (new.run_id); END
    """,
)

COVERED: Final = (
    "ALTER TABLE finding_facts ADD COLUMN reason TEXT",
    "DROP INDEX finding_facts_of_dealer",
    "DROP INDEX finding_facts_of_day",
    "DROP INDEX finding_facts_of_table",
    # Each answers its question without touching the table, in the order in which it is grouped.
    """
    CREATE INDEX errors_of_dealer ON finding_facts
    (dealer_id, verdict, decision, in_whole_round, code, day, table_name, game, cents)
    WHERE follows = 0 AND verdict <> 'undetermined'
    """,
    """
    CREATE INDEX errors_of_day ON finding_facts
    (day, verdict, decision, in_whole_round, dealer_id, table_name, game, cents)
    WHERE follows = 0 AND verdict <> 'undetermined'
    """,
    """
    CREATE INDEX errors_of_table ON finding_facts
    (table_name, verdict, decision, in_whole_round, day, dealer_id, game, cents)
    WHERE follows = 0 AND verdict <> 'undetermined'
    """,
    """
    CREATE INDEX errors_of_kind ON finding_facts
    (code, seat, verdict, decision, day, dealer_id, table_name, game, cents)
    WHERE follows = 0 AND verdict <> 'undetermined'
    """,
    """
    CREATE INDEX undetermined_reasons ON finding_facts (reason, day, dealer_id, table_name, game)
    WHERE verdict = 'undetermined'
    """,
    "INSERT OR IGNORE INTO uncounted_runs SELECT id FROM runs WHERE status = 'done'",
)

WISHES: Final = (
    """
    CREATE TABLE wanted_audits (
        footage_id INTEGER NOT NULL REFERENCES footage(id),
        profile_id INTEGER NOT NULL REFERENCES profiles(id),
        wanted_by TEXT NOT NULL,
        wanted_at TEXT NOT NULL,
        PRIMARY KEY (footage_id, profile_id)
    ) STRICT, WITHOUT ROWID
    """,
    "ALTER TABLE folders ADD COLUMN asked_at TEXT",
    "ALTER TABLE profiles ADD COLUMN stored_by TEXT NOT NULL DEFAULT ''",
    "CREATE INDEX runs_by_status ON runs (status)",
    "CREATE INDEX footage_recorded ON footage (recorded_at)",
)

REFUSALS: Final = (
    # The latest audit of a recording that was asked for and could not be begun; gone once one is begun or asked for.
    """
    CREATE TABLE refused_audits (
        footage_id INTEGER PRIMARY KEY REFERENCES footage(id),
        profile_id INTEGER NOT NULL REFERENCES profiles(id),
        error TEXT NOT NULL,
        refused_at TEXT NOT NULL
    ) STRICT
    """,
)

_SUM_KEY: Final = "day, dealer_id, table_name, game, verdict, decision, in_whole_round"
_OLD: Final = (
    "old.day, old.dealer_id, old.table_name, old.game, old.verdict, ifnull(old.decision, ''), old.in_whole_round"
)
_NEW: Final = _OLD.replace("old.", "new.")
_COUNTS: Final = "old.follows = 0 AND old.verdict <> 'undetermined'"


def _add(row: str, sign: str, which: str) -> str:
    """Return the statement by which a finding is added to its sum, or taken out of it."""
    return f"""
        INSERT INTO error_sums ({_SUM_KEY}, n, over_cents, short_cents)
        VALUES ({row}, {sign}1, {sign}max({which}.cents, 0), {sign}min({which}.cents, 0))
        ON CONFLICT DO UPDATE SET n = n + excluded.n, over_cents = over_cents + excluded.over_cents,
            short_cents = short_cents + excluded.short_cents;
    """  # noqa: S608 - constant texts


SUMS: Final = (
    # Violations and suspects that follow from no other, by all that the lists of dealers and tables ask for.
    """
    CREATE TABLE error_sums (
        day TEXT NOT NULL,
        dealer_id INTEGER NOT NULL,
        table_name TEXT NOT NULL,
        game TEXT NOT NULL,
        verdict TEXT NOT NULL,
        decision TEXT NOT NULL,
        in_whole_round INTEGER NOT NULL,
        n INTEGER NOT NULL,
        over_cents INTEGER NOT NULL,
        short_cents INTEGER NOT NULL,
        PRIMARY KEY (day, dealer_id, table_name, game, verdict, decision, in_whole_round)
    ) STRICT, WITHOUT ROWID
    """,
    f"""
    INSERT INTO error_sums
    SELECT day, dealer_id, table_name, game, verdict, ifnull(decision, ''), in_whole_round, count(*),
        sum(max(cents, 0)), sum(min(cents, 0))
    FROM finding_facts AS old WHERE {_COUNTS} GROUP BY 1, 2, 3, 4, 5, 6, 7
    """,  # noqa: S608 - constant texts
    "CREATE INDEX error_sums_of_dealer ON error_sums (dealer_id, day)",
    f"""CREATE TRIGGER error_sums_grow AFTER INSERT ON finding_facts WHEN {_COUNTS.replace("old.", "new.")}
    BEGIN {_add(_NEW, "", "new")} END""",
    f"CREATE TRIGGER error_sums_shrink AFTER DELETE ON finding_facts WHEN {_COUNTS} BEGIN {_add(_OLD, '-', 'old')} END",
    f"""CREATE TRIGGER error_sums_move AFTER UPDATE OF decision ON finding_facts
    WHEN {_COUNTS} AND old.decision IS NOT new.decision
    BEGIN {_add(_OLD, "-", "old")} {_add(_NEW, "", "new")} END""",
    "DROP INDEX errors_of_day",
    """
    CREATE INDEX errors_of_day ON finding_facts
    (day, code, seat, verdict, decision, dealer_id, table_name, game, at, cents)
    WHERE follows = 0 AND verdict <> 'undetermined'
    """,
    "DROP INDEX errors_of_table",
    """
    CREATE INDEX errors_of_table ON finding_facts
    (table_name, code, seat, verdict, decision, day, dealer_id, game, at, cents)
    WHERE follows = 0 AND verdict <> 'undetermined'
    """,
    "DROP INDEX errors_of_dealer",
    """
    CREATE INDEX errors_of_dealer ON finding_facts
    (dealer_id, code, seat, verdict, decision, day, table_name, game, at, cents)
    WHERE follows = 0 AND verdict <> 'undetermined'
    """,
)

_KIND_KEY: Final = "day, game, code, seat, verdict, decision"
_OLD_KIND: Final = "old.day, old.game, old.code, ifnull(old.seat, 0), old.verdict, ifnull(old.decision, '')"
_NEW_KIND: Final = _OLD_KIND.replace("old.", "new.")


def _add_kind(row: str, sign: str, which: str) -> str:
    """Return the statement by which a finding is added to the sum of its kind and seat, or taken out of it."""
    return _add(row, sign, which).replace("error_sums", "kind_sums").replace(_SUM_KEY, _KIND_KEY)


KIND_SUMS: Final = (
    # The same findings over the whole pit, by kind and seat; seat 0 = the table itself.
    """
    CREATE TABLE kind_sums (
        day TEXT NOT NULL,
        game TEXT NOT NULL,
        code TEXT NOT NULL,
        seat INTEGER NOT NULL,
        verdict TEXT NOT NULL,
        decision TEXT NOT NULL,
        n INTEGER NOT NULL,
        over_cents INTEGER NOT NULL,
        short_cents INTEGER NOT NULL,
        PRIMARY KEY (day, game, code, seat, verdict, decision)
    ) STRICT, WITHOUT ROWID
    """,
    f"""
    INSERT INTO kind_sums
    SELECT day, game, code, ifnull(seat, 0), verdict, ifnull(decision, ''), count(*),
        sum(max(cents, 0)), sum(min(cents, 0))
    FROM finding_facts AS old WHERE {_COUNTS} GROUP BY 1, 2, 3, 4, 5, 6
    """,  # noqa: S608 - constant texts
    f"""CREATE TRIGGER kind_sums_grow AFTER INSERT ON finding_facts WHEN {_COUNTS.replace("old.", "new.")}
    BEGIN {_add_kind(_NEW_KIND, "", "new")} END""",
    f"""CREATE TRIGGER kind_sums_shrink AFTER DELETE ON finding_facts WHEN {_COUNTS}
    BEGIN {_add_kind(_OLD_KIND, "-", "old")} END""",
    f"""CREATE TRIGGER kind_sums_move AFTER UPDATE OF decision ON finding_facts
    WHEN {_COUNTS} AND old.decision IS NOT new.decision
    BEGIN {_add_kind(_OLD_KIND, "-", "old")} {_add_kind(_NEW_KIND, "", "new")} END""",
)

_ROUND_COUNTS: Final = ("rounds", "whole", "partial", "void", "paced", "paced_ms", "shuffles", "shuffle_ms")
_ROUND_KEY: Final = "day, dealer_id, table_name, game"


def _add_rounds(which: str, sign: str) -> str:
    """Return the statement by which the counts of an hour are added to those of their day, or taken out of them."""
    key = ", ".join(f"{which}.{name}" for name in _ROUND_KEY.split(", "))
    counts = ", ".join(f"{sign}{which}.{name}" for name in _ROUND_COUNTS)
    sums = ", ".join(f"{name} = {name} + excluded.{name}" for name in _ROUND_COUNTS)
    return f"""
        INSERT INTO round_sums ({_ROUND_KEY}, {", ".join(_ROUND_COUNTS)}) VALUES ({key}, {counts})
        ON CONFLICT DO UPDATE SET {sums};
    """  # noqa: S608 - constant texts


ROUND_SUMS: Final = (
    # Rounds of a gaming day by dealer and table, whatever their run and hour.
    f"""
    CREATE TABLE round_sums (
        day TEXT NOT NULL,
        dealer_id INTEGER NOT NULL,
        table_name TEXT NOT NULL,
        game TEXT NOT NULL,
        {", ".join(f"{name} INTEGER NOT NULL" for name in _ROUND_COUNTS)},
        PRIMARY KEY ({_ROUND_KEY})
    ) STRICT, WITHOUT ROWID
    """,
    f"""
    INSERT INTO round_sums SELECT {_ROUND_KEY}, {", ".join(f"sum({name})" for name in _ROUND_COUNTS)}
    FROM round_tallies GROUP BY {_ROUND_KEY}
    """,  # noqa: S608 - constant texts
    f"CREATE TRIGGER round_sums_grow AFTER INSERT ON round_tallies BEGIN {_add_rounds('new', '')} END",
    f"CREATE TRIGGER round_sums_shrink AFTER DELETE ON round_tallies BEGIN {_add_rounds('old', '-')} END",
    "CREATE INDEX round_sums_of_table ON round_sums (table_name, game, day)",
    "CREATE INDEX round_sums_of_dealer ON round_sums (dealer_id, day)",
    # The findings of a day by time, with what the shift report counts.
    """
    CREATE INDEX findings_of_day ON finding_facts (day, at, decision, finding_id)
    WHERE follows = 0 AND verdict <> 'undetermined'
    """,
)
