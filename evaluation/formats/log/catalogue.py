"""Items with attributes, histories of people, and lists of who was asked: from logs of any form."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from annotation.formats.fields import shown
from annotation.formats.mapping import Meaning, find_columns
from annotation.formats.problems import Problems
from evaluation.engine.arrays import Floats, Ints
from evaluation.engine.beyond.lists import Catalogue, category_codes
from evaluation.formats.log.alarms import POSITIVE
from evaluation.formats.log.columns import Column, Columns
from evaluation.formats.log.queries import COUNT
from evaluation.formats.log.reading import Log, open_log

ITEM = Meaning("item", ("item", "item_id", "docno", "doc_id", "product", "product_id", "sku", "id", "_id"))
PERSON = Meaning("person", ("person", "user", "user_id", "query", "query_id", "number", "qid", "session", "id"))
POPULARITY = Meaning("popularity", ("popularity", "count", "interactions", "sales", "clicks", "n"), needed=False)
CATEGORY = Meaning("category", ("category", "category_id", "class", "genre", "department"), needed=False)
MOST = 1e300  # times that something was used or asked, so that sums stay finite
RESULTS = Meaning("results", ("results", "n_results", "num_results", "hits", "total_hits", "found"), needed=False)


@dataclass(frozen=True, eq=False)
class Asked:
    """Everybody who was answered, (n_asked,), and how often; `n_results` they had each time, None where the log does
    not say."""

    names: tuple[str, ...]
    times: Floats
    n_results: Floats | None


def read_catalogue(path: Path, problems: Problems) -> Catalogue:
    """A row an item; popularity and category where there are such columns. An empty category is none.

    Raises `FormatError` for what is malformed, an item twice, and no item; `OSError` as `open` does.
    """
    kinds = {
        "item": Column("text"),
        "popularity": Column("decimal", least=0, most=MOST),
        "category": Column("text", may_lack=True),
    }
    columns, lines = _read(open_log(path, problems), (ITEM, POPULARITY, CATEGORY), kinds, problems)
    _refuse_repeats(columns["item"], lines, "item", problems)
    return Catalogue(
        tuple(columns["item"]),
        popularity=np.array(columns["popularity"], np.float64) if "popularity" in columns else None,
        category=category_codes(columns["category"]) if "category" in columns else None,
    )


def read_history(path: Path, problems: Problems, catalogue: Catalogue) -> dict[str, Ints]:
    """A row a person and item that it has used; items that the catalogue lacks are faults."""
    kinds = {"person": Column("text"), "item": Column("text")}
    columns, lines = _read(open_log(path, problems), (PERSON, ITEM), kinds, problems)
    index_by_id = {name: i for i, name in enumerate(catalogue.ids)}
    by_person: dict[str, dict[int, None]] = {}
    for line, person, item in zip(lines, columns["person"], columns["item"], strict=True):
        if item in index_by_id:
            by_person.setdefault(person, {})[index_by_id[item]] = None
        else:
            problems.add(line, f"the item {shown(item)} is not in the catalogue")
    problems.check()
    return {person: np.array(list(items), np.int64) for person, items in by_person.items()}


def read_asked(path: Path, problems: Problems) -> Asked:
    """Everybody who was answered, also with an empty list: a row a person or query, with how often it was asked and how
    many results it had, where there are such columns. Raises as `read_catalogue`."""
    number = Column("decimal", least=0, most=MOST)
    kinds = {"person": Column("text"), "count": number, "results": number}
    columns, lines = _read(open_log(path, problems), (PERSON, COUNT, RESULTS), kinds, problems)
    _refuse_repeats(columns["person"], lines, "person or query", problems)
    return Asked(
        tuple(columns["person"]),
        np.array(columns.get("count", [1.0] * len(lines)), np.float64),
        np.array(columns["results"], np.float64) if "results" in columns else None,
    )


def read_anomalies(path: Path, problems: Problems) -> dict[str, bool]:
    """A row an item, and whether it is an anomaly: 0 or 1. Raises as `read_catalogue`."""
    kinds = {"item": Column("text"), "positive": Column("whole", least=0, most=1)}
    columns, lines = _read(open_log(path, problems), (ITEM, POSITIVE), kinds, problems)
    _refuse_repeats(columns["item"], lines, "item", problems)
    return {name: value == 1 for name, value in zip(columns["item"], columns["positive"], strict=True)}


def _read(
    log: Log, meanings: tuple[Meaning, ...], kinds: Mapping[str, Column], problems: Problems
) -> tuple[dict[str, list[Any]], list[int]]:
    """`(columns by meaning, line of each row)`."""
    mapping = find_columns(log.names, meanings, {})
    if missing := mapping.missing(meanings):
        there = ", ".join(map(shown, log.names[:20]))
        raise problems.stop(1, f"no column is called {missing[0].name}, nor {missing[0].names[1]} …; there are {there}")
    wanted: Columns = {column: kinds[name] for name, column in mapping.column.items()}
    columns: dict[str, list[Any]] = {name: [] for name in mapping.column}
    lines = list[int]()
    for block in log.blocks(wanted, problems):
        lines += block.lines
        for name, column in mapping.column.items():
            columns[name] += block.frame[column].to_list()
    if not lines:
        raise problems.stop(0, "there is no row in this file")
    return columns, lines


def _refuse_repeats(names: list[str], lines: list[int], what: str, problems: Problems) -> None:
    first: dict[str, int] = {}
    for name, line in zip(names, lines, strict=True):
        if first.setdefault(name, line) != line:
            problems.add_repeat(line, f"the {what} {shown(name)} stands in line {first[name]} already")
    problems.check()
