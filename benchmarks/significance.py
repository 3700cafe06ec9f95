"""Claim: Fisher's randomization test takes milliseconds where peers take seconds, with the same p; so do all pairs.

    python benchmarks/significance.py [rounds]

Makes values of runs on 50 and on 10,000 topics from a seed. Each contender tests the same pair with 100,000 flips in
this one process, one after another, round after round (3 by default), after a first call on 8 topics that pays imports
and compilation. Prints median seconds of the wall and of the processors, the ratios of each, and each p. The p of two
contenders must lie within five standard errors of drawing, or the program fails. Then all 1770 pairs of 60 runs on 50
topics (100,000 flips), beside as many calls of ranx as it makes in 20 pairs, scaled; and the randomised Tukey HSD of
the same runs (10,000 permutations), which no peer has. ranx is left out where it is not installed.
"""

import math
import os
import platform
import sys
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import scipy
from scipy import stats

sys.path.pop(0)  # this folder, whose files may bear the names of packages
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from evaluation.engine.arrays import Floats
from evaluation.engine.significance.all_pairs import compare_pairs
from evaluation.engine.significance.paired.randomization import randomization
from evaluation.engine.significance.tukey import tukey_hsd

SEED = 38
N_FLIPS = 100_000
N_RUNS = 60
PAIRS_OF_RANX = 20

Test = Callable[[Floats, Floats], float]


def by_engine(first: Floats, second: Floats) -> float:
    return randomization(first - second, n_flips=N_FLIPS, rng=SEED).p


def by_scipy(first: Floats, second: Floats) -> float:
    flips = min(N_FLIPS, 10_000_000 // first.size)  # at once: 80 MB
    result = stats.permutation_test(
        (first - second,),
        lambda x, axis: x.mean(axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=N_FLIPS,
        batch=flips,
        rng=SEED,
    )
    return float(result.pvalue)


def contenders() -> dict[str, Test]:
    tests: dict[str, Test] = {"engine": by_engine, "scipy": by_scipy}
    try:
        from ranx.statistical_tests import fisher_randomization_test  # noqa: PLC0415
    except ImportError:
        print("ranx is not installed: left out")
        return tests
    tests["ranx"] = lambda first, second: float(fisher_randomization_test(first, second, N_FLIPS, 0.05, SEED)[0])
    return tests


def values(n_topics: int, n_runs: int) -> Floats:
    """Values in 0…1 that share the topics' difficulty; each run is a little better than the one before."""
    rng = np.random.default_rng(SEED)
    better = np.arange(n_runs) * 0.25 / math.sqrt(n_topics)
    return np.clip(rng.beta(1, 2, (n_topics, 1)) + rng.normal(0, 0.15, (n_topics, n_runs)) + better, 0, 1)


def timed(work: Callable[[], object]) -> tuple[Floats, object]:
    """`((seconds of the wall, of the processors), result)`"""
    start = np.array([time.perf_counter(), time.process_time()])
    result = work()
    return np.array([time.perf_counter(), time.process_time()]) - start, result


def race(tests: Mapping[str, Test], n_topics: int, rounds: int) -> bool:
    """Prints one pair's times and p; whether the p agree."""
    first, second = values(n_topics, 2).T.copy()
    seconds: dict[str, list[Floats]] = {name: [] for name in tests}
    p: dict[str, float] = {}
    for _ in range(rounds):
        for name, test in tests.items():
            took, result = timed(lambda test=test: test(first, second))
            seconds[name].append(took)
            p[name] = float(result)  # type: ignore[arg-type]
    median = {name: np.median(took, axis=0) for name, took in seconds.items()}
    print(f"\n{n_topics} topics, {N_FLIPS} flips, median of {rounds}: wall and cpu")
    for name in tests:
        print(f"  {name:<8}{_shown(median[name], median['engine'])}   p = {p[name]:.5f}")
    error = math.sqrt(2 * p["engine"] * (1 - p["engine"]) / N_FLIPS)
    return all(abs(each - p["engine"]) <= 5 * error for each in p.values())


def many(tests: Mapping[str, Test], rounds: int) -> None:
    table = values(50, N_RUNS)
    n_pairs = N_RUNS * (N_RUNS - 1) // 2
    ours = _median(lambda: compare_pairs(table, n_draws=N_FLIPS, rng=SEED), rounds)
    print(f"\nall {n_pairs} pairs of {N_RUNS} runs, 50 topics, {N_FLIPS} flips\n  engine  {_shown(ours, ours)}")
    if ranx := tests.get("ranx"):
        columns = np.ascontiguousarray(table.T)
        some = timed(lambda: [ranx(columns[i], columns[i + 1]) for i in range(PAIRS_OF_RANX)])[0]
        print(f"  ranx    {_shown(some * n_pairs / PAIRS_OF_RANX, ours)}   ({PAIRS_OF_RANX} pairs, scaled)")
    tukey = _median(lambda: tukey_hsd(table, rng=SEED), rounds)
    print(f"\nrandomised Tukey HSD of these runs, 10000 permutations\n  engine  {_shown(tukey, tukey)}")


def _median(work: Callable[[], object], rounds: int) -> Floats:
    median: Floats = np.median([timed(work)[0] for _ in range(rounds)], axis=0)
    return median


def _shown(seconds: Floats, engine: Floats) -> str:
    return "".join(f"{took:10.4f} s{took / ours:9.1f} ×" for took, ours in zip(seconds, engine, strict=True))


def main(rounds: int) -> None:
    versions = f"Python {platform.python_version()}, numpy {np.__version__}, scipy {scipy.__version__}"
    print(f"{datetime.now(UTC):%Y-%m-%d}, {platform.machine()}, {os.cpu_count()} cores, {versions}")
    tests = contenders()
    for test in tests.values():
        test(*values(8, 2).T.copy())
    agree = [race(tests, n_topics, rounds) for n_topics in (50, 10_000)]
    many(tests, rounds)
    if not all(agree):
        raise SystemExit("the p values differ by more than drawing explains")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2] or ("3",)))
