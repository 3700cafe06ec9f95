"""Policies side by side, how far a confidence holds, and how often the watch errs, as lines that leave."""

from collections.abc import Sequence
from math import isfinite

from annotation.formats.policy_tables import ComparedLine, ConfidenceLine, WatchRateLine
from annotation.models import Collection
from annotation.quality.trust import error_rates
from annotation.trust.pages.calibrated import BinRow, CalibrationReport
from annotation.trust.read.comparison import ComparedPolicy, Comparison
from annotation.trust.read.watch import watch_settings


def compared_lines(comparison: Comparison) -> list[ComparedLine]:
    return [_compared(row) for row in comparison.rows]


def confidence_lines(report: CalibrationReport) -> list[ConfidenceLine]:
    """Nothing where no gold pair was kept."""
    if not report.n:
        return []
    return [*_bins("stated", report.bins), *_bins("corrected", report.bins_calibrated)]


def watch_rate_lines(collection: Collection) -> list[WatchRateLine]:
    """Of the settings that hold."""
    return [
        WatchRateLine(
            true_rate=each.rate,
            stopped=each.stopped,
            golds_until_stopped=each.golds_stopped,
            golds_until_ended=each.golds,
            stopped_after_clearing=each.paused,
            golds_from_clearing=each.golds_paused if isfinite(each.golds_paused) else None,
        )
        for each in error_rates(watch_settings(collection))
    ]


def _compared(row: ComparedPolicy) -> ComparedLine:
    low, high = row.interval if row.gold.n_kept else (None, None)
    return ComparedLine(
        policy=row.name,
        rule=row.rule,
        counts_machines=row.outcome.policy.count_machines,
        kept=row.coverage.kept,
        to_decide=row.coverage.total,
        dropped=row.n_dropped,
        gold_kept=row.gold.n_kept,
        gold_right=row.gold.n_right,
        accuracy=row.accuracy,
        low=low,
        high=high,
        confidence=row.confidence,
        as_first=row.same[0],
        both_keep=row.same[1],
    )


def _bins(kind: str, bins: Sequence[BinRow]) -> list[ConfidenceLine]:
    return [ConfidenceLine(kind, row.name, row.n, row.said, row.was, row.low, row.high) for row in bins]
