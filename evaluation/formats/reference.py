"""Models beside a reference as text: a table to look at, CSV of a model, JSON; and the plot by cutoff."""

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from evaluation.engine.arrays import Floats
from evaluation.engine.reference.comparison import ModelValues, ReferenceComparison
from evaluation.engine.reference.similarities import NAMES
from evaluation.engine.reference.targets import TargetComparison
from evaluation.engine.reference.top_k import OVERLAP, measures_at
from evaluation.engine.significance.pairs import Pairs
from evaluation.engine.value_range import value_range
from evaluation.formats.comparison import shown_p
from evaluation.formats.plots import Estimate, plot_panels
from evaluation.formats.values import aligned, csv_text

COLUMNS = ("measure", "k", "mean", "deviation", "low", "high", "n_queries")
LIMITS = {OVERLAP: (0.0, 1.0), "Spearman": (-1.0, 1.0), "Kendall": (-1.0, 1.0), "MAE": (0.0, math.inf)}

Tests = Mapping[str, Pairs]  # by measure


def as_table(comparison: ReferenceComparison) -> str:
    """A line a model and cutoff, then a line a model for its similarities; each mean ± its standard deviation."""
    families = [_family(name) for name in measures_at(1)]
    rows = [["model", "k", *families]]
    rows += [
        [one.name, str(k), *(_cell(comparison, one, name) for name in measures_at(k))]
        for one in comparison.models
        for k in comparison.plan.cutoffs
    ]
    alike = [["model", *NAMES]]
    alike += [[one.name, *(_cell(comparison, one, name) for name in NAMES)] for one in comparison.models]
    return "\n".join([*aligned(rows, n_names=1), "", *aligned(alike, n_names=1)])


def targets_as_table(comparison: TargetComparison) -> str:
    rows = [["model", *comparison.measures]]
    for one in comparison.models:
        pairs = zip(one.mean.tolist(), one.deviation.tolist(), strict=True)
        rows.append([one.name, *(_with_deviation(mean, deviation) for mean, deviation in pairs)])
    return "\n".join(aligned(rows, n_names=1))


def tests_as_table(names: Sequence[str], tests: Tests) -> str:
    """A line a measure and pair of models."""
    rows = [["measure", "models", "difference", "p, corrected"]]
    for measure, pairs in tests.items():
        for first, second, difference, p in _pairs(names, pairs):
            rows.append([measure, f"{first} – {second}", f"{difference:+z.4f}", shown_p(p)])
    return "\n".join(aligned(rows, n_names=2))


def rows_of(comparison: ReferenceComparison, model: ModelValues) -> Iterator[dict[str, object]]:
    """A row a measure and cutoff, by the names of `COLUMNS`; None for what is not defined."""
    columns = zip(comparison.measures, model.mean.tolist(), model.deviation.tolist(), model.value.T, strict=True)
    for name, mean, deviation, values in columns:
        family, _, k = name.rpartition("@")
        estimate = (mean, deviation, *_interval(values, name))
        cells = (family or name, int(k) if family else None, *map(_defined, estimate), values.size)
        yield dict(zip(COLUMNS, cells, strict=True))


def as_csv(comparison: ReferenceComparison, model: ModelValues) -> str:
    """One model's, with every digit; the interval is Student's of the mean, 95 %."""
    return csv_text(COLUMNS, (row.values() for row in rows_of(comparison, model)))


def as_facts(comparison: ReferenceComparison, tests: Tests) -> dict[str, object]:
    names = [one.name for one in comparison.models]
    return {
        "reference": comparison.reference,
        "similarity": comparison.plan.similarity,
        "n_queries": len(comparison.numbers),
        "n_documents": comparison.n_documents,
        "n_compared": comparison.n_compared,
        "n_alone": comparison.n_alone,
        "models": [{"model": one.name, "measures": list(rows_of(comparison, one))} for one in comparison.models],
        "tests": tests_as_facts(names, tests),
    }


def targets_as_facts(comparison: TargetComparison, tests: Tests) -> dict[str, object]:
    models = [
        {
            "model": one.name,
            "measures": [
                {"measure": name, "mean": _defined(mean), "deviation": _defined(deviation)}
                for name, mean, deviation in zip(
                    comparison.measures, one.mean.tolist(), one.deviation.tolist(), strict=True
                )
            ],
        }
        for one in comparison.models
    ]
    names = [one.name for one in comparison.models]
    return {"n_pairs": comparison.target.size, "models": models, "tests": tests_as_facts(names, tests)}


def tests_as_facts(names: Sequence[str], tests: Tests) -> list[dict[str, object]]:
    keys = ("measure", "first", "second", "difference", "adjusted_p", "test", "correction")
    return [
        dict(zip(keys, (measure, *pair, tested.test, tested.correction), strict=True))
        for measure, tested in tests.items()
        for pair in _pairs(names, tested)
    ]


def plot_by_cutoff(comparison: ReferenceComparison, path: Path) -> None:
    """A panel a measure, a line a model: the mean by k with its 95 % interval over queries."""
    panels = {}
    for place, family in enumerate(measures_at(1)):
        names = [measures_at(k)[place] for k in comparison.plan.cutoffs]
        panels[_family(family)] = {
            one.name: [_estimate(comparison, one, n) for n in names] for one in comparison.models
        }
    title = f"beside {comparison.reference}; bands: 95% intervals over {len(comparison.numbers)} queries"
    names = [one.name for one in comparison.models]
    plot_panels(panels, comparison.plan.cutoffs, best=names, title=title, path=path)


def _family(name: str) -> str:
    return name.rpartition("@")[0]


def _pairs(names: Sequence[str], pairs: Pairs) -> Iterator[tuple[str, str, float, float]]:
    columns = (pairs.first, pairs.second, pairs.mean_difference, pairs.adjusted)
    for first, second, difference, p in zip(*(column.tolist() for column in columns), strict=True):
        yield names[first], names[second], difference, p


def _cell(comparison: ReferenceComparison, model: ModelValues, measure: str) -> str:
    at = comparison.measures.index(measure)
    return _with_deviation(float(model.mean[at]), float(model.deviation[at]))


def _with_deviation(mean: float, deviation: float) -> str:
    if math.isnan(mean):
        return "–"
    return f"{mean:z.4f}" if math.isnan(deviation) else f"{mean:z.4f} ± {deviation:.4f}"


def _estimate(comparison: ReferenceComparison, model: ModelValues, measure: str) -> Estimate:
    values = model.value[:, comparison.measures.index(measure)]
    return Estimate(float(values.mean()), *_interval(values, measure))


def _within(measure: str) -> tuple[float, float]:
    """Between which values a mean lies."""
    return LIMITS.get(measure.partition("@")[0]) or value_range(measure)


def _interval(values: Floats, measure: str) -> tuple[float, float]:
    """Student's, of the mean, without what no mean can be; NaN for what is not defined."""
    from evaluation.engine.significance.intervals.student import t_interval  # noqa: PLC0415 (loads scipy)

    if not all(map(math.isfinite, values.tolist())):
        return math.nan, math.nan
    interval = t_interval(values).within(*_within(measure))
    return interval.low, interval.high


def _defined(value: float) -> float | None:
    return None if math.isnan(value) else value
