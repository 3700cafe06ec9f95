"""What doccano exports of a text classification: JSONL, an object a text.

The grade is the one entry of `label`; texts without one are left aside. Topic number and docno are
what was brought in beside the text, at the top or under `meta`. doccano writes a file for each
person, whom only the file's name tells: the annotator is then chosen as `=name`. Exports of its
first versions hold `annotations` with the `user` of each.
"""

from collections.abc import Iterator
from typing import BinaryIO

from annotation.formats.column_names import JUDGMENT
from annotation.formats.file_formats import Columns, FileFormat
from annotation.formats.first_bytes import head_objects, is_objects
from annotation.formats.mapped import Objects, columns_of_cells, rows_of_objects
from annotation.formats.objects import Json, read_objects
from annotation.formats.outside.making import judgments_of
from annotation.formats.outside.rows import OutsideJudgment
from annotation.formats.problems import Problems

LISTS = ("label", "labels", "cats")
COMMENTS = ("Comments", "comments")
ASIDE = frozenset((*LISTS, *COMMENTS, "annotations", "meta", "text", "data"))


def is_doccano(head: bytes) -> bool:
    first = head_objects(head)[:1] if is_objects(head) else []
    return any(_annotations(value) is not None and ("text" in value or "data" in value) for value in first)


def _columns(head: bytes) -> list[tuple[str, str]]:
    return columns_of_cells((row for value in head_objects(head) for row in _rows_in(value)), JUDGMENT)


def _read(stream: BinaryIO, problems: Problems, columns: Columns) -> Iterator[OutsideJudgment]:
    rows = rows_of_objects(_rows(read_objects(stream, problems), problems), problems, columns, JUDGMENT)
    yield from judgments_of(rows, problems, columns)


def _annotations(value: dict[str, Json]) -> list[Json] | None:
    """What the person gave: a list of words, or in old exports of annotations."""
    lists = (value.get(name) for name in (*LISTS, "annotations"))
    return next((value for value in lists if isinstance(value, list)), None)


def _rows(objects: Objects, problems: Problems) -> Iterator[tuple[int, dict[str, Json]]]:
    without = 0
    for line, value in objects:
        rows = _rows_in(value)
        without += not rows
        if len(rows) > 1 and any(name in value for name in LISTS):
            problems.add(line, f"{len(rows)} labels for one text, one expected")
        else:
            yield from ((line, row) for row in rows)
    if without:
        problems.note(0, f"texts without a label, left aside: {without}")


def _rows_in(value: dict[str, Json]) -> list[dict[str, Json]]:
    meta, comments = value.get("meta"), next((value[name] for name in COMMENTS if value.get(name)), None)
    shared: dict[str, Json] = {key: inner for key, inner in value.items() if key not in ASIDE}
    if isinstance(meta, dict):
        shared |= {f"meta.{key}": inner for key, inner in meta.items()}
    if comments is not None:
        shared["comment"] = _joined(comments)
    return [{**shared, **_one(annotation)} for annotation in _annotations(value) or []]


def _one(annotation: Json) -> dict[str, Json]:
    return (
        {"label": annotation.get("label"), "user": annotation.get("user")}
        if isinstance(annotation, dict)
        else {"label": annotation}
    )


def _joined(comments: Json) -> str:
    if not isinstance(comments, list):
        return comments if isinstance(comments, str) else ""
    texts = (comment.get("text") if isinstance(comment, dict) else comment for comment in comments)
    return "\n".join(text for text in texts if isinstance(text, str))


FORMAT: FileFormat[Iterator[OutsideJudgment]] = FileFormat(
    "doccano", "doccano export (JSONL)", is_doccano, _read, _columns, mapped=True
)
