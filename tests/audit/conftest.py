"""What the tests of the audit share: auditing states at the sample table, and reading what was found."""

from __future__ import annotations

import pytest

from audit.table import TableProfile
from tests.notation import Felt, sample_profile


@pytest.fixture(scope="session")
def profile() -> TableProfile:
    return sample_profile()


@pytest.fixture
def felt(profile: TableProfile) -> Felt:
    return Felt(profile)
