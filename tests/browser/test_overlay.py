"""The boxes belong to the picture: a recording whose every frame says which it is, with a box for each."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from audit.store import audits, footage, users
from audit.store.database import open_store
from audit.store.users import Role
from tests.browser.conftest import LOOSE_ENDS, SETTLED, let_in, opened
from tests.browser.desk import READY
from tests.web.conftest import AT, PROFILE, ROUND

pytestmark = [pytest.mark.browser, *LOOSE_ENDS]

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
SHOWN = f"() => Math.abs(({SEEN})()[0] - 2 * Math.floor(25 * document.querySelector('video').currentTime)) <= 4"
"""Whether the picture is that of the player's time: a busy machine paints it some moments later."""
SEEK = "(at) => { document.querySelector('video').currentTime = at; }"
WATCHING = """() => {
  const video = document.querySelector("video");
  window.seen = [];
  const onFrame = (_, shown) => {
    const box = document.querySelector("svg.overlay polygon.o-card");
    window.seen.push([2 * Math.round(shown.mediaTime * 25), Number(box.getAttribute("points").split(",")[0])]);
    video.requestVideoFrameCallback(onFrame);
  };
  video.requestVideoFrameCallback(onFrame);
}"""
"""Notes of every frame that the player shows where its bar is, and where the box. The pixels themselves may be those of
a later frame by the time that they are looked at, if the machine is busy; at rest they are compared."""
PLAYED = """async (rate) => {
  const video = document.querySelector("video");
  video.playbackRate = rate;
  video.play();
  while (window.seen.length < 20 && video.currentTime < 3.7) await new Promise(requestAnimationFrame);
  video.pause();
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
    users.add_user(db, name="sam", role=Role.SURVEILLANCE, at=AT)
    let_in(db)
    db.close()
    with opened(browser, tmp_path, bypass_csp=True) as tab:
        tab.goto("/login/once")
        tab.goto("/findings/1")
        tab.wait_for_selector(READY)
        tab.evaluate(SETTLED)
        yield tab


def sought(page: Page, at: float) -> tuple[int, int | None]:
    """Seek and return where the bar is in the picture, and where the box."""
    page.evaluate(SEEK, at)
    page.evaluate(SETTLED)
    page.wait_for_function(SHOWN)
    bar, box = page.evaluate(SEEN)
    return bar, box


def test_boxes_lie_within_two_frames_of_the_picture_at_any_seek(page: Page) -> None:
    chance = random.Random(7)  # noqa: S311 - where to look, nothing secret
    seen = [sought(page, chance.uniform(0.05, 3.9)) for _ in range(40)]
    assert len({bar for bar, _ in seen}) > 25
    assert max(TWO_FRAMES_PX + 1 if box is None else abs(bar - box) for bar, box in seen) <= TWO_FRAMES_PX


@pytest.mark.parametrize("rate", [0.25, 1, 4])
def test_boxes_stay_within_two_frames_of_the_picture_while_it_plays(page: Page, rate: float) -> None:
    sought(page, 0.5)
    page.evaluate(WATCHING)
    page.evaluate(PLAYED, rate)
    assert_beside(page)


def test_boxes_stay_within_two_frames_of_the_picture_while_the_timeline_is_dragged(page: Page) -> None:
    track = page.locator(".track").bounding_box()
    assert track is not None
    y = track["y"] + track["height"] - 3
    page.evaluate(WATCHING)
    page.mouse.move(track["x"] + 10, y)
    page.mouse.down()
    for i in range(1, 40):
        page.mouse.move(track["x"] + 10 + i * (track["width"] - 60) / 40, y)
    page.mouse.up()
    assert_beside(page)


def assert_beside(page: Page) -> None:
    """Of every frame that was shown the box was within two frames, and it comes to be so of the pixels at rest."""
    page.evaluate(SETTLED)
    seen = page.evaluate("() => window.seen")
    assert len({bar for bar, _ in seen}) > 3
    assert max(abs(bar - box) for bar, box in seen) <= TWO_FRAMES_PX
    page.wait_for_function(
        f"(most) => {{ const [bar, box] = ({SEEN})(); return Math.abs(bar - box) <= most; }}", arg=TWO_FRAMES_PX
    )


def test_boxes_follow_frame_by_frame(page: Page) -> None:
    sought(page, 1.02)
    places = []
    for _ in range(4):
        page.keyboard.press(".")
        page.evaluate(SETTLED)
        places.append(page.evaluate(SEEN))
    boxes = [box for _, box in places]
    assert [b - a for a, b in pairwise(boxes)] == [2, 2, 2]
    assert max(abs(bar - box) for bar, box in places) <= TWO_FRAMES_PX
