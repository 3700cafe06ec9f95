"""`ts.compare_many` gives the command's numbers."""

import json
from pathlib import Path
from typing import Any

import pytest

import touchstone as ts
from tests.evaluation.management.calling import called

QRELS = {str(n): {"a": 1, "b": 0, "c": 2} for n in range(8)}
RUNS = {
    "one": {str(n): {"c": 3.0, "a": 2.0 - n % 2, "b": 1.5} for n in range(8)},
    "two": {str(n): {"b": 3.0, "a": 2.0, "c": float(n)} for n in range(8)},
    "six": {str(n): {"b": 3.0, "a": 2.0, "c": 1.0} for n in range(8)},
}


def test_the_numbers_are_those_of_the_command(tmp_path: Path) -> None:
    rows = [f"{number} 0 {docno} {grade}\n" for number, of in QRELS.items() for docno, grade in of.items()]
    (tmp_path / "qrels").write_text("".join(rows))
    for tag, run in RUNS.items():
        lines = [f"{number} Q0 {docno} 1 {score} {tag}\n" for number, of in run.items() for docno, score in of.items()]
        (tmp_path / tag).write_text("".join(lines))
    options = ("-m", "AP", "--draws", "400", "--seed", "5", "--alpha", "0.1", "--json")
    out, _ = called("compare_many", *(tmp_path / name for name in ("qrels", *RUNS)), *options)
    (measure,) = json.loads(out)["measures"]
    many = ts.compare_many(QRELS, RUNS, "AP", n_draws=400, seed=5, alpha=0.1)
    assert many.adjusted.tolist() == measure["adjusted_p"]
    assert [(run.tag, run.interval.high, run.letters) for run in many.runs] == [
        (run["run"], run["high"], run["groups"]) for run in measure["runs"]
    ]


@pytest.mark.parametrize(
    ("measure", "reason"), [(["AP", "RR"], "by one measure, not by 2"), ("GMAP", "geometric"), ("nDGC", "nearest")]
)
def test_what_gives_no_order(measure: Any, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        ts.compare_many(QRELS, RUNS, measure)
