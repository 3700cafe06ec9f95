"""Gold from its own columns and from qrels."""

import io
from collections import Counter
from pathlib import Path

import pytest

from annotation.formats.file_formats import Columns, recognise_format
from annotation.formats.gold import FORMATS, GoldRow, read_gold
from annotation.formats.problems import Problems


def read(text: str) -> tuple[list[GoldRow], list[str], list[str]]:
    problems = Problems("gold")
    rows = list(read_gold(io.BytesIO(text.encode()), problems))
    return rows, [str(problem) for problem in problems], [str(note) for note in problems.notes]


@pytest.mark.parametrize("header", ["", "number\tdocno\tgrade\treason\n", "number docno grade\n"])
def test_own_columns(header: str) -> None:
    line = 2 if header else 1
    rows, problems, notes = read(f"{header}1\tD1\t4\tnames the law\n1 D2 0\n")
    assert rows == [GoldRow("1", "D1", 4, "names the law", line), GoldRow("1", "D2", 0, "", line + 1)]
    assert (problems, notes) == ([], [])


def test_an_explanation_may_follow_the_reason() -> None:
    header = "number\tdocno\tgrade\treason\texplanation\n"
    rows, problems, _ = read(f"{header}1\tD1\t4\tfrom the board\tIt names the law.\n1\tD2\t0\t\tNothing here.\n")
    assert rows == [
        GoldRow("1", "D1", 4, "from the board", 2, "It names the law."),
        GoldRow("1", "D2", 0, "", 3, "Nothing here."),
    ]
    assert problems == []
    assert read("1\tD1\t4\ta\tb\tc\n")[1] == [
        "gold:1: 6 columns; number, docno, grade, perhaps a reason and an explanation (with tabs) expected"
    ]


def test_qrels() -> None:
    rows, problems, notes = read("# judged at home\n1 0 D1 4\n1\tQ0\tD2\t0\n2  4.5  184  -1\n")
    assert rows == [GoldRow("1", "D1", 4, "", 2), GoldRow("1", "D2", 0, "", 3)]
    assert problems == []
    assert notes == ["gold: 1 row with a grade below 0 (unjudged) was left aside"]


def test_numbers_as_docnos_do_not_confuse_the_two_forms() -> None:
    assert read("1\t184\t4\n")[0] == [GoldRow("1", "184", 4, "", 1)]
    assert read("1\t0\t184\t4\n")[0] == [GoldRow("1", "184", 4, "", 1)]
    assert read("1\t184\t4\tsee 5\n")[0] == [GoldRow("1", "184", 4, "see 5", 1)]


@pytest.mark.parametrize("grade", ["0.7", "1_0", "٣", "", "1e0", "0x1", "nan", "1234567890"])
def test_a_grade_is_a_whole_number_in_ascii(grade: str) -> None:
    rows, problems, _ = read(f"1\tD0\t0\n1\tD1\t{grade}\n")
    assert [row.docno for row in rows] == ["D0"]
    assert problems == [f"gold:2: the grade {grade!r} is not a whole number"]


def test_faults_come_with_file_line_and_reason() -> None:
    _, problems, _ = read("1\tD1\t4\n1\tD2\n1\tD1\t3\n1\tD3\t-1\n1 D4 2 no tabs\n\tD5\t1\n")
    assert problems == [
        "gold:2: 2 columns; number, docno, grade, perhaps a reason and an explanation (with tabs) expected",
        "gold:3: topic 1, document D1 twice, first on line 1",
        "gold:4: the grade -1 is below 0",
        "gold:5: 5 columns; number, docno, grade, perhaps a reason and an explanation (with tabs) expected",
        "gold:6: the topic number is empty",
    ]


def test_the_forms_do_not_mix() -> None:
    assert read("1 0 D1 4\n1 D2 4\n")[1] == ["gold:2: 3 columns, four expected (number iteration docno grade)"]


def test_an_empty_file_is_a_problem() -> None:
    assert read("")[1] == ["gold: there is no gold in this file"]


@pytest.mark.shared
@pytest.mark.parametrize(("name", "left_aside"), [("qrels.graded.txt", []), ("qrels.with-unknown.txt", [225])])
def test_cranfield_qrels_as_gold(shared_data: Path, name: str, left_aside: list[int]) -> None:
    """Counts: the table of relevance codes in the collection's README."""
    rows, problems, notes = read((shared_data / "cranfield" / name).read_text("utf-8"))
    assert problems == []
    assert Counter(row.grade for row in rows) == {4: 128, 3: 387, 2: 734, 1: 363}
    assert [int(note.split()[1]) for note in notes] == left_aside


def read_any(text: str, columns: Columns | None = None) -> tuple[list[tuple[int, ...] | None], list[str]]:
    """The accepted grades of each row, in whichever form the file is, and what is wrong."""
    problems, stream = Problems("gold"), io.BytesIO(text.encode())
    form, _ = recognise_format(FORMATS, stream, problems)
    return [row.accepted for row in form.read(stream, problems, columns or {})], [str(each) for each in problems]


JSONL = '{"number": "1", "docno": "D1", "grade": 3, "accepted": %s}\n'


@pytest.mark.parametrize(
    ("text", "accepted"),
    [
        ("[2, 3]", (2, 3)),
        ("[3, 2, 3]", (2, 3)),
        ("[]", ()),
        ("null", None),
        ("2", (2,)),
        ('"2 4"', (2, 4)),
        ('""', None),
    ],
)
def test_accepted_grades_of_json(text: str, accepted: tuple[int, ...] | None) -> None:
    assert read_any(JSONL % text) == ([accepted], [])


@pytest.mark.parametrize(
    ("cell", "accepted"), [("2 3", (2, 3)), ('"3,2"', (2, 3)), ("2;3", (2, 3)), ("", None), ("[]", ()), ("-1", (-1,))]
)
def test_accepted_grades_of_a_table(cell: str, accepted: tuple[int, ...] | None) -> None:
    assert read_any(f"topic,doc,gold,accepted\n1,D1,3,{cell}\n") == ([accepted], [])
    header = "number\tdocno\tgrade\treason\texplanation\taccepted"
    bare = cell.replace('"', "")
    tabs = f"{header}\n1\tD1\t3\t\t\t{bare}\n"
    assert read_any(tabs) == ([accepted], [])
    assert read_any(f"topic,doc,gold,right\n1,D1,3,{cell}\n", {"accepted": "right"}) == ([accepted], [])


@pytest.mark.parametrize("text", ['["x"]', "[2.5]", "[true]", "[[2]]", "[null]", '"high"', "true"])
def test_accepted_grades_are_whole_numbers(text: str) -> None:
    rows, problems = read_any(JSONL % "[3]" + (JSONL % text).replace("D1", "D2"))
    assert rows == [(3,)]
    assert [problem.partition(" '")[0] for problem in problems] == ["gold:2: the accepted grades"]


def test_an_array_is_no_grade() -> None:
    assert read_any('{"number": "1", "docno": "D1", "grade": [3]}\n')[1] == [
        "gold:1: the grade '[3]' is not a whole number"
    ]
