"""Tokes: bets for the dealer follow the player's bet, are settled after it, and come down when they win."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import Final

from audit.cheques import greatest_toke
from audit.money import ZERO, Money
from audit.procedures.begun import unsettled_at_first
from audit.procedures.drafts import ALL_GAMES, BLACKJACK, Audited, Case, Draft, dollars, found, too_late
from audit.procedures.dues import Due, done, due_readings
from audit.procedures.limits import limit
from audit.procedures.moments import colours_of, settled, shows_cheques, stood_throughout, things
from audit.readings import Mass, mass_of
from audit.reconstruction.amounts import best_amount, combined, in_colours, worth
from audit.reconstruction.changes import Change
from audit.reconstruction.evidence import Stack, best
from audit.reconstruction.observation import Ending, MoneyMove, Observation, SeatSeen, SeenWager
from audit.reconstruction.places import distance
from audit.rounds import BetKey
from audit.settlement import Outcome
from audit.states import SeenObject, TableState
from audit.table import Point
from audit.timing import Span

_PAID_MS: Final = 2_000
_MOVED_MM: Final = 40.0
_PUSHED_MM: Final = 25.0
_FOLLOWED: Final = {"draw_n_shoot_21": "ante", "dicey_21": "ante", "stud_21": "base", "lucky_draw_baccarat": "enter"}
_Pile = Mapping[Stack, float]


def _tokes(case: Case) -> Iterator[tuple[SeenWager, SeenWager | None]]:
    """Yield every toke with the wager whose fortune it shares."""
    for wager in case.seen.wagers:
        if wager.key.bet == "toke":
            yield wager, _followed(case, wager.key.seat)


def _followed(case: Case, seat: int) -> SeenWager | None:
    """Return the wager of a seat that its toke follows: the one that is made before the deal."""
    bet = _FOLLOWED.get(case.rules.game)
    return case.seen.wager(BetKey(seat=seat, bet="main", hand=1) if bet is None else BetKey(seat=seat, bet=bet))


def put_on(case: Case, toke: SeenWager) -> list[SeenWager]:
    """Return the piles that a player set beside a toke while he doubled his bet: the toke is doubled with it."""
    turned = case.seen.hole_turned
    before = [late for late in case.seen.late if turned is None or late.placed.state < turned.state]
    return [late for late in before if late.key == toke.key and _may_double(case, toke)]


def may_have_doubled(case: Case, toke: SeenWager, move: MoneyMove) -> bool:
    """Whether cheques put on a toke doubled it with the player's bet, as he may (004:L998)."""
    turned, stake, more = case.seen.hole_turned, best_amount(toke.stake), best_amount(move.net(case.chips))
    in_time = turned is None or move.change.state < turned.state
    most = None if stake is None else _may_double(case, toke) * stake
    return in_time and None not in (most, more) and (more or ZERO) <= (most or ZERO)


def _may_double(case: Case, toke: SeenWager) -> int:
    """Return how many doubles and splits the bet has that a toke follows."""
    return sum(one.key.seat == toke.key.seat and one.key.bet in ("double", "split") for one in case.seen.wagers)


def _stake(case: Case, toke: SeenWager) -> Money | None:
    """Return the toke with all that doubled it, None where a part was not read."""
    moves = [move for move in toke.raised if may_have_doubled(case, toke, move)]
    parts = [toke.stake, *(move.net(case.chips) for move in moves), *(late.stake for late in put_on(case, toke))]
    amounts = [best_amount(part) for part in parts]
    return None if None in amounts else sum((one for one in amounts if one is not None), ZERO)


def _payments(case: Case, toke: SeenWager) -> list[MoneyMove]:
    """Return what the house set beside a toke and upon that, or, where it set nothing there, upon the toke."""
    beside = [move for move in toke.pays if move.after and not move.before]
    grown = [move for move in toke.pays if move.change.by_dealer and _grows(case, move)]
    return [*beside, *(move for move in grown if _is_upon(move, beside))] if beside else grown


def _is_upon(move: MoneyMove, beside: Sequence[MoneyMove]) -> bool:
    """Whether cheques came upon a payment beside a toke: what lay there lies there still."""
    before, after = best(move.before[0]), best(move.after[0])
    if before is None or after is None or Counter(before) - Counter(after):
        return False
    return any(best(one.after[0]) == before for one in beside)


def _grows(case: Case, move: MoneyMove) -> bool:
    net = best_amount(move.net(case.chips))
    return bool(move.before and move.after) and net is not None and net > 0


def toke_after_the_bet(case: Case) -> Iterator[Draft]:
    """Yield a toke settled before the player's bet: P369, P260."""
    for toke, main in _tokes(case) if not case.seen.piece.missing else ():
        if main is not None and len(case.seen.seats[toke.key.seat].hands) == 1:
            yield from too_late(
                case,
                settled(main),
                settled(toke),
                "P369",
                "P260",
                code="toke-first",
                expected="the player's bet settled first, then his toke",
                observed="the toke first",
                bet=toke.key,
            )


def toke_follows_the_bet(case: Case) -> Iterator[Draft]:
    """Yield a toke settled otherwise than the player's bet: P371; one taken on a push: P370.

    One left up since the round before is told there (P366): the dealer, who takes it to be down, settles it no more.
    """
    begun = case.seen.piece.begun_unseen
    for toke, main in _tokes(case):
        alone = len(case.seen.seats[toke.key.seat].hands) == 1
        if main is None or not alone or toke.ending is Ending.UNKNOWN or (begun and not unsettled_at_first(case, toke)):
            continue
        dues = due_readings(case, main)
        if dues.doubt is not None or dues.best is None:
            continue
        judge = _is_push if _perhaps_paid_and_down(case, toke) else partial(_wrong, case, toke)
        mass = mass_of(dues.sets, judge)
        push = dues.best.outcome is Outcome.PUSH
        taken = toke.ending is Ending.TAKEN and not _payments(case, toke)
        acts = "taken" if taken else "paid" if _payments(case, toke) else "left"
        if acts == "left" and _left_up_before(case, toke):
            continue
        yield from found(
            case,
            *(("P370", "P371") if push and taken else ("P371",)),
            code="toke-settled",
            mass=mass,
            span=_span(case, toke),
            expected=f"the toke settled as the bet: {dues.best.outcome}{_owed_words(case, toke, dues.best)}",
            observed=f"paid {dollars(_paid(case, toke))}" if acts == "paid" else acts,
            bet=toke.key,
            amount=_difference(case, toke, dues.best),
            capped=begun
            or not done(case, toke).sure
            or _paid_evenly(case, toke, dues.best)
            or _perhaps_paid(case, toke),
            follows=(("payout", main.key),),
        )


def _paid_evenly(case: Case, toke: SeenWager, due: Due) -> bool:
    """Whether a winning toke was paid one to one: that a blackjack pays it more is written nowhere (004:L998)."""
    stake = _stake(case, toke)
    return due.outcome is Outcome.WIN and stake is not None and _paid(case, toke) == stake


def _owed_words(case: Case, toke: SeenWager, due: Due) -> str:
    """What a winning toke is due, in words; nothing where that is not known, or none is due."""
    stake = _stake(case, toke)
    owed = due.pay(stake) if due.outcome is Outcome.WIN and stake is not None else None
    return "" if owed is None else f", {dollars(owed)} due"


def _perhaps_paid_and_down(case: Case, toke: SeenWager) -> bool:
    """Whether a toke may have been paid and taken down unseen: on a push it was to stay all the same.

    That is between two looks at its place, of which none counts in which it was covered.
    """
    if toke.taken is None or _payments(case, toke):
        return False
    states, went = case.seen.piece.states, toke.taken.change
    first = went.state
    while first and case.places.hidden(states[first - 1], toke.xy_mm):
        first -= 1
    zones = case.places.zones(toke.xy_mm)
    over = (hand for state in states[first : went.state] for hand in state.hands if zones & set(hand.zones))
    return len({*went.hands, *(hand for hand in over if hand.side == "dealer")}) > 1


def _perhaps_paid(case: Case, toke: SeenWager) -> bool:
    """Whether nobody looked at a toke for so long before it was taken that it may have been paid: both come down."""
    if toke.taken is None or _payments(case, toke):
        return False
    unseen = toke.taken.change.seen
    return unseen.last - unseen.first >= _PAID_MS


def _is_push(due: Due) -> bool:
    return due.outcome is Outcome.PUSH


def _span(case: Case, toke: SeenWager) -> Span:
    change = settled(toke)
    return case.seen.observed.end if change is None else change.span


def _paid(case: Case, toke: SeenWager) -> Money | None:
    """Return what was paid on a toke, None if that was not read."""
    paid = {ZERO: 1.0}
    for move in [move for one in (toke, *put_on(case, toke)) for move in _payments(case, one)]:
        paid = dict(combined(paid, move.net(case.chips), sign=1))
    return best_amount(paid)


def _difference(case: Case, toke: SeenWager, due: Due) -> Money | None:
    """Return what the toke received less what it was due, None if either is not known."""
    amount, stake = _paid(case, toke), _stake(case, toke)
    if amount is None or stake is None or due.outcome is None:
        return None
    lost = toke.ending is Ending.TAKEN and not _payments(case, toke)
    kept = ZERO if lost else stake
    owed = {Outcome.LOSE: -stake, Outcome.PUSH: ZERO, Outcome.WIN: due.pay(stake)}[due.outcome]
    return None if owed is None else amount + kept - stake - owed


def _wrong(case: Case, toke: SeenWager, due: Due) -> bool:
    amount, stake = _paid(case, toke), _stake(case, toke)
    taken = toke.ending is Ending.TAKEN
    if due.outcome is Outcome.LOSE:
        return not taken or bool(_payments(case, toke))
    if due.outcome is Outcome.PUSH:
        return taken or bool(_payments(case, toke))
    owed = None if stake is None else due.pay(stake)
    return due.outcome is Outcome.WIN and None not in (amount, owed) and amount != owed


def winning_toke_taken_down(case: Case) -> Iterator[Draft]:
    """Yield a paid toke that still stood when the next round's first card came: P366.

    If a player had his hand there meanwhile, and the same cheques play on, it is at most suspect.
    """
    for toke, _ in _tokes(case):
        if case.following is not None and _is_left_up(case, toke):
            yield from found(
                case,
                "P366",
                code="toke-left-up",
                span=case.following.observed.start,
                expected="a winning toke and its payment taken down",
                observed="still standing at the next first card",
                bet=toke.key,
                capped=not _is_untouched(case, toke),
            )


def _is_left_up(case: Case, toke: SeenWager) -> bool:
    """Whether a paid toke stands in the next round: it was not touched, or its cheques play on."""
    if not _payments(case, toke) or case.following is None or not _stands_in(case.following, toke):
        return False
    return toke.taken is None and (_is_untouched(case, toke) or _plays_on(case, case.following, toke))


def _is_untouched(case: Case, toke: SeenWager) -> bool:
    return toke.collected is None and stood_throughout(case, toke.spot)


def _left_up_before(case: Case, toke: SeenWager) -> bool:
    """Whether a toke was left up in the round before, where that is told."""
    if case.previous is None:
        return False
    before = replace(case, seen=case.previous, following=case.seen)
    return any(other.key == toke.key and _is_left_up(before, other) for other, _ in _tokes(before))


def _stands_in(following: Observation, toke: SeenWager) -> bool:
    """Whether a toke stands on its spot in the next round, whether its player gets cards then or not."""
    return any(other.key == toke.key for other in (*following.wagers, *following.without_cards))


def _plays_on(case: Case, following: Observation, toke: SeenWager) -> bool:
    """Whether a toke and its payment stand there at the next first card, together if the dealer stacked them.

    Where hands of both sides came to it since, it may have been taken down and another one laid.
    """
    states = case.seen.piece.states[_payments(case, toke)[-1].change.state :]
    then = following.piece.states[following.piece.first]
    came = {hand.side for state in (*states[1:], then) for hand in state.hands if toke.spot in hand.zones}
    if (
        came == {"dealer", "player"}
        or not toke.spot.endswith(".toke")
        or not _all_show_it(case, (*states, then), toke.spot)
    ):
        return False
    paid, left = (
        colours_of(pile for pile in things(state, "chips") if case.places.spot(pile.xy_mm) == toke.spot)
        for state in (states[0], then)
    )
    return paid == left and None not in left


def _all_show_it(case: Case, states: Sequence[TableState], spot: str) -> bool:
    """Whether a spot was in sight all the while, with cheques on it."""
    return all(one.view == "ok" and spot not in one.covered and shows_cheques(case, one, spot) for one in states)


def toke_limits(case: Case) -> Iterator[Draft]:
    """Yield a toke over a tenth of the maximum, or over the maximum together with its bet: P374, P400."""
    most = case.places.profile.maximum
    for toke, main in _tokes(case):
        if main is None:
            continue
        broken = kept = 0.0
        for stake, p in main.stake.items():
            for own, q in toke.stake.items():
                over = own > greatest_toke(most, stake)
                broken += p * q if over else 0.0
                kept += 0.0 if over else p * q
        yield from found(
            case,
            *(("P400", "P374") if case.rules.game == "double_deck" else ("P374",)),
            code="toke-size",
            mass=Mass(broken=broken, kept=kept),
            span=toke.placed.span,
            expected=f"a toke within the maximum of {dollars(most)} with its bet, or a tenth of it",
            observed=f"{dollars(best_amount(toke.stake))} beside {dollars(best_amount(main.stake))}",
            bet=toke.key,
        )


def toke_cheques(case: Case) -> Iterator[Draft]:
    """Yield $100 cheques that went to the toke box, P367, and tokes whose colour was changed, P368: may be approved."""
    for toke, _ in _tokes(case):
        piles = (*toke.piles, *(pile for move in _payments(case, toke) for pile in move.after))
        colours = {colour for pile in piles for colour in (best(pile) or ())}
        values = [value for colour in colours if (value := worth((colour,), case.chips)) is not None]
        if (
            toke.taken is not None
            and _payments(case, toke)
            and max(values, default=0) >= limit("wagers", "approval_from")
        ):
            yield from _toke(case, toke, "P367", toke.taken, f"{in_colours(piles)} taken to the toke box")
        for _, together in groupby(toke.pays, key=lambda move: move.change.state):
            moves = list(together)
            gone = [pile for move in moves for pile in move.before]
            come = [pile for move in moves for pile in move.after]
            if gone and come and _same_in_other_colours(case, gone, come):
                yield from _toke(case, toke, "P368", moves[0], f"changed into {in_colours(come)}")


def _same_in_other_colours(case: Case, gone: Sequence[_Pile], come: Sequence[_Pile]) -> bool:
    """Whether the piles that came are worth what those that went were, in other cheques; all of them were read."""
    if not all(gone) or not all(come):
        return False
    was, now = (tuple(sorted(colour for pile in piles for colour in best(pile) or ())) for piles in (gone, come))
    value = worth(was, case.chips)
    return was != now and value is not None and value == worth(now, case.chips)


def _toke(case: Case, toke: SeenWager, procedure: str, move: MoneyMove, words: str) -> Iterator[Draft]:
    yield from found(
        case,
        procedure,
        code="toke-cheques",
        span=move.change.span,
        expected="with the supervisor's approval",
        observed=words,
        bet=toke.key,
        name=("toke-cheques", procedure, toke.key),
    )


def toke_not_split(case: Case) -> Iterator[Draft]:
    """Yield a toke that was moved when its hand was split, but not to the left-hand wager: P325 (004:L822).

    Or by the dealer before or after that: as the wagers have been parted, before a hand has its second card.
    """
    for seat, seen in case.seen.seats.items():
        for change in seen.splits[:1]:
            if not change.by_player and any(_moved_away(case, seat, at, change.state) for at in _parting(seen, change)):
                yield from found(
                    case,
                    "P325",
                    code="toke-moved",
                    span=change.span,
                    expected="the toke in front of the left-hand wager",
                    observed="moved elsewhere when the hand was split",
                    seat=seat,
                )


def _parting(seen: SeatSeen, split: Change) -> range:
    """Return the states from the last card before a split to the next one after it."""
    earlier = (card.appeared.state for card in seen.cards if card.appeared.state < split.state)
    later = (card.appeared.state for card in seen.cards if card.appeared.state > split.state)
    return range(max(earlier, default=split.state), min(later, default=split.state + 1))


def _moved_away(case: Case, seat: int, at: int, split: int) -> bool:
    """Whether a toke that lay there before the cards lies elsewhere, and not before the left-hand wager."""
    state, before, after = (
        case.seen.piece.states[at],
        _toke_places(case, seat, case.seen.piece.first),
        _toke_places(case, seat, at),
    )
    least = _MOVED_MM if at == split else _PUSHED_MM
    moved = [point for point in after if all(distance(point, other) > least for other in before)]
    away = [point for point in moved if not _before_the_left_wager(case, seat, at, point)]
    unseen = f"seat{seat}.main" in state.covered or (at != split and _sides(state, f"seat{seat}.toke") != {"dealer"})
    parted = len(_places_on(case, f"seat{seat}.main", at)) > 1
    return bool(before and away) and parted and len(after) <= len(before) and not unseen


def _toke_places(case: Case, seat: int, state: int) -> list[Point]:
    return _places_on(case, f"seat{seat}.toke", state)


def _places_on(case: Case, spot: str, state: int) -> list[Point]:
    chips = things(case.seen.piece.states[state], "chips")
    return [item.xy_mm for item in chips if case.places.spot(item.xy_mm) == spot]


def _before_the_left_wager(case: Case, seat: int, state: int, toke: Point) -> bool:
    """Whether the leftmost of a seat's wagers is the one nearest to the toke, as the dealer looks along the seat."""
    owner = f"seat{seat}"
    wagers = sorted(case.places.along(owner, point)[0] for point in _places_on(case, f"{owner}.main", state))
    right = case.places.along(owner, toke)[0]
    return bool(wagers) and min(wagers, key=lambda wager: abs(wager - right)) == wagers[0]


def thrown_in(case: Case) -> Iterator[Draft]:
    """Yield a toke that a player laid on no spot and the dealer bet: P373, at most suspect, as he may have been told.

    Only what lay there in a state of its own is followed.
    """
    states = case.seen.piece.states[: case.seen.piece.first + 1]
    for place in range(2, len(states)):
        before, after = _loose(case, states[place - 1]), _loose(case, states[place])
        left = [pile for pile in before if _missing(pile, after) and _missing(pile, _loose(case, states[place - 2]))]
        for bet in things(states[place], "chips"):
            spot = case.places.spot(bet.xy_mm)
            same = any(pile.stack == bet.stack is not None for pile in left)
            thrown = _sides(states[place - 1]) == {"player"} and _sides(states[place], spot) == {"dealer"}
            if spot is not None and spot.endswith(".toke") and same and thrown:
                yield from found(
                    case,
                    "P373",
                    code="toke-bet",
                    span=states[place].span,
                    expected="a toke thrown in without a word to the box",
                    observed="bet by the dealer",
                    seat=int(spot.removeprefix("seat").removesuffix(".toke")),
                )


def _loose(case: Case, state: TableState) -> list[SeenObject]:
    """Return the piles that lie in no zone, or where a seat's cards are dealt."""
    zones = ((item, case.places.zones(item.xy_mm)) for item in things(state, "chips"))
    return [
        item for item, inside in zones if all(zone.endswith(".cards") and zone != "dealer.cards" for zone in inside)
    ]


def _missing(pile: SeenObject, piles: Iterable[SeenObject]) -> bool:
    return all(distance(pile.xy_mm, other.xy_mm) > _MOVED_MM for other in piles)


def _sides(state: TableState, zone: str | None = None) -> set[str]:
    """Return whose hands came since the state before; over one zone if it is named."""
    return {hand.side for hand in state.hands if zone is None or zone in hand.zones}


CHECKS: Final = (
    Audited(check=toke_after_the_bet, games=ALL_GAMES, ids=("P369", "P260")),
    Audited(check=toke_follows_the_bet, games=ALL_GAMES, ids=("P370", "P371")),
    Audited(check=winning_toke_taken_down, games=ALL_GAMES, ids=("P366",)),
    Audited(check=toke_limits, games=BLACKJACK, ids=("P374", "P400")),
    Audited(check=toke_cheques, games=BLACKJACK, ids=("P367", "P368")),
    Audited(check=thrown_in, games=BLACKJACK, ids=("P373",)),
    Audited(check=toke_not_split, games=BLACKJACK, ids=("P325",)),
)
