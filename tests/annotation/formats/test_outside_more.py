"""Judgments of Quepid, Toloka and Argilla; how long judgments took."""

import io
import json

import pytest

from annotation.formats.file_formats import Columns, recognise_format
from annotation.formats.outside import FORMATS, OutsideJudgment
from annotation.formats.problems import Problems

TOLOKA = (
    "INPUT:query_id\tINPUT:docno\tOUTPUT:relevance\tOUTPUT:comment\tGOLDEN:relevance\tASSIGNMENT:worker_id"
    "\tASSIGNMENT:status\tASSIGNMENT:started\tASSIGNMENT:submitted\n"
)
TIMES = "2024-05-01T10:00:00.000\t2024-05-01T10:00:12.500\n"


def read(text: str, columns: Columns | None = None) -> tuple[str, list[OutsideJudgment], list[str], list[str]]:
    """The format, the judgments, the problems, the notes."""
    problems, stream = Problems("x"), io.BytesIO(text.encode())
    file_format, _ = recognise_format(FORMATS, stream, problems)
    rows = list(file_format.read(stream, problems, columns or {}))
    return file_format.name, rows, [f"{p.line}" for p in problems], [note.reason for note in problems.notes]


@pytest.mark.parametrize(
    ("header", "cells", "wall"),
    [
        ("seconds", "12.5", 12_500),
        ("duration", "0", 0),
        ("seconds", "", None),
        ("started_at,ended_at", "2024-05-01T10:00:00Z,2024-05-01T12:00:12+02:00", 12_000),
        ("started_at,submitted_at", "2024-05-01T10:00:00Z,2024-05-01T10:00:03.250Z", 3_250),
        ("started_at", "2024-05-01T10:00:00Z", None),
        ("started_at,ended_at,seconds", "2024-05-01T10:00:00Z,2024-05-01T10:01:00Z,7", 7_000),
    ],
)
def test_durations(header: str, cells: str, wall: int | None) -> None:
    _, rows, problems, _ = read(f"query,docno,annotator,grade,{header}\n1,a,w,2,{cells}\n")
    assert ([row.wall_ms for row in rows], problems) == ([wall], [])


@pytest.mark.parametrize(
    ("header", "cells"),
    [
        ("seconds", "soon"),
        ("seconds", "-1"),
        ("seconds", "1e9"),
        ("seconds", "99999999999"),
        ("started_at", "yesterday"),
        ("started_at,ended_at", "2024-05-01T10:00:01Z,2024-05-01T10:00:00Z"),
    ],
)
def test_durations_that_cannot_be(header: str, cells: str) -> None:
    _, rows, problems, _ = read(
        f"query,docno,annotator,grade,{header}\n1,a,w,2,{cells}\n1,b,w,1,{',' * header.count(',')}\n"
    )
    assert (len(rows), problems) == (1, ["2"])


def test_the_end_is_the_time_where_no_other_is_there() -> None:
    _, rows, _, _ = read("query,docno,annotator,grade,ended_at\n1,a,w,2,2024-05-01T10:00:00Z\n")
    assert rows[0].at is not None
    assert (rows[0].at.isoformat(), rows[0].wall_ms) == ("2024-05-01T10:00:00+00:00", None)


def test_toloka() -> None:
    data = (
        TOLOKA
        + f"1\ta\t3\tso\t\tw1\tAPPROVED\t{TIMES}1\tb\t2\t\t2\tw1\tREJECTED\t{TIMES}1\tc\t1\t\t\tw2\tSUBMITTED\t{TIMES}"
    )
    name, rows, problems, notes = read(data)
    assert (name, problems, notes[0]) == ("toloka", [], "rejected assignments, left aside: 1")
    assert [(r.docno, r.annotator, r.grade, r.comment, r.wall_ms) for r in rows] == [
        ("a", "w1", 3, "so", 12_500),
        ("c", "w2", 1, "", 12_500),
    ]


def test_quepid() -> None:
    name, rows, _, notes = read("query,docid,rating\nstar wars,a,3\nstar  wars,b,\n")
    assert (name, notes) == ("quepid", ["documents without a rating, left aside: 1"])
    assert [(r.number, r.docno, r.annotator, r.grade) for r in rows] == [("star_wars", "a", "Quepid", 3)]
    assert read("query,docid,rating\nx,a,1\n", {"annotator": "=Amber"})[1][0].annotator == "Amber"
    assert read("query,docid,rating,annotator\n1,a,3,w\n")[0] == "csv"


def record(responses: object, docno: str = "a") -> dict[str, object]:
    return {"id": "1", "fields": {"text": "t"}, "metadata": {"query_id": 1, "docno": docno}, "responses": responses}


def test_argilla_by_question_and_by_person() -> None:
    by_question = {
        "relevance": [{"value": "3", "user_id": "u1"}, {"value": ["2"], "user_id": "u2"}],
        "comment": [{"value": "so", "user_id": "u1"}],
    }
    by_person = [
        {"user_id": "u1", "status": "submitted", "values": {"relevance": {"value": 1}}},
        {"user_id": "u2", "status": "discarded", "values": {"relevance": {"value": 0}}},
    ]
    data = json.dumps([record(by_question), record(by_person, "b"), record({}, "c")])
    name, rows, problems, notes = read(data)
    assert (name, problems) == ("argilla", [])
    assert [(r.docno, r.annotator, r.grade, r.comment) for r in rows] == [
        ("a", "u1", 3, "so"),
        ("a", "u2", 2, ""),
        ("b", "u1", 1, ""),
    ]
    assert notes == ["discarded responses, left aside: 1", "records without a response, left aside: 1"]


def test_argilla_where_the_text_of_a_query_stands_beside_the_topic() -> None:
    fields, metadata = {"query": "how heat moves", "text": "t"}, {"topic": "7", "docno": "a"}
    responses = {"relevance": [{"value": 3, "user_id": "u"}]}
    rows = read(json.dumps([{"id": "1", "fields": fields, "metadata": metadata, "responses": responses}]))[1]
    assert [(r.number, r.docno, r.grade) for r in rows] == [("7", "a", 3)]


def test_argilla_with_two_answers_or_two_questions() -> None:
    two = {"relevance": [{"value": ["2", "3"], "user_id": "u"}]}
    assert read(json.dumps([record({"relevance": [{"value": "1", "user_id": "u"}]}), record(two)]))[2] == ["1"]
    several = json.dumps([record({"ease": [{"value": 1, "user_id": "u"}], "worth": [{"value": 2, "user_id": "u"}]})])
    assert read(several, {"grade": "response.worth"})[1][0].grade == 2
