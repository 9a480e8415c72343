"""21 STUD (002): two cards against two cards, and side bets on pairs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from audit.cards import TEN_VALUED, Card
from audit.games.terms import (
    Game,
    RuleSet,
    Settled,
    Settlement,
    Violation,
    answer,
    hard_total,
    undecided,
    wagers_by_seat,
)
from audit.rounds import Round, Wager

BASE_CLASSES: Final = frozenset({"blackjack", "both_blackjack", "higher", "equal", "lower"})
MIRROR_CLASSES: Final = frozenset({"suited_aces", "same_suit", "same_colour", "mixed_colours", "nothing"})
MATCH_CLASSES: Final = frozenset(
    {"two_suited", "one_suited_one_not", "one_suited", "two_not_suited", "one_not_suited", "nothing"}
)
CODES: Final = {
    "player-cards": "a player is dealt two cards and no more (002:L9, L27)",
    "dealer-cards": "the dealer is dealt two cards and no more (002:L9, L27)",
    "cards-without-base": "a player must place a base wager to be dealt cards (002:L23)",
    "side-bet-without-base": "Match 1, Match 2 and Mirror Match are played beside a base wager (002:L23)",
    "pip-ten": "a Spanish shoe holds no pip tens (002:L14)",
}

_TWO: Final = 2
_BLACKJACK: Final = 22
"""Above every other total: blackjack beats 21 made otherwise (there is none with two cards) and equals blackjack."""
_MATCHES: Final = {
    (2, 0): "two_suited",
    (1, 1): "one_suited_one_not",
    (1, 0): "one_suited",
    (0, 2): "two_not_suited",
    (0, 1): "one_not_suited",
    (0, 0): "nothing",
}


def is_blackjack(first: Card, second: Card) -> bool:
    """Return whether the two cards are two aces, or an ace and a ten-valued card (002:L34, L64)."""
    ranks = {first.rank, second.rank}
    return "A" in ranks and bool(ranks == {"A"} or ranks & TEN_VALUED)


def base_total(first: Card, second: Card) -> int:
    """Return the total with an ace as 11; a blackjack ranks above every total."""
    if is_blackjack(first, second):
        return _BLACKJACK
    return hard_total((first, second)) + (10 if "A" in {first.rank, second.rank} else 0)


def mirror_class(first: Card, second: Card) -> str:
    """Return the row of the Mirror Match pay table (002:L77-81)."""
    if first.rank != second.rank:
        return "nothing"
    if first.suit == second.suit:
        return "suited_aces" if first.rank == "A" else "same_suit"
    return "same_colour" if first.is_red == second.is_red else "mixed_colours"


def match_class(first: Card, second: Card, dealers: Card) -> str:
    """Return the row of the Match the Dealer pay table (002:L91-97)."""
    suited = (first == dealers) + (second == dealers)
    ranks = (first.rank == dealers.rank) + (second.rank == dealers.rank)
    return _MATCHES[(suited, ranks - suited)]


def settle(round_: Round, rules: RuleSet) -> Settlement:
    """Return what every wager of the round is due, and what 002 forbids in it."""
    settled = tuple([_settle_wager(wager, round_, rules) for wager in round_.wagers])
    return Settlement(settled=settled, violations=_forbidden(round_, rules))


def _pair(cards: Sequence[Card | None]) -> tuple[Card, Card] | None:
    if len(cards) < _TWO or cards[0] is None or cards[1] is None:
        return None
    return cards[0], cards[1]


def _settle_wager(wager: Wager, round_: Round, rules: RuleSet) -> Settled:
    play = round_.seats.get(wager.key.seat)
    bet = wager.key.bet
    if bet not in rules.tables:
        return undecided(wager, f"{bet} is no bet of {rules.title}")
    players = _pair(play.hands[0]) if play is not None and play.hands else None
    if players is None:
        return undecided(wager, f"a card of seat {wager.key.seat} was not read")
    shown = f"{players[0]} {players[1]}"
    if bet == "mirror":
        return answer(wager, rules.rows(bet)[mirror_class(*players)], shown)
    if bet == "base":
        return _settle_base(wager, players, round_, rules)
    place = 0 if bet == "match1" else 1
    dealers = round_.dealer[place] if place < len(round_.dealer) else None
    if dealers is None:
        return undecided(wager, f"the dealer's card #{place + 1} was not read")
    return answer(wager, rules.rows(bet)[match_class(*players, dealers)], f"{shown} with the dealer's {dealers}")


def _settle_base(wager: Wager, players: tuple[Card, Card], round_: Round, rules: RuleSet) -> Settled:
    """Return what the base wager is due (002:L34, L64-71) [STUD-3]."""
    dealers = _pair(round_.dealer)
    if dealers is None:
        return undecided(wager, "a card of the dealer was not read")
    rows = rules.rows("base")
    player, dealer = base_total(*players), base_total(*dealers)
    if player == dealer == _BLACKJACK:
        return answer(wager, rows["blackjack" if rules.option("bj_tie") == "pay" else "both_blackjack"])
    if player == _BLACKJACK:
        return answer(wager, rows["blackjack"])
    name = "higher" if player > dealer else "equal" if player == dealer else "lower"
    against = "blackjack" if dealer == _BLACKJACK else str(dealer)
    return answer(wager, rows[name], f"{player} against the dealer's {against}")


def _forbidden(round_: Round, rules: RuleSet) -> tuple[Violation, ...]:
    found: list[Violation] = []
    wagers = wagers_by_seat(round_)
    spanish = rules.option("spanish") is True
    for seat, play in round_.seats.items():
        bets = wagers.get(seat, {})
        hand = play.hands[0] if play.hands else ()
        if len(hand) != _TWO:
            found.append((f"seat {seat}", "player-cards"))
        if "base" not in bets:
            found.append((f"seat {seat}", "side-bet-without-base" if bets else "cards-without-base"))
        if spanish and _has_pip_ten(hand):
            found.append((f"seat {seat}", "pip-ten"))
    if len(round_.dealer) != _TWO:
        found.append(("dealer", "dealer-cards"))
    if spanish and _has_pip_ten(round_.dealer):
        found.append(("dealer", "pip-ten"))
    return tuple(found)


def _has_pip_ten(cards: Sequence[Card | None]) -> bool:
    return any(card is not None and card.rank == "T" for card in cards)


GAME: Final = Game(
    name="stud_21",
    title="21 STUD",
    classes={"base": BASE_CLASSES, "match1": MATCH_CLASSES, "match2": MATCH_CLASSES, "mirror": MIRROR_CLASSES},
    options=frozenset({"decks", "spanish", "blackjack_odds", "bj_tie"}),
    settle=settle,
    codes=CODES,
)
