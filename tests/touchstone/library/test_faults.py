"""What the Python face refuses, and that it says where."""

import math
from pathlib import Path
from typing import Any

import polars
import pytest

import touchstone as ts

Q: Any = {"q1": {"d1": 1, "d2": 0}}
R: Any = {"q1": {"d1": 0.5, "d2": 0.7}}


@pytest.mark.parametrize(
    ("qrels", "place"),
    [
        ({"q1": {"d1": 1, "d2": 0.7}}, "query 'q1', document 'd2'"),
        ({"q1": {"d1": None}}, "query 'q1', document 'd1'"),
        ({"q1": {"d1": "1"}}, "query 'q1', document 'd1'"),
        ({"q1": {"d1": 10**12}}, "query 'q1', document 'd1'"),
        ({"q1": {"d0": 1, None: 1}}, "query 'q1', document None"),
        ({"q1": {"d1": 1}, 1.5: {"d2": 1}}, "query 1.5, document 'd2'"),
        ({"q1": {True: 1}}, "query 'q1', document True"),
        ([("q1", "d1", 1), ("q1", "d1", 0)], "row 1"),
        ([("q1", 0, "d1", 1)], "row 0"),
        (polars.DataFrame({"qid": ["q1", "q1"], "docno": ["d1", "d2"], "rel": [1.0, 0.5]}), "row 1"),
        (polars.DataFrame({"qid": ["q1"], "docno": ["d1"]}), "grade"),
        ({}, "the qrels"),
        ([], "the qrels"),
    ],
)
def test_qrels_of_no_sense(qrels: Any, place: str) -> None:
    with pytest.raises(ValueError) as fault:  # noqa: PT011 -- its place is compared below
        ts.evaluate(qrels, R, "AP")
    assert str(fault.value).startswith("the qrels")
    assert place in str(fault.value)


@pytest.mark.parametrize(
    ("run", "place"),
    [
        ({"q1": {"d1": math.nan}}, "query 'q1', document 'd1'"),
        ({"q1": {"d1": 1, "d2": -math.inf}}, "query 'q1', document 'd2'"),
        ({"q1": {"d1": 1.0, "d2": 10**400}}, "query 'q1', document 'd2'"),
        ({"q1": {"d1": "3"}}, "query 'q1', document 'd1'"),
        ({"mine": {"q1": {"d1": math.nan}}}, "run mine"),
        ({"q1": {"": 1.0}}, "query 'q1', document ''"),
        ({"q1": {"a\0": 1.0}}, "document 'a\\x00'"),
        ({"q1": {"a\ud800": 1.0}}, "document 'a\\ud800'"),
        ([("q1", "d1", 1.0), ("q1", "d2", 1.0), ("q1", "d1", 2.0)], "row 2 (query 'q1', document 'd1')"),
        (polars.DataFrame({"qid": ["q1"], "docno": ["d1"], "score": [None]}), "row 0"),
        (polars.DataFrame({"qid": ["q"] * 2, "docno": ["a", "b"], "score": [1, 2], "run": ["x", "y"]}), "x, y"),
        ({"q1": {}}, "the run"),
        ({"q9": {"d1": 1.0}}, "q9"),
        ({}, "no runs"),
        ([], "no runs"),
    ],
)
def test_runs_of_no_sense(run: Any, place: str) -> None:
    with pytest.raises(ValueError) as fault:  # noqa: PT011 -- its place is compared below
        ts.evaluate(Q, run, "AP")
    assert place in str(fault.value)


@pytest.mark.parametrize(("qrels", "run"), [(None, R), (Q, 3), (Q, {"q1": ["d1"]}), (b"q", R), ({"q1": ["d1"]}, R)])
def test_things_of_no_kind(qrels: Any, run: Any) -> None:
    with pytest.raises(TypeError):
        ts.evaluate(qrels, run, "AP")


def test_a_file_is_refused_with_its_lines(tmp_path: Path) -> None:
    (tmp_path / "bad.run").write_text("q1 Q0 d1 1 x t\nq1 Q0 d2 2 1 t\nq1 Q0 d3 2 y t\n")
    with pytest.raises(ts.FormatError) as fault:
        ts.evaluate(Q, tmp_path / "bad.run", "AP")
    assert [(Path(one.file).name, one.line) for one in fault.value.problems] == [("bad.run", 1), ("bad.run", 3)]
    with pytest.raises(FileNotFoundError):
        ts.evaluate(tmp_path / "none", R, "AP")


def test_options_of_no_sense() -> None:
    with pytest.raises(ValueError, match="depth"):
        ts.evaluate(Q, R, "AP", depth=0)
    with pytest.raises(TypeError, match="depht"):
        ts.evaluate(Q, R, "AP", depht=10)  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="measures"):
        ts.evaluate(Q, R, [])
    with pytest.raises(ValueError, match="GMAP"):
        ts.compare(Q, {"a": R, "b": R}, ["GMAP"])
    with pytest.raises(ValueError, match="two runs"):
        ts.compare(Q, R)
