"""The chip reader is softened until hardly anything that it reads is wrong, and no more."""

import numpy as np
import pytest

from models.train import chip_measure
from models.train.chip_measure import Answers, fit

COUNT = 1000


@pytest.mark.parametrize(("wrong", "temperature"), [(0, 1.0), (19, 1.0), (60, 1.35), (3, 1.0)])
def test_the_least_softening_is_taken_with_which_few_readings_are_wrong(
    monkeypatch: pytest.MonkeyPatch, wrong: int, temperature: float
) -> None:
    """The first ``wrong`` stacks are read wrongly, and are no longer read from a temperature of 1.35 on."""

    def said(_: Answers, index: int, rule: dict[str, float]) -> list[tuple[tuple[int, ...], float]]:
        return [((2,), 0.97 if rule["colour"] < 1.3 else 0.8)] if index < wrong else [((1,), 0.99)]

    monkeypatch.setattr(chip_measure, "likely", said)
    nothing = np.zeros((COUNT, 1), np.float32)
    seen = Answers(evidence=nothing, truth=[(1,)] * COUNT, top=nothing, flatness=nothing, crops={})
    rule = fit(seen, np.ones(COUNT, np.bool_))
    assert (rule["place"], rule["colour"]) == (temperature, temperature)


def test_two_wrong_readings_of_a_few_say_nothing_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chip_measure, "likely", lambda _, index, __: [((2,) if index < 2 else (1,), 0.99)])
    nothing = np.zeros((20, 1), np.float32)
    seen = Answers(evidence=nothing, truth=[(1,)] * 20, top=nothing, flatness=nothing, crops={})
    assert fit(seen, np.ones(20, np.bool_))["place"] == 1.0
