"""Adjusted p values: what each test's p is worth among many tests.

A test is significant at level alpha where its adjusted p ≤ alpha. All functions take and give (n_tests,), in the order
given, never above 1, and raise `ValueError` for p outside 0…1 or NaN. No tests: nothing comes back, (0,).
"""

from collections.abc import Callable, Mapping
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from evaluation.engine.arrays import Floats

Correction: TypeAlias = Literal["none", "bonferroni", "holm", "bh", "by"]


def bonferroni(p: ArrayLike) -> Floats:
    """n_tests · p. Holds the chance of any false finding.

    Dunn, Multiple comparisons among means, JASA 56, 1961.
    """
    values = _checked(p)
    return np.minimum(values * values.size, 1.0)


def holm(p: ArrayLike) -> Floats:
    """Step-down Bonferroni: the k-th smallest p times (n_tests − k + 1), never below the one before.

    Holds the chance of any false finding, and finds at least what Bonferroni does.
    Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6, 1979.
    """
    values = _checked(p)
    order = np.argsort(values, kind="stable")
    step = values[order] * np.arange(values.size, 0, -1)
    return _back(np.maximum.accumulate(step), order)


def benjamini_hochberg(p: ArrayLike) -> Floats:
    """Step-up: the k-th smallest p times n_tests / k, never above the next. Holds the expected share of false findings
    among the findings where tests are independent or positively dependent.

    Benjamini and Hochberg, Controlling the false discovery rate, JRSS B 57, 1995.
    """
    return _step_up(_checked(p), factor=1.0)


def benjamini_yekutieli(p: ArrayLike) -> Floats:
    """Benjamini–Hochberg times 1 + 1/2 + … + 1/n_tests: holds the same under any dependence.

    Benjamini and Yekutieli, The control of the false discovery rate in multiple testing under dependency, Annals of
    Statistics 29, 2001.
    """
    values = _checked(p)
    return _step_up(values, factor=float((1 / np.arange(1, values.size + 1)).sum()))


def adjusted(p: ArrayLike, correction: Correction) -> Floats:
    """By name: none, bonferroni, holm, bh (Benjamini–Hochberg), by (Benjamini–Yekutieli)."""
    if correction not in CORRECTIONS:
        raise ValueError(f"a correction is one of {', '.join(CORRECTIONS)}, not {correction!r}")
    return CORRECTIONS[correction](p)


def _checked(p: ArrayLike) -> Floats:
    values = np.array(p, np.float64)
    if values.ndim != 1:
        raise ValueError(f"p values come as (n_tests,), not in the shape {values.shape}")
    if not ((values >= 0) & (values <= 1)).all():
        raise ValueError("every p lies between 0 and 1")
    return values


def _step_up(p: Floats, *, factor: float) -> Floats:
    order = np.argsort(p, kind="stable")
    step = p[order] * (factor * p.size / np.arange(1, p.size + 1))
    return _back(np.minimum.accumulate(step[::-1])[::-1], order)


def _back(ordered: Floats, order: np.ndarray[tuple[int, ...], np.dtype[np.intp]]) -> Floats:
    """Adjusted values in the order in which the p were given, at most 1."""
    values = np.empty(ordered.size)
    values[order] = np.minimum(ordered, 1.0)
    return values


CORRECTIONS: Mapping[str, Callable[[ArrayLike], Floats]] = {
    "none": _checked,
    "bonferroni": bonferroni,
    "holm": holm,
    "bh": benjamini_hochberg,
    "by": benjamini_yekutieli,
}
