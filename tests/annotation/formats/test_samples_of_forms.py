"""The samples of docs/formats.md in forms that are recognised: each is told to be what the page says, and goes in."""

import io
import re
from collections.abc import Iterable, Sized

import pytest

from annotation.formats import column_names as meanings
from annotation.formats.file_formats import Columns, recognise_format
from annotation.formats.mapping import Meaning
from annotation.formats.problems import Problems
from evaluation.formats.run.objects import SCORE, TAG
from tests.annotation.formats.test_samples_in_docs import PAGE, samples
from tests.corpus.forms import FORMATS

TAGGED = {"tag": "=bm25"}
AMBER = {"annotator": "=Amber"}
SAMPLES: list[tuple[str, str, list[tuple[str, int, Columns]]]] = [
    ("Pairs", "pairs", [("columns", 2, {}), ("table", 1, {}), ("jsonl", 1, {})]),
    ("Gold", "gold", [("columns", 2, {}), ("table", 1, {}), ("jsonl", 1, {})]),
    (
        "Qrels",
        "qrels",
        [
            ("trec", 2, {}),
            ("beir", 2, {}),
            ("three-columns", 2, {}),
            ("table", 2, {}),
            ("jsonl", 1, {}),
            ("jsonl", 1, {}),
            ("nested", 2, {}),
        ],
    ),
    ("Run", "run", [("trec", 2, {}), ("jsonl", 2, {}), ("jsonl", 2, TAGGED), ("nested", 2, TAGGED)]),
    (
        "Judgments made elsewhere",
        "judgments",
        [
            ("csv", 2, {}),
            ("tsv", 2, {}),
            ("jsonl", 1, {"grades": "relevant=1"}),
            ("mturk", 1, {}),
            ("toloka", 1, {}),
            ("quepid", 1, {}),
            ("label-studio", 1, {}),
            ("argilla", 1, {}),
            ("doccano", 1, AMBER),
            ("touchstone-csv", 1, {}),
        ],
    ),
    ("Qrels export", "qrels", [("table", 2, {})]),
    ("BEIR export", "qrels", [("beir", 2, {})]),
    ("Judgments", "judgments", [("touchstone-csv", 1, {})]),
]
CASES = [
    pytest.param(heading, kind, i, case, id=f"{heading} {i}")
    for heading, kind, cases in SAMPLES
    for i, case in enumerate(cases)
]


@pytest.mark.parametrize(("heading", "kind", "i", "case"), CASES)
def test_samples_go_in(heading: str, kind: str, i: int, case: tuple[str, int, Columns]) -> None:
    form, n_rows, columns = case
    problems, stream = Problems("sample"), io.BytesIO(samples(heading)[i].encode())
    reader, _ = recognise_format(FORMATS[kind], stream, problems)
    read = reader.read(stream, problems, columns)
    rows = list(read) if isinstance(read, Iterable) else read
    assert isinstance(rows, Sized)
    assert (reader.name, len(rows), list(problems)) == (form, n_rows, [])


WITHOUT_A_SAMPLE = {  # beside one of another kind, or of the same rows on lines of their own
    *(("gold", "trec"), ("qrels", "json"), ("run", "json"), ("judgments", "json"), ("judgments", "touchstone-jsonl")),
}


def test_each_format_has_a_sample() -> None:
    listed = {(kind, file_format.name) for kind, formats in FORMATS.items() for file_format in formats}
    assert listed - {(kind, name) for _, kind, cases in SAMPLES for name, _, _ in cases} == WITHOUT_A_SAMPLE


@pytest.mark.parametrize(("heading", "kind", "cases"), SAMPLES[:5])
def test_no_sample_is_left_unread(heading: str, kind: str, cases: list[tuple[str, int, Columns]]) -> None:
    assert len(samples(heading)) == len(cases)


def section() -> str:
    return PAGE.read_text("utf-8").partition("## How a form is told\n")[2].partition("\n## ")[0]


@pytest.mark.parametrize("kind", FORMATS)
def test_the_forms_of_each_kind_are_on_the_page(kind: str) -> None:
    row = re.search(rf"^\| {kind} \|([^|]*)\|", section(), re.MULTILINE)
    assert row
    assert re.findall(r"`([^`]+)`", row[1]) == [form.name for form in FORMATS[kind]]


@pytest.mark.parametrize("meaning", [*meanings.JUDGMENT, SCORE, TAG], ids=lambda meaning: meaning.name)
def test_the_names_of_columns_are_on_the_page(meaning: Meaning) -> None:
    row = re.search(rf"^\| {meaning.name}\b[^|]*\|(.*)\|$", section(), re.MULTILINE)
    assert row
    assert tuple(re.findall(r"`([^`]+)`", row[1])) == meaning.names
