"""Judgments made elsewhere: what the forms are recognised by, and what each makes of its columns."""

import io
import json
import re
from dataclasses import asdict, replace
from datetime import UTC, datetime

import pytest

from annotation.formats.file_formats import Columns, recognise_format
from annotation.formats.grade_map import CANNOT_JUDGE, parse_grade_map
from annotation.formats.judgments import JudgmentRow, judgments_csv, judgments_jsonl
from annotation.formats.outside import FORMATS, OutsideJudgment
from annotation.formats.outside.times import moment
from annotation.formats.problems import FormatError, Problems

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)


def read(
    data: bytes | str, columns: Columns | None = None, name: str = ""
) -> tuple[str, list[OutsideJudgment], list[str]]:
    """`(form, judgments, notes)`; raises what is wrong."""
    problems = Problems("a")
    stream = io.BytesIO(data.encode() if isinstance(data, str) else data)
    form, _ = recognise_format(FORMATS, stream, problems, name=name)
    rows = list(form.read(stream, problems, columns or {}))
    problems.check()
    return form.name, rows, [note.reason for note in problems.notes]


def faults(data: bytes | str, columns: Columns | None = None) -> list[str]:
    with pytest.raises(FormatError) as caught:
        read(data, columns)
    return [
        f"{problem.line}: {problem.reason}" if problem.line else problem.reason for problem in caught.value.problems
    ]


def meanings_of(data: str) -> dict[str, str]:
    """Meaning by column, of those that have one."""
    form, head = recognise_format(FORMATS, io.BytesIO(data.encode()), Problems("a"))
    return {column: meaning for column, meaning in form.columns(head) if meaning}


FULL = OutsideJudgment("301", "FR-17", "Amber", 3, NOON, "so, so", 2)
TABLES = [
    ("csv", 'query,docno,annotator,grade,time,comment\n301,FR-17,Amber,3,2024-05-01T12:00:00Z,"so, so"\n'),
    ("csv", "Topic;Document;Worker;Rating;Date;Note\r\n301;FR-17;Amber;3;2024-05-01 14:00+02:00;so, so\r\n"),
    ("csv", '"query_id","doc_id","worker_id","label","timestamp","comment"\n301,FR-17,Amber,+3,1714564800,"so, so"\n'),
    ("tsv", "comment\tgrade\tuser\tdocid\tqid\tcreated_at\nso, so\t3\tAmber\tFR-17\t301\t1714564800000\n"),
]


@pytest.mark.parametrize(("form", "data"), TABLES)
def test_tables_with_names_of_their_own(form: str, data: str) -> None:
    assert read(data) == (form, [FULL], [])


def test_what_is_left_out_may_be_left_out() -> None:
    rows = [OutsideJudgment("1", "a", "w", 0, None, "", 2), OutsideJudgment("1", "b", "w", -2, None, "", 3)]
    assert read("query_id\tdoc_id\tannotator_id\tlabel\textra\n1\ta\tw\t0\tx\n1\tb\tw\t-2\tx\n") == ("tsv", rows, [])


def test_the_columns_that_were_found_are_told() -> None:
    head = "query_id,query,doc,worker,grade,time,lead\n"
    assert meanings_of(head) == {
        "query_id": "number", "doc": "docno", "worker": "annotator", "grade": "grade", "time": "at"
    }  # fmt: skip


def test_a_value_for_all_rows() -> None:
    data = "item_id\tannotator_id\tlabel\n7\tw1\t1\n"
    assert read(data, {"number": "=rte"})[1] == [OutsideJudgment("rte", "7", "w1", 1, None, "", 2)]
    reason = "no column for the topic’s number is recognised: choose one of 'item_id', 'annotator_id', 'label'"
    assert faults(data) == [f"{reason}, or a value for all rows (=value)"]


def test_a_cell_may_run_over_lines_and_rows_keep_theirs() -> None:
    data = 'query,docno,annotator,grade,comment\n1,a,w,1,"two\nlines"\n\n,,,,\n1,b,w,2,\n'
    assert [(row.line, row.comment) for row in read(data)[1]] == [(2, "two\nlines"), (6, "")]


def test_a_time_without_a_zone_is_taken_as_utc_and_said() -> None:
    _, rows, notes = read("query,docno,annotator,grade,time\n1,a,w,1,2024-05-01 12:00\n1,b,w,1,2024-05-01T12:00Z\n")
    assert ([row.at for row in rows], notes) == ([NOON, NOON], ["times without a time zone, taken as UTC: 1"])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024-05-01T12:00:00Z", NOON),
        ("2024-05-01 12:00:00 UTC", NOON),
        ("20240501T140000+0200", NOON),
        ("1714564800.0", NOON),
        ("1714564800000", NOON),
        ("Wed May 01 05:00:00 PDT 2024", NOON),
        ("Wed May 01 04:00:00 PST 2024", NOON),
        ("2024-05-01", datetime(2024, 5, 1)),  # noqa: DTZ001 -- the zone is missing
        ("Wed May 01 05:00:00 XYZ 2024", None),
        ("Wed Mai 01 05:00:00 PDT 2024", None),
        ("1.5.2024", None),
        ("05/01/2024", None),
        ("1969-12-31T23:59:59Z", None),
        ("9999-12-31T23:59:59-12:00", None),
        ("0001-01-01T00:00:00+12:00", None),
        ("99999999999999999999", None),
        ("nan", None),
    ],
)
def test_moments(text: str, expected: datetime | None) -> None:
    assert moment(text) == expected


def test_words_need_a_map() -> None:
    data = "query,docno,annotator,grade\n1,a,w,Highly  Relevant\n1,b,w,not\n1,c,w,broken\n1,d,w,2\n1,e,w,not\n"
    words = "grades that are no whole numbers (4): 'Highly  Relevant', 'not', 'broken'"
    assert faults(data) == [f"2: {words}; say what each is worth (word=grade)"]
    rows = read(data, {"grades": "highly relevant=3, not=0, broken=cannot"})[1]
    assert [row.grade for row in rows] == [3, 0, CANNOT_JUDGE, 2, 0]


def test_the_first_twenty_words_are_told() -> None:
    data = "query,docno,annotator,grade\n" + "".join(f"1,{i},w,word{i}\n" for i in range(30))
    words = ", ".join(f"'word{i}'" for i in range(20))
    assert faults(data) == [f"2: grades that are no whole numbers (30): {words} …; say what each is worth (word=grade)"]


@pytest.mark.parametrize(
    ("text", "grades"),
    [
        ("", {}),
        ("a=1", {"a": 1}),
        ("2 = 4, -2=cannot", {"2": 4, "-2": CANNOT_JUDGE}),
        ("Yes, fully=3; no=0;", {"yes, fully": 3, "no": 0}),
        ("a=b=1\n\n c = 0 \n", {"a=b": 1, "c": 0}),
        ("a=1, A=1", {"a": 1}),
        ("1=1, =cannot", {"1": 1, "": CANNOT_JUDGE}),
    ],
)
def test_maps_of_grades(text: str, grades: dict[str, int]) -> None:
    assert parse_grade_map(text) == grades


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a", "'a' is not of the form word=grade, or word=cannot"),
        ("a=high", "'a=high' is not of the form word=grade, or word=cannot"),
        ("a=1.5", "'a=1.5' is not of the form word=grade, or word=cannot"),
        ("a=1, A=2", "'A' has two grades"),
    ],
)
def test_maps_that_say_nothing(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(reason)}$"):
        parse_grade_map(text)
    assert faults("query,docno,annotator,grade\n1,a,w,1\n", {"grades": text}) == [f"the map of grades: {reason}"]


MTURK = "HITId,WorkerId,AssignmentStatus,SubmitTime,Input.{},Input.{},Answer.{},Answer.{}\n"
WORKED = "H1,A1,Approved,Wed May 01 05:00:00 PDT 2024,301,FR-17,3,hm\n"


def test_mechanical_turk() -> None:
    data = MTURK.format("query_id", "docno", "relevance", "comment") + WORKED + WORKED.replace("Approved", "Rejected")
    expected = OutsideJudgment("301", "FR-17", "A1", 3, NOON, "hm", 2)
    assert read(data) == ("mturk", [expected], ["rejected assignments, left aside: 1"])
    assert meanings_of(data) == {
        "WorkerId": "annotator", "SubmitTime": "at", "Input.query_id": "number", "Input.docno": "docno",
        "Answer.relevance": "grade", "Answer.comment": "comment",
    }  # fmt: skip


def test_the_only_answer_of_mechanical_turk_is_the_grade() -> None:
    data = "HITId,WorkerId,Input.topic,Input.docno,Answer.Q1\nH,A1,301,FR-17,2\n"
    assert read(data)[1] == [OutsideJudgment("301", "FR-17", "A1", 2, None, "", 2)]


def test_where_mechanical_turk_may_mean_several_a_person_chooses() -> None:
    data = MTURK.format("topic", "query_id", "rating", "label") + WORKED
    assert faults(data) == [
        f"no column for the {meaning} is recognised: choose one of {columns}, or a value for all rows (=value)"
        for meaning, columns in [
            ("topic’s number", "'Input.topic', 'Input.query_id'"),
            ("docno", "'Input.topic', 'Input.query_id'"),
            ("grade", "'Answer.rating', 'Answer.label'"),
        ]
    ]
    chosen = {"number": "Input.topic", "docno": "Input.query_id", "grade": "Answer.rating", "comment": "Answer.label"}
    assert read(data, chosen)[1] == [OutsideJudgment("301", "FR-17", "A1", 3, NOON, "hm", 2)]


def task(*annotations: dict[str, object], **data: object) -> dict[str, object]:
    return {"id": 1, "data": {"query_id": 301, "docno": "FR-17", "text": "…", **data}, "annotations": list(annotations)}


def mark(kind: str, value: object, name: str = "relevance") -> dict[str, object]:
    return {"from_name": name, "to_name": "text", "type": kind, "value": {kind: value}}


def annotation(*result: dict[str, object], **more: object) -> dict[str, object]:
    return {"completed_by": 7, "created_at": "2024-05-01T12:00:00.000000Z", "result": list(result), **more}


WRITTEN: dict[str, object] = {"from_name": "why", "type": "textarea", "value": {"text": ["so", "and so"]}}


@pytest.mark.parametrize("indent", [None, 1])
def test_label_studio(indent: int | None) -> None:
    tasks = [
        task(annotation(mark("choices", ["3"]), WRITTEN), annotation(mark("choices", ["1"]), was_cancelled=True)),
        task(
            annotation(mark("choices", ["2"]), completed_by={"id": 8, "email": "a@example.org"}),
            annotation(mark("choices", ["2"]), completed_by={"email": "a@example.org"}),
            annotation(),
            docno="FR-18",
        ),
    ]
    data = json.dumps(tasks, indent=indent)
    form, rows, notes = read(data)
    second = 2 if indent is None else data[: data.index("FR-18")].rpartition(' {\n  "id"')[0].count("\n") + 1
    assert form == "label-studio"
    assert notes == ["cancelled annotations, left aside: 1", "empty annotations, left aside: 1"]
    assert [(row.docno, row.annotator, row.grade, row.at, row.comment) for row in rows] == [
        ("FR-17", "7", 3, NOON, "so\nand so"),
        ("FR-18", "8", 2, NOON, ""),
        ("FR-18", "a@example.org", 2, NOON, ""),
    ]
    assert [row.line for row in rows] == ([1, 1, 1] if indent is None else [2, second, second])
    assert meanings_of(data) == {
        "data.query_id": "number", "data.docno": "docno", "completed_by": "annotator", "created_at": "at",
        "result.relevance": "grade", "text.why": "comment",
    }  # fmt: skip


@pytest.mark.parametrize(("kind", "value"), [("rating", 3), ("number", 3), ("choices", ["three"])])
def test_grades_of_label_studio(kind: str, value: object) -> None:
    assert read(json.dumps([task(annotation(mark(kind, value)))]), {"grades": "three=3"})[1][0].grade == 3


def test_label_studio_with_two_questions() -> None:
    data = json.dumps([task(annotation(mark("rating", 2, "ease"), mark("rating", 3, "value")))])
    reason = "no column for the grade is recognised: choose one of 'result.ease', 'result.value'"
    assert faults(data) == [f"{reason}, or a value for all rows (=value)"]
    assert read(data, {"grade": "result.value"})[1][0].grade == 3


def test_two_choices_are_no_grade() -> None:
    data = json.dumps([task(annotation(mark("choices", ["1", "2"])))])
    assert faults(data) == ["1: 2 choices for 'relevance', one expected"]


def test_doccano() -> None:
    data = (
        '{"id":1,"text":"…","query_id":301,"docno":"FR-17","label":["3"],"Comments":["hm"]}\n'
        '{"id":2,"text":"…","query_id":301,"docno":"FR-18","label":[],"Comments":[]}\n'
    )
    expected = OutsideJudgment("301", "FR-17", "Amber", 3, None, "hm", 1)
    assert read(data, {"annotator": "=Amber"}) == ("doccano", [expected], ["texts without a label, left aside: 1"])
    assert faults(data)[0].startswith("no column for the annotator is recognised: choose one of 'id', 'query_id'")


def test_the_first_doccano() -> None:
    data = (
        '{"id":1,"text":"…","meta":{"qid":301,"docno":"a"},"annotations":[{"label":3,"user":2},{"label":1,"user":4}]}\n'
    )
    rows = [OutsideJudgment("301", "a", "2", 3, None, "", 1), OutsideJudgment("301", "a", "4", 1, None, "", 1)]
    assert read(data) == ("doccano", rows, [])


def test_two_labels_of_doccano_are_no_grade() -> None:
    data = '{"text":"…","qid":301,"docno":"a","user":"w","label":["1","2"]}\n'
    assert faults(data) == ["1: 2 labels for one text, one expected"]


def test_objects_with_names_of_their_own() -> None:
    value = {"query": 301, "doc": "FR-17", "worker": "Amber", "label": 3.0, "time": 1714564800, "note": "so, so"}
    expected = replace(FULL, line=1)
    assert read(json.dumps(value) + "\n") == ("jsonl", [expected], [])
    assert read(json.dumps([value])) == ("json", [expected], [])


def own(**values: object) -> JudgmentRow:
    row: dict[str, object] = {
        "number": "=301", "docno": "-FR", "annotator": "=Amber", "grade": 3, "criterion": "relevance", "batch": "first",
        "revision": 1, "reading": 1, "counted": True, "early": False, "active_ms": None, "wall_ms": 9,
        "comment": "@you\nand 'me'", "evidence_start": None, "evidence_end": None,
        "created_at": "2024-05-01T12:00:00+00:00", "guideline": "2",
    }  # fmt: skip
    return JudgmentRow(**(row | values))  # type: ignore[arg-type]


def test_our_own_come_back_as_they_went_out() -> None:
    rows = [
        own(),
        own(docno="'x", comment="'x", revision=2),
        own(annotator="'=w", comment="''-"),
        own(reading=2, grade=0),
        own(docno="ev", evidence_start=0, evidence_end=41),
    ]
    expected = [
        ("=301", "-FR", "=Amber", 3, NOON, "@you\nand 'me'"),
        ("=301", "'x", "=Amber", 3, NOON, "'x"),
        ("=301", "-FR", "'=w", 3, NOON, "''-"),
        ("=301", "ev", "=Amber", 3, NOON, "@you\nand 'me'"),
    ]
    for name, data in [
        ("touchstone-csv", b"".join(judgments_csv(rows))),
        ("touchstone-jsonl", b"".join(judgments_jsonl(rows))),
    ]:
        form, judgments, notes = read(data)
        assert [(row.number, row.docno, row.annotator, row.grade, row.at, row.comment) for row in judgments] == expected
        assert [row.evidence for row in judgments] == [None, None, None, (0, 41)]
        assert (form, notes) == (name, ["silent repeats (readings after the first), left aside: 1"])


def test_our_own_of_two_criteria_are_refused() -> None:
    data = b"".join(judgments_jsonl([own(), own(criterion="ease")]))
    assert faults(data) == ["2: the criterion is 'ease' and not 'relevance', as before"]


@pytest.mark.parametrize(("start", "end"), [(5, 5), (9, 5), (-1, 5), (None, 5), (5, None), (0, 10**10)], ids=str)
def test_evidence_that_is_none_is_a_problem(start: int | None, end: int | None) -> None:
    data = b"".join(judgments_jsonl([own(evidence_start=start, evidence_end=end)]))
    places = [repr("" if place is None else str(place)) for place in (start, end)]
    assert faults(data) == [f"1: the evidence from {places[0]} to {places[1]} is no stretch of a text"]


def test_our_own_from_before_there_was_evidence_come_in() -> None:
    row = asdict(own())
    del row["evidence_start"], row["evidence_end"]
    assert [judgment.evidence for judgment in read(json.dumps(row).encode())[1]] == [None]
