"""A run's rankings beside qrels, read as the scorer reads them."""

import pytest

from evaluation.engine.measures import parse_measure
from evaluation.engine.one_run import precision_at_recall, ranking, unjudged
from evaluation.engine.scorer import evaluate
from tests.evaluation.engine.made import made_qrels, made_run, random_case

QRELS = made_qrels({"1": {"a": 2, "b": 0, "c": -1}, "2": {"a": 1}, "3": {"z": 1}})
RUN = made_run({"1": {"b": 9.0, "x": 8.0, "a": 7.0, "c": 6.0}, "2": {"y": 3.0, "a": 3.0}, "9": {"q": 1.0}})


def test_a_ranking_has_grades_and_says_what_is_unjudged() -> None:
    rows = ranking(RUN, QRELS, "1", depth=10)
    assert [(row.rank, row.docno, row.score, row.grade) for row in rows] == [
        (1, "b", 9.0, 0), (2, "x", 8.0, None), (3, "a", 7.0, 2), (4, "c", 6.0, None),
    ]  # fmt: skip
    assert [row.docno for row in ranking(RUN, QRELS, "1", depth=2)] == ["b", "x"]


def test_documents_of_equal_score_stand_as_they_are_evaluated() -> None:
    assert [row.docno for row in ranking(RUN, QRELS, "2", depth=9)] == ["y", "a"]  # docno descending


def test_topics_that_one_side_lacks() -> None:
    assert ranking(RUN, QRELS, "3", depth=9) == []
    assert [row.grade for row in ranking(RUN, QRELS, "9", depth=9)] == [None]


def test_what_is_unjudged_comes_rank_by_rank_of_the_topics_of_the_qrels() -> None:
    rows = [(row.number, row.docno, row.rank) for row in unjudged(RUN, QRELS, depth=4)]
    assert rows == [("2", "y", 1), ("1", "x", 2), ("1", "c", 4)]
    assert unjudged(RUN, QRELS, depth=1)[0].docno == "y"


@pytest.mark.parametrize("seed", range(20))
def test_judged_documents_are_those_that_the_measure_counts(seed: int) -> None:
    grades, scores = random_case(seed)
    run, qrels = made_run(scores), made_qrels(grades)
    judged = parse_measure("Judged@5")
    values = evaluate(run, qrels, [judged])
    for number, value in zip(values.numbers, values.value[:, 0].tolist(), strict=True):
        rows = ranking(run, qrels, number, depth=5)
        share = sum(row.grade is not None for row in rows) / max(1, len(rows))
        assert value == pytest.approx(share)


def test_precision_at_recall_is_interpolated() -> None:
    """Topic 1: the only relevant document at rank 3; topic 2: at rank 2; topic 3 is missing."""
    values = precision_at_recall(RUN, QRELS, averaging="complete")
    assert values == pytest.approx([(1 / 3 + 1 / 2 + 0) / 3] * 11)
