"""docs/formats.md names every column of every table that leaves as CSV, in the order of the file."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from annotation.batches.pages.tables import ADDED, MISSING, OVERLAP
from annotation.health.pages.tables import TABLES as HEALTH_TABLES
from annotation.kernel.tables import Column, Kind
from annotation.review.pages.contested_tables import DECISIONS, MINDS, WAITING
from annotation.review.pages.gold_tables import GOLD, GOLD_TABLES, OBJECTIONS
from annotation.trust.pages.annotator import PERSON_TABLES
from annotation.trust.pages.couples import COUPLES
from annotation.trust.pages.pausing_tables import PAUSING_TABLES
from annotation.trust.pages.people_columns import ANNOTATORS
from annotation.trust.pages.policy_tables import COMPARED, CONFIDENCE
from annotation.trust.pages.quality_tables import QUALITY_TABLES, WITHHELD
from tests.test_docs import page

Columns = Sequence[Column[Any]]

COLUMNS: Mapping[str, Columns] = {
    **{f"Health CSV: {name}": table.columns for name, table in HEALTH_TABLES.items()},
    **{f"Gold tables CSV: gold/{name}": table.columns for name, table in GOLD_TABLES.items()},
    "Gold tables CSV: gold/objections": OBJECTIONS.columns,
    **{f"Quality tables CSV: {name}": table.columns for name, table in QUALITY_TABLES.items()},
    "Quality tables CSV: withheld": WITHHELD,
    **{f"Standing tables CSV: {name}": table.columns for name, table in PAUSING_TABLES.items()},
    "Standing tables CSV: missing": MISSING.columns,
    "Standing tables CSV: added": ADDED.columns,
    **{f"Annotator tables CSV: {name}": table.columns for name, table in PERSON_TABLES.items()},
    "Policy tables CSV: policies/compare": COMPARED.columns,
    "Policy tables CSV: policies/calibration": CONFIDENCE.columns,
    "Contested pairs CSV: contested/waiting": WAITING,
    "Contested pairs CSV: contested/minds": MINDS,
}
SAMPLES: Mapping[str, Columns] = {
    "Annotators CSV": ANNOTATORS.columns,
    "Couples CSV": COUPLES.columns,
    "Gold table CSV": GOLD,
    "Overlap CSV": OVERLAP.columns,
}
_ROW = re.compile(r"\| `([\w/-]+)\.csv` \| (.*) \|")


def columns_in_docs(text: str) -> dict[str, list[str]]:
    """By heading and file, what stands before the colon; remarks in brackets aside."""
    names, heading = {}, ""
    for line in text.splitlines():
        heading = line.removeprefix("### ") if line.startswith("### ") else heading
        if row := _ROW.fullmatch(line):
            names[f"{heading}: {row[1]}"] = re.sub(r" \([^)]*\)", "", row[2]).partition(":")[0].split(", ")
    return names


def header_in_docs(heading: str) -> list[str]:
    """The first line of the sample below a heading."""
    section = page("formats").partition(f"\n### {heading}\n")[2]
    return section.partition("```text\n")[2].partition("\n")[0].split(",")


def test_every_row_is_of_a_table() -> None:
    assert columns_in_docs(page("formats")).keys() == COLUMNS.keys()


@pytest.mark.parametrize("name", COLUMNS)
def test_the_row_of_a_table_names_its_columns(name: str) -> None:
    assert columns_in_docs(page("formats"))[name] == [column.name for column in COLUMNS[name]]


@pytest.mark.parametrize("heading", SAMPLES)
def test_the_sample_of_a_table_names_its_columns(heading: str) -> None:
    assert header_in_docs(heading) == [column.name for column in SAMPLES[heading]]


def test_the_table_of_decisions_names_their_columns() -> None:
    section = page("formats").partition("\n### Decisions CSV\n")[2].partition("\n### ")[0]
    cells = re.findall(r"^\| (`[^|]*) \|", section, re.MULTILINE)
    assert {name for cell in cells for name in re.findall(r"`(\w+)`", cell)} == {each.name for each in DECISIONS}


def test_the_finder_finds() -> None:
    text = "### Tables CSV\n\n| file | columns |\n|---|---|\n| `a/b.csv` | one (1, 2), two: what it is, why |\n"
    assert columns_in_docs(text) == {"Tables CSV: a/b": ["one", "two"]}


@pytest.mark.parametrize("name", [*COLUMNS, *SAMPLES])
def test_a_key_to_sort_by_belongs_to_one_column(name: str) -> None:
    keys = [column.sort for column in {**COLUMNS, **SAMPLES}[name] if column.sort]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize("name", [*COLUMNS, *SAMPLES])
def test_words_that_are_sorted_by_have_an_order(name: str) -> None:
    """Numbers, and yes and no, have one of their own; for any other value the page would fail once somebody sorts."""
    ordered = {Kind.WHOLE, Kind.NUMBER, Kind.YES_NO}
    columns = {**COLUMNS, **SAMPLES}[name]
    assert [each.name for each in columns if each.sort and each.kind not in ordered and each.order is None] == []


def test_the_legend_explains_every_column_of_the_annotators() -> None:
    """Under its head, or with others under a term that names them all: `Judged, gold`."""
    shown = [column.shown for column in ANNOTATORS.columns if column.shown]
    terms = {term.strip().lower() for each in shown if each.meaning for term in (each.term or each.head).split(",")}
    assert [each.head for each in shown if each.head.lower() not in terms] == []
