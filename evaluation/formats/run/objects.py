"""Runs in JSON: an object a row, an object a topic, or one object of all topics.

- A row: topic number, docno and score under any of their names, perhaps a tag; other keys are left aside. The order is
  that of the scores, as ever: a rank without a score is not enough.
- A topic: its number, or a `query` that holds it, and a list of rows under one of `LISTS`, as rerankers write it.
- All topics: `{"topic": {"docno": 1.5, …}, …}`, as pytrec_eval and ranx write it.

JSON runs rarely name their tag. It is then chosen (`tag` → `=name`), or empty in the table: the
import asks for it.
"""

import math
from collections.abc import Iterable, Iterator
from typing import BinaryIO, TypeAlias

from annotation.formats.column_names import DOCNO, NUMBER
from annotation.formats.fields import WHITE, id_fault, shown
from annotation.formats.file_formats import Columns
from annotation.formats.first_bytes import head_objects
from annotation.formats.json_stream import read_elements, read_members
from annotation.formats.mapped import Objects, keys_of, peeked, require_columns, text_of_cell
from annotation.formats.mapping import CONSTANT, ColumnMapping, Meaning, find_columns
from annotation.formats.numbers import DECIMAL
from annotation.formats.objects import Json, read_objects
from annotation.formats.problems import Problems
from evaluation.engine.run import RunTable
from evaluation.formats.run.table import Parts, Tag, table_of

LISTS = ("candidates", "hits", "results", "ranking", "documents")
SCORE = Meaning("score", ("score", "sim", "similarity", "relevance_score"))
TAG = Meaning("tag", ("tag", "run", "run_id", "run_tag", "run_name", "runid", "system"), needed=False)
ROW = (NUMBER, DOCNO, SCORE, TAG)

Values: TypeAlias = dict[str, Json]  # of a row, by meaning


def read_run_jsonl(stream: BinaryIO, problems: Problems, columns: Columns) -> RunTable:
    return _table(_rows(read_objects(stream, problems), problems, columns), problems)


def read_run_array(stream: BinaryIO, problems: Problems, columns: Columns) -> RunTable:
    return _table(_rows(read_elements(stream, problems), problems, columns), problems)


def read_run_nested(stream: BinaryIO, problems: Problems, columns: Columns) -> RunTable:
    """A row's line is the one on which its topic begins."""
    chosen = columns.get(TAG.name, "")
    tag = chosen.removeprefix(CONSTANT) if chosen.startswith(CONSTANT) else ""
    rows = (
        (line, {"number": number, "docno": docno, "score": score, "tag": tag})
        for line, number, scores in read_members(stream, problems)
        for docno, score in scores.items()
    )
    return _table(rows, problems)


def columns_of_run(head: bytes) -> list[tuple[str, str]]:
    """Of the rows, also where they stand in the list of a topic."""
    keys = keys_of(row for value in head_objects(head) for row in _rows_in(value))
    return find_columns(keys, ROW, {}).meanings_of(keys)


def _rows(objects: Objects, problems: Problems, columns: Columns) -> Iterator[tuple[int, Values]]:
    first, objects = peeked(objects)
    if not first:
        return
    keys = keys_of(row for _, value in first for row in _rows_in(value))
    where = require_columns(keys, ROW, columns, problems)
    for line, value in objects:
        for row in _rows_in(value):
            yield line, _values(row, where)


def _values(row: dict[str, Json], where: ColumnMapping) -> Values:
    return {**where.constant, **{meaning: row.get(key) for meaning, key in where.column.items()}}


def _rows_in(value: dict[str, Json]) -> list[dict[str, Json]]:
    """The rows that an object holds: itself, or those of its list, each with the topic's number."""
    listed = next((value[name] for name in LISTS if isinstance(value.get(name), list)), None)
    if not isinstance(listed, list):
        return [value]
    query = value.get("query")
    about: dict[str, Json] = query if isinstance(query, dict) else {}
    shared: dict[str, Json] = {
        key: inner for key, inner in {**value, **about}.items() if not isinstance(inner, (list, dict))
    }
    return [{**shared, **row} if isinstance(row, dict) else shared for row in listed]


def _table(rows: Iterable[tuple[int, Values]], problems: Problems) -> RunTable:
    parts, tag, empty = Parts(), Tag(), True
    for line, row in rows:
        empty = False
        number, docno, name = (_text(row.get(meaning)) for meaning in ("number", "docno", "tag"))
        score = _score(row.get("score"))
        fault = id_fault(number, "topic number") or id_fault(docno, "docno") or (name and id_fault(name, "tag"))
        if fault or score is None:
            problems.add(line, fault or f"the score {shown(_text(row.get('score')))} is not a finite decimal number")
            continue
        tag.meet(name, line, problems)
        parts.add(number, docno, score, line)
    if empty and not problems:
        problems.add(0, "no row in the file")
    return table_of(parts.packed(), tag.tag, problems)


def _text(value: Json) -> str:
    text = text_of_cell(value)
    return str(value) if text is None else text.strip(WHITE)


def _score(value: Json) -> float | None:
    """A JSON number, or a string that spells a decimal number."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    if isinstance(value, str) and not DECIMAL.match(value):
        return None
    try:
        score = float(value)
    except OverflowError:
        return None
    return score if math.isfinite(score) else None
