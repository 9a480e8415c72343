"""Draw 'n Shoot 21 and Dicey 21: the first card, hits, raises, dice, and the order of settling."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, takewhile
from typing import Final

from audit.games.terms import hard_total
from audit.procedures.drafts import DICE, DICEY, Audited, Case, Draft, dollars, found, not_seen
from audit.procedures.dues import doubt_about_dice, due_readings
from audit.procedures.moments import hits, settlements, surely_lies_so, things, words_of
from audit.procedures.order import possible_orders
from audit.procedures.resting import unsure_cards
from audit.readings import CERTAIN, UNKNOWN, hand_answers, in_all, mass_of, unread
from audit.reconstruction.amounts import best_amount
from audit.reconstruction.changes import Change, change_between
from audit.reconstruction.dice import SeenDie
from audit.reconstruction.observation import SeenCard, SeenWager
from audit.reconstruction.places import CARD_WIDTH_MM
from audit.settlement import Outcome

_HITS_END: Final = 19
_LEVEL: Final = 0.15  # as much lower, of what it lies to the side
DICE_THROWN: Final = {"draw_n_shoot_21": 2, DICEY: 3}
"""How many dice a round throws."""
_WITHOUT_DICE: Final = {
    # what cannot be told where dice were not seen: of the dice alone, then of their reveal and what comes after
    "draw_n_shoot_21": ("P032", "P022", "P023", "P018", "P019", "P020", "P021", "P028", "P036", "P037"),
    DICEY: ("P056", "P050", "P041", "P052", "P058"),
}
_DICE_ALONE: Final = 3
_OF_THE_CUP: Final = frozenset({"P018", "P019", "P020", "P021"})
_COLOURS: Final = 2
_READ: Final = 0.9
_MOST_NUMBERS: Final = 3


def first_card_laid(case: Case) -> Iterator[Draft]:
    """Yield a first card that is upright beside a side bet, or lateral without one: P008, P009, P045."""
    if case.seen.piece.missing:
        return
    reveal = case.seen.hole_turned
    if reveal is not None and reveal.state <= case.seen.piece.first:
        return  # the first cards and the dice were seen at once: side bets may be settled
    side, late = (
        {wager.key.seat for wager in wagers if wager.key.bet in ("craps", "chuck")}
        for wagers in (case.seen.wagers, case.seen.late)
    )
    for seat, seen in case.seen.seats.items():
        lateral = seen.cards[0].sideways
        if seat in late - side:
            continue  # the side bet came after the card, which lies as it must have lain before
        if lateral and seat not in side and _side_spot_hidden(case, seat):
            continue
        if len(seen.cards) > 1 and seen.cards[1].appeared.state == seen.cards[0].appeared.state:
            continue  # which of them came first is not known
        if lateral is None:
            reason = f"seat {seat}: how the first card lies"
            ids = (case.dice_id("P008", "P045"), *(() if case.rules.game == DICEY else ("P009",)))
            yield from not_seen(case, *ids, reason=reason, span=seen.cards[0].appeared.span, seat=seat)
        if lateral is None or lateral == (seat in side):
            continue
        yield from found(
            case,
            case.dice_id("P009" if lateral else "P008", "P045"),
            code="first-card-lateral",
            span=seen.cards[0].appeared.span,
            expected="the first card lateral if, and only if, the side bet is played",
            observed="lateral" if lateral else "upright",
            seat=seat,
        )


def _side_spot_hidden(case: Case, seat: int) -> bool:
    """Whether a side bet of a seat may have stood unseen when its first card lay there."""
    state = case.seen.piece.states[case.seen.seats[seat].cards[0].appeared.state]
    return any(zone.startswith((f"seat{seat}.craps", f"seat{seat}.chuck")) for zone in state.covered)


def first_card_face_up(case: Case) -> Iterator[Draft]:
    """Yield a first card that was laid face down: P007, P045."""
    for seat, seen in case.seen.seats.items() if not case.seen.piece.missing else ():
        card = seen.cards[0]
        if not card.face_up and card.appeared.state > 0:
            yield from found(
                case,
                case.dice_id("P007", "P045"),
                code="first-card-down",
                span=card.appeared.span,
                expected="the first card face up",
                observed="face down",
                seat=seat,
                capped=card.shown or not case.thresholds.unread_sure,
            )


def side_bet_only_gets_one_card(case: Case) -> Iterator[Draft]:
    """Yield a second card at a seat without an ante: P010, P046."""
    antes = {wager.key.seat for wager in case.seen.wagers if wager.key.bet == "ante"}
    for seat, seen in case.seen.seats.items():
        in_view = f"seat{seat}.ante" not in case.seen.piece.states[case.seen.piece.first].covered
        if seat not in antes and len(seen.cards) > 1 and in_view and not case.seen.piece.missing:
            yield from found(
                case,
                case.dice_id("P010", "P046"),
                code="second-card-without-ante",
                span=seen.cards[1].appeared.span,
                expected="one card at a seat without an ante",
                observed=f"{len(seen.cards)} cards",
                mass=UNKNOWN if _laid_and_gone(case, seat) else CERTAIN,
                seat=seat,
                name=("second-card-without-ante", seat),
            )


def _laid_and_gone(case: Case, seat: int) -> bool:
    """Whether an ante may have been laid and lifted between the two looks between which the first card came."""
    piece = case.seen.piece
    change = change_between(piece.states, piece.first - 1 if piece.first else None, piece.first, {f"seat{seat}.ante"})
    return change.blind or change.sides == {"dealer", "player"}


def raised_in_time(case: Case) -> Iterator[Draft]:
    """Yield raises placed after a hit, or before the first card: P011, P004, P047."""
    if case.seen.piece.missing:
        return
    for wager in case.seen.wagers:
        if wager.key.bet != "raise":
            continue
        cards = case.seen.seats[wager.key.seat].cards
        if wager.placed.state < case.seen.piece.first:
            yield from _raised(case, wager, case.dice_id("P004", "P047"), "before a card was out")
        elif len(cards) > 1 and wager.placed.span.certainly_after(cards[1].appeared.span):
            yield from _raised(case, wager, case.dice_id("P011", "P047"), "after a hit")
        elif case.seen.hole_turned and wager.placed.span.certainly_after(case.seen.hole_turned.span):
            yield from _raised(case, wager, case.dice_id("P011", "P047"), "after the dice were shown")


def _raised(case: Case, wager: SeenWager, procedure: str, when: str) -> Iterator[Draft]:
    yield from found(
        case,
        procedure,
        code="raise-time",
        span=wager.placed.span,
        expected="the raise after the first card and before any hit",
        observed=f"{dollars(best_amount(wager.stake))} placed {when}",
        bet=wager.key,
        capped=not wager.placed.hands,
        name=("changed", wager.key),
    )


def hit_on_hard_19(case: Case) -> Iterator[Draft]:
    """Yield cards drawn to a hard total of 19 or more, in whatever order those of one gap came: P017, P049."""
    if case.seen.piece.begun_unseen:
        return
    for seat, seen in case.seen.seats.items():
        orders = [[seen.cards[place] for place in order] for order in possible_orders(seen.cards)]
        if len(seen.cards) == 1 or not orders:
            continue
        cards = orders[0]
        ways = (hand_answers(order[:-1], hard_total) for order in orders)
        mass = in_all(mass_of(way, lambda total: total >= _HITS_END) for way in ways)
        order_open = [] if len(orders) == 1 else [f"seat {seat}: in which order its cards came"]
        yield from found(
            case,
            case.dice_id("P017", "P049"),
            code="hit-on-hard-19",
            mass=mass,
            span=cards[-1].appeared.span,
            expected="no hit on a hard total of 19 or more",
            observed=f"a card drawn to {words_of(cards[:-1])}",
            seat=seat,
            unread=[
                *order_open,
                *unread((f"seat {seat} card {i}", card) for i, card in enumerate(cards[:-1], start=1)),
            ],
            rests_on=unsure_cards(cards[:-1]),
        )


def hits_laid(case: Case) -> Iterator[Draft]:
    """Yield hit cards that lie face down or sideways, or beside the first one, then at most suspect: P016, P049."""
    for seat, seen in case.seen.seats.items() if not case.seen.piece.missing else ():
        for card in hits(case, seen):
            known = card.appeared.state > seen.cards[0].appeared.state
            earlier = [one for one in seen.cards if one.appeared.state < card.appeared.state]
            beside = "beside the first card" if all(_is_beside(case, seat, one, card) for one in earlier) else ""
            wrong = "face down" if not card.face_up else "sideways" if card.sideways else beside
            if known and wrong:
                yield from found(
                    case,
                    case.dice_id("P016", "P049"),
                    code="hit-laid",
                    span=card.appeared.span,
                    expected="hit cards face up and upright, below the first",
                    observed=wrong,
                    seat=seat,
                    name=("hit-laid", card.number),
                    capped=card.face_up and (wrong == beside or not surely_lies_so(case, card)),
                )
            elif known and card.sideways is None:
                reason = f"seat {seat}: how a hit card lies"
                yield from not_seen(
                    case, case.dice_id("P016", "P049"), reason=reason, span=card.appeared.span, seat=seat
                )


def _is_beside(case: Case, seat: int, first: SeenCard, hit: SeenCard) -> bool:
    """Whether a hit came to lie a card's width beside a seat's first card, and not toward the dealer from it."""
    lay, came = (case.places.along(f"seat{seat}", point) for point in (first.xy_mm, hit.came_xy_mm))
    beside, below = abs(came[0] - lay[0]), lay[1] - came[1]
    return beside > CARD_WIDTH_MM and below < _LEVEL * beside


def dice_untouched(case: Case) -> Iterator[Draft]:
    """Yield dice that showed another face after the reveal, and too many dice or wrong colours: P022, P023, P041."""
    for number, die in enumerate(case.seen.dice, start=1):
        turned = die.changed is not None
        change = die.changed if turned else die.moved
        if change is not None:
            yield from found(
                case,
                case.dice_id("P022", "P050"),
                code="die-turned" if turned else "die-moved",
                span=change.span,
                expected="dice as revealed until the round is settled",
                observed=f"die {number} {'showed another face' if turned else 'was moved'}",
                capped=not turned and not (change.hands and case.thresholds.hands_sure),
                name=("die-turned", number),
                follows=(("dice-count",),),
            )
    reveal = case.seen.hole_turned
    if reveal is None:
        return
    count, wanted = len(case.seen.dice), DICE_THROWN[case.rules.game]
    if count > wanted or _are_fewer(case, reveal, wanted):
        read = case.thresholds.unread_sure or sum(map(_is_read, case.seen.dice)) > wanted
        yield from found(
            case,
            case.dice_id("P023", "P041"),
            code="dice-count",
            span=reveal.span,
            expected=f"{wanted} dice",
            observed=f"{count} {'die' if count == 1 else 'dice'}",
            capped=count < wanted or not read,
            name=("dice-count",),
        )
    colours = {die.colour for die in case.seen.dice}
    if case.rules.game == DICEY and count == wanted and None not in colours and len(colours) != _COLOURS:
        yield from found(
            case,
            "P041",
            code="dice-colours",
            span=reveal.span,
            expected="two dice of one colour, one of another",
            observed=f"{len(colours)} colour{'' if len(colours) == 1 else 's'}",
        )


def _are_fewer(case: Case, reveal: Change, wanted: int) -> bool:
    """Whether three looks or more after the reveal, the dice in plain view, all show too few.

    Only where what is seen is taken as it is told: a recogniser may miss a die.
    """
    states = case.seen.piece.states[reveal.state : case.seen.piece.last + 1]
    counts = [len(things(state, "die")) for state in takewhile(lambda state: things(state, "die"), states)]
    clear = all(state.view == "ok" and "dice" not in state.covered for state in states[: len(counts)])
    return case.thresholds.unread_sure and len(counts) > 2 and clear and max(counts) < wanted  # noqa: PLR2004


def _is_read(die: SeenDie) -> bool:
    return max(die.chances.values(), default=0.0) >= _READ


def dice_read(case: Case) -> Iterator[Draft]:
    """Yield that a die was not read with certainty, even where all that was paid fits one reading: P032, P056."""
    reveal = case.seen.hole_turned
    for number, die in enumerate(case.seen.dice if reveal is not None else (), start=1):
        if reveal is not None and not _is_read(die):
            reason = f"die {number} not read"
            yield from not_seen(case, case.dice_id("P032", "P056"), reason=reason, span=reveal.span)


def dice_shown(case: Case) -> Iterator[Draft]:
    """Yield that dice by which a round was settled were not seen, with all that hangs on them beside its payouts.

    A cup seen to stand closed meanwhile is a finding of its own (``cup.settled_under_the_cover``).
    """
    doubt, wanted = doubt_about_dice(case), DICE_THROWN[case.rules.game]
    done = [change for wager in case.seen.wagers for change in settlements(wager)]
    if doubt is None or len(case.seen.dice) > wanted or not done or case.seen.piece.missing:
        return
    ids = _WITHOUT_DICE[case.rules.game]
    if case.seen.hole_turned is not None:
        ids = ids[:_DICE_ALONE]
    elif not any(things(state, "dice_cup") for state in case.seen.piece.states):
        ids = tuple(number for number in ids if number not in _OF_THE_CUP)
    span = done[0].span
    for change in done[1:]:
        span = span.hull(change.span)
    yield from not_seen(case, *ids, reason=doubt, span=span)


def chuck_numbers(case: Case) -> Iterator[Draft]:
    """Yield seats with more than three numbers bet: P042."""
    for seat in case.seen.seats:
        bets = [wager for wager in case.seen.wagers if wager.key.seat == seat and wager.key.bet == "chuck"]
        if len(bets) > _MOST_NUMBERS:
            yield from found(
                case,
                "P042",
                code="chuck-numbers",
                span=bets[-1].placed.span,
                expected="one to three numbers",
                observed=f"{len(bets)} numbers",
                seat=seat,
            )


def losing_craps_swept_first(case: Case) -> Iterator[Draft]:
    """Yield losing craps bets collected only after step 8 had begun, with a payment, a take or a hand's cards: P025.

    What was settled before the dice were shown is told as that, and began nothing.
    """
    if case.seen.piece.missing:
        return
    losers = {}
    for wager in case.seen.wagers:
        if wager.key.bet == "craps":
            sets = due_readings(case, wager).sets
            losers[wager.key] = mass_of(sets, lambda due: due.outcome is Outcome.LOSE)
    others = [
        change for wager in case.seen.wagers for change in settlements(wager) if wager.key not in losers or wager.pays
    ]
    turned = case.seen.hole_turned
    others = [change for change in others if turned is None or change.state >= turned.state]
    first = min([*others, *_hands_put_away(case)], key=lambda change: change.state, default=None)
    for wager in case.seen.wagers:
        taken = None if wager.taken is None else wager.taken.change
        if wager.key in losers and taken is not None and first is not None and taken.span.certainly_after(first.span):
            yield from found(
                case,
                "P025",
                code="craps-swept-late",
                mass=losers[wager.key],
                span=first.span.hull(taken.span),
                expected="every losing Craps bet collected before anything else is settled",
                observed="collected afterwards",
                bet=wager.key,
                name=("craps-swept-late", wager.key),
            )


def _hands_put_away(case: Case) -> list[Change]:
    """When the dealer lifted the cards of players who played the 21 bet, after the reveal: their turn was over.

    The one card of a player who lost at Craps alone may go with his bet.
    """
    turned = case.seen.hole_turned
    antes = {wager.key.seat for wager in case.seen.wagers if wager.key.bet == "ante"}
    gone = [card.gone for seat in antes for card in case.seen.seats[seat].cards if card.gone is not None]
    return [change for change in gone if change.by_dealer and turned is not None and change.state > turned.state]


def losers_before_winners(case: Case) -> Iterator[Draft]:
    """Yield seats at which a bet was paid while a losing number of the seat was still down: P053.

    A winning number may be paid before the 21 bets are taken: numbers come before them (001:L51-52).
    """
    if case.seen.piece.missing:
        return
    for seat in case.seen.seats:
        own = [wager for wager in case.seen.wagers if wager.key.seat == seat and wager.key.bet != "toke"]
        pairs = [(one, other) for one, other in permutations(own, 2) if other.key.bet == "chuck"]
        early = [
            (one, other, one.pays[0].change.span.hull(other.taken.change.span))
            for one, other in pairs
            if one.pays and other.taken and one.pays[0].change.span.certainly_before(other.taken.change.span)
        ]
        for winner, loser, span in sorted(early, key=lambda found: _settled_wrongly(case, *found[:2]))[:1]:
            yield from found(
                case,
                "P053",
                code="winner-first",
                span=span,
                expected="a player's losing numbers taken before his winning bets are paid",
                observed="a winner paid first",
                seat=seat,
                follows=(("payout", winner.key), ("payout", loser.key)),
            )


def _settled_wrongly(case: Case, paid: SeenWager, taken: SeenWager) -> bool:
    """Whether the order follows from an error of payment: a loser was paid or a winner taken."""
    dues = due_readings(case, paid).best, due_readings(case, taken).best
    outcomes = [None if due is None else due.outcome for due in dues]
    return outcomes[0] is Outcome.LOSE or outcomes[1] is Outcome.WIN


CHECKS: Final = (
    Audited(check=first_card_laid, games=DICE, ids=("P008", "P009", "P045"), of_cards=True, local=True),
    Audited(check=first_card_face_up, games=DICE, ids=("P007", "P045"), of_cards=True, local=True),
    Audited(check=side_bet_only_gets_one_card, games=DICE, ids=("P010", "P046"), of_cards=True, local=True),
    Audited(check=raised_in_time, games=DICE, ids=("P004", "P011", "P047"), local=True),
    Audited(check=hit_on_hard_19, games=DICE, ids=("P017", "P049"), of_cards=True),
    Audited(check=hits_laid, games=DICE, ids=("P016", "P049"), of_cards=True, local=True),
    Audited(check=dice_untouched, games=DICE, ids=("P022", "P023", "P041", "P050")),
    Audited(check=dice_read, games=DICE, ids=("P032", "P056")),
    Audited(check=dice_shown, games=DICE, ids=(*_WITHOUT_DICE["draw_n_shoot_21"], *_WITHOUT_DICE[DICEY])),
    Audited(check=chuck_numbers, games=frozenset({DICEY}), ids=("P042",)),
    Audited(check=losing_craps_swept_first, games=frozenset({"draw_n_shoot_21"}), ids=("P025",), local=True),
    Audited(check=losers_before_winners, games=frozenset({DICEY}), ids=("P053",), local=True),
)
