"""Adjusted p values: what each test's p is worth among many tests.

A test is significant at level alpha where its adjusted p ≤ alpha. All functions take and give
(n_tests,), in the order given, never above 1, and raise `ValueError` for p outside 0…1 or NaN. No
tests: nothing comes back, (0,).
"""

from collections.abc import Callable, Mapping
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.engine.arrays import Floats

Correction: TypeAlias = Literal["none", "bonferroni", "holm", "hochberg", "hommel", "bh", "by"]


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


def hochberg(p: ArrayLike) -> Floats:
    """Step-up: the k-th smallest p times (n_tests − k + 1), never above the next.

    Holds the chance of any false finding where tests are independent or positively dependent, and finds at least what
    Holm does. Hochberg, A sharper Bonferroni procedure for multiple tests of significance, Biometrika 75, 1988.
    """
    values = _checked(p)
    return _step_up(values, np.arange(values.size, 0, -1))


def hommel(p: ArrayLike) -> Floats:
    """The greatest p of Simes's test over all sets of hypotheses to which a test belongs: closed testing.

    Holds what Hochberg does, under the same condition, and finds at least as much. Hommel, A stagewise rejective
    multiple test procedure based on a modified Bonferroni test, Biometrika 75, 1988; computed as in Wright, Adjusted
    p-values for simultaneous inference, Biometrics 48, 1992. Takes n_tests² steps.
    """
    values = _checked(p)
    order, n = np.argsort(values, kind="stable"), values.size
    ordered = values[order]
    result = ordered.copy()
    for size in range(2, n + 1):  # sets of so many: the least of them, and then the `size` − 1 greatest p
        split = n - size + 1
        greatest = (size * ordered[split:] / np.arange(2, size + 1)).min()
        least = np.minimum(size * ordered[:split], greatest)
        result = np.maximum(result, np.append(least, np.full(size - 1, least[-1])))
    return _back(result, order)


def benjamini_hochberg(p: ArrayLike) -> Floats:
    """Step-up: the k-th smallest p times n_tests / k, never above the next. Holds the expected share of false findings
    among the findings where tests are independent or positively dependent.

    Benjamini and Hochberg, Controlling the false discovery rate, JRSS B 57, 1995.
    """
    values = _checked(p)
    return _step_up(values, values.size / np.arange(1, values.size + 1))


def benjamini_yekutieli(p: ArrayLike) -> Floats:
    """Benjamini–Hochberg times 1 + 1/2 + … + 1/n_tests: holds the same under any dependence.

    Benjamini and Yekutieli, The control of the false discovery rate in multiple testing under dependency, Annals of
    Statistics 29, 2001.
    """
    values = _checked(p)
    number = np.arange(1, values.size + 1)
    return _step_up(values, float((1 / number).sum()) * values.size / number)


def adjusted(p: ArrayLike, correction: Correction) -> Floats:
    """By name: none, bonferroni, holm, hochberg, hommel, bh (Benjamini–Hochberg), by (Benjamini–Yekutieli)."""
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


def _step_up(p: Floats, factor: NDArray[np.number]) -> Floats:
    """The k-th smallest p times the k-th factor, never above the next."""
    order = np.argsort(p, kind="stable")
    step = p[order] * factor
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
    "hochberg": hochberg,
    "hommel": hommel,
    "bh": benjamini_hochberg,
    "by": benjamini_yekutieli,
}
