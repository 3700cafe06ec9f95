"""Any bytes as preferences, groups or diversity qrels: measured to finite numbers, or refused by line and reason."""

import io
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.formats.problems import FormatError, Problems
from evaluation.engine.diversity.evaluate import evaluate_diversity
from evaluation.engine.diversity.measures import DIVERSITY_MEASURES
from evaluation.engine.diversity.qrels import DiversityQrels
from evaluation.engine.preferences.evaluate import evaluate_groups, evaluate_preferences
from evaluation.engine.preferences.measures import GROUP_MEASURES, PREFERENCE_MEASURES
from evaluation.engine.preferences.preferences import Preferences
from evaluation.engine.scorer import MeasureValues
from evaluation.formats.diversity_qrels import parse_diversity_qrels
from evaluation.formats.preferences import PreferenceTable, parse_preferences, parse_qrels_as_preferences
from tests.corpus.mutations import changed, lines
from tests.evaluation.engine.made import made_run

RUN = made_run({number: dict.fromkeys(("a", "b", "c"), 1.0) for number in ("1", "2")})
FOUR = b"1 x a 1\n1 x b 0\n1 y a 2\n2 x c -1\n2 x d 1\n"
FIVE = b"1 x 1 a 1\n1 x 1 b 0\n1 x 2 b 0\n1 x 2 c 2.5\n1 y 1 a 2\n2 x 1 c 0\n"


def by_preferences(table: PreferenceTable) -> MeasureValues:
    preferences = Preferences.of(table.number, table.group, table.subgroup, table.docno, table.level)
    return evaluate_preferences(RUN, preferences, [family() for family in PREFERENCE_MEASURES])


def as_preferences(data: bytes, problems: Problems) -> list[MeasureValues]:
    return [by_preferences(parse_preferences(io.BytesIO(data), problems))]


def as_qrels(data: bytes, problems: Problems) -> list[MeasureValues]:
    return [by_preferences(parse_qrels_as_preferences(io.BytesIO(data), problems))]


def as_diversity(data: bytes, problems: Problems) -> list[MeasureValues]:
    table = parse_diversity_qrels(io.BytesIO(data), problems)
    qrels = DiversityQrels.of(table.number, table.subtopic, table.docno, table.grade)
    measures = [family() if family.cut == "no" else family(cutoff=5) for family in DIVERSITY_MEASURES]
    groups = [family() if family.cut == "no" else family(cutoff=2) for family in GROUP_MEASURES]
    return [evaluate_diversity(RUN, qrels, measures), evaluate_groups(RUN, qrels, groups)]


READINGS = pytest.mark.parametrize("read", [as_preferences, as_qrels, as_diversity])
Reading = Callable[[bytes, Problems], list[MeasureValues]]


def check(read: Reading, data: bytes) -> None:
    problems = Problems("any")
    try:
        evaluations = read(data, problems)
    except FormatError:
        reasons = [problem.reason for problem in problems]
        assert reasons
        assert all(reasons)
        return
    assert all(np.isfinite(evaluation.value).all() for evaluation in evaluations)
    assert all((evaluation.value >= 0).all() for evaluation in evaluations)


@READINGS
@settings(max_examples=60)
@given(changed([FOUR, FIVE]))
def test_a_file_with_some_bytes_changed(read: Reading, data: bytes) -> None:
    check(read, data)


@READINGS
@settings(max_examples=60)
@given(lines(["id", "id", "id", "number", "number"]))
def test_lines_of_odd_fields(read: Reading, data: bytes) -> None:
    check(read, data)


@settings(max_examples=200)
@given(st.lists(st.tuples(*[st.sampled_from(word) for word in ("12", "xy", "123", "abcd", "0123")]), max_size=12))
def test_rows_that_contradict_each_other(rows: list[tuple[str, ...]]) -> None:
    check(as_preferences, "".join(f"{' '.join(row)}\n" for row in rows).encode())
