"""Similarities of a model beside target similarities of pairs, as people or another model gave them."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from evaluation.engine.arrays import Floats, Ints
from evaluation.engine.comparison import Design, tested_pairs
from evaluation.engine.reference.models import Model
from evaluation.engine.reference.similarities import NAMES, kendall, likeness, spearman
from evaluation.engine.significance.pairs import Pairs
from evaluation.engine.vectors.exact import Similarity, pair_scores
from evaluation.engine.vectors.search import as_tensor

LEAST, RESAMPLES = 3, 200


@dataclass(frozen=True, eq=False)
class TargetValues:
    """`deviation` of the correlations is the bootstrap's standard error over pairs, of MAE that over pairs, n − 1."""

    name: str
    similarity: Floats = field(repr=False)  # (n_pairs,)
    error: Floats = field(repr=False)  # (n_pairs,) absolute
    mean: Floats  # (3,) in the order of `similarities.NAMES`; NaN for a correlation that is not defined
    deviation: Floats  # (3,)


@dataclass(frozen=True, eq=False)
class TargetComparison:
    target: Floats = field(repr=False)  # (n_pairs,)
    models: tuple[TargetValues, ...]
    measures: tuple[str, ...] = NAMES


def compare_with_targets(
    models: Sequence[Model],
    pairs: Sequence[tuple[Ints, Ints]],
    target: Floats,
    similarity: Similarity,
    *,
    seed: int,
) -> TargetComparison:
    """`pairs`: for each model the rows of its queries and documents, (n_pairs,) twice, in the order of `target`.

    The same seed resamples the same pairs for every model. Raises `ValueError` for fewer than 3 pairs, no model, two of
    one name.
    """
    names = [one.name for one in models]
    if target.size < LEAST or not models or len(set(names)) < len(names):
        raise ValueError(f"3 pairs at least are needed, and models of different names; there are {target.size} pairs")
    values = [_values(one, rows, target, similarity, seed) for one, rows in zip(models, pairs, strict=True)]
    return TargetComparison(target, tuple(values))


def paired_errors(comparison: TargetComparison, design: Design, *, seed: int) -> Pairs | None:
    """All pairs of models by their absolute errors over the pairs of texts; None for one model."""
    if len(comparison.models) < 2:
        return None
    value = np.stack([one.error for one in comparison.models], axis=1)
    return tested_pairs(value, tuple(one.name for one in comparison.models), design, np.random.default_rng(seed), None)


def _values(model: Model, rows: tuple[Ints, Ints], target: Floats, similarity: Similarity, seed: int) -> TargetValues:
    import torch

    pairs = torch.from_numpy(rows[0]), torch.from_numpy(rows[1])
    score = pair_scores(as_tensor(model.query_vectors), as_tensor(model.document), pairs, similarity).numpy()
    error = np.abs(score - target)
    deviation = [*_resampled(score, target, np.random.default_rng(seed)), float(error.std(ddof=1))]
    return TargetValues(model.name, score, error, np.array(likeness(score, target)), np.array(deviation))


def _resampled(score: Floats, target: Floats, rng: np.random.Generator) -> list[float]:
    """The standard deviation of both correlations over resamples of the pairs, those left out that have none."""
    draws = (rng.integers(0, target.size, target.size) for _ in range(RESAMPLES))
    both = np.array([(spearman(score[d], target[d]), kendall(score[d], target[d])) for d in draws])
    columns = (column[np.isfinite(column)] for column in both.T)
    return [float(column.std(ddof=1)) if column.size > 1 else np.nan for column in columns]
