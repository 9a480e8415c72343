"""Irregularities: a hole card exposed instead of the up card, a shoe burnt wrongly, play that goes on at once."""

from __future__ import annotations

from tests.audit.pairs.pair import Pair
from tests.audit.pairs.whole_shoes import blackjack, cards, shuffle, stand_all
from tests.notation import Felt, wide_profile


def table(*bets: str) -> Felt:
    return Felt(wide_profile("blackjack", bets or ("main",)))


def hole_exposed(cards: str, dealer: str, *, trilux: str = "", hit: str = "", acts: str = "") -> Felt:
    """The dealer turns his second card instead of his first, which lies apart; both are shown then.

    ``trilux`` is what 5 on Trilux is paid, nothing if it is taken; ``acts`` of the hand: take, push or an amount.
    """
    felt = table("trilux", "main").bets({2: "10"}).bets({2: "5"}, "trilux")
    first, second = dealer.split()
    one, other = cards.split()
    felt.card(2, one).dealer_card("up", "back", -250.0).card(2, other).dealer_card("hole", "back", -150.0)
    felt.dealer_card("hole", second, -150.0)
    felt.now += 6000
    felt.dealer_card("up", first, -250.0)
    if trilux:
        felt.pay_spot(2, "trilux", trilux).collect_spot(2, "trilux")
    else:
        felt.take_spot(2, "trilux")
    if hit:
        felt.hit(2, hit)
    if acts == "take":
        felt.take_spot(2, "main")
    elif acts == "push":
        felt.pat(2).collect_spot(2, "main")
    else:
        felt.pay_spot(2, "main", acts).collect_spot(2, "main")
    return felt.pick_up()


def burnt(cards_burnt: str, *, stopped: bool) -> Felt:
    """The first round after a shuffle is dealt, and played or picked up with every wager open."""
    felt = blackjack(seats=2)
    shoe = cards()
    shuffle(stand_all(felt, shoe), burn=cards_burnt)
    if not stopped:
        return stand_all(felt, shoe)
    hands = {seat: f"{next(shoe)} {next(shoe)}" for seat in (1, 2)}
    felt.bets({1: "10", 2: "10"}).deal(hands, dealer=f"{next(shoe)} {next(shoe)}")
    for seat in (2, 1):
        felt.pick_up_seat(seat)
    return felt.pick_up()


def drew_on_17(*, pause_ms: int, hole: str = "7s") -> Felt:
    """The dealer draws on 17, or on less, waits, and takes the wager."""
    felt = table().bets({1: "10"}).deal({1: "Th 7c"}, dealer=f"Td {hole}").turn().dealer_hits("3c")
    felt.now += pause_ms
    return felt.take_spot(1, "main").pick_up()


PAIRS = (
    Pair(
        procedure="P149",
        error="the round after two burn cards stopped",
        wrong=lambda: burnt("back back", stopped=True),
        right=lambda: burnt("back", stopped=False),
        verdict="suspect",
        also=("P146",),
    ),
    Pair(
        procedure="P289",
        error="a wager taken at once after a draw on 17",
        wrong=lambda: drew_on_17(pause_ms=0),
        right=lambda: drew_on_17(pause_ms=0, hole="5s"),
    ),
    Pair(
        procedure="P290",
        error="Trilux taken by the exposed hole card",
        wrong=lambda: hole_exposed("Th 7h", "9h Ks", acts="take"),
        right=lambda: hole_exposed("Th 7h", "9h Ks", trilux="45", acts="take"),
    ),
    Pair(
        procedure="P290",
        error="a 21 taken by an exposed ace and king as by a blackjack",
        wrong=lambda: hole_exposed("Th 7c", "Kd As", hit="4d", acts="take"),
        right=lambda: hole_exposed("Th 7c", "Kd As", hit="4d", acts="push"),
    ),
)
