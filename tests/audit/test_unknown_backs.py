"""A back of a design that recognition does not know is told as a card that is none of the faces: it lies face down."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from audit.pipeline import audit_states
from audit.reconstruction.cards import track_cards
from audit.reconstruction.places import Places
from audit.reconstruction.slices import Slice
from audit.states import SeenObject, TableState
from tests.audit.asking import accused
from tests.audit.pairs.pair import Pair
from tests.audit.test_every_procedure import NAMES, PAIRS
from tests.notation import Felt, covering, wide_profile

STUD = [pair for pair in PAIRS if pair.procedure in {"P070", "P072", "P075", "P076", "P077", "P078", "P079", "P080"}]


def as_seen(item: SeenObject) -> SeenObject:
    """A card face down as the readers saw it: with 0.94 nothing that they know."""
    return replace(item, kind="card", candidates={"Ks": 0.03, "Kc": 0.03}) if item.kind == "card_back" else item


def unknown_backs(states: Iterable[TableState]) -> list[TableState]:
    """Every card that lies face down is told as a card that was not read."""
    return [replace(state, objects=tuple(map(as_seen, state.objects))) for state in states]


@pytest.mark.parametrize("pair", STUD, ids=[name for name in NAMES if name[:4] in {pair.procedure for pair in STUD}])
def test_dealers_cards_face_down_that_look_like_unread_faces_accuse_nobody(pair: Pair) -> None:
    """Film o, 9 s: the rays of a green back were a card's face; bets settled before it was turned came too late."""
    felt = pair.right()
    result = audit_states(unknown_backs(felt.states), felt.profile)
    findings = [*result.findings, *(one for round_ in result.rounds for one in round_.findings)]
    assert [one.procedures for one in findings if one.verdict.value == "violation"] == []


@pytest.mark.parametrize(
    ("confidence", "looks", "told"), [(0.55, 1, []), (0.55, 0, ["P242"]), (None, 1, ["P242"]), (0.55, 2, ["P242"])]
)
def test_edge_of_a_hand_that_one_look_takes_for_a_back_is_no_hit(
    confidence: float | None, looks: int, told: list[str]
) -> None:
    """It lies on the hit just dealt, the next hit a little farther down; 0: it is hidden before and after."""
    felt = Felt(wide_profile("blackjack", ("main",), seats=1)).bets({1: "20"}).deal({1: "2h 3c"}, dealer="9s 8d")
    felt.hand("player", "seat1.cards", seat=1).card(1, "9d", snap=False)
    x, y = felt.things[felt.names("s1.h1.2")[0]].xy_mm
    felt.put_card("edge", "back", (x + 10.0, y - 10.0), felt.axis(1))
    felt.things["edge"] = replace(felt.things["edge"], confidence=confidence)
    place = len(felt.states)
    for _ in range(max(1, looks)):
        felt.snap()
    felt.remove("edge")
    felt.hand("player", "seat1.cards", seat=1).card(1, "5h").hand("player", "seat1.cards", seat=1).snap()
    felt.turn().pay(1, "20").collect(1).pick_up()
    for beside in (place - 1, place + 1) if not looks else ():
        felt.states = covering(felt.states, beside, felt.profile, "seat1.cards")
    assert [number for _, number, _ in accused(felt) if number == "P242"] == told


def test_dealers_card_face_down_that_one_look_alone_shows_is_a_card_however_faint() -> None:
    felt = Felt(wide_profile("blackjack", ("main",), seats=1)).bets({1: "20"}).hand("dealer", "shoe", "dealer.cards")
    felt.put_card("hole", "back", felt.at("dealer.cards"), 0.0)
    felt.things["hole"] = replace(felt.things["hole"], confidence=0.6)
    felt.snap().remove("hole")
    states = tuple(felt.hand("dealer", "dealer.cards").snap().states)
    piece = Slice(states=states, first=0, last=len(states) - 1)
    assert [track.owner for track in track_cards(piece, Places(felt.profile))] == ["dealer"]
