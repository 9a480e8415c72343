"""Lucky Draw Baccarat (003): each player's own hand against the dealer's, one card to be drawn for a second bet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from audit.cards import RANKS, TEN_VALUED, Card
from audit.games.terms import (
    Game,
    Outcome,
    RuleSet,
    Settled,
    Settlement,
    Violation,
    answer,
    undecided,
    wagers_by_seat,
)
from audit.rounds import Round, SeatPlay, Wager

ENTER_CLASSES: Final = frozenset({"higher", "equal", "lower"})
DRAW_CLASSES: Final = frozenset({"nine", "eight", "seven", "one_to_six", "equal", "lower"})
BLOCK_CLASSES: Final = frozenset({"ultimate", "pair", "flush", "normal", "push", "nothing"})
CODES: Final = {
    "player-cards": "a player is dealt two cards and may draw one (003:L58, L66)",
    "dealer-cards": "the dealer is dealt two cards and draws at most one (003:L58, L68)",
    "cards-without-enter": "a hand is opened with an Enter bet (003:L23)",
    "draw-without-enter": "a Draw bet stands beside an Enter bet (003:L66)",
    "block-without-enter": "the Block Bonus is played beside an Enter bet (003:L23) [LDB-12]",
    "draw-not-equal-enter": "a Draw bet equals the Enter bet (003:L66) [LDB-9]",
    "third-card-without-draw": "a third card needs a Draw bet (003:L66)",
    "draw-without-third-card": "a Draw bet buys exactly one card (003:L66)",
    "dealer-drew-on-5": "the dealer stands on five or more (003:L68)",
    "dealer-stood-on-4": "the dealer draws on four or less (003:L68)",
}

_TWO: Final = 2
_THREE: Final = 3
_DEALER_DRAWS: Final = 4
_VALUES: Final = {rank: 0 if rank in TEN_VALUED else place for place, rank in enumerate(RANKS, start=1)}
_HEIGHTS: Final = {rank: place for place, rank in enumerate("23456789TJQKA")}
_LUCKY: Final = {9: "nine", 8: "eight", 7: "seven"}


def score(cards: Sequence[Card | None]) -> int | None:
    """Return the last digit of the total, tens and faces 0 (003:L21); None if a card was not read."""
    total = 0
    for card in cards:
        if card is None:
            return None
        total += _VALUES[card.rank]
    return total % 10


def block_class(first: Card, second: Card, exposed: Card) -> str:
    """Return the class of the Block Bonus, ace high (003:L27-37) [LDB-3, LDB-4, LDB-11]."""
    height = _HEIGHTS[exposed.rank]
    of_suit = [card for card in (first, second) if card.suit == exposed.suit]
    higher = [card for card in of_suit if _HEIGHTS[card.rank] > height]
    if not higher:
        return "push" if exposed in (first, second) else "nothing"
    if first.rank == second.rank:
        return "ultimate" if len(of_suit) == _TWO else "pair"
    return "flush" if len(of_suit) == _TWO else "normal"


def settle(round_: Round, rules: RuleSet) -> Settlement:
    """Return what every wager of the round is due, and what 003 forbids in it."""
    dealers = score(round_.dealer) if len(round_.dealer) >= _TWO else None
    settled = tuple([_settle_wager(wager, round_, dealers, rules) for wager in round_.wagers])
    return Settlement(settled=settled, violations=_forbidden(round_))


def _settle_wager(wager: Wager, round_: Round, dealers: int | None, rules: RuleSet) -> Settled:
    bet = wager.key.bet
    play = round_.seats.get(wager.key.seat)
    if bet not in rules.tables:
        return undecided(wager, f"{bet} is no bet of {rules.title}")
    cards = play.hands[0] if play is not None and play.hands else ()
    if bet == "block_bonus":
        return _settle_block(wager, cards, round_, rules)
    players = score(cards) if len(cards) >= _TWO else None
    if players is None or dealers is None:
        whose = f"seat {wager.key.seat}" if players is None else "the dealer"
        return undecided(wager, f"a card of {whose} was not read")
    name = "equal" if players == dealers else "higher" if players > dealers else "lower"
    facts = f"{players} against the dealer's {dealers}"
    if bet == "draw" and name == "higher":
        return _won_draw(wager, cards, players, rules)
    return answer(wager, rules.rows(bet)[name], facts)


def _won_draw(wager: Wager, cards: Sequence[Card | None], players: int, rules: RuleSet) -> Settled:
    """Return what a winning Draw wager is due by the three-card score (003:L74-83)."""
    if len(cards) < _THREE:
        why = f"{players} wins, but the Draw odds are for hands of three cards (003:L74-83)"
        return Settled(key=wager.key, outcome=Outcome.WIN, odds=None, pay=None, why=why, source="003:L74-83")
    return answer(wager, rules.rows("draw")[_LUCKY.get(players, "one_to_six")], f"{players} with three cards")


def _settle_block(wager: Wager, cards: Sequence[Card | None], round_: Round, rules: RuleSet) -> Settled:
    exposed = round_.dealer[1] if len(round_.dealer) > 1 else None
    if exposed is None or len(cards) < _TWO or cards[0] is None or cards[1] is None:
        which = "the dealer's exposed card" if exposed is None else f"a card of seat {wager.key.seat}"
        return undecided(wager, f"{which} was not read")
    row = rules.rows("block_bonus")[block_class(cards[0], cards[1], exposed)]
    return answer(wager, row, f"{cards[0]} {cards[1]} with the dealer's {exposed}")


def _forbidden(round_: Round) -> tuple[Violation, ...]:
    found: list[Violation] = []
    wagers = wagers_by_seat(round_)
    for seat, play in round_.seats.items():
        found += [(f"seat {seat}", code) for code in _check_seat(play, wagers.get(seat, {}))]
    found += [("dealer", code) for code in _check_dealer(round_.dealer)]
    return tuple(found)


def _check_seat(play: SeatPlay, bets: dict[str, list[Wager]]) -> Iterator[str]:
    cards = play.hands[0] if play.hands else ()
    if len(cards) not in (_TWO, _THREE):
        yield "player-cards"
    if not bets:
        yield "cards-without-enter"
    if "draw" not in bets and len(cards) == _THREE:
        yield "third-card-without-draw"
    if "draw" in bets and len(cards) == _TWO:
        yield "draw-without-third-card"
    if "enter" not in bets:
        yield from [f"{bet.removesuffix('_bonus')}-without-enter" for bet in bets if bet in {"draw", "block_bonus"}]
    elif "draw" in bets:
        entered, drawn = bets["enter"][0].amount, bets["draw"][0].amount
        if entered is not None and drawn is not None and entered != drawn:
            yield "draw-not-equal-enter"


def _check_dealer(cards: Sequence[Card | None]) -> Iterator[str]:
    if len(cards) not in (_TWO, _THREE):
        yield "dealer-cards"
        return
    first = score(cards[:_TWO])
    if first is None:
        return
    if first > _DEALER_DRAWS and len(cards) == _THREE:
        yield "dealer-drew-on-5"
    if first <= _DEALER_DRAWS and len(cards) == _TWO:
        yield "dealer-stood-on-4"


GAME: Final = Game(
    name="lucky_draw_baccarat",
    title="Lucky Draw Baccarat",
    classes={"enter": ENTER_CLASSES, "draw": DRAW_CLASSES, "block_bonus": BLOCK_CLASSES},
    options=frozenset({"decks", "block_odds"}),
    settle=settle,
    codes=CODES,
)
