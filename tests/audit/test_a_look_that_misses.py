"""One look that misses a thing, or does not read it: what lay there before and after lies there still."""

from __future__ import annotations

from dataclasses import replace

from tests.audit.asking import accused, only_round
from tests.audit.pairs.deal import peek
from tests.notation import Felt, sample_profile


def without(felt: Felt, name: str) -> Felt:
    """A state that misses one thing, which nobody touched."""
    item = felt.things.pop(name)
    felt.snap()
    felt.things[name] = item
    return felt


def test_up_card_not_read_under_the_ace_finder_is_the_same_card_when_it_is_back() -> None:
    felt = Felt(sample_profile(finder=True)).bets({1: "25"}).deal({1: "Th 8c"}, dealer="Td 7s")
    peek(felt)
    finder = felt.states[-2]
    under = [replace(item, card=None) if item.card == "Td" else item for item in finder.objects]
    felt.states.insert(-1, replace(finder, objects=tuple(under), hands=()))
    felt.turn().pay(1, "25").collect(1).pick_up()
    assert [str(card) for card in only_round(felt).observed.round.dealer] == ["Td", "7s"]
    assert "P254" not in {procedure for _, procedure, _ in accused(felt)}
