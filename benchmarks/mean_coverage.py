"""Claim: from 10 topics on the interval of a run's mean holds 93 to 97 % on average, by measures of many kinds.

    python benchmarks/mean_coverage.py [replications] [differences]

The values per topic of real runs (five of Robust 2003 on 100 topics, nine of Cranfield on 225, nine of the 25 of TREC
2019 Deep Learning on 43) are taken as populations whose means are known. Samples of topics are drawn with replacement,
and it is counted how often the score interval, that of the leaderboard, holds the mean, and how often Student's t. A
cell says the coverage in per cent, the mean over runs and in parentheses the lowest; the last column how wide the score
interval is on average, that of t being 1. The last table has t of the mean difference of pairs of runs, and how often
the upper limit of a pilot's deviation, of 80 %, is above the deviation of the differences; `differences` asks for that
table alone. A run whose values are all equal takes no part. Some samples are checked to be in the interval of
`score_interval` just then. Without the real collections nothing is done.
"""

import itertools
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.effect_coverage import COLLECTIONS, CONFIDENCE, ROOT, cell, pairs_of, values_of
from evaluation.engine.arrays import Floats
from evaluation.engine.significance.intervals.score import score_ends, score_interval
from evaluation.engine.significance.intervals.student import t_half_width
from evaluation.engine.significance.power import upper_deviations

SEED, N_CHECKED, PILOT = 1927, 5, 0.8
MEASURES, SIZES = ("AP", "nDCG@10", "RR", "P@10"), (5, 10, 25, 50, 100, 250)
FURTHER = ("R@10", "R@1000", "Rprec", "bpref", "P@100", "P@1000", "Success@10")
FOLDERS = [(name, qrels, 1) for name, qrels, _ in COLLECTIONS] + [("dl19", "qrels.txt", 3)]  # each so many-th run


def covered(run: Floats, n: int, replications: int, rng: np.random.Generator) -> tuple[float, float, float]:
    """The shares of samples whose interval holds the run's mean, by score and by t, and the width by that of t."""
    sample, true = rng.choice(run, (n, replications)), float(run.mean())
    mean, half = sample.mean(axis=0), t_half_width(sample, CONFIDENCE)
    low, high = score_ends(sample, CONFIDENCE)
    low, high = np.minimum(low, mean), np.maximum(high, mean)
    holds = (low <= true) & (true <= high)
    for one, is_covered in zip(sample.T[:N_CHECKED], holds.tolist(), strict=False):
        interval = score_interval(one, (0.0, 1.0), confidence=CONFIDENCE)
        assert (interval.low <= true <= interval.high) == is_covered, (interval, true)
    near = np.abs(mean - true) <= half
    return float(holds.mean()), float(near.mean()), float((high - low).mean() / (2 * half).mean())


def lines(shared: Path, measures: tuple[str, ...], replications: int) -> Iterator[str]:
    for at, (folder, qrels_name, each) in enumerate(FOLDERS):
        runs = [*values_of(shared / folder, qrels_name, measures).values()][::each]
        for (column, measure), n in itertools.product(enumerate(measures), SIZES):
            rng = np.random.default_rng([SEED, at, column, n])
            values = [run[:, column] for run in runs if np.ptp(run[:, column]) > 0]
            score, t, width = np.array([covered(value, n, replications, rng) for value in values]).T
            yield f"| {folder} | {measure} | {n} | {cell(score)} | {cell(t)} | {width.mean():.2f} |"


def lines_of_differences(shared: Path, replications: int) -> Iterator[str]:
    for at, (folder, qrels_name, best) in enumerate(COLLECTIONS):
        values = values_of(shared / folder, qrels_name, MEASURES)
        pairs = pairs_of(values, best)
        for (column, measure), n in itertools.product(enumerate(MEASURES), SIZES):
            rng, shares, above = np.random.default_rng([SEED, at, column, n]), list[float](), list[float]()
            for one, other in pairs:
                difference = values[one][:, column] - values[other][:, column]
                sample = rng.choice(difference, (n, replications))
                near = np.abs(sample.mean(axis=0) - difference.mean()) <= t_half_width(sample, CONFIDENCE)
                shares.append(float(near.mean()))
                scale = sample.std(axis=0, ddof=1)
                scale = np.where(scale > 0, scale, 1.0)
                upper = upper_deviations(sample / scale, PILOT) * scale
                above.append(float((upper >= difference.std()).mean()))
            yield f"| {folder} | {measure} | {n} | {cell(np.array(shares))} | {cell(np.array(above))} |"


def main(replications: int, which: str = "all") -> None:
    shared = Path(os.environ.get("TOUCHSTONE_SHARED") or ROOT.parent / "shared" / "data")
    if not shared.is_dir():
        print("no real collections: set TOUCHSTONE_SHARED to their folder")
        return
    began = time.perf_counter()
    print(f"{replications} replications a run, {CONFIDENCE:.0%}, seed {SEED}")
    for measures in (MEASURES, FURTHER) if which == "all" else ():
        print("| collection | measure | topics | score | t | width |")
        for line in lines(shared, measures, replications):
            print(line, flush=True)
    print("| collection | measure | topics | t of a difference | upper limit of a pilot |")
    for line in lines_of_differences(shared, replications):
        print(line, flush=True)
    print(f"{time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main(int((sys.argv[1:2] or ["4000"])[0]), *sys.argv[2:3])
