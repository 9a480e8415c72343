"""Lucky Draw Baccarat (003): in which order the cards are dealt, and Draw bets without a card."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.pipeline import audit_states
from audit.readings import RECOGNISED, Thresholds
from tests.audit.asking import accused, found, only_round
from tests.audit.hands_of_cards import changed, closed, opened, shown
from tests.notation import Felt, unread, wide_profile


@pytest.fixture
def lucky() -> Felt:
    return Felt(wide_profile("lucky_draw_baccarat", ("block_bonus", "draw", "enter")))


def dealt_to(felt: Felt, order: str) -> Felt:
    """Two seats lose their Enter bets; the players' cards come to the seats in this order."""
    felt.bets({1: "20", 2: "20"}, "enter")
    cards = {"1": ["2h", "3c"], "2": ["2s", "3d"]}
    for seat in order:
        felt.card(int(seat), cards[seat].pop(0))
    felt.dealer_card("down", "back", -60.0).dealer_card("up", "9d", 20.0)
    return shown(felt, "Kc").take_spot(2, "enter").take_spot(1, "enter").pick_up()


@pytest.mark.parametrize("early", [True, False])
def test_dealers_cards_stay_until_every_wager_is_settled(lucky: Felt, early: bool) -> None:
    felt = shown(opened(lucky, "4s 2d", "7h", enter="20"), "Kd")
    for step in ("cards", "money") if early else ("money", "cards"):
        if step == "money":
            felt.take_spot(2, "enter")
            continue
        felt.hand("dealer", "dealer.cards", "discard")
        for name in felt.names("d."):
            felt.remove(name)
        felt.snap()
    assert [one[:2] for one in accused(felt.pick_up())] == ([("suspect", "P419")] if early else [])


@pytest.mark.parametrize("order", ["1212", "1122"])
def test_cards_come_round_by_round_or_two_at_once(lucky: Felt, order: str) -> None:
    assert found(dealt_to(lucky, order)) == []


@pytest.mark.parametrize("order", ["2121", "2211", "1221", "2112"])
def test_cards_from_the_right_break_p094_either_way(lucky: Felt, order: str) -> None:
    assert accused(dealt_to(lucky, order)) == [("violation", "P094", None)]


def test_lost_draw_bet_without_a_card_breaks_p099(lucky: Felt) -> None:
    shown(opened(lucky, "2h Tc", "9d", enter="20").bets({2: "20"}, "draw"), "Kc").take_spot(2, "draw")
    assert found(closed(lucky.take_spot(2, "enter"))) == [("violation", "P099", None)]


def test_won_draw_bet_without_a_card_is_not_decided_for_want_of_the_card(lucky: Felt) -> None:
    shown(opened(lucky, "9h Tc", "6d", enter="20").bets({2: "20"}, "draw"), "Kc").pay_spot(2, "draw", "20")
    closed(lucky.collect_spot(2, "draw").pay_spot(2, "enter", "20"))
    assert [(one.procedures[0], one.observed) for one in only_round(lucky).findings] == [
        ("P099", "no third card"),
        ("P105", "seat 2 draw: 9 wins, but the Draw odds are for hands of three cards (003:L74-83)"),
    ]


def test_draw_bet_taken_back_before_its_card_is_no_wager(lucky: Felt) -> None:
    opened(lucky, "9h Tc", "6d", enter="20").bets({2: "20"}, "draw").collect_spot(2, "draw")
    one = only_round(closed(shown(lucky, "Kc").pay_spot(2, "enter", "20")))
    assert (list(one.findings), [wager.key.bet for wager in one.observed.round.wagers]) == ([], ["enter"])


def test_draw_bet_taken_back_after_its_card_is_pinched(lucky: Felt) -> None:
    opened(lucky, "2h Tc", "9d", enter="20").bets({2: "20"}, "draw").card(2, "Kd").collect_spot(2, "draw")
    assert accused(closed(shown(lucky, "Ks").take_spot(2, "enter"))) == [("violation", "P206", "20.00")]


def test_draw_bet_lowered_after_its_card_is_pinched(lucky: Felt) -> None:
    opened(lucky, "2h Tc", "9d", enter="20").bets({2: "20"}, "draw").card(2, "Kd")
    shown(changed(lucky, "draw", "10"), "Ks").take_spot(2, "draw").take_spot(2, "enter")
    assert accused(closed(lucky)) == [("violation", "P206", "10.00")]


@pytest.mark.parametrize(
    ("never_read", "thresholds", "says"),
    [(False, RECOGNISED, True), (True, RECOGNISED, False), (True, Thresholds(), True)],
)
def test_dealers_first_card_of_which_no_face_was_read_may_lie_face_down_in_footage(
    lucky: Felt, never_read: bool, thresholds: Thresholds, says: bool
) -> None:
    lucky.bets({2: "20"}, "enter").card(2, "2h").card(2, "3c")
    lucky.dealer_card("down", "Kc", -60.0).dealer_card("up", "9d", 20.0).take_spot(2, "enter").pick_up()
    states = unread(lucky.states, "Kc") if never_read else lucky.states
    (one,) = audit_states(states, lucky.profile, thresholds=thresholds).rounds
    assert any("P095" in finding.procedures for finding in one.findings) is says


def test_pushed_block_bonus_may_be_taken_back_before_the_dealer_s_first_card_is_shown(lucky: Felt) -> None:
    opened(lucky, "6h 9c", "6h", enter="20", block_bonus="5").collect_spot(2, "block_bonus")
    assert accused(closed(shown(lucky, "Ts").take_spot(2, "enter"))) == []


def test_lost_block_bonus_taken_back_was_left(lucky: Felt) -> None:
    opened(lucky, "2h 9c", "6h", enter="20", block_bonus="5").collect_spot(2, "block_bonus")
    ((verdict, procedure, amount),) = accused(closed(shown(lucky, "Ts").take_spot(2, "enter")))
    assert (verdict, procedure, amount) == ("violation", "P097", "5.00")


def test_block_bonus_is_settled_against_the_card_that_lies_open_where_the_face_down_one_was_missed(lucky: Felt) -> None:
    """A queen and a two have lost against the seven of clubs; against the queen of hearts it would be a push."""
    lucky.bets({2: "20"}, "enter").bets({2: "5"}, "block_bonus").card(2, "Qh").card(2, "2s")
    lucky.dealer_card("up", "7c", 20.0).take_spot(2, "block_bonus").hand("dealer", "dealer.cards").snap()
    shown(lucky, "Qh").take_spot(2, "enter")
    assert accused(closed(lucky)) == []


def test_block_bonus_taken_back_before_the_up_card_is_pinched(lucky: Felt) -> None:
    lucky.bets({2: "20"}, "enter").bets({2: "5"}, "block_bonus").card(2, "2h").collect_spot(2, "block_bonus")
    lucky.card(2, "9c").dealer_card("down", "back", -60.0).dealer_card("up", "6h", 20.0)
    assert "P206" in [one[1] for one in accused(closed(shown(lucky, "Ts").take_spot(2, "enter")))]


@pytest.mark.parametrize(
    ("never_read", "thresholds", "verdict"),
    [(False, RECOGNISED, "violation"), (True, RECOGNISED, "suspect"), (True, Thresholds(), "violation")],
)
def test_fourth_card_that_was_never_read_is_a_suspect_in_footage(
    lucky: Felt, never_read: bool, thresholds: Thresholds, verdict: str
) -> None:
    opened(lucky, "5h Tc", "5d", enter="20").bets({2: "20"}, "draw").card(2, "4c").card(2, "Jd")
    shown(lucky, "Ks").collect_spot(2, "draw")
    states = unread(closed(lucky).states, "Jd") if never_read else closed(lucky).states
    (one,) = audit_states(states, lucky.profile, thresholds=thresholds).rounds
    assert [f.verdict.value for f in one.findings if "P100" in f.procedures] == [verdict]


def test_wager_collected_when_its_cards_are_away_is_not_pinched_where_the_dealers_card_was_not_seen(
    lucky: Felt,
) -> None:
    """The dealer's face-down card is never seen turned; the player takes his bet when his hand is put away."""
    opened(lucky, "2h Tc", "9d", enter="20").pick_up_seat(2).collect_spot(2, "enter")
    assert "P206" not in [procedure for _, procedure, _ in accused(lucky.pick_up())]


def test_wager_taken_back_while_its_cards_lie_there_is_pinched(lucky: Felt) -> None:
    opened(lucky, "2h Tc", "9d", enter="20").collect_spot(2, "enter")
    assert "P206" in [procedure for _, procedure, _ in accused(lucky.pick_up_seat(2).pick_up())]


def test_face_down_card_that_is_hidden_while_the_other_comes_is_not_turned(lucky: Felt) -> None:
    """An arm hides the dealer's first card when his second is laid beside it; it lies there again afterwards."""
    lucky.bets({2: "20"}, "enter").card(2, "2h").card(2, "Tc").dealer_card("down", "back", -60.0)
    down = lucky.things.pop("d.down")
    lucky.hand("dealer", "dealer.cards", "shoe").put_card("d.up", "9d", lucky.at("dealer.cards", 20.0), 0.0)
    lucky.snap(covered=["dealer.cards"])
    lucky.things["d.down"] = down
    shown(lucky.snap(), "Kc").take_spot(2, "enter").pick_up()
    assert accused(lucky) == []


# -- a tied wager changed after the dealer's card was turned -----------------------------------------------------------
def tied(felt: Felt) -> Felt:
    """Seats 1 and 2 bet 20; seat 2 ties with the dealer's seven, seat 1 loses to it."""
    felt.bets({1: "20", 2: "20"}, "enter")
    for seat, cards in ((1, "2h 3c"), (2, "2s 5d")):
        for code in cards.split():
            felt.card(seat, code)
    return shown(felt.dealer_card("down", "back", -60.0).dealer_card("up", "7d", 20.0), "Kc")


def test_tied_wager_that_grows_before_any_hand_is_settled_is_capped(lucky: Felt) -> None:
    changed(tied(lucky), "enter", "45").take_spot(1, "enter")
    assert accused(closed(lucky)) == [("violation", "P205", None)]


def test_tied_wager_that_grows_when_hands_are_being_settled_is_for_the_next_round(lucky: Felt) -> None:
    changed(tied(lucky).take_spot(1, "enter"), "enter", "45")
    assert accused(closed(lucky)) == []


@pytest.mark.parametrize(
    ("never_read", "thresholds", "verdict"),
    [(False, RECOGNISED, "violation"), (True, RECOGNISED, "suspect"), (True, Thresholds(), "violation")],
)
def test_a_dealer_s_card_that_was_never_read_may_be_none(
    lucky: Felt, *, never_read: bool, thresholds: Thresholds, verdict: str
) -> None:
    opened(lucky, "2h Tc", "2d", enter="20").dealer_card("down", "Ks", -60.0)
    lucky.dealer_card("third", "Ac", 90.0).dealer_card("fourth", "9c", 160.0).take_spot(2, "enter").pick_up()
    states = unread(lucky.states, "9c") if never_read else lucky.states
    (one,) = audit_states(states, lucky.profile, thresholds=thresholds).rounds
    twice = [str(finding.verdict) for finding in one.findings if finding.code == "dealer-drew-twice"]
    assert twice == [verdict]


# -- cards in a player's hand ------------------------------------------------------------------------------------------
def looked_at(felt: Felt, right: float) -> Felt:
    """Seat 2 lifts his cards, a two and a king, and lays them down again; then he draws a seven to a nine."""
    opened(felt, "2h Kd", "7h", enter="20")
    cards = {name: felt.things.pop(name) for name in felt.names("s2.h1.")}
    felt.hand("player", "seat2.cards", seat=2).snap()
    for name, card in cards.items():
        felt.things[name] = replace(card, xy_mm=(card.xy_mm[0] + right, card.xy_mm[1] - 4.0))
    felt.hand("player", "seat2.cards", seat=2).snap()
    return shown(felt.bets({2: "20"}, "draw").card(2, "7d"), "2d")


@pytest.mark.parametrize("right", [-24.0, 30.0])
def test_cards_that_a_player_lifted_are_the_same_when_he_has_laid_them_down(lucky: Felt, right: float) -> None:
    """A nine ties the dealer's. Only that he touched them is told (004:L579), and no fourth and fifth card."""
    felt = looked_at(lucky, right)
    felt.collect_spot(2, "enter").collect_spot(2, "draw")
    assert accused(felt.pick_up()) == [("violation", "P217", None)]


def test_cards_that_only_a_hand_hid_were_not_touched(lucky: Felt) -> None:
    felt = looked_at(lucky, 3.0)
    felt.collect_spot(2, "enter").collect_spot(2, "draw")
    assert accused(felt.pick_up()) == []


# -- looks that miss something -----------------------------------------------------------------------------------------
def test_face_down_card_missed_as_the_other_comes_was_not_turned(lucky: Felt) -> None:
    """Its place beside the card that came is bare for one look, and shows it again in the next."""
    lucky.bets({2: "20"}, "enter").card(2, "5s").dealer_card("down", "back", -60.0).card(2, "2d")
    back = lucky.things.pop("d.down")
    lucky.dealer_card("up", "7h", 20.0)
    lucky.things["d.down"] = back
    assert accused(closed(shown(lucky.snap(), "Kd"))) == []


def test_payment_under_cover_since_before_the_deal_is_no_part_of_the_wager(lucky: Felt) -> None:
    """The spot is out of sight from the wager's placing on; the only hand that comes there later is the dealer's."""
    shown(opened(lucky, "7s 2d", "7h", enter="20"), "Kd").pay_spot(2, "enter", "20")
    placed = next(n for n, state in enumerate(lucky.states) if any(i.kind == "chips" for i in state.objects))
    for place in range(placed + 1, len(lucky.states)):
        state = lucky.states[place]
        seen = tuple(item for item in state.objects if item.kind != "chips")
        lucky.states[place] = replace(state, objects=seen, covered=state.covered | {"seat2.enter"})
    assert accused(closed(lucky.snap())) == []


@pytest.mark.parametrize(("late", "told"), [(False, []), (True, [("violation", "P096")])])
def test_block_bonus_open_when_the_dealers_card_is_turned_is_late_though_nobody_drew(
    lucky: Felt,
    late: bool,
    told: list[tuple[str, str]],
) -> None:
    felt = opened(lucky, "9h Tc", "5d", enter="20", block_bonus="5")
    felt = shown(felt, "2c").take_spot(2, "block_bonus") if late else shown(felt.take_spot(2, "block_bonus"), "2c")
    felt.pay_spot(2, "enter", "20")
    assert [one[:2] for one in accused(closed(felt))] == told


def test_hole_card_that_was_turned_under_a_hand_while_another_was_drawn_is_none_drawn(lucky: Felt) -> None:
    """A hand hides the face-down card; the drawn card is seen before what was turned beneath it (003:L66-68)."""
    opened(lucky, "2h Tc", "Qh", enter="20")
    del lucky.things["d.down"]
    lucky.dealer_card("drawn", "9s", 110.0, snap=False).snap(covered=["dealer.cards"])
    lucky.dealer_card("down", "4d", -60.0).take_spot(2, "enter")
    one = only_round(closed(lucky))
    assert [str(card) for card in one.observed.round.dealer] == ["4d", "Qh", "9s"]
    assert one.findings == ()


def test_draw_bet_counts_as_it_stands_when_its_card_comes(lucky: Felt) -> None:
    """A player laid a green cheque down and exchanged it for two reds before he drew: nothing was at stake yet."""
    opened(lucky, "5h Tc", "5d", enter="20").bets({2: "25"}, "draw")
    changed(lucky, "draw", "20").card(2, "4c")
    one = only_round(closed(shown(lucky, "Kc").pay_spot(2, "draw", "60").pay_spot(2, "enter", "20")))
    assert [str(finding.verdict) for finding in one.findings] == []
    assert [wager.amount for wager in one.observed.round.wagers if wager.key.bet == "draw"] == [20]


@pytest.mark.parametrize("came", ["before", "after"])
def test_draw_bet_that_only_the_dealers_hand_was_seen_to_touch_is_laid_in_time(lucky: Felt, came: str) -> None:
    """He set it straight, and the player's hand was missed; what he lays there in the settling is no Draw bet."""
    opened(lucky, "5h Tc", "5d", enter="20")
    if came == "before":
        lucky.hand("dealer", "seat2.draw").put_chips("s2.draw.1", "20", lucky.at("seat2.draw"))
        shown(lucky.snap().card(2, "4c"), "Kc").pay_spot(2, "enter", "20").pay_spot(2, "draw", "40")
        lucky.collect_spot(2, "draw")
    else:
        shown(lucky.card(2, "4c"), "Kc").pay_spot(2, "enter", "20").hand("dealer", "rack", "seat2.draw")
        lucky.put_chips("s2.draw.1", "20", lucky.at("seat2.draw"))
        lucky.snap().collect_spot(2, "draw")
    codes = [one.code for one in only_round(closed(lucky)).findings if one.verdict.value == "violation"]
    assert ("card-without-draw" in codes) == (came == "after")


@pytest.mark.parametrize(("zones", "told"), [(("shoe", "seat2.cards"), True), (("seat2.cards",), False)])
def test_card_and_draw_bet_in_one_look_are_in_order_unless_the_hand_from_the_shoe_came_first(
    lucky: Felt, zones: tuple[str, ...], told: bool
) -> None:
    opened(lucky, "5h Tc", "5d", enter="20").hand("dealer", *zones).hand("player", "seat2.draw", seat=2)
    lucky.put_chips("s2.draw.1", "20", lucky.at("seat2.draw"))
    lucky.card(2, "4c", snap=False).hands.pop()
    shown(lucky.snap(), "Kc").pay_spot(2, "enter", "20").pay_spot(2, "draw", "40").collect_spot(2, "draw")
    codes = [one.code for one in only_round(closed(lucky)).findings if one.verdict.value == "violation"]
    assert ("card-without-draw" in codes) == told


@pytest.mark.parametrize("hands", [2, 1])
def test_draw_bet_that_came_and_went_between_two_looks_leaves_the_third_card_open(lucky: Felt, hands: int) -> None:
    opened(lucky, "5h Tc", "5d", enter="20").hand("player", "seat2.draw", seat=2).card(2, "4c", snap=False)
    for _ in range(hands - 1):
        lucky.hand("player", "seat2.draw", seat=2)
    shown(lucky.snap(), "Kc").pay_spot(2, "enter", "20")
    codes = [one.code for one in only_round(closed(lucky)).findings if one.verdict.value == "violation"]
    assert ("card-without-draw" in codes) == (hands == 1)


def test_what_is_settled_as_without_the_fourth_card_follows_from_it(lucky: Felt) -> None:
    """Five and five make a zero, the ace a one, and the eight that must not come a nine."""
    opened(lucky, "5h 5c", "5d", enter="20").bets({2: "20"}, "draw").card(2, "Ac").card(2, "8s")
    shown(lucky, "2c").take_spot(2, "draw").take_spot(2, "enter")
    findings = only_round(closed(lucky)).findings
    (fourth,) = (place for place, one in enumerate(findings) if one.code == "too-many-cards")
    causes = {one.because_of for one in findings if one.code == "winner-taken"}
    assert causes == {fourth}


def test_card_that_the_baccarat_dealer_drew_by_mistake_and_burnt_is_none_of_his_hand(lucky: Felt) -> None:
    """He has six, draws an eight and burns it: five loses, though it beats the four that he had for a moment."""
    felt = shown(opened(lucky, "5h Tc", "4d", enter="20"), "2s", "8c").hand("dealer", "dealer.cards")
    felt.remove("d.third")
    felt.snap().take_spot(2, "enter")
    assert accused(closed(felt)) == [("violation", "P103", None)]
