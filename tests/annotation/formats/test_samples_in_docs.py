"""The samples of docs/formats.md are what the readers read and the writers write."""

import io
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import fields
from pathlib import Path

import pytest

from annotation.formats import documents as documents_format
from annotation.formats import topics as topics_format
from annotation.formats.bundle.rows import VERSION
from annotation.formats.documents.rows import MEANINGS as DOCUMENT
from annotation.formats.file_formats import FileFormat, recognise_format
from annotation.formats.judgments import COLUMNS
from annotation.formats.mapping import Meaning
from annotation.formats.problems import Problems
from annotation.formats.snapshot_jsonl import DroppedPair, FrozenPair, snapshot_jsonl
from annotation.formats.topics.rows import MEANINGS as TOPIC
from annotation.formats.topics.rows import OWN_TEXT
from tests.corpus.texts import read_documents, read_topics

PAGE = Path(__file__).resolve().parents[3] / "docs" / "formats.md"


def samples(heading: str) -> list[str]:
    """The code blocks under a heading of the third level."""
    section = PAGE.read_text("utf-8").partition(f"\n### {heading}\n")[2]
    return re.findall(r"```\w+\n(.*?)```", re.split(r"\n##", section)[0], re.DOTALL)


@pytest.mark.parametrize(
    ("heading", "formats", "without"),
    [("Topics", topics_format.FORMATS, []), ("Documents", documents_format.FORMATS, ["tar"])],
)
def test_each_format_has_a_sample_that_goes_in(
    heading: str, formats: Sequence[FileFormat[Iterator[object]]], without: list[str]
) -> None:
    """In the order in which the formats are listed."""
    problems, names = Problems("sample"), list[str]()
    for sample in samples(heading):
        file_format, _ = recognise_format(formats, io.BytesIO(sample.encode()), problems)
        assert list(file_format.read(io.BytesIO(sample.encode()), problems, {}))
        names.append(file_format.name)
    assert (list(problems), problems.notes) == ([], [])
    assert names == [each.name for each in formats if each.name not in without]


def test_samples_of_a_kind_are_the_same_in_every_form() -> None:
    """Whichever form a topic or document comes in, it is the same one."""
    topics = [next(read_topics(io.BytesIO(text.encode()), Problems("s"))) for text in samples("Topics")]
    assert {(topic.number, topic.title) for topic in topics} == {("301", "supersonic wings")}
    whole = [topics[0], topics[3], topics[5]]
    assert len({(topic.description, topic.narrative) for topic in whole}) == 1
    documents = [next(read_documents(io.BytesIO(text.encode()), Problems("s"))) for text in samples("Documents")]
    assert {(document.docno, document.title) for document in documents} == {("FR-17", "On swept wings")}
    years = [{key.lower(): value for key, value in document.fields.items()} for document in documents]
    assert [list(year.values()) for year in years] == [["1958"]] * 4


@pytest.mark.parametrize(
    ("heading", "forms", "meanings"),
    [
        ("Topics", topics_format.FORMATS, TOPIC),
        ("Documents", documents_format.FORMATS, DOCUMENT),
    ],
)
def test_forms_and_names_are_on_the_page(
    heading: str, forms: Sequence[FileFormat[object]], meanings: Sequence[Meaning]
) -> None:
    page = PAGE.read_text("utf-8")
    row = re.search(rf"^\| {heading.lower()} \|([^|]*)\|", page, re.MULTILINE)
    assert row
    assert re.findall(r"`([^`]+)`", row[1]) == [form.name for form in forms]
    section = page.partition(f"\n### {heading}\n")[2].partition("\n### ")[0]
    for meaning in meanings:
        names = re.search(rf"^\| {meaning.name} \|([^|]*)\|", section, re.MULTILINE)
        assert names
        assert tuple(re.findall(r"`([^`]+)`", names[1])) == tuple(n for n in meaning.names if n != OWN_TEXT)


@pytest.mark.parametrize(("place", "kind"), [(0, FrozenPair), (1, DroppedPair)])
def test_samples_of_frozen_pairs_come_out(place: int, kind: type[FrozenPair] | type[DroppedPair]) -> None:
    sample = samples("Snapshot JSONL")[place]
    values = json.loads(sample)
    assert list(values) == [field.name for field in fields(kind)]
    assert b"".join(snapshot_jsonl([kind(**values)])).decode() == sample


def test_what_older_versions_of_a_bundle_lack_is_told() -> None:
    text = PAGE.read_text("utf-8")
    assert [version for version in range(1, VERSION) if f"version {version}," not in text] == []


def test_the_header_of_judgments() -> None:
    assert samples("Judgments")[0].splitlines()[0].split(",") == list(COLUMNS)
