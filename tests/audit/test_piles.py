"""Piles of cheques from state to state: what was paid beside a pile that was out of sight, and what was shifted."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from audit.reconstruction.piles import track_piles
from audit.reconstruction.places import Places, distance
from audit.reconstruction.slices import Slice
from audit.states import HandSeen, SeenObject, StackCandidate, TableState, format_state, parse_state
from audit.timing import Span
from tests.audit.asking import accused, audited, found, only_round
from tests.notation import Felt, wide_profile


def split_hands(felt: Felt) -> Felt:
    """Eights split on 25.00 each: 18 and 20 against the dealer's 19; hand 1 is to be taken, hand 2 to be paid."""
    felt.bets({2: "25"}).deal({2: "8s 8h"}, dealer="Td 9c").split(2, "25")
    return felt.card(2, "Tc", hand=1).hit(2, "2d Th", hand=2).turn()


def pays_of(felt: Felt) -> list[tuple[str, str]]:
    return [(one.key.bet, str(one.amount)) for one in only_round(felt).observed.pays]


def test_payment_beside_a_split_wager_that_the_arm_hides_is_no_shifted_wager(felt: Felt) -> None:
    split_hands(felt).hand("dealer", "rack", "seat2.main")
    wager = felt.things.pop("s2.main.2")
    felt.put_chips("s2.pay.0", "25", felt.at("seat2.main", 82.0))
    felt.snap(covered=["seat2.main"])
    felt.things["s2.main.2"] = wager
    felt.take(2, "main.1").collect(2).pick_up()
    assert found(felt) == []
    assert pays_of(felt) == [("split", "25")]


def test_wager_taken_and_the_other_paid_between_two_states_is_no_shifted_wager(felt: Felt) -> None:
    split_hands(felt)
    felt.remove("s2.main.1")
    felt.hand("dealer", "rack", "seat2.main")
    felt.put_chips("s2.pay.0", "25", felt.at("seat2.main", 79.0))
    felt.snap().collect(2).pick_up()
    assert found(felt) == []
    assert pays_of(felt) == [("split", "25")]


def test_wager_shifted_under_the_arm_that_hides_its_old_place_is_the_same_wager(felt: Felt) -> None:
    felt.bets({2: "25"}).deal({2: "Ts 8h"}, dealer="Td 8c").turn().hand("dealer", "seat2.main")
    felt.put_chips("s2.main.1", "25", felt.at("seat2.main", 60.0))
    felt.snap(covered=["seat2.main"]).snap().collect(2).pick_up()
    assert found(felt) == []


def test_paid_wager_collected_before_the_dealer_picks_up_the_cards_was_not_taken(felt: Felt) -> None:
    felt.bets({2: "100"}).deal({2: "Ts 9h"}, dealer="Td 8c").turn().pay(2, "75")
    felt.hand("player", "seat2.main", seat=2)
    for name in ("s2.main.1", "s2.pay.0"):
        felt.remove(name)
    felt.hand("dealer", "seat2.main", "seat2.cards").pick_up_seat(2).pick_up()
    assert found(felt) == [("violation", "P280", "-25.00")]


def test_same_wager_set_again_under_the_players_arm_belongs_to_the_next_round(felt: Felt) -> None:
    """Seat 2 sits one round out; he puts the same wager on the same place while his arm hides it."""
    felt.bets({1: "10", 2: "25"}).deal({1: "Th 9c", 2: "Ts 9d"}, dealer="Td 8s").turn()
    felt.pay(2, "25").pay(1, "10").collect(1).pick_up().collect(2)
    felt.bets({1: "10"}).deal({1: "Jh 9c"}, dealer="Jd 8s").turn().pay(1, "10").collect(1).pick_up()
    felt.hand("player", "seat2.main", seat=2).snap(covered=["seat2.main"])
    felt.put_chips("s2.main.1", "25", felt.at("seat2.main"))
    felt.snap().bets({1: "10"}).deal({1: "Qh 9c", 2: "Qs 9d"}, dealer="Qd 8s").turn()
    felt.pay(2, "25").collect(2).pay(1, "10").collect(1).pick_up()
    assert found(felt) == []
    assert [sorted(one.observed.round.seats) for one in audited(felt).rounds] == [[1, 2], [1], [1, 2]]


def test_card_of_a_split_that_is_read_otherwise_where_it_was_moved_is_the_same_card(felt: Felt) -> None:
    """The right eight of a pair reads as a three or an eight once it lies apart."""
    split_hands(felt).take(2, "main.1").pay(2, "25", beside="main.2").collect(2).pick_up()
    (place,) = {item.xy_mm for item in felt.states[-4].objects if item.card == "8h"}

    def read(item: SeenObject) -> SeenObject:
        moved = item.card == "8h" and item.xy_mm == place
        return replace(item, card="3h", candidates={"3h": 0.6, "8h": 0.4}) if moved else item

    (one,) = audited([replace(state, objects=tuple(map(read, state.objects))) for state in felt.states]).rounds
    assert [len(hand) for hand in one.observed.round.seats[2].hands] == [2, 3]
    assert [finding.code for finding in one.findings if finding.verdict.value == "violation"] == []


def watched(item: SeenObject, since_ms: int | None, **reading: object) -> SeenObject:
    return replace(item, since_ms=since_ms, **reading)  # type: ignore[arg-type]


def seen_by_two_segments(felt: Felt, *, since_ms: int | None) -> list[TableState]:
    """From the dealer's hole card on another segment tells the states, and reads the black wager as two blacks."""
    felt.bets({1: "100"}).deal({1: "Th 9c"}, dealer="Td 7s").hand("dealer", "seat1.main").turn()
    felt.pay(1, "100").collect(1).pick_up()
    doubt = (StackCandidate(stack=("black", "black"), p=0.7), StackCandidate(stack=("black",), p=0.1))
    wager = felt.at("seat1.main")

    def told(state: TableState, index: int) -> TableState:
        def one(item: SeenObject) -> SeenObject:
            if item.kind != "chips" or distance(item.xy_mm, wager) > 1:
                return item
            return watched(item, since_ms, stack=None, stacks=doubt) if index >= first else watched(item, 0)

        return replace(state, objects=tuple(map(one, state.objects)))

    first = next(n for n, state in enumerate(felt.states) if any(one.card == "7s" for one in state.objects))
    return [told(state, index) for index, state in enumerate(felt.states)]


def test_wager_watched_since_it_was_read_is_that_wager_still_however_another_segment_reads_it(felt: Felt) -> None:
    states = seen_by_two_segments(felt, since_ms=2000)
    assert accused(states) == []
    assert [str(one.amount) for one in only_round(states).observed.round.wagers] == ["100"]


def test_without_that_it_may_have_grown(felt: Felt) -> None:
    assert "P280" in {ids for _, ids, _ in accused(seen_by_two_segments(felt, since_ms=None))}


def test_since_when_a_pile_was_watched_is_written_and_read(felt: Felt) -> None:
    item = watched(felt.bets({1: "100"}).states[-1].objects[0], 1234)
    state = replace(felt.states[-1], objects=(item,))
    assert parse_state(format_state(state)).objects[0].since_ms == 1234


def wager_missing_where_a_segment_begins(felt: Felt, *, anew: bool, gap_ms: int = 80) -> list[TableState]:
    """A wager and the dealer's cards; a state of another segment follows at once, and has no wager."""
    felt.bets({1: "100", 2: "25"}).deal({1: "Th 9c", 2: "Tc 8s"}, dealer="Td 7s").turn().pay(1, "100")
    wager = felt.at("seat2.main")
    shown = [replace(one, objects=tuple(watched(item, 900) for item in one.objects)) for one in felt.states]
    last = shown[-1]
    seen = [item for item in last.objects if item.kind != "chips" or distance(item.xy_mm, wager) > 1]
    first_ms = last.span.last + gap_ms
    after = TableState(
        span=Span.of(first_ms, first_ms + 200),
        objects=tuple(watched(item, 1000 if anew else 900) for item in seen),
        hands=(HandSeen(side="dealer", zones=("seat2.main", "rack"), span=Span.of(first_ms, first_ms + 100)),),
    )
    return [*shown, after]


def taken(states: list[TableState]) -> list[str]:
    return [one.key.bet for one in only_round(states).observed.takes]


def test_wager_that_another_segment_never_saw_was_not_taken_as_far_as_is_known(felt: Felt) -> None:
    states = wager_missing_where_a_segment_begins(felt, anew=True)
    assert taken(states) == []
    assert [one for one in accused(states) if one[1] in {"P280", "P281"}] == []


def test_wager_that_goes_under_the_dealers_hand_in_one_segment_was_taken(felt: Felt) -> None:
    assert taken(wager_missing_where_a_segment_begins(felt, anew=False)) == ["main"]


def test_wager_that_goes_well_before_another_segment_begins_was_taken(felt: Felt) -> None:
    assert taken(wager_missing_where_a_segment_begins(felt, anew=True, gap_ms=900)) == ["main"]


def test_wager_taken_and_another_paid_without_a_hand_over_the_rack_is_no_shifted_wager(felt: Felt) -> None:
    """The payment comes before the bet that has stayed, not far from where the other one stood."""
    split_hands(felt).remove("s2.main.1")
    felt.hand("dealer", "seat2.main").hand("dealer", "seat2.main")
    x, y = felt.things["s2.main.2"].xy_mm
    turn = math.radians(felt.axis(2))
    felt.put_chips("s2.pay.0", "25", (x + 42.0 * math.sin(turn), y - 42.0 * math.cos(turn)))
    felt.snap().collect(2).pick_up()
    assert found(felt) == []
    assert pays_of(felt) == [("split", "25")]


def test_payment_straight_before_its_bet_is_not_taken_for_the_bet_when_another_comes(felt: Felt) -> None:
    """The bet and its payment, both of 25, lie no farther to the right than each other; then the double is paid."""
    felt.bets({2: "25"}).deal({2: "5s 6h"}, dealer="Td 8c").double(2, "10", "Td").turn().pay(2, "25")
    for right, hand in ((-3.0, False), (6.0, True)):
        felt.things["s2.main.1"] = shifted(felt, "s2.main.1", right)
        felt.things["s2.pay.0"] = shifted(felt, "s2.pay.0", -right)
        if hand:
            felt.hand("dealer", "seat2.main")
            felt.put_chips("s2.pay.1", "10", felt.at("seat2.main", 42.0, -75.0))
        felt.snap()
    felt.collect(2).pick_up()
    assert pays_of(felt) == [("main", "25"), ("double", "10")]
    assert found(felt) == []


def test_payment_at_the_other_end_of_its_wagers_zone_is_paid() -> None:
    felt = Felt(wide_profile("blackjack", ("main",), seats=1, finder=False)).bets({1: "25"})
    x, y = felt.things["s1.main.1"].xy_mm
    felt.put_chips("s1.main.1", "25", (x - 60.0, y))
    felt.snap().deal({1: "9c Tc"}, dealer="Tc 7d").turn().hand("dealer", "seat1.main", "rack")
    felt.put_chips("s1.pay.0", "25", (x + 60.0, y))
    felt.snap().collect(1).pick_up()
    assert pays_of(felt) == [("main", "25")]


def shifted(felt: Felt, name: str, right: float) -> SeenObject:
    """A pile that jitters to the right along its seat."""
    turn, item = math.radians(felt.axis(2)), felt.things[name]
    x, y = item.xy_mm
    return replace(item, xy_mm=(x + right * math.cos(turn), y + right * math.sin(turn)))


@pytest.mark.parametrize(("lifted", "piles"), [("player", 2), (None, 1)])
def test_pile_where_another_was_collected_long_ago_is_not_that_one(felt: Felt, lifted: str | None, piles: int) -> None:
    """Its place was bare before the first card, a view was lost, and who laid the new one there was not seen."""
    felt.put_chips("pile", "20", felt.at("seat2.main"))
    felt.snap().snap().snap()
    if lifted is not None:
        felt.hand(lifted, "seat2.main")
    felt.remove("pile")
    felt.snap().snap().snap().card(1, "Th").lost().snap()
    felt.put_chips("pile", "20", felt.at("seat2.main"))
    felt.hand("player", "seat1.cards").snap().card(1, "9h")
    piece = Slice(states=tuple(felt.states), first=6, last=len(felt.states) - 1)
    assert len(track_piles(piece, Places(profile=felt.profile))) == piles
