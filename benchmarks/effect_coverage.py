"""Claim: intervals of effect sizes hold about 95 % on average.

    python benchmarks/effect_coverage.py [replications]

The values per topic of real runs (those of `interval_coverage.py`) are taken as populations whose d_z, d and g are
known; of d and g it is that of d, which g estimates. Samples of topics are drawn with replacement, and it is
counted how often the interval holds what is true: the noncentral t, for d and g the wider of that and t by the delta
method. The last line draws normal values of two runs that correlate by .7 and differ by half a
deviation. A cell says the coverage in per cent, the mean over pairs and in parentheses the lowest; the last
column how wide the interval of d is on average, the first of its two alone being 1.

An effect lies in the first where the noncentral t that it would give leaves the sample's t out of both tails: so many
samples are looked at at once. Some are checked to be in the interval of `effect_sizes` just then. Without the real
collections the last line alone is printed.
"""

import itertools
import math
import os
import sys
import time
from pathlib import Path

import numpy as np
from scipy.special import nctdtr, nctdtrinc

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from annotation.formats.problems import Problems
from annotation.formats.qrels import parse_qrels
from evaluation.engine.arrays import Bools, Floats
from evaluation.engine.measures import parse_measure
from evaluation.engine.qrels import Qrels
from evaluation.engine.run import load_run, pack_run
from evaluation.engine.scorer import evaluate
from evaluation.engine.significance.effect import effect_sizes, half_width_of_d, pooled_deviation
from evaluation.formats.run import parse_run

ROOT = Path(__file__).resolve().parent.parent
SEED, TAIL, CONFIDENCE = 16, 0.025, 0.95
MEASURES, SIZES = ("nDCG@10", "AP", "RR"), (10, 25, 50, 100, 250)
N_CHECKED, N_WIDTHS = 5, 200  # samples of a pair
NAMES = ("d_z", "d", "g")
COLLECTIONS = (("robust03", "qrels.robust03.txt.gz", None), ("cranfield", "qrels.graded.txt", "rrf-bm25-dense"))


def values_of(folder: Path, qrels_name: str, measures: tuple[str, ...] = MEASURES) -> dict[str, Floats]:
    """By run: (n_topics, n_measures)."""
    with (folder / qrels_name).open("rb") as stream:
        qrels = Qrels.of_table(parse_qrels(stream, Problems(qrels_name)))
    values = {}
    for file in sorted(folder.glob("runs/*.run.gz")):
        with file.open("rb") as stream:
            run = load_run(pack_run(parse_run(stream, Problems(file.name))))
        values[file.name.removesuffix(".run.gz")] = evaluate(run, qrels, list(map(parse_measure, measures))).value
    return values


def holds_effects(first: Floats, second: Floats, true: tuple[float, float]) -> Bools:
    """Of d_z, d and g, (3, n_samples); `true` are d_z and d."""
    n = len(first)
    difference = first - second
    scatter, pooled = difference.std(axis=0, ddof=1), pooled_deviation(first, second)
    t = difference.mean(axis=0) / scatter * n**0.5
    factor = 1 - 3 / (4 * (2 * n - 2) - 1)
    d_z = np.stack([np.full_like(t, true[0]), true[1] * pooled / scatter, true[1] / factor * pooled / scatter])
    below = nctdtr(n - 1, d_z * n**0.5, t)
    d, half = difference.mean(axis=0) / pooled, half_width_of_d(first, second, CONFIDENCE)
    near = np.abs(np.stack([d, factor * d]) - true[1]) <= np.array([[1], [factor]]) * half
    holds = (below >= TAIL) & (below <= 1 - TAIL)
    holds[1:] |= near
    return np.asarray(holds)


def width_of_d(first: Floats, second: Floats) -> Floats:
    """(n_samples,): of the interval of d, by that of its first alone."""
    n, difference = len(first), first - second
    scatter, pooled = difference.std(axis=0, ddof=1), pooled_deviation(first, second)
    t, scale = difference.mean(axis=0) / scatter * n**0.5, scatter / pooled / n**0.5
    low, high = (nctdtrinc(n - 1, tail, t) * scale for tail in (1 - TAIL, TAIL))
    d, half = difference.mean(axis=0) / pooled, half_width_of_d(first, second, CONFIDENCE)
    return np.asarray((np.maximum(high, d + half) - np.minimum(low, d - half)) / (high - low))


def check(first: Floats, second: Floats, true: tuple[float, float], holds: Bools) -> None:
    for at in range(min(N_CHECKED, first.shape[1])):
        sizes = effect_sizes(first[:, at], second[:, at])
        (width,) = width_of_d(first[:, [at]], second[:, [at]])
        alone = (sizes[0].high - sizes[0].low) * sizes[1].value / sizes[0].value if sizes[0].value else math.nan
        assert not abs((sizes[1].high - sizes[1].low) / alone - width) > 1e-4, (sizes, width)
        expected = [size.low <= aim <= size.high for size, aim in zip(sizes, (true[0], true[1], true[1]), strict=True)]
        assert expected == holds[:, at].tolist(), (sizes, true)


def effects(first: Floats, second: Floats) -> tuple[float, float]:
    """d_z and d of a population."""
    difference = first - second
    pooled = ((first.var() + second.var()) / 2) ** 0.5
    return float(difference.mean() / difference.std()), float(difference.mean() / pooled)


def covered(first: Floats, second: Floats, n: int, replications: int, rng: np.random.Generator) -> Floats:
    """(4,): the shares of samples whose intervals hold the effects of the population, and the width of d's."""
    drawn = rng.integers(0, len(first), (n, replications))
    sample, true = (first[drawn], second[drawn]), effects(first, second)
    varies = (sample[0] - sample[1]).std(axis=0) > 0  # others have no effect size
    sample = sample[0][:, varies], sample[1][:, varies]
    holds = holds_effects(*sample, true)
    check(*sample, true, holds)
    return np.append(holds.mean(axis=1), width_of_d(*(one[:, :N_WIDTHS] for one in sample)).mean())


def cell(shares: Floats) -> str:
    return f"{100 * shares.mean():.1f} ({100 * shares.min():.1f})"


def pairs_of(values: dict[str, Floats], best: str | None) -> list[tuple[str, str]]:
    """All, or the best with each other."""
    return [*itertools.combinations(values, 2)] if best is None else [(best, tag) for tag in values if tag != best]


def report(name: str, values: dict[str, Floats], best: str | None, replications: int) -> None:
    pairs = pairs_of(values, best)
    for (at, measure), n in itertools.product(enumerate(MEASURES), SIZES):
        rng = np.random.default_rng([SEED, at, n])
        shares = [covered(values[one][:, at], values[other][:, at], n, replications, rng) for one, other in pairs]
        *coverages, width = np.array(shares).T
        cells = [cell(column) for column in coverages]
        print(f"| {name} | {measure} | {n} | {' | '.join(cells)} | {width.mean():.3f} |", flush=True)


def report_normal(replications: int) -> None:
    for n in SIZES:
        rng = np.random.default_rng([SEED, n])
        shared, own = rng.normal(0, 0.7**0.5, (n, replications)), rng.normal(0, 0.3**0.5, (2, n, replications))
        first, second = shared + own[0] + 0.5, shared + own[1]
        true = 0.5 / 0.6**0.5, 0.5
        holds = holds_effects(first, second, true)
        check(first, second, true, holds)
        cells = [f"{100 * share:.1f}" for share in holds.mean(axis=1)]
        width = width_of_d(first[:, :N_WIDTHS], second[:, :N_WIDTHS]).mean()
        print(f"| normal | | {n} | {' | '.join(cells)} | {width:.3f} |", flush=True)


def main(replications: int) -> None:
    shared = Path(os.environ.get("TOUCHSTONE_SHARED") or ROOT.parent / "shared" / "data")
    began = time.perf_counter()
    print(f"{replications} replications a pair, {CONFIDENCE:.0%}, seed {SEED}")
    print(f"| collection | measure | topics | {' | '.join(NAMES)} | width of d |")
    for name, qrels_name, best in COLLECTIONS if shared.is_dir() else ():
        report(name, values_of(shared / name, qrels_name), best, replications)
    report_normal(replications)
    print(f"{time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2] or ["4000"]))
