"""Claim: intervals of corrected click rates hold what they promise, of a pair and, with many topics, of a grade.

    python benchmarks/click_intervals.py [replications]

A pair is shown at positions 1, 3 and 10, with known propensities 1, 1/3 and 1/10, and it is counted how often its 95 %
interval misses the rate at which it attracts. And topics of fifteen documents whose grades attract with .05 to .65 in
each of them are shown in four orders; propensities are estimated, topics resampled 100 times, and it is counted how
often the interval of a grade from 2 on misses; and with known propensities.
"""

import math
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from evaluation.engine.clicks.comparison import ClickQuestion, compare_clicks
from evaluation.engine.clicks.corrected import Estimator, corrected
from tests.evaluation.engine.clicks.made import made_clicks

SEED, RESAMPLES, Z = 5, 100, 1.959964
THETA = np.array([1, 1 / 3, 1 / 10])


def pairs_missed(rate: float, shown: tuple[int, int, int], estimator: Estimator, times: int) -> float:
    rng = np.random.default_rng(SEED)
    clicks = rng.binomial(shown, rate * THETA, (times, THETA.size)).astype(float)
    impressions, theta = (np.tile(each, times) for each in (np.array(shown, float), THETA))
    estimate = corrected(clicks.ravel(), impressions, theta, lambda v: v.reshape(times, -1).sum(axis=1), estimator)
    low, high = estimate.interval(Z)
    return 100 * float(((low > rate) | (high < rate)).mean())


def grades_missed(n_topics: int, times: int, eta: float | None = None) -> float:
    missed = np.zeros(2)
    for seed in range(times):
        counts, qrels = made_clicks(n_topics, seed=seed)
        for one in compare_clicks(counts, qrels, ClickQuestion(eta=eta, n_resamples=RESAMPLES)).grades[2:]:
            low, high = one.corrected.low, one.corrected.high
            missed += [low is None or high is None or not low <= 0.05 + 0.15 * one.grade <= high, 1]
    return 100 * float(missed[0] / missed[1])


if __name__ == "__main__":
    replications, begun = int(sys.argv[1]) if len(sys.argv) > 1 else 100, time.perf_counter()
    error = 100 * math.sqrt(0.0475 / replications)
    print(f"{replications:,} replications, seed {SEED}; the standard error near 5 is {error:.2f}")
    print(f"{'rate':>5}{'impressions':>16}{'ips':>8}{'ratio':>8}")
    for rate in (0.05, 0.3, 0.7):
        for shown in ((10, 20, 30), (60, 120, 200), (600, 1200, 2000)):
            shares = [pairs_missed(rate, shown, estimator, replications) for estimator in ("ips", "ratio")]
            print(f"{rate:5}{'+'.join(map(str, shown)):>16}{shares[0]:8.1f}{shares[1]:8.1f}")
    for n_topics, eta, source in (
        (5, 1.0, "known"),
        (20, 1.0, "known"),
        (20, None, "estimated"),
        (100, None, "estimated"),
    ):
        missed = grades_missed(n_topics, replications, eta)
        print(f"grades, {n_topics} topics, propensities {source}: {missed:.1f}", flush=True)
    print(f"{time.perf_counter() - begun:.0f} s")
