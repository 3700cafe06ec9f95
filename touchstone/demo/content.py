"""The demo collection as it lies in the folder `content`: its texts, true grades, guideline, scale and training.

The files are in the formats that Touchstone imports, so that `CONTENT / TOPICS` can also be loaded
through the pages.
"""

import csv
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict

CONTENT = Path(__file__).resolve().parent / "content"
TOPICS, DOCUMENTS, GRADES = "topics.jsonl", "documents.jsonl", "grades.tsv"
CASES, ROUND = "guideline/cases.jsonl", "round.jsonl"


@dataclass(frozen=True)
class Topic:
    """An information need, as in TREC."""

    number: str
    title: str
    description: str
    narrative: str


@dataclass(frozen=True)
class Document:
    """One page of the almanac; `section` is the part of it where the page stands."""

    docno: str
    title: str
    text: str
    section: str


@dataclass(frozen=True)
class TrueGrade:
    """What the authors of the collection hold to be the grade of a pair, and why."""

    number: str
    docno: str
    grade: int
    reason: str


@dataclass(frozen=True)
class Guideline:
    """What annotators are told, in Markdown."""

    introduction: str
    examples: str
    edge_cases: str


class WorkedExample(TypedDict):
    """A worked example of the guideline."""

    topic: str
    document: str
    grade: int
    reason: str


@dataclass(frozen=True)
class Lesson:
    """A pair of the qualification round."""

    number: str
    docno: str
    accepted: list[int]
    hint: str
    explanation: str


class ScaleGrade(TypedDict):
    """One grade of the scale."""

    grade: int
    name: str
    definition: str
    example: str


def demo_topics() -> list[Topic]:
    """The topics, in order of their numbers."""
    return [Topic(**row) for row in _objects(TOPICS)]


def demo_documents() -> list[Document]:
    """The documents, in order of their docnos."""
    return [Document(**row) for row in _objects(DOCUMENTS)]


def demo_grades() -> list[TrueGrade]:
    """All pairs of grade 1 and above, and the zeros that somebody might doubt. A pair not listed has grade 0."""
    with (CONTENT / GRADES).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [TrueGrade(row["number"], row["docno"], int(row["grade"]), row["reason"]) for row in rows]


def demo_truth() -> dict[tuple[str, str], int]:
    """The grades of `demo_grades` by topic number and docno."""
    return {(row.number, row.docno): row.grade for row in demo_grades()}


def demo_guideline() -> Guideline:
    """The guideline in its three parts."""
    names = ("introduction", "examples", "edge_cases")
    return Guideline(*((CONTENT / "guideline" / f"{name}.md").read_text("utf-8") for name in names))


def demo_cases() -> list[WorkedExample]:
    """The worked examples of the guideline, in order."""
    return [
        WorkedExample(topic=row["topic"], document=row["document"], grade=row["grade"], reason=row["reason"])
        for row in _objects(CASES)
    ]


def demo_information() -> str:
    """What people agree to before the second batch, in Markdown."""
    return (CONTENT / "information.md").read_text("utf-8")


def demo_round() -> list[Lesson]:
    """The pairs of the qualification round, in order."""
    return [Lesson(**row) for row in _objects(ROUND)]


def demo_scale() -> list[ScaleGrade]:
    """The grades 0 to 4, each with name, definition and example."""
    scale: list[ScaleGrade] = json.loads((CONTENT / "scale.json").read_text("utf-8"))
    return scale


def _objects(name: str) -> Iterator[dict[str, Any]]:
    with (CONTENT / name).open(encoding="utf-8") as file:
        yield from (json.loads(line) for line in file)
