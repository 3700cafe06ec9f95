"""Groups who copy from each other are named, though they vouch for each other; groups of honest people are not."""

from itertools import combinations

import numpy as np
import pytest

from annotation.quality.annotators import near_copies
from annotation.quality.inputs import Inputs
from tests.annotation.quality.build import Judgment, inputs_of, table_of

N_PEOPLE = 12


def campaign(
    seed: int, *, first: int, good: float, others: float, copied: float = 0.0, n_pairs: int = 400, per_pair: int = 6
) -> Inputs:
    """The `first` people judge two pairs of three together, with some of the others; with `copied`, the second and
    later ones take over so many answers of the first."""
    rng = np.random.default_rng(seed)
    accuracy = np.array([good] * first + [others] * (N_PEOPLE - first))
    rows: list[Judgment] = []
    for i in range(n_pairs):
        truth = int(rng.choice(5, p=[0.4, 0.2, 0.2, 0.1, 0.1]))
        grades = np.where(rng.random(N_PEOPLE) < accuracy, truth, rng.integers(0, 5, N_PEOPLE))
        copies = rng.random(first) < copied
        grades[:first] = np.where(copies, grades[0], grades[:first])
        n_more = max(per_pair - first, 1)
        apart = set(rng.choice(N_PEOPLE, per_pair, replace=False).tolist())
        together = {*range(first), *(first + rng.choice(N_PEOPLE - first, n_more, replace=False)).tolist()}
        rows += [("1", f"d{i:03}", f"P{who:02}", int(grades[who])) for who in sorted(together if i % 3 else apart)]
    return inputs_of(table_of(rows))


def couples(inputs: Inputs) -> list[tuple[int, int]]:
    likeness = near_copies(inputs)
    return list(zip(likeness.first[likeness.alike].tolist(), likeness.second[likeness.alike].tolist(), strict=True))


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("accuracy", [0.5, 0.6, 0.7])
def test_three_who_copy_from_each_other_are_named_and_nobody_else(seed: int, accuracy: float) -> None:
    inputs = campaign(seed, first=3, good=accuracy, others=accuracy, copied=0.97, per_pair=5)
    assert couples(inputs) == [*combinations(range(3), 2)]
    assert near_copies(inputs).left_out.any()


def test_choosing_whom_to_leave_out_is_paid_for() -> None:
    """Hoeffding's bound, times the couples compared, the ways to choose one of the ten others, and the four numbers."""
    likeness = near_copies(campaign(1, first=3, good=0.6, others=0.6, copied=0.97, per_pair=5))
    at = np.flatnonzero(likeness.left_out == 1)[0]
    n, share, expected = likeness.n[at], likeness.same[at] / likeness.n[at], likeness.expected[at]
    bound = (expected / share) ** (n * share) * ((1 - expected) / (1 - share)) ** (n * (1 - share))
    assert likeness.by_chance[at] == pytest.approx(bound * len(likeness.n) * 10 * 4, rel=1e-6, abs=0)


@pytest.mark.parametrize("n_good", [3, 4, 5])
@pytest.mark.parametrize("good", [0.6, 0.9, 1.0])
@pytest.mark.parametrize("others", [0.1, 0.2, 0.4, 0.6, 0.9])
def test_good_people_among_weak_ones_who_often_meet_are_not_accused(n_good: int, good: float, others: float) -> None:
    """45 campaigns of three: at the rate stated, .001 couples a campaign, none is to be expected."""
    for seed, (per_pair, n_pairs) in enumerate([(4, 200), (6, 400), (5, 600)]):
        inputs = campaign(seed, first=n_good, good=good, others=others, per_pair=per_pair, n_pairs=n_pairs)
        assert couples(inputs) == []


@pytest.mark.parametrize("seed", range(20))
def test_people_of_any_accuracy_are_not_accused(seed: int) -> None:
    good, others = np.random.default_rng(seed).choice([0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 1.0], 2)
    assert couples(campaign(100 + seed, first=1 + seed % 5, good=float(good), others=float(others))) == []
