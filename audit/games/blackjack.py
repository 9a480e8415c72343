"""Blackjack with six or eight decks (004); ``double_deck`` and both side games build on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from audit.cards import TEN_VALUED, Card
from audit.games import blackjack_play, blazing_sevens, trilux
from audit.games.terms import (
    Game,
    Row,
    RuleSet,
    Settled,
    Settlement,
    Violation,
    answer,
    best_total,
    hard_total,
    undecided,
    wagers_by_seat,
)
from audit.rounds import Round, SeatPlay, Wager

HAND_CLASSES: Final = frozenset(
    {
        *("blackjack", "coupon", "even_money", "dealer_broke", "higher", "equal", "both_blackjack"),
        *("lower", "broke", "dealer_blackjack", "late_blackjack", "late_returned"),
    }
)
INSURANCE_CLASSES: Final = frozenset({"dealer_blackjack", "no_blackjack"})
FACTS: Final = frozenset({"progressive_meter", "bj_revealed_late", "hole_card_exposed"})
MOST_HANDS: Final = 4
"""A player may split three times, making four hands (004:L821)."""

_TWENTY_ONE: Final = 21


@dataclass(frozen=True, slots=True, kw_only=True)
class DealerHand:
    """What the dealer's hand means for the wagers; None = a card that decides it was not read.

    ``blackjack`` is False where the hole card was exposed in error: ace and ten are then a plain 21 (004:L778).
    """

    up: Card | None
    hole: Card | None
    total: int | None
    blackjack: bool | None
    late: bool


def read_dealer(round_: Round) -> DealerHand:
    """Return the dealer's hand of the round."""
    cards = round_.dealer
    up = cards[0] if cards else None
    hole = cards[1] if len(cards) > 1 else None
    exposed = round_.variant.get("hole_card_exposed") is True
    return DealerHand(
        up=up,
        hole=hole,
        total=best_total(cards) if len(cards) > 1 else None,
        blackjack=False if exposed else _is_blackjack(up, hole),
        late=round_.variant.get("bj_revealed_late") is True,
    )


def _is_blackjack(first: Card | None, second: Card | None) -> bool | None:
    """Return whether two cards are an ace and a ten (004:L584); None if an unread card decides it."""
    known = [card for card in (first, second) if card is not None]
    if any(card.rank != "A" and card.rank not in TEN_VALUED for card in known):
        return False
    if len(known) < 2:  # noqa: PLR2004 - two cards
        return None
    return (known[0].rank == "A") != (known[1].rank == "A")


def settle(round_: Round, rules: RuleSet) -> Settlement:
    """Return what every wager of a blackjack round is due, and what 004 forbids in it."""
    return settle_round(round_, rules, most_hands=MOST_HANDS)


def settle_round(round_: Round, rules: RuleSet, *, most_hands: int) -> Settlement:
    """Return the settlement of a blackjack round in which a player may hold at most so many hands after splitting."""
    dealer = read_dealer(round_)
    settled = tuple([_settle_wager(wager, round_, dealer, rules) for wager in round_.wagers])
    return Settlement(settled=settled, violations=forbidden(round_, dealer, most_hands))


def forbidden(round_: Round, dealer: DealerHand, most_hands: int) -> tuple[Violation, ...]:
    """Return what 004 forbids in the round, apart from the limits of the bets."""
    found: list[Violation] = []
    wagers = wagers_by_seat(round_)
    peeked = dealer.blackjack is True and not dealer.late
    live = False
    for seat, play in round_.seats.items():
        bets = wagers.get(seat, {})
        seat_found = blackjack_play.check_seat(play, bets, up=dealer.up, peeked=peeked, most_hands=most_hands)
        found += [(f"seat {seat}{where}", code) for where, code in seat_found]
        live = live or has_live_hand(play)
    found += [("dealer", code) for code in blackjack_play.check_dealer(round_.dealer, live=live)]
    return tuple(found)


def has_live_hand(play: SeatPlay) -> bool:
    """Return whether a hand of the seat certainly waits for the dealer: not broken, and not paid or pushed before."""
    for hand in play.hands:
        total = best_total(hand)
        natural = len(play.hands) == 1 and len(hand) == 2 and total == _TWENTY_ONE  # noqa: PLR2004 - two cards
        if total is not None and total <= _TWENTY_ONE and not natural:
            return True
    return False


def _settle_wager(wager: Wager, round_: Round, dealer: DealerHand, rules: RuleSet) -> Settled:
    key = wager.key
    play = round_.seats.get(key.seat)
    if play is None:
        return undecided(wager, f"seat {key.seat} has no cards in this round")
    table = "main" if key.bet == "toke" else key.bet  # "the same rules apply to toke bets" (004:L998)
    if table not in rules.tables:
        return undecided(wager, f"{key.bet} is no bet of {rules.title}")
    rows = rules.rows(table)
    if table in {"main", "split", "double"}:
        return _settle_hand(wager, play, dealer, rows)
    if table == "insurance":
        return _settle_insurance(wager, dealer, rows)
    if table == "blazing7":
        meter = round_.variant.get("progressive_meter")
        return blazing_sevens.settle_side_bet(wager, initial=play.initial, up=dealer.up, rows=rows, meter=meter)
    return trilux.settle_side_bet(wager, initial=play.initial, up=dealer.up, rows=rows)


def _settle_insurance(wager: Wager, dealer: DealerHand, rows: Mapping[str, Row]) -> Settled:
    """Return what an insurance wager is due (004:L795-797)."""
    if dealer.up is None or (dealer.up.rank == "A" and dealer.hole is None):
        return undecided(wager, f"the dealer's {'up' if dealer.up is None else 'hole'} card was not read")
    wins = dealer.up.rank == "A" and dealer.hole is not None and dealer.hole.rank in TEN_VALUED
    row = rows["dealer_blackjack" if wins else "no_blackjack"]
    return answer(wager, row, f"the dealer's {dealer.up} and {dealer.hole or 'hole card'}")


def _settle_hand(wager: Wager, play: SeatPlay, dealer: DealerHand, rows: Mapping[str, Row]) -> Settled:
    """Return what a main, split or double wager is due (004:L679-686, L223-225, L585, L779)."""
    number = wager.key.hand or 1
    if not 1 <= number <= len(play.hands):
        return undecided(wager, f"hand {number} of seat {wager.key.seat} is not in this round")
    hand = play.hands[number - 1]
    hard = hard_total(hand)
    if hard > _TWENTY_ONE:
        return answer(wager, rows["broke"], str(hard))
    total = best_total(hand)
    if total is None or len(hand) < 2:  # noqa: PLR2004 - two cards
        return undecided(wager, f"a card of hand {number} of seat {wager.key.seat} was not read")
    if total == _TWENTY_ONE and len(hand) == 2 and len(play.hands) == 1:  # noqa: PLR2004 - two cards
        return _settle_blackjack(wager, play, dealer, rows)
    return _settle_against(wager, total, dealer, rows)


def _settle_against(wager: Wager, total: int, dealer: DealerHand, rows: Mapping[str, Row]) -> Settled:
    """Return what a hand without blackjack is due against the dealer's hand."""
    if dealer.blackjack and not dealer.late:
        return answer(wager, rows["dealer_blackjack"], f"{total}")
    if dealer.blackjack:
        returned = wager.key.bet in {"split", "double"}
        return answer(wager, rows["late_returned" if returned else "late_blackjack"], f"{total}")
    if dealer.blackjack is None or dealer.total is None:
        return undecided(wager, f"{total} against a dealer's hand of which a card was not read")
    return answer(wager, rows[_compare(total, dealer.total)], f"{total} against the dealer's {dealer.total}")


def _compare(total: int, dealers: int) -> str:
    if dealers > _TWENTY_ONE:
        return "dealer_broke"
    if total == dealers:
        return "equal"
    return "higher" if total > dealers else "lower"


def _settle_blackjack(wager: Wager, play: SeatPlay, dealer: DealerHand, rows: Mapping[str, Row]) -> Settled:
    """Return what is due on a player's blackjack (004:L585, L686, L691, L800)."""
    if play.even_money and dealer.up is not None and dealer.up.rank == "A":
        return answer(wager, rows["even_money"])
    if dealer.blackjack is None:
        missing = "up" if dealer.up is None else "hole"
        return undecided(wager, f"blackjack, and the dealer's {missing} card was not read")
    if dealer.blackjack:
        return answer(wager, rows["both_blackjack"])
    coupon = play.free_bet_coupon and wager.key.bet == "main"
    return answer(wager, rows["coupon" if coupon else "blackjack"])


GAME: Final = Game(
    name="blackjack",
    title="Blackjack",
    classes={
        "main": HAND_CLASSES,
        "split": HAND_CLASSES,
        "double": HAND_CLASSES,
        "insurance": INSURANCE_CLASSES,
        "trilux": trilux.BONUS_CLASSES,
        "super3": trilux.SUPER3_CLASSES,
        "blazing7": blazing_sevens.CLASSES,
    },
    options=frozenset({"decks", "vip"}),
    facts=FACTS,
    seats=7,  # from one to seven players (004:L650)
    settle=settle,
    codes=blackjack_play.CODES,
)
