"""The deal: who gets a card when, and how it lies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from audit.procedures.drafts import BACCARAT, BLACKJACK, DICE, Audited, Case, Draft, first_inversion, found
from audit.procedures.moments import first_hit, hits, opening_cards, settlements, signals, surely_a_card, things
from audit.procedures.order import Act, inversions
from audit.procedures.peek import first_two_natural
from audit.readings import Mass
from audit.reconstruction.cards import NOT_AT_ONCE
from audit.reconstruction.changes import Change, last_of
from audit.reconstruction.observation import SeenCard, SeenWager
from audit.reconstruction.places import DEALER, gap_mm

_TWO: Final = 2
_DEAL_IDS: Final = {
    "blackjack": "P233",
    "double_deck": "P233",
    "draw_n_shoot_21": "P007",
    "dicey_21": "P045",
    "lucky_draw_baccarat": "P094",
}
_PLAY_IDS: Final = {"blackjack": "P241", "double_deck": "P241", "draw_n_shoot_21": "P014", "dicey_21": "P047"}
_DEALER_RANK: Final = 100
_ROUND_RANK: Final = 1000


def dealt_in_order(case: Case) -> Iterator[Draft]:
    """Yield cards of the first deal out of order: P233, P007, P045, P094."""
    if case.seen.piece.missing:
        return
    acts = list(_dealt(case, a_round=_ROUND_RANK, a_seat=1))
    late, forgotten = _made_up(case), _dealer_made_up(case)
    if forgotten is not None:
        yield from _dealer_forgotten(case, forgotten)
    elif case.rules.game in BLACKJACK and case.seen.dealer:
        first = _dealers_first(case)
        missed = _hand_missed(first, case.seen.dealer) or _one_was_missed(case, first)
        acts.append(Act(rank=_DEALER_RANK, change=first, words="the dealer's first card", doubtful=missed))
    orders = [inversions(acts)]
    if case.rules.game in BACCARAT:
        orders.append(inversions(_dealt(case, a_round=1, a_seat=_ROUND_RANK)))  # by rounds? not said (003:L58)
    pairs = min(orders, key=lambda one: (any(pair.certain for pair in one), len(one)))
    if late and any(pair.certain for pair in pairs):
        yield from _skipped(case, late[0])
        acts = [act for act in acts if act.change not in late]
        pairs = inversions(acts)
    dealers = case.rules.game in BLACKJACK and any(_DEALER_RANK in (p.early.rank, p.late.rank) for p in pairs[:1])
    more = ("P234",) if dealers else ()
    yield from first_inversion(
        case, pairs, _DEAL_IDS[case.rules.game], "deal-order", "cards dealt from the dealer's left", *more
    )


def _dealt(case: Case, *, a_round: int, a_seat: int) -> Iterator[Act]:
    """Yield the players' first cards, ranked by seat within a round, or by round within a seat."""
    for seat, seen in sorted(case.seen.seats.items()):
        for turn, card in enumerate(opening_cards(case, seen)):
            words = f"seat {seat}'s {'first' if turn == 0 else 'second'} card"
            rank, missed = turn * a_round + seat * a_seat, _hand_missed(card.appeared, seen.cards)
            yield Act(rank=rank, change=card.appeared, words=words, seat=seat, group=seat, doubtful=missed)


def _hand_missed(change: Change, cards: Iterable[SeenCard]) -> bool:
    """Whether fewer hands were seen over a place than cards came there at once: one may have come unseen."""
    return 0 < len(change.hands) < sum(card.appeared.state == change.state for card in cards)


def dealer_first_card_face_down(case: Case) -> Iterator[Draft]:
    """Yield that the dealer's first card showed its face while second cards were still to come: P234."""
    if case.seen.piece.missing or not case.seen.dealer:
        return
    up = case.seen.dealer[0]
    shown = None if None in (up.face_shown, up.read) else last_of([up.face_shown, up.read])
    seconds = [seen.initial[1] for seen in case.seen.seats.values() if len(seen.initial) == _TWO]
    hit = first_hit(case)
    dealt = [
        card.appeared for card in seconds if card.appeared.hands and (hit is None or card.appeared.state < hit.state)
    ]
    later = [change for change in dealt if shown is not None and change.seen.certainly_after(shown.seen)]
    excused = [*_made_up(case), *_lifted(case)]
    later = [change for change in later if change not in excused]
    if shown is not None and later:
        yield from found(
            case,
            "P234",
            "P236",
            code="up-card-early",
            span=shown.span,
            expected="the dealer's first card face down until his second goes under it",
            observed="face up while second cards were still dealt",
            name=("up-card-early",),
            follows=(("deal-order",),),
        )


def _lifted(case: Case) -> list[Change]:
    """Return the second cards of seats to which a hand had come from the shoe before: their players had lifted them."""
    lifted = []
    for seat, seen in case.seen.seats.items():
        for first, second in [seen.initial] if len(seen.initial) == _TWO else ():
            between = case.seen.piece.states[first.appeared.state + 1 : second.appeared.state]
            dealt = any({"shoe", f"seat{seat}.cards"} <= set(hand.zones) for one in between for hand in one.hands)
            if dealt and not any("shoe" in hand.zones for hand in second.appeared.hands):
                lifted.append(second.appeared)
    return lifted


def _made_up(case: Case) -> list[Change]:
    """Return the second cards of skipped seats: after the dealer's, or last of all players' before a hit (004:L790)."""
    seats = {seat: seen.initial for seat, seen in case.seen.seats.items() if len(seen.initial) == _TWO}
    second, hit = last_of(card.appeared for card in case.seen.dealer[:_TWO]), first_hit(case)
    if case.rules.game not in BLACKJACK or min(len(case.seen.dealer), len(seats)) < _TWO or second is None:
        return []
    late = [cards[1].appeared for cards in seats.values() if cards[1].appeared.seen.certainly_after(second.seen)]
    last = max(seats, key=lambda seat: seats[seat][1].appeared.state)
    first, made_up = (card.appeared for card in seats[last])
    others = [cards[1].appeared for seat, cards in seats.items() if seat != last]
    in_turn = last < max(seats) and all(first.state < seats[seat][0].appeared.state for seat in seats if seat > last)
    if not late and in_turn and all(made_up.seen.certainly_after(other.seen) for other in others):
        return [made_up] if hit is None or hit.span.certainly_after(made_up.span) else []
    return late if len(late) < len(seats) else []


def _dealers_first(case: Case) -> Change:
    """Return by which change the dealer, who has a card, had his first."""
    return min(case.seen.dealer[:_TWO], key=lambda card: card.number).appeared


def _one_was_missed(case: Case, first: Change) -> bool:
    """Whether the dealer's first card may have lain there unseen: one was seen long after all others, when turned."""
    seconds = [card.appeared for seen in case.seen.seats.values() for card in seen.initial[1:_TWO]]
    dealt = max(change.state for change in (first, *seconds))
    return any(card.appeared.state - dealt >= NOT_AT_ONCE for card in case.seen.dealer[:_TWO])


def _dealer_made_up(case: Case) -> Change | None:
    """Return the dealer's first card if it came after everyone's second and before any hit, as it may (004:L791)."""
    seconds = [seen.initial[1].appeared for seen in case.seen.seats.values() if len(seen.initial) == _TWO]
    known = case.rules.game in BLACKJACK and case.seen.dealer and not case.seen.piece.begun_unseen
    if not known or not seconds or len(seconds) < len(case.seen.seats):
        return None
    first, hit = _dealers_first(case), first_hit(case)
    in_time = (hit is None or hit.span.certainly_after(first.span)) and not _one_was_missed(case, first)
    return first if in_time and all(first.seen.certainly_after(second.seen) for second in seconds) else None


def _dealer_forgotten(case: Case, first: Change) -> Iterator[Draft]:
    """Yield that the dealer passed himself over, and dealt himself his cards as the manual says: at most suspect."""
    yield from found(
        case,
        "P233",
        "P298",
        code="dealer-skipped",
        span=first.span,
        expected="a card to the dealer after each box's first",
        observed="the dealer's first card after every player's second",
        name=("deal-order",),
        capped=True,
    )


def _skipped(case: Case, late: Change) -> Iterator[Draft]:
    """Yield that a seat was skipped and got its second card as the manual says: P233, P297; at most suspect.

    One that got none until a player had drawn sits out by the manual: P296.
    """
    seat = next(seat for seat, seen in case.seen.seats.items() if late in [card.appeared for card in seen.initial])
    hit, first = first_hit(case), case.seen.seats[seat].initial[0].appeared.span
    none = hit is not None and first.certainly_after(hit.span)
    yield from found(
        case,
        *(("P296", "P233") if none else ("P233", "P297")),
        code="seat-skipped",
        span=late.span,
        expected="cards dealt from the dealer's left",
        observed=f"seat {seat} skipped, its {'cards dealt after a hit' if none else 'second card dealt last'}",
        seat=seat,
        name=("deal-order",),
        capped=True,
    )


def played_in_order(case: Case) -> Iterator[Draft]:
    """Yield hits and raises out of order: P241, P014, P047, and P326 between the hands of a split."""
    if case.seen.piece.missing:
        return
    acts = []
    for seat, seen in sorted(case.seen.seats.items()):
        later = hits(case, seen)
        acts += [
            Act(rank=seat, change=card.appeared, words=f"a hit of seat {seat}", seat=seat, group=seat) for card in later
        ]
        ranked = []
        for number, hand in enumerate(seen.hands, start=1):
            words = f"a card of seat {seat} hand {number}"
            drawn = [
                card for card in hand[1:] if card in later
            ]  # a hand begins with a card of the hand it was split from
            ranked += [Act(rank=number, change=card.appeared, words=words, seat=seat) for card in drawn]
        if len(seen.hands) > 1:
            words = "the left hand first"
            yield from first_inversion(case, inversions(ranked), "P326", "split-order", words, of=(seat,))
    raises = [
        Act(rank=w.key.seat, change=w.placed, words=f"a raise of seat {w.key.seat}", seat=w.key.seat, group=w.key.seat)
        for w in case.seen.wagers
        if w.key.bet == "raise" and w.placed.state > case.seen.piece.first and not _after_the_reveal(case, w)
    ]
    pairs = [*inversions(acts), *(pair for pair in inversions([*acts, *raises]) if pair.certain)]
    pairs.sort(key=lambda pair: not pair.certain)
    once = tuple(("second-card-without-ante", pair.late.seat) for pair in pairs[:1])  # not a hand to be finished
    words = "each hand finished before the next"
    yield from first_inversion(case, pairs, _PLAY_IDS[case.rules.game], "hit-order", words, follows=once)


def _after_the_reveal(case: Case, wager: SeenWager) -> bool:
    """Whether a wager came when the dice were shown already: that is told as such, and not as out of turn."""
    turned = case.seen.hole_turned
    return turned is not None and wager.placed.span.certainly_after(turned.span)


def hole_turned_early(case: Case) -> Iterator[Draft]:
    """Yield that the hole card, which makes no blackjack (004:L806), was shown before a player's card: P252.

    Or the second card was shown instead of the first, where that may be: P236.
    """
    turned = case.seen.hole_turned
    if case.seen.piece.missing or turned is None or case.seen.hole_exposed:
        return
    natural = first_two_natural(case)
    for seat, seen in sorted(case.seen.seats.items()):
        for card in seen.cards:
            sure = bool(turned.hands and card.appeared.hands and case.seen.dealer[1].likeliest)
            if sure and card not in seen.initial and card.appeared.span.certainly_after(turned.span):
                perhaps = case.seen.hole_exposed is None  # the first card may have been turned as well (004:L778)
                yield from found(
                    case,
                    *(("P236", "P252") if perhaps else ("P252",)),
                    code="hole-early",
                    mass=Mass(broken=natural.kept, kept=natural.broken),
                    span=turned.span.hull(card.appeared.span),
                    expected="the hole card turned after all players have acted",
                    observed=f"turned before a card to seat {seat}"
                    + (", or shown instead of the up card" if perhaps else ""),
                    seat=seat,
                    capped=perhaps,
                    name=("hole-early",),
                    follows=(("hole-exposed",),),
                )
                return


def hole_card_exposed(case: Case) -> Iterator[Draft]:
    """Yield a second card of the dealer's that came face up beside the first, before a player signalled: P236.

    Both may come in one gap in which his hand was there no oftener than it takes to lay them.
    That he signalled is what a hand over his cards seems to say: in recognised footage at most suspect.
    """
    states, turned = case.seen.piece.states, case.seen.hole_turned
    if case.seen.piece.missing or turned is None or len(case.seen.dealer) < _TWO or case.seen.hole_exposed:
        return
    first, second = case.seen.dealer[:_TWO]
    came = second.appeared
    together = came.state == turned.state and first.face_shown is not None and first.face_shown.state == came.state
    seen = [state for state in states[: came.state] if not case.places.hidden(state, first.xy_mm)]
    alone = [item for item in seen[-1].objects if case.places.owner(item.xy_mm) == "dealer"] if seen else []
    one_by_one = first.appeared.state < came.state and len(alone) == 1
    at_once = first.appeared.state == came.state and not alone and len(came.hands) == _TWO and came.by_dealer
    if not together or not (one_by_one or at_once) or signals(case, states[came.state]):
        return
    none = Mass(broken=0.0, kept=1.0)
    natural = first_two_natural(case) if at_once else none  # that is shown as soon as it is found
    mains = [wager for wager in case.seen.wagers if wager.key.bet == "main"]  # side wagers are settled before the play
    settled_from = min((change.state for wager in mains for change in settlements(wager)), default=len(states))
    if any(signals(case, state) for state in states[came.state + 1 : settled_from + 1]):
        yield from found(
            case,
            "P236",
            code="hole-exposed",
            mass=Mass(broken=natural.kept, kept=natural.broken),
            span=came.span,
            expected="the dealer's second card face down under the first",
            observed=f"{first.likeliest or 'a card'} and {second.likeliest or 'a card'} face up when they were dealt",
            capped=not case.thresholds.hands_sure,
            name=("hole-exposed",),
        )


def second_card_beside_the_first(case: Case) -> Iterator[Draft]:
    """Yield a second card of the dealer's that came face up, apart from the first, which lay face down on: P236.

    At most suspect: he may have turned the first one there, and laid the second, face down, in its place.
    """
    if case.seen.piece.missing or len(case.seen.dealer) < _TWO or case.seen.hole_exposed is not None:
        return
    up, hole = case.seen.dealer[:_TWO]
    came = up.appeared
    stayed = not hole.face_up and hole.turned is not None and hole.turned.state > came.state > hole.appeared.state
    shown = case.seen.piece.states[came.state]
    backs, faces = (
        [item for item in things(shown, kind) if case.places.owner(item.xy_mm) == DEALER]
        for kind in ("card_back", "card")
    )
    if stayed and up.face_up and len(backs) == len(faces) == 1 and gap_mm(backs[0], faces[0]) > 0:
        yield from found(
            case,
            "P236",
            code="hole-exposed",
            span=came.span,
            expected="the dealer's second card face down under the first",
            observed=f"{up.likeliest or 'a card'} face up beside a card that lay face down",
            capped=True,
            name=("hole-exposed",),
        )


def hole_card_turned_down_again(case: Case) -> Iterator[Draft]:
    """Yield a hole card that was shown and turned down again: P236 in the deal, P252 in play (004:L704, L718)."""
    for card in case.seen.dealer[1:_TWO] if not case.seen.piece.missing else ():
        exposed, hit = card.exposed, first_hit(case)
        if exposed is None or not exposed.by_dealer or not surely_a_card(case, card):
            continue
        in_play = hit is not None and hit.state < exposed.state
        yield from found(
            case,
            *(("P252", "P236") if in_play else ("P236", "P252")),
            code="hole-exposed",
            span=exposed.span,
            expected="the hole card face down until all players have acted",
            observed=f"{card.likeliest or 'its face'} shown, then turned down again",
            capped=not case.thresholds.hands_sure,
            name=("hole-exposed",),
        )


CHECKS: Final = (
    Audited(check=hole_card_exposed, games=BLACKJACK, ids=("P236",), of_cards=True),
    Audited(check=second_card_beside_the_first, games=BLACKJACK, ids=("P236",), of_cards=True),
    Audited(check=hole_card_turned_down_again, games=BLACKJACK, ids=("P236", "P252"), of_cards=True),
    Audited(
        check=dealt_in_order,
        games=BLACKJACK | DICE | BACCARAT,
        ids=("P007", "P045", "P094", "P233", "P234", "P296", "P297", "P298"),
        of_cards=True,
        local=True,
    ),
    Audited(check=dealer_first_card_face_down, games=BLACKJACK, ids=("P234", "P236"), of_cards=True, local=True),
    Audited(
        check=played_in_order, games=BLACKJACK | DICE, ids=("P014", "P047", "P241", "P326"), of_cards=True, local=True
    ),
    Audited(check=hole_turned_early, games=BLACKJACK, ids=("P236", "P252"), of_cards=True),
)
