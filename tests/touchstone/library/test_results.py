"""What comes back: means, values by topic, tables, frames; and the same comparison as the command's."""

import csv
import dataclasses
import io
import json
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import touchstone as ts
from tests.evaluation.engine.made import random_case
from tests.evaluation.management.calling import called

GRADES = {f"q{i}": {"d1": 1, "d2": 0} for i in range(5)}
RUNS = {
    "a": {f"q{i}": {"d1": float(i % 2), "d2": 0.5} for i in range(5)},
    "b": {f"q{i}": {"d1": 1.0, "d2": 0.5} for i in range(5)},
    "c": {f"q{i}": {"d1": float(i > 3), "d2": 0.5} for i in range(5)},
}


def test_values_by_run_measure_and_topic() -> None:
    result = ts.evaluate(GRADES, RUNS, ["AP", ts.P @ 1])
    assert result.mean == {"a": {"AP": 0.7, "P@1": 0.4}, "b": {"AP": 1, "P@1": 1}, "c": {"AP": 0.6, "P@1": 0.2}}
    assert result["a"].per_topic["q0"] == {"AP": 0.5, "P@1": 0.0}
    assert result["a"]["P_1"] == result[0]["P@1"] == result["a"][ts.P @ 1] == 0.4
    assert result["b"].value.shape == (5, 2)
    assert (len(result), result.tags, result.measures) == (3, ("a", "b", "c"), ("AP", "P@1"))
    for wrong in ("d", 7):
        with pytest.raises(LookupError):
            result[wrong]
    with pytest.raises(KeyError, match="P@2"):
        result["a"]["P@2"]


def test_results_cannot_be_changed() -> None:
    result = ts.evaluate(GRADES, RUNS)
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.runs = ()  # type: ignore[misc]


def test_notes_say_what_was_left_out() -> None:
    result = ts.evaluate({**GRADES, "q9": {"d1": 0}}, {**RUNS, "d": {"q0": {"d1": 1.0}}})
    assert len(result.notes) == 2 * 4
    assert result["d"].evaluation.missing == ("q1", "q2", "q3", "q4", "q9")


def test_frames() -> None:
    result = ts.evaluate(GRADES, RUNS, ["AP", "P@1"])
    assert result.to_polars().rows() == [("a", 0.7, 0.4), ("b", 1.0, 1.0), ("c", 0.6, 0.2)]
    per_topic = result.to_polars(per_topic=True)
    assert (per_topic.columns, per_topic.height) == (["run", "topic", "AP", "P@1"], 15)
    assert per_topic.row(1) == ("a", "q1", 1.0, 1.0)
    comparison = ts.compare(GRADES, RUNS, ["AP", "P@1"])
    assert comparison.to_polars()["second"].to_list() == ["b", "c", "c"] * 2


def test_frames_of_pandas_or_how_to_have_them() -> None:
    result, comparison = ts.evaluate(GRADES, RUNS, ["AP"]), ts.compare(GRADES, RUNS, ["AP"])
    if not find_spec("pandas"):
        with pytest.raises(ImportError, match="pip install pandas"):
            result.to_pandas()
        return
    assert result.to_pandas().to_dict("list") == {"run": ["a", "b", "c"], "AP": [0.7, 1.0, 0.6]}
    assert result.to_pandas(per_topic=True).shape == (15, 3)
    assert comparison.to_pandas()["first"].to_list() == ["a", "a", "b"]


def test_texts_are_those_of_the_commands(tmp_path: Path) -> None:
    grades, scores = random_case(3)
    other = {query: {docno: -score for docno, score in each.items()} for query, each in scores.items()}
    files = [tmp_path / "qrels.txt", tmp_path / "x.run", tmp_path / "y.run"]
    files[0].write_text("".join(f"{q} 0 {d} {g}\n" for q, each in grades.items() for d, g in each.items()))
    for file, run in zip(files[1:], (scores, other), strict=True):
        text = (f"{q} Q0 {d} 0 {s!r} {file.stem}\n" for q, each in run.items() for d, s in each.items())
        file.write_text("".join(text))
    runs = {"x": scores, "y": other}
    for form in ("table", "csv", "json", "latex"):
        evaluated = called("evaluate", *files, "--per-topic", "--format", form)[0]
        assert ts.evaluate(grades, runs).to_text(form, per_topic=True) == evaluated
        compared = called("compare", *files, "--format", form, "--seed", "7")[0]
        assert ts.compare(grades, runs, rng=7).to_text(form) == compared
    assert "\n".join(ts.evaluate(*files[:2]).notes) == called("evaluate", *files[:2])[1].strip()
    with pytest.raises(ValueError, match="xml"):
        ts.evaluate(grades, runs).to_text("xml")


def test_a_comparison_by_measure() -> None:
    result = ts.compare(GRADES, RUNS, ["AP", ts.P @ 1], baseline="b", test="t", minimum_difference=0.1)
    assert [(pair.first, pair.second) for pair in result["P_1"].pairs] == [("a", "b"), ("c", "b")]
    assert [one.measure for one in result] == ["AP", "P@1"]
    assert len(result.agreement) == 1
    rows = list(csv.DictReader(io.StringIO(result.to_text("csv"))))
    assert len(rows) == 4
    with pytest.raises(KeyError):
        result["R@1"]


def test_a_generator_draws_and_leaves_no_seed() -> None:
    result = ts.compare(GRADES, RUNS, "AP", test="bootstrap", rng=np.random.default_rng(3))
    assert json.loads(result.to_text("json"))["seed"] is None
    assert result["AP"].pairs[0].p == ts.compare(GRADES, RUNS, "AP", test="bootstrap", rng=3)["AP"].pairs[0].p


def test_the_repr_is_the_table() -> None:
    result = ts.evaluate(GRADES, RUNS, ["AP"])
    assert repr(result).splitlines()[1] == "a    0.7000"
    assert repr(result["b"]).splitlines()[1] == "b    1.0000"
    assert repr(ts.compare(GRADES, RUNS, ["AP"])).startswith("AP: 5 topics")
