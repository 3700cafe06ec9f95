"""Two people at a time, all couples at once."""

from functools import partial
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings

from annotation.quality.agreement.alpha import Level, alpha_of, krippendorff_alpha
from annotation.quality.agreement.cohen import cohen_kappa, cohen_values
from annotation.quality.agreement.couples import couples_of
from annotation.quality.agreement.scott import scott_values
from annotation.quality.agreement.two import mean_over_couples
from annotation.quality.agreement.weights import Weights
from annotation.quality.arrays import Floats, Ints
from annotation.quality.scale import Scale
from tests.annotation.quality.agreement.tables import rated, scott_pi, some_ratings, votes_of

SCALE = Scale((0, 1, 2, 3))


@settings(max_examples=60)
@given(some_ratings())
def test_couples_as_written_out(ratings: list[list[int | None]]) -> None:
    couples = couples_of(*votes_of(ratings, SCALE))
    expected = {}
    for i, j in combinations(range(len(ratings)), 2):
        both = [(a, b) for a, b in zip(ratings[i], ratings[j], strict=True) if a is not None and b is not None]
        if both:
            expected[i, j] = np.zeros((4, 4), dtype=int)
            for a, b in both:
                expected[i, j][a, b] += 1
    tables = [table for part in couples.tables() for table in part]
    assert list(zip(couples.first.tolist(), couples.second.tolist(), strict=True)) == sorted(expected)
    assert all((table == expected[key]).all() for key, table in zip(sorted(expected), tables, strict=True))
    assert couples.n_items.tolist() == [table.sum() for table in tables]


@settings(max_examples=40)
@given(some_ratings())
def test_the_matrix_holds_the_coefficient_of_every_couple(ratings: list[list[int | None]]) -> None:
    couples = couples_of(*votes_of(ratings, SCALE))
    for values, one in ((cohen_values, _cohen), (scott_values, scott_pi)):
        full = couples.matrix(couples.each(partial(values, values=SCALE.values, weights=Weights.LINEAR)))
        assert full.shape == couples.shared.shape == (len(ratings), len(ratings))
        for part, i, j in zip([t for p in couples.tables() for t in p], couples.first, couples.second, strict=True):
            expected = one(part, weights=Weights.LINEAR)
            value = None if np.isnan(full[i, j]) else full[i, j]
            assert value == pytest.approx(expected, abs=1e-12)
            assert full[j, i] == full[i, j] or expected is None
            assert couples.shared[i, j] == couples.shared[j, i] == part.sum()
        assert np.isnan(np.diag(full)).all()


def test_alpha_of_couples() -> None:
    ratings: list[list[int | None]] = [[0, 1, 2, 3, 0], [0, 1, 3, 3, 1], [None, 2, 2, 0, 1]]
    couples = couples_of(*votes_of(ratings, SCALE))

    def ordinal(tables: Ints) -> Floats:
        return alpha_of((tables + tables.swapaxes(-1, -2)).astype(float), SCALE.values, Level.ORDINAL)

    coefficients = couples.each(ordinal)
    expected = [krippendorff_alpha(rated(list(two), range(4))).value for two in combinations(ratings, 2)]
    assert coefficients.tolist() == pytest.approx(expected, abs=1e-12)


def test_the_mean_leaves_out_couples_that_share_too_little_or_never_vary() -> None:
    first: list[int | None] = [0, 1] * 6
    second: list[int | None] = [*first[:10], 1, 0]
    ratings = [first, second, [0] * 11 + [None], [*first[:2], *[None] * 10]]
    couples = couples_of(*votes_of(ratings, SCALE))
    mean = mean_over_couples(couples, lambda tables: cohen_values(tables, SCALE.values))
    # 12 shared: observed 10/12, chance 1/2; the third never varies: 0 with both others, 11 shared each
    assert mean.value == pytest.approx((12 * 2 / 3 + 0 + 0) / (12 + 11 + 11), abs=1e-12)
    assert (mean.n_items, mean.n_judgments, mean.n_annotators) == (34, 68, 3)
    most = mean_over_couples(couples, lambda tables: cohen_values(tables, SCALE.values), least=13)
    assert most.reason == "No two people share 13 items or more; the most is 12."


def test_the_mean_says_why_it_is_undefined() -> None:
    def mean(ratings: list[list[int | None]]) -> str:
        couples = couples_of(*votes_of(ratings, SCALE))
        return mean_over_couples(couples, lambda tables: cohen_values(tables, SCALE.values), least=1).reason

    assert mean([[1, None], [None, 1]]) == "No item was judged by two people."
    assert mean([[1, 1], [1, 1]]) == "Of every two people, both gave one and the same grade throughout."


def _cohen(table: Ints, *, weights: Weights) -> float | None:
    return cohen_kappa(table, weights=weights).value
