"""What the tests of the audit share: auditing states at the sample table, and reading what was found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from audit import pipeline
from audit.procedures.drafts import Draft
from audit.table import TableProfile
from tests.notation import Felt, sample_profile


@pytest.fixture(scope="session")
def profile() -> TableProfile:
    return sample_profile()


@pytest.fixture
def felt(profile: TableProfile) -> Felt:
    return Felt(profile)


def _noted(one: Any, unlisted: set[tuple[str, str]]) -> Any:
    def check(judged: object) -> Iterator[Draft]:
        for draft in one.check(judged):
            unlisted.update((one.check.__name__, id_) for id_ in draft.finding.procedures if id_ not in one.ids)
            yield draft

    return replace(one, check=check)


@pytest.fixture(autouse=True)
def _checks_list_what_they_tell(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every id that a check tells, in whatever scene, stands in its list: by these it is known what is judged."""
    unlisted: set[tuple[str, str]] = set()
    for name, of in (("checks_of", pipeline.checks_of), ("table_checks_of", pipeline.table_checks_of)):
        monkeypatch.setattr(pipeline, name, lambda game, of=of: tuple(_noted(one, unlisted) for one in of(game)))
    yield
    assert unlisted == set()
