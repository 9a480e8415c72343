"""All games by the name that records and profiles use."""

from __future__ import annotations

from typing import Final

from audit.games import blackjack, dicey_21, double_deck, draw_n_shoot_21, lucky_draw_baccarat, stud_21
from audit.games.terms import Game

GAMES: Final[dict[str, Game]] = {
    game.name: game
    for game in (
        blackjack.GAME,
        double_deck.GAME,
        draw_n_shoot_21.GAME,
        dicey_21.GAME,
        stud_21.GAME,
        lucky_draw_baccarat.GAME,
    )
}
