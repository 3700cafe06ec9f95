"""Every qrels, crowd and gold file of the shared data goes in, in the form it is recognised as. Counts: its README."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import pytest

from annotation.formats import gold, outside, qrels
from annotation.formats.file_formats import Columns, FileFormat, recognise_format
from annotation.formats.problems import Problems

Row = TypeVar("Row")

pytestmark = pytest.mark.shared

QRELS = [
    ("cranfield/qrels.graded.txt", "trec", {1: 363, 2: 734, 3: 387, 4: 128}),
    ("cranfield/qrels.with-unknown.txt", "trec", {-1: 225, 1: 363, 2: 734, 3: 387, 4: 128}),
    ("cranfield/qrels.original-codes.txt", "trec", {-1: 225, 1: 128, 2: 387, 3: 734, 4: 363}),
    ("cranfield/original/cranqrel", "three-columns", {-1: 225, 1: 128, 2: 387, 3: 734, 4: 363}),
    ("robust03/qrels.robust03.txt.gz", "trec", {0: 122_722, 1: 5_667, 2: 407}),
    ("trec_eval/qrels.test", "trec", {0: 3_120, 1: 561}),
    ("qrels/qrels.dl19-passage.txt", "trec", {0: 5_158, 1: 1_601, 2: 1_804, 3: 697}),
    ("qrels/qrels.dl20-passage.txt", "trec", {0: 7_780, 1: 1_940, 2: 1_020, 3: 646}),
    ("qrels/qrels.covid-complete.txt.gz", "trec", {-1: 2, 0: 42_652, 1: 11_055, 2: 15_609}),
    ("qrels/qrels.web.201-250.txt", "trec", {-2: 234, 0: 10_090, 1: 3_044, 2: 920, 3: 179, 4: 7}),
    ("crowd/trec-rf10/qrels.nist.txt", "trec", {0: 1_501, 1: 863, 2: 913}),
    ("crowd/trec-rf10/gold.tsv", "table", {-2: 1_183, 0: 1_501, 1: 863, 2: 913}),
]


@pytest.mark.parametrize(("name", "form", "tally"), QRELS)
def test_qrels(shared_data: Path, name: str, form: str, tally: dict[int, int]) -> None:
    problems = Problems(name)
    with (shared_data / name).open("rb") as stream:
        reader, _ = recognise_format(qrels.FORMATS, stream, problems)
        table = reader.read(stream, problems, {})
    assert (reader.name, Counter(table.grade.tolist())) == (form, tally)


def test_cranfields_codes_stay_as_they_are(shared_data: Path) -> None:
    """The three columns as they were typed in 1966 and the same as TREC qrels: the same pairs, line by line."""
    tables = []
    for name in ("cranfield/original/cranqrel", "cranfield/qrels.original-codes.txt"):
        with (shared_data / name).open("rb") as stream:
            reader, _ = recognise_format(qrels.FORMATS, stream, Problems(name))
            tables.append(list(reader.read(stream, Problems(name), {}).rows()))
    assert tables[0] == tables[1]


def read(path: Path, forms: Sequence[FileFormat[Iterator[Row]]], columns: Columns) -> tuple[str, list[Row], list[str]]:
    problems = Problems("file")
    with path.open("rb") as stream:
        form, _ = recognise_format(forms, stream, problems)
        rows = list(form.read(stream, problems, columns))
    problems.check()
    return form.name, rows, [str(note) for note in problems.notes]


@pytest.mark.parametrize(
    ("name", "columns", "expected"),
    [
        (
            "trec-rf10/gold.tsv",
            {},
            ("table", {0: 1_501, 1: 863, 2: 913}, ["file: 1183 rows with a grade below 0 (unjudged) were left aside"]),
        ),
        ("trec-rf10/qrels.nist.txt", {}, ("trec", {0: 1_501, 1: 863, 2: 913}, [])),
        ("snow-rte/gold.tsv", {"number": "=rte"}, ("table", {0: 400, 1: 400}, [])),
    ],
)
def test_gold(shared_data: Path, name: str, columns: Columns, expected: tuple[str, dict[int, int], list[str]]) -> None:
    form, rows, notes = read(shared_data / "crowd" / name, gold.FORMATS, columns)
    assert (form, Counter(row.grade for row in rows), notes) == expected


@pytest.mark.parametrize(
    ("name", "columns", "tally", "n"),
    [
        ("trec-rf10/judgments.tsv.gz", {}, {-2: 6_670, 0: 30_819, 1: 36_036, 2: 24_928}, (98_453, 766, 20_232)),
        ("snow-rte/judgments.tsv", {"number": "=rte"}, {0: 3_419, 1: 4_581}, (8_000, 164, 800)),
    ],
)
def test_crowd(shared_data: Path, name: str, columns: Columns, tally: dict[int, int], n: tuple[int, int, int]) -> None:
    """`n`: judgments, annotators, pairs."""
    form, rows, notes = read(shared_data / "crowd" / name, outside.FORMATS, columns)
    assert (form, notes, Counter(row.grade for row in rows)) == ("tsv", [], tally)
    assert (len(rows), len({row.annotator for row in rows}), len({(row.number, row.docno) for row in rows})) == n
    assert [row.line for row in rows] == list(range(2, len(rows) + 2))
