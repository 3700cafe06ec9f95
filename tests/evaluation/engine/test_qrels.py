"""Qrels given as columns: what the readers of files refuse is refused here too, and never read otherwise."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from evaluation.engine.diversity.qrels import DiversityQrels
from evaluation.engine.qrels import Qrels
from evaluation.engine.sampled import Prels

QrelsOf = Callable[[Sequence[str], Sequence[object]], object]


def plain(docno: Sequence[str], grade: Sequence[object]) -> Qrels:
    return Qrels.of(["q"] * len(docno), docno, grade)  # type: ignore[arg-type]


def with_subtopics(docno: Sequence[str], grade: Sequence[object]) -> DiversityQrels:
    return DiversityQrels.of(["q"] * len(docno), ["s"] * len(docno), docno, grade)  # type: ignore[arg-type]


def with_probabilities(docno: Sequence[str], grade: Sequence[object]) -> Prels:
    return Prels.with_probabilities(["q"] * len(docno), docno, grade, [0.5] * len(docno))  # type: ignore[arg-type]


def stratified(docno: Sequence[str], grade: Sequence[object]) -> Prels:
    return Prels.stratified(["q"] * len(docno), docno, ["1"] * len(docno), grade)  # type: ignore[arg-type]


@pytest.fixture(params=[plain, with_subtopics, with_probabilities, stratified])
def qrels_of(request: pytest.FixtureRequest) -> QrelsOf:
    function: QrelsOf = request.param
    return function


@pytest.mark.parametrize("grade", [0.7, float("nan"), float("inf"), 1e12, -(2**63), "1", None, 2**80])
def test_a_grade_that_is_no_whole_number_is_named(qrels_of: QrelsOf, grade: object) -> None:
    with pytest.raises(ValueError, match=r"row 1: the grade .* is not a whole number of at most nine digits"):
        qrels_of(["a", "b"], [1, grade])


def test_a_document_twice_is_named(qrels_of: QrelsOf) -> None:
    with pytest.raises(ValueError, match=r"row 2: document 'a' is already judged for .*topic 'q'"):
        qrels_of(["a", "b", "a"], [1, 0, 1])


@pytest.mark.parametrize(
    "grades",
    [
        [2, 0, -1],
        [2.0, 0.0, -1.0],
        np.array([2, 0, -1], np.int8),
        np.array([2, 0, -1], np.float32),
        np.array([2, 0.0, np.int64(-1)], object),
    ],
)
def test_whole_numbers_of_any_type_are_the_same_grades(grades: Sequence[float]) -> None:
    assert plain(["a", "b", "c"], grades).ideal_grade.tolist() == [2, 0, -1]


def test_whether_a_document_is_relevant_may_be_said_by_true_and_false() -> None:
    assert plain(["a", "b"], [True, False]).ideal_grade.tolist() == [1, 0]
    assert Qrels.of(["q", "q"], ["a", "b"], np.array([3, 0], np.uint8)).ideal_grade.tolist() == [3, 0]


def test_a_document_may_be_judged_for_several_topics_and_subtopics() -> None:
    assert Qrels.of(["q", "r"], ["a", "a"], [1, 0]).n_topics == 2
    assert DiversityQrels.of(["q", "q"], ["s", "t"], ["a", "a"], [1, 0]).n_intents == 2


def test_grades_come_in_one_column() -> None:
    with pytest.raises(ValueError, match=r"grades come as \(n_pairs,\), not in the shape \(1, 1\)"):
        Qrels.of(["q"], ["a"], np.array([[1]]))
