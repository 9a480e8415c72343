"""From pictures to settled states, on a painted table and with a fake where the detector stands."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest

from audit.states import HandSeen, TableState
from audit.timing import Span
from models.camera import camera_of
from models.recognise import states_from
from models.recogniser import Recogniser
from models.table_watch import TableWatch
from tests.models.toy_table import CHIPS, PixelEyes, Reach, Thing, Toy, profile

DEALER = (0.0, -120.0)
PLAYER_1 = (-225.0, 620.0)


def states_of(toy: Toy, *, step_ms: int = 80) -> list[TableState]:
    table = profile()
    return list(Recogniser(table, camera_of(table), PixelEyes()).states(toy.frames(step_ms=step_ms)))


def content(state: TableState) -> set[tuple[str, object]]:
    return {(item.kind, item.card or item.stack) for item in state.objects}


def test_an_empty_table_is_one_state_without_objects() -> None:
    states = states_of(Toy(length_ms=1500))
    assert [content(state) for state in states] == [set()]
    assert states[0].covered == frozenset()
    assert states[0].span.last >= 1400


def test_what_lies_there_from_the_beginning_is_read_at_its_place() -> None:
    toy = Toy(things=(Thing(x=-220, y=250, angle=20, face="Ah"), Thing(x=-220, y=400, chips="red")), length_ms=1500)
    (state,) = states_of(toy)
    card = next(item for item in state.objects if item.kind == "card")
    assert card.card == "Ah"
    assert card.xy_mm == pytest.approx((-220, 250), abs=4)
    assert card.angle_deg == pytest.approx(20, abs=3)
    assert next(item for item in state.objects if item.kind == "chips").stack == ("red",)
    assert len(card.extra["polygon_px"]) == 4


def test_a_card_that_the_dealer_lays_begins_a_state_with_his_hand_before_it() -> None:
    toy = Toy(
        things=(Thing(x=-220, y=250, face="Ks", start_ms=1400),),
        arms=(Reach(root=DEALER, target=(-220, 250), start_ms=1000, end_ms=1800),),
        length_ms=3500,
    )
    states = states_of(toy)
    assert content(states[0]) == set()
    assert content(states[-1]) == {("card", "Ks")}
    first = next(state for state in states if ("card", "Ks") in content(state))
    assert states[0].span.last <= 1480
    assert 1400 <= first.span.first <= 2000
    before = [hand for state in states for hand in state.hands if "seat1.cards" in hand.zones]
    assert {(hand.side, hand.seat) for hand in before} == {("dealer", None)}
    assert min(hand.span.first for hand in before) <= 1400
    assert states[-1].covered == frozenset()


def test_a_hand_that_changes_nothing_still_ends_in_a_state_that_tells_of_it() -> None:
    toy = Toy(
        things=(Thing(x=-220, y=400, chips="red"),),
        arms=(Reach(root=PLAYER_1, target=(-220, 400), start_ms=1000, end_ms=2200),),
        length_ms=3500,
    )
    states = states_of(toy)
    assert [content(state) for state in states] == [{("chips", ("red",))}] * len(states)
    told = [hand for state in states for hand in state.hands if "seat1.main" in hand.zones]
    assert {(hand.side, hand.seat) for hand in told} == {("player", 1)}
    assert states[0].span.last <= 1400
    assert states[-1].span.first >= 1800


@pytest.mark.parametrize("bgr", [(40, 40, 200), (40, 60, 225), (20, 70, 190)])
def test_a_plain_cheque_as_bright_as_the_felt_is_seen_to_go(
    bgr: tuple[int, int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its place was compared by brightness alone, so that it stayed on the table for good."""
    monkeypatch.setitem(CHIPS, "red", bgr)
    toy = Toy(
        things=(Thing(x=200, y=400, chips="red", end_ms=2_500),),
        arms=(Reach(root=(0.0, -300.0), target=(200, 400), start_ms=2_000, end_ms=3_000),),
        length_ms=6_000,
    )
    states = states_of(toy)
    assert (content(states[0]), content(states[-1])) == ({("chips", ("red",))}, set())
    assert max(int(one.span.last) for one in states if one.objects) < 2_600


def test_a_cheque_as_bright_as_the_felt_is_not_told_before_it_came() -> None:
    """Where nothing seems to move, the last look without it says when it had not come."""
    toy = Toy(things=(Thing(x=200, y=400, chips="red", start_ms=1_500),), length_ms=3_000)
    states = states_of(toy)
    assert [content(one) for one in states] == [set(), {("chips", ("red",))}]
    assert states[0].span.last >= 1_400
    assert states[1].span.first > 1_440


def test_what_went_while_no_picture_was_taken_is_no_hand() -> None:
    """Seen in footage that lost frames: a taken pile was told as a player's hand at its place."""
    toy = Toy(things=(Thing(x=-220, y=250, face="Ks", end_ms=1300),), length_ms=2600)
    table = profile()
    frames = [frame for frame in toy.frames(step_ms=80) if not 1000 < frame.t_ms < 1500]
    states = list(Recogniser(table, camera_of(table), PixelEyes()).states(frames))
    assert (content(states[0]), content(states[-1])) == ({("card", "Ks")}, set())
    assert [hand for state in states for hand in state.hands] == []


def test_a_resting_hand_covers_its_zone_and_hides_nothing_for_good() -> None:
    toy = Toy(
        things=(Thing(x=-220, y=400, chips="red"), Thing(x=220, y=250, face="9c", start_ms=4200)),
        arms=(
            Reach(root=PLAYER_1, target=(-220, 400), start_ms=1000, end_ms=8000),
            Reach(root=DEALER, target=(220, 250), start_ms=3800, end_ms=4600),
        ),
        length_ms=9500,
    )
    states = states_of(toy)
    during = [state for state in states if "seat1.main" in state.covered]
    assert any(state.span.first <= 6000 <= state.span.last for state in during)
    assert content(during[0]) == {("card", "9c")}, "what the hand hides all the while is not told"
    assert content(states[-1]) == {("chips", ("red",)), ("card", "9c")}
    assert states[-1].covered == frozenset()


def test_a_pile_under_a_resting_hand_that_leaves_a_sliver_of_it_free_is_not_gone() -> None:
    """In footage a player's hand lay at his wager for two seconds: only the sliver was looked at, and no pile seen."""
    toy = Toy(
        things=(Thing(x=-220, y=400, chips="red"),),
        arms=(Reach(root=PLAYER_1, target=(-220, 424), start_ms=1000, end_ms=5500),),
        length_ms=7000,
    )
    assert [content(state) for state in states_of(toy) if "seat1.main" not in state.covered] == [
        {("chips", ("red",))},
        {("chips", ("red",))},
    ]


def test_a_card_is_gone_when_its_place_was_seen_without_it() -> None:
    toy = Toy(
        things=(Thing(x=-220, y=250, face="7d", end_ms=1500), Thing(x=220, y=250, face="Ah")),
        arms=(Reach(root=DEALER, target=(-220, 250), start_ms=1100, end_ms=1900),),
        length_ms=3500,
    )
    states = states_of(toy)
    assert content(states[0]) == {("card", "7d"), ("card", "Ah")}
    assert content(states[-1]) == {("card", "Ah")}


def test_a_pile_exchanged_under_a_hand_is_read_anew() -> None:
    toy = Toy(
        things=(Thing(x=220, y=400, chips="red", end_ms=1600), Thing(x=220, y=400, chips="green", start_ms=1600)),
        arms=(Reach(root=DEALER, target=(220, 400), start_ms=1100, end_ms=2100),),
        length_ms=4000,
    )
    states = states_of(toy)
    assert content(states[0]) == {("chips", ("red",))}
    assert content(states[-1]) == {("chips", ("green",))}


def test_the_table_is_looked_at_closely_only_where_something_changed() -> None:
    table, eyes = profile(), PixelEyes()
    toy = Toy(
        things=(Thing(x=-220, y=250, face="Ks", start_ms=1400),),
        arms=(Reach(root=DEALER, target=(-220, 250), start_ms=1000, end_ms=1800),),
        length_ms=6000,
    )
    list(Recogniser(table, camera_of(table), eyes).states(toy.frames(step_ms=80)))
    assert eyes.asked.count(None) == 1
    assert 1 <= len(eyes.asked) - 1 <= 6


def test_a_segment_that_begins_under_an_arm_reports_the_zone_covered_and_reads_it_later() -> None:
    toy = Toy(
        things=(Thing(x=-220, y=250, face="Ah"),),
        arms=(Reach(root=DEALER, target=(-220, 250), start_ms=-600, end_ms=2000),),
        length_ms=4000,
    )
    states = states_of(toy)
    assert all("seat1.cards" in state.covered for state in states if ("card", "Ah") not in content(state))
    assert content(states[-1]) == {("card", "Ah")}
    assert states[-1].covered == frozenset()


def covered_at_the_end(*, sleeve_ms: int, device_ms: int = 0, length_ms: int = 14_000) -> frozenset[str]:
    """What is covered once a sleeve has gone that lay still over the table, and over a device that is built into it."""
    toy = Toy(
        things=(
            Thing(x=0, y=95, wide=130, high=24, start_ms=device_ms),
            Thing(x=10, y=60, wide=170, high=230, bgr=(225, 222, 228), end_ms=sleeve_ms),
        ),
        length_ms=length_ms,
    )
    return states_of(toy)[-1].covered


def test_what_an_arm_of_the_first_look_hid_is_the_table_once_it_has_been_seen_for_longer() -> None:
    """A sleeve at rest was taken for the table, and the ace finder under it covered a zone for two minutes."""
    assert covered_at_the_end(sleeve_ms=900) == frozenset()


def test_what_comes_to_lie_on_a_table_that_was_seen_for_long_covers_its_zone() -> None:
    assert covered_at_the_end(sleeve_ms=0, device_ms=11_000, length_ms=26_000) == {"dealer.cards"}


def test_a_dark_stretch_is_a_lost_view_and_what_lies_there_is_read_again() -> None:
    toy = Toy(
        things=(Thing(x=-220, y=250, face="Ah"),),
        length_ms=4500,
        darken=lambda t_ms: 0.02 if 1500 <= t_ms < 2500 else 1.0,
    )
    states = states_of(toy)
    lost = [state for state in states if state.view == "lost"]
    assert [state.reason for state in lost] == ["dark"]
    assert lost[0].objects == ()
    assert 1400 <= lost[0].span.first <= 1600
    assert content(states[-1]) == {("card", "Ah")}


def test_states_follow_each_other_in_time() -> None:
    toy = Toy(
        things=tuple(Thing(x=-300 + 70 * i, y=250, face="Ks", start_ms=1400 + 900 * i) for i in range(3)),
        arms=tuple(
            Reach(root=DEALER, target=(-300 + 70 * i, 250), start_ms=1000 + 900 * i, end_ms=1800 + 900 * i)
            for i in range(3)
        ),
        length_ms=5500,
    )
    states = states_of(toy)
    assert all(one.span.last < other.span.first for one, other in pairwise(states))
    assert sorted({len(state.objects) for state in states}) == [0, 1, 2, 3]


def test_watching_begins_before_the_segment_and_tells_only_of_the_segment() -> None:
    hands = (
        HandSeen(side="dealer", zones=("rack",), span=Span.of(56_100, 56_900)),
        HandSeen(side="dealer", zones=("seat1.main",), span=Span.of(59_500, 60_500)),
    )
    seen = [
        TableState(span=Span.of(56_000, 57_000)),
        TableState(span=Span.of(58_000, 61_000), hands=hands, view="ok"),
        TableState(span=Span.of(62_000, 63_000)),
    ]
    kept = list(states_from(seen, 60_000))
    assert [state.span for state in kept] == [Span.of(60_000, 61_000), Span.of(62_000, 63_000)]
    assert kept[0].hands == (HandSeen(side="dealer", zones=("seat1.main",), span=Span.of(60_000, 60_500)),)


def test_hands_of_both_sides_are_told_while_their_arms_look_like_one() -> None:
    other = Reach(root=(-225.0, 620.0), target=(-130.0, 120.0), start_ms=600, end_ms=2_600)
    dealer = Reach(root=DEALER, target=(-225.0, 390.0), start_ms=1_400, end_ms=4_600)
    states = states_of(Toy(arms=(dealer, other), length_ms=6_500))
    over = [hand for state in states for hand in state.hands if "seat1.main" in hand.zones]
    dealers = [hand.span for hand in over if hand.side == "dealer"]
    assert min(span.first for span in dealers) < 1_800
    assert max(span.last for span in dealers) > 4_000
    assert max(hand.span.last for hand in over if hand.side == "player") < 3_300


def test_what_is_found_beside_what_a_look_was_at_came_when_it_last_moved_itself() -> None:
    """Another clip, 28 s: a nine dealt at 27.6 s was told from 24.7 s on, since when a hand had rested beside it."""
    last_motion = np.full((40, 60), 24_720.0, dtype=np.float32)
    last_motion[10:20, 10:30] = 27_560.0
    last_motion[10:12, 10:30] = 28_080.0  # the dealer's cuff passed over a part of it
    mask = np.zeros((40, 60), dtype=np.uint8)
    mask[10:20, 10:30] = 255
    watching = SimpleNamespace(_watch=SimpleNamespace(last_motion=last_motion))
    assert TableWatch._came_ms(watching, SimpleNamespace(mask=mask)) == 27_560
    assert TableWatch._came_ms(watching, SimpleNamespace(mask=np.zeros_like(mask))) == 0
