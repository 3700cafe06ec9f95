"""Simulated people of known accuracy, leniency and habits: intervals hold what they say, chance raises few alarms."""

import numpy as np

from annotation.quality.annotators import Profiles
from annotation.quality.annotators.figure import Figures
from annotation.quality.arrays import Ints
from tests.annotation.quality.build import inputs_of, table_of

N_PEOPLE, N_GOLD = 200, 60


def profiles_of(step: Ints, truth: Ints) -> Profiles:
    """`step`: (n_people, n_gold), the grades given; `truth`: (n_gold,)."""
    rows = [("g", f"G{i:02}", f"P{who:03}", int(step[who, i])) for who in range(len(step)) for i in range(len(truth))]
    gold = {("g", f"G{i:02}"): int(grade) for i, grade in enumerate(truth)}
    return Profiles(inputs_of(table_of(rows), gold=gold))


def coverage(figures: Figures, truth: float) -> float:
    return float(((figures.low <= truth) & (truth <= figures.high)).mean())


def test_intervals_of_accuracy_and_leniency_hold_the_truth_as_often_as_they_say() -> None:
    rng = np.random.default_rng(11)
    truth = rng.integers(1, 4, N_GOLD)
    error = rng.choice([-1, 0, 1], p=[0.05, 0.7, 0.25], size=(N_PEOPLE, N_GOLD))  # accuracy 0.7, leniency 0.2
    profiles = profiles_of(truth + error, truth)
    assert 0.9 <= coverage(profiles.right.exact, 0.7) <= 0.99
    assert 0.9 <= coverage(profiles.leniency.from_gold, 0.2) <= 0.99
    assert profiles.right.within_one.value.tolist() == [1.0] * N_PEOPLE
    assert 0.9 <= coverage(profiles.drift.right, 0.0) <= 0.99
    assert 0.9 <= coverage(profiles.drift.shift, 0.0) <= 0.99


def test_long_runs_by_chance_raise_no_more_alarms_than_said() -> None:
    rng = np.random.default_rng(12)
    step = rng.choice(5, p=[0.5, 0.2, 0.15, 0.1, 0.05], size=(N_PEOPLE, N_GOLD))
    chance = profiles_of(step, rng.integers(0, 5, N_GOLD)).straight.by_chance.value
    for level in (0.01, 0.05, 0.2):
        assert (chance <= level).mean() <= level + 0.02


def test_a_lenient_and_a_careless_person_among_honest_ones_are_told_apart() -> None:
    rng = np.random.default_rng(13)
    truth = rng.integers(0, 5, N_GOLD)
    step = np.where(rng.random((20, N_GOLD)) < 0.85, truth, rng.integers(0, 5, (20, N_GOLD)))
    step[0] = np.minimum(truth + 1, 4)  # always one milder
    step[1] = rng.integers(0, 5, N_GOLD)  # does not look
    profiles = profiles_of(step, truth)
    lenient, careless = profiles.leniency.from_gold, profiles.severity.critical
    assert np.flatnonzero(lenient.low > 0.5).tolist() == [0]
    assert np.flatnonzero(careless.low > 0.15).tolist() == [1]
    assert profiles.right.within_one.value[0] == 1.0
