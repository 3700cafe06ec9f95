"""Claim: without drift the tests of `describe_drift` find some at their level, and Holm's conclusion no more often.

    python benchmarks/drift_false_alarms.py [replications]

Both sides are drawn from one distribution, compared as `describe_drift` compares them with 99 permutations and 10
directions, and it is counted how often p of each test by itself, and the conclusion of all four, is at most .05. Beside
them, over a tenth of the replications, how often the conclusion comes where the window is moved by half a deviation in
its first dimension.
"""

import math
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from evaluation.engine.arrays import Floats
from evaluation.engine.drift.description import drift

SEED, PERMUTATIONS, DIRECTIONS, ALPHA = 17, 99, 10, 0.05
TESTS = ("mmd", "energy", "classifier", "ks")
Draw = Callable[[np.random.Generator, int, int], Floats]


def _normal(rng: np.random.Generator, n: int, dim: int) -> Floats:
    return rng.standard_normal((n, dim))


def _heavy(rng: np.random.Generator, n: int, dim: int) -> Floats:
    return rng.standard_t(3, (n, dim))


def _grades(rng: np.random.Generator, n: int, dim: int) -> Floats:
    """Five values, so that there are many ties."""
    return rng.integers(0, 5, (n, dim)).astype(np.float64)


CASES: tuple[tuple[str, Draw, int, int, int], ...] = (
    ("normal", _normal, 50, 50, 1),
    ("normal", _normal, 200, 50, 1),
    ("normal", _normal, 50, 50, 16),
    ("t of 3 degrees", _heavy, 50, 50, 16),
    ("five values", _grades, 50, 50, 1),
)


def alarms(draw: Draw, n: int, m: int, dim: int, *, shift: float, times: int) -> Floats:
    """Shares in which each of the tests, and the conclusion, finds drift."""
    rng, count = np.random.default_rng(SEED), np.zeros(len(TESTS) + 1)
    for seed in range(times):
        reference, window = draw(rng, n, dim), draw(rng, m, dim)
        window[:, 0] += shift
        outcome = drift(reference, window, seed=seed, n_permutations=PERMUTATIONS, n_directions=DIRECTIONS)
        p = [outcome.mmd.p, outcome.energy.p, outcome.classifier.p, outcome.projections.ks_p]
        count += [*(one <= ALPHA for one in p), bool(outcome.found)]
    return count / times


if __name__ == "__main__":
    replications, begun = int(sys.argv[1]) if len(sys.argv) > 1 else 50, time.perf_counter()
    error = 100 * math.sqrt(0.0475 / replications)
    print(f"{replications:,} replications, seed {SEED}; the standard error near 5 is {error:.2f}")
    print(f"{'rows':16}{'sides':>10}{'dim':>5}{''.join(f'{name:>12}' for name in TESTS)}{'any':>8}    moved by .5: any")
    for name, draw, n, m, dim in CASES:
        false = 100 * alarms(draw, n, m, dim, shift=0.0, times=replications)
        power = 100 * alarms(draw, n, m, dim, shift=0.5, times=max(20, replications // 10))[-1]
        cells = "".join(f"{share:12.1f}" for share in false[:-1])
        print(f"{name:16}{f'{n} + {m}':>10}{dim:>5}{cells}{false[-1]:8.1f}{power:20.1f}", flush=True)
    print(f"{time.perf_counter() - begun:.0f} s")
