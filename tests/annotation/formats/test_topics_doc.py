"""Topics as `<DOC>`, and topics without a title."""

import io

import pytest

from annotation.formats import documents
from annotation.formats.file_formats import Columns, recognise_format
from annotation.formats.problems import FormatError, Problems
from annotation.formats.topics import FORMATS, TopicRow

CACM = (
    "<DOC>\n<DOCNO>1</DOCNO>\n What articles exist which\ndeal with TSS?\n</DOC>\n<DOC>\n<DOCNO>2</DOCNO>\nx\n</DOC>\n"
)
UNTITLED = "<top>\n<num> Number: 301\n<desc> Description:\nall\n<narr> Narrative:\nnone\n</top>\n"


def read(text: str, columns: Columns | None = None) -> tuple[str, list[TopicRow], Problems]:
    problems, stream = Problems("x"), io.BytesIO(text.encode())
    file_format, _ = recognise_format(FORMATS, stream, problems)
    return file_format.name, list(file_format.read(stream, problems, columns or {})), problems


def test_topics_of_cacm() -> None:
    name, rows, problems = read(CACM)
    assert (name, list(problems)) == ("doc", [])
    assert [(row.number, row.title, row.line) for row in rows] == [
        ("1", "What articles exist which deal with TSS?", 1),
        ("2", "x", 6),
    ]


def test_with_a_title_the_rest_is_the_description() -> None:
    rows = read("<DOC><DOCNO>1</DOCNO><TITLE>TSS</TITLE>What of it?</DOC>")[1]
    assert [(row.title, row.description) for row in rows] == [("TSS", "What of it?")]


def test_documents_are_no_topics() -> None:
    text = "<DOC>\n<DOCNO>1</DOCNO>\n<TEXT>words</TEXT>\n</DOC>\n"
    assert documents.FORMATS[3].fits(text.encode())
    with pytest.raises(FormatError):
        read(text)


def test_topics_without_a_title_say_what_can_be_one() -> None:
    _, rows, problems = read(UNTITLED)
    reasons = [problem.reason for problem in problems]
    assert (rows, len(reasons), "title=desc narrative=narr" in reasons[0]) == ([], 1, True)
    rows = read(UNTITLED, {"title": "desc", "narrative": "narr"})[1]
    assert [(row.title, row.description, row.narrative) for row in rows] == [("all", "", "none")]
    _, _, problems = read('{"id": "1", "wish": "bees"}\n')
    assert ["title=wish" in problem.reason for problem in problems] == [True]
