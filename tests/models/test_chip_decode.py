"""Stacks spelled by the evidence along a strip: every expected probability worked out by hand."""

import numpy as np
import pytest

from models import chip_decode
from models.chip_decode import Temper, likely_colours, likely_stacks, softmax
from models.chip_geometry import COLOURS, STEPS
from models.chip_places import FIRST_COLOUR, FOOT, LINE, RIM, ways_of_many, ways_to_lie

ONE_MORE = np.exp(-0.3)  # what each chip more costs before anything is seen

# How likely a chip is so many steps higher or lower than the four of a tidy one, to four places: 95 in a hundred are
# tidy (spread 0.6), the others loose (spread 1.3), each share made to sum to one over heights of one to nine steps.
AS_HIGH, ONE_OFF, TWO_OFF, THREE_OFF = 0.6460, 0.1687, 0.0072, 0.0011
ONE_OF_EIGHT, TWO_OF_FOUR = 0.0001353, 0.0004141
FOUR_OFF = 0.0517  # that a stack is four steps higher or lower than its chips, to one that is as high as they
TWO_OF_EIGHT = AS_HIGH**2 + 2 * (ONE_OFF**2 + TWO_OFF**2 + THREE_OFF**2)  # that two chips are eight steps high


def evidence(*, feet, rims):
    """Nothing speaks for any foot or rim but those given (step -> score)."""
    table = np.zeros((STEPS, FIRST_COLOUR + 11))
    table[:, [FOOT, RIM]] = -1000
    for step, score in feet.items():
        table[step, FOOT] = score
    for step, score in rims.items():
        table[step, RIM] = score
    return table


def lined(table, *steps):
    """Lines between chips at these steps, and surely nowhere else."""
    table[:, LINE] = -9.0
    table[list(steps), LINE] = 9.0
    return table


def numbers(table, *, calibrated=True, temper=1.0):
    return ways_to_lie(table, calibrated=calibrated, temper=temper).numbers


def test_each_chip_may_be_as_high_as_it_seems_and_all_ways_are_summed_up():
    # The foot at step 10 is the expected one. Rims at 14 and 18: one chip of four steps, or two of eight together.
    counts = numbers(evidence(feet={10: 0.0}, rims={14: 0.0, 18: np.log(3)}))
    # One of eight steps, or two of four together, is hardly likely; no stack at all has weight 1.
    one = AS_HIGH + 3 * ONE_OF_EIGHT * FOUR_OFF
    two = ONE_MORE * (3 * TWO_OF_EIGHT + TWO_OF_FOUR * FOUR_OFF)
    assert counts[2] / counts[1] == pytest.approx(two / one, rel=3e-3)
    assert counts[1] == pytest.approx(one / (one + two + 1), rel=5e-2)


def test_chips_laid_aside_are_read_where_they_lie():
    table = lined(evidence(feet={10: 9.0}, rims={22: 9.0}), 12, 18)  # the second of three lies towards the camera
    (lie, *_) = ways_to_lie(table, calibrated=True).lies[3]
    assert list(lie.middles) == [11, 14, 20]  # of the second one's six steps two are the face that shows
    assert numbers(table).argmax() == 3


def test_a_stack_is_about_as_high_as_its_chips_where_no_line_parts_them():
    # Four chips' height with lines seen at two places only: three chips of 5, 6 and 5 steps, or four with a line unseen
    table = lined(evidence(feet={10: 9.0}, rims={26: 9.0}), 15, 21)
    table[18, LINE] = -2.0
    told = numbers(table)
    assert told[4] > told[3]
    table[18, LINE] = -9.0  # where it is sure that there is none, they are three
    told = numbers(table)
    assert told[3] > told[4]


def test_where_nothing_speaks_for_a_stack_there_is_none():
    assert likely_stacks(evidence(feet={}, rims={}).astype(np.float32), calibrated=True) == []


def test_lines_where_none_can_be_speak_against_a_count():
    table = evidence(feet={10: 5.0}, rims={14: 5.0, 18: 5.0})
    plain = numbers(table)
    table[11:18, LINE] = -4.0  # between the first and the second chip
    told = numbers(table)
    assert (told[1] / told[2]) / (plain[1] / plain[2]) == pytest.approx(np.exp(4))


def test_colours_are_read_at_the_middles_of_the_chips_bottom_to_top():
    table = lined(evidence(feet={10: 9.0}, rims={22: 9.0}), 14, 18)  # three chips: middles at steps 12, 16 and 20
    for step, colour in ((12, 4), (16, 4), (20, 6)):
        table[step - 1 : step + 2, FIRST_COLOUR + colour - 1] = 12.0
    (stack, p), *_ = likely_stacks(table.astype(np.float32), calibrated=True)
    assert stack == (4, 4, 6)
    assert p > 0.99


def test_chip_of_two_possible_colours_gives_two_candidates():
    table = lined(evidence(feet={10: 9.0}, rims={14: 9.0}))
    table[11:14, FIRST_COLOUR : FIRST_COLOUR + 11] = -50.0
    table[11:14, FIRST_COLOUR + 0] = np.log(3)
    table[11:14, FIRST_COLOUR + 9] = 0.0
    candidates = dict(likely_stacks(table.astype(np.float32), calibrated=True))
    assert candidates[1,] == pytest.approx(0.75, abs=1e-3)
    assert candidates[10,] == pytest.approx(0.25, abs=1e-3)


def test_chip_of_doubtful_colour_is_likely_of_the_colour_below():
    # of eleven colours: the same again 0.3, each other 0.07; 0.4 * 0.3 = 0.12 against 0.6 * 0.07 = 0.042
    chips = np.full((2, 11), -30.0)
    chips[0, 3] = 0.0
    chips[1, [3, 5]] = np.log([0.4, 0.6])
    ways, _ = likely_colours(chips)
    answers = dict(ways)
    assert np.exp(answers[4, 4] - answers[4, 6]) == pytest.approx(0.12 / 0.042)


def test_barber_pole_is_read_where_every_chip_is_clear():
    chips = np.full((6, 11), -12.0)
    chips[[0, 2, 4], 3] = chips[[1, 3, 5], 5] = 0.0
    ways, others = likely_colours(chips)
    assert ways[0][0] == (4, 6, 4, 6, 4, 6)
    assert max(ways[1][1], others) < ways[0][1] - np.log(100)


@pytest.mark.parametrize(
    ("foot", "above", "told", "hardly"), [("black", "green", 0.0, -2.0), ("purple", "black", 0.0, -2.0)]
)
def test_a_dark_foot_needs_less_evidence_than_another(foot: str, above: str, told: float, hardly: float) -> None:
    chips = np.full((3, 11), -12.0)
    upper, lowest = COLOURS.index(above), COLOURS.index(foot)
    chips[:, upper], chips[0, lowest] = 0.0, told
    assert likely_colours(chips)[0][0][0] == (lowest + 1, upper + 1, upper + 1)
    chips[0, lowest] = hardly
    assert likely_colours(chips)[0][0][0] == (upper + 1,) * 3
    chips[0, lowest], chips[2, lowest] = -12.0, -0.1  # the same further up is no foot
    assert likely_colours(chips)[0][0][0] == (upper + 1,) * 3


def test_what_the_ways_leave_out_is_told_by_how_likely_it_is_together(monkeypatch):
    chips = np.random.default_rng(4).normal(0.0, 1.0, (3, 11))  # 1,331 stacks, of which a few are named
    ways, others = likely_colours(chips)
    monkeypatch.setattr(chip_decode, "_WAYS", 1331)
    named = [score for _, score in likely_colours(chips)[0]]
    assert len(named) == 1331
    assert np.logaddexp.reduce([score for _, score in ways] + [others]) == pytest.approx(np.logaddexp.reduce(named))


def test_a_cheque_that_comes_out_to_pay_a_half_needs_more_evidence_than_another():
    chips = np.full((3, 11), -12.0)
    red, pink = COLOURS.index("red"), COLOURS.index("pink")
    chips[:, red], chips[:, pink] = 0.0, (-9.0, -9.0, 1.5)
    assert likely_colours(chips)[0][0][0] == (red + 1,) * 3
    chips[2, pink] = 5.0
    assert likely_colours(chips)[0][0][0] == (red + 1, red + 1, pink + 1)


def without_and_with(table, witness):
    """The stacks that are likely without another witness, and with it."""
    return (dict(likely_stacks(table.astype(np.float32), calibrated=True, beside=one)) for one in (None, witness))


def grey_between_green_and_red():
    """Two feet are possible; by the likelier one the lower chip is what green and red look like together."""
    table = lined(evidence(feet={10: 5.0, 12: 6.0}, rims={18: 9.0, 20: 9.0}))
    table[[14, 16], LINE] = 1.0
    table[:, FIRST_COLOUR : FIRST_COLOUR + 11] = -9.0
    table[:13, FIRST_COLOUR + 4] = table[13:16, FIRST_COLOUR + 5] = table[16:, FIRST_COLOUR + 3] = 0.0
    return table


class SaysThatStack:
    """A witness that knows one stack."""

    def __init__(self, answer, by):
        self.answer, self.by = answer, by

    def chips(self, middles):
        return None

    def stacks(self, middles, answers):
        return np.array([self.by if answer == self.answer else 0.0 for answer in answers])


def test_a_witness_of_whole_stacks_decides_between_colours_and_not_between_numbers():
    table = lined(evidence(feet={10: 9.0}, rims={18: 9.0, 22: 7.0}), 14)
    table[18, LINE] = 0.0
    for step in (12, 16, 20):
        table[step - 1 : step + 2, FIRST_COLOUR : FIRST_COLOUR + 11] = -50.0
        table[step - 1 : step + 2, FIRST_COLOUR + 5] = 0.0
        table[step - 1 : step + 2, FIRST_COLOUR + 6] = -2.0
    plain, told = without_and_with(table, SaysThatStack((7, 6), 6.0))
    assert max(plain, key=plain.get) == (6, 6)
    assert max(told, key=told.get) == (7, 6)
    assert sum(p for stack, p in told.items() if len(stack) == 2) == pytest.approx(
        sum(p for stack, p in plain.items() if len(stack) == 2), abs=1e-3
    )


class LikesTheLowerFoot:
    """A witness to whom every colour looks better where the stack stands lower."""

    def chips(self, middles):
        return np.full((len(middles), 11), 9.0 if middles[0] == 12 else 0.0)

    def stacks(self, middles, answers):
        return None


def test_how_like_its_colours_a_chip_looks_does_not_say_where_the_stack_stands():
    plain, told = without_and_with(grey_between_green_and_red(), LikesTheLowerFoot())
    assert told[6, 4] == pytest.approx(plain[6, 4])


def test_colours_are_read_wherever_the_stack_may_stand_and_not_at_the_likeliest_foot_alone():
    """By the likelier foot the lower chip is black, where a green and a red one are seen as one; the witness knows."""
    plain, told = without_and_with(grey_between_green_and_red(), SaysThatStack((5, 4), 6.0))
    assert max(plain, key=plain.get) == (6, 4)
    assert max(told, key=told.get) == (5, 4)
    assert told[5, 4] > 0.8


def test_twenty_chips_are_the_highest_stack():
    table = lined(evidence(feet={10: 9.0}, rims={90: 9.0}), *range(14, 90, 4))
    (stack, _), *_ = likely_stacks(table.astype(np.float32), calibrated=True)
    assert len(stack) == 20


def test_guessed_camera_leaves_the_pitch_more_open_than_a_known_one():
    table = evidence(feet={10: 0.0}, rims={50: 0.0})  # ten chips of four steps, or eight of five
    known, guessed = (numbers(table, calibrated=flag) for flag in (True, False))
    assert ONE_MORE**2 * known[8] / known[10] < guessed[8] / guessed[10] < 1


def test_probabilities_of_all_stacks_sum_to_at_most_one():
    noise = np.random.default_rng(5).normal(0, 2, (STEPS, FIRST_COLOUR + 11))
    assert max(numbers(noise, calibrated=flag).sum() for flag in (True, False)) <= 1 + 1e-9
    assert sum(p for _, p in likely_stacks(noise.astype(np.float32), calibrated=False)) <= 1 + 1e-9


def test_softer_scores_are_less_certain():
    scores = np.array([2.0, 0.0], np.float32)
    assert softmax(scores, temperature=2.0)[0] == pytest.approx(0.7310586)
    assert softmax(scores)[0] == pytest.approx(0.8807971)


def test_softened_evidence_is_less_sure_of_the_number() -> None:
    # Rims of one and two chips with weights of e and e^5; softened by 2, their square roots. How high chips are is
    # softened, too: the square roots of the shares above, made to sum to one.
    table = evidence(feet={10: 5.0}, rims={14: 1.0, 18: 5.0})
    plain, soft = (numbers(table, temper=t) for t in (1.0, 2.0))
    one = np.exp(1) * AS_HIGH + np.exp(5) * ONE_OF_EIGHT * FOUR_OFF
    two = np.exp(5) * TWO_OF_EIGHT + np.exp(1) * TWO_OF_FOUR * FOUR_OFF
    assert plain[2] / plain[1] == pytest.approx(ONE_MORE * two / one, rel=3e-3)
    one, two = np.exp(0.5) * 0.4288 + np.exp(2.5) * 0.0062 * FOUR_OFF, np.exp(2.5) * 0.2845
    two += np.exp(0.5) * 0.0097 * FOUR_OFF
    assert soft[2] / soft[1] == pytest.approx(ONE_MORE**0.5 * two / one, rel=5e-3)


def test_what_the_uppermost_face_seems_to_be_counts_less_than_the_side() -> None:
    """21 Stud of another hand: white ovals nearly as wide as red chips were taken for white ones, the sides for red."""
    red, white = COLOURS.index("red"), COLOURS.index("white")
    table = lined(evidence(feet={10: 9.0}, rims={14: 9.0}))
    table[:, FIRST_COLOUR : FIRST_COLOUR + 11] = -50.0
    table[:, FIRST_COLOUR + red], table[:, FIRST_COLOUR + white] = 2.5, 0.0
    for seems_white, read in ((0.95, red), (0.999, white)):
        top = np.full(11, 1e-9)
        top[white], top[red] = seems_white, 1 - seems_white
        (stack, _), *_ = likely_stacks(table.astype(np.float32), calibrated=True, top=top)
        assert stack == (read + 1,)


def test_softened_evidence_is_less_sure_of_the_colours() -> None:
    table = lined(evidence(feet={10: 9.0}, rims={14: 9.0}))
    table[11:14, FIRST_COLOUR : FIRST_COLOUR + 11] = -50.0
    table[11:14, FIRST_COLOUR + 0] = np.log(9)
    table[11:14, FIRST_COLOUR + 9] = 0.0
    candidates = dict(likely_stacks(table.astype(np.float32), calibrated=True, temper=Temper(colour=2.0)))
    assert candidates[1,] == pytest.approx(0.75, abs=1e-3)


def test_stacks_that_are_weighed_together_lie_as_each_alone() -> None:
    low, high = evidence(feet={10: 4.0}, rims={14: 4.0, 18: 3.0}), evidence(feet={10: 4.0}, rims={22: 5.0})
    lined(high, 14, 18)
    cases = [(low, True, 1.0), (high, False, 1.5), (high, True, 2.0), (low, False, 1.0)]
    tables, calibrated, tempers = zip(*cases, strict=True)
    together = ways_of_many(tables, calibrated=calibrated, tempers=tempers)
    for ways, (table, known, temper) in zip(together, cases, strict=True):
        alone = ways_to_lie(table, calibrated=known, temper=temper)
        assert ways.numbers == pytest.approx(alone.numbers, abs=1e-12)
        for some, others in zip(ways.lies, alone.lies, strict=True):
            assert [list(lie.middles) for lie in some] == [list(lie.middles) for lie in others]
            assert [lie.p for lie in some] == pytest.approx([lie.p for lie in others], abs=1e-12)


def test_no_stacks_have_no_ways_to_lie() -> None:
    assert ways_of_many([], calibrated=[], tempers=[]) == []
