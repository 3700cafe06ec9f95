"""Cohen, Scott, Fleiss, Randolph and Gwet: published examples, and definitions written out judgment by judgment."""

from collections.abc import Callable
from itertools import permutations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from annotation.quality.agreement.cohen import cohen_kappa
from annotation.quality.agreement.fleiss import fleiss_kappa
from annotation.quality.agreement.gwet import gwet_ac1, gwet_ac2
from annotation.quality.agreement.percent import pairwise_agreement
from annotation.quality.agreement.randolph import randolph_kappa
from annotation.quality.agreement.result import Agreement
from annotation.quality.agreement.weights import Weights, agreement_weights
from tests.annotation.quality.agreement.tables import counts, rated, scott_pi, some_ratings
from tests.annotation.quality.worked import worked_example

Ratings = list[list[int | None]]


def of_two(table: list[list[int]]) -> Any:
    """Counts of the items of two people, from their table."""
    rows = []
    for (i, j), n in np.ndenumerate(np.array(table)):
        rows += [[(k == i) + (k == j) for k in range(len(table))]] * n
    return counts(rows)


@pytest.mark.shared
@pytest.mark.parametrize("name", ["wiki_grants", "wiki_same_po_a", "artstein_poesio_t1", "sas_3x3_with_ase"])
def test_worked_examples_of_cohens_kappa(shared_data: Path, name: str) -> None:
    example = worked_example(shared_data, f"cohen_kappa_{name}")
    coefficient = cohen_kappa(example["input"]["table"])
    assert coefficient.value == pytest.approx(example["expected"]["kappa"], abs=example["tolerance"])


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "kappa"), [("fleiss_kappa_wiki_10x14x5", fleiss_kappa), ("randolph_kappa_wiki_10x14x5", randolph_kappa)]
)
def test_worked_examples_of_many_people(shared_data: Path, name: str, kappa: Callable[[Any], Agreement]) -> None:
    example = worked_example(shared_data, name)
    coefficient, expected = kappa(counts(example["input"]["counts"])), example["expected"]
    assert coefficient.value == pytest.approx(expected.get("kappa_full", expected["kappa"]), abs=1e-9)
    if "P_bar" in expected:
        assert (coefficient.observed, coefficient.expected) == pytest.approx(
            (expected["P_bar"], expected["P_e"]), abs=5e-4
        )


@pytest.mark.shared
def test_worked_example_of_scotts_pi(shared_data: Path) -> None:
    example = worked_example(shared_data, "scott_pi_wiki_3x3")
    pi = scott_pi(example["input"]["table"])
    assert pi == pytest.approx(example["expected"]["pi_full"], abs=1e-9)
    assert fleiss_kappa(of_two(example["input"]["table"])).value == pytest.approx(pi, abs=1e-12)


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "weights"),
    [
        ("gwet_ac1_4raters", Weights.UNWEIGHTED),
        ("gwet_ac2_linear_4raters", Weights.LINEAR),
        ("gwet_ac2_ordinal_4raters", Weights.ORDINAL),
    ],
)
def test_worked_examples_of_gwet(shared_data: Path, name: str, weights: Weights) -> None:
    example = worked_example(shared_data, name)
    coefficient, expected = gwet_ac2(rated(example["input"]["ratings_by_rater"]), weights=weights), example["expected"]
    assert coefficient.value == pytest.approx(expected["coef_full"], abs=1e-8)
    assert (coefficient.observed, coefficient.expected) == pytest.approx(
        (expected["pa"], expected["pe"]), abs=example["tolerance"]
    )


@pytest.mark.shared
def test_worked_example_of_two_abstractors(shared_data: Path) -> None:
    """irrCAC 0.4.4 and scikit-learn."""
    example = worked_example(shared_data, "two_rater_table_cont3x3abstractors")
    table, expected, near = example["input"]["table"], example["expected"], example["tolerance"]
    assert gwet_ac1(of_two(table)).value == pytest.approx(expected["gwet_ac1"], abs=near)
    assert cohen_kappa(table).value == pytest.approx(expected["cohen"], abs=near)
    assert scott_pi(table) == pytest.approx(expected["scott"], abs=near)
    assert randolph_kappa(of_two(table)).value == pytest.approx(expected["brennan_prediger"], abs=near)


@pytest.mark.shared
def test_worked_example_of_high_agreement_and_low_kappa(shared_data: Path) -> None:
    example = worked_example(shared_data, "kappa_paradox_high_agreement")
    table, expected, near = example["input"]["table"], example["expected"], example["tolerance"]
    assert pairwise_agreement(of_two(table)).value == pytest.approx(expected["po"], abs=near)
    assert cohen_kappa(table).value == pytest.approx(expected["cohen"], abs=near)
    assert gwet_ac1(of_two(table)).value == pytest.approx(expected["gwet_ac1"], abs=near)


def beyond(observed: float, expected: float) -> float | None:
    return None if expected > 1 - 1e-12 else (observed - expected) / (1 - expected)


def written_out(ratings: Ratings, weights: Weights) -> tuple[float, list[float]] | None:
    """Observed agreement, pair of judgments by pair, and the mean share of each grade over judged items."""
    weight = agreement_weights(np.arange(4), weights)
    items = [[grade for grade in column if grade is not None] for column in zip(*ratings, strict=True)]
    shared = [item for item in items if len(item) > 1]
    if not shared:
        return None
    observed = np.mean([np.mean([weight[a, b] for a, b in permutations(item, 2)]) for item in shared])
    judged = [item for item in items if item]
    return float(observed), [float(np.mean([item.count(g) / len(item) for item in judged])) for g in range(4)]


@settings(max_examples=60)
@given(some_ratings())
def test_coefficients_of_many_people_as_written_out(ratings: Ratings) -> None:
    table = rated(ratings, range(4))
    for weights in Weights:
        coefficients = [each(table, weights=weights) for each in (fleiss_kappa, randolph_kappa, gwet_ac2)]
        expected = written_out(ratings, weights)
        if expected is None:
            assert [each.value for each in coefficients] == [None] * 3
            continue
        observed, share = expected
        weight = agreement_weights(np.arange(4), weights)
        by_chance = (
            sum(weight[a, b] * share[a] * share[b] for a, b in product(range(4), repeat=2)),
            weight.mean(),
            weight.sum() / 12 * sum(each * (1 - each) for each in share),
        )
        for each, chance in zip(coefficients, by_chance, strict=True):
            assert each.value == pytest.approx(beyond(observed, chance), abs=1e-9)


@settings(max_examples=60)
@given(some_ratings(missing=False))
def test_coefficients_of_two_people_as_written_out(ratings: list[list[int]]) -> None:
    one, other = ratings[:2]
    table = np.zeros((4, 4), dtype=np.int64)
    np.add.at(table, (one, other), 1)
    for weights in Weights:
        weight = agreement_weights(np.arange(4), weights)
        observed = np.mean([weight[a, b] for a, b in zip(one, other, strict=True)])
        cohen = np.mean([weight[a, b] for a, b in product(one, other)])
        scott = np.mean([weight[a, b] for a, b in product(one + other, repeat=2)])
        assert cohen_kappa(table, weights=weights).value == pytest.approx(beyond(observed, cohen), abs=1e-9)
        assert scott_pi(table, weights=weights) == pytest.approx(beyond(observed, scott), abs=1e-9)


def test_two_people_without_a_shared_item_and_with_one_grade() -> None:
    assert cohen_kappa([[0, 0], [0, 0]]).reason == "The two people have no item in common."
    assert "one and the same grade" in cohen_kappa([[7, 0], [0, 0]]).reason
    assert [scott_pi(table) for table in ([[0, 0], [0, 0]], [[7, 0], [0, 0]])] == [None, None]
    assert cohen_kappa([[3, 4], [0, 0]]).value == 0  # only one of the two never varies


@pytest.mark.parametrize("table", [[[1, 2]], [1, 2], [[1, -1], [0, 0]]])
def test_a_table_of_two_is_square_and_of_counts(table: list[Any]) -> None:
    with pytest.raises(ValueError, match="square table of counts"):
        cohen_kappa(table)
