"""The sample session, acted out once for all tests."""

import tomllib
from pathlib import Path

import numpy as np
import pytest

import sample_footage
from sample_footage.choreography import Performance, perform
from sample_footage.geometry import Camera
from sample_footage.script import SessionScript, load_session
from sample_footage.settled import Settled, settled

ROOM = Path(sample_footage.__file__).parent


def camera_of_profile(path: Path) -> Camera:
    """Return the camera that the profile's full model states."""
    section = tomllib.loads(path.read_text(encoding="utf-8"))["camera"]
    return Camera(
        size=(section["image_size"][0], section["image_size"][1]),
        matrix=np.array(section["matrix"], dtype=np.float64),
        distortion=np.array(section["distortion"], dtype=np.float64),
        rotation=np.array(section["rotation"], dtype=np.float64),
        translation=np.array(section["translation"], dtype=np.float64),
    )


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
