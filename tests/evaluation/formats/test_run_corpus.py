"""Every run of the corpus, alone and among thousands of good rows: read as ever, and line by line."""

import io

import pytest

from annotation.formats.problems import FormatError, Problems
from evaluation.formats.run import parse_run
from evaluation.formats.run import trec as run_format
from tests.corpus import Accepted, Malformed
from tests.corpus.checking import is_read_fast
from tests.corpus.runs import ACCEPTED, MALFORMED, Row

N_GOOD = 7000
SLOW = {"CR CR LF", "a comment that is not UTF-8"}
ROWS: tuple[Row, ...] = tuple((f"t{i % 7}", f"d{i}", i / 4) for i in range(N_GOOD))


def good(tag: str = "me") -> bytes:
    return b"".join(b"t%d Q0 d%d 1 %r %b\n" % (i % 7, i, i / 4, tag.encode()) for i in range(N_GOOD))


def rows(data: bytes, *, carefully: bool = False) -> tuple[Row, ...]:
    table = parse_run(io.BytesIO(data), Problems("a.run"), carefully=carefully)
    return tuple(zip((table.numbers[t] for t in table.topic), table.docno, table.score.tolist(), strict=True))


def faults(data: bytes, *, carefully: bool = False) -> tuple[str, ...]:
    with pytest.raises(FormatError) as caught:
        parse_run(io.BytesIO(data), Problems("a.run"), carefully=carefully)
    return tuple(map(str, caught.value.problems))


def test_what_is_read_by_columns() -> None:
    """All that is well formed, but for what `SLOW` names: else the two readings would not be compared."""
    assert is_read_fast(good(), run_format._read_fast)
    assert {case.name for case in ACCEPTED if not is_read_fast(case.data, run_format._read_fast)} == SLOW


def test_names_are_told_apart() -> None:
    assert len({case.name for case in MALFORMED}) == len(MALFORMED) > 60
    assert len({case.name for case in ACCEPTED}) == len(ACCEPTED)


@pytest.mark.parametrize("case", MALFORMED, ids=lambda case: case.name)
def test_what_is_malformed_is_refused_with_every_reason(case: Malformed) -> None:
    assert faults(case.data) == case.faults
    assert faults(case.data, carefully=True) == case.faults


@pytest.mark.parametrize("case", [case for case in MALFORMED if case.is_of_lines], ids=lambda case: case.name)
def test_good_rows_around_change_the_line_only(case: Malformed) -> None:
    assert faults(case.data + b"\n" + good()) == case.faults
    if not case.data.startswith(b"\xef\xbb\xbf"):
        assert faults(good() + case.data) == case.shifted(N_GOOD)


@pytest.mark.parametrize("case", ACCEPTED, ids=lambda case: case.name)
def test_what_is_well_formed_is_read(case: Accepted[Row]) -> None:
    for carefully in (False, True):
        lines = rows(case.data, carefully=carefully)
        assert lines == case.rows
        assert [str(score) for _, _, score in lines] == [str(score) for _, _, score in case.rows]  # −0 is not 0


@pytest.mark.parametrize("case", ACCEPTED, ids=lambda case: case.name)
def test_good_rows_around_change_nothing(case: Accepted[Row]) -> None:
    if case.data.startswith(b"\x1f\x8b"):
        return
    tag = "t" * 200 if b"t" * 200 in case.data else "me"
    behind = rows(case.data + b"\n" + good(tag))
    assert behind == case.rows + ROWS
    assert [str(score) for _, _, score in behind[: len(case.rows)]] == [str(score) for _, _, score in case.rows]
    if not case.data.startswith(b"\xef\xbb\xbf"):
        assert rows(good(tag) + case.data) == ROWS + case.rows
