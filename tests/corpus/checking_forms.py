"""What must hold for any bytes at all that are brought in, in whatever form.

1. Nothing but `FormatError` comes out, whether the form is recognised or chosen, and whatever columns are chosen.
2. What a form says of the columns names each once, and no meaning twice.
3. What is accepted can be stored: ids that are ids, grades that are whole numbers, times that have a zone.
"""

import io
from collections.abc import Iterable

from annotation.formats.fields import id_fault
from annotation.formats.file_formats import Columns, FileFormat, recognise_format
from annotation.formats.gold import GoldRow
from annotation.formats.outside import OutsideJudgment
from annotation.formats.pairs import PairRow
from annotation.formats.problems import FormatError, Problems
from annotation.formats.qrels import QrelsTable
from evaluation.engine.run import RunTable, load_run, pack_run
from tests.corpus.forms import FORMATS

CHOSEN: tuple[Columns, ...] = (
    {},
    {"number": "=1", "docno": "=a", "annotator": "=w", "tag": "=t", "grades": "yes=1, no=cannot"},
    {"number": "docno", "grade": "comment", "docno": "docno"},
)


def check_forms(data: bytes) -> None:
    """Raises `AssertionError`, or whatever else comes out that is not `FormatError`.

    Every form is tried with one choice of columns, which the length of the data settles: some thirty readings a file.
    """
    columns = CHOSEN[len(data) % len(CHOSEN)]
    for forms in FORMATS.values():
        for form in forms:
            _read(forms, data, columns, form.name)
        _read(forms, data, {}, "")


def _read(forms: Iterable[FileFormat[object]], data: bytes, columns: Columns, name: str) -> None:
    problems, stream = Problems("a"), io.BytesIO(data)
    try:
        form, head = recognise_format(list(forms), stream, problems, name=name)
        _check_columns(form.columns(head))
        read = form.read(stream, problems, columns)
        rows = list(read) if isinstance(read, Iterable) else []
        problems.check()
    except FormatError:
        return
    _check_rows(read, rows)


def _check_columns(columns: list[tuple[str, str]]) -> None:
    meanings = [meaning for _, meaning in columns if meaning]
    assert len(set(meanings)) == len(meanings)
    assert all(isinstance(column, str) for column, _ in columns)


def _check_rows(read: object, rows: list[object]) -> None:
    if isinstance(read, QrelsTable):
        assert len(read) == len(set(zip(read.number, read.docno, strict=True))) == read.line.size > 0
        _check_ids([*read.numbers, *read.docno])
    elif isinstance(read, RunTable):
        assert load_run(pack_run(read)).n_rows == len(read) > 0
        _check_ids([*read.numbers, *read.docno, read.tag or "none"])
    for row in rows:
        assert isinstance(row, GoldRow | PairRow | OutsideJudgment)
        _check_ids([row.number, row.docno])
        assert row.line > 0
        if isinstance(row, OutsideJudgment):
            assert row.at is None or row.at.tzinfo is not None
            (row.annotator + row.comment).encode()


def _check_ids(ids: Iterable[str]) -> None:
    assert not any(id_fault(text, "id") for text in ids)
