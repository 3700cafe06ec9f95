"""Claim: always-valid intervals hold from their start on where events are many; 10 M units are analysed in seconds.

    python benchmarks/experiments.py [replications] [rows]

Shares of sequences that ever leave the truth out, at 200 looks from the start to 100,000 units a group; of intervals of
differences, relative ones, with a covariate and of ratios that do, and of the cluster bootstrap; and a log of units
with two measures and a covariate, analysed by the command's own code, without and with clusters of five, beside pandas
and scipy without the covariate.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import polars as pl

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from evaluation.engine.ab_tests.always_valid import sequence_factor  # noqa: E402 -- the path comes first
from evaluation.engine.ab_tests.bootstrap import Clusters, cluster_effect, replicates_of  # noqa: E402
from evaluation.engine.ab_tests.effects import UnitMeasure, effect, pooled_theta  # noqa: E402
from evaluation.engine.ab_tests.moments import moments_of  # noqa: E402

END, LOOKS = 100_000, 200
REPLICATES = 200  # of the cluster bootstrap here: the noise of the error is 5 %
OURS = """
import touchstone as ts
found = ts.analyse_experiment(PATH, variant="arm", control="A", measures=["a", "b"], covariate="x")
"""
CLUSTERS = """
import touchstone as ts
found = ts.analyse_experiment(PATH, variant="arm", control="A", measures=["a", "b"], covariate="x", cluster="user")
"""
PANDAS = """
import pandas
from scipy import stats
log = pandas.read_csv(PATH)
a, b = (log[log["arm"] == arm] for arm in "AB")
found = [stats.ttest_ind(a[name], b[name], equal_var=False).pvalue for name in "ab"]
"""
MEASURED = """
import time
begun = time.perf_counter()
{program}
peak = [line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")]
print(f"{{time.perf_counter() - begun:6.1f}} s {{int(peak[0]) // 1024:6}} MB")
"""


def missed(rate: float, lift: float, start: int, replications: int) -> list[float]:
    """Per cent of sequences that miss: of the first rate, of the difference; and of fixed 95 % intervals of the latter,
    at any look and at the last."""
    rng = np.random.default_rng(17)
    n = np.unique(np.geomspace(start, END, LOOKS).astype(int))
    gap = np.diff(n, prepend=0)
    a, b = (rng.binomial(gap, p, (replications, n.size)).cumsum(axis=1) / n for p in (rate, rate * (1 + lift)))
    one, other = a * (1 - a) / (n - 1), b * (1 - b) / (n - 1)
    single = np.array([sequence_factor(int(each)) for each in n])
    pair = np.array([sequence_factor(2 * int(each)) for each in n])
    off, error = np.abs(b - a - rate * lift), np.sqrt(one + other)
    fixed = off > 1.96 * error
    shares = [np.abs(a - rate) > single * np.sqrt(one), off > pair * error, fixed]
    return [100 * float(each.any(axis=1).mean()) for each in shares] + [100 * float(fixed[:, -1].mean())]


def summed(value: np.ndarray, n: np.ndarray) -> Clusters:
    """`value` in order of clusters of `n` units each."""
    return Clusters(np.column_stack([np.add.reduceat(value, np.cumsum([0, *n[:-1]])), n]))


def clusters_missed(n_clusters: int, sizes: str, replications: int) -> list[float]:
    """Per cent of 95 % intervals of the difference, 0, that miss: by the bootstrap of so many clusters of each variant,
    whose units share half of their variance; and by units as if they were independent."""
    rng, measure = np.random.default_rng(23), UnitMeasure("y", 0)
    missed = np.zeros(2)
    for _ in range(replications):
        n = np.full((2, n_clusters), 5) if sizes == "alike" else 1 + rng.geometric(0.2, (2, n_clusters))
        sides = [np.repeat(rng.normal(size=n_clusters), each) + rng.normal(size=each.sum()) for each in n]
        control, treatment = (moments_of(side[:, None]) for side in sides)
        sums = [summed(*each) for each in zip(sides, n, strict=True)]
        a, b = (replicates_of(each, rng, n_replicates=REPLICATES) for each in sums)
        effects = cluster_effect(measure, (control, treatment), (a, b)), effect(measure, control, treatment)
        missed += [not one.interval.low <= 0 <= one.interval.high for one in effects]
    return (100 * missed / replications).tolist()


def intervals_missed(n: int, replications: int) -> list[float]:
    """Per cent of 95 % intervals that miss, of `n` units a variant whose values are skewed and follow what they were
    before: the difference, a tenth of the control's mean; the same by the control's value; with the covariate; and the
    difference of the ratio of two sums that grow together, 0."""
    rng, lift = np.random.default_rng(29), 0.1
    mean, ratio = UnitMeasure("y", 0), UnitMeasure("y/z", 0, 2)
    missed = np.zeros(4)
    for _ in range(replications):
        before = rng.gamma(2.0, 0.5, (2, n))  # of mean 1
        value = before * rng.exponential(1.0, (2, n)) * np.array([[1.0], [1 + lift]])
        views = before * rng.gamma(3.0, 1 / 3, (2, n)) * np.array([[1.0], [1 + lift]])
        control, treatment = (moments_of(np.column_stack(each)) for each in zip(value, before, views, strict=True))
        plain, theta = effect(mean, control, treatment), pooled_theta(mean, 1, (control, treatment))
        saved = effect(mean, control, treatment, covariate=1, theta=theta)
        relative = plain.relative_interval
        intervals = [plain.interval, relative, saved.interval, effect(ratio, control, treatment).interval]
        true = [lift, lift, lift, 0.0]
        missed += [one is None or not one.low <= t <= one.high for one, t in zip(intervals, true, strict=True)]
    return (100 * missed / replications).tolist()


def lognormals(rng: np.random.Generator, n: int) -> np.ndarray:
    return np.exp(2 * rng.normal(size=n))


def lognormal_missed(n: tuple[int, int], replications: int) -> float:
    """Per cent of 95 % intervals of the difference, 0, of a lognormal measure that miss, of so many units."""
    rng, measure, missed = np.random.default_rng(31), UnitMeasure("y", 0), 0
    for _ in range(replications):
        interval = effect(measure, *(moments_of(lognormals(rng, each)[:, None]) for each in n)).interval
        missed += not interval.low <= 0 <= interval.high
    return 100 * missed / replications


def lognormal_sequences_missed(times: int, replications: int) -> float:
    """Per cent of sequences of the difference, 0, of a lognormal measure that miss at any of 40 looks, from 1,000 units
    of a variant to 10,000; the other has so many times as many."""
    rng, missed = np.random.default_rng(37), 0
    n = np.unique(np.geomspace(1_000, 10_000, 40).astype(int))
    factor = np.array([sequence_factor(int(each)) for each in (1 + times) * n])
    for _ in range(replications):
        means, variances = [], []
        for units in (n, times * n):
            value = lognormals(rng, int(units[-1]))
            begin = np.append(0, units[:-1])
            mean = np.add.reduceat(value, begin).cumsum() / units
            square = np.add.reduceat(value**2, begin).cumsum()
            means.append(mean)
            variances.append((square - units * mean**2) / (units - 1) / units)
        missed += bool((np.abs(means[1] - means[0]) > factor * np.sqrt(sum(variances))).any())
    return 100 * missed / replications


def timed(rows: int) -> None:
    rng = np.random.default_rng(1)
    arm = pl.Series(rng.integers(0, 2, rows)).replace_strict({0: "A", 1: "B"}, return_dtype=pl.String)
    columns = {
        "a": rng.normal(size=rows).round(4),
        "b": rng.binomial(1, 0.1, rows),
        "x": rng.normal(size=rows).round(4),
    }
    columns["user"] = rng.integers(0, max(2, rows // 10), rows) * 2 + (arm == "B").to_numpy()
    with tempfile.TemporaryDirectory() as folder:
        table, parquet = Path(folder) / "log.csv", Path(folder) / "log.parquet"
        pl.DataFrame({"arm": arm, **columns}).write_csv(table)
        pl.DataFrame({"arm": arm, **columns}).write_parquet(parquet)
        print(f"{rows:,} units, {table.stat().st_size >> 20} MB as CSV")
        programs = (
            ("Parquet", OURS, parquet),
            ("CSV", OURS, table),
            ("clusters", CLUSTERS, parquet),
            ("pandas, CSV", PANDAS, table),
        )
        for title, program, path in programs:
            print(f"{title:12}", end="", flush=True)
            measured = MEASURED.format(program=program.replace("PATH", repr(str(path))))
            subprocess.run([sys.executable, "-c", measured], cwd=ROOT, check=True)


def main(replications: int, rows: int) -> None:
    print("rate  lift  start   one rate   difference   fixed, any look   fixed, last look")
    for rate in (0.3, 0.01, 0.001):
        for lift in (0.0, 0.5):
            for start in (100, 1_000, 10_000):
                print(rate, lift, start, *(f"{share:.1f}" for share in missed(rate, lift, start, replications)))
    print("units   difference   relative   with a covariate   ratio")
    for n in (5, 10, 50, 200, 1_000, 5_000):
        print(n, *(f"{share:.1f}" for share in intervals_missed(n, replications)))
    print("lognormal: units   difference;   times as many in the other   sequences")
    for pair in ((200, 200), (2_000, 100)):
        print(*pair, f"{lognormal_missed(pair, replications):.1f}")
    for times in (1, 19):
        print(times, f"{lognormal_sequences_missed(times, replications):.1f}")
    print("clusters   sizes   bootstrap   as if independent")
    for n_clusters in (10, 30, 100):
        for sizes in ("alike", "various"):
            shares = clusters_missed(n_clusters, sizes, replications)
            print(n_clusters, sizes, *(f"{share:.1f}" for share in shares))
    timed(rows)


if __name__ == "__main__":
    numbers = [int(text) for text in sys.argv[1:]]
    main(*numbers, *(1_000, 200_000)[len(numbers) :])
