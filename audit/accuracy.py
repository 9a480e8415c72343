"""How often a dealer's rounds hold an error, with what is not known about it.

**Observed**: violations and suspects that no reviewer dismissed, per 1,000 rounds seen. A finding that follows from
another is the same error and not counted again.

**Corrected**: what the observed number stands for. Only rounds that were wholly audited count, with the findings in
them. Of the findings that nobody has decided on, so many count as were confirmed of those decided on (by verdict, over
the whole house); and the sum is divided by the share of planted errors that the standing evaluation finds. The interval
joins all three uncertainties.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from audit.intervals import Estimate, poisson, product, wilson

PER: Final = 1000
VERDICTS: Final = ("violation", "suspect")


@dataclass(frozen=True, kw_only=True)
class Errors:
    """Counts of findings: ``open`` by verdict those that are neither confirmed nor dismissed. Money in cents.

    ``over_cents`` and ``short_cents`` hold those of suspects that nobody has confirmed, too: ``suspected_over_cents``
    and ``suspected_short_cents`` are that part of them. ``seen_by_people`` are findings that people added and nobody
    dismissed, and in no other count: nobody watches every round, so they say nothing of a rate.
    """

    confirmed: int = 0
    dismissed: int = 0
    open: Mapping[str, int] = field(default_factory=dict)
    over_cents: int = 0
    short_cents: int = 0
    suspected_over_cents: int = 0
    suspected_short_cents: int = 0
    seen_by_people: int = 0

    @property
    def standing(self) -> int:
        """Findings that no reviewer dismissed."""
        return self.confirmed + sum(self.open.values())

    def plus(self, other: Errors) -> Errors:
        """Return the counts of both together."""
        verdicts = {*self.open, *other.open}
        return Errors(
            confirmed=self.confirmed + other.confirmed,
            dismissed=self.dismissed + other.dismissed,
            open={verdict: self.open.get(verdict, 0) + other.open.get(verdict, 0) for verdict in sorted(verdicts)},
            over_cents=self.over_cents + other.over_cents,
            short_cents=self.short_cents + other.short_cents,
            suspected_over_cents=self.suspected_over_cents + other.suspected_over_cents,
            suspected_short_cents=self.suspected_short_cents + other.suspected_short_cents,
            seen_by_people=self.seen_by_people + other.seen_by_people,
        )


@dataclass(frozen=True, kw_only=True)
class Exposure:
    """What was watched: ``rounds`` seen (void ones apart), ``whole`` of them wholly audited, and the pace."""

    rounds: int = 0
    whole: int = 0
    partial: int = 0
    void: int = 0
    paced: int = 0
    paced_ms: int = 0
    shuffles: int = 0
    shuffle_ms: int = 0

    @property
    def coverage(self) -> Estimate | None:
        """Share of the rounds seen that were wholly audited."""
        return wilson(self.whole, self.rounds)

    @property
    def rounds_per_hour(self) -> float | None:
        """Pace while rounds followed each other; None if none did."""
        return None if not self.paced_ms else self.paced * 3_600_000 / self.paced_ms

    @property
    def shuffle_s(self) -> float | None:
        """Mean seconds of a shuffle; None if none was seen."""
        return None if not self.shuffles else self.shuffle_ms / 1000 / self.shuffles

    def plus(self, other: Exposure) -> Exposure:
        """Return both together."""
        return Exposure(**{name: value + getattr(other, name) for name, value in vars(self).items()})


@dataclass(frozen=True, kw_only=True)
class Quality:
    """What is known of the recogniser: share of findings that are confirmed, by verdict, and of errors that it finds.

    None where nothing is known yet.
    """

    confirmed: Mapping[str, Estimate | None]
    found: Estimate | None


@dataclass(frozen=True, kw_only=True)
class Corrected:
    """The corrected rate, or in one sentence why there is none."""

    rate: Estimate | None
    reason: str = ""


def observed_rate(errors: Errors, exposure: Exposure) -> Estimate | None:
    """Return standing findings per 1,000 rounds with the exact Poisson interval; None without rounds."""
    return None if exposure.rounds <= 0 else poisson(errors.standing).times(PER / exposure.rounds)


def corrected_rate(in_whole: Errors, exposure: Exposure, quality: Quality) -> Corrected:
    """Return errors per 1,000 wholly audited rounds, corrected for what the recogniser gets wrong and misses."""
    if exposure.whole <= 0:
        return Corrected(rate=None, reason="no round was wholly audited")
    if quality.found is None:
        return Corrected(rate=None, reason="no standing evaluation says what share of errors is found")
    if quality.found.value <= 0:
        return Corrected(rate=None, reason="the standing evaluation found none of its planted errors")
    unknown = [verdict for verdict, count in in_whole.open.items() if count and quality.confirmed.get(verdict) is None]
    if unknown:
        return Corrected(rate=None, reason=f"no {' or '.join(unknown)} has been confirmed or dismissed yet")
    counted = poisson(in_whole.standing).times(PER / exposure.whole)
    return Corrected(rate=product([counted, _real_share(in_whole, quality)], divided_by=[quality.found]))


def quality(decided: Mapping[str, tuple[int, int]], recall: tuple[int, int] | None) -> Quality:
    """Return what is known, from (confirmed, dismissed) by verdict over the house and (found, planted) errors."""
    shares = {
        verdict: wilson(decided.get(verdict, (0, 0))[0], sum(decided.get(verdict, (0, 0)))) for verdict in VERDICTS
    }
    return Quality(confirmed=shares, found=None if recall is None else wilson(*recall))


def _real_share(errors: Errors, known: Quality) -> Estimate:
    """Return which share of the standing findings is real: those confirmed, and the house's share of the rest."""
    if not errors.standing:
        return Estimate(value=1.0, low=0.0, high=1.0)

    def share(name: str) -> float:
        rest = sum(count * getattr(known.confirmed[verdict], name) for verdict, count in errors.open.items() if count)
        return float((errors.confirmed + rest) / errors.standing)

    return Estimate(value=share("value"), low=share("low"), high=share("high"))
