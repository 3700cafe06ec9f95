"""A statistic of the query log that came in last."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from annotation.formats.problems import FormatError, Problems
from annotation.kernel.store import path_of
from annotation.models import Collection, Import
from evaluation.series.steps.measuring.names import LOG_NAMES
from evaluation.series.steps.measuring.result import Kind, Measured, MeasuringError, key_of

if TYPE_CHECKING:
    from evaluation.engine.arrays import Ints

_FIGURES: Mapping[str, Callable[["Ints"], float]] = {
    "queries": lambda count: float(count.size),
    "traffic": lambda count: float(count.sum()),
    "once": lambda count: float((count == 1).mean()),
    "top": lambda count: float(sum(sorted(count.tolist())[-10:]) / count.sum()),
}


def _measure(collection: Collection, of: Mapping[str, Any]) -> Measured:
    logs = Import.objects.filter(collection=collection, kind=Import.Kind.QUERIES, state=Import.State.PUBLISHED)
    log = logs.order_by("-published_at").first()
    if log is None:
        raise MeasuringError("No query log has come in yet.")
    try:
        value = _value(log, of["statistic"])
    except (FormatError, OSError, ValueError) as reason:
        raise MeasuringError(f"The log {log.filename} cannot be read: {reason}") from reason
    rests_on = f"{LOG_NAMES[of['statistic']]}, of {log.filename}"
    return Measured(value, None, None, rests_on, key_of(log.sha256, of["statistic"]))


def _value(log: Import, statistic: str) -> float:
    """Raises `FormatError`, `OSError` and `ValueError` as the readers do."""
    from evaluation.formats.log.queries import Division, read_query_log
    from evaluation.formats.log.results import share_without_results

    path, problems = path_of(log.sha256), Problems(log.filename)
    count = log.options.get("count_column") or ""
    if statistic == "zero":
        return share_without_results(path, problems, count=count)
    division = Division(query=log.options.get("query_column") or "", count=count)
    return _FIGURES[statistic](read_query_log(path, problems, division).count)


QUERIES = Kind(("statistic",), _measure)
