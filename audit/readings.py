"""Everything the video allows: joint readings of cards and cheques, and what a check says over all of them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Final, TypeVar

from audit.cards import DECK, Card
from audit.findings import Verdict
from audit.reconstruction.dice import SeenDie
from audit.reconstruction.observation import SeenCard

R = TypeVar("R", bound=Hashable)
T = TypeVar("T")
Face = Card | int
Reading = tuple[Face | None, ...]
Hand = tuple[Card | None, ...]
CardKey = Callable[[Card], Hashable]
Seen = SeenCard | SeenDie

_FACES: Final = (1, 2, 3, 4, 5, 6)
_LEAST: Final = 1e-5
_MOST_UNREAD: Final = 2
_ANY: Final = 1_000_000
_AS_THEY_ARE: Final = 0.5
_ALMOST_ONE: Final = 1 - 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """From which probability a finding is a violation, a suspect, or undetermined; house settings.

    ``breach``: how often a rule is broken where it may be, known before anything was read; one half takes readings as
    they are. Where cheques are misread more often than they are mispaid, a lower one says how far to trust a reading
    that accuses. ``hands_sure``: whether a hand that was seen over a place was surely on the table; what hands alone
    say (procedures of class B) is a suspicion at most where it may have passed between the table and the camera.
    ``unread_sure``: whether what was seen as a card or a pile, but never read, was surely one.
    """

    violation: float = 0.99
    suspect: float = 0.05
    undetermined: float = 0.25
    breach: float = 0.5
    hands_sure: bool = True
    unread_sure: bool = True

    @property
    def as_they_are(self) -> bool:
        """Whether readings are taken as they are, so that none is weighed by what else was seen."""
        return self.breach >= _AS_THEY_ARE


RECOGNISED: Final = Thresholds(breach=0.02, hands_sure=False, unread_sure=False)
"""For what was recognised in footage: cheques are misread more often than one wager in fifty is mispaid, an arm that
passes before the camera looks like one over the table, and what a hand drags along may be taken for a card. Of what is
told at 0.9 then, nine in ten are true (docs/procedures.md)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mass:
    """How much of the probability over all readings says that a rule was broken, and how much that it was kept.

    What is missing to 1 hangs on something unread.
    """

    broken: float
    kept: float

    @property
    def unknown(self) -> float:
        """The probability that hangs on what was not read."""
        return max(0.0, 1.0 - self.broken - self.kept)

    def weighed(self, breach: float) -> Mass:
        """Return the mass, where readings disagree, weighed by how often a rule is broken; the unread stays unread."""
        breaking, keeping = self.broken * breach, self.kept * (1.0 - breach)
        if breaking <= 0 or keeping <= 0:
            return self
        decided = self.broken + self.kept
        broken = decided * breaking / (breaking + keeping)
        return Mass(broken=broken, kept=decided - broken)

    def likelihood(self, breach: float) -> float:
        """Return how likely what was done is, if a rule is broken so often; what hangs on the unread counts as kept."""
        return self.broken * breach + (self.kept + self.unknown) * (1 - breach)

    def verdict(self, thresholds: Thresholds, *, capped: bool = False) -> Verdict | None:
        """Return the verdict, None for a rule that was kept. ``capped``: something out of sight may excuse it."""
        if self.broken >= thresholds.violation:
            return Verdict.SUSPECT if capped else Verdict.VIOLATION
        if self.broken >= thresholds.suspect:
            return Verdict.SUSPECT
        return Verdict.UNDETERMINED if self.unknown >= thresholds.undetermined else None


CERTAIN: Final = Mass(broken=1.0, kept=0.0)
UNKNOWN: Final = Mass(broken=0.0, kept=0.0)


def by_value(card: Card) -> Hashable:
    """Cards that count the same are the same to the check."""
    return card.value


def by_rank(card: Card) -> Hashable:
    """Cards of one rank are the same to the check."""
    return card.rank


def by_face(card: Card) -> Hashable:
    """Every face counts."""
    return card


def readings(cards: Sequence[Seen], key: CardKey) -> Iterator[tuple[Reading, float]]:
    """Yield the joint readings of cards, one card standing for all that the key calls the same.

    None in a reading is what no candidate covers. Readings under one in a hundred thousand are lumped together as one
    in which nothing was read.
    """
    kept: list[tuple[Reading, float]] = [((), 1.0)]
    dropped = 0.0
    for card in cards:
        options = _options(card, key)
        grown = [((*faces, face), p * chance) for faces, p in kept for face, chance in options]
        kept = [one for one in grown if one[1] >= _LEAST or len(cards) == 1]
        dropped += sum(p for _, p in grown) - sum(p for _, p in kept)
    yield from kept
    if dropped > 1.0 - _ALMOST_ONE:
        yield (None,) * len(cards), dropped


def _options(seen: Seen, key: CardKey) -> list[tuple[Face | None, float]]:
    options: dict[Hashable, tuple[Face | None, float]] = {}
    for code, p in seen.chances.items():
        face: Face = int(code) if isinstance(seen, SeenDie) else DECK[code]
        same = key(face) if isinstance(face, Card) else face
        first, so_far = options.get(same, (face, 0.0))
        options[same] = (first, so_far + p)
    found = list(options.values())
    rest = 1.0 - sum(p for _, p in found)
    if rest > 1.0 - _ALMOST_ONE:
        found.append((None, rest))
    return found


def hand_answers(
    cards: Sequence[SeenCard], decide: Callable[[Hand], R], key: CardKey = by_value
) -> dict[frozenset[R], float]:
    """Return ``answers`` for cards alone."""
    return answers(
        cards, lambda reading: decide(tuple(face if isinstance(face, Card) else None for face in reading)), key
    )


def answers(
    cards: Sequence[Seen], decide: Callable[[Reading], R], key: CardKey = by_value
) -> dict[frozenset[R], float]:
    """Return the answers that the readings of the cards allow, with the probability of each set of answers.

    A reading in which every card is read gives a set of one; a card not read at all may be any card, so its reading
    gives the set of all answers. The empty set stands for readings that count for nothing: too much unread to list,
    or a card that is none of its candidates where that matters.
    """
    found: dict[frozenset[R], float] = {}
    known: dict[Reading, R] = {}

    def remembered(reading: Reading) -> R:
        if reading not in known:
            known[reading] = decide(reading)
        return known[reading]

    for reading, p in readings(cards, key):
        partly = _in_part(cards, reading)
        allowed = frozenset(_expanded(cards, reading, remembered, key, most=1 if partly else _ANY))
        if partly and len(allowed) > 1:
            allowed = frozenset()
        found[allowed] = found.get(allowed, 0.0) + p
    return found


def _in_part(cards: Sequence[Seen], reading: Reading) -> bool:
    """Whether a card that has candidates is none of them here: that counts against every answer."""
    return any(face is None and bool(card.chances) for card, face in zip(cards, reading, strict=True))


def _expanded(
    cards: Sequence[Seen], reading: Reading, decide: Callable[[Reading], R], key: CardKey, *, most: int
) -> set[R]:
    unread = [place for place, card in enumerate(reading) if card is None]
    if not unread:
        return {decide(reading)}
    if len(unread) > _MOST_UNREAD:
        return set()
    allowed = set()
    faces = list(reading)
    ways: list[tuple[Face, ...]] = [_FACES if isinstance(cards[i], SeenDie) else _representatives(key) for i in unread]
    for choice in product(*ways):
        for place, face in zip(unread, choice, strict=True):
            faces[place] = face
        allowed.add(decide(tuple(faces)))
        if len(allowed) > most:
            break
    return allowed


@lru_cache(maxsize=8)
def _representatives(key: CardKey) -> tuple[Card, ...]:
    return tuple({key(card): card for card in DECK.values()}.values())


def mass_of(found: Mapping[frozenset[R], float], broken: Callable[[R], bool]) -> Mass:
    """Return how much of the readings breaks a rule and how much keeps it; mixed and empty sets are neither."""
    broke = kept = 0.0
    for allowed, p in found.items():
        results = {broken(answer) for answer in allowed}
        broke += p if results == {True} else 0.0
        kept += p if results == {False} else 0.0
    return Mass(broken=broke, kept=kept)


def mass_where(chances: Mapping[T, float], broken: Callable[[T], bool]) -> Mass:
    """Return how much of the readings of one thing breaks a rule, and how much keeps it; the rest was not read."""
    breaking = sum(p for reading, p in chances.items() if broken(reading))
    return Mass(broken=breaking, kept=sum(chances.values()) - breaking)


def in_all(ways: Iterable[Mass]) -> Mass:
    """Return what several accounts of one thing, of which nobody knows which is true, say all the same."""
    known = tuple(ways)
    return Mass(broken=min(way.broken for way in known), kept=min(way.kept for way in known))


def unread(cards: Iterable[tuple[str, Seen]]) -> tuple[str, ...]:
    """Return, for every card whose face was not read, that it was not."""
    return tuple(f"{name} not read" for name, card in cards if sum(card.chances.values()) < 1 - _UNREAD_FROM)


_UNREAD_FROM: Final = 0.05
