"""What the signed-in reviewer must not see yet, as he may be asked for a blind second answer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from flask import g

from audit.store import exports, second_reviews
from audit.store.incidents import Incident
from web.auth import may_decide
from web.database import get_db

WITHHELD: Final = (
    "This finding was drawn for a blind second review. What was decided and written of it stays hidden from you until"
    " you have answered."
)
"""What stands in place of a first decision, and of all that others wrote because of it."""


def unseen_by_me(finding_ids: Iterable[int]) -> frozenset[int]:
    """Return those of the findings whose first decision must not be shown to this user yet."""
    if not may_decide():
        return frozenset()
    return second_reviews.hidden(get_db(), list(finding_ids), user_id=g.user.id)


def unseen_decisions() -> frozenset[int]:
    """Return all such findings."""
    return exports.hidden_decisions(get_db(), user_id=g.user.id) if may_decide() else frozenset()


def unread_reports(reports: Iterable[Incident]) -> frozenset[int]:
    """Return those of the reports whose text must not be shown to this user yet; his own he may read."""
    by_others = {one.finding_id: one.id for one in reports if one.written_by != g.user.name}
    return frozenset(by_others[finding_id] for finding_id in unseen_by_me(by_others))


def blind_reviewer() -> int | None:
    """Return the user for whom figures count such a decision as not taken; None where nothing is hidden."""
    return g.user.id if may_decide() else None
