"""The sample tables: which game is played there, its limits, where each wager stands, and the zones that follow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from sample_footage.layout import (
    BANK_RADIUS,
    BESIDE,
    CARD_RADIUS,
    DEALER_FIRST_X,
    DISCARD,
    FINDER,
    RACK,
    SEAT_DEG,
    SHOE,
    Place,
    Point,
    at_seat,
    bet_place,
    card_place,
    dealer_place,
    zones,
)

Sector = tuple[float, float, float, float]
"""From and to across a seat's ray, from and to along it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """Where a seat's wager of one kind stands: across and along its ray; ``pay`` leads to the payment beside it."""

    name: str
    u: float
    radius: float
    sector: Sector
    pay: Point = (BESIDE, 0.0)
    ring_mm: float = 28.0
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """One sample table. ``furniture`` names what stands on it beside rack, shoe and discard rack."""

    table_id: str
    game: str
    rules: str
    minimum: str
    maximum: str
    variant: Mapping[str, int | str | bool | Mapping[str, str]]
    spots: tuple[Spot, ...] = ()
    polygons: Mapping[str, list[Point]] = field(default_factory=zones)
    furniture: frozenset[str] = frozenset({"finder"})
    bank_radius: float = BANK_RADIUS
    banks: Mapping[int, tuple[tuple[str, ...], ...]] = field(default_factory=lambda: BANKS)
    sheet: str = "print.png"
    view: str = "players"

    def spot(self, name: str) -> Spot:
        """Return the spot of that name."""
        return next(spot for spot in self.spots if spot.name == name)

    def wager_place(self, seat: int, name: str) -> Place:
        """Return where a wager of that kind stands."""
        spot = self.spot(name)
        return at_seat(seat, u=spot.u, radius=spot.radius)

    def marks(self) -> dict[str, Point]:
        """Return the middles of the rings and boxes printed on the felt."""
        names = [spot.name for spot in self.spots if spot.name != "insurance"] or ["main"]
        rings = {
            f"seat{seat}.{name}": self.wager_place(seat, name) if self.spots else bet_place(seat)
            for seat in SEAT_DEG
            for name in names
        }
        boxes = {f"dealer.card{i}": self.dealer_card(i - 1) for i in (1, 2)} if self.game == "stud_21" else {}
        return {name: (round(place.x, 1), round(place.y, 1)) for name, place in {**rings, **boxes}.items()}

    def pay_place(self, seat: int, name: str) -> Place:
        """Return where a payment is set beside a wager of that kind."""
        spot = self.spot(name)
        return at_seat(seat, u=spot.u + spot.pay[0], radius=spot.radius + spot.pay[1])

    def player_card(self, seat: int, index: int, *, first_u: float, how: str) -> Place:
        """Return where a seat's card lies: upright, ``lateral`` (a first card) or ``sideways`` (a double's)."""
        if self.game not in DICE_GAMES:
            return card_place(seat, index, first_u=first_u, sideways=how == "sideways")
        if index == 0:
            turn = 90.0 if how == "lateral" else 0.0
            return at_seat(seat, u=18.0, radius=CARD_RADIUS + (16.0 if turn else 4.0), turn=turn)
        return at_seat(seat, u=58.0 - 40.0 * index, radius=CARD_RADIUS - 66.0, turn=90.0 if how == "sideways" else 0.0)

    def dealer_card(self, index: int) -> Place:
        """Return where the dealer's card lies."""
        if self.game == "stud_21" and index < len(_STUD_X):
            return Place(_STUD_X[index], _STUD_Y)
        return dealer_place(index)


BANKS: Final[dict[int, tuple[tuple[str, ...], ...]]] = {
    1: (("red",) * 9, ("green",) * 7),
    2: (("black",) * 5, ("green",) * 11, ("red",) * 6),
    3: (("red",) * 12, ("green",) * 4),
}
"""The players' own cheques, before them on the rail's side."""
_LOW_BANKS: Final = {
    1: (("red",) * 5, ("green",) * 4),
    2: (("black",) * 3, ("green",) * 4, ("red",) * 5),
    3: (("red",) * 5, ("green",) * 3),
}
DICE_GAMES: Final = frozenset({"draw_n_shoot_21", "dicey_21"})
CUP: Final = Place(0.0, 98.0)
"""Where the dice cup stands and is opened."""
_STUD_X: Final = (-62.0, 62.0)
_STUD_Y: Final = 102.0
_NEAR: Final = (752.0, 917.0)


def _sector(seat: int, sector: Sector) -> list[Point]:
    u0, u1, low, high = sector
    places = [at_seat(seat, u=u, radius=radius) for u, radius in ((u0, low), (u1, low), (u1, high), (u0, high))]
    return [(round(p.x, 1), round(p.y, 1)) for p in places]


def _box(x0: float, y0: float, x1: float, y1: float) -> list[Point]:
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


def _polygons(spots: tuple[Spot, ...], middle: Mapping[str, list[Point]], *, low: float) -> dict[str, list[Point]]:
    found: dict[str, list[Point]] = {}
    for seat in SEAT_DEG:
        found[f"seat{seat}.cards"] = _sector(seat, (-139.0, 139.0, low, _NEAR[1]))
        for spot in spots:
            found[f"seat{seat}.{spot.name}"] = _sector(seat, spot.sector)
    return {**found, **middle, "rack": _box(*RACK), "shoe": _box(*SHOE), "discard": _box(*DISCARD)}


def _beside(name: str, middle: float, *, label: str = "") -> Spot:
    """A spot of three in one row, with its payments to the dealer's right."""
    sector = (middle - 52.0, middle + 52.0, 925.0, 1062.0)
    return Spot(name=name, u=middle - 21.0, radius=990.0, sector=sector, label=label)


def _behind(name: str, middle: float, *, radius: float, half_mm: float, ring_mm: float, label: str = "") -> Spot:
    """A spot of many in one row, with its payments towards the player."""
    sector = (middle - half_mm, middle + half_mm, radius - 24.0, radius + 68.0)
    return Spot(
        name=name, u=middle, radius=radius, sector=sector, pay=(0.0, BESIDE - 2.0), ring_mm=ring_mm, label=label
    )


BLOCK_ODDS: Final = {"ultimate": "40:1", "pair": "9:1", "flush": "5:1", "normal": "2:1"}
"""This house's odds: the document prints none."""
_DICE_ZONE: Final = {"dice": _box(-112.0, 40.0, 112.0, 182.0)}
_DRAW_SPOTS: Final = (
    _beside("craps", -104.0, label="CRAPS"),
    _beside("ante", 0.0, label="1"),
    _beside("raise", 104.0, label="2"),
)
_DICEY_SPOTS: Final = (
    Spot(name="ante", u=-70.0, radius=966.0, sector=(-106.0, -1.0, 925.0, 1009.0), label="1"),
    Spot(name="raise", u=37.0, radius=966.0, sector=(1.0, 106.0, 925.0, 1009.0), label="2"),
    *(
        _behind(f"chuck{n}", 51.0 * n - 178.5, radius=1036.0, half_mm=25.0, ring_mm=22.0, label=str(n))
        for n in range(1, 7)
    ),
)
_STUD_SPOTS: Final = (
    _behind("mirror", -117.0, radius=966.0, half_mm=38.0, ring_mm=29.0, label="MIRROR"),
    _behind("match1", -39.0, radius=966.0, half_mm=38.0, ring_mm=29.0, label="MATCH 1"),
    _behind("match2", 39.0, radius=966.0, half_mm=38.0, ring_mm=29.0, label="MATCH 2"),
    _behind("base", 117.0, radius=966.0, half_mm=38.0, ring_mm=29.0, label="BASE"),
)
_BACCARAT_SPOTS: Final = (
    _beside("block_bonus", -104.0, label="BLOCK"),
    _beside("enter", 0.0, label="ENTER"),
    _beside("draw", 104.0, label="DRAW"),
)
INSURED: Final = (742.0, 778.0)
"""The insurance line of the tables with side wagers: its two arcs."""
_MAIN: Final = Spot(name="main", u=0.0, radius=982.0, sector=(-112.0, 144.0, 925.0, 1040.0), ring_mm=42.0)
_INSURANCE: Final = Spot(name="insurance", u=78.0, radius=762.0, sector=(30.0, 168.0, 744.0, 783.0))


def _side(name: str, middle: float, *, label: str) -> Spot:
    sector = (middle - 50.0, middle + 50.0, 1044.0, 1106.0)
    return Spot(name=name, u=middle - 21.0, radius=1074.0, sector=sector, ring_mm=25.0, label=label)


_SIDE_SPOTS: Final = (
    _MAIN,
    _INSURANCE,
    _side("blazing7", -102.0, label="7"),
    _side("trilux", 0.0, label="TRILUX"),
    _side("super3", 102.0, label="SUPER 3"),
)
_DOUBLE_DECK_SPOTS: Final = (_MAIN, _INSURANCE, _side("trilux", 0.0, label="TRILUX"))
_DEALER_ZONE: Final = [
    (DEALER_FIRST_X - 58.0, 78.0),
    (262.0, 78.0),
    (262.0, 134.0),
    (205.0, 150.0),
    (DEALER_FIRST_X - 58.0, 150.0),
]
_FINDER_ZONES: Final = {
    "dealer.cards": _DEALER_ZONE,
    "ace_finder": _box(FINDER[0] - 27.0, FINDER[1] - 2.0, FINDER[2] + 27.0, 77.0),
}
_STUD_ZONES: Final = {f"dealer.card{n}": _box(x - 58.0, 54.0, x + 58.0, 156.0) for n, x in enumerate(_STUD_X, start=1)}

TABLES: Final = {
    table.table_id: table
    for table in (
        Table(
            table_id="BJ-07",
            game="blackjack",
            rules="shoe-six-deck",
            minimum="10.00",
            maximum="2000.00",
            variant={"decks": 6},
        ),
        Table(
            table_id="DNS-03",
            game="draw_n_shoot_21",
            rules="draw-n-shoot-21",
            minimum="5.00",
            maximum="500.00",
            variant={"decks": 6, "quickcraps_table": "recommended"},
            spots=_DRAW_SPOTS,
            polygons=_polygons(_DRAW_SPOTS, _DICE_ZONE, low=_NEAR[0]),
            furniture=frozenset({"cup"}),
            sheet="print-draw_n_shoot_21.png",
            view="wide",
        ),
        Table(
            table_id="DIC-02",
            game="dicey_21",
            rules="dicey-21",
            minimum="5.00",
            maximum="500.00",
            variant={"decks": 6},
            spots=_DICEY_SPOTS,
            polygons=_polygons(_DICEY_SPOTS, _DICE_ZONE, low=_NEAR[0]),
            furniture=frozenset({"cup"}),
            bank_radius=1136.0,
            banks=_LOW_BANKS,
            sheet="print-dicey_21.png",
            view="wide",
        ),
        Table(
            table_id="STU-11",
            game="stud_21",
            rules="stud-21",
            minimum="5.00",
            maximum="500.00",
            variant={"decks": 6, "spanish": False, "blackjack_odds": "3:2", "bj_tie": "push"},
            spots=_STUD_SPOTS,
            polygons=_polygons(_STUD_SPOTS, _STUD_ZONES, low=_NEAR[0]),
            furniture=frozenset(),
            sheet="print-stud_21.png",
            view="wide",
        ),
        Table(
            table_id="LDB-05",
            game="lucky_draw_baccarat",
            rules="lucky-draw-baccarat",
            minimum="5.00",
            maximum="500.00",
            variant={"decks": 8, "block_odds": BLOCK_ODDS},
            spots=_BACCARAT_SPOTS,
            polygons=_polygons(_BACCARAT_SPOTS, {"dealer.cards": _DEALER_ZONE}, low=_NEAR[0]),
            furniture=frozenset(),
            sheet="print-lucky_draw_baccarat.png",
            view="wide",
        ),
        Table(
            table_id="DD-04",
            game="double_deck",
            rules="double-deck",
            minimum="10.00",
            maximum="10000.00",
            variant={"decks": 2},
            spots=_DOUBLE_DECK_SPOTS,
            polygons=_polygons(_DOUBLE_DECK_SPOTS, _FINDER_ZONES, low=766.0),
            bank_radius=1138.0,
            banks=_LOW_BANKS,
            sheet="print-double_deck.png",
            view="wide",
        ),
        Table(
            table_id="BJ-12",
            game="blackjack",
            rules="shoe-six-deck",
            minimum="10.00",
            maximum="2000.00",
            variant={"decks": 6},
            spots=_SIDE_SPOTS,
            polygons=_polygons(_SIDE_SPOTS, _FINDER_ZONES, low=766.0),
            bank_radius=1138.0,
            banks=_LOW_BANKS,
            sheet="print-side_bets.png",
            view="wide",
        ),
    )
}
PLAIN: Final = TABLES["BJ-07"]


def table_of(table_id: str) -> Table:
    """Return the table of that id; the plain blackjack table for one that is not here."""
    return TABLES.get(table_id, PLAIN)
