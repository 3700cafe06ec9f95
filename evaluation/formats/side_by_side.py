"""Two runs on one topic as text: a table to look at, CSV and JSON to go on with."""

import json
from collections.abc import Callable, Mapping

from evaluation.engine.side_by_side import SideBySide
from evaluation.formats.values import aligned, csv_text


def as_facts(beside: SideBySide) -> dict[str, object]:
    documents = [
        {
            "docno": one.docno,
            "grade": one.grade,
            "first_rank": one.ranks[0],
            "second_rank": one.ranks[1],
            "part": one.part,
        }
        for one in beside.documents
    ]
    return {
        "number": beside.number,
        "measure": beside.measure,
        "first": beside.tags[0],
        "second": beside.tags[1],
        "first_value": beside.value[0],
        "second_value": beside.value[1],
        "difference": beside.difference,
        "depth": beside.depth,
        "documents": documents,
    }


def as_json(beside: SideBySide) -> str:
    return json.dumps(as_facts(beside), ensure_ascii=False, indent=2) + "\n"


def as_table(beside: SideBySide) -> str:
    first, second = beside.tags
    line = f"topic {beside.number}, {beside.measure}: {first} {beside.value[0]:.4f}, {second} {beside.value[1]:.4f}"
    head = ["document", "part", "grade", f"rank in {first}", f"rank in {second}"]
    rows = [
        [one.docno, f"{one.part:+.4f}" if one.part else "–", *map(_or_dash, (one.grade, *one.ranks))]
        for one in beside.documents
    ]
    return "\n".join([f"{line}, difference {beside.difference:+.4f}", "", *aligned([head, *rows], n_names=1)]) + "\n"


def as_csv(beside: SideBySide) -> str:
    """A row a document, with every digit."""
    names = ("docno", "part", "grade", "first_rank", "second_rank")
    return csv_text(names, ([one.docno, one.part, one.grade, *one.ranks] for one in beside.documents))


FORMATS: Mapping[str, Callable[[SideBySide], str]] = {"table": as_table, "csv": as_csv, "json": as_json}


def _or_dash(value: int | None) -> str:
    return "–" if value is None else str(value)
