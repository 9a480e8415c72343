"""The tables of the review desk: search, claims, views, second reviews, corrections, incidents."""

from __future__ import annotations

from typing import Final

BY_PERSON: Final = "person"
"""Stands, among what is counted, for the verdict of a finding that a person added."""
FINDING_COLUMNS: Final = (
    "ALTER TABLE findings ADD COLUMN happened_at TEXT",
    "ALTER TABLE findings ADD COLUMN correction_id INTEGER REFERENCES corrections(id)",
    "ALTER TABLE decisions ADD COLUMN reason TEXT NOT NULL DEFAULT ''",
)
"""When it happened by the clock (null unless it is known when the footage was recorded), and which correction of a
reading brought the finding up (null for what the audit found)."""

HAPPENED: Final = (
    """
    CREATE TRIGGER findings_happened AFTER INSERT ON findings
    WHEN (
        SELECT g.recorded_at FROM runs AS r JOIN footage AS g ON g.id = r.footage_id WHERE r.id = new.run_id
    ) IS NOT NULL
    BEGIN
        UPDATE findings SET happened_at = (
            SELECT strftime('%Y-%m-%dT%H:%M:%f+00:00', g.recorded_at, (new.first_ms / 1000.0) || ' seconds')
            FROM runs AS r JOIN footage AS g ON g.id = r.footage_id WHERE r.id = new.run_id)
        WHERE id = new.id;
    END
    """,
    """
    CREATE TRIGGER findings_happened_then AFTER UPDATE OF recorded_at ON footage
    WHEN new.recorded_at IS NOT old.recorded_at
    BEGIN
        UPDATE findings SET happened_at =
            strftime('%Y-%m-%dT%H:%M:%f+00:00', new.recorded_at, (first_ms / 1000.0) || ' seconds')
        WHERE run_id IN (SELECT id FROM runs WHERE footage_id = new.id);
    END
    """,
)

QUEUE_INDEXES: Final = (
    "DROP INDEX findings_queue",
    "DROP INDEX findings_ranked",
    """
    CREATE INDEX findings_queue ON findings
    (current, decision, rank DESC, id, verdict, code, game, table_name, amount_cents, happened_at)
    """,
    """
    CREATE INDEX findings_ranked ON findings
    (current, rank DESC, id, decision, verdict, code, game, table_name, amount_cents, happened_at)
    """,
)

COUNTS: Final = (
    """
    CREATE TABLE unreviewed (
        table_name TEXT NOT NULL,
        game TEXT NOT NULL,
        verdict TEXT NOT NULL,
        code TEXT NOT NULL,
        n INTEGER NOT NULL,
        PRIMARY KEY (table_name, game, verdict, code)
    ) STRICT, WITHOUT ROWID
    """,
    """
    INSERT INTO unreviewed SELECT table_name, game, verdict, code, count(*) FROM findings
    WHERE current = 1 AND decision IS NULL GROUP BY table_name, game, verdict, code
    """,
    """
    CREATE TRIGGER unreviewed_grows AFTER INSERT ON findings WHEN new.current = 1 AND new.decision IS NULL
    BEGIN
        INSERT INTO unreviewed VALUES (new.table_name, new.game, new.verdict, new.code, 1)
        ON CONFLICT DO UPDATE SET n = n + 1;
    END
    """,
    """
    CREATE TRIGGER unreviewed_changes AFTER UPDATE OF current, decision ON findings
    WHEN (old.current = 1 AND old.decision IS NULL) <> (new.current = 1 AND new.decision IS NULL)
    BEGIN
        INSERT INTO unreviewed VALUES (new.table_name, new.game, new.verdict, new.code, 1)
        ON CONFLICT DO UPDATE SET n = n + CASE WHEN new.current = 1 AND new.decision IS NULL THEN 1 ELSE -1 END;
    END
    """,
)

SEARCH: Final = (
    """
    CREATE VIRTUAL TABLE finding_text USING fts5(
        finding, notes, tokenize = "unicode61 remove_diacritics 2", prefix = '2 3'
    )
    """,
    """
    CREATE VIEW finding_words AS SELECT id, replace(replace(code, '-', ' '), '_', ' ') || ' ' || verdict || ' '
        || expected || ' ' || observed || ' ' || citation || ' ' || procedures
        || ifnull(' ' || replace(bet, '_', ' '), '') || ifnull(' seat ' || seat, '')
        || ' ' || table_name || ' ' || replace(game, '_', ' ') AS words
    FROM findings
    """,
    "INSERT INTO finding_text (rowid, finding, notes) SELECT id, words, '' FROM finding_words",
    """
    UPDATE finding_text
    SET notes = (SELECT group_concat(note, ' ') FROM decisions WHERE finding_id = finding_text.rowid)
    WHERE rowid IN (SELECT finding_id FROM decisions WHERE note <> '')
    """,
    """
    CREATE TRIGGER finding_text_grows AFTER INSERT ON findings
    BEGIN
        INSERT INTO finding_text (rowid, finding, notes) SELECT id, words, '' FROM finding_words WHERE id = new.id;
    END
    """,
    """
    CREATE TRIGGER finding_text_notes AFTER INSERT ON decisions WHEN new.note <> '' OR new.reason <> ''
    BEGIN
        UPDATE finding_text SET notes = notes || ' ' || new.note || ' ' || new.reason WHERE rowid = new.finding_id;
    END
    """,
)

DESK: Final = (
    """
    CREATE TABLE saved_views (
        id INTEGER PRIMARY KEY,
        user_id INTEGER NOT NULL REFERENCES users(id),
        name TEXT NOT NULL COLLATE NOCASE,
        query TEXT NOT NULL,
        saved_at TEXT NOT NULL,
        UNIQUE (user_id, name)
    ) STRICT
    """,
    """
    CREATE TABLE claims (
        finding_id INTEGER PRIMARY KEY REFERENCES findings(id),
        user_id INTEGER NOT NULL REFERENCES users(id),
        until TEXT NOT NULL
    ) STRICT
    """,
    "CREATE INDEX claims_of_user ON claims (user_id, until)",
    """
    CREATE TABLE looks (
        user_id INTEGER NOT NULL REFERENCES users(id),
        finding_id INTEGER NOT NULL REFERENCES findings(id),
        at TEXT NOT NULL,
        PRIMARY KEY (user_id, finding_id)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE second_review_shares (
        id INTEGER PRIMARY KEY,
        flagged REAL NOT NULL CHECK (flagged BETWEEN 0 AND 1),
        unflagged REAL NOT NULL CHECK (unflagged BETWEEN 0 AND 1),
        user_id INTEGER NOT NULL REFERENCES users(id),
        at TEXT NOT NULL,
        log_id INTEGER NOT NULL REFERENCES log(id)
    ) STRICT
    """,
    """
    CREATE TABLE second_reviews (
        id INTEGER PRIMARY KEY,
        round_id INTEGER NOT NULL REFERENCES rounds(id),
        finding_id INTEGER REFERENCES findings(id),
        user_id INTEGER NOT NULL REFERENCES users(id),
        kind TEXT NOT NULL CHECK (kind IN ('confirm', 'dismiss', 'cannot_tell', 'escalate', 'nothing_wrong', 'missed')),
        first_kind TEXT,
        note TEXT NOT NULL,
        at TEXT NOT NULL,
        log_id INTEGER NOT NULL REFERENCES log(id)
    ) STRICT
    """,
    "CREATE UNIQUE INDEX second_reviews_once ON second_reviews (round_id, ifnull(finding_id, 0), user_id)",
    "CREATE INDEX second_reviews_of_finding ON second_reviews (finding_id)",
    """
    CREATE TABLE corrections (
        id INTEGER PRIMARY KEY,
        round_id INTEGER NOT NULL REFERENCES rounds(id),
        withdraws INTEGER UNIQUE REFERENCES corrections(id),
        kind TEXT NOT NULL,
        at_ms INTEGER NOT NULL,
        x_mm REAL NOT NULL,
        y_mm REAL NOT NULL,
        first_reading TEXT NOT NULL CHECK (json_valid(first_reading)),
        reading TEXT NOT NULL CHECK (json_valid(reading)),
        record TEXT CHECK (record IS NULL OR json_valid(record)),
        user_id INTEGER NOT NULL REFERENCES users(id),
        at TEXT NOT NULL,
        log_id INTEGER NOT NULL REFERENCES log(id)
    ) STRICT
    """,
    "CREATE INDEX corrections_of_round ON corrections (round_id, id)",
    """
    CREATE TABLE incidents (
        id INTEGER PRIMARY KEY,
        number TEXT NOT NULL UNIQUE,
        finding_id INTEGER NOT NULL UNIQUE REFERENCES findings(id),
        opened_at TEXT NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE incident_versions (
        id INTEGER PRIMARY KEY,
        incident_id INTEGER NOT NULL REFERENCES incidents(id),
        fields TEXT NOT NULL CHECK (json_valid(fields)),
        user_id INTEGER NOT NULL REFERENCES users(id),
        at TEXT NOT NULL,
        log_id INTEGER NOT NULL REFERENCES log(id)
    ) STRICT
    """,
    "CREATE INDEX incident_versions_of ON incident_versions (incident_id, id)",
    """
    CREATE TABLE incident_copies (
        id INTEGER PRIMARY KEY,
        incident_id INTEGER NOT NULL REFERENCES incidents(id),
        kind TEXT NOT NULL CHECK (kind IN ('html', 'pdf', 'pack')),
        status TEXT NOT NULL DEFAULT 'done' CHECK (status IN ('waiting', 'done', 'failed')),
        file_name TEXT NOT NULL,
        sha256 TEXT,
        size_bytes INTEGER,
        error TEXT,
        user_id INTEGER NOT NULL REFERENCES users(id),
        at TEXT NOT NULL,
        log_id INTEGER NOT NULL REFERENCES log(id)
    ) STRICT
    """,
    "CREATE INDEX incident_copies_of ON incident_copies (incident_id, id)",
)

APPENDED: Final = ("second_review_shares", "second_reviews", "corrections", "incident_versions")
"""Tables to which rows are added and in which none is ever changed or removed."""

SECOND_OFFERS: Final = (
    # One row: a decided finding of a round drawn for a second review, until a second reviewer has answered.
    """
    CREATE TABLE second_offers (
        finding_id INTEGER PRIMARY KEY REFERENCES findings(id),
        offered_at TEXT NOT NULL
    ) STRICT
    """,
    # Knuth's multiplicative hash draws the rounds: always the same, spread over all tables and hours.
    """
    CREATE TRIGGER second_offers_grow AFTER INSERT ON decisions WHEN new.kind <> 'undo'
    BEGIN
        INSERT OR IGNORE INTO second_offers
        SELECT f.id, new.at FROM findings AS f WHERE f.id = new.finding_id
        AND (f.round_id * 2654435761) % 4294967296
            < 4294967296 * ifnull((SELECT flagged FROM second_review_shares ORDER BY id DESC LIMIT 1), 0.05)
        AND NOT EXISTS (SELECT 1 FROM second_reviews AS s WHERE s.finding_id = f.id);
    END
    """,
    """
    CREATE TRIGGER second_offers_end AFTER INSERT ON second_reviews WHEN new.finding_id IS NOT NULL
    BEGIN DELETE FROM second_offers WHERE finding_id = new.finding_id; END
    """,
)

SEEN_BY_PEOPLE: Final = (
    "ALTER TABLE findings ADD COLUMN added_by INTEGER REFERENCES users(id)",
    "ALTER TABLE findings ADD COLUMN added_at TEXT",
    "DROP TRIGGER findings_are_kept",
    """
    CREATE TRIGGER findings_are_kept
    BEFORE UPDATE OF code, verdict, probability, seat, hand, number, bet, expected, observed, amount, amount_cents,
        rank, first_ms, last_ms, citation, procedures, because_of, extra, game, table_name, added_by, added_at
    ON findings
    BEGIN SELECT RAISE(ABORT, 'a stored finding is never changed'); END
    """,
    # What a person added goes over to the next audit of the footage; what an audit found stays with it.
    """
    CREATE TRIGGER findings_stay_in_their_audit BEFORE UPDATE OF run_id, round_id, ordinal ON findings
    WHEN old.added_by IS NULL OR new.ordinal <> old.ordinal
    BEGIN SELECT RAISE(ABORT, 'a stored finding is never changed'); END
    """,
    "CREATE INDEX findings_of_people ON findings (run_id) WHERE added_by IS NOT NULL",
    """
    CREATE TRIGGER findings_of_people_are_counted AFTER INSERT ON findings WHEN new.added_by IS NOT NULL
    BEGIN INSERT OR IGNORE INTO uncounted_runs VALUES (new.run_id); END
    """,
)
"""Who added a finding that no audit reported, and when (null for what an audit found)."""

FINDING_KEY: Final = "{0}.id - (CAST(round(min({0}.rank, 17000000) * 1000) AS INTEGER) << 29)"
"""The row of a finding in the full-text index: in its order the likeliest money comes first, then the oldest."""
KEY_MASK: Final = (1 << 29) - 1
"""What of such a number is the finding's own."""
_FACETS: Final = (
    "'v' || hex({0}.verdict) || ' c' || hex({0}.code) || ' t' || hex({0}.table_name) || ' g' || hex({0}.game)"
    " || CASE WHEN {0}.decision IS NULL THEN ' zopen' ELSE ' zdone z' || hex({0}.decision) END"
)

SEARCH_IN_ORDER: Final = (
    "DROP TRIGGER finding_text_grows",
    "DROP TRIGGER finding_text_notes",
    "CREATE TEMP TABLE old_notes AS SELECT rowid AS id, notes FROM finding_text WHERE notes <> ''",
    "DROP TABLE finding_text",
    """
    CREATE VIRTUAL TABLE finding_text USING fts5(
        finding, notes, facets, tokenize = "unicode61 remove_diacritics 2", prefix = '2 3', columnsize = 0
    )
    """,
    f"""
    CREATE VIEW finding_entries AS
    SELECT f.id AS id, {FINDING_KEY.format("f")} AS entry, w.words AS words, {_FACETS.format("f")} AS facets
    FROM findings AS f JOIN finding_words AS w ON w.id = f.id
    """,  # noqa: S608 - constant texts
    """
    INSERT INTO finding_text (rowid, finding, notes, facets)
    SELECT e.entry, e.words, ifnull(o.notes, ''), e.facets
    FROM finding_entries AS e LEFT JOIN old_notes AS o ON o.id = e.id ORDER BY e.entry
    """,
    "DROP TABLE old_notes",
    """
    CREATE TRIGGER finding_text_grows AFTER INSERT ON findings
    BEGIN
        INSERT INTO finding_text (rowid, finding, notes, facets)
        SELECT entry, words, '', facets FROM finding_entries WHERE id = new.id;
    END
    """,
    f"""
    CREATE TRIGGER finding_text_decided AFTER UPDATE OF decision ON findings WHEN new.decision IS NOT old.decision
    BEGIN
        UPDATE finding_text SET facets = {_FACETS.format("new")} WHERE rowid = {FINDING_KEY.format("new")};
    END
    """,  # noqa: S608 - constant texts
    """
    CREATE TRIGGER finding_text_notes AFTER INSERT ON decisions WHEN new.note <> '' OR new.reason <> ''
    BEGIN
        UPDATE finding_text SET notes = notes || ' ' || new.note || ' ' || new.reason
        WHERE rowid = (SELECT entry FROM finding_entries WHERE id = new.finding_id);
    END
    """,
)
"""The full-text index in the order of the queue, with what the filters ask as words: a page of a search is read from
the beginning of the index, however many findings have the words."""
