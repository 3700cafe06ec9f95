"""All qrels of the corpus, alone and among thousands of good rows: read as ever, and line by line."""

import io

import pytest

from annotation.formats.problems import FormatError, Problems
from annotation.formats.qrels import parse_qrels
from annotation.formats.qrels import trec as qrels_format
from tests.corpus import Accepted, Malformed
from tests.corpus.checking import is_read_fast
from tests.corpus.qrels import ACCEPTED, MALFORMED, Row

N_GOOD = 8000
SLOW = {"grade 000000000000"}  # of 5,001 digits
ROWS: tuple[Row, ...] = tuple((f"t{i % 7}", f"d{i}", i % 5 - 1) for i in range(N_GOOD))
GOOD = b"".join(b"%b 0 %b %d\n" % (number.encode(), docno.encode(), grade) for number, docno, grade in ROWS)


def rows(data: bytes, *, carefully: bool = False) -> tuple[Row, ...]:
    return tuple(parse_qrels(io.BytesIO(data), Problems("a.qrels"), carefully=carefully).rows())


def faults(data: bytes, *, carefully: bool = False) -> tuple[str, ...]:
    with pytest.raises(FormatError) as caught:
        parse_qrels(io.BytesIO(data), Problems("a.qrels"), carefully=carefully)
    return tuple(map(str, caught.value.problems))


def test_what_is_read_by_columns() -> None:
    """All that is well formed, but for what `SLOW` names: else the two readings would not be compared."""
    assert is_read_fast(GOOD, qrels_format._read_fast)
    assert {case.name for case in ACCEPTED if not is_read_fast(case.data, qrels_format._read_fast)} == SLOW


def test_names_are_told_apart() -> None:
    assert len({case.name for case in MALFORMED}) == len(MALFORMED) > 60
    assert len({case.name for case in ACCEPTED}) == len(ACCEPTED)


@pytest.mark.parametrize("case", MALFORMED, ids=lambda case: case.name)
def test_what_is_malformed_is_refused_with_every_reason(case: Malformed) -> None:
    assert faults(case.data) == case.faults
    assert faults(case.data, carefully=True) == case.faults


@pytest.mark.parametrize("case", [case for case in MALFORMED if case.is_of_lines], ids=lambda case: case.name)
def test_good_rows_around_change_the_line_only(case: Malformed) -> None:
    assert faults(case.data + b"\n" + GOOD) == case.faults
    if not case.data.startswith(b"\xef\xbb\xbf"):
        assert faults(GOOD + case.data) == case.shifted(N_GOOD)


@pytest.mark.parametrize("case", ACCEPTED, ids=lambda case: case.name)
def test_what_is_well_formed_is_read(case: Accepted[Row]) -> None:
    assert rows(case.data) == rows(case.data, carefully=True) == case.rows


@pytest.mark.parametrize("case", ACCEPTED, ids=lambda case: case.name)
def test_good_rows_around_change_nothing(case: Accepted[Row]) -> None:
    if case.data.startswith(b"\x1f\x8b"):
        return
    assert rows(case.data + b"\n" + GOOD) == case.rows + ROWS
    if not case.data.startswith(b"\xef\xbb\xbf"):
        assert rows(GOOD + case.data) == ROWS + case.rows
