"""A filled store is as large as was asked for, and answers like any other."""

from sqlite_utils import Database

from audit.store.accuracy import Scope, records_by
from audit.store.filling import fill
from audit.store.review import QueueFilter, queue_counts, queue_page, round_records, rounds_of_run
from tests.store.conftest import NOW, round_


def test_a_filled_store_has_what_was_asked_for(db: Database) -> None:
    fill(db, records=[round_(), round_(status="partial")], rounds=1000, findings=200, at=NOW)
    counts = queue_counts(db)
    assert (counts.rounds, counts.findings, counts.unreviewed, len(counts.by_table)) == (1000, 200, 200, 20)
    assert len(rounds_of_run(db, 1)) == 10
    page = queue_page(db, QueueFilter(verdict="suspect"), limit=5)
    assert [row.rank for row in page.rows] == sorted((row.rank for row in page.rows), reverse=True)
    dealers = records_by(db, Scope(), "dealer_id")
    assert len(dealers) == 60
    assert 0 not in dealers
    assert sum(one.exposure.rounds for one in dealers.values()) == 1000
    last = rounds_of_run(db, 100)[-1]
    assert (last.ordinal, last.start_ms) == (9, 9 * 30_240_000)
    assert {row.table_name for row in queue_page(db, QueueFilter(text="bj 03"), limit=50).rows} == {"BJ-03"}
    assert len(list(round_records(db, (1, 1001), game="blackjack"))) == 1000
