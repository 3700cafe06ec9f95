import gzip
import io

import pytest

from annotation.formats.problems import FormatError, Problems
from evaluation.formats.diversity_qrels import DiversityTable, parse_diversity_qrels


def parse(text: bytes) -> DiversityTable:
    return parse_diversity_qrels(io.BytesIO(text), Problems("web.qrels"))


def faults(text: bytes) -> list[str]:
    with pytest.raises(FormatError) as refused:
        parse(text)
    return [str(problem) for problem in refused.value.problems]


def test_a_docno_may_stand_once_for_each_subtopic() -> None:
    table = parse(b"# web track\n101 1 d1 2\n101 2 d1 0\r\n\n\t101\t0 d2  -1 \n")
    assert table.number == ["101", "101", "101"]
    assert table.subtopic == ["1", "2", "0"]
    assert table.docno == ["d1", "d1", "d2"]
    assert table.grade.tolist() == [2, 0, -1]
    assert len(table) == 3


def test_gzip_is_read_too() -> None:
    assert parse(gzip.compress(b"1 1 d1 1\n")).docno == ["d1"]


@pytest.mark.parametrize(
    ("text", "reasons"),
    [
        (b"", ["web.qrels: no judged document in the file"]),
        (b"# nothing\n", ["web.qrels: no judged document in the file"]),
        (
            b"1 1 d1 1\n1 2 d1 1\n1 1 d1 1\n",
            ["web.qrels:3: document 'd1' is already judged for topic '1', subtopic '1' in line 1"],
        ),
        (b"1 1 d1\n", ["web.qrels:1: 4 fields expected (topic, subtopic, docno, grade), 3 found"]),
        (b"1 1 d1 1 x\n", ["web.qrels:1: 4 fields expected (topic, subtopic, docno, grade), 5 found"]),
        (b"1 1 d1 0.5\n2 1 d1 x\n", [
            "web.qrels:1: the grade '0.5' is not a whole number",
            "web.qrels:2: the grade 'x' is not a whole number",
        ]),
    ],
)  # fmt: skip
def test_every_fault_is_named_by_line(text: bytes, reasons: list[str]) -> None:
    assert faults(text) == reasons


def test_groups_are_called_groups() -> None:
    text = b"1 ann d1 1\n1 ann d1 0\n"
    with pytest.raises(FormatError, match=r"g:2: document 'd1' is already judged for topic '1', group 'ann' in line 1"):
        parse_diversity_qrels(io.BytesIO(text), Problems("g"), by="group")
