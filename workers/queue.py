"""The names of the queue and of its tasks.

A message carries a name and identifiers, nothing else. Work is queued after the commit that it relies on.
"""

from __future__ import annotations

from typing import Final

QUEUE: Final = "catwalk"
RECOGNISE_SEGMENT: Final = "catwalk.recognise_segment"
"""(segment id): store the segment's table states; the last segment of a run queues its audit."""
AUDIT_RUN: Final = "catwalk.audit_run"
"""(run id): fold the run's states into rounds and findings and store them."""
