"""What Label Studio exports as JSON: an array of tasks, each with its data and annotations.

Topic number and docno are among the task's data (`data.query_id`). The grade is what was chosen,
rated or entered under one name of the labelling set-up (`result.relevance`), the comment what was
written in a text area (`text.why`). The annotator is `completed_by`: the person's number, where
there is none the e-mail address, the duration `lead_time`. Cancelled annotations, empty ones, and
what models predicted are left aside.
"""

from collections import Counter
from collections.abc import Iterator
from typing import BinaryIO

from annotation.formats.column_names import COMMENT, DOCNO, GRADE, NUMBER, SECONDS
from annotation.formats.fields import shown
from annotation.formats.file_formats import Columns, FileFormat
from annotation.formats.first_bytes import head_objects, is_array
from annotation.formats.json_stream import read_elements
from annotation.formats.lines import Limits
from annotation.formats.mapped import Objects, columns_of_cells, rows_of_objects
from annotation.formats.mapping import Among, Meaning
from annotation.formats.objects import Json
from annotation.formats.outside.making import judgments_of
from annotation.formats.outside.rows import OutsideJudgment
from annotation.formats.problems import Problems

LIMITS = Limits(file=512 << 20)
GRADED = ("choices", "rating", "number")  # types of results that may be a grade
PERSON = Meaning("annotator", ("completed_by",))
MOMENT = Meaning("at", ("created_at",), needed=False)
MEANINGS = (COMMENT, NUMBER, DOCNO, GRADE, PERSON, MOMENT, SECONDS)
AMONG = {
    "number": Among("data."),
    "docno": Among("data."),
    "grade": Among("result.", any_name=True),
    "comment": Among("text.", any_name=True),
}


def is_studio(head: bytes) -> bool:
    first = head_objects(head)[:1] if is_array(head) else []
    if is_array(head) and not first:  # a first task longer than the head
        return b'"annotations"' in head or b'"data"' in head
    return any(isinstance(task.get("data"), dict) for task in first)


def _columns(head: bytes) -> list[tuple[str, str]]:
    rows = (
        _row(task, annotation)
        for task in head_objects(head)
        for annotation in _annotations(task) or []
        if _counts(annotation)
    )
    return columns_of_cells(rows, MEANINGS, AMONG)


def _read(stream: BinaryIO, problems: Problems, columns: Columns) -> Iterator[OutsideJudgment]:
    tasks = read_elements(stream, problems, LIMITS)
    rows = rows_of_objects(_rows(tasks, problems), problems, columns, MEANINGS, among=AMONG)
    yield from judgments_of(rows, problems, columns)


def _rows(tasks: Objects, problems: Problems) -> Iterator[tuple[int, dict[str, Json]]]:
    aside: Counter[str] = Counter()
    for line, task in tasks:
        annotations = _annotations(task)
        if annotations is None:
            problems.add(line, "a task without `annotations`")
        for annotation in annotations or []:
            if not _counts(annotation):
                aside["cancelled" if annotation.get("was_cancelled") else "empty"] += 1
            elif fault := _fault(annotation):
                problems.add(line, fault)
            else:
                yield line, _row(task, annotation)
    for why, n in sorted(aside.items()):
        problems.note(0, f"{why} annotations, left aside: {n}")


def _annotations(task: dict[str, Json]) -> list[dict[str, Json]] | None:
    """`completions` is what exports before version 1 say."""
    annotations = task.get("annotations", task.get("completions"))
    return (
        [annotation for annotation in annotations if isinstance(annotation, dict)]
        if isinstance(annotations, list)
        else None
    )


def _counts(annotation: dict[str, Json]) -> bool:
    return not annotation.get("was_cancelled") and bool(annotation.get("result"))


def _results(annotation: dict[str, Json]) -> Iterator[tuple[str, str, list[Json]]]:
    """`(name, type, values)` of each thing that the person gave."""
    results = annotation.get("result")
    for result in results if isinstance(results, list) else []:
        value = result.get("value") if isinstance(result, dict) else None
        if isinstance(result, dict) and isinstance(value, dict):
            name, kind = str(result.get("from_name")), str(result.get("type"))
            value_or_values = value.get("text" if kind == "textarea" else kind)
            yield name, kind, value_or_values if isinstance(value_or_values, list) else [value_or_values]


def _fault(annotation: dict[str, Json]) -> str | None:
    times: Counter[str] = Counter()
    for name, kind, values in _results(annotation):
        times[name] += len(values) if kind in GRADED else 0
    many = next((name for name, n in times.items() if n > 1), None)
    return None if many is None else f"{times[many]} choices for {shown(many)}, one expected"


def _row(task: dict[str, Json], annotation: dict[str, Json]) -> dict[str, Json]:
    data, person = task.get("data"), annotation.get("completed_by")
    row = {f"data.{key}": value for key, value in data.items()} if isinstance(data, dict) else {}
    if isinstance(person, dict):
        row |= {f"completed_by.{key}": value for key, value in person.items()}
        person = person.get("id", person.get("email"))
    row["completed_by"] = person
    row |= {"created_at": annotation.get("created_at")}
    row |= {name: annotation[name] for name in ("lead_time",) if name in annotation}
    for name, kind, values in _results(annotation):
        if kind in GRADED:
            row[f"result.{name}"] = values[0] if values else None
        elif kind == "textarea":
            row[f"text.{name}"] = "\n".join(value for value in values if isinstance(value, str))
    return row


FORMAT: FileFormat[Iterator[OutsideJudgment]] = FileFormat(
    "label-studio", "Label Studio export (JSON)", is_studio, _read, _columns, mapped=True
)
