"""The end of the round: the order of taking and paying, and of picking up the cards."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from audit.cards import is_natural
from audit.money import ZERO
from audit.procedures.drafts import (
    ALL_GAMES,
    BACCARAT,
    BLACKJACK,
    DICE,
    STUD,
    Audited,
    Case,
    Draft,
    first_inversion,
    found,
    too_late,
)
from audit.procedures.dues import due_readings
from audit.procedures.finality import doubt_about_hand
from audit.procedures.moments import last_decision, settled
from audit.procedures.order import Act, Inversion, inversions
from audit.procedures.peek import dealer_blackjack
from audit.procedures.resting import unsure_money
from audit.readings import CERTAIN, UNKNOWN, mass_of
from audit.reconstruction.changes import Change, first_of, last_of
from audit.reconstruction.observation import SeenWager
from audit.settlement import Outcome

_ON_HAND: Final = frozenset({"main", "split", "double", "ante", "raise", "base", "match2", "enter", "draw"})
_DICE_SIDE: Final = frozenset({"craps", "chuck"})
_TWENTY_ONE: Final = 21
_AT_ONCE: Final = frozenset({"blackjack", "both_blackjack", "coupon", "even_money", "broke"})
"""Rows of the pay table that are settled in play (004:L225, L585, L800)."""
_HASTY: Final = "cards-before-money"
_ORDER_IDS: Final = {
    "blackjack": ("P259", "P260"),
    "double_deck": ("P259", "P260"),
    "draw_n_shoot_21": ("P028",),
    "dicey_21": ("P052",),
    "stud_21": ("P078",),
}
_MONEY_IDS: Final = {
    "draw_n_shoot_21": ("P029", "P419"),
    "dicey_21": ("P419", "P192"),
    "stud_21": ("P079", "P419"),
    "lucky_draw_baccarat": ("P192", "P419"),
}


def taken_and_paid_in_order(case: Case) -> Iterator[Draft]:
    """Yield takes and pays out of the order from third base to first base: P259, P260, P311, P312, P028, P052, P078."""
    turned = case.seen.hole_turned
    if case.seen.piece.missing or turned is None:
        return
    acts = []
    for wager in case.seen.wagers:
        change = _settled_for_good(wager)
        if _in_turn(case, wager) and change is not None and change.state > turned.state and not _in_play(case, wager):
            words = f"seat {wager.key.seat} {'taken' if not wager.pays else 'paid'}"
            doubt = _is_reading_alone(case, wager, change)
            acts.append(Act(rank=-wager.key.seat, change=change, words=words, seat=wager.key.seat, doubtful=doubt))
    pushes = _pushes(case, turned, {act.seat for act in acts})
    pairs = inversions([*acts, *pushes])
    expected = "wagers taken and paid from the dealer's right to his left"
    first, *more = (*_of_blackjack(case), *_ORDER_IDS[case.rules.game])
    if case.rules.game in DICE and pairs and pairs[0].late in pushes:  # his cards stayed while others had their turn
        more.append(case.dice_id("P037", "P058"))
    yield from first_inversion(case, pairs, first, "settling-order", expected, *more)


def _pushes(case: Case, turned: Change, settled_seats: Collection[int | None]) -> list[Act]:
    """Return when players had their turn of whose wagers none moved, where cards go away then: dice games, 21 Stud."""
    acts = []
    for seat, seen in case.seen.seats.items() if case.rules.game in DICE | STUD else ():
        away = first_of(card.gone for card in seen.cards if card.gone is not None and card.gone.state > turned.state)
        if seat not in settled_seats and away is not None and _stood_through(case, seat, away):
            doubt = not all(card.chances for card in seen.cards)
            acts.append(Act(rank=-seat, change=away, words=f"seat {seat}'s cards away", seat=seat, doubtful=doubt))
    return acts


def _stood_through(case: Case, seat: int, away: Change) -> bool:
    """Whether a seat had its turn and no cheque moved until its cards went: at 21 Stud, of pushes alone."""
    turns = _turns(case, seat)
    if case.rules.game in DICE:
        return bool(turns)
    dues = [due_readings(case, wager).best for wager in turns]
    lain = all(wager.collected is None or wager.collected.state > away.state for wager in turns)
    return lain and bool(dues) and all(due is not None and due.outcome is Outcome.PUSH for due in dues)


def _of_blackjack(case: Case) -> tuple[str, ...]:
    """Return the procedure by which wagers are settled against a dealer's blackjack: P311 with a ten up, P312."""
    if case.rules.game not in BLACKJACK or dealer_blackjack(case).broken < case.thresholds.violation:
        return ()
    up = case.seen.observed.round.dealer[0]
    return ("P312",) if up is not None and up.rank == "A" else ("P311",)


def _in_turn(case: Case, wager: SeenWager) -> bool:
    """Whether a wager is settled when it is its player's turn.

    Losing craps are swept before that (000:L50); of chuck nothing is (001:L50). Other games settle side bets apart.
    """
    if wager.key.bet == "craps":
        due = due_readings(case, wager).best
        return bool(wager.pays) and (due is None or due.outcome is not Outcome.LOSE)
    return wager.key.bet in _ON_HAND or wager.key.bet == "chuck"


def _settled_for_good(wager: SeenWager) -> Change | None:
    """Return the first change by which a wager was settled, without what was set down and taken back: a bet cut up."""
    taken = None if wager.taken is None else wager.taken.change
    return first_of([*(move.change for move in wager.kept_pays), taken])


def _in_play(case: Case, wager: SeenWager) -> bool:
    """Whether a wager may have been taken in play, after a hole card turned early: that of a hand that broke [BJ-9]."""
    turned, played, due = case.seen.hole_turned, last_decision(case), due_readings(case, wager).best
    early = turned is not None and played is not None and played.state > turned.state
    return early and due is not None and due.row == "broke"


def _is_reading_alone(case: Case, wager: SeenWager, change: Change) -> bool:
    """Whether only an unsure reading says that a wager was settled then: no pile came or went, nor surely changed."""
    moved = [move for move in wager.pays if move.change is change and move.before and move.after]
    amounts = [move.net(case.chips) for move in moved]
    return any(sum(p for money, p in one.items() if money != ZERO) < case.thresholds.violation for one in amounts)


def settled_before_the_dealers_hand(case: Case) -> Iterator[Draft]:
    """Yield hands, neither broken nor blackjack, that were settled before the dealer turned his hole card: P259.

    Taking and paying begin when the dealer's hand is complete (004:L734). A wager that only reads otherwise than before
    is a suspicion at most.
    """
    for wager in case.seen.wagers if not case.seen.piece.missing else ():
        change, turned, dues = settled(wager), case.seen.hole_turned, due_readings(case, wager)
        if change is None or turned is None or wager.key.bet not in _ON_HAND or dues.doubt is not None:
            continue
        if change.by_dealer and turned.span.certainly_after(change.span):
            yield from found(
                case,
                "P259",
                code="settled-early",
                mass=mass_of(dues.sets, lambda due: due.row not in _AT_ONCE),
                span=change.span,
                expected="hands taken and paid when the dealer's hand is complete",
                observed=f"{'paid' if wager.pays else 'taken'} before his hole card was turned",
                bet=wager.key,
                capped=_is_reading_alone(case, wager, change),
                name=("settled-early", wager.key),
                follows=(("payout", wager.key),),
                rests_on=unsure_money(wager),
            )


def blackjacks_paid_in_sequence(case: Case) -> Iterator[Draft]:
    """Yield blackjacks paid in play out of the order from first base to third, at most suspect: P282 (004:L585).

    One that is paid late is accepted as a warning at most [BJ-7].
    """
    turned = case.seen.hole_turned
    if case.seen.piece.missing or turned is None:
        return
    acts = []
    for wager in case.seen.wagers:
        change, due = settled(wager), due_readings(case, wager).best
        early = change is not None and change.state < turned.state and wager.pays
        if early and change is not None and due is not None and due.row == "blackjack":
            words = f"seat {wager.key.seat}'s blackjack"
            acts.append(Act(rank=wager.key.seat, change=change, words=words, seat=wager.key.seat))
    for pair in [pair for pair in inversions(acts) if pair.certain][:1]:
        yield from found(
            case,
            "P282",
            code="blackjack-order",
            span=pair.early.span.hull(pair.late.span),
            expected="blackjacks paid in sequence from first base to third",
            observed=f"{pair.early.words} paid before {pair.late.words}",
            seat=pair.early.seat,
            capped=True,
            name=("blackjack-order",),
        )


def picked_up_in_order(case: Case) -> Iterator[Draft]:
    """Yield hands picked up out of the order from right to left, the dealer's last: P284, P286."""
    turned = case.seen.hole_turned
    if case.seen.piece.missing or turned is None:
        return
    acts = []
    drawn = [card.appeared.state for seen in case.seen.seats.values() for card in seen.cards]
    played = max(turned.state, *drawn) if drawn else turned.state  # hands that break are lifted until then
    for seat, seen in case.seen.seats.items():
        gone = [card.gone for card in seen.cards if card.gone is not None]
        if gone and min(change.state for change in gone) > played:
            last = _all_gone(gone)
            if last.span.certainly_before(turned.span):
                continue  # a hand that broke out of sight was taken in play
            unseen = not last.seen.certainly_after(turned.seen)
            acts.append(Act(rank=-seat, change=last, words=f"seat {seat}'s cards", seat=seat, doubtful=unseen))
    dealers = [card.gone for card in case.seen.dealer if card.gone is not None]
    if dealers:
        acts.append(Act(rank=0, change=_all_gone(dealers), words="the dealer's cards"))
    yield from _out_of_order(case, acts)


def _out_of_order(case: Case, acts: Sequence[Act]) -> Iterator[Draft]:
    """Yield hands picked up out of order; beneath its haste the one that was lifted before its money, if no other."""
    hasty = {draft.finding.seat for draft in money_before_cards(case) if draft.name[0] == _HASTY}

    def by_haste(pair: Inversion) -> bool:
        return pair.early.seat in hasty and pair.late.seat not in hasty

    pairs = sorted(inversions(acts), key=lambda pair: (not pair.certain, by_haste(pair)))
    follows = ((_HASTY, pairs[0].early.seat),) if pairs and by_haste(pairs[0]) else ()
    expected = "hands picked up from the dealer's right to his left, his own last"
    own_first = bool(pairs) and pairs[0].early.seat is None
    first, second = ("P286", "P284") if own_first else ("P284", "P286")
    yield from first_inversion(case, pairs, first, "pick-up-order", expected, second, follows=follows)


def _all_gone(gone: Sequence[Change]) -> Change:
    """Return by which change the last card of a hand was gone: not before the last that was seen of any."""
    return max(gone, key=lambda change: (change.state, change.seen.first))


def money_before_cards(case: Case) -> Iterator[Draft]:
    """Yield hands lifted before their wager was taken or paid: P192, P287, P419, P029, P079."""
    if case.seen.piece.missing:
        return
    for wager in case.seen.wagers:
        change = settled(wager)
        if wager.key.bet not in _ON_HAND | _DICE_SIDE or change is None:
            continue
        hands = case.seen.seats[wager.key.seat].hands
        hand = hands[(wager.key.hand or 1) - 1] if len(hands) >= (wager.key.hand or 1) else ()
        gone = [card.gone for card in hand if card.gone is not None]
        if gone and all(one.span.certainly_before(change.span) for one in gone):
            yield from found(
                case,
                *_MONEY_IDS.get(case.rules.game, ("P192", "P287", "P419")),
                code=_HASTY,
                mass=UNKNOWN if change.before_hands or _went_unseen(gone, change, wager.key.seat) else CERTAIN,
                span=gone[0].span.hull(change.span),
                expected="the wager taken or paid before its cards are picked up",
                observed="cards picked up first",
                bet=wager.key,
                capped=not (change.hands and all(one.hands for one in gone)),
                name=(_HASTY, wager.key.seat),
                unread=[f"seat {wager.key.seat}: which hand lifted its cards, or took its wager"],
            )


def _went_unseen(gone: Sequence[Change], settled_by: Change, seat: int) -> bool:
    """Whether the hand that lifted a hand's cards was not seen: those over them settled, or were players'."""
    lifted = any(one.by_player and one.state == settled_by.state for one in gone)
    of_money = any(_is_of_money(one, None if one.state == settled_by.state else seat) for one in gone)
    return of_money or (lifted and settled_by.by_dealer)


def _is_of_money(gone: Change, seat: int | None) -> bool:
    """Whether the hands that may have lifted a card went to the rack with cheques, none to the discards.

    ``seat``: they must have been over its wagers, too, as these still stood there afterwards.
    """
    own, cards = f"seat{seat}.", f"seat{seat}.cards"
    spots = [seat is None or any(z.startswith(own) and z != cards for z in one.zones) for one in gone.hands]
    to_rack = all("rack" in one.zones and "discard" not in one.zones for one in gone.hands)
    return bool(gone.hands) and to_rack and all(spots)


def dealers_cards_after_money(case: Case) -> Iterator[Draft]:
    """Yield the dealer's cards put away while a wager against them was still to be taken or paid: P419, suspected.

    Nobody can see any more what it is settled by. Of other games P286 and P086 tell it.
    """
    gone = [card.gone for card in case.seen.dealer]
    away = None if None in gone or not gone else _all_gone([one for one in gone if one is not None])
    if case.seen.piece.missing or away is None or not away.by_dealer:
        return
    changes = [settled(wager) for wager in case.seen.wagers if wager.key.bet in _ON_HAND]
    yield from too_late(
        case,
        last_of(change for change in changes if change is not None and change.by_dealer),
        away,
        "P419",
        code="dealer-cards-away",
        expected="the dealer's cards in view until every wager is taken or paid",
        observed="put away before",
        capped=True,
    )


def cards_after_all_bets(case: Case) -> Iterator[Draft]:
    """Yield a hand picked up while another player's bets were still to be taken or paid: P287.

    The cards of a broken hand or of a paid blackjack may go with the bet [BJ-9]; so may those of a hand to which a card
    may have come unseen.
    """
    turned = case.seen.hole_turned
    if case.seen.piece.missing or turned is None:
        return
    for seat, seen in case.seen.seats.items():
        hands = case.seen.observed.round.seats[seat].hands
        values = [[0 if card is None else card.value for card in hand] for hand in hands]
        gone = [card.gone for card in seen.cards if card.gone is not None and card.gone.state > turned.state]
        if not gone or any(0 in hand or sum(hand) > _TWENTY_ONE or is_natural(hand) for hand in values):
            continue
        if any(doubt_about_hand(case, seat, number) is not None for number in range(1, len(seen.hands) + 1)):
            continue
        others = [settled(wager) for wager in case.seen.wagers if wager.key.seat != seat and wager.key.bet in _ON_HAND]
        yield from too_late(
            case,
            last_of(change for change in others if change is not None and change.state > turned.state),
            first_of(gone),
            "P287",
            code="cards-before-bets",
            expected="cards picked up after all bets are taken or paid",
            observed="picked up while another player's bet was open",
            seat=seat,
            name=("cards-before-bets",),
            follows=((_HASTY, seat), ("settling-order",)),
        )


def craps_before_the_hand(case: Case) -> Iterator[Draft]:
    """Yield Craps bets paid only after the ante or raise of the same player was settled: P029."""
    for wager in case.seen.wagers if not case.seen.piece.missing else ():
        others = [w for w in case.seen.wagers if w.key.seat == wager.key.seat and w.key.bet in ("ante", "raise")]
        if wager.key.bet == "craps" and wager.pays:
            yield from too_late(
                case,
                wager.pays[0].change,
                first_of(settled(other) for other in others),
                "P029",
                code="craps-late",
                expected="a player's Craps bet paid before his other bets are settled",
                observed="paid after them",
                bet=wager.key,
                name=("craps-late", wager.key),
                follows=(("payout", wager.key), *(("settled-before-reveal", other.key) for other in others[:1])),
            )


def cards_away_seat_by_seat(case: Case) -> Iterator[Draft]:
    """Yield cards left on the felt while the next players' bets were settled: P037, P058."""
    turned = case.seen.hole_turned
    if case.seen.piece.missing or turned is None:
        return
    done = {
        seat: last_of(c for c in map(settled, _turns(case, seat)) if c is not None and c.state > turned.state)
        or first_of(card.gone for card in seen.cards if card.gone is not None and card.gone.state > turned.state)
        for seat, seen in case.seen.seats.items()
    }
    for seat, gone, following in cards_and_the_next(case, done):
        yield from too_late(
            case,
            gone,
            following,
            case.dice_id("P037", "P058"),
            code="cards-left",
            expected="a player's cards away right after his bets",
            observed="still there when the next player's bets were settled",
            seat=seat,
            name=("cards-left",),
            follows=(("settling-order",),),
        )


def cards_laid_together(case: Case) -> Iterator[Draft]:
    """Yield a seat's used card that the dealer laid beside another seat's: P037, P058 (000:L54, 001:L53)."""
    for card in case.seen.laid_together[:1]:
        yield from found(
            case,
            case.dice_id("P037", "P058"),
            code="cards-together",
            span=card.appeared.span,
            expected="the cards of each seat cleared by themselves",
            observed=f"{card.likeliest or 'a card'} laid beside the cards of {card.owner.replace('seat', 'seat ')}",
            seat=int(card.owner.removeprefix("seat")),
            capped=True,  # they may have come to rest there in his hand
            name=("cards-together",),
        )


def cards_and_the_next(
    case: Case, done: Mapping[int, Change | None]
) -> Iterator[tuple[int, Change | None, Change | None]]:
    """Yield when the cards of each seat went, and when the bets of the next player were done whose came after its own.

    ``done``: when the bets of each seat were settled. Settled from the left, no cards are to go before the next bets.
    """
    for seat, seen in case.seen.seats.items():
        own = done.get(seat)
        later = {
            other: change
            for other, change in done.items()
            if own is not None and change is not None and other < seat and own.span.certainly_before(change.span)
        }
        if later:
            yield seat, first_of(card.gone for card in seen.cards), later[max(later)]


def _turns(case: Case, seat: int) -> list[SeenWager]:
    return [wager for wager in case.seen.wagers if wager.key.seat == seat and _in_turn(case, wager)]


CHECKS: Final = (
    Audited(
        check=taken_and_paid_in_order,
        games=BLACKJACK | DICE | STUD,
        ids=("P028", "P037", "P052", "P058", "P078", "P259", "P260", "P311", "P312"),
    ),
    Audited(check=settled_before_the_dealers_hand, games=BLACKJACK, ids=("P259",)),
    Audited(check=blackjacks_paid_in_sequence, games=BLACKJACK, ids=("P282",)),
    Audited(check=picked_up_in_order, games=BLACKJACK, ids=("P284", "P286"), of_cards=True),
    Audited(check=craps_before_the_hand, games=frozenset({"draw_n_shoot_21"}), ids=("P029",)),
    Audited(check=cards_away_seat_by_seat, games=DICE, ids=("P037", "P058"), of_cards=True),
    Audited(check=cards_laid_together, games=DICE, ids=("P037", "P058"), of_cards=True),
    Audited(check=cards_after_all_bets, games=BLACKJACK, ids=("P287",), of_cards=True),
    Audited(check=dealers_cards_after_money, games=BACCARAT, ids=("P419",), of_cards=True),
    Audited(check=money_before_cards, games=ALL_GAMES, ids=("P029", "P079", "P192", "P287", "P419"), of_cards=True),
)
