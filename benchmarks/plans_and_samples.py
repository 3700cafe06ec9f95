"""Claim: planned experiments have the power they promise, and estimates from samples the coverage, where docs say so.

    python benchmarks/plans_and_samples.py [replications]

Planning: experiments of the planned size are drawn, with the planned difference and with none, and it is counted how
often a z test (of rates, pooled) or a paired t test is significant. Cluster totals are beta-binomial; the test takes
clusters as units. Samples: a log of 100,000 queries with Zipf counts is the population; the value of a query is 0 or
1, more often 1 where it is frequent. Samples are drawn by each rule, and it is counted how often the 95 % interval of
the mean over queries and over traffic holds the true one.
"""

import math
import sys
import time
from pathlib import Path

import numpy as np
from scipy.special import stdtrit

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from evaluation.engine.arrays import Bools, Floats
from evaluation.engine.planning.plan import Plan, Question, plan
from evaluation.engine.sampling.allocation import Allocation, Rule, allocate
from evaluation.engine.sampling.draw import draw
from evaluation.engine.sampling.estimates import Estimate, hajek_mean, hajek_ratio
from evaluation.engine.sampling.strata import NAMES, by_rank

SEED = 17
Z = 1.959964
QUESTIONS = (
    ("rate .15, relative 10 %", Question("groups", rate=0.15, relative=0.1)),
    ("rate .15, second group half", Question("groups", rate=0.15, relative=0.1, ratio=0.5)),
    ("rate .01, relative 50 %", Question("groups", rate=0.01, relative=0.5)),
    ("rate .001, five times", Question("groups", rate=0.001, relative=4.0)),
    ("clusters of 10, ρ .05", Question("groups", rate=0.15, relative=0.1, cluster_size=10, correlation=0.05)),
    ("5 clusters of 200, ρ .005", Question("groups", rate=0.3, difference=0.08, cluster_size=200, correlation=0.005)),
    ("topics, σ .2, δ .05", Question("topics", deviation=0.2, difference=0.05)),
    ("topics, σ .2, δ .2", Question("topics", deviation=0.2, difference=0.2)),
)


def found_share(asked: Plan, difference: float, rng: np.random.Generator, times: int) -> float:
    if asked.question.design == "topics":
        return float(np.concatenate([_topics(asked, difference, rng, part) for part in _parts(times)]).mean())
    return float(np.concatenate([_groups(asked, difference, rng, part) for part in _parts(times)]).mean())


def _parts(times: int) -> list[int]:
    return [min(1000, times - a) for a in range(0, times, 1000)]


def _topics(asked: Plan, difference: float, rng: np.random.Generator, times: int) -> Bools:
    value = rng.normal(difference, asked.deviation, (times, asked.n))
    t = value.mean(axis=1) / (value.std(axis=1, ddof=1) / math.sqrt(asked.n))
    return np.abs(t) > float(stdtrit(asked.n - 1, 0.975))


def _groups(asked: Plan, difference: float, rng: np.random.Generator, times: int) -> Bools:
    rate = asked.question.rate or 0.0
    if asked.n_clusters:
        return _clusters(asked, (rate, rate + difference), rng, times)
    n = np.array([asked.n, asked.n_second])
    hits = rng.binomial(n, [rate, rate + difference], (times, 2))
    pooled = hits.sum(axis=1) / n.sum()
    error = np.sqrt(np.maximum(pooled * (1 - pooled), 1e-300) * (1 / n).sum())
    return np.abs(np.diff(hits / n, axis=1)[:, 0]) > Z * error


def _clusters(asked: Plan, rates: tuple[float, float], rng: np.random.Generator, times: int) -> Bools:
    m, rho = int(asked.question.cluster_size), asked.question.correlation
    spread = (1 - rho) / rho
    means = [
        rng.binomial(m, rng.beta(p * spread, (1 - p) * spread, (times, asked.n_clusters))) / m for p in rates
    ]  # (times, n_clusters) of each group
    error = np.sqrt(sum(each.var(axis=1, ddof=1) for each in means) / asked.n_clusters)
    return np.abs(means[1].mean(axis=1) - means[0].mean(axis=1)) > Z * error


def plans(times: int) -> None:
    print(f"{'design':28}{'n':>9}  power promised, found   false alarms")
    for name, question in QUESTIONS:
        asked, rng = plan(question), np.random.default_rng(SEED)
        power, false = found_share(asked, asked.difference, rng, times), found_share(asked, 0.0, rng, times)
        print(f"{name:28}{asked.n:>9,}  {100 * asked.power:13.1f} {100 * power:8.1f} {100 * false:14.1f}")


def population() -> tuple[Floats, np.ndarray, np.ndarray]:
    """`(value, count, stratum)` of each query."""
    rng = np.random.default_rng(SEED)
    count = rng.zipf(1.7, 100_000).clip(max=10_000)
    stratum = by_rank(count, head=200, torso=5_000)
    return (rng.random(count.size) < np.array([0.85, 0.65, 0.4])[stratum]).astype(np.float64), count, stratum


def allocated(rule: Rule, total: int) -> Allocation:
    size = {"head": 200, "torso": 5_000, "tail": 94_800}
    deviation = dict(zip(NAMES, [0.36, 0.48, 0.49], strict=True))
    return allocate(size, total, rule=rule, minimum=5, deviation=deviation)


def samples(times: int) -> None:
    value, count, stratum = population()
    truth = value.mean(), (value * count).sum() / count.sum()
    print(f"\n{'rule':14}{'topics':>7}  head torso tail   queries: coverage, ±   traffic: coverage, ±   plain mean")
    for rule in ("proportional", "equal", "neyman"):
        for total in (50, 200, 1000):
            shares = allocated(rule, total)
            n = [one.n for one in shares.strata]
            coverage, widths, plain = np.zeros(2), np.zeros(2), 0
            for seed in range(times):
                one = draw(stratum, n, seed=seed)
                y, c = value[one.unit], count[one.unit].astype(float)
                both = (
                    hajek_mean(y, one.probability, stratum=one.stratum),
                    hajek_ratio(y * c, c, one.probability, stratum=one.stratum),
                )
                coverage += [holds(each, true) for each, true in zip(both, truth, strict=True)]
                widths += [(each.high - each.low) / 2 for each in both]
                plain += abs(y.mean() - truth[0]) <= 1.96 * y.std(ddof=1) / math.sqrt(y.size)
            cells = [f"{100 * a / times:10.1f} {b / times:10.3f}" for a, b in zip(coverage, widths, strict=True)]
            shown = " ".join(f"{one:5}" for one in n)
            print(f"{rule:14}{total:>7} {shown}  {'  '.join(cells)} {100 * plain / times:15.1f}")


def holds(estimate: Estimate, true: float) -> bool:
    return estimate.low <= true <= estimate.high


if __name__ == "__main__":
    replications, begun = int(sys.argv[1]) if len(sys.argv) > 1 else 300, time.perf_counter()
    error = 100 * math.sqrt(0.0475 / replications)
    print(f"{replications:,} replications, seed {SEED}; the standard error near 95 is {error:.2f}")
    plans(replications)
    samples(replications)
    print(f"{time.perf_counter() - begun:.0f} s")
