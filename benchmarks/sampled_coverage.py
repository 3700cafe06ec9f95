"""Claim: from 10 to 250 topics every interval of statAP, xinfAP and infNDCG that is shown holds 93 to 97 % on average.

    python benchmarks/sampled_coverage.py [replications] [samples]

Of the union of the first hundred rows of runs (25 of TREC 2019 Deep Learning, five of Robust 2003, nine of Cranfield),
as far as it was judged, stratified samples of a share of the pairs are judged, as a growing pool draws them. A topic's
value is estimated from each sample; the true value is that of all these pairs judged. Topics are drawn with
replacement, each with a sample of its own, and it is counted how often the score interval of the mean of estimates
holds the mean of true values over all topics. A row says by how much the mean of all estimates is off, then the
coverage in per cent by number of topics: the mean over some runs, and in parentheses the lowest; (withheld) where the
program shows no interval. Some samples are checked to be in the interval of `interval_of_mean` just then. The
collections are those of TOUCHSTONE_SHARED, else of ../shared/data; without them nothing is done.
"""

import itertools
import os
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from annotation.formats.problems import Problems
from annotation.formats.qrels import parse_qrels
from benchmarks.effect_coverage import CONFIDENCE, ROOT, cell
from evaluation.engine.adaptive.candidates import UNJUDGED, Choice, candidates_of, known_grades
from evaluation.engine.adaptive.stratified import stratified_order
from evaluation.engine.adaptive.valuing import SampledRuns
from evaluation.engine.arrays import Floats, Ints
from evaluation.engine.qrels import Qrels
from evaluation.engine.run import load_run, pack_run
from evaluation.engine.sampled import parse_sampled_measure
from evaluation.engine.significance.intervals.score import score_ends
from evaluation.engine.value_range import interval_of_mean
from evaluation.formats.run import parse_run

SEED, DEPTH, N_CHECKED = 2008, 100, 3
FOLDERS = (("dl19", "qrels.txt", 5), ("robust03", "qrels.robust03.txt.gz", 1), ("cranfield", "qrels.graded.txt", 3))
MEASURES = ("statAP", "xinfAP", "infNDCG", "infNDCG(fractions='counted')")
SHARES, SIZES = (0.2, 0.4, 0.6, 0.75, 0.9), (10, 25, 50, 100, 250)


def estimates(folder: Path, qrels_name: str, each: int, n_samples: int) -> tuple[Floats, Floats, float]:
    """Of samples, (n_shares, n_samples, n_measures, n_runs, n_topics), of the whole pool, without the first two, and
    how many pairs a topic the pool has."""
    with (folder / qrels_name).open("rb") as stream:
        qrels = Qrels.of_table(parse_qrels(stream, Problems(qrels_name)))
    runs = []
    for file in sorted(folder.glob("runs/*.run.gz")):
        with file.open("rb") as stream:
            runs.append(load_run(pack_run(parse_run(stream, Problems(file.name)))))
    pool = candidates_of(runs, depth=DEPTH, numbers=qrels.numbers)
    full = known_grades(pool, qrels)
    pool, full = pool.rows(full >= 0), full[full >= 0]
    choice = Choice(top=int(qrels.grade.max()))
    measures = [parse_sampled_measure(name) for name in MEASURES]
    sampled = SampledRuns.of(runs[::each], pool, stratified_order(pool, choice), measures)

    def of(grade: Ints) -> Floats:
        return np.stack([values for values in sampled.values(grade) if values is not None])

    tables = []
    for share in SHARES:
        orders = (stratified_order(pool, replace(choice, seed=seed)).order for seed in range(n_samples))
        tables.append([of(judged(full, order[: round(share * order.size)])) for order in orders])
    return np.array(tables), of(full), int(pool.is_pooled.sum()) / len(qrels.numbers)


def judged(full: Ints, rows: Ints) -> Ints:
    grade = np.full_like(full, UNJUDGED)
    grade[rows] = full[rows]
    return grade


def covered(table: Floats, true: Floats, n: int, *, name: str, replications: int, rng: np.random.Generator) -> float:
    """The share of draws whose interval holds the mean of `true`, (n_topics,); `table`: (n_samples, n_topics)."""
    n_samples, n_topics = table.shape
    drawn = table[rng.integers(0, n_samples, (n, replications)), rng.integers(0, n_topics, (n, replications))]
    top, mean = np.maximum(1.0, drawn.max(axis=0)), drawn.mean(axis=0)
    low, high = (top * end for end in score_ends(drawn / top, CONFIDENCE))
    holds = (np.minimum(low, mean) <= true.mean()) & (true.mean() <= np.maximum(high, mean))
    for one, inside in zip(drawn.T[:N_CHECKED], holds.tolist(), strict=False):
        interval = interval_of_mean(one, name, confidence=CONFIDENCE)
        assert (interval.low <= true.mean() <= interval.high) == inside, interval
    return float(holds.mean())


def main(replications: int, n_samples: int) -> None:
    shared = Path(os.environ.get("TOUCHSTONE_SHARED") or ROOT.parent / "shared" / "data")
    if not shared.is_dir():
        print("no collections: nothing is done")
        return
    began = time.perf_counter()
    print(f"{replications} replications a run, {n_samples} samples, seed {SEED}")
    print(f"| collection | measure | judged | off by | {' | '.join(map(str, SIZES))} |")
    for folder, qrels_name, each in FOLDERS:
        table, true, n_pairs = estimates(shared / folder, qrels_name, each, n_samples)
        print(f"{folder}: {n_pairs:.0f} pairs a topic, {true.shape[2]} topics, {true.shape[1]} runs")
        for (m, name), (s, share) in itertools.product(enumerate(MEASURES), enumerate(SHARES)):
            rng, row = np.random.default_rng([SEED, m, s]), []
            for n in SIZES:
                pairs = zip(table[s, :, m].swapaxes(0, 1), true[m], strict=True)
                row.append(
                    cell(np.array([covered(*pair, n, name=name, replications=replications, rng=rng) for pair in pairs]))
                )
            off, least = float(table[s, :, m].mean() - true[m].mean()), parse_sampled_measure(name).least_judged
            words = f"{share:.0%}" + " (withheld)" * (share < least)
            print(f"| {folder} | {name} | {words} | {off:+.3f} | {' | '.join(row)} |", flush=True)
    print(f"{time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    numbers = [int(argument) for argument in sys.argv[1:3]]
    main(*numbers, *(2000, 100)[len(numbers) :])
