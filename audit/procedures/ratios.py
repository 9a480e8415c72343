"""Wagers in proportion to their bet, and beside what they may stand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from audit.procedures.drafts import ALL_GAMES, BLACKJACK, Audited, Case, Draft, dollars, found
from audit.procedures.moments import playing
from audit.procedures.proportion import Proportion, as_settled, proportions
from audit.procedures.resting import unsure_cards, unsure_money
from audit.procedures.wager_limits import wager_unread
from audit.readings import UNKNOWN, Mass, in_all
from audit.reconstruction.amounts import best_amount
from audit.reconstruction.observation import SeenWager


def derived_wagers(case: Case) -> Iterator[Draft]:
    """Yield wagers out of proportion to their bet: P315, P322, P304, P012, P047, P099."""
    if case.seen.piece.begun_unseen:
        return
    for one in proportions(case):
        yield from _ratio(case, one)
    opened = {wager.key.seat for wager in case.seen.wagers if wager.key.bet in ("ante", "enter")}
    for wager in case.seen.wagers:
        if wager.key.bet == "raise" and wager.key.seat not in opened:
            yield from _raise_alone(case, wager)


_MAY_BE: Final = {
    "P315": ("double-over-wager", "a double of at most the wager"),
    "P392": ("double-over-wager", "a double of at most the wager"),
    "P322": ("split-wager-differs", "a split wager equal to the original"),
    "P304": ("insurance-over-half", "insurance of at most half the wager"),
    "P012": ("raise-size", "a raise of once or twice the ante"),
    "P047": ("raise-size", "a raise of once or twice the ante"),
    "P099": ("draw-differs", "a Draw bet equal to the Enter bet"),
}


def _raise_alone(case: Case, wager: SeenWager) -> Iterator[Draft]:
    """Yield a raise at a seat that has no ante: P012, P047."""
    hidden = any(f"seat{wager.key.seat}.ante" in state.covered for state in playing(case))
    if case.seen.piece.missing or hidden:
        return
    yield from found(
        case,
        case.dice_id("P012", "P047"),
        code="raise-without-ante",
        span=wager.placed.span,
        expected="a raise only where an ante stands",
        observed=f"{dollars(best_amount(wager.stake))} placed without an ante",
        bet=wager.key,
        capped=not wager.placed.hands,
        name=("changed", wager.key),
    )


def _ratio(case: Case, one: Proportion) -> Iterator[Draft]:
    procedure = one.procedure
    one = as_settled(case, one)
    wager, base = one.wager, one.base
    ways = [one.mass(own, other) for own in wager.stakes for other in base.stakes]
    if _may_be_paid_already(case, wager):
        ways = [UNKNOWN]
    yield from found(
        case,
        procedure,
        code=_MAY_BE[procedure][0],
        mass=in_all(ways),
        span=wager.placed.span,
        expected=f"{_MAY_BE[procedure][1]}, {dollars(best_amount(base.stake))}",
        observed=f"{dollars(best_amount(wager.stake))} placed",
        bet=wager.key,
        follows=(("changed", base.key),),  # a late ante makes the raise that goes by it too high
        unread=wager_unread(base if base.unseen_stake else wager),
        rests_on=unsure_money(wager, base),
    )


def _may_be_paid_already(case: Case, wager: SeenWager) -> bool:
    """Whether what was first seen of a wager may hold its payment: both came before a look showed the one alone."""
    turned = case.seen.hole_turned
    return turned is not None and wager.placed.state >= turned.state and wager.placed.sides == {"dealer", "player"}


_NEEDS: Final = {
    # bet -> what must stand with it, the procedure, and the option that demands it (None: always)
    "trilux": (("main",), "P377", None),
    "super3": (("main", "trilux"), "P377", None),
    "blazing7": (("main",), "P403", None),
    "match1": (("base",), "P066", None),
    "match2": (("base",), "P066", None),
    "mirror": (("base",), "P066", None),
    "block_bonus": (("enter",), "P092", None),
    "draw": (("enter",), "P092", None),
    "craps": (("ante",), "P006", "skill_game"),
    "chuck": (("ante",), "P044", "skill_game"),
}


def side_wagers_need_a_main(case: Case) -> Iterator[Draft]:
    """Yield side wagers without the wager they depend on: P377, P403, P066, P092, P006, P044."""
    bets = {(wager.key.seat, wager.key.bet) for wager in (*case.seen.wagers, *case.seen.without_cards)}
    for wager in (*case.seen.wagers, *case.seen.without_cards):
        seat, bet = wager.key.seat, wager.key.bet
        needs, procedure, option = _NEEDS.get(bet, ((), "", None))
        demanded = option is None or case.rules.option(option) is True
        hidden = case.seen.piece.states[case.seen.piece.first].covered
        lacking = [need for need in needs if (seat, need) not in bets and f"seat{seat}.{need}" not in hidden]
        if demanded and lacking and not case.seen.piece.missing:
            yield from found(
                case,
                procedure,
                code="side-wager-alone",
                span=wager.placed.span,
                expected=f"{' and '.join(needs)} with it",
                observed=f"{dollars(best_amount(wager.stake))} on {bet} alone",
                bet=wager.key,
            )


def insurance_needs_an_ace(case: Case) -> Iterator[Draft]:
    """Yield insurance against another up card than an ace: P302."""
    up = case.seen.dealer[:1]
    if not up:
        return
    chances = up[0].chances
    broken = sum(p for code, p in chances.items() if code[0] != "A")
    kept = sum(p for code, p in chances.items() if code[0] == "A")
    for wager in case.seen.wagers:
        if wager.key.bet == "insurance":
            yield from found(
                case,
                "P302",
                code="insurance-without-ace",
                mass=Mass(broken=broken, kept=kept),
                span=wager.placed.span,
                expected="insurance only when the up card is an ace",
                observed=f"{dollars(best_amount(wager.stake))} against {up[0].likeliest}",
                bet=wager.key,
                name=("no-ace", wager.key),
                unread=["dealer's card 1 not read"],
                rests_on=unsure_cards(up),
            )


CHECKS: Final = (
    Audited(check=derived_wagers, games=ALL_GAMES, ids=("P012", "P047", "P099", "P304", "P315", "P322", "P392")),
    Audited(
        check=side_wagers_need_a_main, games=ALL_GAMES, ids=("P006", "P044", "P066", "P092", "P377", "P403"), local=True
    ),
    Audited(check=insurance_needs_an_ace, games=BLACKJACK, ids=("P302",)),
)
