"""Decoding: times from the container, segments at keyframes, and one sentence for whatever is no video."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from models.frames import (
    Footage,
    FootageError,
    Frame,
    Segment,
    check_header,
    check_size,
    frame_at,
    frames,
    probe,
    segments,
)
from models.recogniser import INTERVAL_MS

SIZE = (320, 180)


def write_clip(
    path: Path,
    *,
    seconds: float = 4.0,
    rate: Fraction = Fraction(25),
    faststart: bool = True,
    between: int = 0,
    pixel: tuple[int, int] = (1, 1),
) -> Path:
    """A clip whose brightness rises by 2 levels a frame, with a keyframe every 20 frames."""
    options = {"movflags": "faststart"} if faststart else {}
    noise = np.random.default_rng(3)
    with av.open(str(path), mode="w", options=options) as container:
        stream = container.add_stream("libx264", rate=rate)
        stream.width, stream.height, stream.pix_fmt = *SIZE, "yuv420p"
        stream.gop_size = 20
        stream.codec_context.sample_aspect_ratio = Fraction(*pixel)
        stream.options = {"preset": "ultrafast", "crf": "18", "bf": str(between), "b-adapt": "0"}
        for number in range(round(seconds * rate)):
            level = noise.integers(0, 40, size=(SIZE[1], SIZE[0], 3)) + number * 2 % 200
            frame = av.VideoFrame.from_ndarray(level.astype(np.uint8), format="rgb24")
            frame.pts = number
            frame.time_base = 1 / rate
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return path


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_clip(tmp_path_factory.mktemp("clips") / "clip.mp4")


def test_probe_tells_size_codec_length_and_keyframes(clip: Path) -> None:
    footage = probe(clip)
    assert (footage.size, footage.codec, footage.frame_count) == (SIZE, "h264", 100)
    assert footage.readable_ms == pytest.approx(4000, abs=45)
    assert footage.keyframes_ms == (0, 800, 1600, 2400, 3200)
    assert footage.frames_per_second == pytest.approx(25, rel=0.02)
    assert footage.shortage is None


def test_times_are_those_of_the_container_not_a_count_of_frames(tmp_path: Path) -> None:
    clip = write_clip(tmp_path / "ntsc.mp4", seconds=3.0, rate=Fraction(30000, 1001))
    times = [frame.t_ms for frame in frames(clip)]
    assert times[0] == 0
    assert times[30] == 1001
    assert times[60] == 2002


def test_segments_begin_at_keyframes_and_cover_everything_once(clip: Path) -> None:
    footage = probe(clip)
    parts = segments(footage, length_ms=1500)
    assert [(part.start_ms, part.end_ms) for part in parts] == [(0, 1600), (1600, 3200), (3200, 4001)]
    whole = [frame.t_ms for frame in frames(clip)]
    assert [frame.t_ms for part in parts for frame in frames(clip, part)] == whole
    assert len(whole) == 100


def cut(clip: Path, path: Path) -> Path:
    """The clip from half a second on, not encoded anew: it begins with packets that are decoded and not shown."""
    options = {"avoid_negative_ts": "disabled"}
    with av.open(str(clip)) as whole, av.open(str(path), mode="w", options=options) as container:
        stream = whole.streams.video[0]
        track = container.add_stream_from_template(stream)
        for packet in whole.demux(stream):
            if packet.pts is not None and packet.dts is not None:
                packet.pts -= round(0.52 / stream.time_base)
                packet.dts -= round(0.52 / stream.time_base)
                packet.stream = track
                container.mux(packet)
    return path


def test_what_a_cut_file_holds_before_its_beginning_is_not_counted(tmp_path: Path, clip: Path) -> None:
    path = cut(clip, tmp_path / "cut.mp4")
    footage = probe(path)
    times = [frame.t_ms for frame in frames(path)]
    assert footage.keyframes_ms == (0, 280, 1080, 1880, 2680)
    assert (times[0], len(times)) == (0, footage.frame_count) == (0, 87)
    assert footage.frames_per_second == pytest.approx(25, rel=0.02)
    assert segments(footage)[0].start_ms == 0


def test_a_short_file_is_one_segment(clip: Path) -> None:
    assert len(segments(probe(clip))) == 1


def test_long_footage_is_cut_into_longer_pieces() -> None:
    def lengths(seconds: int) -> list[int]:
        keys = tuple(range(0, seconds * 1000, 2000))
        footage = Footage(
            path=Path("long.mp4"), size=(1920, 1080), codec="h264", frame_count=seconds * 25, keyframes_ms=keys,
            readable_ms=seconds * 1000, promised_ms=seconds * 1000,
        )  # fmt: skip
        parts = segments(footage)
        assert [part.start_ms for part in parts[1:]] == [part.end_ms for part in parts[:-1]]
        return [part.end_ms - part.start_ms for part in parts]

    assert lengths(100) == [100_001]
    assert lengths(240) == [120_000, 120_001]
    assert len(lengths(3600)) == 12
    assert lengths(8 * 3600)[0] == 300_000


def test_frames_can_be_thinned_by_time(clip: Path) -> None:
    assert [frame.t_ms for frame in frames(clip, interval_ms=INTERVAL_MS)][:4] == [0, 80, 160, 240]


def test_all_of_fifteen_pictures_a_second_are_watched_and_every_other_one_of_thirty() -> None:
    assert 1000 / 30 < INTERVAL_MS < 1000 / 15


def steps_of(clip: Path, *, sparing: bool) -> list[int]:
    times = [frame.t_ms for frame in frames(clip, sparing=sparing)]
    return [later - before for before, later in pairwise(times)]


def test_frames_that_no_other_builds_on_can_be_spared(tmp_path: Path) -> None:
    clip = write_clip(tmp_path / "two_between.mp4", between=2)
    steps = steps_of(clip, sparing=True)
    assert max(steps) <= 125
    assert len(steps) < 75
    assert set(steps_of(clip, sparing=False)) == {40}


def test_nothing_is_spared_once_that_leaves_a_long_gap(tmp_path: Path) -> None:
    clip = write_clip(tmp_path / "slow.mp4", seconds=8, rate=Fraction(10), between=2)
    steps = steps_of(clip, sparing=True)
    assert max(steps) <= 400
    assert set(steps[8:]) == {100}


def test_where_every_frame_counts_all_are_shown(clip: Path) -> None:
    assert len(steps_of(clip, sparing=True)) == 99


def test_a_segment_shows_the_same_pixels_as_the_whole(clip: Path) -> None:
    alone = next(iter(frames(clip, Segment(index=1, start_ms=1600, end_ms=3200))))
    there = next(frame for frame in frames(clip) if frame.t_ms == 1600)
    assert alone.t_ms == 1600
    assert np.array_equal(alone.bgr, there.bgr)


@pytest.mark.parametrize("ending", ["ts", "mkv"])
def test_no_segment_of_a_container_that_seeks_roughly_lacks_its_beginning(tmp_path: Path, ending: str) -> None:
    clip = write_clip(tmp_path / f"clip.{ending}", seconds=8.0, faststart=False, between=2)
    parts = segments(probe(clip), length_ms=1500)
    whole = [frame.t_ms for frame in frames(clip)]
    assert len(parts) == 5
    assert [frame.t_ms for part in parts for frame in frames(clip, part)] == whole
    assert len(whole) == 200


def test_frame_at_is_the_one_shown_then(clip: Path) -> None:
    assert frame_at(clip, 1630).t_ms == 1600
    assert frame_at(clip, 0).t_ms == 0


@pytest.mark.parametrize(("left_deg", "quarters"), [(90, 1), (180, 2), (270, 3), (-90, 3)])
def test_pictures_are_turned_as_every_player_shows_them(
    tmp_path: Path, clip: Path, left_deg: int, quarters: int
) -> None:
    path = stored_anew(clip, tmp_path / "turned.mp4", left_deg=left_deg)
    size = SIZE[::-1] if quarters % 2 else SIZE
    for as_stored, as_shown in some_pairs(clip, path, size):
        for one, other in ((as_stored.bgr, as_shown.bgr), (as_stored.luma, as_shown.luma)):
            np.testing.assert_array_equal(np.rot90(one, quarters), other)


@pytest.mark.parametrize(
    ("pixel", "size"),
    [((4, 3), (426, 180)), ((2, 1), (640, 180)), ((1, 2), (320, 360)), ((40, 1), SIZE), ((1, 40), SIZE)],
)
@pytest.mark.parametrize("left_deg", [0, 90])
def test_pixels_that_are_not_square_are_shown_square(
    tmp_path: Path, clip: Path, pixel: tuple[int, int], size: tuple[int, int], left_deg: int
) -> None:
    path = stored_anew(write_clip(tmp_path / "upright.mp4", pixel=pixel), tmp_path / "oblong.mp4", left_deg=left_deg)
    size = size[::-1] if left_deg else size
    for as_stored, as_shown in some_pairs(clip, path, size):
        assert as_shown.bgr.shape == (*size[::-1], 3)
        upright = cv2.resize(np.rot90(as_stored.bgr, left_deg // 90), size, interpolation=cv2.INTER_CUBIC)
        assert np.abs(as_shown.bgr.astype(int) - upright).mean() < 4


def some_pairs(clip: Path, path: Path, size: tuple[int, int]) -> list[tuple[Frame, Frame]]:
    """Frames of a clip, and those of the same time of another file that shows its pictures in a size."""
    assert probe(path).size == size
    check_header(path, size)
    pairs = list(zip(frames(clip), frames(path), strict=True))
    assert len(pairs) == 100
    assert all(as_shown.t_ms == as_stored.t_ms for as_stored, as_shown in pairs)
    return pairs[::33]


def stored_anew(clip: Path, path: Path, *, left_deg: int) -> Path:
    """The packets of a clip in another file, which says how its pictures are to be shown."""
    with av.open(str(clip)) as stored, av.open(str(path), mode="w") as container:
        track = container.add_stream_from_template(stored.streams.video[0])
        track.set_display_rotation(left_deg)
        for packet in stored.demux(stored.streams.video[0]):
            if packet.dts is not None:
                packet.stream = track
                container.mux(packet)
    return path


def test_pictures_of_an_avi_that_are_stored_in_another_order_come_in_time(tmp_path: Path, clip: Path) -> None:
    path = write_clip(tmp_path / "b.avi", between=2)
    shown = list(frames(path))
    assert [later.t_ms - one.t_ms for one, later in pairwise(shown)] == [40] * 99
    for one, as_they_are in zip(shown, frames(clip), strict=True):
        assert abs(float(one.luma.mean()) - float(as_they_are.luma.mean())) < 1
    sought = list(frames(path, Segment(index=1, start_ms=shown[40].t_ms, end_ms=10_000)))
    assert [frame.t_ms for frame in sought] == [frame.t_ms for frame in shown[40:]]


def test_a_bare_stream_is_refused_since_nothing_says_when_its_pictures_were_taken(tmp_path: Path) -> None:
    with pytest.raises(FootageError, match=r"b\.h264: expected a video, found a bare stream without times"):
        probe(write_clip(tmp_path / "b.h264"))


def test_a_frame_gives_full_and_small_pictures(clip: Path) -> None:
    frame = next(iter(frames(clip)))
    assert frame.bgr.shape == (180, 320, 3)
    assert frame.luma.shape == (180, 320)
    assert frame.small.luma.shape == frame.small.blue.shape == frame.small.red.shape == (270, 480)


def refused(path: Path) -> str:
    with pytest.raises(FootageError) as error:
        probe(path)
    return str(error.value)


def test_a_text_file_renamed_is_no_video(tmp_path: Path) -> None:
    path = tmp_path / "shift.mp4"
    path.write_text("Dear surveillance,\n")
    assert refused(path) == "shift.mp4: expected a video, found text"


def test_a_playlist_renamed_opens_nothing_else(tmp_path: Path, clip: Path) -> None:
    path = tmp_path / "list.mp4"
    path.write_text(f"#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n{clip}\n#EXT-X-ENDLIST\n")
    assert refused(path) == "list.mp4: expected a video, found text"


def test_nothing_an_empty_file_a_folder_and_a_picture_are_no_video(tmp_path: Path) -> None:
    (tmp_path / "empty.mp4").touch()
    (tmp_path / "picture.mp4").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(200))
    assert refused(tmp_path / "none.mp4") == "none.mp4: expected a video file, found no such file"
    assert refused(tmp_path / "empty.mp4") == "empty.mp4: expected a video, found an empty file"
    assert refused(tmp_path).endswith("expected a video file, found a folder")
    assert refused(tmp_path / "picture.mp4") == "picture.mp4: expected a video, found a picture"


def test_an_mp4_cut_off_before_its_index_is_named_as_such(tmp_path: Path) -> None:
    whole = write_clip(tmp_path / "whole.mp4", faststart=False).read_bytes()
    path = tmp_path / "cut.mp4"
    path.write_bytes(whole[: len(whole) // 2])
    assert "an MP4 without its index (moov box)" in refused(path)


def test_footage_cut_off_in_the_middle_is_read_as_far_as_it_goes_and_says_so(tmp_path: Path, clip: Path) -> None:
    whole = clip.read_bytes()
    path = tmp_path / "cut.mp4"
    path.write_bytes(whole[: len(whole) // 2])
    footage = probe(path)
    assert footage.promised_ms == pytest.approx(4000, abs=45)
    assert 1200 < footage.readable_ms < 2800
    assert footage.shortage is not None
    assert footage.shortage.startswith("cut.mp4: expected 4.0 s as the header says, readable up to ")
    shown = [frame.t_ms for frame in frames(path)]
    assert shown[-1] == pytest.approx(footage.readable_ms, abs=120)


def test_another_size_than_the_profile_is_refused(clip: Path) -> None:
    footage: Footage = probe(clip)
    check_size(footage, SIZE)
    with pytest.raises(FootageError, match=r"clip\.mp4: expected 1920x1080 as the profile says, found 320x180"):
        check_size(footage, (1920, 1080))


def test_a_name_with_odd_characters_is_only_a_name(tmp_path: Path) -> None:
    path = write_clip(tmp_path / "-i 'x';%d|http:..mp4", seconds=1.0)
    assert probe(path).frame_count == 25


def test_the_frame_shown_during_a_long_gap_is_the_one_before_it(tmp_path: Path) -> None:
    path = tmp_path / "gap.mp4"
    with av.open(str(path), mode="w") as container:
        stream = container.add_stream("libx264", rate=25)
        stream.width, stream.height, stream.pix_fmt = *SIZE, "yuv420p"
        for number in [*range(25), *range(125, 150)]:
            frame = av.VideoFrame.from_ndarray(np.full((SIZE[1], SIZE[0], 3), number, dtype=np.uint8), format="rgb24")
            frame.pts, frame.time_base = number, Fraction(1, 25)
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    assert [frame_at(path, t_ms).t_ms for t_ms in (900, 3_900, 4_900, 5_000)] == [880, 960, 960, 5_000]


def write_stream(path: Path, size: tuple[int, int]) -> bytes:
    """Two seconds of an MPEG transport stream, which can be put behind another."""
    with av.open(str(path), mode="w", format="mpegts") as container:
        stream = container.add_stream("libx264", rate=25)
        stream.width, stream.height, stream.pix_fmt = *size, "yuv420p"
        stream.gop_size = 10
        for number in range(50):
            picture = np.full((size[1], size[0], 3), 4 * number, dtype=np.uint8)
            frame = av.VideoFrame.from_ndarray(picture, format="rgb24")
            frame.pts, frame.time_base = number, Fraction(1, 25)
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return path.read_bytes()


def test_a_recording_put_behind_another_is_told_and_not_passed_over(tmp_path: Path) -> None:
    """Its times begin anew, so that all of it came too early and was left out without a word."""
    part = write_stream(tmp_path / "one.ts", SIZE)
    both = tmp_path / "both.ts"
    both.write_bytes(part + part)
    footage = probe(both)
    assert footage.shortage is not None
    assert "expected times that go on, found that they begin anew after 2.0 s" in footage.shortage
    assert footage.readable_ms == pytest.approx(2_000, abs=50)
    assert probe(tmp_path / "one.ts").shortage is None


def test_pictures_that_change_their_size_are_refused_where_they_do(tmp_path: Path) -> None:
    """They were read with the camera of the first ones, and a table was cleared by nobody."""
    write_stream(tmp_path / "one.ts", SIZE)
    write_stream(tmp_path / "two.ts", (480, 270))
    joined = tmp_path / "joined.ts"
    with av.open(str(joined), mode="w", format="mpegts") as container:
        track = None
        for number, name in enumerate(("one.ts", "two.ts")):
            with av.open(str(tmp_path / name)) as source:
                track = container.add_stream_from_template(source.streams.video[0]) if track is None else track
                for packet in source.demux(source.streams.video[0]):
                    if packet.dts is not None:
                        packet.pts, packet.dts = packet.pts + 200_000 * number, packet.dts + 200_000 * number
                        packet.stream = track
                        container.mux(packet)
    with pytest.raises(FootageError, match=r"expected 320x180 as at its beginning, found 480x270 at 2\.\d s"):
        list(frames(joined))
