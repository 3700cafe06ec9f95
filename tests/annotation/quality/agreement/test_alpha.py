"""Krippendorff's alpha: by hand, from papers, and beside the package krippendorff."""

from pathlib import Path

import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings

from annotation.quality.agreement import Level, krippendorff_alpha
from annotation.quality.agreement.alpha import alpha_at
from annotation.quality.agreement.sums import Sums
from annotation.quality.agreement.weights import Weights, agreement_weights
from tests.annotation.quality.agreement.tables import KRIPPENDORFF, counts, rated, some_ratings
from tests.annotation.quality.worked import worked_example

PUBLISHED = {"nominal": 0.743421052631579, "ordinal": 0.8153875037548814, "interval": 0.8491071428571428}


def test_alpha_by_hand() -> None:
    """Pairs 00, 01, 11: 1 − (n − 1)·Σ observed/Σ expected with n = 6, margins 3 and 3: 1 − 5·2/(2·3·3) = 4/9."""
    for level in Level:
        alpha = krippendorff_alpha(counts([[2, 0], [1, 1], [0, 2], [1, 0]]), level=level)
        assert alpha.value == pytest.approx(4 / 9, abs=1e-15)
        assert (alpha.n_items, alpha.n_judgments, alpha.reason) == (3, 6, "")


@pytest.mark.parametrize("level", PUBLISHED)
def test_alpha_of_krippendorffs_own_table(level: str) -> None:
    """Printed in the paper: .743, .815, .849."""
    alpha = krippendorff_alpha(rated(KRIPPENDORFF), level=Level(level))
    assert alpha.value == pytest.approx(PUBLISHED[level], abs=1e-12)


def test_the_ratio_level_of_krippendorffs_own_table() -> None:
    """Printed in the paper: .797."""
    assert krippendorff_alpha(rated(KRIPPENDORFF), level=Level.RATIO).value == pytest.approx(0.797, abs=5e-4)


def test_interval_and_ratio_use_the_grades_themselves() -> None:
    rows = [[2, 0, 0], [1, 1, 0], [0, 1, 1], [0, 0, 2]]

    def alpha(values: list[int], level: Level) -> float:
        return krippendorff_alpha(counts(rows, values), level=level).value or 0

    assert alpha([0, 2, 4], Level.INTERVAL) == pytest.approx(alpha([0, 1, 2], Level.INTERVAL), abs=1e-15)
    assert alpha([0, 1, 10], Level.INTERVAL) != pytest.approx(alpha([0, 1, 2], Level.INTERVAL), abs=0.01)
    assert alpha([1, 2, 3], Level.RATIO) != pytest.approx(alpha([0, 1, 2], Level.RATIO), abs=0.01)
    assert alpha([0, 1, 10], Level.ORDINAL) == alpha([0, 1, 2], Level.ORDINAL)


@settings(max_examples=60)
@given(some_ratings())
def test_alpha_beside_the_package(ratings: list[list[int | None]]) -> None:
    """krippendorff 0.9.0, which refuses what is undefined here."""
    given_ratings = np.array([[np.nan if grade is None else grade for grade in row] for row in ratings])
    table = rated(ratings, range(4))
    for level in Level:
        alpha = krippendorff_alpha(table, level=level)
        if alpha.value is None:
            continue
        expected = krippendorff.alpha(
            reliability_data=given_ratings, level_of_measurement=level.value, value_domain=[0, 1, 2, 3]
        )
        assert alpha.value == pytest.approx(expected, abs=1e-9)


@pytest.mark.shared
@pytest.mark.parametrize(
    "name", ["2011_4x12_nominal", "2011_4x12_ordinal", "2011_4x12_interval", "strings_3x4_nominal"]
)
def test_worked_examples_of_alpha(shared_data: Path, name: str) -> None:
    example = worked_example(shared_data, f"krippendorff_alpha_{name}")
    alpha = krippendorff_alpha(rated(example["input"]["ratings_by_observer"]), level=Level(example["input"]["level"]))
    assert alpha.value == pytest.approx(example["expected"]["alpha"], abs=example["tolerance"])


@pytest.mark.shared
def test_worked_example_of_one_grade(shared_data: Path) -> None:
    example = worked_example(shared_data, "alpha_all_same_grade_undefined")
    alpha = krippendorff_alpha(rated(example["input"]["ratings_by_observer"]))
    assert (alpha.value, alpha.defined) == (example["expected"]["alpha"], False)
    assert "one and the same grade" in alpha.reason


@pytest.mark.shared
def test_worked_example_of_two_kinds_of_ordinal(shared_data: Path) -> None:
    """trap_ordinal_weights_differ: Krippendorff's ordinal distances are not Gwet's ordinal weights."""
    example = worked_example(shared_data, "trap_ordinal_weights_differ")
    table, near = rated(KRIPPENDORFF), example["tolerance"]
    alpha = krippendorff_alpha(table, level=Level.ORDINAL).value
    assert alpha == pytest.approx(example["expected"]["krippendorff_ordinal"], abs=near)
    for weights, name in (
        (Weights.ORDINAL, "gwet_style_ordinal_weights"),
        (Weights.LINEAR, "linear"),
        (Weights.QUADRATIC, "quadratic_equals_interval"),
    ):
        weighted = alpha_at(Sums.of(table).coincidence, 1 - agreement_weights(table.values, weights))
        assert float(weighted) == pytest.approx(example["expected"][name], abs=near)
