"""Recordings whose hands are listed where the wrist was: what changed under the fingers was changed by them."""

from __future__ import annotations

from dataclasses import replace

from audit.states import HandSeen
from tests.audit.asking import accused, found
from tests.notation import Felt, wide_profile


def played(*paid: str, signal: bool = True) -> Felt:
    """Everybody wins 25 at blackjack and is paid so much; the first seat has hit, with a signal or without one."""
    bets = dict.fromkeys(range(1, len(paid) + 1), "25")
    felt = Felt(wide_profile("blackjack", ("main",), seats=len(paid))).bets(bets)
    felt.deal({seat: "Th 9c" if seat > 1 else "5h 4c" for seat in bets}, dealer="Td 8s")
    felt = (felt.hand("player", "seat1.cards", seat=1) if signal else felt).card(1, "Tc").turn()
    for seat, amount in reversed(list(enumerate(paid, start=1))):
        felt.pay(seat, amount).collect(seat)
    return felt.pick_up()


def by_wrist(hand: HandSeen) -> HandSeen:
    """The dealer's hand over the cards of a seat instead of its wager, a player's over nothing."""
    zones = tuple(zone.replace(".main", ".cards") for zone in hand.zones)
    return replace(hand, zones=() if hand.side == "player" else zones)


def with_wrists(felt: Felt, *, first: int = 0) -> Felt:
    felt.states = [
        replace(state, hands=tuple(map(by_wrist, state.hands))) if place >= first else state
        for place, state in enumerate(felt.states)
    ]
    return felt


def test_wagers_laid_paid_and_fetched_by_wrists_are_as_if_fingers_had_been_listed() -> None:
    assert found(with_wrists(played("25", "25", "25", "25"))) == []
    assert accused(with_wrists(played("25", "25", "20", "25"))) == [("violation", "P280", "-5.00")]


def test_two_changes_without_a_hand_over_them_are_of_unknown_origin_still() -> None:
    """A habit is one change in five, and six at least."""
    felt = played("25", "25", "25", "25")
    last = [n for n, state in enumerate(felt.states) if any("seat1.main" in hand.zones for hand in state.hands)]
    assert [one[0] for one in found(with_wrists(felt, first=last[-1]))] == ["undetermined"]


def test_signal_told_over_nothing_may_be_one() -> None:
    """P194: another player is seen to signal at his cards."""
    for signal, told in ((True, []), (False, ["P194"])):
        felt = played("25", "25", "25", "25", signal=signal)
        felt = with_wrists(felt)
        dealt = next(n for n, state in enumerate(felt.states) if any(item.card == "Tc" for item in state.objects))
        seen = felt.states[dealt + 1]
        wave = HandSeen(side="player", zones=("seat2.cards",), span=seen.hands[0].span, seat=2)
        felt.states[dealt + 1] = replace(seen, hands=(*seen.hands, wave))
        assert [one[1] for one in accused(felt)] == told
