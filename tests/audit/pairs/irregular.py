"""Irregularities: a hole card exposed instead of the up card, a shoe burnt wrongly, play that goes on at once."""

from __future__ import annotations

from tests.audit.pairs.pair import Pair
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


PAIRS = (
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
