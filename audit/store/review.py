"""What the review pages ask: the ranked queue, its counts, one finding, one round, what comes next."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlite_utils import Database

from audit.store.database import StoreError
from audit.store.review_schema import FINDING_KEY, KEY_MASK

UNREVIEWED: Final = "unreviewed"
REVIEWED: Final = "reviewed"
ANY: Final = "any"


@dataclass(frozen=True, kw_only=True)
class QueueFilter:
    """What the queue shows; None does not filter.

    ``state``: ``unreviewed``, ``reviewed``, ``any`` or one kind of decision. ``minimum_cents`` and ``maximum_cents``
    compare the money at stake, either way; ``side`` is ``over`` (the house paid too much) or ``short``. ``text`` is
    looked for in findings and notes, word by word, the last one as a beginning. ``since`` and ``until`` are stored
    moments (see ``database.stamp``) and leave out what happened at an unknown time. ``free_for`` is a user and a stored
    moment: what others hold a claim on then is left out; ``claimed_by`` likewise leaves only what this user holds;
    ``seat`` 0 is no seat; ``counted`` leaves what the pit's figures count between two gaming days, undated rounds being
    of the day ``""``. ``decided_by`` is a user who took a decision on it; ``newer_than`` leaves only findings stored
    after that one; ``blind_for`` leaves out what waits for a second review that this user may give.
    """

    state: str = UNREVIEWED
    verdict: str | None = None
    code: str | None = None
    game: str | None = None
    table_name: str | None = None
    minimum_cents: int | None = None
    maximum_cents: int | None = None
    side: str | None = None
    text: str | None = None
    since: str | None = None
    until: str | None = None
    dealer_id: int | None = None
    seat: int | None = None
    counted: tuple[str, str] | None = None
    run_id: int | None = None
    free_for: tuple[int, str] | None = None
    claimed_by: tuple[int, str] | None = None
    decided_by: int | None = None
    newer_than: int | None = None
    blind_for: int | None = None


@dataclass(frozen=True, kw_only=True)
class FindingRow:
    """One stored finding with where it stands; ``decision`` is the last one that was not undone.

    ``amount`` is exact (``12.50``, or ``1/3`` where no decimal is), ``procedures`` the ids it breaks. ``happened_at``
    is None unless it is known when the footage was recorded; ``correction_id`` is None for what the audit itself found.
    ``added_by``, ``added_at`` and ``added_name`` are None unless a person added it.
    """

    id: int
    run_id: int
    round_id: int | None
    round_ordinal: int | None
    ordinal: int
    code: str
    verdict: str
    probability: float
    seat: int | None
    hand: int | None
    number: int | None
    bet: str | None
    expected: str
    observed: str
    amount: str | None
    amount_cents: int | None
    rank: float
    first_ms: int
    last_ms: int
    citation: str
    procedures: tuple[str, ...]
    because_of: int | None
    extra: Mapping[str, Any]
    game: str
    table_name: str
    current: int
    decision: str | None
    happened_at: str | None
    correction_id: int | None
    added_by: int | None
    added_at: str | None
    added_name: str | None
    footage_id: int
    footage_path: str


@dataclass(frozen=True, kw_only=True)
class QueuePage:
    """A page of the queue in the order of rank; ``total`` counts every finding that passes the filter.

    A search for words that very many findings have is not counted to its end: then there are ``more`` than ``total``.
    """

    rows: tuple[FindingRow, ...]
    total: int
    more: bool = False


@dataclass(frozen=True, kw_only=True)
class QueueCounts:
    """Counts over the current audits: unreviewed findings by verdict, code, table and game; all findings; rounds."""

    by_verdict: Mapping[str, int]
    by_code: Mapping[str, int]
    by_table: Mapping[str, int]
    by_game: Mapping[str, int]
    unreviewed: int
    findings: int
    rounds: int


@dataclass(frozen=True, kw_only=True)
class RoundRow:
    """One stored round; ``record`` is the round of ``contracts/audit.md`` without its findings."""

    id: int
    run_id: int
    ordinal: int
    start_ms: int
    end_ms: int
    status: str
    game: str
    record: Mapping[str, Any]


_FINDING: Final = (
    "SELECT f.*, o.ordinal AS round_ordinal, r.footage_id, g.path AS footage_path, u.name AS added_name"
    " FROM findings AS f LEFT JOIN users AS u ON u.id = f.added_by"
    " JOIN runs AS r ON r.id = f.run_id JOIN footage AS g ON g.id = r.footage_id"
    " LEFT JOIN rounds AS o ON o.id = f.round_id"
)
_TESTS: Final = {
    "verdict": "verdict = :verdict",
    "code": "code = :code",
    "game": "game = :game",
    "table_name": "table_name = :table_name",
    "minimum_cents": "abs(amount_cents) >= :minimum_cents",
    "maximum_cents": "abs(amount_cents) <= :maximum_cents",
    "side": "CASE :side WHEN 'over' THEN amount_cents > 0 ELSE amount_cents < 0 END",
    "text": "id IN (SELECT value FROM json_each(:text))",
    "since": "happened_at >= :since",
    "until": "happened_at < :until",
    "dealer_id": "id IN (SELECT finding_id FROM finding_facts WHERE dealer_id = :dealer_id)",
    "seat": "seat IS nullif(:seat, 0)",
    "counted": "id IN (SELECT finding_id FROM finding_facts WHERE day BETWEEN :counted AND :counted_at"
    " AND follows = 0 AND verdict <> 'undetermined' AND decision IS NOT 'dismiss'"
    " AND (verdict <> 'person' OR code IS :code))",
    "run_id": "id IN (SELECT id FROM findings WHERE run_id = :run_id)",
    "free_for": "id NOT IN (SELECT finding_id FROM claims WHERE user_id <> :free_for AND until > :free_for_at)",
    "claimed_by": "id IN (SELECT finding_id FROM claims WHERE user_id = :claimed_by AND until > :claimed_by_at)",
    "decided_by": "id IN (SELECT finding_id FROM decisions WHERE user_id = :decided_by)",
    "newer_than": "id > :newer_than",
    "blind_for": "id NOT IN (SELECT s.finding_id FROM second_offers AS s WHERE NOT EXISTS"
    " (SELECT 1 FROM decisions AS d WHERE d.finding_id = s.finding_id AND d.user_id = :blind_for))",
}
_UNREVIEWED: Final = "FROM findings INDEXED BY findings_queue WHERE current = 1 AND decision IS NULL"
_RANKED: Final = (
    "FROM findings INDEXED BY findings_ranked WHERE current = 1"
    " AND (:state = 'any' OR decision = :state OR (:state = 'reviewed' AND decision IS NOT NULL))"
)
_SEARCHED: Final = (
    "FROM finding_text AS t CROSS JOIN findings AS q ON q.id = (t.rowid & :mask)"
    " WHERE t.finding_text MATCH :text AND q.current = 1"
)
_PLACE: Final = f"SELECT rank, {FINDING_KEY.format('f')} FROM findings AS f WHERE id = ?"  # noqa: S608 - constant texts
_MANY: Final = 1000
"""A search with more hits than this is read in the order of the index until the page is full, and is not counted."""
_LETTERS: Final = {"verdict": "v", "code": "c", "table_name": "t", "game": "g"}
"""With which letter a filter's value begins in the full-text index."""
_FACETS: Final = ("verdict", "code", "table_name", "game")
_COUNTED: Final = (
    "SELECT 'verdict' AS facet, verdict AS value, sum(n) AS n FROM unreviewed WHERE n > 0 GROUP BY verdict"
    " UNION ALL SELECT 'code', code, sum(n) FROM unreviewed WHERE n > 0 GROUP BY code"
    " UNION ALL SELECT 'table_name', table_name, sum(n) FROM unreviewed WHERE n > 0 GROUP BY table_name"
    " UNION ALL SELECT 'game', game, sum(n) FROM unreviewed WHERE n > 0 GROUP BY game ORDER BY facet, n DESC, value"
)
_INDEX: Final = re.compile(r"INDEXED BY \w+")
_WORD: Final = re.compile(r"\w+")


def queue_page(db: Database, queue_filter: QueueFilter, *, limit: int = 50, offset: int = 0) -> QueuePage:
    """Return a page of the queue: most money times probability first, then the oldest."""
    chosen = _chosen(db, queue_filter)
    values = chosen.values | {"limit": limit + chosen.is_many, "offset": offset}
    found = db.query(
        f"{_FINDING} WHERE f.id IN (SELECT id {chosen.text} ORDER BY {chosen.order} LIMIT :limit OFFSET :offset)"
        " ORDER BY f.rank DESC, f.id",
        values,
    )
    rows = tuple(_finding(row) for row in found)
    if chosen.is_many:
        return QueuePage(rows=rows[:limit], total=offset + len(rows[:limit]), more=len(rows) > limit)
    counted = _counted(db, queue_filter)
    return QueuePage(rows=rows, total=_size(db, chosen) if counted is None else counted)


def queue_ids(db: Database, queue_filter: QueueFilter, *, limit: int) -> tuple[int, ...]:
    """Return the numbers of the first findings of the queue."""
    chosen = _chosen(db, queue_filter)
    rows = db.execute(f"SELECT id {chosen.text} ORDER BY {chosen.order} LIMIT :limit", chosen.values | {"limit": limit})
    return tuple(row[0] for row in rows)


def queue_size(db: Database, queue_filter: QueueFilter) -> int:
    """Return how many findings pass the filter."""
    return _size(db, _chosen(db, queue_filter))


def unreviewed_count(db: Database) -> int:
    """Return how many findings of current audits nobody has decided on."""
    return int(db.execute("SELECT ifnull(sum(n), 0) FROM unreviewed").fetchone()[0])


def last_finding_id(db: Database) -> int:
    """Return the highest number of a stored finding, 0 if there is none."""
    return int(db.execute("SELECT ifnull(max(id), 0) FROM findings").fetchone()[0])


def search_words(text: str) -> str | None:
    """Return what the full-text index is asked for: every word, the last as a beginning; None without a word.

    A number or a single letter is meant as it stands, so that ``seat 3`` does not find 37.50.
    """
    words = _WORD.findall(text)
    is_begun = bool(words) and len(words[-1]) > 1 and not words[-1].isdigit()
    return (" ".join(f'"{word}"' for word in words) + "*" * is_begun) or None


def queue_counts(db: Database) -> QueueCounts:
    """Return the counts beside the queue."""
    counts: dict[str, dict[str, int]] = {name: {} for name in _FACETS}
    for facet, value, n in db.execute(_COUNTED):
        counts[facet][value] = n
    rounds, findings = db.execute(
        "SELECT ifnull(sum(rounds), 0), ifnull(sum(findings), 0) FROM runs WHERE current = 1"
    ).fetchone()
    return QueueCounts(
        by_verdict=counts["verdict"],
        by_code=counts["code"],
        by_table=counts["table_name"],
        by_game=counts["game"],
        unreviewed=sum(counts["verdict"].values()),
        findings=int(findings),
        rounds=int(rounds),
    )


@dataclass(frozen=True, kw_only=True)
class _Chosen:
    """The part of a query that chooses findings, with its values and its order."""

    text: str
    values: dict[str, Any]
    order: str = "rank DESC, id"
    is_many: bool = False


def _chosen(db: Database, queue_filter: QueueFilter) -> _Chosen:
    words = None if queue_filter.text is None else search_words(queue_filter.text)
    text = _UNREVIEWED if queue_filter.state == UNREVIEWED else _RANKED
    values: dict[str, Any] = {"state": queue_filter.state}
    if words is None:
        tests = _tests(replace(queue_filter, text=None), values)
        # What one user holds, or what is new, are few, looked up by number; else the index is read in order of rank.
        few = queue_filter.claimed_by is not None or queue_filter.newer_than is not None
        return _Chosen(text=(_INDEX.sub("NOT INDEXED", text) if few else text) + tests, values=values)
    asked = _asked_of_index(words, queue_filter)
    hits = _hits(db, asked)
    if len(hits) <= _MANY:
        tests = _tests(replace(queue_filter, text=json.dumps(hits)), values)
        return _Chosen(text=_INDEX.sub("NOT INDEXED", text) + tests, values=values)
    rest = replace(queue_filter, text=None, verdict=None, code=None, game=None, table_name=None)
    text = _SEARCHED + _tests(rest, values)
    return _Chosen(text=text, values=values | {"text": asked, "mask": KEY_MASK}, order="t.rowid", is_many=True)


def _tests(queue_filter: QueueFilter, values: dict[str, Any]) -> str:
    """Return the tests of a filter, and put what they compare with into the values.

    What people added is counted apart: it is among what is counted only where its code is asked for.
    """
    text = ""
    values.setdefault("code", queue_filter.code)
    for name, test in _TESTS.items():
        value = getattr(queue_filter, name)
        if value is None:
            continue
        if isinstance(value, tuple):
            value, values[f"{name}_at"] = value
        values[name] = value
        text += f" AND {test}"
    return text


def _asked_of_index(words: str, queue_filter: QueueFilter) -> str:
    """Return what the full-text index is asked for: the words, and as words what else it knows of the filter."""
    facets = [
        letter + getattr(queue_filter, name).encode().hex()
        for name, letter in _LETTERS.items()
        if getattr(queue_filter, name) is not None
    ]
    state = {UNREVIEWED: "zopen", REVIEWED: "zdone", ANY: None}.get(
        queue_filter.state, "z" + queue_filter.state.encode().hex()
    )
    facets += [] if state is None else [state]
    return f"{{finding notes}} : ({words})" + "".join(f" AND facets : {facet}" for facet in facets)


def _hits(db: Database, asked: str) -> list[int]:
    """Return the findings that the index has for this, in the order of the queue, at most one more than are listed."""
    sql = "SELECT rowid & ? FROM finding_text WHERE finding_text MATCH ? ORDER BY rowid LIMIT ?"
    return [row[0] for row in db.execute(sql, [KEY_MASK, asked, _MANY + 1])]


def _size(db: Database, chosen: _Chosen) -> int:
    return int(db.execute("SELECT count(*) " + chosen.text, chosen.values).fetchone()[0])


def _counted(db: Database, queue_filter: QueueFilter) -> int | None:
    """Return how many findings pass a filter that asks only for what is counted already, else None."""
    asked = {name: value for name, value in vars(queue_filter).items() if value is not None and name != "state"}
    if queue_filter.state != UNREVIEWED or not asked.keys() <= {"verdict", "code", "game", "table_name"}:
        return None
    tests = "".join(f" AND {name} = :{name}" for name in asked)
    counted = "SELECT ifnull(sum(n), 0) FROM unreviewed WHERE 1 = 1" + tests  # noqa: S608 - the filter's own names
    return int(db.execute(counted, asked).fetchone()[0])


def finding(db: Database, finding_id: int) -> FindingRow:
    """Return the finding.

    Raises:
        StoreError: if there is none of that number.
    """
    row = next(iter(db.query(_FINDING + " WHERE f.id = ?", [finding_id])), None)
    if row is None:
        msg = f"expected a stored finding, found none with number {finding_id}"
        raise StoreError(msg)
    return _finding(row)


def findings_of_round(db: Database, round_id: int) -> tuple[FindingRow, ...]:
    """Return the findings that stand in a round, in their stored order, those that people added last.

    ``because_of`` is the ``ordinal`` of another. What a correction of a reading has overtaken is left out.
    """
    rows = db.query(
        _FINDING + " WHERE f.round_id = ? AND (f.current = 1 OR"
        " (r.current = 0 AND f.correction_id IS NULL AND f.added_by IS NULL)) ORDER BY f.ordinal < 0, f.ordinal",
        [round_id],
    )
    return tuple(_finding(row) for row in rows)


def findings_of_run(db: Database, run_id: int) -> tuple[FindingRow, ...]:
    """Return every finding of a run, those of its rounds in time order and then those of no round."""
    rows = db.query(_FINDING + " WHERE f.run_id = ? ORDER BY f.round_id IS NULL, o.ordinal, f.ordinal", [run_id])
    return tuple(_finding(row) for row in rows)


def next_unreviewed(db: Database, queue_filter: QueueFilter, *, after: int | None = None) -> int | None:
    """Return the unreviewed finding that follows ``after`` in the queue, else the first; None if none is left."""
    chosen = _chosen(db, replace(queue_filter, state=UNREVIEWED))
    values = chosen.values | {"after": after}
    if after is not None:
        place = db.execute(_PLACE, [after]).fetchone()
        values |= {"rank": place and place[0], "entry": place and place[1]}
        later = "t.rowid > :entry" if chosen.is_many else "rank <= :rank AND (rank < :rank OR id > :after)"
        row = db.execute(f"SELECT id {chosen.text} AND {later} ORDER BY {chosen.order} LIMIT 1", values).fetchone()
        if row is not None:
            return int(row[0])
    sql = f"SELECT id {chosen.text} AND id IS NOT :after ORDER BY {chosen.order} LIMIT 1"
    row = db.execute(sql, values).fetchone()
    return None if row is None else int(row[0])


def round_row(db: Database, round_id: int) -> RoundRow:
    """Return the round.

    Raises:
        StoreError: if there is none of that number.
    """
    row = next(iter(db.query("SELECT * FROM rounds WHERE id = ?", [round_id])), None)
    if row is None:
        msg = f"expected a stored round, found none with number {round_id}"
        raise StoreError(msg)
    return _round(row)


def rounds_of_run(db: Database, run_id: int, *, limit: int = 500, offset: int = 0) -> tuple[RoundRow, ...]:
    """Return the rounds of a run in time order."""
    rows = db.query(
        "SELECT * FROM rounds WHERE run_id = ? AND ordinal >= ? ORDER BY ordinal LIMIT ?", [run_id, offset, limit]
    )
    return tuple(_round(row) for row in rows)


def _round(row: Mapping[str, Any]) -> RoundRow:
    return RoundRow(**{**row, "record": json.loads(row["record"])})


def _finding(row: Mapping[str, Any]) -> FindingRow:
    procedures = tuple(json.loads(row["procedures"]))
    return FindingRow(**{**row, "procedures": procedures, "extra": json.loads(row["extra"])})


def neighbours(db: Database, row: RoundRow) -> tuple[int | None, int | None]:
    """Return the numbers of the rounds before and after this one in its run."""
    before = "SELECT id FROM rounds WHERE run_id = ? AND ordinal < ? ORDER BY ordinal DESC LIMIT 1"
    after = "SELECT id FROM rounds WHERE run_id = ? AND ordinal > ? ORDER BY ordinal LIMIT 1"
    found = [db.execute(sql, [row.run_id, row.ordinal]).fetchone() for sql in (before, after)]
    return (found[0] and found[0][0]), (found[1] and found[1][0])


def round_at(db: Database, run_id: int, *, at_ms: int) -> RoundRow | None:
    """Return the last round of a run that began up to a moment, else its first; None if it has none."""
    rows = db.query(
        "SELECT * FROM rounds WHERE run_id = :run ORDER BY start_ms > :at, abs(start_ms - :at), ordinal LIMIT 1",
        {"run": run_id, "at": at_ms},
    )
    row = next(iter(rows), None)
    return None if row is None else _round(row)


def last_round_id(db: Database) -> int:
    """Return the highest number of a stored round, 0 if there is none."""
    return int(db.execute("SELECT ifnull(max(id), 0) FROM rounds").fetchone()[0])


def round_records(db: Database, numbers: tuple[int, int], *, game: str, since: str | None = None) -> Iterator[str]:
    """Yield, as JSON, a game's rounds of current audits, with numbers from the first up to the second, not included.

    ``since`` leaves out what was recorded, or registered where that is not known, before the moment.
    """
    rows = db.execute(
        "SELECT o.record FROM rounds AS o JOIN runs AS r ON r.id = o.run_id JOIN footage AS f ON f.id = r.footage_id"
        " WHERE o.id >= :first AND o.id < :end AND o.game = :game AND r.current = 1"
        " AND (:since IS NULL OR ifnull(f.recorded_at, f.registered_at) >= :since) ORDER BY o.id",
        {"first": numbers[0], "end": numbers[1], "game": game, "since": since},
    )
    for row in rows:
        yield row[0]
