"""All games by the name that records and profiles use."""

from __future__ import annotations

from typing import Final

from audit.games import blackjack, double_deck
from audit.games.terms import Game

GAMES: Final[dict[str, Game]] = {
    game.name: game
    for game in (
        blackjack.GAME,
        double_deck.GAME,
    )
}
