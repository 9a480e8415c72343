"""Inventing legal sessions: shuffled shoes, plain play, right payments, and errors planted at a wanted rate.

The few rules needed here are written for this purpose alone, so that the truth never comes from the code it tests:
six decks, the dealer stands on all 17s, blackjack pays 3 to 2, double on 10 or 11, small pairs are split once.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any, Final

from audit.cards import RANKS, SUITS
from audit.money import ZERO, Money, Odds, format_money
from audit.table import CHIP_VALUES
from sample_footage.inventing.session import GAMES, invented_acts
from sample_footage.layout import SEAT_DEG
from sample_footage.stacks import Stack, value_of, write_stack

_DECKS: Final = 6
_LEAST_CARDS: Final = 90
_BETS: Final = (
    *("2 red", "3 red", "5 red", "6 red", "1 green", "2 green", "4 green", "8 green", "1 black", "2 black"),
    *("1 green 2 red", "2 green 4 red", "1 black 1 green", "1 black 2 green 3 red", "1 purple 1 black"),
)
_PAYING: Final = ("purple", "black", "green", "red", "pink", "white")
THREE_TO_TWO: Final = Odds(3, 2)


@dataclass(slots=True)
class _Hand:
    """A hand being played; ``words`` are its decisions as the script writes them."""

    cards: list[str]
    bet: Stack
    words: list[str] = field(default_factory=list)
    doubled: bool = False
    is_split: bool = False
    end: str = ""

    @property
    def total(self) -> int:
        return total_of(self.cards)

    @property
    def is_blackjack(self) -> bool:
        return len(self.cards) == 2 and self.total == 21 and not self.is_split


@dataclass(slots=True)
class _Round:
    """A round being played."""

    dealer: list[str]
    seats: dict[int, list[_Hand]]
    initial: dict[int, tuple[str, str]]
    findings: list[dict[str, Any]] = field(default_factory=list)


def total_of(cards: list[str]) -> int:
    """Return the best total of the cards; an ace counts 11 where that does not break the hand."""
    total = sum(10 if card[0] in "TJQK" else RANKS.index(card[0]) + 1 for card in cards)
    return total + 10 if total <= 11 and any(card[0] == "A" for card in cards) else total


def _is_hard(cards: list[str]) -> bool:
    return total_of(cards) == sum(10 if card[0] in "TJQK" else RANKS.index(card[0]) + 1 for card in cards)


INVENTED: Final = ("blackjack", *GAMES)
"""The games of which sessions can be invented: plain blackjack, and those that are played by acts."""


def invented_session(*, rounds: int, seed: int, errors: float, game: str = "blackjack") -> str:
    """Return a session of that many rounds as TOML; ``errors`` is the part of them that gets an error planted."""
    if game != "blackjack":
        return invented_acts(game, rounds=rounds, seed=seed, errors=errors)
    luck = random.Random(seed)
    shoe: list[str] = []
    parts = [f'[session]\nid = "random-{seed}"\ntable = "BJ-07"\nseed = {seed}\n']
    for number in range(1, rounds + 1):
        if len(shoe) < _LEAST_CARDS:
            shoe = [rank + suit for rank in RANKS for suit in SUITS] * _DECKS
            luck.shuffle(shoe)
        played = _play(luck, shoe, plant=luck.random() < errors)
        parts.append(_written(number, played))
    return "\n".join(parts)


def _play(luck: random.Random, shoe: list[str], *, plant: bool) -> _Round:
    seats = {seat: _colours(luck.choice(_BETS)) for seat in SEAT_DEG if luck.random() < 0.9} or {2: _colours("5 red")}
    firsts = {seat: shoe.pop() for seat in seats}
    up = shoe.pop()
    initial = {seat: (firsts[seat], shoe.pop()) for seat in seats}
    dealer = [up, shoe.pop()]
    hands = {seat: [_Hand(cards=list(initial[seat]), bet=bet)] for seat, bet in seats.items()}
    played = _Round(dealer=dealer, seats=hands, initial=initial)
    if total_of(dealer) != 21:
        for seat in hands:
            _play_seat(luck, shoe, hands, seat, up)
    live = [hand for own in hands.values() for hand in own if hand.total <= 21 and not hand.is_blackjack]
    kind = luck.choice(("dealer-drew", "money", "money", "money")) if plant else ""
    if live:
        _draw_dealer(shoe, dealer, hit_17=kind == "dealer-drew", findings=played.findings)
    for own in hands.values():
        for hand in own:
            hand.end = _right_end(hand, dealer)
    if kind and not played.findings:
        _plant(luck, played)
    return played


def _play_seat(luck: random.Random, shoe: list[str], hands: dict[int, list[_Hand]], seat: int, up: str) -> None:
    (hand,) = hands[seat]
    if hand.cards[0][0] == hand.cards[1][0] and hand.cards[0][0] in "236789" and luck.random() < 0.6:
        first, second = hand.cards
        hands[seat] = [_Hand(cards=[card], bet=hand.bet, is_split=True) for card in (second, first)]
        for part in hands[seat]:
            part.cards.append(shoe.pop())
            _decide(shoe, part, up, most_cards=3)
        return
    if hand.total in (10, 11) and luck.random() < 0.6:
        hand.cards.append(shoe.pop())
        hand.words.append(f"double {hand.cards[-1]}")
        hand.doubled = True
        return
    _decide(shoe, hand, up, most_cards=5)


def _decide(shoe: list[str], hand: _Hand, up: str, *, most_cards: int) -> None:
    weak = up[0] in "23456"
    while hand.total < (12 if weak and _is_hard(hand.cards) else 17) and len(hand.cards) < most_cards:
        hand.cards.append(shoe.pop())
        hand.words.append(f"hit {hand.cards[-1]}")
    if hand.total < 21:
        hand.words.append("stand")


def _draw_dealer(shoe: list[str], dealer: list[str], *, hit_17: bool, findings: list[dict[str, Any]]) -> None:
    while total_of(dealer) <= 16:
        dealer.append(shoe.pop())
    if hit_17 and total_of(dealer) == 17 and len(dealer) < 5:
        before = " ".join(dealer)
        dealer.append(shoe.pop())
        findings.append(
            {
                "code": "dealer-drew",
                "procedures": ["P254"],
                "expected": "the dealer stands on 17",
                "observed": f"{dealer[-1]} drawn on {before}",
            }
        )


def _right_end(hand: _Hand, dealer: list[str]) -> str:
    own, other = hand.total, total_of(dealer)
    dealt_21 = len(dealer) == 2 and other == 21
    if own > 21:
        return "take" if dealt_21 else "broken"
    if hand.is_blackjack:
        return (
            "push" if dealt_21 else f"blackjack {write_stack(_payout(THREE_TO_TWO.pays(value_of(hand.bet)), hand.bet))}"
        )
    if dealt_21 or (other <= 21 and own < other):
        return "take"
    return "push" if own == other else _even_money(hand)


def _even_money(hand: _Hand) -> str:
    stack = write_stack(hand.bet)
    return f"pay {stack} + {stack}" if hand.doubled else f"pay {stack}"


def _payout(amount: Money, bet: Stack) -> Stack:
    """Return the amount in the bet's highest colour and those below."""
    highest = max(CHIP_VALUES[colour] for colour in bet)
    stack: list[str] = []
    for colour in _PAYING:
        value = CHIP_VALUES[colour]
        if value <= highest:
            count = int(amount / value)
            stack += [colour] * count
            amount -= count * value
    return tuple(stack)


def _plant(luck: random.Random, played: _Round) -> None:
    """Make one payment of the round wrong, and write down what an audit must say of it."""
    found = [
        (seat, number, hand)
        for seat, own in played.seats.items()
        for number, hand in enumerate(own, start=1)
        if not hand.doubled and hand.end != "broken"
    ]
    if not found:
        return
    seat, number, hand = luck.choice(found)
    code, procedure, amount = _spoil(hand)
    played.findings.append(
        {
            "code": code,
            "procedures": [procedure],
            "seat": seat,
            "hand": number,
            "bet": "split" if number == 2 else "main",
            "amount": format_money(amount),
        }
    )


def _spoil(hand: _Hand) -> tuple[str, str, Money]:
    """Change how the hand ends; return the finding's code, its procedure and the player's gain."""
    stake = value_of(hand.bet)
    word, _, _ = hand.end.partition(" ")
    if word == "take":
        hand.end = "pass"
        return "loser-left", "P281", stake
    if word == "push":
        hand.end = f"pay {write_stack(hand.bet)}"
        return "push-paid", "P281", stake
    if word == "blackjack":
        hand.end = f"blackjack {write_stack(hand.bet + hand.bet)}"
        return "pay-amount", "P280", stake * 2 - THREE_TO_TWO.pays(stake)
    wrong = hand.bet[:-1] if len(hand.bet) > 1 else hand.bet * 2
    hand.end = f"pay {write_stack(wrong)}"
    return "pay-amount", "P280", sum((CHIP_VALUES[c] for c in wrong), ZERO) - stake


def _colours(text: str) -> Stack:
    words = text.split()
    return tuple(colour for n, colour in zip(words[::2], words[1::2], strict=True) for _ in range(int(n)))


def _written(number: int, played: _Round) -> str:
    kinds = ", ".join(finding["code"] for finding in played.findings) or "all is right"
    lines = ["[[round]]", f'title = "{number}: {kinds}"', f'dealer = "{" ".join(played.dealer)}"']
    for seat, own in played.seats.items():
        lines += [f"  [round.seat{seat}]", f'  bet = "{write_stack(own[0].bet)}"']
        lines.append(f'  cards = "{" ".join(played.initial[seat])}"')
        if len(own) == 1:
            lines += [f'  play = "{", ".join(own[0].words)}"', f'  end = "{own[0].end}"']
            continue
        lines.append(f'  split = "{write_stack(own[1].bet)}"')
        for hand in own:
            lines += [f"  [[round.seat{seat}.hands]]", f'  draw = "{hand.cards[1]}"']
            lines += [f'  play = "{", ".join(hand.words)}"', f'  end = "{hand.end}"']
    for finding in played.findings:
        lines.append("  [[round.finding]]")
        lines += [f"  {key} = {_toml(value)}" for key, value in finding.items()]
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)
