"""Legal rounds of every game, played at random from a real shoe as the documents say, without the rules engine."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

Record = dict[str, Any]
RANKS = "A23456789TJQK"


def shoe(rng: random.Random, decks: int, *, without: str = "") -> list[str]:
    cards = [rank + suit for rank in RANKS if rank not in without for suit in "cdhs"] * decks
    rng.shuffle(cards)
    return cards


def points(cards: list[str]) -> tuple[int, bool]:
    total = sum(min(10, RANKS.index(card[0]) + 1) for card in cards)
    soft = any(card[0] == "A" for card in cards) and total <= 11
    return (total + 10 if soft else total), soft


def value(card: str) -> int:
    return min(10, RANKS.index(card[0]) + 1)


def amount(number: float) -> str:
    return f"{number:.2f}"


def seats_at_random(rng: random.Random, spaces: int) -> list[int]:
    return sorted(rng.sample(range(1, spaces + 1), rng.randint(1, min(spaces, 5))))


def blackjack(rng: random.Random, *, game: str = "blackjack") -> Record:
    decks = 2 if game == "double_deck" else rng.choice([6, 8])
    cards = shoe(rng, decks)
    first = {seat: [cards.pop(), cards.pop()] for seat in seats_at_random(rng, 7)}
    dealer = [cards.pop(), cards.pop()]
    bets: list[Record] = []
    table: Record = {}
    peeked = points(dealer)[0] == 21 and rng.random() < 0.7
    late = points(dealer)[0] == 21 and not peeked
    for seat, two in first.items():
        stake = rng.choice([10, 15, 25, 27.5, 75, 200])
        bets += side_bets(rng, seat, game)
        bets.append({"seat": seat, "hand": 1, "bet": "main", "amount": amount(stake)})
        table[str(seat)], insured = offers(rng, two, stake, dealer[0])
        bets += [{"seat": seat, **bet} for bet in insured]
        if points(two)[0] == 21 or peeked:
            continue
        hands, doubled = play_hands(rng, cards, two, 2 if decks == 2 else 4)
        table[str(seat)]["hands"] = [{"cards": hand} for hand in hands]
        splits = range(2, len(hands) + 1)
        bets += [{"seat": seat, "hand": number, "bet": "split", "amount": amount(stake)} for number in splits]
        double = stake * rng.choice([1, 1, 0.5])
        bets += [{"seat": seat, "hand": number, "bet": "double", "amount": amount(double)} for number in doubled]
    while is_live(table) and points(dealer)[0] < 17:
        dealer.append(cards.pop())
    variant: Record = {"decks": decks} | ({"bj_revealed_late": True} if late else {})
    if game == "blackjack":
        variant["progressive_meter"] = "80273.00"
    return {"game": game, "variant": variant, "table": {"dealer": dealer, "seats": table}, "bets": bets}


def offers(rng: random.Random, two: list[str], stake: float, up: str) -> tuple[Record, list[Record]]:
    """Insurance, even money and a free bet coupon, as the seat's record and its wagers."""
    seat: Record = {"initial": list(two), "hands": [{"cards": list(two)}]}
    if rng.random() < 0.05:
        seat["free_bet_coupon"] = True
    if up[0] != "A" or rng.random() > 0.4:
        return seat, []
    if points(two)[0] == 21 and rng.random() < 0.5:
        return seat | {"even_money": True}, []
    return seat, [{"bet": "insurance", "amount": amount(stake / rng.choice([2, 4]))}]


def is_live(table: Record) -> bool:
    return any(
        points(hand["cards"])[0] <= 21 and not (len(seat["hands"]) == 1 and natural_hand(hand["cards"]))
        for seat in table.values()
        for hand in seat["hands"]
    )


def natural_hand(hand: list[str]) -> bool:
    return len(hand) == 2 and points(hand)[0] == 21


def side_bets(rng: random.Random, seat: int, game: str) -> list[Record]:
    bets = []
    if rng.random() < 0.5:
        bets.append({"seat": seat, "bet": "trilux", "amount": amount(rng.choice([5, 25, 500]))})
        if game == "blackjack" and rng.random() < 0.5:
            bets.append({"seat": seat, "bet": "super3", "amount": amount(rng.choice([5, 50]))})
    if game == "blackjack" and rng.random() < 0.5:
        bets.append({"seat": seat, "bet": "blazing7", "amount": "5.00"})
    return bets


def play_hands(rng: random.Random, cards: list[str], first: list[str], most: int) -> tuple[list[list[str]], list[int]]:
    hands = [list(first)]
    at = 0
    doubled: set[int] = set()
    split = False
    while at < len(hands):
        hand = hands[at]
        if len(hand) == 1:
            hand.append(cards.pop())
            if hand[0][0] == "A":
                at += 1
                continue
        aces = hand[0][0] == "A"
        can_split = value(hand[0]) == value(hand[1]) and len(hands) < most and not (aces and split)
        if len(hand) == 2 and can_split and rng.random() < 0.7:
            split = True
            hands[at : at + 1] = [[hand[0]], [hand[1]]]
            doubled = {number if number <= at else number + 1 for number in doubled}
            continue
        if points(hand)[0] != 21 and rng.random() < 0.2:
            hand.append(cards.pop())
            doubled.add(at + 1)
        else:
            while points(hand)[0] < rng.choice([12, 15, 17, 18]):
                hand.append(cards.pop())
        at += 1
    return hands, sorted(doubled)


def dice_game(rng: random.Random, *, game: str) -> Record:
    cards = shoe(rng, 6)
    dicey = game == "dicey_21"
    seats = seats_at_random(rng, 6 if dicey else 7)
    table: Record = {}
    bets: list[Record] = []
    for seat in seats:
        side, ante = rng.choice([(True, True), (True, False), (False, True)])
        hand = [cards.pop()]
        if ante:
            stake = rng.choice([5, 10, 12.5])
            bets.append({"seat": seat, "bet": "ante", "amount": amount(stake)})
            if rng.random() < 0.5:
                bets.append({"seat": seat, "bet": "raise", "amount": amount(stake * rng.choice([1, 2]))})
            while hard(hand) < rng.choice([9, 12, 19]) and rng.random() < 0.8:
                hand.append(cards.pop())
        if side and dicey:
            bets += [
                {"seat": seat, "bet": "chuck", "number": number, "amount": amount(rng.choice([5, 10]))}
                for number in rng.sample(range(1, 7), rng.randint(1, 3))
            ]
        elif side:
            bets.append({"seat": seat, "bet": "craps", "amount": amount(rng.choice([5, 10]))})
        table[str(seat)] = {"cards": hand, "first_card_lateral": side}
    dice: list[Any] = [rng.randint(1, 6) for _ in range(3 if dicey else 2)]
    variant: Record = {} if dicey else {"quickcraps_table": rng.choice(["recommended", "alternate"])}
    if dicey:
        colours = rng.choice([("white", "white", "red"), ("red", "white", "red"), ("blue", "red", "red")])
        dice = [{"v": face, "c": colour} for face, colour in zip(dice, colours, strict=True)]
    return {"game": game, "variant": variant, "table": {"dice": dice, "seats": table}, "bets": bets}


def hard(cards: list[str]) -> int:
    return sum(value(card) for card in cards)


def stud(rng: random.Random) -> Record:
    spanish = rng.random() < 0.5
    variant = {
        "decks": rng.choice([6, 7, 8]),
        "spanish": spanish,
        "blackjack_odds": rng.choice(["3:2", "6:5"]),
        "bj_tie": rng.choice(["push", "pay"]),
    }
    cards = shoe(rng, variant["decks"], without="T" if spanish else "")
    table: Record = {}
    bets: list[Record] = []
    for seat in seats_at_random(rng, 7):
        table[str(seat)] = {"cards": [cards.pop(), cards.pop()]}
        bets.append({"seat": seat, "bet": "base", "amount": amount(rng.choice([5, 10, 12.5]))})
        bets += [
            {"seat": seat, "bet": bet, "amount": amount(rng.choice([5, 10]))}
            for bet in ("match1", "match2", "mirror")
            if rng.random() < 0.5
        ]
    dealer = [cards.pop(), cards.pop()]
    return {"game": "stud_21", "variant": variant, "table": {"dealer": dealer, "seats": table}, "bets": bets}


def baccarat(rng: random.Random) -> Record:
    cards = shoe(rng, 8)
    odds = rng.choice([None, {"ultimate": "40:1", "pair": "9:1", "flush": "5:1", "normal": "2:1"}])
    table: Record = {}
    bets: list[Record] = []
    for seat in seats_at_random(rng, 7):
        hand = [cards.pop(), cards.pop()]
        stake = rng.choice([5, 10, 12.5])
        bets.append({"seat": seat, "bet": "enter", "amount": amount(stake)})
        if rng.random() < 0.5:
            bets.append({"seat": seat, "bet": "block_bonus", "amount": amount(rng.choice([5, 10]))})
        if rng.random() < 0.5:
            hand.append(cards.pop())
            bets.append({"seat": seat, "bet": "draw", "amount": amount(stake)})
        table[str(seat)] = {"cards": hand}
    dealer: Record = {"down": cards.pop(), "up": cards.pop()}
    score = sum(0 if card[0] in "TJQK" else RANKS.index(card[0]) + 1 for card in dealer.values()) % 10
    if score <= 4:
        dealer["third"] = cards.pop()
    variant = {"decks": 8, "block_odds": odds}
    return {
        "game": "lucky_draw_baccarat",
        "variant": variant,
        "table": {"dealer": dealer, "seats": table},
        "bets": bets,
    }


GAMES: dict[str, Callable[[random.Random], Record]] = {
    "blackjack": blackjack,
    "double_deck": lambda rng: blackjack(rng, game="double_deck"),
    "draw_n_shoot_21": lambda rng: dice_game(rng, game="draw_n_shoot_21"),
    "dicey_21": lambda rng: dice_game(rng, game="dicey_21"),
    "stud_21": stud,
    "lucky_draw_baccarat": baccarat,
}


def play(seed: int, game: str | None = None) -> Record:
    """Return a legal round of the game, or of one at random, as a record."""
    rng = random.Random(seed)  # noqa: S311 - seeded, not secret
    name = game or rng.choice(list(GAMES))
    return GAMES[name](rng)
