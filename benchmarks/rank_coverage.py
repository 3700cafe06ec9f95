"""Claim: with a chance of 95 % or more, the true ranks of all runs lie in their ranges at once.

    python benchmarks/rank_coverage.py [replications] [permutations]

The values of the 25 runs of TREC 2019 Deep Learning on its 43 topics are taken as a population, so that every run's
true mean and rank are known. From it samples of 25, 43 and 100 topics are drawn with replacement, runs are tested by
the randomised Tukey test and by paired t-tests with Holm's correction, and it is counted how often the ranges of ranks
at 95 % hold all true ranks, and how often those of a single run do, in the mean over runs. A second population has runs
that are all alike: each topic's values are shuffled among them, and every run has all the ranks. The mean width is
that of the ranges, in ranks. The collection is that of TOUCHSTONE_SHARED, else of ../shared/data; without it nothing is
done.
"""

import os
import sys
import time
from collections.abc import Iterator
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
from evaluation.engine.significance.all_pairs import compare_pairs
from evaluation.engine.significance.groups import better_than, rank_ranges
from evaluation.engine.significance.pairs import Pairs
from evaluation.engine.significance.tukey import tukey_hsd
from evaluation.formats.run import parse_run

ROOT = Path(__file__).resolve().parent.parent
SEED, ALPHA = 2019, 0.05
MEASURES, SIZES, TESTS = ("nDCG@10", "AP"), (25, 43, 100), ("tukey", "t, Holm")


def population(folder: Path) -> Floats:
    """(n_topics, n_runs, n_measures)."""
    with (folder / "qrels.txt").open("rb") as stream:
        qrels = Qrels.of_table(parse_qrels(stream, Problems("qrels")))
    columns = []
    for file in sorted((folder / "runs").iterdir()):
        with file.open("rb") as stream:
            run = load_run(pack_run(parse_run(stream, Problems(file.name))))
        columns.append(evaluate(run, qrels, list(map(parse_measure, MEASURES))).value)
    return np.stack(columns, axis=1)


def samples(value: Floats, size: int, n: int, rng: np.random.Generator, *, alike: bool) -> Iterator[Floats]:
    """(size, n_runs) each, topics drawn with replacement; `alike`: each topic's values shuffled among the runs."""
    for _ in range(n):
        sample = value[rng.integers(0, len(value), size)]
        yield rng.permuted(sample, axis=1) if alike else sample


def tested(sample: Floats, test: str, n_permutations: int, rng: np.random.Generator) -> Pairs:
    if test == "tukey":
        return tukey_hsd(sample, n_permutations=n_permutations, rng=rng)
    return compare_pairs(sample, test="t", correction="holm", rng=rng)


def coverage(value: Floats, test: str, size: int, n: int, n_permutations: int, *, alike: bool) -> tuple[float, ...]:
    """Shares of samples in which all true ranks are in their ranges, and one run's; the mean width of a range."""
    rng = np.random.default_rng([SEED, size, TESTS.index(test), alike])
    n_runs, mean = value.shape[1], value.mean(axis=0)
    first = np.ones(n_runs) if alike else 1 + (mean[:, None] > mean).sum(axis=0)
    last = np.full(n_runs, n_runs) if alike else n_runs - (mean[:, None] < mean).sum(axis=0)
    inside, width = [], []
    for sample in samples(value, size, n, rng, alike=alike):
        low, high = np.array(rank_ranges(better_than(tested(sample, test, n_permutations, rng), alpha=ALPHA))).T
        inside.append((low <= first) & (last <= high))
        width.append(float((high - low + 1).mean()))
    each = np.array(inside)
    return float(each.all(axis=1).mean()), float(each.mean()), float(np.mean(width))


def main() -> None:
    n, n_permutations = map(int, [*sys.argv[1:3], *("2000", "999")[len(sys.argv) - 1 :]])
    folder = Path(os.environ.get("TOUCHSTONE_SHARED", ROOT.parent / "shared" / "data")) / "dl19"
    if not folder.is_dir():
        print("no collection: nothing is done")
        return
    value, start = population(folder), time.perf_counter()
    print(f"{n} samples, {n_permutations} permutations; all ranks, those of one run (%), mean width")
    for alike in (False, True):
        print("runs all alike" if alike else "runs as they are")
        for at, measure in enumerate(MEASURES):
            for size in SIZES:
                cells = [coverage(value[:, :, at], test, size, n, n_permutations, alike=alike) for test in TESTS]
                words = "; ".join(
                    f"{test}: {100 * every:.1f}, {100 * one:.1f}, {width:.1f}"
                    for test, (every, one, width) in zip(TESTS, cells, strict=True)
                )
                print(f"  {measure}, {size} topics: {words}", flush=True)
    print(f"{time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
