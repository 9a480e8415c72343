"""The names of the tasks, and putting one into the queue: all that the pages may use of the workers.

A message carries a name and identifiers, nothing else. Queue work after the commit that it relies on.
"""

from __future__ import annotations

from typing import Final

from workers.settings import Settings

QUEUE: Final = "catwalk"
AUDIT_FOOTAGE: Final = "catwalk.audit_footage"
"""(footage id, profile id): cut the footage into segments and queue them."""
RECOGNISE_SEGMENT: Final = "catwalk.recognise_segment"
"""(segment id): store the segment's table states; the last segment of a run queues its audit."""
AUDIT_RUN: Final = "catwalk.audit_run"
"""(run id): fold the run's states into rounds and findings and store them."""


def put(settings: Settings, name: str, *identifiers: int) -> None:
    """Queue a task by name with identifiers."""
    from workers.celery_app import create_app  # noqa: PLC0415 - pages that queue nothing need no celery

    app = create_app(settings)
    try:
        app.send_task(name, args=list(identifiers))
    finally:
        app.close()
