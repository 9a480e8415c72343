"""Rounds written as sentences: a table on which cards are dealt and cheques move, giving contract table states.

felt = Felt(profile).bets({1: "25", 3: "red red"}).deal({1: "As Kd", 3: "9c 7d"}, dealer="Th 6c")
felt.hit(3, "5c").turn().take(3).pay(1, "25").collect(1).pick_up()
findings = audit_states(felt.states, profile)
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from audit.money import Money, parse_money
from audit.states import HandSeen, SeenObject, StackCandidate, TableState
from audit.table import TableProfile, Zone, load_profile, parse_profile
from audit.timing import Span

ROOT = Path(__file__).parent.parent
STEP_MS = 400
_FINDER_MM = (-75, 0, 75, 77)


def sample_profile(*, finder: bool = False) -> TableProfile:
    """The sample table; without its ace finder, as the dealer of these scenes does not look at his hole card."""
    profile = load_profile(ROOT / "sample_footage" / "profiles" / "BJ-07.toml")
    zones = tuple(zone for zone in profile.zones if finder or zone.name != "ace_finder")
    return replace(profile, zones=zones)


def wide_profile(
    game: str, bets: tuple[str, ...], *, seats: int = 3, extra: str = "", rules: str | None = None, finder: bool = False
) -> TableProfile:
    """A table whose seats all face the same way, with one row of bet zones each, and the zones of its game.

    ``finder``: whether it has an ace finder, into which the dealer has to look; a scene in which he does gets it then.
    """

    def zone(name: str, x0: float, y0: float, x1: float, y1: float) -> str:
        corners = [[x0, y0], [x1, y0], [x1, y1], [x0, y1]]
        return f'[[zone]]\nname = "{name}"\npolygon_mm = {corners}\n'

    parts = [f'[table]\nid = "T-1"\ngame = "{game}"\nminimum = "5.00"\nmaximum = "2000.00"\n']
    parts[0] += "" if rules is None else f'rules = "{rules}"\n'
    parts.append(extra)
    parts += [zone("rack", -205, -160, 205, -2), zone("shoe", -520, -70, -405, 130), zone("discard", 415, 10, 495, 116)]
    if game in ("blackjack", "double_deck", "lucky_draw_baccarat"):
        parts.append(zone("dealer.cards", -330, 78, 330, 164))
        parts += [zone("ace_finder", *_FINDER_MM)] if finder else []
        parts.append(zone("insurance", -1500, 166, 1500, 186))
    if game == "stud_21":
        parts += [zone("dealer.card1", -120, 40, -20, 150), zone("dealer.card2", 20, 40, 120, 150)]
    if game in ("draw_n_shoot_21", "dicey_21"):
        parts.append(zone("dice", -150, 20, 150, 160))
    for seat in range(1, seats + 1):
        x = (seat - (seats + 1) / 2) * 40.0 * max(10, 2 + 2.5 * len(bets))
        parts.append(zone(f"seat{seat}.cards", x - 190, 190, x + 190, 390))
        for place, bet in enumerate(bets):
            left = x + (place - (len(bets) - 1) / 2) * 100.0 - 40.0
            width = 80.0 if len(bets) > 1 else 200.0
            parts.append(zone(f"seat{seat}.{bet}", left - (width - 80) / 2, 400, left + 80 + (width - 80) / 2, 500))
    return parse_profile("\n".join(parts))


def stack(text: str, profile: TableProfile) -> tuple[str, ...]:
    """``"25"`` -> the fewest cheques for it, largest at the bottom; ``"red red green"`` -> as written."""
    if not text[0].isdigit():
        return tuple(text.split())
    left: Money = parse_money(text)
    pile: list[str] = []
    for colour, value in sorted(profile.chips.items(), key=lambda pair: -pair[1]):
        while left >= value:
            pile.append(colour)
            left -= value
    assert left == 0, f"{text} cannot be paid"
    return tuple(pile)


class Felt:
    """A table in the making; every action ends in one more state."""

    def __init__(self, profile: TableProfile | None = None, *, start_ms: int = 1000) -> None:
        self.profile = profile or sample_profile()
        self.now = start_ms
        self.things: dict[str, SeenObject] = {}
        self.states: list[TableState] = []
        self.counts: dict[str, int] = {}
        self.hands: list[HandSeen] = []
        self.snap()

    # -- time and looking ------------------------------------------------------------------------------------------
    def snap(self, *, covered: Iterable[str] = ()) -> Felt:
        """A settled state."""
        first = self.now
        self.now += 200
        self.states.append(
            TableState(
                span=Span.of(first, self.now),
                objects=tuple(self.things.values()),
                covered=frozenset(covered),
                hands=tuple(self.hands),
            )
        )
        self.hands = []
        self.now += 100
        return self

    def hand(self, side: str, *zones: str, seat: int | None = None) -> Felt:
        """A hand comes, stays and goes."""
        if "ace_finder" in zones:
            self._with_a_finder()
        self.hands.append(HandSeen(side=side, zones=zones, span=Span.of(self.now, self.now + STEP_MS), seat=seat))
        self.now += STEP_MS + 50
        return self

    def lost(self, reason: str = "blocked", ms: int = 3000) -> Felt:
        """The view is lost for a while."""
        self.states.append(TableState(span=Span.of(self.now, self.now + ms), view="lost", reason=reason))
        self.now += ms + 100
        return self

    # -- places ----------------------------------------------------------------------------------------------------
    def at(self, zone: str, right: float = 0.0, away: float = 0.0) -> tuple[float, float]:
        """A point from the centre of a zone, to the dealer's right and away from the dealer, along the seat's axis."""
        if zone == "ace_finder":
            self._with_a_finder()
        found = self.profile.zone(zone)
        assert found is not None, zone
        turn = math.radians(self.profile.seat_axis_deg(found.seat)) if found.seat else 0.0
        x, y = found.centre_mm
        c, s = math.cos(turn), math.sin(turn)
        return (round(x + right * c - away * s, 1), round(y + right * s + away * c, 1))

    def _with_a_finder(self) -> None:
        if self.profile.zone("ace_finder") is None:
            x0, y0, x1, y1 = _FINDER_MM
            corners = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
            finder = Zone(name="ace_finder", polygon_mm=tuple((float(x), float(y)) for x, y in corners))
            self.profile = replace(self.profile, zones=(*self.profile.zones, finder))

    def axis(self, seat: int) -> float:
        return self.profile.seat_axis_deg(seat)

    # -- single things ---------------------------------------------------------------------------------------------
    def put_card(self, name: str, code: str, xy: tuple[float, float], angle: float) -> None:
        back = code == "back"
        card = None if back or code == "??" else code
        self.things[name] = SeenObject(
            kind="card_back" if back else "card", xy_mm=xy, angle_deg=(angle + 90.0) % 180.0 - 90.0, card=card
        )

    def put_chips(self, name: str, text: str, xy: tuple[float, float]) -> None:
        self.things[name] = SeenObject(kind="chips", xy_mm=xy, stack=stack(text, self.profile))

    def remove(self, name: str) -> None:
        del self.things[name]

    def names(self, prefix: str) -> list[str]:
        return [name for name in self.things if name.startswith(prefix)]

    # -- blackjack -------------------------------------------------------------------------------------------------
    def bets(self, bets: Mapping[int, str], bet: str = "main") -> Felt:
        """The players place their wagers."""
        for seat, text in bets.items():
            self.hand("player", f"seat{seat}.{bet}", seat=seat)
            self.put_chips(f"s{seat}.{bet}.1", text, self.at(f"seat{seat}.{bet}"))
        return self.snap()

    def card(self, seat: int, code: str, *, hand: int = 1, sideways: bool = False, snap: bool = True) -> Felt:
        """The dealer lays one more card on a hand."""
        prefix = f"s{seat}.h{hand}."
        count = len(self.names(prefix))
        split = any(name.startswith(f"s{seat}.h2.") for name in self.things)
        row, column = divmod(count, 5)
        right, away = 66.0 - 33.0 * column - 12.0 * row, 34.0 - 9.0 * column - 60.0 * row
        if split:
            right, away = (hand - 1.5) * 130.0 - 18.0 * count, 18.0 - 20.0 * count
        self.hand("dealer", "shoe", f"seat{seat}.cards")
        self.put_card(
            f"{prefix}{count}", code, self.at(f"seat{seat}.cards", right, away), self.axis(seat) + 90.0 * sideways
        )
        return self.snap() if snap else self

    def dealer_card(self, name: str, code: str, right: float, *, snap: bool = True) -> Felt:
        self.hand("dealer", "dealer.cards", "shoe")
        self.put_card(f"d.{name}", code, self.at("dealer.cards", right), 0.0)
        return self.snap() if snap else self

    def deal(self, seats: Mapping[int, str], dealer: str, order: Iterable[int] | None = None) -> Felt:
        """The initial deal in the manual's order; the hole card's face is kept for ``turn``."""
        up, self.hole = dealer.split()[:2]
        order = list(order or sorted(seats))
        for seat in order:
            self.card(seat, seats[seat].split()[0])
        self.dealer_card("up", "back", -250.0)
        for seat in order:
            self.card(seat, seats[seat].split()[1])
        self.hand("dealer", "dealer.cards", "shoe")
        self.put_card("d.up", up, self.at("dealer.cards", -250.0), 0.0)
        self.put_card("d.hole", "back", self.at("dealer.cards", -244.0, -6.0), 0.0)
        return self.snap()

    def hit(self, seat: int, codes: str, hand: int = 1) -> Felt:
        for code in codes.split():
            self.hand("player", f"seat{seat}.cards", seat=seat)
            self.card(seat, code, hand=hand)
        return self

    def double(self, seat: int, amount: str, code: str, hand: int = 1) -> Felt:
        """The player sets a double to the right of his bet and gets one card sideways."""
        self.hand("player", f"seat{seat}.main", seat=seat)
        right = self._bet_right(seat, hand)
        self.put_chips(f"s{seat}.double.{hand}", amount, self.at(f"seat{seat}.main", right + 42.0))
        self.snap()
        return self.card(seat, code, hand=hand, sideways=True)

    def _bet_right(self, seat: int, hand: int) -> float:
        split = any(name.startswith(f"s{seat}.main.2") for name in self.things)
        return -50.0 + (hand - 1) * 88.0 if split else 0.0

    def split(self, seat: int, amount: str) -> Felt:
        """The player adds a wager; the dealer parts the two cards, the first to the left."""
        self.hand("player", f"seat{seat}.main", seat=seat)
        first, second = self.things.pop(f"s{seat}.h1.0"), self.things.pop(f"s{seat}.h1.1")
        for hand, item in ((1, first), (2, second)):
            spot = self.at(f"seat{seat}.cards", (hand - 1.5) * 130.0, 18.0)
            self.things[f"s{seat}.h{hand}.0"] = replace(item, xy_mm=spot)
        self.put_chips(f"s{seat}.main.2", amount, self.at(f"seat{seat}.main", 38.0))
        self.snap()
        self.hand("dealer", f"seat{seat}.main", f"seat{seat}.cards")
        bet = self.things[f"s{seat}.main.1"]
        self.things[f"s{seat}.main.1"] = replace(bet, xy_mm=self.at(f"seat{seat}.main", -50.0))
        return self.snap()

    def turn(self) -> Felt:
        """The dealer turns his hole card and lays it beside the up card."""
        self._turn_dealers(0.0)
        self.put_card("d.hole", self.hole, self.at("dealer.cards", -180.0), 0.0)
        return self.snap()

    def dealer_hits(self, codes: str) -> Felt:
        for code in codes.split():
            count = len(self.names("d.hit"))
            self.dealer_card(f"hit{count}", code, -110.0 + 64.0 * count)
        return self

    def take(self, seat: int, *names: str) -> Felt:
        """The dealer takes the wagers of a seat to the rack."""
        for name in names or [n for n in self.names(f"s{seat}.") if ".h" not in n and ".pay" not in n]:
            self.remove(name if name in self.things else f"s{seat}.{name}")
        self.hand("dealer", f"seat{seat}.main", "rack")
        return self.snap()

    def pay(self, seat: int, amount: str, beside: str = "main.1") -> Felt:
        """The dealer sets a payment beside a wager, away from him."""
        self.hand("dealer", "rack", f"seat{seat}.main")
        x, y = self.things[f"s{seat}.{beside}"].xy_mm
        turn = math.radians(self.axis(seat))
        xy = (round(x + 42.0 * math.sin(turn), 1), round(y - 42.0 * math.cos(turn), 1))
        self.put_chips(f"s{seat}.pay.{len(self.names(f's{seat}.pay'))}", amount, xy)
        return self.snap()

    def insure(self, seat: int, amount: str, *, opened: bool = True) -> Felt:
        """The dealer turns his ace and hole card, the player sets insurance on the line, to the right of his hand."""
        if opened and self.things["d.up"].card in ("Ac", "Ad", "Ah", "As"):
            self._turn_dealers(90.0)
        self.hand("player", "insurance", seat=seat)
        x = self.at(f"seat{seat}.cards")[0]
        line = self.at("insurance")[1]
        self.put_chips(f"s{seat}.insurance.1", amount, (x + 20.0, line))
        return self.snap()

    def _turn_dealers(self, angle: float) -> None:
        self.hand("dealer", "dealer.cards")
        for name in ("d.up", "d.hole"):
            self.things[name] = replace(self.things[name], angle_deg=angle)

    def take_spot(self, seat: int, bet: str) -> Felt:
        """The dealer takes the wager on one spot."""
        self.remove(f"s{seat}.{bet}.1")
        zone = "insurance" if bet == "insurance" else f"seat{seat}.{bet}"
        return self.hand("dealer", zone, "rack").snap()

    def pay_spot(self, seat: int, bet: str, amount: str) -> Felt:
        """The dealer sets a payment beside the wager on one spot."""
        zone = "insurance" if bet == "insurance" else f"seat{seat}.{bet}"
        self.hand("dealer", zone, "rack")
        known = self.things.get(f"s{seat}.{bet}.1")
        x, y = known.xy_mm if known is not None else self.at(zone)
        self.put_chips(f"s{seat}.{bet}.pay", amount, (x, y - 42.0) if known is not None else (x, y))
        return self.snap()

    def collect_spot(self, seat: int, bet: str) -> Felt:
        """The player takes what stands on one spot."""
        zone = "insurance" if bet == "insurance" else f"seat{seat}.{bet}"
        self.hand("player", zone, seat=seat)
        for name in self.names(f"s{seat}.{bet}."):
            self.remove(name)
        return self.snap()

    def roll(self, *faces: int, colours: tuple[str, ...] = ("white", "white", "red")) -> Felt:
        """The cup is opened over the dice."""
        self.hand("dealer", "dice")
        for place, (face, colour) in enumerate(zip(faces, colours, strict=False)):
            xy = self.at("dice", -40.0 + 40.0 * place)
            self.things[f"die.{place}"] = SeenObject(kind="die", xy_mm=xy, value=face, colour=colour)
        return self.snap()

    def cover_dice(self) -> Felt:
        """The cup is put over the dice again."""
        self.hand("dealer", "dice")
        for name in self.names("die."):
            self.remove(name)
        return self.snap()

    def dealer_zone_card(self, zone: str, code: str) -> Felt:
        """A dealer's card is laid in, or turned over in, its own zone."""
        self.hand("dealer", zone, "shoe")
        self.put_card(f"d.{zone}", code, self.at(zone), 0.0)
        return self.snap()

    def pat(self, seat: int) -> Felt:
        """The dealer pats the table before a push."""
        return self.hand("dealer", f"seat{seat}.main").snap()

    def collect(self, seat: int) -> Felt:
        """The player takes back his wagers and what was paid."""
        self.hand("player", f"seat{seat}.main", seat=seat)
        for name in [n for n in self.names(f"s{seat}.") if ".h" not in n]:
            self.remove(name)
        return self.snap()

    def pick_up_seat(self, seat: int) -> Felt:
        self.hand("dealer", f"seat{seat}.cards", "discard")
        for name in self.names(f"s{seat}.h"):
            self.remove(name)
        return self.snap()

    def pick_up(self) -> Felt:
        """All cards are picked up from right to left, the dealer's last."""
        seats = sorted({int(name[1]) for name in self.names("s") if ".h" in name}, reverse=True)
        for seat in seats:
            self.pick_up_seat(seat)
        self.hand("dealer", "dealer.cards", "discard")
        for name in self.names("d."):
            self.remove(name)
        return self.snap()


# -- what a camera does to states --------------------------------------------------------------------------------------
def jittered(states: Iterable[TableState], seed: int, mm: float = 4.0, deg: float = 2.0) -> list[TableState]:
    """Every position moves a little in every state."""
    chance = random.Random(seed)  # noqa: S311 - seeded, for tests

    def shaken(item: SeenObject) -> SeenObject:
        x, y = item.xy_mm
        radius, angle = chance.uniform(0, mm), chance.uniform(0, math.tau)
        turned = None if item.angle_deg is None else item.angle_deg + chance.uniform(-deg, deg)
        return replace(item, xy_mm=(x + radius * math.cos(angle), y + radius * math.sin(angle)), angle_deg=turned)

    return [replace(state, objects=tuple(shaken(item) for item in state.objects)) for state in states]


def merged(states: Iterable[TableState], dropped: Iterable[int]) -> list[TableState]:
    """Some states were never settled enough to be seen; their hands belong to the next one."""
    gone = set(dropped)
    kept: list[TableState] = []
    waiting: tuple[HandSeen, ...] = ()
    for index, state in enumerate(states):
        if index in gone:
            waiting += state.hands
            continue
        kept.append(replace(state, hands=waiting + state.hands))
        waiting = ()
    return kept


def covering(states: Iterable[TableState], index: int, profile: TableProfile, *zones: str) -> list[TableState]:
    """In one state some zones cannot be seen, and nothing in them is listed."""
    out = list(states)
    hidden = [profile.zone(name) for name in zones]
    left = tuple(item for item in out[index].objects if not any(zone.holds(item.xy_mm) for zone in hidden if zone))
    out[index] = replace(out[index], objects=left, covered=out[index].covered | set(zones))
    return out


def unread(states: Iterable[TableState], code: str) -> list[TableState]:
    """The card of that face is never read."""
    return [
        replace(
            state,
            objects=tuple(
                replace(item, card=None, candidates={}) if item.card == code else item for item in state.objects
            ),
        )
        for state in states
    ]


def unread_die(states: Iterable[TableState], face: int) -> list[TableState]:
    """The die of that face is never read."""
    return [
        replace(
            state,
            objects=tuple(
                replace(item, value=None) if item.kind == "die" and item.value == face else item
                for item in state.objects
            ),
        )
        for state in states
    ]


def doubtful(states: Iterable[TableState], code: str, candidates: Mapping[str, float]) -> list[TableState]:
    """The card of that face is read with these candidates."""
    best = max(candidates, key=lambda name: candidates[name])
    return [
        replace(
            state,
            objects=tuple(
                replace(item, card=best, candidates=dict(candidates)) if item.card == code else item
                for item in state.objects
            ),
        )
        for state in states
    ]


def doubtful_stack(
    states: Iterable[TableState], colours: tuple[str, ...], candidates: Mapping[tuple[str, ...], float]
) -> list[TableState]:
    """Every pile of these colours is read with these candidates."""
    ways = tuple(StackCandidate(stack=pile, p=p) for pile, p in candidates.items())
    return [
        replace(
            state,
            objects=tuple(replace(item, stacks=ways) if item.stack == colours else item for item in state.objects),
        )
        for state in states
    ]


def handless(states: Iterable[TableState]) -> list[TableState]:
    """No hand was ever seen."""
    return [replace(state, hands=()) for state in states]
