"""How much of the traffic found nothing: the same of one file, whichever door it comes in by."""

from pathlib import Path

import pytest

from annotation.formats.problems import Problems
from evaluation.formats.log.catalogue import read_asked
from evaluation.formats.log.queries import Division, read_query_log
from evaluation.formats.log.results import share_without_results

NAMES = ("count", "times", "frequency", "freq", "n", "searches", "volume", "impressions")


@pytest.mark.parametrize("name", NAMES)
def test_a_column_of_counts_has_one_name_at_every_door(name: str, tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text(f"query,{name},hits\na,6,0\nb,2,5\n")
    asked = read_asked(path, Problems("log.csv"))
    assert asked.times.tolist() == [6, 2]
    assert read_query_log(path, Problems("log.csv"), Division()).count.tolist() == [6, 2]
    assert share_without_results(path, Problems("log.csv")) == 0.75
