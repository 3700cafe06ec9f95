"""Models beside a reference as facts, which JSON holds; and from these a table, CSV of a model, and the plot by cutoff.

What was compared with a reference has facts with `reference`, with target similarities those with
`n_pairs`.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

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
FAMILIES = tuple(name.rpartition("@")[0] for name in measures_at(1))

Tests = Mapping[str, Pairs]  # by measure
Facts: TypeAlias = Mapping[str, Any]


def as_facts(comparison: ReferenceComparison, tests: Tests) -> dict[str, object]:
    names = [one.name for one in comparison.models]
    return {
        "reference": comparison.reference,
        "similarity": comparison.plan.similarity,
        "n_queries": len(comparison.numbers),
        "n_documents": comparison.n_documents,
        "n_compared": comparison.n_compared,
        "n_alone": comparison.n_alone,
        "models": [{"model": one.name, "measures": list(_rows_of(comparison, one))} for one in comparison.models],
        "tests": _tests(names, tests),
    }


def targets_as_facts(comparison: TargetComparison, tests: Tests) -> dict[str, object]:
    models = []
    for one in comparison.models:
        rows = zip(comparison.measures, one.mean.tolist(), one.deviation.tolist(), strict=True)
        measures = [{"measure": name, "mean": _defined(m), "deviation": _defined(d)} for name, m, d in rows]
        models.append({"model": one.name, "measures": measures})
    names = [one.name for one in comparison.models]
    return {"n_pairs": comparison.target.size, "models": models, "tests": _tests(names, tests)}


def cutoffs_of(facts: Facts) -> list[int]:
    """The k of the first model's rows, ascending; none where nothing was compared by rank."""
    return sorted({row["k"] for row in facts["models"][0]["measures"] if row.get("k") is not None})


def cell(model: Facts, measure: str, k: int | None = None) -> str:
    """The mean of a model of the facts ± its standard deviation."""
    row = measured(model, measure, k)
    if row["mean"] is None:
        return "–"
    return f"{row['mean']:z.4f}" if row["deviation"] is None else f"{row['mean']:z.4f} ± {row['deviation']:.4f}"


def measured(model: Facts, measure: str, k: int | None = None) -> dict[str, Any]:
    """The row of a measure at a cutoff."""
    rows: list[dict[str, Any]] = model["measures"]
    return next(row for row in rows if (row["measure"], row.get("k")) == (measure, k))


def as_table(facts: Facts) -> str:
    """A line a model and cutoff, if there are, then a line a model for its similarities; then all tests."""
    models, blocks = facts["models"], list[list[str]]()
    if cutoffs := cutoffs_of(facts):
        rows = [[one["model"], str(k), *(cell(one, name, k) for name in FAMILIES)] for one in models for k in cutoffs]
        blocks.append(aligned([["model", "k", *FAMILIES], *rows], n_names=1))
    alike = [[one["model"], *(cell(one, name) for name in NAMES)] for one in models]
    blocks.append(aligned([["model", *NAMES], *alike], n_names=1))
    if tests := facts["tests"]:
        blocks.append([f"{tests[0]['test']} test, {tests[0]['correction']}:", *_tests_as_lines(tests)])
    return "\n\n".join("\n".join(lines) for lines in blocks)


def as_csv(model: Facts) -> str:
    """One model's, with every digit; the interval is Student's of the mean, 95 %. Of targets the columns they have."""
    columns = [name for name in COLUMNS if name in model["measures"][0]]
    return csv_text(columns, ([row[name] for name in columns] for row in model["measures"]))


def plot_by_cutoff(facts: Facts, path: Path) -> None:
    """A panel a measure, a line a model: the mean by k with its 95 % interval over queries."""
    cutoffs = cutoffs_of(facts)
    panels = {
        family: {one["model"]: [_estimate(measured(one, family, k)) for k in cutoffs] for one in facts["models"]}
        for family in FAMILIES
    }
    title = f"beside {facts['reference']}; bands: 95 % intervals over {facts['n_queries']} queries"
    plot_panels(panels, cutoffs, best=[*next(iter(panels.values()))], title=title, path=path)


def _tests_as_lines(tests: Sequence[Facts]) -> list[str]:
    """A line a measure and pair of models."""
    rows = [["measure", "models", "difference", "p, corrected"]]
    for one in tests:
        models = f"{one['first']} – {one['second']}"
        rows.append([one["measure"], models, f"{one['difference']:+z.4f}", shown_p(one["adjusted_p"])])
    return aligned(rows, n_names=2)


def _rows_of(comparison: ReferenceComparison, model: ModelValues) -> Iterator[dict[str, object]]:
    """A row a measure and cutoff, by the names of `COLUMNS`; None for what is not defined."""
    columns = zip(comparison.measures, model.mean.tolist(), model.deviation.tolist(), model.value.T, strict=True)
    for name, mean, deviation, values in columns:
        family, _, k = name.rpartition("@")
        estimate = (mean, deviation, *_interval(values, name))
        cells = (family or name, int(k) if family else None, *map(_defined, estimate), values.size)
        yield dict(zip(COLUMNS, cells, strict=True))


def _tests(names: Sequence[str], tests: Tests) -> list[dict[str, object]]:
    keys = ("measure", "first", "second", "difference", "adjusted_p", "test", "correction")
    return [
        dict(zip(keys, (measure, *pair, tested.test, tested.correction), strict=True))
        for measure, tested in tests.items()
        for pair in _pairs(names, tested)
    ]


def _pairs(names: Sequence[str], pairs: Pairs) -> Iterator[tuple[str, str, float, float]]:
    columns = (pairs.first, pairs.second, pairs.mean_difference, pairs.adjusted)
    for first, second, difference, p in zip(*(column.tolist() for column in columns), strict=True):
        yield names[first], names[second], difference, p


def _estimate(row: Facts) -> Estimate:
    return Estimate(*(math.nan if row[name] is None else row[name] for name in ("mean", "low", "high")))


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
