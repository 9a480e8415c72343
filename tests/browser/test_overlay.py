"""The boxes belong to the picture: a recording whose every frame says which it is, with a box for each."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from audit.store import audits, footage, users
from audit.store.database import open_store
from audit.store.users import Role
from tests.browser.conftest import served
from tests.web.conftest import AT, PROFILE, ROUND

pytestmark = [
    pytest.mark.browser,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # the browser drops video connections half read
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

TWO_FRAMES_PX = 4
"""The bright bar of the recording moves two pixels a frame."""
SEEN = """() => {
  const video = document.querySelector("video");
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [320, 180];
  const context = canvas.getContext("2d");
  context.drawImage(video, 0, 0, 320, 180);
  const row = context.getImageData(0, 10, 320, 1).data;
  let bar = 0;
  while (bar < 320 && row[4 * bar + 1] < 90) bar += 1;
  const box = document.querySelector("svg.overlay polygon.o-card");
  return [bar, box ? Number(box.getAttribute("points").split(",")[0]) : null];
}"""
SETTLED = """async (at) => {
  const video = document.querySelector("video");
  video.currentTime = at;
  await new Promise((resolve) => video.addEventListener("seeked", resolve, { once: true }));
  for (let i = 0; i < 3; i += 1) await new Promise(requestAnimationFrame);
}"""
PLAYING = """async (look) => {
  const video = document.querySelector("video");
  const seen = [];
  const look_ = eval(look);
  await new Promise((resolve) => {
    const onFrame = () => {
      seen.push(look_());
      if (seen.length < 20) video.requestVideoFrameCallback(onFrame); else resolve();
    };
    video.requestVideoFrameCallback(onFrame);
    video.play();
  });
  video.pause();
  return seen;
}"""


def state(i: int) -> tuple[int, int, str]:
    """The state of frame i: a card just where the bar is."""
    box = [[2 * i, 40], [2 * i + 40, 40], [2 * i + 40, 80], [2 * i, 80]]
    card = {"kind": "card", "xy_mm": [float(-350 + i), 280.0], "angle_deg": 0.0, "card": "As", "polygon_px": box}
    record = {"t_ms": [40 * i, 40 * i + 20], "objects": [card], "covered": [], "hands": [], "view": "ok"}
    return 40 * i, 40 * i + 20, json.dumps(record)


@pytest.fixture
def page(browser: Browser, tmp_path: Path, clip: Path) -> Iterator[Page]:
    db = open_store(tmp_path)
    sha = hashlib.sha256(PROFILE.encode()).hexdigest()
    profile = footage.store_profile(db, name="BJ-07", game="blackjack", toml=PROFILE, sha256=sha, at=AT)
    size = {"duration_ms": 4000, "width": 320, "height": 180, "codec": "h264"}
    recording = footage.register_footage(db, sha256="f" * 64, path=str(clip), size_bytes=1, at=AT, **size)
    pins = footage.Pins(software="0.1.0", weights_sha256="a" * 64, rules_sha256="b" * 64)
    run = footage.open_run(db, footage_id=recording, profile_id=profile, pins=pins, segments=[(0, 4000)], at=AT)
    footage.finish_segment(db, footage.segments_of(db, run)[0].id, states=[state(i) for i in range(100)], at=AT)
    audits.store_audit(db, run, rounds=[ROUND], findings=[], at=AT)
    user_id = users.add_user(db, name="sam", role=Role.SURVEILLANCE, at=AT)
    users.add_one_time_login(db, token="once", user_id=user_id, expires=datetime.now(tz=UTC) + timedelta(minutes=5))
    db.close()
    with served(tmp_path) as address:
        context = browser.new_context(viewport={"width": 1600, "height": 900}, base_url=address, bypass_csp=True)
        tab = context.new_page()
        tab.goto("/login/once")
        tab.goto("/findings/1")
        tab.wait_for_selector("[data-desk][data-ready=yes]")
        tab.wait_for_function(
            "() => document.querySelector('video').readyState >= 2 && !document.querySelector('video').seeking"
        )
        yield tab
        context.close()


def test_boxes_lie_within_two_frames_of_the_picture_at_any_seek(page: Page) -> None:
    chance = random.Random(7)  # noqa: S311 - where to look, nothing secret
    for _ in range(25):
        page.evaluate(SETTLED, chance.uniform(0.05, 3.9))
        bar, box = page.evaluate(SEEN)
        assert box is not None
        assert abs(bar - box) <= TWO_FRAMES_PX


def test_boxes_stay_within_two_frames_of_the_picture_while_it_plays(page: Page) -> None:
    page.evaluate(SETTLED, 0.5)
    seen = page.evaluate(PLAYING, f"({SEEN})")
    assert len({bar for bar, _ in seen}) > 5
    assert max(abs(bar - box) for bar, box in seen) <= TWO_FRAMES_PX


def test_boxes_follow_frame_by_frame(page: Page) -> None:
    page.evaluate(SETTLED, 1.02)
    places = []
    for _ in range(4):
        page.keyboard.press(".")
        page.wait_for_function("() => !document.querySelector('video').seeking")
        page.wait_for_timeout(120)
        places.append(page.evaluate(SEEN))
    boxes = [box for _, box in places]
    assert [b - a for a, b in pairwise(boxes)] == [2, 2, 2]
    assert max(abs(bar - box) for bar, box in places) <= TWO_FRAMES_PX
