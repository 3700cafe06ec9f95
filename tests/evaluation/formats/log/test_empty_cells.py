"""Empty cells, in whatever form, are one segment and one stratum: that of those without a value."""

import json
from pathlib import Path

import polars as pl
import pytest

from annotation.formats.problems import Problems
from evaluation.engine.ab_tests.question import Question
from evaluation.formats.log.catalogue import read_catalogue
from evaluation.formats.log.queries import Division, read_query_log
from evaluation.formats.log.units import read_units

CATEGORY = ("", None, "(none)", "", "(none)", "fi", "fi")
ROWS = [
    {"arm": arm, "spent": n, "user": f"u{n}", "item": f"u{n}", "query": f"q{n}", "category": category}
    for n, (arm, category) in enumerate(zip("AAABBBA", CATEGORY, strict=True), 1)
]


@pytest.fixture(params=["csv", "jsonl", "parquet"])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / f"log.{request.param}"
    frame = pl.DataFrame(ROWS)
    if request.param == "csv":
        frame.write_csv(path)
    elif request.param == "jsonl":
        path.write_text("".join(f"{json.dumps(row)}\n" for row in ROWS))
    else:
        frame.write_parquet(path)
    return path


@pytest.mark.parametrize("cluster", [None, "user"])
def test_units_without_a_segment_are_counted_once_each(cluster: str | None, log: Path) -> None:
    question = Question(control="A", measures=("spent",), segments=("category",), cluster=cluster)
    units = read_units(log, Problems("log"), question, variant="arm")
    parts = units.cluster_segments if cluster else units.segments
    sizes = {name: {arm: one.n for arm, one in arms.items()} for name, arms in parts["category"].items()}
    assert sizes == {"(none)": {"A": 3, "B": 2}, "fi": {"A": 1, "B": 1}}


def test_strata_and_categories_take_them_alike(log: Path) -> None:
    strata = read_query_log(log, Problems("log"), Division(by="category")).size
    assert strata == {"(none)": 5, "fi": 2}
    category = read_catalogue(log, Problems("log")).category
    assert category is not None
    assert category.tolist() == [-1, -1, 0, -1, 0, 1, 1]  # of items, those without one stand apart
