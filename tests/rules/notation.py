"""Rounds of one seat written in a line: ``blackjack("As Kd", dealer="9c 7d", bets="main 10, insurance 5")``."""

from __future__ import annotations

from typing import Any

from audit.records import settle_record

Answer = tuple[str | None, str | None, str | None]
"""Outcome, odds and pay of a bet."""


def bets_of(text: str, seat: int) -> list[dict[str, Any]]:
    """``"main 10, double@2 5, chuck#4 5"``: kind, ``@`` hand, ``#`` number, amount (``?`` = not read)."""
    bets = []
    for part in text.split(","):
        name, amount = part.split()
        name, _, number = name.partition("#")
        name, _, hand = name.partition("@")
        bet: dict[str, Any] = {"seat": seat, "bet": name, "amount": None if amount == "?" else f"{float(amount):.2f}"}
        if hand:
            bet["hand"] = int(hand)
        if number:
            bet["number"] = int(number)
        bets.append(bet)
    return bets


def cards_of(text: str) -> list[str | None]:
    return [None if word == "?" else word for word in text.split()]


def answer(game: str, table: dict[str, Any], bets: list[dict[str, Any]], variant: dict[str, Any]) -> dict[str, Any]:
    return settle_record({"game": game, "variant": variant, "table": table, "bets": bets})


def blackjack(
    hands: str,
    *,
    dealer: str,
    bets: str = "main@1 10",
    initial: str | None = None,
    game: str = "blackjack",
    variant: dict[str, Any] | None = None,
    **seat: bool,
) -> dict[str, Any]:
    """Hands are separated by ``|``; ``initial`` is the first two cards of the only hand, or the first card of each."""
    final = [cards_of(hand) for hand in hands.split("|")]
    dealt = final[0][:2] if len(final) == 1 else [hand[0] for hand in final[:2]]
    play: dict[str, Any] = {
        "initial": cards_of(initial) if initial else dealt,
        "hands": [{"cards": hand} for hand in final],
        **seat,
    }
    table = {"dealer": cards_of(dealer), "seats": {"3": play}}
    return answer(game, table, bets_of(bets, 3), variant or {})


def dice_game(
    game: str,
    cards: str,
    *,
    dice: list[Any],
    bets: str,
    variant: dict[str, Any] | None = None,
    lateral: bool | None = None,
) -> dict[str, Any]:
    play: dict[str, Any] = {"cards": cards_of(cards)}
    if lateral is not None:
        play["first_card_lateral"] = lateral
    return answer(game, {"dice": dice, "seats": {"3": play}}, bets_of(bets, 3), variant or {})


def stud(cards: str, *, dealer: str, bets: str, **variant: Any) -> dict[str, Any]:
    table = {"dealer": cards_of(dealer), "seats": {"3": {"cards": cards_of(cards)}}}
    return answer("stud_21", table, bets_of(bets, 3), variant)


def baccarat(cards: str, *, dealer: str, bets: str, **variant: Any) -> dict[str, Any]:
    """``dealer`` is down, up and third card."""
    named = dict(zip(("down", "up", "third"), cards_of(dealer), strict=False))
    return answer(
        "lucky_draw_baccarat", {"dealer": named, "seats": {"3": {"cards": cards_of(cards)}}}, bets_of(bets, 3), variant
    )


def due(settled: dict[str, Any], place: int = 0) -> Answer:
    bet = settled["settled"][place]
    return bet["outcome"], bet["odds"], bet["pay"]


def codes(settled: dict[str, Any]) -> list[str]:
    return [code for _, code in settled["violations"]]
