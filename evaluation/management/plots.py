"""The plots of `manage.py evaluate`."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from evaluation.engine.measures import Measure
from evaluation.engine.measures.base import Summary
from evaluation.engine.scorer import MeasureValues
from evaluation.engine.value_range import interval_of_mean
from evaluation.formats.names import safe_name
from evaluation.formats.plots import Estimate, plot_curves, plot_means
from evaluation.formats.report.contents import with_cutoff

CONFIDENCE = 0.95
SUMMARIES: Mapping[Summary, str] = {"mean": "mean", "sum": "sum", "geometric": "geometric mean"}


def write_plots(
    evaluations: Sequence[MeasureValues],
    evaluate: Callable[[Sequence[Measure]], list[MeasureValues]],
    measures: Sequence[Measure],
    *,
    folder: Path,
    ending: str,
    cutoffs: Sequence[int],
) -> Iterator[Path]:
    """Write a plot of means for each measure and one of values by cutoff for each family of measures that has one."""
    for column, measure in enumerate(measures):
        path = folder / f"means_{safe_name(str(measure))}.{ending}"
        means = {one.tag: _estimate(one, column, measure) for one in evaluations}
        plot_means(means, measure=str(measure), path=path, confidence=CONFIDENCE, summary=SUMMARIES[measure.summary])
        yield path
    for name, family in with_cutoff(measures).items():
        path = folder / f"{safe_name(name)}_vs_k.{ending}"
        at = [replace(family, cutoff=k) for k in cutoffs]
        values = evaluate(at)
        curves = {one.tag: [_estimate(one, i, each) for i, each in enumerate(at)] for one in values}
        summary = SUMMARIES[family.summary]
        plot_curves(curves, cutoffs, measure=name, path=path, confidence=CONFIDENCE, summary=summary)
        yield path


def _estimate(evaluation: MeasureValues, column: int, measure: Measure) -> Estimate:
    """A mean of several topics has an interval; one topic, a sum or a geometric mean has none, nor has an estimate
    from too few judgments."""
    if measure.summary != "mean" or len(evaluation.numbers) < 2 or evaluation.no_interval(column):
        return Estimate(float(evaluation.mean[column]))
    interval = interval_of_mean(evaluation.value[:, column], str(measure), confidence=CONFIDENCE)
    return Estimate(interval.mean, interval.low, interval.high)
