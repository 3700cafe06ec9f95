"""Claim: Krippendorff's alpha of a million judgments takes a third of the fastest library's time or less.

    python benchmarks/agreement.py [--scale 1] [--rounds 5]

Makes judgments from a seed: items with five judgments each, and items with one to fifteen, grades 0 to 4. Each
contender reckons the ordinal alpha of the same table of counts in this one process, in turns, round after round, after
a first call. The values must agree to 1e-9, or the program fails. evalica reads a table of people × items instead (made
beforehand; not of unequal items). Beside that, without peers: alpha from columns of judgments, bootstraps of 2000 draws
over items and topics, and Cohen's kappa of every two of 766 people. Peers are left out where they are not installed;
`.venv-bench/bin/python benchmarks/agreement.py` has all.
"""

import argparse
import os
import platform
import resource
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import numpy as np

sys.path.pop(0)  # this folder, whose files may bear the names of packages
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from annotation.quality.agreement.alpha import alpha_values, krippendorff_alpha
from annotation.quality.agreement.bootstrap import bootstrap_intervals
from annotation.quality.agreement.cohen import cohen_values
from annotation.quality.agreement.counts import GradeCounts, counts_of_votes
from annotation.quality.agreement.couples import couples_of
from annotation.quality.scale import Scale
from annotation.quality.votes import Votes

SEED = 2011
SCALE = Scale((0, 1, 2, 3, 4))
N_TOPICS = 100
CROWD = 766

Contender = Callable[[], float]


def judgments(n_judgments: int, sizes: range, n_people: int) -> Votes:
    """People who give an item's true grade or one near it; items with as many judgments as `sizes` says, in turn."""
    rng = np.random.default_rng(SEED)
    n_items = n_judgments // (sum(sizes) // len(sizes))
    n = np.resize(np.array(sizes), n_items)
    item = np.repeat(np.arange(n_items), n)
    true = rng.integers(0, 5, n_items)
    grade = np.clip(np.rint(true[item] + rng.normal(0, 1.2, len(item))), 0, 4).astype(np.int64)
    first = np.cumsum(n) - n
    step = rng.integers(1, n_people // 20, n_items)  # from one person of an item to the next: nobody twice
    person = (rng.integers(0, n_people, n_items)[item] + step[item] * (np.arange(len(item)) - first[item])) % n_people
    return Votes(item, person, grade, n_items)


def contenders(votes: Votes, table: GradeCounts) -> dict[str, Contender]:
    works: dict[str, Contender] = {"touchstone": lambda: krippendorff_alpha(table).value or 0}
    try:
        import krippendorff  # noqa: PLC0415

        values = {"value_counts": table.counts, "value_domain": list(SCALE.grades)}
        works["krippendorff"] = lambda: float(krippendorff.alpha(**values, level_of_measurement="ordinal"))
    except ImportError:
        print("krippendorff is not installed: left out")
    try:
        import evalica  # noqa: PLC0415
        import pandas as pd  # noqa: PLC0415
    except ImportError:
        print("evalica is not installed: left out")
        return works
    n = np.bincount(votes.pair)
    if n.min() == n.max():  # people as many as an item has judgments: alpha does not ask who gave them
        frame = pd.DataFrame(votes.grade.reshape(votes.n_pairs, -1).T)
        works["evalica"] = lambda: float(evalica.alpha(frame, "ordinal").alpha)
    return works


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds by the clock, and of the processors."""
    start, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - start, time.process_time() - cpu


def middle(took: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """The median of both."""
    wall, cpu = zip(*took, strict=True)
    return statistics.median(wall), statistics.median(cpu)


def fresh(table: GradeCounts) -> GradeCounts:
    """Without what it has reckoned before."""
    return GradeCounts(table.counts, table.values, table.n_annotators, table.n_comparable, table.topic)


def race(name: str, votes: Votes, rounds: int) -> bool:
    """Prints the contenders' times; whether their values agree."""
    table = counts_of_votes(votes, SCALE)
    racing = contenders(votes, table)
    seconds: dict[str, list[tuple[float, float]]] = {who: [] for who in racing}
    value = {who: work() for who, work in racing.items()}
    for _ in range(rounds):
        racing["touchstone"] = partial(lambda each: krippendorff_alpha(each).value, fresh(table))
        for who, work in racing.items():
            seconds[who].append(timed(work))
    median = {who: middle(took) for who, took in seconds.items()}
    ours = median["touchstone"]
    print(f"\n{name}: {len(votes.grade)} judgments, {votes.n_pairs} items, median of {rounds}: wall and cpu")
    for who, (wall, cpu) in median.items():
        times = f"{wall:9.4f} s{wall / ours[0]:8.1f} ×{cpu:9.4f} s{cpu / ours[1]:8.1f} ×"
        print(f"  {who:<14}{times}   alpha = {value[who]:.12f}")
    return max(value.values()) - min(value.values()) <= 1e-9


def alone(votes: Votes, crowd: Votes, rounds: int) -> None:
    """Prints what no peer is beside."""
    topic = np.arange(votes.n_pairs) * N_TOPICS // votes.n_pairs
    table = counts_of_votes(votes, SCALE, topic)
    alpha = {"alpha": alpha_values}

    def of_couples() -> object:
        couples = couples_of(crowd, SCALE, CROWD)
        return couples.matrix(couples.each(lambda tables: cohen_values(tables, SCALE.values)))

    works: dict[str, Callable[[], object]] = {
        "alpha from columns of judgments": lambda: krippendorff_alpha(counts_of_votes(votes, SCALE)),
        "bootstrap over items, 2000 draws": lambda: bootstrap_intervals(fresh(table), alpha, rng=1),
        f"bootstrap over {N_TOPICS} topics, 2000 draws": lambda: bootstrap_intervals(
            fresh(table), alpha, by="topics", rng=1
        ),
        f"kappa of every two of {CROWD} people": of_couples,
    }
    for name, work in works.items():
        wall, cpu = middle([timed(work) for _ in range(rounds)])
        print(f"  {name:<42}{wall:9.4f} s{cpu:9.4f} s")


def main(scale: float, rounds: int) -> None:
    n = int(1_000_000 * scale)
    print(f"{datetime.now(UTC):%Y-%m-%d}, {platform.machine()}, {os.cpu_count()} cores, numpy {np.__version__}")
    crowd = judgments(int(100_000 * scale), range(1, 10), CROWD)
    agree = []
    for name, sizes in (("five judgments an item", range(5, 6)), ("one to fifteen", range(1, 16))):
        votes = judgments(n, sizes, 2000)
        agree.append(race(name, votes, rounds))
        alone(votes, crowd, rounds)
    print(f"\n{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB at most")
    if not all(agree):
        raise SystemExit("the values differ")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--scale", type=float, default=0.05)
    parser.add_argument("--rounds", type=int, default=3)
    main(**vars(parser.parse_args()))
