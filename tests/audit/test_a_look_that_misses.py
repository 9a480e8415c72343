"""One look that misses a thing, or does not read it: what lay there before and after lies there still."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.pipeline import audit_states
from audit.states import SeenObject, StackCandidate
from tests.audit.asking import accused, audited, only_round
from tests.audit.pairs.between import cut_and_burnt
from tests.audit.pairs.deal import peek
from tests.audit.pairs.dice import shoot
from tests.audit.test_piles import pays_of
from tests.notation import Felt, merged, sample_profile, wide_profile


def without(felt: Felt, name: str) -> Felt:
    """A state that misses one thing, which nobody touched."""
    item = felt.things.pop(name)
    felt.snap()
    felt.things[name] = item
    return felt


def test_up_card_not_read_under_the_ace_finder_is_the_same_card_when_it_is_back() -> None:
    felt = Felt(sample_profile(finder=True)).bets({1: "25"}).deal({1: "Th 8c"}, dealer="Td 7s")
    peek(felt)
    finder = felt.states[-2]
    under = [replace(item, card=None) if item.card == "Td" else item for item in finder.objects]
    felt.states.insert(-1, replace(finder, objects=tuple(under), hands=()))
    felt.turn().pay(1, "25").collect(1).pick_up()
    assert [str(card) for card in only_round(felt).observed.round.dealer] == ["Td", "7s"]
    assert "P254" not in {procedure for _, procedure, _ in accused(felt)}


def with_unread_face(felt: Felt, state: int) -> None:
    """One state does not read the dealer's up card."""
    seen = felt.states[state]
    objects = [replace(item, card=None) if item.card == "Td" else item for item in seen.objects]
    felt.states[state] = replace(seen, objects=tuple(objects))


@pytest.mark.parametrize("state", [-2, -1], ids=["under it", "back"])
def test_up_card_not_read_as_it_comes_to_the_ace_finder_or_back_is_no_card_drawn(state: int) -> None:
    """Both of the dealer's cards slide there and back together (004:L806)."""
    felt = peek(Felt(sample_profile(finder=True)).bets({1: "25"}).deal({1: "Th 8c"}, dealer="Td 7s"))
    with_unread_face(felt, state)
    felt.turn().pay(1, "25").collect(1).pick_up()
    assert [str(card) for card in only_round(felt).observed.round.dealer] == ["Td", "7s"]
    assert accused(felt) == []


def doubtful(felt: Felt, state: int) -> None:
    """One state does not read the dealer's ten of diamonds: it may as well be a jack."""
    seen = felt.states[state]
    perhaps = {"Td": 0.4, "Jd": 0.3}
    objects = [replace(item, card=None, candidates=perhaps) if item.card == "Td" else item for item in seen.objects]
    felt.states[state] = replace(seen, objects=tuple(objects))


def peeked_at_in_the_hand(hole: str) -> Felt:
    """A look into the ace finder at which only the back of the hole card shows."""
    felt = peek(Felt(sample_profile(finder=True)).bets({1: "25"}).deal({1: "Th 8c"}, dealer=f"Td {hole}"))
    under = felt.states[-2]
    felt.states[-2] = replace(under, objects=tuple(item for item in under.objects if item.card != "Td"))
    return felt


@pytest.mark.parametrize("state", [-3, -1], ids=["before", "back"])
def test_up_card_in_doubt_before_or_after_it_was_hidden_at_the_ace_finder_is_no_second_one(state: int) -> None:
    felt = peeked_at_in_the_hand("7s")
    doubtful(felt, state)
    felt.turn().pay(1, "25").collect(1).pick_up()
    assert [str(card) for card in only_round(felt).observed.round.dealer] == ["Td", "7s"]
    assert accused(felt) == []


def test_dealer_who_draws_on_seventeen_is_told_though_his_up_card_was_in_doubt_before_the_ace_finder() -> None:
    felt = peeked_at_in_the_hand("7s")
    doubtful(felt, -3)
    felt.turn().dealer_hits("2c").take(1).pick_up()
    assert [str(card) for card in only_round(felt).observed.round.dealer] == ["Td", "7s", "2c"]
    assert "P254" in {procedure for _, procedure, _ in accused(felt)}


def test_up_card_not_read_before_it_is_turned_sideways_is_the_up_card_all_the_same() -> None:
    """The ace and the hole card are turned sideways where they lie: 19 mm aside (004:L798)."""
    felt = Felt(wide_profile("blackjack", ("main",), seats=1)).bets({1: "25"}).deal({1: "Th 8c"}, dealer="Ad 7s")
    for name in ("d.up", "d.hole"):
        item = felt.things[name]
        felt.things[name] = replace(item, xy_mm=(item.xy_mm[0] + 18.0, item.xy_mm[1] - 5.0), angle_deg=90.0)
    felt.hand("dealer", "dealer.cards").snap()
    for state in (-2, -1):
        seen = felt.states[state]
        objects = [replace(item, card=None) if item.card == "Ad" else item for item in seen.objects]
        felt.states[state] = replace(seen, objects=tuple(objects))
    peek(felt, sideways=True).turn().pay(1, "25").collect(1).pick_up()
    assert [str(card) for card in only_round(felt).observed.round.dealer] == ["Ad", "7s"]


def test_first_card_that_the_look_at_the_second_misses_begins_the_round() -> None:
    felt = table_dealt()
    place = next(n for n, state in enumerate(felt.states) if sum(one.kind == "card" for one in state.objects) == 2)
    seen = felt.states[place]
    felt.states[place] = replace(seen, objects=tuple(one for one in seen.objects if one.card != "Th"))
    one = only_round(felt)
    assert [str(card) for card in one.observed.round.seats[1].hands[0]] == ["Th", "8c"]
    assert one.findings == ()


def table_dealt() -> Felt:
    felt = Felt(sample_profile()).bets({1: "25", 2: "25"}).deal({1: "Th 8c", 2: "9h 9c"}, dealer="Td 7s")
    return felt.turn().pay(2, "25").pay(1, "25").collect(2).collect(1).pick_up()


def test_pile_that_one_look_misses_is_the_one_that_stood_there_last(felt: Felt) -> None:
    """The bet and payment of the round before were collected; the new bet, another one like the old, is missed once."""
    felt.bets({1: "25"}).deal({1: "Th 8c"}, dealer="Td 7s").turn().pay(1, "25").pick_up().snap().collect(1).snap()
    felt.bets({1: "25"}).snap().snap().deal({1: "Ts 9c"}, dealer="Jd 8s")
    without(felt, "s1.main.1").snap().turn().pay(1, "25").collect(1).pick_up()
    assert [str(one.observed.round.wagers[0].amount) for one in audited(felt).rounds] == ["25", "25"]
    assert accused(felt) == []


def test_payment_that_a_look_misses_before_it_is_stacked_upon_its_bet_is_paid_once() -> None:
    felt = Felt(wide_profile("blackjack", ("main", "trilux"), seats=1, finder=False))
    felt.bets({1: "25"}).bets({1: "5"}, "trilux").deal({1: "9c 8c"}, dealer="Tc 9d").pay_spot(1, "trilux", "45").snap()
    without(felt, "s1.trilux.pay").remove("s1.trilux.pay")
    x, y = felt.things["s1.trilux.1"].xy_mm
    felt.hand("dealer", "seat1.trilux").put_chips("s1.trilux.1", "50", (x, y))
    felt.snap().collect_spot(1, "trilux").turn().take(1, "main.1").pick_up()
    assert pays_of(felt) == [("trilux", "45")]


def test_bet_that_a_look_misses_before_the_hand_that_takes_it_was_taken_by_that_hand(felt: Felt) -> None:
    felt.bets({1: "25"}).deal({1: "Th 8c"}, dealer="Td 9s").turn().snap()
    without(felt, "s1.main.1").take(1).pick_up()
    assert [str(one.amount) for one in only_round(felt).observed.takes] == ["25"]


def test_paid_bet_that_was_gone_before_the_dealers_hand_came_was_not_taken_by_it(felt: Felt) -> None:
    """A blackjack clip with lost frames, 168 s: the player collected bet and payment while no frame was taken."""
    felt.bets({1: "25"}).deal({1: "Th 9c"}, dealer="Td 8s").turn().pay(1, "25").snap()
    for name in [*felt.names("s1.main"), *felt.names("s1.pay")]:
        felt.remove(name)
    felt.snap().hand("dealer", "seat1.main", "seat1.cards", "rack").pick_up()
    assert accused(felt) == []
    assert [str(one.amount) for one in only_round(felt).observed.pays] == ["25"]


def test_player_who_puts_in_the_cut_card_reaches_for_cards_that_no_look_shows() -> None:
    felt = cut_and_burnt(stack=(0.0, 120.0))
    felt.states[:] = [
        replace(state, objects=tuple(item for item in state.objects if item.kind != "card_back"))
        if any(item.kind == "cut_card" for item in state.objects)
        else state
        for state in felt.states
    ]
    assert "P203" not in {procedure for _, procedure, _ in accused(felt)}


def bought(*, missed: str) -> Felt:
    """A hundred for a bill of a hundred, cut into four piles of red; a look misses one thing there."""
    felt = Felt()
    felt.hand("dealer", "dealer.cards")
    at = (-100.0, 100.0)
    felt.things["bill"] = SeenObject(kind="bill", xy_mm=at, angle_deg=0.0, extra={"amount": "100.00", "side": "up"})
    felt.snap().hand("dealer", "rack")
    for place in range(4):
        felt.put_chips(f"cut.{place}", "red red red red red", (60.0 + 44.0 * place, 20.0))
    felt.snap().snap()
    without(felt, missed).hand("dealer", "rack")
    for name in felt.names("cut."):
        felt.remove(name)
    felt.snap().hand("dealer", "dealer.cards").remove("bill")
    return felt.snap().bets({1: "25"}).deal({1: "Th 8c"}, dealer="Td 9s").turn().take(1).pick_up()


def test_pile_that_the_last_look_at_change_misses_was_given_all_the_same() -> None:
    assert not {"P170", "P176"} & {procedure for _, procedure, _ in accused(bought(missed="cut.3"))}


def test_bill_that_the_last_look_at_change_misses_lay_there_all_the_same() -> None:
    assert not {"P170", "P176"} & {procedure for _, procedure, _ in accused(bought(missed="bill"))}


def test_back_that_comes_under_two_cards_that_lie_face_up_is_no_card(felt: Felt) -> None:
    """In a degraded clip it was the dealer's second extra card."""
    felt.bets({1: "25"}).deal({1: "Th 8c"}, dealer="Td 7s").turn().snap()
    up = [item for item in felt.states[-1].objects if item.kind == "card" and item.xy_mm[1] < 180]
    (left, y), (right, _) = (item.xy_mm for item in up)
    phantom = replace(up[0], kind="card_back", card=None, candidates={}, angle_deg=78.0, xy_mm=((left + right) / 2, y))
    felt.states[-1] = replace(felt.states[-1], objects=(*felt.states[-1].objects, phantom))
    felt.pay(1, "25").collect(1).pick_up()
    assert [str(card) for card in only_round(felt).observed.round.dealer] == ["Td", "7s"]
    assert accused(felt) == []


def test_hole_card_turned_and_a_card_drawn_since_the_look_into_the_ace_finder_keep_their_order() -> None:
    """No state shows the two cards back from the ace finder: the hole card is the one beside where it lay."""
    felt = peek(Felt(sample_profile(finder=True)).bets({1: "25"}).deal({1: "Th 8c"}, dealer="Td 5s"))
    felt.hand("player", "seat1.cards", seat=1).snap().turn().dealer_hits("2c")
    felt.states = merged(felt.states, range(len(felt.states) - 4, len(felt.states) - 1))
    felt.pay(1, "25").collect(1).pick_up()
    assert [str(card) for card in only_round(felt).observed.round.dealer] == ["Td", "5s", "2c"]


def test_pile_misread_before_a_hand_hides_it_was_not_paid_by_that_hand() -> None:
    """The looks before and since say nine reds; the last before the dealer's hand says eight or nine."""
    nine = " ".join(["red"] * 9)
    felt = Felt(sample_profile()).bets({1: nine}).deal({1: "Th 8c"}, dealer="Td 7s").snap()
    eight = tuple(StackCandidate(stack=("red",) * n, p=p) for n, p in ((8, 0.55), (9, 0.44)))
    wager = felt.things["s1.main.1"]
    felt.things["s1.main.1"] = replace(wager, stack=eight[0].stack, stacks=eight)
    felt.snap().hand("dealer", "seat1.main").things["s1.main.1"] = wager
    felt.snap().turn().pay(1, nine).collect(1).pick_up()
    assert accused(felt) == []


@pytest.mark.parametrize("way", [0.0, 60.0], ids=["left lying", "pushed"])
def test_cards_of_one_face_read_by_turns_lie_where_they_lay(way: float) -> None:
    """Before the player's signal one of his two nines is not read, and after it the other; or he pushes one away."""
    felt = Felt(sample_profile()).bets({1: "25"}).deal({1: "9c 9c"}, dealer="Td 7s").snap()
    places = [felt.things[name].xy_mm for name in felt.names("s1.h")]
    nines_read(felt, places[:1]).hand("player", "seat1.cards", seat=1)
    name = felt.names("s1.h")[-1 if way else 0]
    x, y = felt.things[name].xy_mm
    felt.things[name] = replace(felt.things[name], xy_mm=(x, y - way))
    felt.snap()
    nines_read(felt, places[:1] if way else places[1:])
    felt.snap().turn().pay(1, "25").collect(1).pick_up()
    assert "P217" not in {procedure for _, procedure, _ in accused(felt)}


def nines_read(felt: Felt, places: list[tuple[float, float]]) -> Felt:
    """The last state reads only the nines that lie there."""
    seen = felt.states[-1]
    nines = [item.card is not None and str(item.card) == "9c" for item in seen.objects]
    objects = [
        replace(item, card=None) if nine and item.xy_mm not in places else item
        for item, nine in zip(seen.objects, nines, strict=True)
    ]
    felt.states[-1] = replace(seen, objects=tuple(objects))
    return felt


def test_hole_card_turned_aside_under_a_hand_is_that_card_though_the_up_card_lay_half_upon_it() -> None:
    """Film19 c, 52 s: the up card, seen again beside where the hole card had been, was no face of that."""
    felt = Felt(sample_profile()).bets({1: "25"}).deal({1: "Th 8c"}, dealer="Td 7s")
    x, y = felt.things["d.up"].xy_mm
    felt.put_card("d.hole", "back", (x + 13.0, y - 7.0), 0.0)
    felt.snap()
    felt.put_card("d.hole", "7s", felt.at("dealer.cards", -180.0), 0.0)
    felt.snap(covered=["dealer.cards"]).snap().pay(1, "25").collect(1).pick_up()
    assert [str(card) for card in only_round(felt).observed.round.dealer] == ["Td", "7s"]


def test_hole_card_first_seen_at_the_ace_finder_is_the_one_turned_where_it_lay_and_not_the_next() -> None:
    """Both the turned card and a hit come in one gap; the hit lies nearer to the ace finder."""
    felt = Felt(sample_profile(finder=True)).bets({1: "25"}).deal({1: "Th 8c"}, dealer="Td 2s")
    hole = felt.things.pop("d.hole")
    felt.states[-1] = replace(felt.states[-1], objects=tuple(felt.things.values()))
    for place in (felt.at("ace_finder"), hole.xy_mm):
        felt.hand("dealer", "dealer.cards", "ace_finder").things["d.hole"] = replace(hole, xy_mm=place)
        felt.snap()
    shown = len(felt.states)
    felt.turn().dealer_hits("8s").take(1).pick_up()
    (one,) = audit_states(merged(felt.states, [shown]), felt.profile).rounds
    assert [str(card) for card in one.observed.round.dealer] == ["Td", "2s", "8s"]
    assert [it.code for it in one.findings if it.verdict.value == "violation"] == []


def test_bet_missed_in_the_look_that_shows_its_double_was_not_moved() -> None:
    """The next look shows both where they are, and nobody's hand came: no double to the left, no late money."""
    felt = Felt().bets({1: "25"}).deal({1: "5h 6c"}, dealer="6d Ts").hand("player", "seat1.main", seat=1)
    felt.put_chips("s1.double.1", "25", felt.at("seat1.main", 48.0))
    bet = felt.things.pop("s1.main.1")
    felt.snap()
    felt.things["s1.main.1"] = bet
    felt.snap().card(1, "9d", sideways=True).turn().dealer_hits("9s").pay(1, "25").pay(1, "25", beside="double.1")
    assert accused(felt.collect(1).pick_up()) == []


@pytest.mark.parametrize(("zones", "rounds"), [((), 1), (("seat1.cards",), 2)])
def test_look_that_misses_the_last_cards_ends_no_round(zones: tuple[str, ...], rounds: int) -> None:
    """The next look shows them where they lay; where the dealer's hand came they may have gone, and come anew."""
    felt = shoot().bets({1: "10", 2: "20"}, "ante").card(1, "Td").card(2, "Qs").roll(2, 2)
    felt.pay_spot(2, "ante", "20").collect_spot(2, "ante").hand("dealer", "seat2.cards", *zones, "discard")
    for name in felt.names("s2.h1"):
        felt.remove(name)
    last = {name: felt.things.pop(name) for name in felt.names("s1.h1")}
    felt.snap()
    felt.things.update(last)
    felt.snap().hand("player", "seat2.ante", seat=2).snap().take_spot(1, "ante").pick_up_seat(1)
    assert last
    assert len(audited(felt.cover_dice()).rounds) == rounds


def test_up_card_never_read_is_back_where_it_lay_as_the_hole_card_is_turned_beside_it() -> None:
    """They lie one upon the other and go to the ace finder; the next look shows a blackjack, of which one is read."""
    felt = Felt(sample_profile(finder=True)).bets({1: "25", 2: "25"}).deal({1: "Th 8c", 2: "9c 9d"}, dealer="Kd As")
    up, hole = felt.things["d.up"], felt.things["d.hole"]
    below = replace(hole, xy_mm=(up.xy_mm[0] + 3.0, up.xy_mm[1] - 6.0))
    felt.states = [
        replace(state, objects=tuple(below if it == hole else it for it in state.objects)) for state in felt.states
    ]
    felt.things["d.hole"] = below
    peek(felt).states.pop()
    felt.hand("dealer", "ace_finder", "dealer.cards").turn().take(2).take(1).pick_up()
    felt.states = [
        replace(state, objects=tuple(replace(it, card=None) if it.card == "Kd" else it for it in state.objects))
        for state in felt.states
    ]
    assert [str(card) for card in only_round(felt).observed.round.dealer[1:]] == ["As"]
    assert [it for it in accused(felt) if it[0] == "violation"] == []
