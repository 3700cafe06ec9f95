"""Simulated annotators err as often as they say, in the direction they say."""

import numpy as np
import pytest

from touchstone.demo.annotators import (
    BAD,
    CARELESS,
    CONSTANT,
    GOOD,
    HASTY,
    LENIENT,
    MACHINE,
    PANEL,
    STRICT,
    Behaviour,
    always,
    guesses,
    slips,
)

pytestmark = pytest.mark.pure
N = 4000


def _grades(behaviour: Behaviour, true_grade: int, n: int = N) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    rng = np.random.default_rng(11)
    return np.array([behaviour.grade(true_grade, rng) for _ in range(n)])


def test_all_are_named_differently() -> None:
    everybody = (*GOOD, *BAD, *PANEL, MACHINE)
    assert (len(GOOD), len(BAD), len(PANEL)) == (5, 3, 5)
    assert len({behaviour.name for behaviour in everybody}) == len(everybody)


@pytest.mark.parametrize("behaviour", [*GOOD, *PANEL, CARELESS, HASTY, MACHINE], ids=lambda behaviour: behaviour.name)
@pytest.mark.parametrize("true_grade", range(5))
def test_error_rate_is_as_stated(behaviour: Behaviour, true_grade: int) -> None:
    stated = behaviour.error_rate(true_grade)
    rate = float(np.mean(_grades(behaviour, true_grade) != true_grade))
    assert abs(rate - stated) < 4 * np.sqrt(stated * (1 - stated) / N)


def test_stated_error_rates() -> None:
    assert [round(behaviour.error_rate(2), 2) for behaviour in GOOD] == [0.04, 0.08, 0.11, 0.12, 0.15]
    assert [round(behaviour.error_rate(0), 2) for behaviour in BAD] == [0.6, 1.0, 0.6]


@pytest.mark.parametrize("behaviour", GOOD, ids=lambda behaviour: behaviour.name)
def test_good_ones_err_to_the_next_grade_mostly(behaviour: Behaviour) -> None:
    distance = np.concatenate([abs(_grades(behaviour, true_grade) - true_grade) for true_grade in range(5)])
    assert np.mean(distance[distance > 0] == 1) > 0.75
    assert distance.max() <= 2


def test_the_panel_goes_from_thorough_to_distracted_and_the_machine_is_generous() -> None:
    assert [round(behaviour.error_rate(2), 2) for behaviour in PANEL] == [0.05, 0.1, 0.16, 0.2, 0.35]
    grades = _grades(MACHINE, 2)
    assert np.mean(grades[grades != 2] > 2) > 0.7


def test_strict_and_lenient_lean_apart() -> None:
    strict, lenient = _grades(STRICT, 2), _grades(LENIENT, 2)
    assert np.mean(strict[strict != 2] < 2) > 0.7
    assert np.mean(lenient[lenient != 2] > 2) > 0.7


def test_constant_gives_two_to_everything() -> None:
    assert {int(grade) for true_grade in range(5) for grade in _grades(CONSTANT, true_grade, 50)} == {2}


def test_careless_spreads_over_the_scale() -> None:
    assert set(_grades(CARELESS, 0)) == {0, 1, 2, 3, 4}


def test_seconds_are_spread_round_the_median_and_hasty_is_far_too_fast() -> None:
    rng = np.random.default_rng(5)
    medians = {b.name: float(np.median([b.seconds(rng) for _ in range(2000)])) for b in (*GOOD, *BAD)}
    stated = {behaviour.name: behaviour.median_seconds for behaviour in (*GOOD, *BAD)}
    assert medians == pytest.approx(stated, rel=0.1)
    assert 5 * medians["hasty"] < min(time for name, time in medians.items() if name != "hasty")
    assert min(HASTY.seconds(rng) for _ in range(1000)) > 0


def test_the_same_seed_gives_the_same_judgments() -> None:
    assert (_grades(HASTY, 3, 200) == _grades(HASTY, 3, 200)).all()


@pytest.mark.parametrize("n_grades", [2, 3, 11])
@pytest.mark.parametrize("upward", [0.0, 0.5, 1.0])
def test_other_scales(n_grades: int, upward: float) -> None:
    for chances in (slips(0.2, upward=upward, n_grades=n_grades), guesses(0.2, n_grades=n_grades)):
        behaviour = Behaviour("other", chances, median_seconds=10)
        assert [behaviour.error_rate(grade) for grade in range(n_grades)] == pytest.approx([0.2] * n_grades)
    assert Behaviour("one", always(1, n_grades=n_grades), median_seconds=10).error_rate(1) == 0


@pytest.mark.parametrize("true_grade", [-1, 5])
def test_a_grade_outside_the_scale_is_refused(true_grade: int) -> None:
    with pytest.raises(ValueError, match=f"no grade {true_grade} among 5"):
        CARELESS.grade(true_grade, np.random.default_rng(1))


@pytest.mark.parametrize(
    ("chances", "reason"),
    [
        (((0.5, 0.5),), "square table"),
        (((0.5, 0.4), (0.0, 1.0)), "sum to 1"),
        (((1.5, -0.5), (0.0, 1.0)), "sum to 1"),
    ],
)
def test_a_table_that_is_none_is_refused(chances: tuple[tuple[float, ...], ...], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Behaviour("wrong", chances, median_seconds=10)
