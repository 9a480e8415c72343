"""What a wager is due over all readings of the cards that decide it, and what was seen to be done with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from audit.cards import Card, is_natural
from audit.money import ZERO, Money, Odds
from audit.procedures.drafts import Case, spot_words
from audit.procedures.finality import doubt_about_dealer, doubt_about_hand
from audit.procedures.moments import dealer_shown, exposed_before_the_hits, settled
from audit.procedures.proofs import with_its_proof
from audit.readings import CardKey, Reading, Seen, answers, by_face, by_rank, by_value, hand_answers
from audit.reconstruction.amounts import Amounts, best_amount, combined, total_amounts
from audit.reconstruction.changes import Change
from audit.reconstruction.dealing_gap import DEALT
from audit.reconstruction.doubts import BOTH_SIDES, LOST, NO_DOUBLE, REACHED_PAST, UNREAD, WITH_MORE
from audit.reconstruction.endings import COVERED
from audit.reconstruction.observation import Ending, SeenCard, SeenWager
from audit.rounds import Wager
from audit.settlement import Outcome, settle

_TWO: Final = 2
_TWENTY_ONE: Final = 21
_UNIT: Final = Money(1)
_MOSTLY: Final = 0.5
_SOME: Final = 0.02  # a reading likelier than this is not to be left out


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """What the rules give a wager: outcome None = not fixed by what was seen. ``fixed``: a printed amount."""

    outcome: Outcome | None
    odds: Odds | None
    fixed: Money | None
    row: str | None
    why: str

    def pay(self, stake: Money) -> Money | None:
        """Return what the house hands over beyond that stake; None where the documents do not fix it."""
        if self.outcome is not Outcome.WIN:
            return ZERO
        if self.fixed is not None:
            return self.fixed
        return None if self.odds is None else self.odds.pays(stake)


@dataclass(frozen=True, kw_only=True)
class DueReadings:
    """The dues that the readings allow, with their probabilities, or the reason why nothing can be said."""

    sets: Mapping[frozenset[Due], float]
    cards: tuple[tuple[str, Seen], ...]
    doubt: str | None = None

    @property
    def best(self) -> Due | None:
        """The likeliest due, None if no single one is."""
        single = [(p, due) for dues, p in self.sets.items() if len(dues) == 1 for due in dues]
        return max(single, key=lambda pair: pair[0])[1] if single else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """One card or die on which a wager depends: what it is called, what was seen, and where it stands in the round."""

    name: str
    seen: Seen
    part: str  # "hand", "dealer" or "die"
    place: int


def due_readings(case: Case, wager: SeenWager) -> DueReadings:
    """Return what a wager is due, over all readings of the cards and dice that decide it.

    Where more cards may have come unseen, only the readings count in which the hand took no more.
    """
    if id(wager) not in case.remembered:
        case.remembered[id(wager)] = (wager, _due_readings(case, wager))  # kept with it, so that the id stays its own
    told: DueReadings = case.remembered[id(wager)][1]
    return told


def _due_readings(case: Case, wager: SeenWager) -> DueReadings:
    slots, doubt = _slots(case, wager), _doubt(case, wager)
    only_if_over = doubt is not None and wager.key.bet in _OF_HAND and _doubt(case, wager, over=True) is None

    def decide(reading: Reading) -> Due | None:
        if only_if_over and not _takes_no_more(case, wager, slots, reading):
            return None
        return _settled(case, wager, slots, reading)

    found = answers([slot.seen for slot in slots], decide, _KEYS.get(wager.key.bet, by_value))
    sets = {frozenset(due for due in dues if due is not None): p for dues, p in found.items() if None not in dues}
    doubt = None if only_if_over and sum(sets.values()) >= _MOSTLY else doubt
    return DueReadings(
        sets=sets,
        cards=tuple((slot.name, slot.seen) for slot in slots),
        doubt=doubt or _without_a_row(wager, sets),
    )


def _takes_no_more(case: Case, wager: SeenWager, slots: tuple[Slot, ...], reading: Reading) -> bool:
    """Whether a hand of blackjack is broken in this reading, or a blackjack, whatever the dealer drew afterwards."""
    faces = [face for slot, face in zip(slots, reading, strict=True) if slot.part == "hand"]
    values = [face.value for face in faces if isinstance(face, Card)]
    if len(values) < len(faces):
        return False
    natural = is_natural(values) and len(case.seen.seats[wager.key.seat].hands) == 1
    return sum(values) > _TWENTY_ONE or (natural and case.seen.hole_turned is not None)


def _without_a_row(wager: SeenWager, sets: Mapping[frozenset[Due], float]) -> str | None:
    """Return why no row of a pay table pays a wager that wins in some reading, unless it was taken all the same."""
    whys = sorted({due.why for dues in sets for due in dues if due.outcome is Outcome.WIN and due.row is None})
    return f"{spot_words(wager)}: {whys[0]}" if whys and wager.ending is not Ending.TAKEN else None


_KEYS: Final[dict[str, CardKey]] = {
    **dict.fromkeys(("trilux", "super3", "blazing7", "match1", "match2", "mirror", "block_bonus"), by_face),
    "chuck": by_rank,
}
_BY_FIRST_CARDS: Final = frozenset({"trilux", "super3", "blazing7", "block_bonus", "mirror", "match1", "match2"})
_BY_THE_UP_CARD: Final = frozenset({"trilux", "super3", "blazing7"})
_FIRST_CARD: Final = frozenset({"craps", "chuck"})
_OF_HAND: Final = frozenset({"main", "split", "double"})
_DEALER_CARDS: Final = {
    # the dealer's cards that decide a wager, by place; all of them where a bet is not listed
    **dict.fromkeys(_BY_THE_UP_CARD, slice(0, 1)),
    "insurance": slice(0, 2),
    "match1": slice(0, 1),
    "match2": slice(1, 2),
    "mirror": slice(0, 0),
    "block_bonus": slice(1, 2),
}


def _slots(case: Case, wager: SeenWager) -> tuple[Slot, ...]:
    """Return the cards and dice that decide a wager."""
    seat, bet = wager.key.seat, wager.key.bet
    number = wager.key.hand or 1
    own = _own_cards(case, wager)
    hand = f" hand {number}" if wager.key.hand is not None and len(case.seen.seats[seat].hands) > 1 else ""
    slots = [
        Slot(name=f"seat {seat}{hand} card {i + 1}", seen=card, part="hand", place=i) for i, card in enumerate(own)
    ]
    if not _broken(case, own):
        places = range(len(case.seen.dealer))[_DEALER_CARDS.get(bet, slice(None))]
        slots += [Slot(name=f"dealer's card {i + 1}", seen=case.seen.dealer[i], part="dealer", place=i) for i in places]
    slots += [Slot(name=f"die {i + 1}", seen=die, part="die", place=i) for i, die in enumerate(case.seen.dice)]
    return tuple(slots)


def _own_cards(case: Case, wager: SeenWager) -> tuple[SeenCard, ...]:
    seat = case.seen.seats[wager.key.seat]
    if wager.key.bet == "insurance":
        return ()
    if wager.key.bet in _BY_FIRST_CARDS:
        return seat.initial
    number = wager.key.hand or 1
    hand = seat.hands[number - 1] if number <= len(seat.hands) else ()
    return hand[:1] if wager.key.bet in _FIRST_CARD else hand


def _broken(case: Case, own: tuple[SeenCard, ...]) -> bool:
    """Whether the hand is over 21 in every reading, so that the dealer's cards do not matter."""
    if case.seen.observed.round.game not in ("blackjack", "double_deck") or not own:
        return False
    sums = hand_answers(own, lambda hand: sum(1 if card is None else card.value for card in hand) > _TWENTY_ONE)
    return sums.get(frozenset({True}), 0.0) >= 1 - 1e-9


def _doubt(case: Case, wager: SeenWager, *, over: bool = False) -> str | None:
    """Return why the cards that decide a wager may not all have been seen; ``over``: if its hand takes no more."""
    bet, seat = wager.key.bet, case.seen.seats[wager.key.seat]
    which = _which_is_which(case, wager)
    if which:
        return which
    if bet in _BY_FIRST_CARDS:
        seen = len(seat.initial) == _TWO and len(case.seen.dealer) >= _DEALER_CARDS[bet].stop
        return None if seen else "the first two cards and the dealer's card were not all seen"
    if case.seen.observed.round.game in ("draw_n_shoot_21", "dicey_21"):
        return _dice_doubt(case, wager)
    own = _own_cards(case, wager)
    doubt = None if bet == "insurance" else doubt_about_hand(case, seat.seat, wager.key.hand or 1, over=over)
    if doubt or over or _broken(case, own):
        return doubt
    if bet == "insurance" or (len(seat.hands) == 1 and _is_natural(case, own)):  # whatever else the dealer drew
        return None if case.seen.hole_turned is not None else "the dealer's hole card was not seen face up"
    return doubt_about_dealer(case)


def _which_is_which(case: Case, wager: SeenWager) -> str | None:
    """Return why it is not known which cards count, and as what, as far as the wager hangs on that."""
    if _may_rest_on_the_other_card(case, wager):
        return "which of the dealer's first two cards came first"
    if case.seen.observed.round.game != "stud_21":
        return None
    if len(case.seen.dealer) > _TWO:
        return "which of what lay before the dealer were his two cards"
    if wager.key.bet == "base" and len(case.seen.seats[wager.key.seat].cards) > _TWO:
        return "what a third card makes of a hand of two: 002 has no such hand (L9, L27)"
    return None


def _may_rest_on_the_other_card(case: Case, wager: SeenWager) -> bool:
    """Whether the hole card may have been exposed instead of the up card, and that decides the wager (004:L778)."""
    if case.seen.hole_exposed is not None:
        return False
    if wager.key.bet in _BY_THE_UP_CARD:
        shown, done_with = dealer_shown(case), settled(wager)
        if shown is None or done_with is None or done_with.state != shown.state:
            return shown is not None and (done_with is None or done_with.state > shown.state)
        return not done_with.span.certainly_before(shown.span)
    values = [card.value for card in case.seen.observed.round.dealer[:_TWO] if card is not None]
    return is_natural(values) and exposed_before_the_hits(case) is None


def _is_natural(case: Case, own: tuple[SeenCard, ...]) -> bool:
    """Whether the first two cards are a blackjack in every reading."""
    if case.seen.observed.round.game not in ("blackjack", "double_deck") or len(own) != _TWO:
        return False
    values = hand_answers(own, lambda hand: is_natural(1 if card is None else card.value for card in hand))
    return values.get(frozenset({True}), 0.0) >= 1 - 1e-9


def _dice_doubt(case: Case, wager: SeenWager) -> str | None:
    doubt = doubt_about_dice(case)
    if doubt is not None:
        return doubt
    return None if wager.key.bet in _FIRST_CARD else doubt_about_hand(case, wager.key.seat, 1)


def doubt_about_dice(case: Case) -> str | None:
    """Return why the dice that were seen are not those that count, None if they are as many as the game has."""
    wanted = 3 if case.seen.observed.round.game == "dicey_21" else _TWO
    seen = len(case.seen.dice)
    return None if seen == wanted else f"{seen} dice were seen after the last card, not {wanted}"


def _settled(case: Case, wager: SeenWager, slots: tuple[Slot, ...], reading: Reading) -> Due:
    """Return the due of a wager of one dollar on this reading."""
    key = wager.key
    best = case.seen.observed.round
    play = best.seats[key.seat]
    hands = [list(hand) for hand in play.hands]
    initial, dealer, dice = list(play.initial), list(best.dealer), list(best.dice)
    own = initial if key.bet in _BY_FIRST_CARDS and initial else hands[(key.hand or 1) - 1]
    for slot, face in zip(slots, reading, strict=True):
        if isinstance(face, int):
            dice[slot.place] = replace(dice[slot.place], value=face)
        elif slot.part == "die":
            dice[slot.place] = replace(dice[slot.place], value=None)
        else:
            (own if slot.part == "hand" else dealer)[slot.place] = face
    seat = replace(play, hands=tuple(tuple(hand) for hand in hands), initial=tuple(initial))
    wagers = (Wager(key=key, amount=_UNIT),)
    round_ = replace(best, dealer=tuple(dealer), seats={key.seat: seat}, dice=tuple(dice), wagers=wagers)
    answer = settle(round_, case.rules).settled[0]
    by_odds = answer.odds is not None and answer.pay == answer.odds.pays(_UNIT)
    return Due(
        outcome=answer.outcome,
        odds=answer.odds,
        fixed=None if by_odds or answer.outcome is not Outcome.WIN else answer.pay,
        row=answer.row,
        why=answer.why if answer.outcome is None or answer.row is None else "",
    )


@dataclass(frozen=True, kw_only=True)
class Done:
    """What was seen to be done with a wager: the ways it may have ended, and what was paid on it.

    ``paid``: probability of each total; what is missing to 1 is an amount not read. ``unseen``: a payment may have
    come and gone unseen. ``sure``: a dealer's hand was seen at every payment. ``afar``: the only payment lies farther
    off than payments do, so that it is one only if the wager won.
    """

    endings: frozenset[bool]
    paid: Amounts
    pile_seen: bool
    sure: bool
    afar: bool


def _paid_in_passing(case: Case, wager: SeenWager) -> bool:
    """Whether cheques may have been set on an empty spot and collected between two looks at it."""
    states = case.seen.piece.states[case.seen.piece.first + 1 :]
    gaps = [[hand.side for hand in state.hands if wager.spot in hand.zones] for state in states]
    return any({"dealer", "player"} <= set(sides) for sides in gaps) or any(state.view != "ok" for state in states)


def _likely_pay(paid: Amounts) -> Amounts:
    """Leave out what is less than nothing, unless all is: then one of the two piles it was counted from was misread."""
    likely = {amount: p for amount, p in paid.items() if amount >= ZERO}
    return likely if sum(likely.values()) >= _SOME else paid


def done(case: Case, wager: SeenWager) -> Done:
    """Return what was seen to be done with the wager; an ending is True for taken."""
    paid: Amounts = {ZERO: 1.0}
    for move in wager.pays:
        paid = combined(paid, move.net(case.chips), sign=1)
    both = frozenset({True, False})
    endings = {Ending.TAKEN: frozenset({True}), Ending.STANDS: frozenset({False}), Ending.UNKNOWN: both}
    stands_unseen = wager.ending is Ending.STANDS and wager.shown_after is None
    unseen = not wager.pays and not wager.in_rack and (wager.ending is Ending.UNKNOWN or stands_unseen)
    unseen = unseen or (wager.in_rack and not wager.pays and _paid_in_passing(case, wager))
    unseen = unseen or (
        bool(wager.pays)
        and wager.why_unknown.startswith((BOTH_SIDES, LOST, NO_DOUBLE, REACHED_PAST, UNREAD, WITH_MORE))
    )
    unseen = unseen or wager.why_unknown in (COVERED, DEALT)
    return Done(
        endings=endings[wager.ending],
        paid={} if unseen else with_its_proof(case, wager, _likely_pay(paid)),
        pile_seen=bool(wager.pays),
        afar=wager.is_paid_afar,
        sure=all(move.change.by_dealer for move in (*wager.pays, *([wager.taken] if wager.taken else []))),
    )


def perhaps_its_payment(case: Case, wager: SeenWager, change: Change, amount: Money | None) -> bool:
    """Whether what a player's hand seems to have put beside a wager may be the very payment that it was due.

    It came when wagers were settled, it is what the wager won, and the dealer paid nothing there: no state shows the
    wager unpaid. Either the player added just that and was paid nothing, or the dealer's hand was taken for his.
    """
    decided = case.seen.decided(wager.key.bet)
    return decided is not None and change.state > decided.state and is_what_it_won(case, wager, amount)


def is_what_it_won(case: Case, wager: SeenWager, amount: Money | None) -> bool:
    """Whether an amount is what a wager won on which nothing was paid, as far as the cards were read."""
    stake = best_amount(wager.stake)
    if wager.pays or amount is None or stake is None:
        return False
    due = due_readings(case, wager).best
    return due is not None and due.outcome is Outcome.WIN and due.pay(stake) == amount


def settled_as(case: Case, wager: SeenWager, amount: Money) -> bool:
    """Return whether a wager was paid, or taken, as if it were of this amount."""
    due = due_readings(case, wager).best
    moved = [best_amount(move.net(case.chips)) for move in wager.kept_pays]
    if wager.taken is not None and not moved:
        return wager.ending is Ending.UNKNOWN and best_amount(total_amounts(wager.taken.before, case.chips)) == amount
    if not moved or None in moved or due is None:
        return False
    paid = sum((one for one in moved if one is not None), Money(0))
    return paid == (-amount if due.outcome is Outcome.LOSE else due.pay(amount))
