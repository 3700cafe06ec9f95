"""Policies side by side, how far a confidence holds, and how often the watch errs, as CSV files."""

from collections.abc import Iterable
from math import isfinite

from annotation.kernel.tables import Column, Kind, Table
from annotation.models import Collection
from annotation.quality.trust import ErrorRates, error_rates
from annotation.trust.pages.calibrated import BinRow, CalibrationReport
from annotation.trust.read.comparison import ComparedPolicy, Comparison
from annotation.trust.read.watch import watch_settings


def _compared_bins(report: CalibrationReport) -> Iterable[tuple[str, BinRow]]:
    """Nothing where no gold pair was kept."""
    if report.n:
        yield from (("stated", row) for row in report.bins)
        yield from (("corrected", row) for row in report.bins_calibrated)


def _rates_in_force(collection: Collection) -> Iterable[ErrorRates]:
    return error_rates(watch_settings(collection))


COMPARED: Table[Comparison, ComparedPolicy] = Table(
    (
        Column("policy", lambda row: row.name),
        Column("rule", lambda row: row.rule),
        Column("counts_machines", lambda row: row.outcome.policy.count_machines, Kind.YES_NO),
        Column("kept", lambda row: row.coverage.kept, Kind.WHOLE),
        Column("to_decide", lambda row: row.coverage.total, Kind.WHOLE),
        Column("dropped", lambda row: row.n_dropped, Kind.WHOLE),
        Column("gold_kept", lambda row: row.gold.n_kept, Kind.WHOLE),  # gold pairs, that gold hidden
        Column("gold_right", lambda row: row.gold.n_right, Kind.WHOLE),
        Column("accuracy", lambda row: row.accuracy, Kind.NUMBER),
        Column("low", lambda row: row.on_gold.low, Kind.NUMBER),  # Wilson, 95 %
        Column("high", lambda row: row.on_gold.high, Kind.NUMBER),
        Column("confidence", lambda row: row.confidence, Kind.NUMBER),
        Column("as_first", lambda row: row.same.n_yes, Kind.WHOLE),  # judged pairs with the grade of the first policy
        Column("both_keep", lambda row: row.same.n, Kind.WHOLE),
    ),
    lambda comparison: comparison.rows,
)

# A tenth of confidence with pairs in it: as stated, or corrected by a curve learned on other topics.
CONFIDENCE: Table[CalibrationReport, tuple[str, BinRow]] = Table(
    (
        Column("kind", lambda row: row[0]),
        Column("confidence", lambda row: row[1].name),
        Column("pairs", lambda row: row[1].n, Kind.WHOLE),
        Column("says", lambda row: row[1].confidence, Kind.NUMBER),
        Column("right", lambda row: row[1].right, Kind.NUMBER),
        Column("low", lambda row: row[1].low, Kind.NUMBER),
        Column("high", lambda row: row[1].high, Kind.NUMBER),
    ),
    _compared_bins,
)

# People who truly judge a share of gold without a critical error. A mean number of golds is empty where nobody is
# stopped, or where it has no end.
WATCH_RATES: Table[Collection, ErrorRates] = Table(
    (
        Column("true_rate", lambda row: row.rate, Kind.NUMBER),
        Column("stopped", lambda row: row.stopped, Kind.NUMBER),
        Column("golds_until_stopped", lambda row: row.golds_stopped, Kind.NUMBER),
        Column("golds_until_ended", lambda row: row.golds, Kind.NUMBER),
        Column("stopped_after_clearing", lambda row: row.paused, Kind.NUMBER),
        Column(
            "golds_from_clearing", lambda row: row.golds_paused if isfinite(row.golds_paused) else None, Kind.NUMBER
        ),
    ),
    _rates_in_force,
)
