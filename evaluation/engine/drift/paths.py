"""Statistics that grow as a series leaves its history: CUSUM and Page–Hinkley.

Both take `z` (…, n_points), in deviations of the history from its mean, and give the path upward
and that downward, (…, n_points) each, never below 0. Any leading axes are series of their own.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np

from evaluation.engine.arrays import Floats, Ints

Method: TypeAlias = Literal["cusum", "page-hinkley"]
Bad: TypeAlias = Literal["up", "down", "either"]  # in which direction a change is one to be told of
ALLOWANCE = 0.5  # of CUSUM, deviations: half the shift that it finds soonest
TOLERANCE = 0.25  # of Page–Hinkley


def cusum(z: Floats, n_history: int) -> tuple[Floats, Floats]:
    """S ← max(0, S + z − ½) and the same of −z; the mean stays that of the history, however long the series.

    Page, Continuous inspection schemes, Biometrika 41, 1954.
    """
    del n_history
    return _excess(z - ALLOWANCE), _excess(-z - ALLOWANCE)


def page_hinkley(z: Floats, n_history: int) -> tuple[Floats, Floats]:
    """Σ (z − mean so far − ¼) above its least, and the same of −z. The mean so far counts the `n_history` points of
    the history (0 on average) and the new ones, so that a slow drift is followed.

    Hinkley, Inference about the change-point from cumulative sum tests, Biometrika 58, 1971; as Gama and others, A
    survey on concept drift adaptation, ACM Computing Surveys 46, 2014, have it.
    """
    mean = np.cumsum(z, axis=-1) / (n_history + np.arange(1, z.shape[-1] + 1))
    return _excess(z - mean - TOLERANCE), _excess(mean - z - TOLERANCE)


def _excess(step: Floats) -> Floats:
    """The running sum above its least so far, 0 included: max(0, S + step)."""
    total = np.cumsum(step, axis=-1)
    return np.asarray(total - np.minimum(np.minimum.accumulate(total, axis=-1), 0.0))


PATHS: Mapping[Method, Callable[[Floats, int], tuple[Floats, Floats]]] = {
    "cusum": cusum,
    "page-hinkley": page_hinkley,
}


def worst(paths: tuple[Floats, Floats], bad: Bad) -> Floats:
    """The path upward, that downward, or the higher of both."""
    up, down = paths
    return np.maximum(up, down) if bad == "either" else up if bad == "up" else down


@dataclass(frozen=True)
class Path:
    """(n_new,) each: the path upward and that downward, in deviations, and the place where the stretch of a point
    begins, in which the path began at 0."""

    up: Floats
    down: Floats
    stretch: Ints
    bad: Bad

    @cached_property
    def level(self) -> Floats:
        """(n_new,): the path in the bad direction."""
        return worst((self.up, self.down), self.bad)

    def begins(self, at: int) -> int:
        """The first point since the path of the direction at `at` last was 0, in the stretch that holds `at`: an
        estimate of where a change that shows there begins."""
        own, begin = self.up if self.direction(at) == "up" else self.down, int(self.stretch[at])
        zero = np.flatnonzero(own[begin:at] <= 0)
        return begin + int(zero[-1]) + 1 if zero.size else begin

    def direction(self, at: int) -> Literal["up", "down"]:
        if self.bad != "either":
            return self.bad
        return "up" if self.up[at] >= self.down[at] else "down"


def first_above(path: Path, threshold: float, start: int = 0) -> int | None:
    """The first place from `start` on where the path is above the threshold."""
    above = np.flatnonzero(path.level[start:] > threshold)
    return start + int(above[0]) if above.size else None
