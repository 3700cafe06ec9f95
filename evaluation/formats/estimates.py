"""Estimates over all queries as text: a row a run and measure."""

import json
import math
from collections.abc import Callable, Mapping, Sequence

from evaluation.engine.sampling.estimates import Estimate
from evaluation.engine.sampling.topics import MeasureEstimate
from evaluation.formats.values import aligned, csv_text

COLUMNS = ("run", "measure", "sample", "queries", "low", "high", "traffic", "traffic_low", "traffic_high")


def as_table(estimates: Sequence[MeasureEstimate]) -> str:
    """Aligned columns, four decimals."""
    share = f"{100 * estimates[0].queries.confidence:g} % interval"
    head = ["run", "measure", "sample mean", "mean over queries", share, "mean over traffic", share]
    rows = [
        [one.run, one.measure, f"{one.sample:.4f}", *_cells(one.queries), *_cells(one.traffic)] for one in estimates
    ]
    notes = dict.fromkeys(each.note for one in estimates for each in (one.queries, one.traffic) if each.note)
    return "\n".join([*aligned([head, *rows], n_names=2), *notes]) + "\n"


def as_csv(estimates: Sequence[MeasureEstimate]) -> str:
    rows = ([one.run, one.measure, one.sample, *_numbers(one.queries), *_numbers(one.traffic)] for one in estimates)
    return csv_text(COLUMNS, rows)


def as_json(estimates: Sequence[MeasureEstimate]) -> str:
    return json.dumps([as_facts(one) for one in estimates], ensure_ascii=False, indent=2) + "\n"


def as_facts(one: MeasureEstimate) -> dict[str, object]:
    return {
        "run": one.run,
        "measure": one.measure,
        "sample": one.sample,
        "queries": _facts(one.queries),
        "traffic": _facts(one.traffic),
        "missing": one.n_missing,
    }


FORMATS: Mapping[str, Callable[[Sequence[MeasureEstimate]], str]] = {
    "table": as_table,
    "csv": as_csv,
    "json": as_json,
}


def _cells(one: Estimate) -> list[str]:
    interval = f"[{one.low:.4f}, {one.high:.4f}]" if math.isfinite(one.low) else "unknown"
    return [f"{one.value:.4f}", interval]


def _numbers(one: Estimate) -> tuple[float, float | None, float | None]:
    has_interval = math.isfinite(one.low)
    return one.value, one.low if has_interval else None, one.high if has_interval else None


def _facts(one: Estimate) -> dict[str, object]:
    value, low, high = _numbers(one)
    return {
        "mean": value,
        "standard_error": one.error if low is not None else None,
        "low": low,
        "high": high,
        "confidence": one.confidence,
        "df": one.df,
        "n": one.n,
        "note": one.note,
    }
