"""Cheques cut out before the rack: into how many, how they are proved, and that they are not mixed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import prod
from typing import Final

from audit.cheques import FULL_STACK, PUSHED_APART, UNITS, break_down, proof
from audit.money import Money
from audit.procedures.before_rack import (
    LINE_MM,
    NEARLY_SURE,
    SURE,
    Show,
    are_cards_out,
    colour_of,
    hue_of,
    is_bankroll,
    is_counted,
    is_same,
    of_show,
    paid_from,
    shows,
)
from audit.procedures.drafts import (
    ALL_GAMES,
    AuditedTable,
    Draft,
    Session,
)
from audit.procedures.limits import limit
from audit.procedures.moments import things
from audit.readings import Mass
from audit.reconstruction.amounts import total_amounts
from audit.reconstruction.evidence import Stack, cheques_of, may_be_same, stack_chances
from audit.reconstruction.places import JITTER_MM, lies_there
from audit.states import SeenObject

_FIVE: Final = 5
_PROVED: Final = frozenset({"orange", "teal", "grey"})
_LOOKS: Final = 2
_PURPLE: Final = "purple"


def cut_into_units(session: Session) -> Iterator[Draft]:
    """Yield cheques cut out in other heights than written: P108 by fives, P109 by fours; rows over twenty: P110."""
    for show in shows(session):
        if is_counted(session, show) or _is_lost_money(session, show):
            continue
        if is_bankroll(session, show) or _is_laid_by_a_player(show) or _goes_to_a_bet(session, show):
            continue
        yield from _cut_wrongly(session, show)
        for colour in sorted({colour_of(pile, NEARLY_SURE) for piles in show.piles for pile in piles} & UNITS.keys()):
            sure, longest = (_longest_row(show, colour, at) for at in (SURE, NEARLY_SURE))
            if longest > FULL_STACK:
                words = (f"at most {FULL_STACK} in a row", f"{longest} {colour} in a row")
                yield from of_show(session, show, "P110", *words, capped=sure <= FULL_STACK)


def _cut_wrongly(session: Session, show: Show) -> Iterator[Draft]:
    """Yield a colour that was never shown in its units, or proved; the same cheques may be stacked before they go.

    Of piles that were read less surely, what a pile of one cheque more or fewer would explain is suspected at most.
    """
    looked = {cheque for piles in show.piles for pile in piles for cheque in pile.stack or ()}
    for colour in sorted(looked & UNITS.keys()):
        sure, nearly = (_read_sides(show, colour, least) for least in (SURE, NEARLY_SURE))
        chance = 1.0 if any(sure) else show.chance_of(colour)
        mass = Mass(broken=chance, kept=1.0 - chance)
        sides = sure if any(sure) else nearly
        for counts in filter(None, sides):
            total = max(map(sum, counts))
            whole = [heights for heights in counts if sum(heights) == total]
            shown = any(heights in _cuts_of(total, colour) for side in (*sure, *nearly) for heights in side)
            doubtful = not any(sure) and any(_may_be_a_cut(heights, colour) for side in sides for heights in side)
            doubtful |= len(whole) == 1 and _may_be_joined(whole[0], colour)
            doubtful |= any(_is_cut_as_paid(session, show, heights, colour) for heights in whole)
            if not shown and whole[-1] == counts[-1]:
                procedure, most = "P108" if UNITS[colour] == _FIVE else "P109", max(map(len, whole))
                cut = next(heights for heights in whole if len(heights) == most)
                words = (f"{total} {colour} cut {_dashed(_cuts_of(total, colour)[0])}", _dashed(cut))
                never = mass.broken * (1.0 - _chance_of_a_cut(show, total, colour))
                rest = Mass(broken=never, kept=1.0 - never)
                yield from of_show(session, show, procedure, *words, mass=rest, capped=doubtful)


def _cuts_of(total: int, colour: str) -> tuple[list[int], list[int]]:
    """The heights, highest first, in which so many cheques of a colour are cut, and in which they are proved."""
    wanted = sorted((n for row in break_down(total, colour) for n in row), reverse=True)
    return wanted, sorted([*wanted[:-1], *(proof(total, colour) or wanted[-1:])], reverse=True)


def _chance_of_a_cut(show: Show, total: int, colour: str) -> float:
    """Return how likely some state, however surely it was read, shows so many cheques cut as is written."""
    chances = [0.0]
    for piles in show.piles:
        own = [pile for pile in piles if set(pile.stack or ()) == {colour}]
        if sorted((len(pile.stack or ()) for pile in own), reverse=True) in _cuts_of(total, colour):
            right = prod(stack_chances(pile).get(pile.stack or (), 0.0) for pile in own)
            chances.append(_given_the_total(right, [stack_chances(pile) for pile in own], total))
    return max(chances)


def _given_the_total(right: float, piles: Sequence[Mapping[Stack, float]], total: int) -> float:
    """Return how likely a reading of piles is right, given that there are so many cheques together."""
    each = {colour: Money(1) for pile in piles for stack in pile for colour in stack}
    numbers = total_amounts(piles, each)
    return right / (numbers.get(Money(total), 0.0) + 1.0 - sum(numbers.values())) if right > 0 else 0.0


def _may_be_joined(heights: Sequence[int], colour: str) -> bool:
    """Whether piles are cut as is written if one of them is two that stand together: a single look may list them so."""
    cuts = _cuts_of(sum(heights), colour)
    parted = (
        [*heights[:place], part, height - part, *heights[place + 1 :]]
        for place, height in enumerate(heights)
        for part in range(1, height)
    )
    return any(sorted(cut, reverse=True) in cuts for cut in parted)


def _may_be_a_cut(heights: Sequence[int], colour: str) -> bool:
    """Whether piles are cut as is written if one of them has a cheque more or fewer than was read."""
    return any(cut in _cuts_of(sum(cut), colour) for cut in one_off(heights) if cut)


def _is_cut_as_paid(session: Session, show: Show, heights: Sequence[int], colour: str) -> bool:
    """Whether one cheque more or fewer was paid than was read in the row, and so many are cut as is written."""
    place = session.place_of(show.states[-1])
    before = things(show.states[-1], "chips")
    after = [pile for state in session.states[place + 1 : place + 2] for pile in things(state, "chips")]
    came = [pile for pile in after if not any(lies_there(pile, other) for other in before)]
    paid = sum((pile.stack or ()).count(colour) for pile in came)
    return any(sum(cut) == paid and cut in _cuts_of(paid, colour) for cut in one_off(heights) if cut)


def one_off(heights: Sequence[int]) -> Iterator[list[int]]:
    """Yield the heights of piles, highest first, if one of them has a cheque more or fewer."""
    for place, height in enumerate(heights):
        for other in (height - 1, height + 1):
            yield sorted(filter(None, [*heights[:place], other, *heights[place + 1 :]]), reverse=True)


def _read_sides(show: Show, colour: str, least: float) -> list[list[list[int]]]:
    """The heights of a colour's piles, state by state, where all that may be of it are read so surely."""
    read = [side.surely_read(colour, least) for side in show.sides]
    return [[heights for heights in side.counts(colour, least) if heights] for side in read]


def _dashed(heights: Sequence[int]) -> str:
    return "-".join(map(str, heights))


def _is_lost_money(session: Session, show: Show) -> bool:
    """Whether the cheques are lost wagers, laid before the rack until the hand is over: they are proved to nobody.

    Where the view was lost just before, or begins with them, they may be.
    """
    place = session.place_of(show.states[0])
    if not place:
        return True
    before, after = session.states[place - 1], show.states[0]
    if before.view != "ok":
        return True
    bets = {zone.name for zone in session.places.profile.zones if zone.bet is not None}
    stood = {session.places.spot(item.xy_mm) for item in things(before, "chips")} - {None} | before.covered & bets
    stand = {session.places.spot(item.xy_mm) for item in things(after, "chips")} - {None}
    over = {zone for hand in after.hands if hand.side == "dealer" for zone in hand.zones}
    return bool((stood - stand) & over)


def _goes_to_a_bet(session: Session, show: Show) -> bool:
    """Whether a single pile rests before the rack on its way to a bet that it pays: nothing is cut out or proved."""
    after = session.states[session.place_of(show.states[-1]) + 1 :][:1]
    if not after or any(len(piles) != 1 for piles in show.piles):
        return False
    stood = things(show.states[-1], "chips")
    bets = {zone.name for zone in session.places.profile.zones if zone.bet is not None}
    came = [pile for pile in things(after[0], "chips") if not any(is_same(pile, one) for one in stood)]
    (pile,) = show.piles[-1]
    paying = [one for one in came if session.places.spot(one.xy_mm) in bets]
    if any(not _cheques(pile) - _cheques(one) for one in paying):
        return True
    carried = any(hand.side == "dealer" and bets & set(hand.zones) for hand in after[0].hands)
    return carried and are_cards_out(after[0])  # it may have been collected in the same gap


def _cheques(pile: SeenObject) -> Counter[str]:
    return cheques_of([stack_chances(pile)]) or Counter()


def _is_laid_by_a_player(show: Show) -> bool:
    """Whether the cheques lie as a player alone laid them there, to be changed: the dealer has cut nothing here yet."""
    first, *later = show.piles
    laid = {hand.side for hand in show.states[0].hands} == {"player"}
    return laid and all(len(piles) == len(first) and all(map(_lies_among(first), piles)) for piles in later)


def _lies_among(piles: Sequence[SeenObject]) -> Callable[[SeenObject], bool]:
    return lambda pile: any(
        lies_there(pile, one) and may_be_same(stack_chances(pile), stack_chances(one)) for one in piles
    )


def _longest_row(show: Show, colour: str, least: float) -> int:
    """The most cheques of a colour in one row; those that were cut down before may be stacked again to be sent out."""
    longest, cut = 0, set[int]()
    for piles in show.piles:
        heights = [len(pile.stack or ()) for pile in piles if colour_of(pile, least) == colour]
        if max(heights, default=0) <= UNITS[colour]:
            cut.add(sum(heights))
        elif sum(heights) in cut:
            continue
        longest = max(longest, _row(piles, colour, least))
    return longest


def _row(piles: Sequence[SeenObject], colour: str, least: float) -> int:
    own = [pile for pile in piles if colour_of(pile, least) == colour]
    return max((sum(len(p.stack or ()) for p in own if abs(p.xy_mm[1] - q.xy_mm[1]) < LINE_MM) for q in own), default=0)


def last_stack_proved(session: Session) -> Iterator[Draft]:
    """Yield orange or teal not proved 2-2-1, P111, or grey not proved 2-2, P112; a quick proof may not settle."""
    for show in shows(session):
        for colour in sorted({colour_of(pile, NEARLY_SURE) for piles in show.piles for pile in piles} & _PROVED):
            counts = show.counts(colour, NEARLY_SURE)
            total = max(map(sum, counts))
            way = proof(total, colour)
            looks = len([heights for heights in counts if heights])
            if way is None or (looks < _LOOKS and not paid_from(session, show)):
                continue
            rest = [UNITS[colour]] * (total // UNITS[colour] - 1)
            if sorted([*rest, *way], reverse=True) not in counts:
                words = f"the last stack of {colour} proved {'-'.join(map(str, way))}"
                procedure = "P112" if colour == "grey" else "P111"
                yield from of_show(session, show, procedure, words, "not seen proved", capped=True)


def pushed_apart(session: Session) -> Iterator[Draft]:
    """Yield grey or teal cheques left touching after they were broken down: P113."""
    least = limit("felt", "chip_mm") + JITTER_MM / 2
    for show in shows(session):
        looks = [[(*hue_of(pile), pile.xy_mm[0]) for pile in piles] for piles in show.piles]
        colours = {colour for look in looks for colour, _, _ in look}
        for colour in sorted(colours & PUSHED_APART) if not is_bankroll(session, show) else ():
            of_colour = [sorted((x, p) for hue, p, x in look if hue == colour) for look in looks]
            piles = next((some for some in reversed(of_colour) if len(some) > 1), [])
            gap, chance = min(((far - x, p * q) for (x, p), (far, q) in pairwise(piles)), default=(least, 0.0))
            if gap < least:
                words = (f"{colour} pushed slightly apart", f"{gap:.0f} mm apart")
                mass = Mass(broken=chance, kept=1.0 - chance)
                yield from of_show(session, show, "P113", *words, mass=mass)


def proved_and_unmixed(session: Session) -> Iterator[Draft]:
    """Yield payments proved in piles of two colours, P274, or with $500 cheques mixed with others, P272.

    Losing cheques lie mixed before the rack, and change that was proved apart is stacked to be sent out (004:L459).
    """
    for show in shows(session):
        mixed = [p for piles in show.piles for p in piles if p.stack and len(set(p.stack)) > 1 and not p.stacks]
        first = [p for p in show.piles[0] if p.stack and len(set(p.stack)) > 1]
        if mixed and first and show.piles[-1] and len(show.states) > 1 and paid_from(session, show):
            colours = " and ".join(dict.fromkeys(mixed[0].stack or ()))
            ids = ("P272", "P274") if _PURPLE in (mixed[0].stack or ()) else ("P274",)
            yield from of_show(
                session, show, ids[0], "colours separated before paying", f"{colours} in one pile", *ids[1:]
            )


TABLE_CHECKS: Final = (
    AuditedTable(check=cut_into_units, games=ALL_GAMES, ids=("P108", "P109", "P110"), in_round=True),
    AuditedTable(check=last_stack_proved, games=ALL_GAMES, ids=("P111", "P112"), in_round=True),
    AuditedTable(check=pushed_apart, games=ALL_GAMES, ids=("P113",), in_round=True),
    AuditedTable(check=proved_and_unmixed, games=ALL_GAMES, ids=("P272", "P274"), in_round=True),
)
