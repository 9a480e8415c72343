"""Tables whose cards only a machine shuffles: two stacks riffled, or worked at for long, are a shuffle by hand."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from audit.procedures.drafts import BLACKJACK, AuditedTable, Draft, Session, found
from audit.procedures.limits import limit
from audit.procedures.moments import things
from audit.procedures.shuffle import Break, breaks
from audit.reconstruction.places import STILL_MM, distance
from audit.states import TableState
from audit.table import Point

_STACK_MM: Final = 30.0  # backs no farther from each other are one stack; the stacks of a shuffle stand side by side
_TWO: Final = 2
_MOST: Final = 4  # two halves, what is riffled and what has been


def shuffled_by_hand(session: Session) -> Iterator[Draft]:
    """Yield cards shuffled by hand where the machine does it: P395 (004:L1070), P402 (004:L1097).

    The standard shuffle has two stacks and sets what was riffled down between them, until one is left (004:L157-161).
    Cards that are cut lie in two stacks at most; decks laid out to be looked at are more. The cards may have been
    arranged so for something else: at most suspect. So they may where two stacks lay side by side for long with the
    dealer's hand over them again and again, as none does that is cut.
    """
    procedure = _machine_only(session)
    for one in breaks(session) if procedure is not None else ():
        riffled = next((after for before, after in pairwise(one.states[:-1]) if _packet(session, before, after)), None)
        riffled = riffled or _two_for_long(session, one)
        if procedure is not None and riffled is not None and _made_one(session, one, riffled):
            yield from found(
                session,
                procedure,
                code="shuffled-by-hand",
                span=riffled.span,
                expected="the cards shuffled by the machine",
                observed="two stacks worked by hand until one was left",
                capped=True,
                name=("shuffled-by-hand", one.span.first),
            )


def _machine_only(session: Session) -> str | None:
    """Return the procedure that allows no shuffle by hand at this table, None if it may be done."""
    if session.rules.game == "double_deck":
        return "P395"
    zones = (zone.name for zone in session.places.profile.zones)
    return "P402" if any(name.endswith(".blazing7") for name in zones) else None


def _packet(session: Session, before: TableState, after: TableState) -> bool:
    """Whether the dealer set a further stack down between the two that lay there, and these stayed where they were."""
    two, three = (_stacks(session, state) for state in (before, after))
    if len(two) != _TWO or len(three) != _TWO + 1:
        return False
    further = [at for at in three if all(distance(at, other) > STILL_MM for other in two)]
    left, right = sorted(at[0] for at in two)
    sides = {hand.side for hand in after.hands}
    return len(further) == 1 and left < further[0][0] < right and sides == {"dealer"}


def _two_for_long(session: Session, one: Break) -> TableState | None:
    """Return the last state of a run of two stacks over which the dealer's hand was seen for long, again and again."""
    run: list[TableState] = []
    for state in one.states[:-1]:
        if len(_stacks(session, state)) == _TWO:
            run.append(state)
        elif run and state.view == "ok":
            break
    hands = [hand.span for state in run[1:] for hand in state.hands if hand.side == "dealer"]
    long = bool(hands) and max(span.last for span in hands) - run[0].span.first >= limit("shuffle", "by_hand_ms")
    return run[-1] if long and len(hands) >= limit("shuffle", "by_hand_visits") else None


def _made_one(session: Session, one: Break, riffled: TableState) -> bool:
    """Whether one stack was left in the end, and there were never as many as when decks are laid out."""
    counts = [(state.span.first, len(_stacks(session, state))) for state in one.states[:-1] if state.view == "ok"]
    joined = any(time > riffled.span.first and count == 1 for time, count in counts)
    return joined and max(count for _, count in counts) <= _MOST


def _stacks(session: Session, state: TableState) -> list[Point]:
    """Return where the stacks of backs outside shoe and rack lie, one place for each."""
    places: list[Point] = []
    for back in things(state, "card_back"):
        away = session.places.zones(back.xy_mm) & {"shoe", "discard"}
        if not away and all(distance(back.xy_mm, other) > _STACK_MM for other in places):
            places.append(back.xy_mm)
    return places


TABLE_CHECKS: Final = (AuditedTable(check=shuffled_by_hand, games=BLACKJACK, ids=("P395", "P402")),)
