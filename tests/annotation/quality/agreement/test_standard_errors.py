"""Standard errors from formulas: published ones, and the derivatives of the coefficients taken by numbers."""

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.quality.agreement.cohen import cohen_kappa, cohen_values
from annotation.quality.agreement.counts import GradeCounts
from annotation.quality.agreement.fleiss import fleiss_kappa, fleiss_values
from annotation.quality.agreement.gwet import gwet_ac1, gwet_values
from annotation.quality.agreement.result import Agreement
from annotation.quality.agreement.standard_errors import (
    StandardError,
    cohen_error,
    fleiss_error,
    fleiss_error_by_chance,
    gwet_error,
)
from annotation.quality.agreement.sums import Sums, added_by
from annotation.quality.agreement.weights import Weights
from annotation.quality.arrays import Floats
from tests.annotation.quality.agreement.tables import KRIPPENDORFF, counts, rated, some_ratings
from tests.annotation.quality.worked import worked_example

STEP = 1e-6
DIAGNOSES = """
00060 03003 01401 00006 03030 20400 00402 20310 20040 00006 10050 11040 03300 10050 02031
00501 30012 51000 02040 10203 00006 01050 02013 20040 10041 05010 40002 02040 10500 00006
"""  # J. L. Fleiss, Psychological Bulletin 76 (1971), table 1: 30 people, each by 6 psychiatrists, into 5 categories

Values = Callable[..., Floats]


def number(of: Agreement | StandardError) -> float:
    assert of.value is not None
    return of.value


def by_numbers(table: GradeCounts, values: Values, weights: Weights) -> float:
    """The scatter of what each item adds: the derivative of the coefficient by the weight of the item."""
    rows = table.counts[table.n > 0]
    n, added = len(rows), added_by(rows, table.values)

    def at(weight: Floats) -> float:
        return float(values(Sums.from_flat(weight @ added, table.values), weights=weights))

    slope = np.array([(at(1 + STEP * one) - at(1 - STEP * one)) / (2 * STEP) for one in np.eye(n)])
    return math.sqrt(n / (n - 1) * ((slope - slope.mean()) ** 2).sum())


@pytest.mark.shared
def test_worked_example_of_cohens_kappa(shared_data: Path) -> None:
    example = worked_example(shared_data, "cohen_kappa_sas_3x3_with_ase")
    standard_error = cohen_error(example["input"]["table"])
    assert standard_error.value == pytest.approx(example["expected"]["ase"], abs=example["tolerance"])


def test_cohens_kappa_as_published() -> None:
    """J. L. Fleiss, Statistical Methods for Rates and Proportions (1981), chapter 13: kappa .676 with .088 for 100
    people and three diagnoses."""
    table = [[75, 1, 4], [5, 4, 1], [0, 0, 10]]
    assert cohen_kappa(table).value == pytest.approx(0.676, abs=5e-4)
    assert number(cohen_error(table)) == pytest.approx(0.088, abs=5e-4)
    assert cohen_error(table).n_items == 100


@pytest.mark.parametrize(
    ("coefficient", "error", "value", "published"),
    [(gwet_ac1, gwet_error, 0.77544, 0.14295), (fleiss_kappa, fleiss_error, 0.76117, 0.15302)],
)
def test_many_people_as_published(
    coefficient: Callable[..., Agreement], error: Callable[..., StandardError], value: float, published: float
) -> None:
    """irrCAC 1.0, gwet.ac1.raw and fleiss.kappa.raw of its example cac.raw4raters, which is Krippendorff's."""
    table = rated(KRIPPENDORFF)
    assert number(coefficient(table)) == pytest.approx(value, abs=5e-6)
    assert number(error(table)) == pytest.approx(published, abs=5e-6)
    assert error(table).n_items == 12


@pytest.mark.shared
def test_worked_example_of_two_people(shared_data: Path) -> None:
    """The interval of AC1 is Student's, with 99 degrees of freedom; for tables of two, irrCAC divides by n and not by
    n − 1."""
    example = worked_example(shared_data, "two_rater_table_cont3x3abstractors")
    table, expected = np.array(example["input"]["table"]), example["expected"]
    cells = [(i, j) for (i, j), n in np.ndenumerate(table) for _ in range(n)]
    items = counts([np.bincount(cell, minlength=3) for cell in cells])
    half = 1.984217 * number(gwet_error(items)) * math.sqrt(99 / 100)
    assert gwet_ac1(items).value == pytest.approx(expected["gwet_ac1"], abs=example["tolerance"])
    assert [expected["gwet_ac1"] - half, expected["gwet_ac1"] + half] == pytest.approx(expected["ac1_ci95"], abs=1e-4)


def test_by_chance_as_published() -> None:
    """R's irr 0.84.1, kappam.fleiss(diagnoses): kappa .430, z 17.7."""
    table = counts([[int(digit) for digit in row] for row in DIAGNOSES.split()])
    kappa, error = number(fleiss_kappa(table)), number(fleiss_error_by_chance(table))
    assert kappa == pytest.approx(0.430, abs=5e-4)
    assert kappa / error == pytest.approx(17.65, abs=5e-3)


@settings(deadline=None)
@given(some_ratings(), st.sampled_from(Weights))
def test_what_each_item_adds_is_the_derivative(ratings: list[list[int | None]], weights: Weights) -> None:
    """Where every item has two judgments; items of one count with an observed agreement of 0, as in irrCAC."""
    table = rated(ratings, values=range(4))
    table = GradeCounts(table.counts[table.shared], table.values)
    for error, values in ((fleiss_error, fleiss_values), (gwet_error, gwet_values)):
        standard_error = error(table, weights=weights)
        if standard_error.value is not None:
            assert standard_error.value == pytest.approx(by_numbers(table, values, weights), abs=1e-5, rel=1e-4)


@settings(deadline=None)
@given(st.lists(st.integers(1, 30), min_size=9, max_size=9), st.sampled_from(Weights))
def test_cohens_is_the_delta_method(cells: list[int], weights: Weights) -> None:
    """With the covariance of multinomial shares."""
    table, grades = np.array(cells).reshape(3, 3), np.arange(3)
    share = table / table.sum()

    def at(shares: Floats) -> float:
        return float(cohen_values(shares.reshape(3, 3), grades, weights=weights))

    steps = STEP * np.eye(9)
    slope = np.array([(at(share.ravel() + one) - at(share.ravel() - one)) / (2 * STEP) for one in steps])
    variance = (slope**2 @ share.ravel() - (slope @ share.ravel()) ** 2) / table.sum()
    assert cohen_error(table, weights=weights).value == pytest.approx(math.sqrt(variance), abs=1e-7, rel=1e-5)


def test_by_chance_it_is_the_scatter_of_chance() -> None:
    """Kappas of 4,000 tables of 60 items, each graded by 4 people at random."""
    rng = np.random.default_rng(4)
    tables = [counts(rng.multinomial(4, [0.5, 0.3, 0.2], 60)) for _ in range(4000)]
    scatter = np.std([number(fleiss_kappa(table)) for table in tables])
    assert np.mean([number(fleiss_error_by_chance(table)) for table in tables]) == pytest.approx(scatter, rel=0.04)


@pytest.mark.parametrize("error", [fleiss_error, gwet_error, fleiss_error_by_chance])
def test_where_there_is_none_the_reason_stands(error: Callable[[GradeCounts], StandardError]) -> None:
    assert error(counts([[1, 0], [0, 1]])) == StandardError(None, "No item was judged by two people.", 2)
    assert error(counts(np.zeros((0, 2)))).reason == "There are no judgments to compare."


def test_which_reasons_there_are() -> None:
    assert fleiss_error(counts([[1, 1]])).reason.startswith("It takes at least two items")
    assert fleiss_error(counts([[2, 0], [2, 0]])).reason.startswith("All judgments compared have one and the same")
    assert fleiss_error_by_chance(counts([[2, 1], [1, 1]])).reason.startswith("The formula asks for the same number")
    assert cohen_error([[1, 0], [0, 0]]).reason.startswith("It takes at least two items")
    assert cohen_error([[5, 0], [0, 0]]).reason.startswith("All judgments compared have one and the same")
    assert gwet_error(counts([[2, 0], [2, 0]])) == StandardError(0.0, "", 2)
