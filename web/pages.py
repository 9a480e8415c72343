"""Which pages there are, who may open them, and where each role begins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from audit.store.users import Role

_S, _P, _A, _R = Role.SURVEILLANCE, Role.PIT_MANAGER, Role.AUDITOR, Role.ADMINISTRATOR


@dataclass(frozen=True, kw_only=True)
class PageLink:
    """One entry of the bar: the endpoint, its name and the word by which a page says that it is the one."""

    endpoint: str
    name: str
    page: str
    roles: frozenset[Role]


_PAGES: Final = (
    PageLink(endpoint="queue.show", name="Queue", page="queue", roles=frozenset({_S, _P})),
    PageLink(endpoint="dealers.index", name="Dealers", page="dealers", roles=frozenset({_S, _P})),
    PageLink(endpoint="tables.index", name="Tables", page="tables", roles=frozenset({_S, _P})),
    PageLink(endpoint="reports.shift", name="Shift", page="shift", roles=frozenset({_S, _P})),
    PageLink(endpoint="rota.index", name="Rota", page="rota", roles=frozenset({_S, _P})),
    PageLink(endpoint="incidents.index", name="Incidents", page="incidents", roles=frozenset({_S, _P})),
    PageLink(endpoint="second.show", name="Agreement", page="agreement", roles=frozenset({_S, _P, _R})),
    PageLink(endpoint="footage.index", name="Footage", page="footage", roles=frozenset({_S, _P, _R})),
    PageLink(endpoint="profiles.index", name="Profiles", page="profiles", roles=frozenset({_S, _P})),
    PageLink(endpoint="health.show", name="Health", page="health", roles=frozenset({_S, _P, _R})),
    PageLink(endpoint="export.show", name="Export", page="export", roles=frozenset({_S, _P})),
    PageLink(endpoint="log.show", name="Log", page="log", roles=frozenset({_A, _R})),
    PageLink(endpoint="users.index", name="Users", page="users", roles=frozenset({_R})),
    PageLink(endpoint="settings.show", name="Settings", page="settings", roles=frozenset({_R})),
    PageLink(endpoint="help.show", name="Help", page="help", roles=frozenset({_S, _P, _A, _R})),
)
_HOMES: Final = {_S: "queue.show", _P: "dealers.index", _A: "log.show", _R: "users.index"}


def pages_for(role: str) -> tuple[PageLink, ...]:
    """Return the pages of a role, in the order of the bar."""
    return tuple(link for link in _PAGES if role in link.roles)


def home_of(role: str) -> str:
    """Return the endpoint at which a role begins."""
    return _HOMES[Role(role)]
