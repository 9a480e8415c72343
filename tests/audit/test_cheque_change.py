"""Change before the rack (004:L520): its value is weighed over every reading of the piles."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from audit.pipeline import audit_states
from audit.table import Zone
from tests.audit.asking import accused, audited, found
from tests.audit.pairs.bankroll import PROVED, WHOLE, counted
from tests.audit.pairs.money import FOUR_GREENS, bills, changed, push, table
from tests.notation import Felt, covering, doubtful_stack

STACKS = len([height for row in WHOLE for height in row])


@pytest.mark.parametrize(("short", "verdict"), [(0.999, "violation"), (0.55, "suspect")])
def test_change_that_no_reading_is_sure_of_is_suspected(short: float, verdict: str) -> None:
    felt = changed((("green green green", 60.0, 60.0),))
    three, four = ("green",) * 3, ("green",) * 4
    felt.states = doubtful_stack(felt.states, three, {three: short, four: 0.95 - short if short < 0.9 else 0.0})
    assert [one[0] for one in found(felt) if one[1] == "P180"] == [verdict]


@pytest.mark.parametrize(("over", "told"), [("seat1.cards", []), ("insurance", ["P180"])])
def test_who_signals_over_his_cards_while_a_payment_is_cut_out_brings_no_cheques(over: str, told: list[str]) -> None:
    """Nine cheques cut 4-4-1, one pile left of the middle, were told as change for five."""
    felt = Felt(table().profile).bets({1: "60"}).deal({1: "8s 7c"}, dealer="9c 8h")
    felt.hand("player", over, seat=1).hand("dealer", "rack")
    for place, (right, text) in enumerate(((-60.0, "red"), (-18.0, "red red red red"), (24.0, "red red red red"))):
        felt.put_chips(f"cut.{place}", text, (right, 60.0))
    felt.snap().hand("dealer", "rack")
    for name in felt.names("cut."):
        felt.remove(name)
    assert [one[1] for one in accused(felt.snap()) if one[1] == "P180"] == told


def test_cheques_that_the_look_at_their_change_misses_were_changed_all_the_same() -> None:
    felt = table().hand("player", "insurance", seat=1)
    for place, right in enumerate((-80.0, -122.0)):
        felt.put_chips(f"brought.{place}", "black", (right, 60.0))
    felt.snap().hand("dealer", "rack")
    for place, right in enumerate((60.0, 102.0)):
        felt.put_chips(f"cut.{place}", "green green green green", (right, 60.0))
    del felt.things["brought.1"]
    felt.snap().hand("dealer", "rack").remove("brought.0")
    for name in felt.names("cut."):
        felt.remove(name)
    assert "P180" not in {one[1] for one in found(push(felt.snap()))}


def test_change_of_which_a_part_comes_as_the_players_cheques_go_is_whole() -> None:
    felt = table().hand("player", "insurance", seat=1)
    felt.put_chips("brought", "green green", (-80.0, 60.0))
    felt.snap().hand("dealer", "rack").put_chips("cut.0", "red red red red red", (60.0, 60.0))
    felt.snap().hand("dealer", "rack").remove("brought")
    felt.put_chips("cut.1", "red red red red red", (102.0, 60.0))
    felt.snap().hand("dealer", "rack")
    for name in felt.names("cut."):
        felt.remove(name)
    assert "P180" not in {one[1] for one in found(push(felt.snap()))}


def test_cheques_cut_and_put_back_into_the_rack_are_pushed_nowhere(felt: Felt) -> None:
    """A wager that stands all the while jitters by a few millimetres."""
    felt.bets({1: "25"}).hand("dealer", "rack").put_chips("cut", "red red red red red", (60.0, 40.0))
    felt.snap().hand("dealer", "rack").remove("cut")
    x, y = felt.things["s1.main.1"].xy_mm
    felt.put_chips("s1.main.1", "25", (x + 4.0, y - 3.0))
    assert accused(felt.snap()) == []


def test_change_stacked_to_be_sent_out_and_losing_cheques_may_be_of_two_colours(felt: Felt) -> None:
    felt.hand("dealer", "rack").put_chips("cut", "green red red red red red", (60.0, 40.0))
    felt.snap().hand("dealer", "rack").snap().hand("dealer", "rack").remove("cut")
    assert accused(felt.snap()) == []


@pytest.mark.parametrize(("zones", "told"), [(("rack",), ["P348"]), (("rack", "insurance"), ["P108", "P110"])])
def test_full_stacks_that_go_back_to_the_rack_are_a_count_and_those_sent_out_are_none(
    felt: Felt, zones: tuple[str, ...], told: list[str]
) -> None:
    felt.hand("dealer", "rack")
    for place in range(2):
        felt.put_chips(f"cut.{place}", " ".join(["red"] * 20), (60.0 + 41.0 * place, 40.0))
    felt.snap().hand("dealer", *zones)
    for place in range(2):
        felt.remove(f"cut.{place}")
    felt.snap().bets({1: "25"}).deal({1: "Th 9c"}, dealer="Td 9s").turn().pat(1).collect(1).pick_up()
    assert [procedure for _, procedure, _ in accused(felt)] == told


def test_count_whose_proof_was_hidden_is_undetermined() -> None:
    felt = counted(*PROVED)
    states = felt.states
    for place, state in enumerate(felt.states):
        if sum(item.kind == "chips" for item in state.objects) > STACKS:
            states = covering(states, place, felt.profile, "ace_finder", "dealer.cards")
    result = audit_states(states, felt.profile)
    verdicts = {one.procedures[0]: one.verdict.value for one in result.findings if "P308" not in one.procedures}
    assert verdicts == {"P340": "undetermined"}


@pytest.mark.parametrize(("stood", "amount"), [("red " * 20, "-25.00"), ("red " * 15, None)])
def test_cheques_that_stood_before_a_player_are_his_whoever_was_seen_to_bring_them(
    stood: str, amount: str | None
) -> None:
    """The dealer's hand is seen over the rack alone when he cuts twenty reds out; three greens are laid beside them."""
    felt = Felt()
    felt.put_chips("stood", stood.strip(), felt.at("seat2.main", 0.0, 200.0))
    felt.snap().hand("dealer", "rack").remove("stood")
    for place in range(4):
        felt.put_chips(f"cut.{place}", "red red red red red", (-190.0 + 44.0 * place, 40.0))
    felt.snap().hand("dealer", "rack").put_chips("change", "green green green", (120.0, 40.0))
    felt.snap().hand("dealer", "rack").snap()
    told = [one for one in accused(felt) if one[1] == "P180"]
    assert told == ([("violation", "P180", amount)] if amount else [])


def exchanged(change: str, *, sent: tuple[str, ...] = ("change",), to_rack: bool = False) -> Felt:
    """Twenty reds are laid out at the left, then the change at the right; what is ``sent`` goes to a player."""
    felt = Felt()
    felt.snap().hand("dealer", "rack")
    for place in range(4):
        felt.put_chips(f"cut.{place}", "red red red red red", (-190.0 + 44.0 * place, 40.0))
    felt.snap().hand("dealer", "rack").put_chips("change", change, (120.0, 40.0))
    felt.snap().hand("dealer", "rack")
    if to_rack:
        felt.remove("change")
    for number, name in enumerate(name for part in sent for name in felt.names(part)):
        x, y = felt.at("seat2.main", 0.0, 220.0)
        felt.put_chips(name, " ".join(felt.things[name].stack or ()), (x + 50.0 * number, y))
    felt.snap().hand("dealer", "rack")
    for name in felt.names("cut"):
        if "cut" not in sent:
            felt.remove(name)
    return felt.snap().snap()


def told_of_change(felt: Felt) -> list[tuple[str, str, str | None]]:
    return [one for one in accused(felt) if one[1] == "P180"]


def test_cheques_of_which_only_the_change_goes_to_a_player_were_his() -> None:
    """The dealer is seen over the rack alone, and nothing stood before the player."""
    assert told_of_change(exchanged("green green green green green")) == [("violation", "P180", "25.00")]
    assert told_of_change(exchanged("green green green green")) == []


def test_cheques_at_both_sides_that_all_go_to_a_player_are_no_change() -> None:
    assert told_of_change(exchanged("green green green green green", sent=("change", "cut"))) == []


def test_cheques_at_both_sides_that_go_back_to_the_rack_are_no_change() -> None:
    assert told_of_change(exchanged("green green green green green", sent=(), to_rack=True)) == []


def test_change_pushed_onto_a_bet_spot_is_told_at_its_seat() -> None:
    felt = changed(FOUR_GREENS, sent=("green green green green", -400.0, 450.0))
    told = [one for round_ in audited(felt).rounds for one in round_.findings] + list(audited(felt).findings)
    assert [one.seat for one in told if one.procedures[0] == "P173"] == [1]


def test_cheques_that_a_player_alone_laid_before_the_rack_were_not_cut_there(felt: Felt) -> None:
    """The dealer takes them to cut them where he was not seen to: what lies there is the player's stack still."""
    felt.hand("player", seat=1).put_chips("change", " ".join(["red"] * 20), (60.0, 60.0))
    felt.snap().snap().hand("dealer", "rack").remove("change")
    assert "P108" not in {procedure for _, procedure, _ in accused(felt.snap())}


@pytest.mark.parametrize(("below_mm", "told"), [(190.0, []), (280.0, ["P165"])])
def test_bill_lies_below_the_line_where_an_arc_of_it_passes(below_mm: float, told: list[str]) -> None:
    """Towards its ends the line of most tables comes nearer to the dealer than where the bill is laid."""
    felt = bills((100, 1, -100.0))
    arc = [(470.0 * math.sin(turn), 400.0 * math.cos(turn)) for turn in (-1.2, -0.8, -0.4, 0.0, 0.4, 0.8, 1.2)]
    line = Zone(name="insurance", polygon_mm=(*arc, *((0.9 * x, 0.9 * y) for x, y in arc[::-1])))
    zones = tuple(line if zone.name == "insurance" else zone for zone in felt.profile.zones)
    y = 0.9 * 400.0 * math.cos(math.asin(100.0 / (0.9 * 470.0))) - below_mm
    states = [
        replace(state, objects=tuple(replace(item, xy_mm=(item.xy_mm[0], y)) for item in state.objects))
        for state in felt.states
    ]
    result = audit_states(states, replace(felt.profile, zones=zones))
    assert [one.procedures[0] for one in result.findings if "P165" in one.procedures] == told


@pytest.mark.parametrize(
    ("where", "told"), [("s1.pay.0", False), ("s1.main.1", False), ("collected", False), ("own", True)]
)
def test_pile_that_rests_before_the_rack_on_its_way_to_a_bet_was_not_cut_out(
    felt: Felt, where: str, told: bool
) -> None:
    """Eight reds are carried to a winner of eight: beside it, onto it, or fetched at once; or to nobody's bet."""
    eight = " ".join(["red"] * 8)
    felt.bets({1: eight}).deal({1: "Th 9c"}, dealer="Td 8s").turn().hand("dealer", "rack")
    felt.put_chips("cut", eight, (60.0, 60.0))
    felt.snap().hand("dealer", "rack", *(["seat1.main"] if where != "own" else [])).remove("cut")
    if where == "s1.pay.0":
        felt.put_chips(where, eight, felt.at("seat1.main", 0.0, -42.0))
    elif where == "s1.main.1":
        felt.put_chips(where, f"{eight} {eight}", felt.at("seat1.main"))
    elif where == "collected":
        felt.hand("player", "seat1.main", seat=1).remove("s1.main.1")
    else:
        felt.put_chips(where, eight, felt.at("seat1.main", 0.0, 180.0))
    felt.snap().pick_up()
    assert ("P108" in {procedure for _, procedure, _ in accused(felt)}) is told


@pytest.mark.parametrize(("sent", "verdicts"), [(4, []), (3, ["suspect"])])
def test_change_read_one_too_low_is_right_if_one_more_goes_out(sent: int, verdicts: list[str]) -> None:
    """P180: three greens for a black, with 0.82, or four."""
    three, four = ("green",) * 3, ("green",) * 4
    felt = changed((("green green green", 60.0, 60.0),), sent=("green " * sent, -400.0, 200.0))
    felt.states = doubtful_stack(felt.states, three, {three: 0.82, four: 0.17})
    assert [one[0] for one in accused(felt) if one[1] == "P180"] == verdicts


@pytest.mark.parametrize(("side", "told"), [(1.0, [("violation", "P180", None)]), (-1.0, [])])
def test_cheques_laid_on_the_insurance_line_between_rounds_are_for_change(
    side: float, told: list[tuple[str, str, str | None]]
) -> None:
    felt = table().hand("player", "insurance", seat=2)
    felt.put_chips("theirs", "green green", felt.at("insurance"))
    felt.snap().hand("dealer", "rack").put_chips("theirs", "green green", (98.0 * side, 32.0))
    felt.snap().hand("dealer", "rack")
    for place in range(2):
        felt.put_chips(f"change.{place}", "red red red red red", ((-98.0 - 44.0 * place) * side, 32.0))
    felt.snap().hand("dealer", "rack", "seat2.main")
    for place in range(2):
        x, y = felt.at("seat2.main", 0.0, 220.0)
        felt.put_chips(f"change.{place}", "red red red red red", (x + 50.0 * place, y))
    felt.snap().hand("dealer", "rack").remove("theirs")
    assert told_of_change(felt.snap().snap()) == told
