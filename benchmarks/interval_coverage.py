"""Claim: on real differences t keeps its 95 %, the studentised bootstrap nearly; percentile and BCa intervals do not.

    python benchmarks/interval_coverage.py [replications] [resamples]

Per-topic differences between real runs (Robust 2003: all ten pairs of five runs, 100 topics; Cranfield: eight runs
against the best, 225 topics; nDCG@10 and AP) are taken as populations whose mean is known. From each, samples of 25,
50, 100 and 250 topics are drawn with replacement, and it is counted how often an interval holds the true mean. A line
is a collection, a measure and a number of topics; a cell says the coverage in per cent, the mean over the populations
and in parentheses the lowest, then the width over that of t. A sample for which a method gives no finite interval
counts as missed, and the share of such is printed.

The intervals are those of `evaluation/engine/significance/intervals`, which work on many samples at once; for a sample
of each population they are checked to be what `mean_interval` gives. The collections are those of TOUCHSTONE_SHARED,
else of ../shared/data; without them nothing is done.
"""

import itertools
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from annotation.formats.problems import Problems
from annotation.formats.qrels import parse_qrels
from evaluation.engine.arrays import Floats
from evaluation.engine.measures import parse_measure
from evaluation.engine.qrels import Qrels
from evaluation.engine.run import load_run, pack_run
from evaluation.engine.scorer import evaluate
from evaluation.engine.significance.intervals.bootstrap import bca_ends, percentile_ends, studentised_ends
from evaluation.engine.significance.intervals.mean import mean_interval
from evaluation.engine.significance.intervals.result import Method
from evaluation.engine.significance.intervals.student import t_half_width
from evaluation.formats.run import parse_run

ROOT = Path(__file__).resolve().parent.parent
SEED = 2003
CONFIDENCE = 0.95
MEASURES = ("nDCG@10", "AP")
SIZES = (25, 50, 100, 250)
METHODS: tuple[Method, ...] = ("t", "studentised", "percentile", "bca")
BOOTSTRAPS: dict[Method, Callable[..., tuple[Floats, Floats]]] = {
    "studentised": studentised_ends,
    "percentile": percentile_ends,
    "bca": bca_ends,
}
COLLECTIONS = (("robust03", "qrels.robust03.txt.gz", None), ("cranfield", "qrels.graded.txt", "rrf-bm25-dense"))
AT_ONCE = 1000  # samples that share their resamples


def differences(folder: Path, qrels_name: str, best: str | None) -> dict[str, Floats]:
    """By measure: (n_topics, n_pairs), of all pairs of runs, or of all runs less the best."""
    with (folder / qrels_name).open("rb") as stream:
        table = parse_qrels(stream, Problems(qrels_name))
    qrels = Qrels.of(table.number, table.docno, table.grade)
    values = {}
    for file in sorted(folder.glob("runs/*.run.gz")):
        with file.open("rb") as stream:
            run = load_run(pack_run(parse_run(stream, Problems(file.name))))
        values[file.name.removesuffix(".run.gz")] = evaluate(run, qrels, list(map(parse_measure, MEASURES))).value
    pairs = itertools.combinations(values, 2) if best is None else ((best, name) for name in values if name != best)
    table_of_pairs = np.stack([values[one] - values[other] for one, other in pairs], axis=2)
    return {measure: table_of_pairs[:, at] for at, measure in enumerate(MEASURES)}


def ends(sample: Floats, method: Method, n_resamples: int, seed: int) -> tuple[Floats, Floats]:
    """The interval of each column of `sample`, (n_topics, n_samples)."""
    if method == "t":
        mean, half = sample.mean(axis=0), t_half_width(sample, CONFIDENCE)
        return mean - half, mean + half
    return BOOTSTRAPS[method](sample, confidence=CONFIDENCE, n_resamples=n_resamples, rng=seed)


def check(sample: Floats, method: Method, n_resamples: int) -> None:
    """That the interval of a sample of one, (n_topics, 1), is the one that users get."""
    interval = mean_interval(sample[:, 0], method=method, confidence=CONFIDENCE, n_resamples=n_resamples, rng=SEED)
    low, high = ends(sample, method, n_resamples, SEED)
    assert np.allclose((interval.low, interval.high), (low[0], high[0]), rtol=0, atol=1e-12), (method, interval)


def simulate(population: Floats, n: int, replications: int, n_resamples: int, seed: int) -> dict[Method, Floats]:
    """(3,) a method: share of samples whose interval holds the mean, mean width, share without an interval."""
    rng = np.random.default_rng(seed)
    true = float(population.mean())
    parts_of: dict[Method, list[Floats]] = {method: [] for method in METHODS}
    for first in range(0, replications, AT_ONCE):
        sample = rng.choice(population, (n, min(AT_ONCE, replications - first)))  # (n, n_samples)
        resampling = int(rng.integers(1 << 62))  # the same for all methods
        for method in METHODS:
            low, high = ends(sample, method, n_resamples, resampling)
            bounded = np.isfinite(low) & np.isfinite(high)
            width = np.where(bounded, high - low, np.nan)
            parts_of[method].append(np.stack([bounded & (low <= true) & (true <= high), width, ~bounded]))
    for method in METHODS:
        check(rng.choice(population[population != 0], (n, 1)), method, n_resamples)
    return {method: np.nanmean(np.concatenate(parts, axis=1), axis=1) for method, parts in parts_of.items()}


def line(table: Floats, n: int, replications: int, n_resamples: int, seed: int) -> str:
    """Coverage over the populations of (n_topics, n_pairs)."""
    each = [simulate(column, n, replications, n_resamples, seed + at) for at, column in enumerate(table.T)]
    cells = []
    for method in METHODS:
        covered, width, without = np.array([one[method] for one in each]).T  # (n_pairs,) each
        wider = (width / np.array([one["t"][1] for one in each])).mean()
        note = f", none {without.mean():.2%}" if without.any() else ""
        cells.append(f"{100 * covered.mean():.1f} ({100 * covered.min():.1f}), {wider:.2f}{note}")
    return " | ".join(cells)


def main(replications: int, n_resamples: int) -> None:
    shared = Path(os.environ.get("TOUCHSTONE_SHARED") or ROOT.parent / "shared" / "data")
    if not shared.is_dir():
        print("no real collections: set TOUCHSTONE_SHARED to their folder")
        return
    began = time.perf_counter()
    print(f"{replications} replications a population, {n_resamples} resamples, {CONFIDENCE:.0%}, seed {SEED}")
    print("| collection | measure | topics |", " | ".join(METHODS), "|")
    seed = SEED
    for name, qrels_name, best in COLLECTIONS:
        for measure, table in differences(shared / name, qrels_name, best).items():
            for n in SIZES:
                seed += 100_000_000
                print(f"| {name} | {measure} | {n} |", line(table, n, replications, n_resamples, seed), "|", flush=True)
    print(f"{time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    numbers = [int(argument) for argument in sys.argv[1:3]]
    main(*numbers, *(10_000, 999)[len(numbers) :])
