"""How cards come out of the shoe: cards drawn in anticipation, cards of players that lie face down."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from audit.procedures.drafts import BLACKJACK, Audited, Case, Draft, found
from audit.procedures.moments import first_hit, hits, may_signal, of_a_hand, surely_a_card, things
from audit.reconstruction.changes import last_of
from audit.reconstruction.observation import SeenCard
from audit.reconstruction.strays import at_the_mouth
from audit.states import CARD_KINDS, SeenObject, TableState


def hit_face_down(case: Case) -> Iterator[Draft]:
    """Yield hits that were laid down with their backs up: P242, P318 on a double (004:L711, L815)."""
    for seat, seen in case.seen.seats.items() if not case.seen.piece.missing else ():
        for card in hits(case, seen):
            if card.face_up or not card.appeared.dealer_last or not surely_a_card(case, card):
                continue
            doubled = card.sideways is True
            yield from found(
                case,
                *(("P318",) if doubled else ("P242",)),
                code="hit-face-down",
                span=card.appeared.span,
                expected="the double's card face up" if doubled else "hits face up",
                observed="face down",
                seat=seat,
                name=("hit-face-down", card.number),
                capped=card.turned is None,
            )


def first_cards_face_down(case: Case) -> Iterator[Draft]:
    """Yield one of a player's first two cards that was laid down with its back up: P233, P235 (004:L700, L703)."""
    for seat, seen in case.seen.seats.items() if not case.seen.piece.begun_unseen else ():
        for procedure, card in zip(("P233", "P235"), seen.initial, strict=False):
            came_up = card.face_up or card.read == card.appeared  # a player may have turned it down since
            if not came_up and card.appeared.dealer_last and surely_a_card(case, card):
                yield from found(
                    case,
                    procedure,
                    code="first-card-down",
                    span=card.appeared.span,
                    expected="a player's first two cards face up",
                    observed="face down",
                    seat=seat,
                    name=("first-card-down", card.number),
                    capped=card.turned is None,
                )


def drawn_in_anticipation(case: Case) -> Iterator[Draft]:
    """Yield a card half out of the shoe before the player gave his signal: P243 (004:L711).

    Where the next card always shows in the mouth of the shoe nothing is said.
    """
    piece = case.seen.piece
    dealt = last_of(card.appeared for seen in case.seen.seats.values() for card in seen.initial)
    if piece.missing or dealt is None or first_hit(case) is None:
        return
    shown = [_at_the_mouth(case, state) for state in piece.states]
    if 2 * sum(map(bool, shown)) >= len(shown):
        return
    for seat, seen in case.seen.seats.items():
        drawn = sorted(hits(case, seen), key=lambda card: card.number)
        for place, card in enumerate(drawn):
            since = max([dealt.state, *(before.appeared.state for before in drawn[:place])])
            out = next((i for i in range(since + 1, card.appeared.state) if shown[i] and not shown[i - 1]), None)
            if out is not None and _signalled_only_after(piece.states, seat, since, out, card):
                yield from found(
                    case,
                    "P243",
                    code="card-in-anticipation",
                    span=piece.states[out].span.hull(card.appeared.span),
                    expected="no card pulled from the shoe before a signal",
                    observed="a card lay at its mouth before the signal",
                    seat=seat,
                    capped=True,  # a signal may be given beside the zones
                    name=("card-in-anticipation", card.number),
                )


def _at_the_mouth(case: Case, state: TableState) -> tuple[SeenObject, ...]:
    shown = (one for one in things(state, *CARD_KINDS) if at_the_mouth(case.places, one.xy_mm))
    return tuple(one for one in shown if not of_a_hand([case], state, one))


def _signalled_only_after(states: Sequence[TableState], seat: int, since: int, out: int, card: SeenCard) -> bool:
    signs = [any(may_signal(hand, seat) for hand in state.hands) for state in states]
    return not any(signs[since + 1 : out + 1]) and any(signs[out + 1 : card.appeared.state + 1])


CHECKS: Final = (
    Audited(check=first_cards_face_down, games=BLACKJACK, ids=("P233", "P235"), of_cards=True),
    Audited(check=hit_face_down, games=BLACKJACK, ids=("P242", "P318"), of_cards=True, local=True),
    Audited(check=drawn_in_anticipation, games=BLACKJACK, ids=("P243",), of_cards=True),
)
