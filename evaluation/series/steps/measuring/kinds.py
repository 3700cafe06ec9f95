"""The kinds of series that measure by themselves."""

from collections.abc import Mapping

from evaluation.models import Series
from evaluation.series.steps.measuring.judged import AGREEMENT, GOLD
from evaluation.series.steps.measuring.query_log import QUERIES
from evaluation.series.steps.measuring.result import Kind, Measured
from evaluation.series.steps.measuring.run_measure import RUN_MEASURE
from evaluation.series.steps.measuring.space import SPACE
from evaluation.series.steps.measuring.vectors import VECTORS

KINDS: Mapping[str, Kind] = {
    Series.Kind.MEASURE: RUN_MEASURE,
    Series.Kind.AGREEMENT: AGREEMENT,
    Series.Kind.GOLD: GOLD,
    Series.Kind.VECTORS: VECTORS,
    Series.Kind.SPACE: SPACE,
    Series.Kind.QUERIES: QUERIES,
}


def measure_series(series: Series) -> Measured:
    """Raises `MeasuringError`."""
    return KINDS[series.kind].measure(series.collection, series.of)
