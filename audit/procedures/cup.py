"""The dice cup: shaken, put down, opened and covered again when it must be.

Without a cup in the states, nothing; of recognised footage, that it was not seen. What recognition counted while the
cup was in a hand, and where it stood then, is at most suspect.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from audit.procedures.dice_games import DICE_THROWN
from audit.procedures.drafts import DICE, Audited, Case, Draft, found, not_seen, too_late
from audit.procedures.limits import limit
from audit.procedures.moments import last_decision, may_be_undone, opening, settlements, things
from audit.readings import CERTAIN, UNKNOWN
from audit.reconstruction.changes import Change, change_between
from audit.reconstruction.observation import SeenWager
from audit.reconstruction.places import distance, lies_there
from audit.states import CARD_KINDS, SeenObject, TableState
from audit.timing import Span

_SAME_PLACE_MM: Final = 30.0


def shaken_three_times(case: Case) -> Iterator[Draft]:
    """Yield a cup shaken fewer than three times before it was opened, or that this was not seen: P018, P050."""
    last, reveal = last_decision(case), case.seen.hole_turned
    if case.seen.piece.missing or last is None or reveal is None:
        return
    every = case.seen.piece.states
    began = min(last.state, *(n for n, one in enumerate(every) if one.span.last >= last.seen.first))
    over = min(last.state, *(n for n, one in enumerate(every) if one.span.first >= last.span.last))
    states, unsure = every[over : reveal.state + 1], every[began + 1 : over]  # the last card may have come before these
    cups = [cup for state in states for cup in things(state, "dice_cup")]
    least, seen, perhaps = limit("cup", "shakes"), _shakes(states), _shakes(unsure)
    procedure = case.dice_id("P018", "P050")
    if seen >= least or (not cups and case.thresholds.hands_sure):
        return
    told = any("dice" in hand.zones for hand in every[reveal.state].hands)  # whoever opened it
    watched = all(_watched(case, state, told=told) for state in (*unsure, *_unopened(states)))
    if perhaps or not cups or not watched:
        counted = any(cup.shakes is not None for cup in cups)
        unseen = "no shakes of the cup were reported" if cups else "the cup was not recognised"
        why = "the cup was out of sight for a part of the time" if counted else unseen
        why = "the last card may have come before or after it" if perhaps else why
        also = () if procedure == "P050" else ("P019",)
        reason = f"how often the cup was shaken, and when: {why}"
        yield from not_seen(case, procedure, *also, reason=reason, span=last.span.hull(reveal.span))
        return
    yield from found(
        case,
        procedure,
        code="cup-shakes",
        span=last.span.hull(reveal.span),
        expected=f"the cup shaken at least {least:.0f} times",
        observed=f"shaken {seen} times",
        capped=not case.thresholds.hands_sure,
        name=("cup-shakes",),
        follows=(("cup-early",),),
    )


def _shakes(states: Sequence[TableState]) -> int:
    return sum(cup.shakes or 0 for state in states for cup in things(state, "dice_cup"))


def _watched(case: Case, state: TableState, *, told: bool) -> bool:
    """Whether the cup was in view: what it is shaken while the dealer carries it, the next state counts.

    A cup that stands there, over which no hand came, was not shaken, if hands over it are ``told`` at all.
    """
    cups = things(state, "dice_cup")
    untouched = case.thresholds.hands_sure and not any("dice" in hand.zones for hand in state.hands)
    if cups and untouched and told:
        return True
    carried = state.view == "ok" and "dice" not in state.covered
    return all(cup.shakes is not None for cup in cups) if cups else carried


def _unopened(states: Sequence[TableState]) -> Sequence[TableState]:
    """Leave out what shows the cup opened where it had just been put, or a hand on its way to that: it was not shaken.

    What is shaken while nothing changes on the felt stays where it was, as told: hands were over its place for longer.
    """
    stood = [n for n, state in enumerate(states) if any(_is_put(cup) for cup in things(state, "dice_cup"))]
    if not stood or stood[-1] == len(states) - 1:
        return states
    before, after, since = states[stood[-1]], states[-1], states[stood[-1] + 1 :]
    if any(things(state, "dice_cup") for state in since[:-1]):
        return states
    opened = [cup for cup in things(after, "dice_cup") if cup.lid == "off"]
    put = [cup for cup in things(before, "dice_cup") if _is_put(cup)]
    stayed = any(distance(one.xy_mm, other.xy_mm) <= _SAME_PLACE_MM for one in put for other in opened)
    over = [hand.span.first for state in since for hand in state.hands if "dice" in hand.zones]
    quick = after.span.first - min([before.span.last, *over]) < limit("cup", "shake_ms")
    return states[: stood[-1] + 1] if stayed and quick else states


def _is_put(cup: SeenObject) -> bool:
    """Whether a cup stands covered, and it was told how often it was shaken."""
    return cup.lid == "on" and cup.shakes is not None


def shaken_after_decisions(case: Case) -> Iterator[Draft]:
    """Yield a cup shaken or opened while a player had still to act: P019, P050."""
    last = last_decision(case)
    if case.seen.piece.missing or last is None:
        return
    states = case.seen.piece.states
    # arms that pass before the cup look like a shake or two, as where they deal beside it
    drift = 0 if case.thresholds.hands_sure else limit("cup", "shakes") - 1
    for place in range(case.seen.piece.first + 1, last.state):
        shaken = any((cup.shakes or 0) > drift for cup in things(states[place], "dice_cup"))
        opened = bool(things(states[place], "die")) and not things(states[place - 1], "die")
        seen = opened and "dice" not in states[place - 1].covered and states[place - 1].view == "ok"
        if shaken or seen:
            yield from too_late(
                case,
                last,
                change_between(states, place - 1, place, ("dice",)),
                case.dice_id("P019", "P050"),
                code="cup-early",
                expected="the cup shaken and opened after every decision",
                observed=f"{'opened' if seen else 'shaken'} before a card or a raise",
                capped=not seen and not case.thresholds.hands_sure,
                name=("cup-early",),
            )
            return


def opened_on_the_table(case: Case) -> Iterator[Draft]:
    """Yield a cup opened away from the centre, and dice that did not stay in it: P020, P021, P050."""
    zone, reveal = case.places.profile.zone("dice"), case.seen.hole_turned
    if zone is None or reveal is None:
        return
    state = case.seen.piece.states[reveal.state]
    for cup in things(state, "dice_cup"):
        away = distance(cup.xy_mm, zone.centre_mm)
        if away > limit("cup", "off_centre_mm") and "dice" not in case.places.zones(cup.xy_mm):
            yield from _at_reveal(case, reveal, "P020", "near the centre of the table", f"{away:.0f} mm from it")
    for cup in _cups_beside(case, reveal.state):
        apart = sorted(distance(cup.xy_mm, die.xy_mm) for die in things(state, "die"))
        tipped = apart[-1 if len(apart) == DICE_THROWN[case.rules.game] else 0] if apart else 0.0
        if tipped > limit("cup", "dice_apart_mm") or (cup.lid == "on" and tipped):
            yield from _at_reveal(case, reveal, "P021", "the cover removed, the dice left in place", "dice tipped out")


def _cups_beside(case: Case, reveal: int) -> tuple[SeenObject, ...]:
    """Return the cup in the first state that shows one while the dice lie as they did when they were first seen."""
    dice = things(case.seen.piece.states[reveal], "die")
    for state in case.seen.piece.states[reveal : case.seen.piece.last + 1]:
        now = things(state, "die")
        if len(now) != len(dice) or not all(any(lies_there(one, die) for one in now) for die in dice):
            return ()
        if cups := things(state, "dice_cup"):
            return cups
    return ()


def _at_reveal(case: Case, reveal: Change, procedure: str, expected: str, observed: str) -> Iterator[Draft]:
    ids = case.dice_id(procedure, "P050")
    unsure = not case.thresholds.hands_sure
    yield from found(
        case, ids, code="cup-opened", span=reveal.span, expected=expected, observed=observed, capped=unsure
    )


def settled_after_reveal(case: Case) -> Iterator[Draft]:
    """Yield an ante or raise settled before the dice were shown, even that of a broken hand: P036, P052.

    What the dealer put beside a wager and took away again settled nothing: a pile that fell over is set up anew so.
    """
    reveal = case.seen.hole_turned
    for wager in case.seen.wagers if not case.seen.piece.missing else ():
        moves = [*wager.kept_pays, *([wager.taken] if wager.taken is not None else [])]
        for change in (move.change for move in moves) if wager.key.bet in ("ante", "raise") else ():
            yield from too_late(
                case,
                reveal,
                change,
                case.dice_id("P036", "P052"),
                code="settled-before-reveal",
                expected="no 21 bet settled before the dice are shown",
                observed="settled before",
                bet=wager.key,
                name=("settled-before-reveal", wager.key),
            )


def settled_under_the_cover(case: Case) -> Iterator[Draft]:
    """Yield bets settled while the cup stood covered and the dice were never shown: P036, P021, P050."""
    if case.seen.piece.missing or case.seen.hole_turned is not None:
        return
    for wager in case.seen.wagers:
        for change in settlements(wager):
            state = case.seen.piece.states[change.state]
            covered = any(cup.lid == "on" for cup in things(state, "dice_cup")) and "dice" not in state.covered
            if covered and not _touched_since(case, change):
                yield from found(
                    case,
                    *(("P050",) if case.rules.game == "dicey_21" else ("P036", "P021")),
                    code="settled-before-reveal",
                    span=change.span,
                    expected="nothing settled before the dice are shown",
                    observed="settled with the cup covered",
                    bet=wager.key,
                    capped=not (change.hands and case.thresholds.hands_sure),
                    name=("settled-before-reveal", wager.key),
                )
                break


def _touched_since(case: Case, change: Change) -> bool:
    """Whether a hand was at the cup in the very gap in which a bet was settled: it may have shown the dice before."""
    return any("dice" in hand.zones for hand in case.seen.piece.states[change.state].hands)


def covered_until_reveal(case: Case) -> Iterator[Draft]:
    """Yield a cup that stands open when the round's first card comes: P038, P059."""
    piece = case.seen.piece
    came = case.seen.first_card.seen.first  # from then on the first card may have lain there unseen
    begun = next((n for n, state in enumerate(piece.states) if state.span.last >= came), piece.first)
    before = [state for state in piece.states[: min(begun, piece.first)] if _shows_the_cup(state)][-1:]
    before += [state for state in piece.states[begun : piece.first] if _shows_the_cup(state)]
    since = [state for state in piece.states[piece.first : piece.last + 1] if _shows_the_cup(state)][:1]
    if not before or not since:
        return
    out_of_sight = since[0].span.first - before[-1].span.last
    is_open = all(cup.lid == "off" for state in (*before, *since) for cup in things(state, "dice_cup"))
    words = ""
    beside = [wager.placed for wager in case.seen.wagers if _placed_beside_the_open_cup(case, wager)]
    unseen = all(may_be_undone(case, placed, "dice") for placed in beside)
    if is_open and out_of_sight <= limit("cup", "unseen_ms"):
        words, unseen = "open when the first card came", False
    elif beside:
        words = "open while the round's bets were placed"
    if words:
        yield from found(
            case,
            case.dice_id("P038", "P059"),
            code="cup-open",
            mass=UNKNOWN if unseen else CERTAIN,
            span=opening(case).span,
            expected="the cup covered from the end of a round to the next reveal",
            observed=words,
            unread=["whether the cup was covered and opened again between two looks"] if unseen else (),
            capped=not case.thresholds.hands_sure,
        )


def _placed_beside_the_open_cup(case: Case, wager: SeenWager) -> bool:
    """Whether a player placed a wager, when all cards were away, while the cup stood open before and after."""
    piece, change = case.seen.piece, wager.placed
    around = piece.states[max(0, change.state - 1) : change.state + 1]
    cards = any(item.kind in CARD_KINDS and not _in_tray(case, item.xy_mm) for item in around[0].objects)
    cups = [things(state, "dice_cup") for state in around if _shows_the_cup(state)]
    is_open = len(cups) == len(around) > 1 and all(cup.lid == "off" for some in cups for cup in some)
    return change.by_player and change.state <= piece.first and is_open and not cards


def _shows_the_cup(state: TableState) -> bool:
    cups = things(state, "dice_cup")
    return state.view == "ok" and bool(cups) and ("dice" not in state.covered or any(cup.lid == "on" for cup in cups))


def cards_face_down_to_the_tray(case: Case) -> Iterator[Draft]:
    """Yield used cards that lie face up in the discard tray: P037, P058."""
    states = case.seen.piece.states
    faces = {item.card for item in things(states[case.seen.piece.first], "card") if _in_tray(case, item.xy_mm)}
    for state in states[case.seen.piece.first + 1 :]:
        new = [i for i in things(state, "card") if _in_tray(case, i.xy_mm) and i.card not in faces]
        if new:
            yield from found(
                case,
                case.dice_id("P037", "P058"),
                code="discard-face-up",
                span=Span.of(state.span.first, state.span.last),
                expected="used cards face down in the discard tray",
                observed=f"{new[0].card or 'a card'} face up",
                name=("discard-face-up",),
            )
            return


def _in_tray(case: Case, point: tuple[float, float]) -> bool:
    """Whether a point is in the discard tray, and not where a seat's cards lie, should the two overlap."""
    return "discard" in case.places.zones(point) and case.places.owner(point) is None


CHECKS: Final = (
    Audited(check=shaken_three_times, games=DICE, ids=("P018", "P019", "P050")),
    Audited(check=shaken_after_decisions, games=DICE, ids=("P019", "P050"), local=True),
    Audited(check=opened_on_the_table, games=DICE, ids=("P020", "P021", "P050")),
    Audited(check=settled_after_reveal, games=DICE, ids=("P036", "P052")),
    Audited(check=settled_under_the_cover, games=DICE, ids=("P021", "P036", "P050")),
    Audited(check=covered_until_reveal, games=DICE, ids=("P038", "P059")),
    Audited(check=cards_face_down_to_the_tray, games=DICE, ids=("P037", "P058")),
)
