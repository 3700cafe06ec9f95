"""Qrels and runs from paths, mappings, frames and tuples: the same values by every way, those of pytrec_eval."""

import json
import warnings
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import polars
import pytest
import pytrec_eval

import touchstone as ts
from tests.evaluation.engine.made import Grades, Scores, random_case

GRADES: Grades = {"1": {"a": 2, "b": 0}, "2": {"a": 1}}
SCORES: Scores = {"1": {"b": 2.0, "a": 1.0}, "2": {"a": 1.0}}
# pandas is installed by requirements-dev.txt; where an environment lacks it, its frames are not made here.
PACKAGES = ("polars", *(["pandas"] if find_spec("pandas") else []))


class Qrel(NamedTuple):
    """As ir_measures has it, whose iteration comes last."""

    query_id: str
    doc_id: str
    relevance: int
    iteration: str = "0"


class ScoredDoc(NamedTuple):
    query_id: str
    doc_id: str
    score: float


def rows(of: Mapping[str, Mapping[str, Any]]) -> list[tuple[str, str, Any]]:
    return [(query, docno, value) for query, several in of.items() for docno, value in several.items()]


def stored(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text, "utf-8")
    return folder / name


def frame(package: str, columns: Sequence[str], of: Mapping[str, Mapping[str, Any]]) -> Any:
    columns_of_rows = dict(zip(columns, map(list, zip(*rows(of), strict=True)), strict=True))
    return import_module(package).DataFrame(columns_of_rows)


def value(qrels: Any, runs: Any) -> float:
    return float(ts.evaluate(qrels, runs, "RR")[0]["RR"])


@pytest.mark.parametrize(
    "make",
    [
        lambda _: GRADES,
        lambda _: rows(GRADES),
        lambda _: iter(rows(GRADES)),
        lambda _: [Qrel(*row) for row in rows(GRADES)],
        lambda _: [list(row) for row in rows(GRADES)],
        lambda _: {1: {"a": 2, "b": 0}, 2: {"a": 1}},
        lambda _: {"1": {"a": 2.0, "b": False}, "2": {"a": 1}, "3": {}},
        lambda folder: stored(folder, "qrels.txt", "1 0 a 2\n1 0 b 0\n2 0 a 1\n"),
        lambda folder: str(stored(folder, "qrels.tsv", "query-id\tcorpus-id\tscore\n1\ta\t2\n1\tb\t0\n2\ta\t1\n")),
        lambda folder: stored(folder, "qrels.json", json.dumps(GRADES)),
        lambda _: ts.read_qrels(GRADES),
        *(
            lambda _, package=package: frame(package, ("query_id", "doc_id", "relevance"), GRADES)
            for package in PACKAGES
        ),
    ],
)
def test_qrels_of_every_kind(make: Callable[[Path], Any], tmp_path: Path) -> None:
    assert value(make(tmp_path), SCORES) == 0.75


@pytest.mark.parametrize(
    ("make", "tag"),
    [
        (lambda _: SCORES, "run"),
        (lambda _: rows(SCORES), "run"),
        (lambda _: iter(rows(SCORES)), "run"),
        (lambda _: (ScoredDoc(*row) for row in rows(SCORES)), "run"),
        (lambda _: {"mine": SCORES}, "mine"),
        (lambda _: {"mine": rows(SCORES)}, "mine"),
        (lambda _: [SCORES], "run 1"),
        (lambda _: [rows(SCORES)], "run 1"),
        (lambda _: ts.read_run(SCORES, tag="read"), "read"),
        (lambda _: {"mine": ts.read_run(SCORES, tag="read")}, "mine"),
        (lambda folder: stored(folder, "x.run", "1 Q0 b 1 2 t\n1 Q0 a 2 1 t\n2 Q0 a 1 1 t\n"), "t"),
        (lambda folder: {"mine": stored(folder, "x.run", "1 Q0 b 1 2 t\n1 Q0 a 2 1 t\n2 Q0 a 1 1 t\n")}, "mine"),
        (lambda folder: [stored(folder, "x.json", json.dumps(SCORES))], "x"),
        *((lambda _, one=one: frame(one, ("qid", "docno", "score"), SCORES), "run") for one in PACKAGES),
        *((lambda _, one=one: {"mine": frame(one, ("qid", "docno", "score"), SCORES)}, "mine") for one in PACKAGES),
    ],
)
def test_runs_of_every_kind(make: Callable[[Path], Any], tag: str, tmp_path: Path) -> None:
    result = ts.evaluate(GRADES, make(tmp_path), ["RR"])
    assert (result.tags, result[tag]["RR"]) == ((tag,), 0.75)


def test_runs_of_different_kinds_stand_side_by_side(tmp_path: Path) -> None:
    file = stored(tmp_path, "x.run", "1 Q0 a 1 2 t\n2 Q0 a 1 1 t\n")
    result = ts.evaluate(GRADES, [SCORES, file, iter(rows(SCORES))], ["RR"])
    assert {run.tag: run["RR"] for run in result} == {"run 1": 0.75, "t": 1.0, "run 3": 0.75}


def test_a_frame_names_its_tag() -> None:
    named = polars.DataFrame({"qid": ["1"], "docno": ["a"], "score": [1.5], "tag": ["bm25"]})
    result = ts.evaluate(GRADES, [named, named], ["RR"])
    assert result.tags == ("bm25", "bm25 (2)")
    assert len(result.notes) == 3  # the second name, and the missing topic of each


def test_numbers_as_ids_are_those_of_the_same_text() -> None:
    assert value({1: {2: 1}}, {"1": {"2": 1.0}}) == value([("1", "2", 1)], [(1, 2, 1.0)]) == 1.0


def test_a_lazy_frame_is_refused_without_a_warning() -> None:
    lazy = polars.LazyFrame({"qid": ["1"], "docno": ["a"], "grade": [1]})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(TypeError, match="LazyFrame"):
            value(lazy, SCORES)


@pytest.mark.parametrize("seed", range(12))
def test_values_from_mappings_are_those_of_pytrec_eval(seed: int) -> None:
    grades, scores = random_case(seed)
    names = {"map": "AP", "ndcg_cut_10": "nDCG@10", "recip_rank": "RR", "bpref": "bpref", "P_5": "P@5"}
    theirs = pytrec_eval.RelevanceEvaluator(grades, set(names)).evaluate(scores)
    ours = ts.evaluate(grades, scores, [*names], averaging="retrieved", trec_eval=9)[0].per_topic
    assert ours.keys() == {query for query in theirs if grades.get(query)}
    for query, values in ours.items():
        assert values == {name: theirs[query][of_trec_eval] for of_trec_eval, name in names.items()}


@pytest.mark.parametrize("seed", range(4))
def test_mappings_rows_and_files_give_the_same_bits(seed: int, tmp_path: Path) -> None:
    grades, scores = random_case(seed)
    judged = stored(tmp_path, "qrels.txt", "".join(f"{q} 0 {d} {g}\n" for q, d, g in rows(grades)))
    run = stored(tmp_path, "x.run", "".join(f"{q} Q0 {d} 0 {s!r} x\n" for q, d, s in rows(scores)))
    by_file = ts.evaluate(judged, {"x": run}).per_topic
    assert ts.evaluate(grades, {"x": scores}).per_topic == by_file
    assert ts.evaluate(rows(grades), {"x": reversed(rows(scores))}).per_topic == by_file
