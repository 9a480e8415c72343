"""Splits of which nothing was seen but what came of them: the cards of one hand overlap, the hands lie apart."""

from __future__ import annotations

from dataclasses import replace

from tests.audit.asking import accused
from tests.notation import Felt, wide_profile

LEFT, COLUMN = -155.0, 85.0


def table(bet: str = "10") -> Felt:
    return Felt(wide_profile("blackjack", ("main",), seats=1, finder=False)).bets({1: bet})


def parted(felt: Felt, *hands: str, piles: int | None = None, column: float = COLUMN, sideways: str = "") -> Felt:
    """Between two looks a pair is split, and every hand gets its cards; the bets are moved to the left for new ones."""
    for _ in hands[1:]:
        felt.hand("player", "seat1.main", seat=1).hand("dealer", "seat1.main", "seat1.cards")
    felt.hand("player", "seat1.cards", seat=1).hand("dealer", "shoe").hand("dealer", "seat1.cards")
    return laid_out(felt, *hands, piles=piles, column=column, sideways=sideways).snap()


def laid_out(felt: Felt, *hands: str, piles: int | None, column: float = COLUMN, sideways: str = "") -> Felt:
    for name in felt.names("s1."):
        felt.remove(name)
    for number, codes in enumerate(hands):
        for place, code in enumerate(codes.split()):
            spot = felt.at("seat1.cards", LEFT + column * number, 50.0 - 55.0 * place)
            felt.put_card(f"s1.h{number + 1}.{place}", code, spot, 90.0 * (code in sideways.split()))
    for number in range(len(hands) if piles is None else piles):
        felt.put_chips(f"s1.main.{number + 1}", "10", felt.at("seat1.main", -60.0 + 41.0 * number))
    return felt


def paid(felt: Felt) -> Felt:
    """The dealer's 15 draws a ten, and every wager is paid from the right."""
    felt.turn().dealer_hits("Tc")
    for name in sorted(felt.names("s1.main."), reverse=True):
        felt.pay(1, "10", beside=name.removeprefix("s1."))
    return felt.collect(1).pick_up()


def dealt(pair: str = "8d 8s") -> Felt:
    return table().deal({1: pair}, dealer="6d 9h")


def test_new_wager_of_a_split_is_not_left_of_the_old_one_where_the_dealer_moved_that() -> None:
    felt = paid(parted(dealt(), "8d 2c", "8h 4c", "8s 3h"))
    for number, state in enumerate(felt.states):
        things = tuple(
            replace(one, xy_mm=(one.xy_mm[0] + 19.0, one.xy_mm[1])) if one.kind == "chips" and one.xy_mm[0] else one
            for one in state.objects
        )
        felt.states[number] = replace(state, objects=things)
    assert "P324" not in {procedure for _, procedure, _ in accused(felt)}
