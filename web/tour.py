"""A short tour of the demo: a strip under the bar that goes from page to page and is dismissed for good."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from flask import g, url_for

from audit.store import review
from audit.store.library import has_sample
from audit.store.users import Role
from web.database import get_db


@dataclass(frozen=True, kw_only=True)
class Step:
    """One step: what it says, and the page that it is about."""

    text: str
    href: str


_A_FINDING: Final = "rounds.show_finding"
_STEPS: Final[dict[Role, tuple[tuple[str, str], ...]]] = {
    Role.SURVEILLANCE: (
        ("Errors were planted in the sample sessions. The queue puts most money first; Enter opens.", "queue.show"),
        ("In a round i goes to the incident; c, d, t or e decides and leads to the next finding.", _A_FINDING),
        ("Dealers: findings per 1,000 rounds, never without the 95 % interval.", "dealers.index"),
        ("Tables: where findings lie, and what could not be audited, with the reason.", "tables.index"),
        (
            "A table's profile is edited over a frame of it: drag a corner and see the felt from above.",
            "profiles.index",
        ),
        ("Recordings come in by upload or from folders; workers audit them beside the pages.", "footage.index"),
        ("That is all. ? lists the keys of the page you are on, help lists all of them.", "help.show"),
    ),
    Role.PIT_MANAGER: (
        ("Dealers: findings per 1,000 rounds, never without the 95 % interval.", "dealers.index"),
        ("The rota says who dealt: import it as CSV; each bad line comes back with one sentence.", "rota.index"),
        ("The shift report is a page, a PDF and a CSV.", "reports.shift"),
        ("Findings can be read and watched here; deciding on them is for surveillance.", "queue.show"),
    ),
    Role.AUDITOR: (
        (
            "The log holds every decision, sign-in and look at evidence. Check the chain to see that none changed.",
            "log.show",
        ),
    ),
    Role.ADMINISTRATOR: (
        ("Users have one of four roles; a login link works once.", "users.index"),
        ("The time zone and the hours of the shifts decide to which gaming day a round belongs.", "settings.show"),
        ("Recordings are dated and audited from here; you see their state and not their pictures.", "footage.index"),
    ),
}


def tour_steps() -> list[Step]:
    """Return the tour of the signed-in role; none where the sample session is not in the library."""
    if g.get("user") is None or not has_sample(get_db()):
        return []
    return [Step(text=text, href=_address(endpoint)) for text, endpoint in _STEPS[Role(g.user.role)]]


def _address(endpoint: str) -> str:
    """Return the address of a step's page; of a finding, the first that nobody has decided on, else the queue."""
    if endpoint != _A_FINDING:
        return url_for(endpoint)
    first = review.next_unreviewed(get_db(), review.QueueFilter())
    return url_for("queue.show") if first is None else url_for(endpoint, finding_id=first)
