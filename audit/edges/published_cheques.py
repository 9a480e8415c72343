"""The published figures of cheques and bills (004:L73-101, L470-516, L749-753)."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from audit.cheques import BILLS, break_down, buy_in, colour_for_colour, printed_rows, stack_value, value
from audit.money import Money, Odds
from audit.table import CHIP_VALUES

_PRINTED: Final = {
    # 004:L75-80 and L86-92, as printed
    "white": {6: "3 - 3", 7: "3 - 3 - 1", 8: "4 - 4", 9: "4 - 4 - 1", 10: "5 - 5"},
    "green": {5: "4 - 1", 6: "3 - 3", 7: "3 - 3 - 1", 8: "4 - 4", 9: "4 - 4 - 1", 10: "4 - 4 - 2"},
}
_IDS: Final = {
    "blue": "0.25",
    "white": "1",
    "pink": "2.50",
    "red": "5",
    "green": "25",
    "black": "100",
    "purple": "500",
    "orange": "1000",
    "grey": "5000",
    "teal": "20000",
}


def figures() -> dict[str, Fraction | None]:
    """Return the exact figures."""
    change = ("purple",) * 6 + ("black",) * 20
    fixed = buy_in(Money(5000), Money(100))
    return {
        **{f"CHQ-STACK-{name}": stack_value(colour) for colour, name in _IDS.items()},
        **{f"BILLS-{bill}": Fraction(printed_rows(bill)) for bill in BILLS},
        "CHQ-BREAK-5": Fraction(_breaks_as_printed("white")),
        "CHQ-BREAK-4": Fraction(_breaks_as_printed("green")),
        "CHQ-175": Fraction(len(colour_for_colour(("green",) * 7, Odds(1, 1)) or ())),
        "CHQ-500PROOF": CHIP_VALUES["purple"] * break_down(4, "purple")[0][0],
        "BUYIN-5000": value(change) if fixed is not None and fixed.allows(change) else None,
    }


def _breaks_as_printed(colour: str) -> bool:
    unit = break_down(20, colour)[0][0]
    single = all(break_down(count, colour) == ((count,),) for count in range(1, unit + 1))
    rows = {count: " - ".join(map(str, break_down(count, colour)[0])) for count in _PRINTED[colour]}
    return single and rows == _PRINTED[colour]
