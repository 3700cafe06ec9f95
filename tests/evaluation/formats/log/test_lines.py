"""Whatever a reader finds wrong about a row, it names the line of that row, with blank lines before it or not."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import polars as pl
import pytest

from annotation.formats.problems import FormatError, Problems
from evaluation.engine.ab_tests.question import Question
from evaluation.formats.log import lines
from evaluation.formats.log.catalogue import read_asked, read_catalogue
from evaluation.formats.log.clicks import read_propensities
from evaluation.formats.log.query_sample import read_sample
from evaluation.formats.log.series import read_series
from evaluation.formats.log.units import read_units

READERS: dict[str, tuple[Callable[[Path, Problems], object], list[dict[str, object]]]] = {
    "series": (read_series, [{"time": 1, "value": 1}, {"time": 2, "value": 1}, {"time": 2, "value": 3}]),
    "catalogue": (read_catalogue, [{"item": "a", "x": 1}, {"item": "b", "x": 1}, {"item": "a", "x": 1}]),
    "asked": (read_asked, [{"query": "a", "n": 1}, {"query": "b", "n": 1}, {"query": "a", "n": 1}]),
    "sample": (read_sample, [{"number": n, "stratum": "s", "probability": 1} for n in ("1", "2", "1")]),
    "propensities": (
        read_propensities,
        [{"position": n, "propensity": 1} for n in (1, 2, 1)],
    ),
    "units": (
        partial(read_units, question=Question(control="A", measures=("x",)), variant="v", unit="u"),
        [{"u": n, "v": "A", "x": 1} for n in ("1", "2", "1")],
    ),
}


def written(rows: list[dict[str, object]], form: str) -> list[str]:
    """The header, where there is one, and a line a row."""
    frame = pl.DataFrame(rows)
    if form == "jsonl":
        return frame.write_ndjson().splitlines()
    text: str
    if form == "tsv":
        text = frame.write_csv(separator="\t", quote_style="never")
    else:
        text = frame.write_csv(quote_style="always" if form == "quoted" else "necessary")
    return text.splitlines()


@pytest.mark.parametrize("form", ["csv", "quoted", "tsv", "jsonl"])
@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("block", [8 << 20, 12])
def test_blank_lines_are_counted(
    tmp_path: Path, reader: str, form: str, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "BLOCK", block)
    read, rows = READERS[reader]
    *before, last = written(rows, form)
    path = tmp_path / "a"
    path.write_text("\n".join(["\n\n".join(before), "", "", last, ""]))
    with pytest.raises(FormatError) as refused:
        read(path, Problems("a"))
    assert [problem.line for problem in refused.value.problems] == [2 * len(before) + 2]


def test_parquet_counts_rows(tmp_path: Path) -> None:
    read, rows = READERS["series"]
    pl.DataFrame(rows).write_parquet(tmp_path / "a")
    with pytest.raises(FormatError) as refused:
        read(tmp_path / "a", Problems("a"))
    assert [problem.line for problem in refused.value.problems] == [3]


@pytest.mark.parametrize("reader", ["catalogue", "asked"])
def test_sums_of_numbers_stay_finite(tmp_path: Path, reader: str) -> None:
    (tmp_path / "a").write_text("id,count\na,1e308\n")
    with pytest.raises(FormatError, match=r"a:2: the count '1e308' is not .* and at most 1e\+300"):
        READERS[reader][0](tmp_path / "a", Problems("a"))


def test_a_quoted_line_end_is_refused_where_it_begins(tmp_path: Path) -> None:
    (tmp_path / "a").write_text('item,x\na,1\n\n"b\nc",1\nd,1\n')
    with pytest.raises(FormatError) as refused:
        read_catalogue(tmp_path / "a", Problems("a"))
    assert refused.value.problems[0].line == 4
