"""Documents of two runs on one topic: values are those of an evaluation, parts are found again by brute force."""

import random

import pytest

from evaluation.engine.measures import parse_measure
from evaluation.engine.options import Options
from evaluation.engine.run import PackedRun
from evaluation.engine.scorer import evaluate_runs
from evaluation.engine.side_by_side import side_by_side
from tests.evaluation.engine.made import Grades, made_qrels, made_run

NUMBER, NUMBERS, OPTIONS = "7", ("1", "7", "9"), Options(max_grade=3)


def two_runs() -> tuple[tuple[PackedRun, PackedRun], Grades]:
    """Two runs of three topics; every other document is judged."""
    draw = random.Random(4)
    one, two = (
        made_run({number: {f"d{n}": draw.random() for n in range(30)} for number in NUMBERS}, tag)
        for tag in ("one", "two")
    )
    return (one, two), {number: {f"d{n}": draw.randint(0, 3) for n in range(0, 30, 2)} for number in NUMBERS}


def difference(runs: tuple[PackedRun, PackedRun], grades: Grades, name: str) -> float:
    measures = [parse_measure(name)]
    values = evaluate_runs(list(runs), made_qrels(grades), measures, averaging="complete", options=OPTIONS)
    first, second = (float(one.value[one.numbers.index(NUMBER), 0]) for one in values)
    return first - second


@pytest.mark.parametrize("name", ["nDCG@10", "AP", "RR", "ERR@5"])
def test_each_part_is_what_goes_where_the_document_is_not_relevant(name: str) -> None:
    runs, grades = two_runs()
    beside = side_by_side(runs, made_qrels(grades), NUMBER, parse_measure(name), OPTIONS)
    assert beside.difference == pytest.approx(difference(runs, grades, name), abs=1e-12)
    for one in beside.documents:
        without = {**grades, NUMBER: {**grades[NUMBER], **({one.docno: 0} if one.docno in grades[NUMBER] else {})}}
        assert one.part == pytest.approx(beside.difference - difference(runs, without, name), abs=1e-12)
    sizes = [abs(one.part) for one in beside.documents]
    assert sizes == sorted(sizes, reverse=True)
    assert max(sizes) > 0


def test_who_is_there_and_where() -> None:
    runs, grades = two_runs()
    beside = side_by_side(runs, made_qrels(grades), NUMBER, parse_measure("nDCG@5"), OPTIONS)
    for which in (0, 1):
        assert sorted(rank for one in beside.documents if (rank := one.ranks[which])) == [1, 2, 3, 4, 5]
    assert {one.grade is None for one in beside.documents} == {True, False}
    with pytest.raises(ValueError, match="no topic 8"):
        side_by_side(runs, made_qrels(grades), "8", parse_measure("AP"), OPTIONS)
