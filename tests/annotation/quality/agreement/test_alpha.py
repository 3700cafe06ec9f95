"""Krippendorff's alpha: by hand, from papers, on real crowds, and beside the package krippendorff."""

import csv
import gzip
from pathlib import Path

import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings

from annotation.quality.agreement import Level, counts_of_votes, krippendorff_alpha
from annotation.quality.agreement.alpha import alpha_at
from annotation.quality.agreement.counts import GradeCounts
from annotation.quality.agreement.fleiss import fleiss_kappa
from annotation.quality.agreement.sums import Sums
from annotation.quality.agreement.weights import Weights, agreement_weights
from annotation.quality.counted import counted_rows
from annotation.quality.scale import Scale
from annotation.quality.table import JudgmentTable
from annotation.quality.votes import Votes
from tests.annotation.quality.agreement.tables import KRIPPENDORFF, counts, rated, some_ratings
from tests.annotation.quality.build import table_of
from tests.annotation.quality.worked import worked_example

PUBLISHED = {"nominal": 0.743421052631579, "ordinal": 0.8153875037548814, "interval": 0.8491071428571428}


def test_alpha_by_hand() -> None:
    """Pairs 00, 01, 11: 1 − (n − 1)·Σ observed/Σ expected with n = 6, margins 3 and 3: 1 − 5·2/(2·3·3) = 4/9."""
    for level in Level:
        found = krippendorff_alpha(counts([[2, 0], [1, 1], [0, 2], [1, 0]]), level=level)
        assert found.value == pytest.approx(4 / 9, abs=1e-15)
        assert (found.n_items, found.n_judgments, found.reason) == (3, 6, "")


@pytest.mark.parametrize("level", PUBLISHED)
def test_alpha_of_krippendorffs_own_table(level: str) -> None:
    """Printed in the paper: .743, .815, .849."""
    found = krippendorff_alpha(rated(KRIPPENDORFF), level=Level(level))
    assert found.value == pytest.approx(PUBLISHED[level], abs=1e-12)


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
        found = krippendorff_alpha(table, level=level)
        if found.value is None:
            continue
        expected = krippendorff.alpha(
            reliability_data=given_ratings, level_of_measurement=level.value, value_domain=[0, 1, 2, 3]
        )
        assert found.value == pytest.approx(expected, abs=1e-9)


@pytest.mark.shared
@pytest.mark.parametrize(
    "name", ["2011_4x12_nominal", "2011_4x12_ordinal", "2011_4x12_interval", "strings_3x4_nominal"]
)
def test_worked_examples_of_alpha(shared_data: Path, name: str) -> None:
    example = worked_example(shared_data, f"krippendorff_alpha_{name}")
    found = krippendorff_alpha(rated(example["input"]["ratings_by_observer"]), level=Level(example["input"]["level"]))
    assert found.value == pytest.approx(example["expected"]["alpha"], abs=example["tolerance"])


@pytest.mark.shared
def test_worked_example_of_one_grade(shared_data: Path) -> None:
    example = worked_example(shared_data, "alpha_all_same_grade_undefined")
    found = krippendorff_alpha(rated(example["input"]["ratings_by_observer"]))
    assert (found.value, found.defined) == (example["expected"]["alpha"], False)
    assert "one and the same grade" in found.reason


@pytest.mark.shared
def test_worked_example_of_two_kinds_of_ordinal(shared_data: Path) -> None:
    """trap_ordinal_weights_differ: Krippendorff's ordinal distances are not Gwet's ordinal weights."""
    example = worked_example(shared_data, "trap_ordinal_weights_differ")
    table, near = rated(KRIPPENDORFF), example["tolerance"]
    found = krippendorff_alpha(table, level=Level.ORDINAL).value
    assert found == pytest.approx(example["expected"]["krippendorff_ordinal"], abs=near)
    for weights, name in (
        (Weights.ORDINAL, "gwet_style_ordinal_weights"),
        (Weights.LINEAR, "linear"),
        (Weights.QUADRATIC, "quadratic_equals_interval"),
    ):
        weighted = alpha_at(Sums.of(table).coincidence, 1 - agreement_weights(table.values, weights))
        assert float(weighted) == pytest.approx(example["expected"][name], abs=near)


def crowd(shared_data: Path, name: str) -> tuple[list[list[str]], dict[str, float]]:
    file = shared_data / "crowd" / name / "judgments.tsv"
    with gzip.open(f"{file}.gz", "rt") if not file.exists() else file.open(encoding="utf-8") as stream:
        rows = list(csv.reader(stream, delimiter="\t"))[1:]
    with (shared_data / "crowd" / "reference_agreement.tsv").open(encoding="utf-8") as stream:
        lines = list(csv.reader(stream, delimiter="\t"))
    return rows, {f"{data}|{statistic}": float(value) for data, statistic, value in lines[1:]}


def all_counts(table: JudgmentTable, scale: Scale) -> tuple[GradeCounts, int]:
    row = counted_rows(table, scale=scale)
    pair, index = np.unique(table.pair[row], return_inverse=True)
    return counts_of_votes(Votes(index, table.annotator[row], table.grade[row], len(pair)), scale), len(row)


@pytest.mark.shared
def test_rf10_equals_the_reference_values(shared_data: Path) -> None:
    """crowd/reference_agreement.tsv: package krippendorff 0.9.0."""
    rows, expected = crowd(shared_data, "trec-rf10")
    kept = [(topic, docno, worker, int(grade)) for topic, docno, worker, grade in rows if grade != "-2"]
    table, n = all_counts(table_of(kept), Scale((0, 1, 2)))
    data = "trec-rf10 (labels 0..2; -2 rows removed first)|"
    assert (n, len(table.counts)) == (expected[f"{data}judgments_used"], expected[f"{data}items"])
    assert table.n_annotators == expected[f"{data}annotators"]
    for level in (Level.NOMINAL, Level.ORDINAL, Level.INTERVAL):
        found = krippendorff_alpha(table, level=level)
        assert found.value == pytest.approx(expected[f"{data}krippendorff_alpha_{level}"], abs=5e-7)


@pytest.mark.shared
def test_rf10_with_broken_links_as_a_grade(shared_data: Path) -> None:
    rows, expected = crowd(shared_data, "trec-rf10")
    every = [(topic, docno, worker, 3 if grade == "-2" else int(grade)) for topic, docno, worker, grade in rows]
    table, n = all_counts(table_of(every), Scale((0, 1, 2, 3)))
    data = "trec-rf10 (labels -2,0,1,2)|"
    assert (n, len(table.counts)) == (expected[f"{data}judgments_used"], expected[f"{data}items"])
    assert table.n_annotators == expected[f"{data}annotators"]
    found = krippendorff_alpha(table, level=Level.NOMINAL)
    assert found.value == pytest.approx(expected[f"{data}krippendorff_alpha_nominal"], abs=5e-7)


@pytest.mark.shared
def test_snow_rte_equals_the_reference_values(shared_data: Path) -> None:
    """crowd/reference_agreement.tsv: krippendorff 0.9.0, and Fleiss' kappa of statsmodels."""
    rows, expected = crowd(shared_data, "snow-rte")
    table, n = all_counts(table_of([("rte", item, worker, int(grade)) for item, worker, grade in rows]), Scale((0, 1)))
    assert (n, len(table.counts)) == (expected["snow-rte|judgments_used"], expected["snow-rte|items"])
    assert table.n_annotators == expected["snow-rte|annotators"]
    for level in (Level.NOMINAL, Level.ORDINAL, Level.INTERVAL):
        found = krippendorff_alpha(table, level=level)
        assert found.value == pytest.approx(expected[f"snow-rte|krippendorff_alpha_{level}"], abs=5e-7)
    assert fleiss_kappa(table).value == pytest.approx(expected["snow-rte|fleiss_kappa"], abs=5e-7)
