"""The sample session, acted out once for all tests."""

from pathlib import Path

import pytest

import sample_footage
from sample_footage.choreography import Performance, perform
from sample_footage.geometry import Camera, camera_of_profile
from sample_footage.script import SessionScript, load_session
from sample_footage.settled import Settled, settled

ROOM = Path(sample_footage.__file__).parent


@pytest.fixture(scope="session")
def session() -> SessionScript:
    return load_session(ROOM / "sessions" / "blackjack.toml")


@pytest.fixture(scope="session")
def performance(session: SessionScript) -> Performance:
    return perform(session)


@pytest.fixture(scope="session")
def camera() -> Camera:
    return camera_of_profile(ROOM / "profiles" / "BJ-07.toml")


@pytest.fixture(scope="session")
def moments(performance: Performance, camera: Camera) -> list[Settled]:
    return settled(performance, camera)
