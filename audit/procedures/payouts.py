"""The payout check: what every wager was due against what was done with it, by how much, in whose favour."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from audit.cards import is_natural
from audit.money import Money, format_money
from audit.procedures.begun import unsettled_at_first
from audit.procedures.breaches import breach
from audit.procedures.corroboration import corroborated
from audit.procedures.drafts import (
    ALL_GAMES,
    Audited,
    Case,
    Draft,
    Name,
    change_unseen,
    dollars,
    found,
    not_seen,
    spot_words,
)
from audit.procedures.dues import (
    Done,
    Due,
    DueReadings,
    due_readings,
    is_what_it_won,
    perhaps_its_payment,
    settled_as,
)
from audit.procedures.joint import Judged, judged, settled_wrongly
from audit.procedures.moments import by_either_side, hand_is_away, settlements, things
from audit.procedures.payout_errors import Error, Reading, error_of_any, whatever
from audit.procedures.proportion import by_proportion
from audit.procedures.resting import unsure_cards, unsure_money
from audit.procedures.side_order import is_jackpot
from audit.readings import UNKNOWN, unread
from audit.reconstruction.afar import AFAR_MM
from audit.reconstruction.amounts import best_amount
from audit.reconstruction.changes import Change
from audit.reconstruction.doubts import SINCE_PAID
from audit.reconstruction.evidence import stack_chances
from audit.reconstruction.handing import hands_at_rack
from audit.reconstruction.observation import Ending, SeenWager
from audit.reconstruction.places import distance, lies_there
from audit.rounds import Wager
from audit.settlement import Outcome, settle
from audit.states import SeenObject
from audit.timing import Span

_READ: Final = 0.95
_HARDLY: Final = 0.5
_TWENTY_ONE: Final = 21
_TWO: Final = 2
_POKER: Final = frozenset({"trilux", "super3"})
_WRONG_DICE: Final = (("dice-count", None, None), ("dice-colours", None, None))
"""Findings that leave wagers open: it is not known which dice count."""


def payouts(case: Case) -> Iterator[Draft]:
    """Yield what was paid or taken otherwise than due, for every wager of every game."""
    turned = case.seen.hole_turned
    if turned is not None and turned.state <= case.seen.piece.first:
        return  # what stood there when the first card came may have been paid already
    case = by_proportion(case)
    for wager in case.seen.wagers:
        if case.seen.piece.begun_unseen and not unsettled_at_first(case, wager):
            continue
        if _jackpot_to_come(case, wager):
            reason = f"{spot_words(wager)}: a jackpot is paid after the round (004:L1113-1121)"
            yield from not_seen(case, "P409", "P412", reason=reason, span=_span(case, wager), seat=wager.key.seat)
        elif wager.key.bet != "toke" and not _withdrawn(wager):
            yield from _judge(case, wager)


def _jackpot_to_come(case: Case, wager: SeenWager) -> bool:
    """Whether a Blazing 7's of a jackpot whose amount is known was not paid as long as the round was seen."""
    if wager.key.bet != "blazing7" or not wager.in_rack or wager.pays or not is_jackpot(case, wager):
        return False
    due = due_readings(case, wager).best
    return due is not None and due.pay(Money(1)) is not None


def _withdrawn(wager: SeenWager) -> bool:
    """Whether the player took his wager back before it was settled: reported as that."""
    return any(not move.after for move in wager.lowered)


def _judge(case: Case, wager: SeenWager) -> Iterator[Draft]:
    stake, most = best_amount(wager.stake), case.places.profile.maximum
    if stake is not None and stake > most and settled_as(case, wager, most):
        return  # paid or taken to the limit (004:L865)
    case = corroborated(case, wager, settled_wrongly)
    whole = judged(case, wager)
    by_nobody = _what_it_won_lies_there(case, wager) or _stands_by_the_unread(case, wager, whole.dues.best)
    hardly = sum(wager.stake.values()) < _HARDLY  # what is not read may be no wager, and nobody left or took it
    dues, act, mass = whole.dues, whole.act, UNKNOWN if by_nobody or hardly else whole.mass
    due, stake, paid = _told(whole, wager)
    error = error_of_any(_perhaps(whole, (due, stake, paid)), wager)
    unseen = _lacking(wager, dues, due, act)
    if error is None:
        error = whatever(wager, dues, stake, paid)
    procedures, citation = _broken(case, wager, whole, error)
    if mass.kept >= _READ:
        yield from _rounded(case, wager, due, stake, paid)
    yield from found(
        case,
        *procedures,
        code=error.code,
        mass=mass,
        span=_span(case, wager),
        expected=error.expected,
        observed=error.words,
        bet=wager.key,
        amount=error.amount,
        capped=not act.sure or _excusable(case, wager),
        name=("payout", wager.key),
        follows=_follows(case, wager, stake, paid, read=mass.broken + mass.kept > 0),
        citation=citation,
        unread=by_nobody or unseen or [_why_open(wager, dues)],
        rests_on=(*unsure_cards(card for _, card in dues.cards), *unsure_money(wager)),
    )


def _broken(case: Case, wager: SeenWager, whole: Judged, error: Error) -> tuple[tuple[str, ...], str | None]:
    """Return the procedures that a settlement breaks, the most telling first, and what is cited."""
    due, stake, paid = _told(whole, wager)
    procedures, citation = (
        breach(case, wager, due, error.code) if due is not None else (_common(case, wager, whole.dues, error), None)
    )
    if stake is not None and paid is not None and paid > stake:
        procedures = (*_as_blackjack(case, wager), *procedures)
    if due is not None and due.row == "broke" and error.code == "loser-paid" and _dealer_broke(case):
        procedures = (*procedures, "P258")
    if wager.key.bet in _POKER and _fits_the_hole_card(case, wager, stake, paid):
        procedures = ("P379", *procedures)
    if case.seen.hole_exposed:
        procedures = (*procedures, "P290")
    if error.code in ("loser-left", "winner-unpaid") and _is_withdrawn(case, wager):
        procedures = (*procedures, "P206", "P223")
    return procedures, citation


def _is_withdrawn(case: Case, wager: SeenWager) -> bool:
    """Whether a player took his wager back before the dealer came to it (004:L561, 004:L687)."""
    back = wager.collected
    if back is None or not back.by_player or hand_is_away(case, wager, back):
        return False
    alike = [one for one in case.seen.wagers if one.key.bet == wager.key.bet and one.key.seat < wager.key.seat]
    return not any(move.state <= back.state for one in alike for move in settlements(one))


def _excusable(case: Case, wager: SeenWager) -> bool:
    """Return whether what was not seen may excuse how a wager was settled."""
    return (
        case.seen.piece.begun_unseen
        or wager.why_unknown in SINCE_PAID
        or _perhaps_paid(case, wager)
        or _is_the_next_rounds(case, wager)
    )


def _follows(case: Case, wager: SeenWager, stake: Money | None, paid: Money | None, *, read: bool) -> tuple[Name, ...]:
    """Return the names of findings of which a wrong settlement is a consequence."""
    return (
        ("changed", wager.key),
        ("no-ace", wager.key),
        ("sensor", wager.key),
        ("too-many-cards", wager.key.seat),
        *(() if read else _WRONG_DICE),
        *_turned_dice(case, wager, stake, paid),
    )


def _turned_dice(case: Case, wager: SeenWager, stake: Money | None, paid: Money | None) -> tuple[Name, ...]:
    """Return the names of dice turned after the reveal, if the wager was settled as they make it (000:L48, P022)."""
    turned = {number: die.turned_to for number, die in enumerate(case.seen.dice, start=1) if die.turned_to}
    if not turned or stake is None or paid is None:
        return ()
    best = case.seen.observed.round
    dice = tuple(replace(die, value=turned.get(number, die.value)) for number, die in enumerate(best.dice, start=1))
    (due,) = settle(replace(best, dice=dice, wagers=(Wager(key=wager.key, amount=stake),)), case.rules).settled
    fits = due.pay == paid and (due.outcome is Outcome.LOSE) == (wager.ending is Ending.TAKEN)
    return tuple(("die-turned", number) for number in turned) if fits else ()


def _rounded(case: Case, wager: SeenWager, due: Due | None, stake: Money | None, paid: Money | None) -> Iterator[Draft]:
    """Yield that no cheque fits what is due, and that the house's policy is not known [GEN-2]: either may be right."""
    owed = None if due is None or due.outcome is not Outcome.WIN or stake is None else due.pay(stake)
    if owed is None or case.rules.rounding is not None or not wager.pays or owed % min(case.chips.values()) == 0:
        return
    procedures, _ = breach(case, wager, due, "pay-amount") if due is not None else ((), None)
    reason = f"{spot_words(wager)}: {format_money(owed)} due, {dollars(paid)} paid: rounding, house policy unknown"
    yield from not_seen(case, *procedures, reason=reason, span=_span(case, wager), seat=wager.key.seat)


def _perhaps_paid(case: Case, wager: SeenWager) -> bool:
    """Whether money that came to a seat with an unpaid wager may have been its payment, whoever seemed to bring it."""
    came = [move.change for move in wager.raised]
    came += [late.placed for late in case.seen.late if late.key.seat == wager.key.seat]
    if wager.pays or any(not change.hands or by_either_side(case, wager, change) for change in came):
        return not wager.pays
    added = [(move.change, move.net(case.chips)) for move in wager.raised]
    added += [(late.placed, late.stake) for late in case.seen.late if late.key == wager.key]
    return any(perhaps_its_payment(case, wager, change, best_amount(amounts)) for change, amounts in added)


def _is_the_next_rounds(case: Case, wager: SeenWager) -> bool:
    """Whether cheques came to a wager, or left it, when the cards were away and no hand was at the rack for them.

    Its player lays the next round's bet then; a hand that is taken for the dealer's is no proof of a payment.
    """
    if not any(zone.name == "rack" for zone in case.places.profile.zones):
        return False
    moves = [move.change for move in (*wager.pays, *filter(None, [wager.taken]))]
    late = (change for change in moves if change.hands and change.seen.certainly_after(case.seen.observed.end))
    return any(not _with_the_rack(case, change) for change in late)


def _with_the_rack(case: Case, change: Change) -> bool:
    at_rack = hands_at_rack(change, case.seen.piece.states)
    return any(one.span.overlaps(hand.span) for one in at_rack for hand in change.hands)


def _what_it_won_lies_there(case: Case, wager: SeenWager) -> list[str]:
    """Return that nobody was seen to lay what a wager won beside it; nothing where that does not lie there."""
    late = [one for one in case.seen.late if one.key == wager.key and not one.placed.hands]
    lies = any(is_what_it_won(case, wager, best_amount(one.stake)) for one in late)
    return [f"{spot_words(wager)}: whose hand laid what it won beside it"] if lies else []


def _stands_by_the_unread(case: Case, wager: SeenWager, due: Due | None) -> list[str]:
    """Return that a payment may be hidden, where cheques nobody could read stand beside a winner to the last.

    The picture's border cuts them: how high they are, and what stands behind them, is not known.
    """
    if due is None or due.outcome is not Outcome.WIN or wager.pays or wager.ending is not Ending.STANDS:
        return []
    looks = [things(state, "chips") for state in case.seen.piece.states]
    last = next((piles for piles in reversed(looks) if any(_is_at(wager, pile) for pile in piles)), ())
    beside = [pile for pile in last if not _is_at(wager, pile) and distance(pile.xy_mm, wager.xy_mm) <= AFAR_MM]
    reason = f"{spot_words(wager)}: a payment may be hidden by the cheques beside it, which were not read"
    return [reason for pile in beside if not stack_chances(pile)][:1]


def _is_at(wager: SeenWager, pile: SeenObject) -> bool:
    return lies_there(pile, wager)


def _why_open(wager: SeenWager, dues: DueReadings) -> str:
    """Return why a wager of which all was seen is not decided: in the words of the rules, if they say it."""
    whys = sorted({due.why for allowed in dues.sets for due in allowed if due.why})
    return f"{spot_words(wager)}: {whys[0] if whys else 'not decided by what was seen'}"


def _fits_the_hole_card(case: Case, wager: SeenWager, stake: Money | None, paid: Money | None) -> bool:
    """Whether what was paid is what the hole card, and not the up card, would have made of the hand (004:L1041)."""
    best = case.seen.observed.round
    if stake is None or not paid or len(best.dealer) < _TWO:
        return False
    swapped = replace(best, dealer=(best.dealer[1], *best.dealer[:1]), wagers=(Wager(key=wager.key, amount=stake),))
    return settle(swapped, case.rules).settled[0].pay == paid


def _as_blackjack(case: Case, wager: SeenWager) -> tuple[str, ...]:
    """Return what a split hand of a ten and an ace breaks that is paid like a blackjack (004:L584, L825-827)."""
    hands = case.seen.observed.round.seats[wager.key.seat].hands
    hand = hands[wager.key.hand - 1] if wager.key.hand is not None and len(hands) >= max(wager.key.hand, _TWO) else ()
    values = [0 if card is None else card.value for card in hand]
    if not is_natural(values):
        return ()
    return ("P328", "P282") if values[0] == 10 else ("P282",)  # noqa: PLR2004 - a ten


def _dealer_broke(case: Case) -> bool:
    """Whether the dealer broke in the likeliest reading, so that every hand had to be totalled again."""
    dealer = case.seen.observed.round.dealer
    return None not in dealer and sum(card.value for card in dealer if card is not None) > _TWENTY_ONE


def _lacking(wager: SeenWager, dues: DueReadings, due: Due | None, act: Done) -> list[str]:
    """Return what would have to be known to tell whether a wager was settled rightly, nothing where all is."""
    unseen = [dues.doubt] if dues.doubt else [*unread(dues.cards), *_unseen_money(wager, act)]
    if unseen or due is None:
        return [reason for reason in unseen if reason]
    if due.outcome is Outcome.PUSH and act.afar:
        return [f"{spot_words(wager)}: whether the dealer's pile beyond it was paid on it"]
    if due.outcome is Outcome.WIN and due.pay(Money(1)) is None:
        lacking = "the progressive's meter was not given" if wager.in_rack else "its odds are not configured"
        return [f"{spot_words(wager)}: {lacking}"]
    return []


def _unseen_money(wager: SeenWager, act: Done) -> Iterator[str]:
    place = spot_words(wager)
    if wager.ending is Ending.UNKNOWN:
        yield f"{place}: {wager.why_unknown}"
    elif not act.paid:
        why = wager.why_unknown or "not seen after the dealer's last hand over it"
        yield f"{place}: {why}"
    if wager.unseen_stake:
        yield change_unseen(wager)
    if sum(wager.stake.values()) < _READ:
        yield f"{place}: wager not read"
    if wager.pays and wager.ending is not Ending.UNKNOWN and sum(act.paid.values()) < _READ:
        yield f"{place}: payment not read"


def _told(whole: Judged, wager: SeenWager) -> Reading:
    """Return the reading that a finding tells: the likeliest of those that are wrong, else the likeliest of all."""
    wrong = [one for one in whole.readings if one.wrong is True and len(one.dues) == 1]
    if not wrong or whole.dues.best is None:
        return whole.dues.best, best_amount(wager.stake), best_amount(whole.act.paid)
    worst = max(wrong, key=lambda one: one.chance)
    (due,) = worst.dues
    return due, worst.stake, worst.paid


def _perhaps(whole: Judged, told: Reading) -> list[Reading]:
    """Return what may have been due, wagered and paid where the act is wrong, what is told first; only that if sure."""
    if told[0] is None:
        return []
    chances: dict[Reading, float] = {}
    for one in whole.readings:
        if one.wrong is True and len(one.dues) == 1:
            (due,) = one.dues
            key = (due, one.stake, one.paid)
            chances[key] = chances.get(key, 0.0) + one.chance
    least = (1 - _READ) * sum(chances.values())
    others = [one for one, p in chances.items() if one != told and p > least]
    return [told, *sorted(others, key=lambda one: -chances[one])]


def _common(case: Case, wager: SeenWager, dues: DueReadings, error: Error) -> tuple[str, ...]:
    """Return the procedures that an act breaks whatever the unread cards are; all that it may break if none is sure."""
    settled = (
        due for allowed in dues.sets for due in sorted(allowed, key=lambda due: (due.outcome or "", due.row or ""))
    )
    ways = [breach(case, wager, due, error.code)[0] for due in settled]
    named = tuple(dict.fromkeys(number for way in ways for number in way))
    sure = tuple(number for number in named if all(number in way for way in ways))
    return sure or named or ("P281", "P280")


def _span(case: Case, wager: SeenWager) -> Span:
    """Return when the wager was settled: its payments, its taking, or when it was collected or left."""
    changes = [move.change.span for move in wager.pays]
    if wager.taken is not None:
        changes.append(wager.taken.change.span)
    if not changes and wager.collected is not None:
        changes.append(wager.collected.span)
    return _hull(changes) if changes else case.seen.observed.end


def _hull(spans: Iterable[Span]) -> Span:
    first, *rest = spans
    for span in rest:
        first = first.hull(span)
    return first


_PAYOUTS: Final = (
    *("P025", "P026", "P027", "P030", "P031", "P032", "P033", "P034", "P035", "P054", "P055", "P056", "P057"),
    *("P206", "P223"),  # beside what was due, where the player took the wager back himself
    *("P073", "P074", "P077", "P080", "P081", "P082", "P083", "P084", "P097", "P098", "P104", "P105", "P228"),
    *(
        "P247",
        "P258",
        "P280",
        "P281",
        "P282",
        "P290",
        "P291",
        "P305",
        "P312",
        "P313",
        "P328",
        "P379",
        "P385",
        "P401",
        "P409",
        "P412",
    ),
)
CHECKS: Final = (Audited(check=payouts, games=ALL_GAMES, ids=_PAYOUTS),)
