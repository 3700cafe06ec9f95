"""Claim: intervals over topics know nothing of how far statAP, xinfAP and infNDCG are off with few judgments a stratum.

    python benchmarks/sampled_coverage.py [replications] [samples]

Of the union of the first hundred rows of the 25 runs of TREC 2019 Deep Learning, as far as it was judged, stratified
samples of a share of the pairs are judged, as a growing pool draws them. A topic's value is estimated from each
sample; the true value is that of all these pairs judged. Topics are drawn with replacement, each with a sample of its
own, and it is counted how often the t interval of the mean of estimates holds the mean of true values over all topics.
A row says by how much the mean of all estimates is off, then the coverage in per cent by number of topics: the mean
over each fifth run, and in parentheses the lowest. The collection is that of TOUCHSTONE_SHARED, else of
../shared/data; without it nothing is done.
"""

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
from evaluation.engine.significance.intervals.student import t_half_width
from evaluation.formats.run import parse_run

SEED, DEPTH, EACH = 2008, 100, 5
MEASURES, SHARES, SIZES = ("statAP", "xinfAP", "infNDCG"), (0.1, 0.2, 0.4, 0.7), (10, 25, 50)


def estimates(folder: Path, n_samples: int) -> tuple[Floats, Floats, float]:
    """Of samples, (n_shares, n_samples, n_measures, n_runs, n_topics), of the whole pool, without the first two, and
    how many pairs a topic the pool has."""
    with (folder / "qrels.txt").open("rb") as stream:
        qrels = Qrels.of_table(parse_qrels(stream, Problems("qrels")))
    runs = []
    for file in sorted((folder / "runs").iterdir()):
        with file.open("rb") as stream:
            runs.append(load_run(pack_run(parse_run(stream, Problems(file.name)))))
    pool = candidates_of(runs, depth=DEPTH, numbers=qrels.numbers)
    full = known_grades(pool, qrels)
    pool, full = pool.rows(full >= 0), full[full >= 0]
    choice = Choice(top=int(qrels.grade.max()))
    measures = [parse_sampled_measure(name) for name in MEASURES]
    sampled = SampledRuns.of(runs[::EACH], pool, stratified_order(pool, choice), measures)

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


def covered(table: Floats, true: Floats, n: int, replications: int, rng: np.random.Generator) -> float:
    """The share of draws whose interval holds the mean of `true`, (n_topics,); `table`: (n_samples, n_topics)."""
    n_samples, n_topics = table.shape
    drawn = table[rng.integers(0, n_samples, (n, replications)), rng.integers(0, n_topics, (n, replications))]
    return float((np.abs(drawn.mean(axis=0) - true.mean()) <= t_half_width(drawn, CONFIDENCE)).mean())


def main(replications: int, n_samples: int) -> None:
    folder = Path(os.environ.get("TOUCHSTONE_SHARED") or ROOT.parent / "shared" / "data") / "dl19"
    if not folder.is_dir():
        print("no collection: nothing is done")
        return
    began = time.perf_counter()
    table, true, n_pairs = estimates(folder, n_samples)
    print(f"{replications} replications a run, {n_samples} samples of {n_pairs:.0f} pairs a topic, seed {SEED}")
    print(f"| measure | judged | off by | {' | '.join(map(str, SIZES))} |")
    for m, measure in enumerate(MEASURES):
        for s, share in enumerate(SHARES):
            rng, row = np.random.default_rng([SEED, m, s]), []
            for n in SIZES:
                pairs = zip(table[s, :, m].swapaxes(0, 1), true[m], strict=True)
                row.append(cell(np.array([covered(*pair, n, replications, rng) for pair in pairs])))
            off = float(table[s, :, m].mean() - true[m].mean())
            print(f"| {measure} | {share:.0%} | {off:+.3f} | {' | '.join(row)} |", flush=True)
    print(f"{time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    numbers = [int(argument) for argument in sys.argv[1:3]]
    main(*numbers, *(4000, 200)[len(numbers) :])
