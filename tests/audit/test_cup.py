"""The cup is shaken in the dealer's hand, off the felt, put down, and opened where it stands."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.pipeline import audit_states
from audit.readings import RECOGNISED
from audit.states import SeenObject
from audit.timing import Span
from tests.audit.asking import accused, found
from tests.audit.pairs.dice import cup_covered, cup_opened, dicey, faces, game, shoot
from tests.audit.pairs.pair import change, put
from tests.notation import Felt

Told = list[tuple[str, str, str | None]]


def carried(felt: Felt, shakes: int, *, put_at: float = 0.0, opened_at: float = 0.0, wait_ms: int = 0) -> Felt:
    """Seat 2 antes 20 on a ten and stands; the cup is lifted, shaken, put down and opened; 4 and 5 make 19 of it."""
    x, y = felt.at("dice")
    put(felt, "cup", "dice_cup", (x, y), lid="on")
    felt.bets({2: "20"}, "ante").card(2, "Ts").hand("player", "seat2.cards", seat=2).snap()
    felt.remove("cup")
    felt.hand("dealer", "dice", "rack").snap()
    put(felt, "cup", "dice_cup", (x + put_at, y), lid="on", shakes=shakes)
    felt.hand("dealer", "dice").snap()
    felt.now += wait_ms
    change(felt, "cup", lid="off", shakes=None, xy_mm=(x + opened_at, y))
    felt.roll(*faces(felt))
    for name in felt.names("die."):
        dx, dy = felt.things[name].xy_mm
        change(felt, name, xy_mm=(dx + opened_at, dy))
    felt.states.pop()
    felt.hand("dealer", "dice").snap()
    felt.pay_spot(2, "ante", "20").collect_spot(2, "ante").pick_up_seat(2)
    felt.remove("cup")
    put(felt, "cup", "dice_cup", (x, y), lid="on")
    return felt.cover_dice()


@pytest.mark.parametrize(("table", "procedure"), [(shoot, "P018"), (dicey, "P050")])
def test_cup_shaken_twice_in_the_hand_was_shaken_twice(table: type[Felt], procedure: str) -> None:
    assert accused(carried(table(), 2)) == [("violation", procedure, None)]
    assert found(carried(table(), 3)) == []


@pytest.mark.parametrize("seen", [{"wait_ms": 3000}, {"put_at": 60.0}])
def test_cup_that_may_have_been_shaken_again_is_not_judged(seen: dict[str, int]) -> None:
    ((verdict, procedure, _),) = found(carried(shoot(), 2, **seen))
    assert (verdict, procedure) == ("undetermined", "P018")


def test_cup_that_hands_were_over_for_long_before_it_was_opened_may_have_been_shaken_there() -> None:
    """The state in which it stood lasted while it was shaken, as nothing on the felt changed: "shaken 0 times"."""
    felt = carried(shoot(), 0)
    opened = next(n for n, state in enumerate(felt.states) if any(one.lid == "off" for one in state.objects))
    state = felt.states[opened]
    long = Span.of(state.span.first - 3_000, state.span.last)
    felt.states[opened] = replace(state, hands=tuple(replace(hand, span=long) for hand in state.hands))
    assert [one[:2] for one in found(felt)] == [("undetermined", "P018")]


def test_cup_opened_at_a_seat_is_off_the_centre() -> None:
    assert accused(carried(shoot(), 3, put_at=200.0, opened_at=200.0)) == [("violation", "P020", None)]
    assert found(carried(shoot(), 3, put_at=140.0, opened_at=140.0)) == []


@pytest.mark.parametrize(("read", "verdict"), [(True, "violation"), (False, "suspect")])
def test_third_die_that_was_not_read_is_a_suspect_in_footage(read: bool, verdict: str) -> None:
    felt = carried(shoot(), 3)
    place = felt.at("dice", 80.0, 40.0)
    third = SeenObject(kind="die", xy_mm=place, value=6 if read else None, candidates={} if read else {"6": 0.6})
    states = [
        replace(state, objects=(*state.objects, third)) if any(one.kind == "die" for one in state.objects) else state
        for state in felt.states
    ]
    (one,) = audit_states(states, felt.profile, thresholds=RECOGNISED).rounds
    assert [finding.verdict.value for finding in one.findings if "P023" in finding.procedures] == [verdict]


@pytest.mark.parametrize(("table", "told"), [(shoot, "P038"), (dicey, "P059")])
def test_dice_of_the_round_before_that_are_covered_late_were_not_thrown_again(table: type[Felt], told: str) -> None:
    """The cup stands open until the first card is out, which is one error; then it is covered, shaken and opened."""
    felt = table()
    put(felt, "cup", "dice_cup", felt.at("dice"), lid="off", shakes=0)
    felt.roll(*faces(felt)).bets({2: "20"}, "ante").card(2, "Ts")
    cup_opened(cup_covered(felt, shakes=3), *faces(felt))
    cup_covered(felt.pay_spot(2, "ante", "20").collect_spot(2, "ante").pick_up_seat(2))
    assert accused(felt) == [("violation", told, None)]


@pytest.mark.parametrize("lasts", [1, 3])
def test_wager_that_fell_over_and_was_set_up_again_was_not_settled_before_the_reveal(lasts: int) -> None:
    felt = shoot().bets({2: "red red red red"}, "ante").card(2, "Ts").hand("dealer", "seat2.ante")
    felt.put_chips("s2.ante.1", "red red", felt.at("seat2.ante"))
    felt.put_chips("s2.ante.2", "red red", felt.at("seat2.ante", 28.0, 30.0))
    for _ in range(lasts):
        felt.snap()
    felt.hand("dealer", "seat2.ante").remove("s2.ante.2")
    felt.put_chips("s2.ante.1", "red red red red", felt.at("seat2.ante"))
    felt.snap().roll(4, 5).pay_spot(2, "ante", "20").collect_spot(2, "ante").pick_up_seat(2).cover_dice()
    assert accused(felt) == []


def test_card_that_lay_unseen_while_the_cup_was_closed_was_not_dealt_beside_an_open_one() -> None:
    """An arm hides the card from the deal until the dice are shown."""
    felt = shoot()
    put(felt, "cup", "dice_cup", felt.at("dice"), lid="on", shakes=0)
    felt.bets({2: "20"}, "ante")
    dealt = len(felt.states)
    felt.card(2, "Ts").hand("player", "seat2.cards", seat=2).snap()
    change(felt, "cup", shakes=3).hand("dealer", "dice").snap()
    cup_opened(felt, *faces(felt))
    for place in range(dealt, len(felt.states)):
        state = felt.states[place]
        seen = tuple(item for item in state.objects if item.kind != "card")
        felt.states[place] = replace(state, objects=seen, covered=state.covered | {"seat2.cards"})
    felt.pay_spot(2, "ante", "20").collect_spot(2, "ante").pick_up_seat(2)
    assert [one for one in accused(cup_covered(felt)) if one[1] == "P038"] == []


@pytest.mark.parametrize(("shakes", "told"), [(2, []), (3, ["suspect"])])
def test_arms_that_deal_beside_the_cup_shake_it_once_or_twice_as_it_seems(shakes: int, told: list[str]) -> None:
    """P019: three swings before the last card are a shaking. On a table's true states one is told."""
    felt = game(shoot(), first="6s", hit="4c", early=shakes)
    (one,) = audit_states(felt.states, felt.profile, thresholds=RECOGNISED).rounds
    assert [it.verdict.value for it in one.findings if it.code == "cup-early"] == told
    assert ("violation", "P019") in {(verdict, procedure) for verdict, procedure, _ in accused(felt)}


def test_look_that_a_hand_on_its_way_to_the_cover_hides_shakes_nothing() -> None:
    felt = carried(shoot(), 2)
    opened = next(n for n, state in enumerate(felt.states) if any(one.lid == "off" for one in state.objects))
    before, after = felt.states[opened - 1], felt.states[opened]
    at = before.span.last + 50
    over = tuple(replace(hand, span=Span.of(at, at + 400)) for hand in after.hands)
    hidden = replace(before, span=Span.of(at + 300, at + 400), hands=over, covered=frozenset({"dice"}))
    hidden = replace(hidden, objects=tuple(one for one in before.objects if one.kind != "dice_cup"))
    after = replace(after, span=Span.of(at + 800, after.span.last), hands=over)
    felt.states[opened : opened + 1] = [hidden, after]
    assert accused(felt) == [("violation", "P018", None)]


@pytest.mark.parametrize(("aside", "broken"), [(0.0, False), (200.0, True)])
def test_one_die_far_from_the_cup_that_a_later_look_shows_was_tipped_out(aside: float, broken: bool) -> None:
    felt = carried(shoot(), 3)
    opened = next(n for n, state in enumerate(felt.states) if any(one.lid == "off" for one in state.objects))
    last = next(one for one in felt.states[opened].objects if one.kind == "die")
    for n, state in enumerate(felt.states):
        things = [one for one in state.objects if n != opened or one.kind != "dice_cup"]
        moved = [
            replace(one, xy_mm=(one.xy_mm[0] + aside, one.xy_mm[1]))
            if one.kind == "die" and one.xy_mm == last.xy_mm
            else one
            for one in things
        ]
        felt.states[n] = replace(state, objects=tuple(moved))
    assert [one for one in accused(felt) if one[1] == "P021"] == ([("violation", "P021", None)] if broken else [])
