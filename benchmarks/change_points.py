"""Claim: a series without a change raises false alarms at about the stated rate, where docs/drift.md says so.

    python benchmarks/change_points.py [replications]

Series are drawn without a change: a history and 30 points after it. Thresholds come from each history by itself, as
`watch_series` finds them but with fewer draws, at 5 % for both methods together, and it is counted how often either
raises an alarm. Beside them, over a tenth of the replications, how often an alarm comes where the 30 points are
moved by one deviation.
"""

import math
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from evaluation.engine.arrays import Floats
from evaluation.engine.drift.watch import watch

SEED, NEW, DRAWS = 17, 30, 400
Draw = Callable[[np.random.Generator, int], Floats]


def _normal(rng: np.random.Generator, n: int) -> Floats:
    return rng.standard_normal(n)


def _heavy(rng: np.random.Generator, n: int) -> Floats:
    return rng.standard_t(4, n) / math.sqrt(2)


def _skewed(rng: np.random.Generator, n: int) -> Floats:
    return rng.exponential(1.0, n)


def _following(rng: np.random.Generator, n: int) -> Floats:
    """Correlation .5 with the point before."""
    step = rng.standard_normal(n + 50) * math.sqrt(0.75)
    for i in range(1, step.size):
        step[i] += 0.5 * step[i - 1]
    return step[50:]


CASES: tuple[tuple[str, Draw, int, int], ...] = (
    ("normal", _normal, 20, 1),
    ("normal", _normal, 50, 1),
    ("normal", _normal, 100, 1),
    ("t of 4 degrees", _heavy, 50, 1),
    ("exponential", _skewed, 50, 1),
    ("exponential", _skewed, 100, 1),
    ("correlation .5", _following, 100, 1),
    ("correlation .5", _following, 100, 10),
)


def alarms(draw: Draw, n_history: int, block: int, shift: float, times: int) -> Floats:
    """Shares of series in which CUSUM, Page–Hinkley, either raises an alarm."""
    rng, count = np.random.default_rng(SEED), np.zeros(3)
    for seed in range(times):
        value = draw(rng, n_history + NEW)
        value[n_history:] += shift
        outcome = watch(value, n_history, seed=seed, n_draws=DRAWS, block=block)
        count += [*(one.alarm is not None for one in outcome.watches), outcome.is_alarm]
    return count / times


if __name__ == "__main__":
    replications, begun = int(sys.argv[1]) if len(sys.argv) > 1 else 300, time.perf_counter()
    error = 100 * math.sqrt(0.0475 / replications)
    print(f"{replications:,} replications, seed {SEED}, {NEW} new points; the standard error near 5 is {error:.2f}")
    print(f"{'series':16}{'history':>8}{'block':>6}   no change: CUSUM, Page–Hinkley, either    moved by 1: either")
    for name, draw, n_history, block in CASES:
        false = 100 * alarms(draw, n_history, block, 0.0, replications)
        power = 100 * alarms(draw, n_history, block, 1.0, max(100, replications // 10))[2]
        print(
            f"{name:16}{n_history:>8}{block:>6}{false[0]:18.1f}{false[1]:14.1f}{false[2]:9.1f}{power:22.1f}", flush=True
        )
    print(f"{time.perf_counter() - begun:.0f} s")
