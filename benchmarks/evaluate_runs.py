"""Claim: thousands of runs are evaluated run by run, two workers nearly twice as fast as one, and never twice.

    python benchmarks/evaluate_runs.py [--runs 200] [--topics 50] [--rows 100] [--rounds 1]

A folder of `--runs` TREC files in `var/bench`, five measures, 50 judged pairs a topic. Ways take turns, each from no
values yet: in this process; one worker of Dask; two of them. Starting workers and their imports are not counted: each
way begins with a few runs of its own. "Again": the same folder once its values are there. The program fails where the
ways differ in a value, or a run's mean is not that of `ts.evaluate` on its file by itself.
"""

import argparse
import os
import random
import shutil
import statistics
import time
from pathlib import Path

from shards import WAYS  # beside this file; it finds the repository

import touchstone as ts
from evaluation.formats.shards.evaluation import EvaluationRequest, evaluate_folder, store_qrels
from evaluation.formats.shards.finished import Executor
from evaluation.formats.shards.store import Store

WORK = Path(__file__).resolve().parent.parent / "var" / "bench" / "evaluate_runs"
MEASURES = ("nDCG@10", "AP", "RR@10", "P@10", "R@100")
JUDGED, FIRST = 50, 8  # pairs a topic; runs that a way begins with
Rows = list[list[str]]


def write_runs(n_runs: int, n_topics: int, n_rows: int) -> str:
    """The runs, and the qrels as text: half of the judged pairs are found by the first run."""
    rng = random.Random(7)
    pool = [[f"doc-{rng.randrange(10**7):07}-{n}" for n in range(4 * n_rows)] for _ in range(n_topics)]
    qrels = "".join(
        f"{topic} 0 {docno} {rng.choice((0, 0, 1, 2))}\n"
        for topic, docnos in enumerate(pool)
        for docno in rng.sample(docnos, min(JUDGED, len(docnos)))
    )
    for number in range(n_runs + FIRST):
        folder = WORK / ("runs" if number < n_runs else "first")
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / f"run-{number:05}.txt").open("w") as stream:
            for topic, docnos in enumerate(pool):
                ranked = enumerate(rng.sample(docnos, n_rows))
                stream.writelines(f"{topic} Q0 {docno} {n + 1} {n_rows - n} run-{number}\n" for n, docno in ranked)
    return qrels


def request_for(folder: str, results: Path, qrels: str) -> EvaluationRequest:
    sha = store_qrels(Store(str(results)), qrels.encode(), "qrels")
    return EvaluationRequest(str(WORK / folder), str(results), sha, MEASURES)


def evaluated(request: EvaluationRequest, executor: Executor) -> tuple[float, Rows]:
    begin = time.perf_counter()
    evaluation = evaluate_folder(request, executor)
    rows = [row for row in evaluation.rows if row[2] == "all"]
    return time.perf_counter() - begin, rows


def seconds_of(name: str, qrels: str) -> tuple[float, float, float, Rows]:
    """Seconds of the wall and of the processors, those of the wall for the same again, and the rows of means."""
    way, n_workers = WAYS[name]
    results = WORK / "values"
    shutil.rmtree(results, ignore_errors=True)
    with way() as (executor, worked):
        for turn in range(2 * n_workers):  # each worker has imported everything
            evaluated(request_for("first", WORK / f"first-values-{turn}", qrels), executor)
            shutil.rmtree(WORK / f"first-values-{turn}")
        request, before = request_for("runs", results, qrels), worked()
        wall, rows = evaluated(request, executor)
        cpu = worked() - before
        again, same = evaluated(request, executor)
        if same != rows:
            raise SystemExit("the values that are there are not those that were computed")
        return wall, cpu, again, rows


def check(rows: Rows, qrels: str) -> None:
    (WORK / "qrels").write_text(qrels)
    for row in rows[:: max(1, len(rows) // 5)]:
        alone = ts.evaluate(WORK / "qrels", WORK / "runs" / row[0], MEASURES)[0].mean
        if [float(cell) for cell in row[3:]] != list(alone.values()):
            raise SystemExit(f"{row[0]}: {row[3:]} is not {alone}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("runs", 200), ("topics", 50), ("rows", 100), ("rounds", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    chosen = parser.parse_args()
    shutil.rmtree(WORK, ignore_errors=True)
    qrels = write_runs(chosen.runs, chosen.topics, chosen.rows)
    size = f"{chosen.runs} runs of {chosen.topics} × {chosen.rows}"
    print(f"{size}; {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}", flush=True)
    turns: dict[str, list[tuple[float, float, float, Rows]]] = {name: [] for name in WAYS}
    for _ in range(chosen.rounds):
        for name in WAYS:
            turns[name].append(seconds_of(name, qrels))
    every = [turn[3] for each in turns.values() for turn in each]
    if any(rows != every[0] for rows in every):
        raise SystemExit("two ways give other values")
    check(every[0], qrels)
    median = {name: [statistics.median(turn[i] for turn in each) for i in range(3)] for name, each in turns.items()}
    for name, (wall, cpu, again) in median.items():
        efficiency = median["1 worker"][0] / (WAYS[name][1] * wall)
        print(
            f"{name:14}{wall:8.2f} s of the wall, {cpu:6.2f} of processors, efficiency {efficiency:.2f}; "
            f"{chosen.runs / wall:.0f} runs a second; again {again:.2f} s"
        )
    shutil.rmtree(WORK)


if __name__ == "__main__":
    main()
