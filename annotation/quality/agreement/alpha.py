"""Krippendorff's alpha: K. Krippendorff, Computing Krippendorff's Alpha-Reliability (2011).

1 − observed / expected disagreement; 1 is perfect, 0 is chance, below 0 is worse than chance. Any
number of people, any number of judgments an item; items with fewer than two judgments say nothing
and are left out.
"""

from enum import StrEnum

import numpy as np

from annotation.quality.agreement.counts import GradeCounts, distances
from annotation.quality.agreement.result import Agreement
from annotation.quality.agreement.sums import Sums
from annotation.quality.arrays import Floats, Ints

RELIED_ON, TENTATIVE = 0.8, 0.667  # what K. Krippendorff asks for, Content Analysis (2004), chapter 11.4.2


class Level(StrEnum):
    """How far two grades are apart."""

    NOMINAL = "nominal"  # the same or not
    ORDINAL = "ordinal"  # by how many judgments lie between them
    INTERVAL = "interval"  # by their difference
    RATIO = "ratio"  # by their difference over their sum: grades are amounts with a zero


def krippendorff_alpha(table: GradeCounts, *, level: Level = Level.ORDINAL) -> Agreement:
    """Undefined where fewer than two different grades were given on shared items."""
    return table.agreement(float(alpha_of(_coincidence(*table.patterns), table.values, level)))


def _coincidence(rows: Ints, times: Ints) -> Floats:
    """(n_grades, n_grades), step B of the paper: ordered pairs of judgments of an item, each over the item's n − 1."""
    counts, n = rows.astype(np.float64), rows.sum(axis=1)  # (n_patterns, n_grades)
    weight = np.where(n >= 2, times / np.maximum(n - 1, 1), 0.0)
    return np.asarray(counts.T @ (counts * weight[:, None]) - np.diag(weight @ counts))


def alpha_values(sums: Sums, *, level: Level = Level.ORDINAL) -> Floats:
    """(…): alpha of each resample, NaN where undefined."""
    return alpha_of(sums.coincidence, sums.values, level)


def alpha_of(coincidence: Floats, values: Ints, level: Level) -> Floats:
    """(…, n_grades, n_grades) → (…): alpha of tables of coincidences, steps C and D of the paper."""
    margin = coincidence.sum(axis=-1)
    return alpha_at(coincidence, squared_distance(margin, values, level))


def alpha_at(coincidence: Floats, distance: Floats) -> Floats:
    """The same with squared distances given, of a shape that goes with `coincidence`."""
    margin = coincidence.sum(axis=-1)
    expected = (margin[..., :, None] * margin[..., None, :] * distance).sum(axis=(-2, -1))
    observed = (margin.sum(axis=-1) - 1) * (coincidence * distance).sum(axis=(-2, -1))
    varied = expected > 0
    return np.asarray(np.where(varied, 1 - observed / np.where(varied, expected, 1), np.nan))


def squared_distance(margin: Floats, values: Ints, level: Level) -> Floats:
    """δ² of the paper, (…, n_grades, n_grades); ordinal ones depend on `margin`, (…, n_grades)."""
    if level is Level.NOMINAL:
        return 1.0 - np.eye(len(values))
    if level is Level.INTERVAL:
        return distances(values) ** 2
    if level is Level.RATIO:
        total = (values[:, None] + values[None, :]).astype(np.float64)
        return np.asarray((distances(values) / np.where(total > 0, total, 1)) ** 2)  # 0 and 0 are 0 apart
    middle = np.cumsum(margin, axis=-1) - margin / 2  # Σ n_g from c to k, less half of both ends
    return np.asarray((middle[..., :, None] - middle[..., None, :]) ** 2)
