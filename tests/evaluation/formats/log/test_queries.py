"""Query logs whose counts cannot be added up, or say nothing, are refused."""

from pathlib import Path

import pytest

from annotation.formats.problems import FormatError, Problems
from evaluation.formats.log.queries import Division, read_query_log
from evaluation.formats.log.results import share_without_results

MOST = 2**63 - 1


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.tsv"
    path.write_text(f"query\thits\tcount\na\t0\t{MOST}\na\t0\t{MOST}\nb\t1\t3\n")
    return path


def test_counts_whose_sum_has_no_64_bits_are_refused(log: Path) -> None:
    """Their sums turned negative, without a word."""
    for read in (read_query_log, share_without_results):
        with pytest.raises(FormatError) as refused:
            read(log, Problems("log.tsv"))
        assert [str(one) for one in refused.value.problems] == [
            f"log.tsv:{line}: the count '{MOST}' is not a whole number of at least 0 and at most 1e+12"
            for line in (2, 3)
        ]


def test_traffic_of_0_is_called_so(log: Path) -> None:
    log.write_text("query\tcount\na\t0\nb\t0\n")
    with pytest.raises(ValueError, match="every count is 0: there is no traffic to divide"):
        read_query_log(log, Problems("log.tsv"))
    assert read_query_log(log, Problems("log.tsv"), Division(head=1, torso=1)).size == {
        "head": 1,
        "torso": 1,
        "tail": 0,
    }
