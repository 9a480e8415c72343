"""The tasks: identifiers in, nothing out. Each may run twice; the database knows what has been done."""

from __future__ import annotations

from contextlib import closing

from celery import Celery

from audit.store.database import open_store
from workers import jobs, queue
from workers.settings import Settings


def register(app: Celery, settings: Settings, station: jobs.Station) -> None:
    """Give the application its tasks, worked at this station."""

    def recognise_segment(segment_id: int) -> None:
        """Recognise a segment; the last one of a run queues the run's audit."""
        with closing(open_store(settings.data_dir)) as db:
            run_id = jobs.recognise_segment(db, segment_id, station)
        if run_id is not None:
            app.send_task(queue.AUDIT_RUN, args=[run_id])

    def audit_run(run_id: int) -> None:
        """Fold and judge a run whose segments are all recognised."""
        with closing(open_store(settings.data_dir)) as db:
            jobs.audit_run(db, run_id, clock=station.clock)

    app.task(name=queue.RECOGNISE_SEGMENT)(recognise_segment)
    app.task(name=queue.AUDIT_RUN)(audit_run)
