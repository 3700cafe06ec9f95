"""docs/formats.md names every column of every table that leaves as CSV, in the order of the file."""

import re
from collections.abc import Mapping
from typing import Any

import pytest

from annotation.kernel.tables import Table
from annotation.trust.pages.people import ANNOTATORS
from tests.test_docs import page

TABLES: Mapping[str, Table[Any, Any]] = {}
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


@pytest.mark.parametrize("name", TABLES)
def test_the_row_of_a_table_names_its_columns(name: str) -> None:
    assert columns_in_docs(page("formats"))[name] == [column.name for column in TABLES[name].columns]


def test_the_sample_of_annotators_names_their_columns() -> None:
    assert header_in_docs("Annotators CSV") == [column.name for column in ANNOTATORS.columns]


def test_the_finder_finds() -> None:
    text = "### Tables CSV\n\n| file | columns |\n|---|---|\n| `a/b.csv` | one (1, 2), two: what it is, why |\n"
    assert columns_in_docs(text) == {"Tables CSV: a/b": ["one", "two"]}
