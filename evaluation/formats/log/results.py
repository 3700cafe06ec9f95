"""How much of the traffic of a query log found nothing, block by block: memory holds one."""

from pathlib import Path

from annotation.formats.fields import shown
from annotation.formats.mapping import find_columns
from annotation.formats.problems import Problems
from evaluation.formats.log.catalogue import RESULTS
from evaluation.formats.log.columns import MOST_COUNT, Column
from evaluation.formats.log.queries import COUNT
from evaluation.formats.log.reading import open_log


def share_without_results(path: Path, problems: Problems, *, count: str = "") -> float:
    """The share of a log's rows without a result, each as often as `count`, a column, says: by its name, else the
    likeliest; without one each row is one time. A query may have several rows.

    Raises `FormatError` for what is malformed, and where no column says how many results there were; `ValueError` for
    counts that are all 0; `OSError` as `open` does.
    """
    log = open_log(path, problems)
    column = find_columns(log.names, (RESULTS, COUNT), {"count": count} if count else {}).column
    if "results" not in column:
        there = ", ".join(map(shown, log.names[:20]))
        raise problems.stop(1, f"no column says how many results a query had, as results or hits; there are {there}")
    wanted = {column["results"]: Column("decimal", least=0)}
    wanted |= {column["count"]: Column("whole", least=0, most=MOST_COUNT)} if "count" in column else {}
    asked = empty = 0
    for block in log.blocks(wanted, problems):
        none = block.frame[column["results"]] == 0
        times = block.frame[column["count"]] if "count" in column else none.is_not_null().cast(int)
        asked += int(times.sum())
        empty += int(times.filter(none).sum())
    problems.check()
    if not asked:
        raise ValueError("nothing was asked: there is no row, or all counts are 0")
    return empty / asked
