"""The samples of docs/formats.md are what the readers read and the writers write."""

import io
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import BinaryIO

import pytest

from annotation.formats.documents import read_documents
from annotation.formats.judgments import COLUMNS
from annotation.formats.problems import Problems
from annotation.formats.snapshot_jsonl import DroppedPair, FrozenPair, snapshot_jsonl
from annotation.formats.topics import read_topics

PAGE = Path(__file__).resolve().parents[3] / "docs" / "formats.md"
Reader = Callable[[BinaryIO, Problems], Iterator[object]]


def samples(heading: str) -> list[str]:
    """The code blocks under a heading of the third level."""
    section = PAGE.read_text("utf-8").partition(f"\n### {heading}\n")[2]
    return re.findall(r"```\w+\n(.*?)```", re.split(r"\n##", section)[0], re.DOTALL)


@pytest.mark.parametrize(
    ("heading", "read", "rows"),
    [
        ("Topics", read_topics, [2, 1]),
        ("Documents", read_documents, [1]),
    ],
)
def test_samples_go_in(heading: str, read: Reader, rows: list[int]) -> None:
    problems = Problems("sample")
    found = [len(list(read(io.BytesIO(sample.encode()), problems))) for sample in samples(heading)]
    assert (found, list(problems), problems.notes) == (rows, [], [])


@pytest.mark.parametrize(("place", "kind"), [(0, FrozenPair), (1, DroppedPair)])
def test_samples_of_frozen_pairs_come_out(place: int, kind: type[FrozenPair] | type[DroppedPair]) -> None:
    sample = samples("Snapshot JSONL")[place]
    values = json.loads(sample)
    assert list(values) == [field.name for field in fields(kind)]
    assert b"".join(snapshot_jsonl([kind(**values)])).decode() == sample


def test_the_header_of_judgments() -> None:
    assert samples("Judgments")[0].splitlines()[0].split(",") == list(COLUMNS)
