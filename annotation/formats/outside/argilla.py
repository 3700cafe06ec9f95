"""Records of Argilla as a JSON array, each with `fields`, `metadata` and `responses`.

Topic and docno are among the metadata or fields. Responses stand by question, each with `value` and
`user_id`, or, as Argilla 1 wrote them, by person, with `values` by question. The grade is the
answer to one question (`response.relevance`), the comment the answer to one called so. Drafts,
discarded responses and suggestions are left aside.
"""

from collections import Counter
from collections.abc import Iterator
from typing import BinaryIO

from annotation.formats.column_names import COMMENT, DOCNO, GRADE, NUMBER
from annotation.formats.fields import shown
from annotation.formats.file_formats import Columns, FileFormat
from annotation.formats.first_bytes import head_objects, is_array
from annotation.formats.json_stream import read_elements
from annotation.formats.mapped import Objects, columns_of_cells, rows_of_objects
from annotation.formats.mapping import Among, Meaning
from annotation.formats.objects import Json
from annotation.formats.outside.making import judgments_of
from annotation.formats.outside.rows import OutsideJudgment
from annotation.formats.problems import Problems

PERSON = Meaning("annotator", ("user_id",))
MEANINGS = (COMMENT, NUMBER, DOCNO, GRADE, PERSON)
AMONG = {"grade": Among("response.", any_name=True), "comment": Among("response.")}
ASIDE = frozenset(("discarded", "draft"))
Answer = tuple[str, str, Json]  # who, to which question, what


def is_argilla(head: bytes) -> bool:
    first = head_objects(head)[:1] if is_array(head) else []
    return any(isinstance(value.get("fields"), dict) and "responses" in value for value in first)


def _columns(head: bytes) -> list[tuple[str, str]]:
    rows = (row for record in head_objects(head) for row in _rows_in(record, Counter()))
    return columns_of_cells(rows, MEANINGS, AMONG)


def _read(stream: BinaryIO, problems: Problems, columns: Columns) -> Iterator[OutsideJudgment]:
    records = read_elements(stream, problems)
    rows = rows_of_objects(_rows(records, problems), problems, columns, MEANINGS, among=AMONG)
    yield from judgments_of(rows, problems, columns)


def _rows(records: Objects, problems: Problems) -> Iterator[tuple[int, dict[str, Json]]]:
    aside: Counter[str] = Counter()
    for line, record in records:
        rows = _rows_in(record, aside)
        aside["records without a response"] += not rows
        for row in rows:
            several = [name for name, value in row.items() if isinstance(value, list)]
            if several:
                problems.add(line, f"{len(_list(row[several[0]]))} answers for {shown(several[0])}, one expected")
            else:
                yield line, row
    for what, n in sorted(aside.items()):
        if n:
            problems.note(0, f"{what}, left aside: {n}")


def _rows_in(record: dict[str, Json], aside: Counter[str]) -> list[dict[str, Json]]:
    """A row for each person who answered; `aside` counts the answers that do not count."""
    shared = {
        f"{part}.{key}": value
        for part in ("metadata", "fields")
        for key, value in _object(record.get(part)).items()
        if not isinstance(value, (dict, list))
    }
    answers = dict[str, dict[str, Json]]()
    for person, question, value in _answers(record, aside):
        answers.setdefault(person, {})[f"response.{question}"] = _one(value)
    return [{**shared, "user_id": person, **columns} for person, columns in answers.items()]


def _answers(record: dict[str, Json], aside: Counter[str]) -> Iterator[Answer]:
    responses = record.get("responses")
    for question, entries in _object(responses).items():
        for response in filter(lambda each: _counts(each, aside), map(_object, _list(entries))):
            yield str(response.get("user_id") or ""), question, response.get("value")
    for response in filter(lambda each: _counts(each, aside), map(_object, _list(responses))):
        for question, value in _object(response.get("values")).items():
            yield str(response.get("user_id") or ""), question, _object(value).get("value")


def _counts(response: dict[str, Json], aside: Counter[str]) -> bool:
    status = str(response.get("status") or "")
    aside[f"{status} responses"] += status in ASIDE
    return status not in ASIDE


def _one(value: Json) -> Json:
    """The only one of several answers that could be given; a list where there are more."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def _object(value: Json) -> dict[str, Json]:
    return value if isinstance(value, dict) else {}


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


FORMAT: FileFormat[Iterator[OutsideJudgment]] = FileFormat(
    "argilla", "Argilla records (JSON)", is_argilla, _read, _columns, mapped=True
)
