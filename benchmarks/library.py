"""Claim: from dicts of 2,000 pairs and more `ts.evaluate` is at least as fast as pytrec_eval, below a sixth of a
millisecond of the processor slower at most, and from paths as fast as the command.

    python benchmarks/library.py [--scale 0.05] [--rounds 5]

Both take turns, round after round; printed are medians of wall seconds and of the processors', and theirs over ours.
From dicts both compute twelve measures for every topic in one process that has loaded them: the clock runs from the
dicts to a mean of each measure. From paths two processes are timed from their start: a program of four lines, and the
command `evaluate`.
The program fails where a value differs from pytrec_eval's.
"""

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytrec_eval
from speed.measures import NAMES

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import touchstone as ts  # noqa: E402 -- found from here

ASKED = {"ndcg_cut.10,100", "ndcg", "map", "recip_rank", "P.5,10,100", "recall.100,1000", "Rprec", "bpref"}
# topics, rows of each
CASES = ((5, 10), (50, 50), (50, 100), (2000, 10), (50, 1000), (1000, 1000), (10_000, 100), (5000, 1000))
JUDGED = 50  # pairs a topic
PROGRAM = "import sys, touchstone as ts; ts.evaluate(sys.argv[1], sys.argv[2], sys.argv[3:]).mean; print('done')"

Grades = dict[str, dict[str, int]]
Scores = dict[str, dict[str, float]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", type=float, default=0.05, help="of the topics; default: %(default)s")
    parser.add_argument("--rounds", type=int, default=5)
    chosen = parser.parse_args()
    print(
        f"{'topics × rows':>16}{'theirs: wall s':>16}{'cpu s':>9}{'ours: wall s':>14}{'cpu s':>9}{'wall':>8}{'cpu':>8}"
    )
    for n_topics, n_rows in CASES:
        qrels, run = qrels_and_run(min(n_topics, max(50, int(n_topics * chosen.scale))), n_rows)
        check(qrels, run)
        from_dicts(qrels, run, chosen.rounds)
    from_paths(*qrels_and_run(max(5, int(CASES[-1][0] * chosen.scale)), CASES[-1][1]), rounds=chosen.rounds)


def qrels_and_run(n_topics: int, n_rows: int) -> tuple[Grades, Scores]:
    """A run that finds half of what is judged; a tenth of the scores are tied."""
    rng = random.Random(n_topics * n_rows)
    run = {
        f"topic-{t}": {f"doc-{rng.randrange(10**7):07}-{i}": round(rng.random(), 5) for i in range(n_rows)}
        for t in range(n_topics)
    }
    others = [f"other-{i}" for i in range(JUDGED // 2)]
    pools = {topic: (*rng.sample(sorted(rows), min(JUDGED, n_rows) // 2), *others) for topic, rows in run.items()}
    qrels = {topic: {docno: rng.choice((0, 0, 1, 2)) for docno in pool} for topic, pool in pools.items()}
    return qrels, run


def theirs(qrels: Grades, run: Scores) -> dict[str, float]:
    values = pytrec_eval.RelevanceEvaluator(qrels, ASKED).evaluate(run)
    return {name: statistics.fmean(of_topic[name] for of_topic in values.values()) for name in NAMES}


def ours(qrels: Grades, run: Scores) -> dict[str, float]:
    return dict(zip(NAMES, ts.evaluate(qrels, run, NAMES)[0].mean.values(), strict=True))


def check(qrels: Grades, run: Scores) -> None:
    values, reference = ts.evaluate(qrels, run, NAMES, trec_eval=9)[0], theirs(qrels, run)
    for name, value in zip(NAMES, values.mean.values(), strict=True):
        if abs(value - reference[name]) > 1e-12:
            raise SystemExit(f"{name}: {value} is not pytrec_eval's {reference[name]}")


def from_dicts(qrels: Grades, run: Scores, rounds: int) -> None:
    size = f"{len(run)} × {len(next(iter(run.values())))}"
    took = in_turns([lambda: theirs(qrels, run), lambda: ours(qrels, run)], rounds)
    tell(size, *took)


def from_paths(qrels: Grades, run: Scores, *, rounds: int) -> None:
    """The command against the program: both start an interpreter, read, and compute."""
    with tempfile.TemporaryDirectory() as folder:
        files = [f"{folder}/qrels", f"{folder}/made.run"]
        with Path(files[0]).open("w") as stream:
            stream.writelines(f"{t} 0 {d} {g}\n" for t, rows in qrels.items() for d, g in rows.items())
        with Path(files[1]).open("w") as stream:
            stream.writelines(f"{t} Q0 {d} 0 {s!r} made\n" for t, rows in run.items() for d, s in rows.items())
        options = [part for name in NAMES for part in ("-m", name)]
        command = [sys.executable, "manage.py", "evaluate", *options, *files]
        program = [sys.executable, "-c", PROGRAM, *files, *NAMES]
        took = in_turns([lambda: process(command), lambda: process(program)], rounds)
    print("from paths, whole processes; theirs is manage.py evaluate")
    tell(f"{len(run)} × {len(next(iter(run.values())))}", *took)


def process(command: Sequence[str]) -> None:
    pages = {**os.environ, "NUMPY_MADVISE_HUGEPAGE": "0"}  # as the command has it
    subprocess.run(command, cwd=ROOT, env=pages, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)


def in_turns(contenders: Sequence[Callable[[], object]], rounds: int) -> list[tuple[float, float]]:
    """The median seconds of each: of the wall, and of the processors, those of its processes among them."""
    taken = [list[tuple[float, float]]() for _ in contenders]
    for _ in range(rounds):
        for contender, seconds in zip(contenders, taken, strict=True):
            begun, used = time.perf_counter(), processor_seconds()
            contender()
            seconds.append((time.perf_counter() - begun, processor_seconds() - used))
    return [
        (statistics.median(wall for wall, _ in seconds), statistics.median(cpu for _, cpu in seconds))
        for seconds in taken
    ]


def processor_seconds() -> float:
    now = os.times()
    return now.user + now.system + now.children_user + now.children_system


def tell(size: str, of_theirs: tuple[float, float], of_ours: tuple[float, float]) -> None:
    (their_wall, their_cpu), (our_wall, our_cpu) = of_theirs, of_ours
    ratios = f"{their_wall / our_wall:7.2f}×{their_cpu / our_cpu if our_cpu else 0:7.2f}×"
    print(f"{size:>16}{their_wall:16.4f}{their_cpu:9.2f}{our_wall:14.4f}{our_cpu:9.2f}{ratios}", flush=True)


if __name__ == "__main__":
    main()
