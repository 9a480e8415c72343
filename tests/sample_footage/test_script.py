"""Sessions as they are written."""

import pytest

from sample_footage.script import SessionScript, parse_session
from sample_footage.stacks import ScriptError, parse_stack, write_stack

HEAD = '[session]\nid = "t"\ntable = "BJ-07"\nseed = 1\n[[round]]\ntitle = "one"\ndealer = "Td 7c"\n[round.seat2]\n'


def test_a_stack_is_read_bottom_to_top() -> None:
    assert parse_stack("1 black 2 red") == ("black", "red", "red")


def test_a_stack_is_written_as_it_is_read() -> None:
    assert write_stack(("green", "red", "red", "green")) == "1 green 2 red 1 green"


@pytest.mark.parametrize("text", ["", "red", "2 mauve", "two red", "2 red,1 green"])
def test_a_wrong_stack_is_refused(text: str) -> None:
    with pytest.raises(ScriptError, match="expected"):
        parse_stack(text)


def test_decisions_bring_their_cards() -> None:
    script = parse_session(HEAD + 'bet = "2 red"\ncards = "5h 6s"\nplay = "hit 2c, stand"\nend = "take"\n')
    hand = script.rounds[0].seats[2].hands[0]
    assert hand.final_cards == ("5h", "6s", "2c")
    assert [move.kind for move in hand.moves] == ["hit", "stand"]


def test_the_left_hand_of_a_split_holds_the_second_card() -> None:
    script = parse_session(
        HEAD
        + 'bet = "2 red"\ncards = "8h 8s"\nsplit = "2 red"\n'
        + '[[round.seat2.hands]]\ndraw = "Tc"\nend = "take"\n'
        + '[[round.seat2.hands]]\ndraw = "2d"\nend = "take"\n'
    )
    assert [hand.final_cards for hand in script.rounds[0].seats[2].hands] == [("8s", "Tc"), ("8h", "2d")]


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ('bet = "2 red"\ncards = "5h"\nend = "take"', "cards"),
        ('bet = "2 red"\ncards = "5h 1s"\nend = "take"', "cards"),
        ('bet = "2 red"\ncards = "5h 6s"\nend = "pay"', "end"),
        ('bet = "2 red"\ncards = "5h 6s"\nend = "steal"', "end"),
        ('bet = "2 red"\ncards = "5h 6s"\nplay = "hit"\nend = "take"', "play"),
        ('bet = "2 red"\ncards = "8h 8s"\nsplit = "2 red"\nend = "take"', "hands"),
    ],
)
def test_a_broken_seat_is_refused_by_its_field(body: str, named: str) -> None:
    with pytest.raises(ScriptError, match=rf"round 1, seat2.*{named}"):
        parse_session(HEAD + body)


def test_the_sample_session_plants_the_five_errors_once_each(session: SessionScript) -> None:
    found = [(f["code"], f["procedures"][0], f.get("amount")) for r in session.rounds for f in r.findings]
    assert found == [
        ("pay-amount", "P280", "25.00"),
        ("push-paid", "P281", "25.00"),
        ("loser-left", "P281", "55.00"),
        ("pay-amount", "P280", "-25.00"),
        ("dealer-drew", "P254", None),
    ]
