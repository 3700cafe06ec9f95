"""Hostile files of every kind: each is refused with exactly these words, and one good file of each kind goes in."""

import pytest

from tests.corpus.forms import ALIEN, CASES, FORMATS, WRONG_FOR_ALL, Hostile, faults_of


def test_names_are_told_apart() -> None:
    assert len({(case.kind, case.name) for case in CASES}) == len(CASES) > 80


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.kind}: {case.name}")
def test_what_is_wrong_is_refused_with_every_reason(case: Hostile) -> None:
    assert faults_of(case.kind, case.data, case.columns) == case.faults


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize(("data", "reason"), [pytest.param(*case[1:], id=case[0]) for case in WRONG_FOR_ALL])
def test_what_is_wrong_for_every_kind(kind: str, data: bytes, reason: str) -> None:
    assert faults_of(kind, data, {}) == (reason or ALIEN[kind],)


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("qrels", b"\xef\xbb\xbfquery-id\tcorpus-id\tscore\r\n=1\t+a\t1\r\n"),
        ("run", b'\xef\xbb\xbf{"qid":"=1","docno":"@a","score":1,"tag":"t"}\r\n'),
        ("pairs", b"\xef\xbb\xbfquery_id,doc_id\r\n=1,-a\r\n"),
        ("gold", b"\xef\xbb\xbfquery_id,doc_id,gold\r\n=1,@a,1\r\n"),
        ("judgments", b"\xef\xbb\xbfquery;docno;annotator;grade\r\n=1;+a;=w;1\r\n\r\n;;;\r\n"),
    ],
)
def test_what_is_odd_and_good(kind: str, data: bytes) -> None:
    """A byte order mark, CR LF, ids that a spreadsheet would take for formulas."""
    assert faults_of(kind, data, {}) == ()
