"""Claim: Dawid–Skene takes seconds for a million judgments, crowd-kit fifteen times as long, for the same values.

    .venv-bench/bin/python benchmarks/consolidation.py [--scale 0.05] [--rounds 3]

Simulates a campaign from a seed: five judgments on each of 200,000 pairs, five grades, by 1000 people each with a
confusion matrix of their own. Both begin with the shares of the votes and do not smooth. By turns crowd-kit runs until
its own tolerance (1e-5), Touchstone as many turns of EM as that took, and every probability must be equal to 1e-6, or
the program fails. Then, alone, every rule as a policy has it, with smoothing and the tolerance of its own. Seconds of
the wall and of the processors, which tell more on a busy machine. crowd-kit is left out where it is not installed.
"""

import argparse
import math
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import scipy

sys.path.pop(0)  # this folder, whose files may bear the names of packages
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from annotation.quality.arrays import Floats, Ints
from annotation.quality.consolidation import CONSOLIDATORS, nothing_known
from annotation.quality.consolidation.dawid_skene import fit_dawid_skene
from annotation.quality.scale import Scale
from annotation.quality.votes import Votes

SEED = 6
N_PAIRS, PER_PAIR, N_ANNOTATORS = 200_000, 5, 1000
SCALE = Scale()
PRIOR = (0.45, 0.2, 0.15, 0.12, 0.08)
NEAR = 1e-6


def campaign(n_pairs: int) -> tuple[Votes, Ints]:
    """Near misses are likelier than far ones, and people differ in how sharp and how lenient they are."""
    rng = np.random.default_rng(SEED)
    grade = np.arange(len(SCALE.grades))
    distance = grade[None, :] - grade[:, None]  # (true, given)
    sharp, lenient = rng.uniform(0.4, 2.5, N_ANNOTATORS), rng.normal(0, 0.5, N_ANNOTATORS)
    chance = np.exp(lenient[:, None, None] * distance - sharp[:, None, None] * np.abs(distance))
    chance /= chance.sum(axis=2, keepdims=True)  # (n_annotators, true, given)
    truth = rng.choice(grade, n_pairs, p=PRIOR)
    pair = np.repeat(np.arange(n_pairs), PER_PAIR)
    first = rng.integers(0, N_ANNOTATORS, n_pairs)
    step = rng.integers(1, N_ANNOTATORS // PER_PAIR, n_pairs)  # so that nobody judges a pair twice
    annotator = (first[:, None] + step[:, None] * np.arange(PER_PAIR)).ravel() % N_ANNOTATORS
    edge = chance[annotator, truth[pair]].cumsum(axis=1)[:, :-1]
    return Votes(pair, annotator, (rng.random(len(pair))[:, None] > edge).sum(axis=1), n_pairs), truth


def by_touchstone(votes: Votes, n_turns: int) -> Floats:
    known = nothing_known(SCALE)
    fit = fit_dawid_skene(votes, SCALE, known, smoothing=0, prior_count=0, tolerance=-math.inf, most_rounds=n_turns)
    return fit.posterior


def crowd_kit(votes: Votes) -> tuple[Callable[[], Any], str] | None:
    """A fit with its defaults, at most 100 turns and a tolerance of 1e-5, and the version."""
    try:
        import pandas as pd  # noqa: PLC0415
        from crowdkit.aggregation import DawidSkene  # noqa: PLC0415
    except ImportError:
        print("crowd-kit is not installed: left out")
        return None
    from importlib.metadata import version  # noqa: PLC0415

    data = pd.DataFrame({"task": votes.pair, "worker": votes.annotator, "label": votes.grade})
    return lambda: DawidSkene(n_iter=100, tol=1e-5).fit(data), version("crowd-kit")


@dataclass(frozen=True)
class Took:
    wall: float
    cpu: float

    def __str__(self) -> str:
        return f"{self.wall:8.3f} s{self.cpu:9.3f} s"


def timed(work: Callable[[], Any]) -> tuple[Took, Any]:
    start, cpu = time.perf_counter(), time.process_time()
    result = work()
    return Took(time.perf_counter() - start, time.process_time() - cpu), result


def median(runs: Sequence[Took]) -> Took:
    return Took(statistics.median(each.wall for each in runs), statistics.median(each.cpu for each in runs))


def race(votes: Votes, rounds: int) -> bool:
    """Prints seconds and ratios; whether the values agree."""
    peer_and_version = crowd_kit(votes)
    if peer_and_version is None:
        return True
    peer, version = peer_and_version
    mine: list[Took] = []
    theirs: list[Took] = []
    for _ in range(rounds):
        took, fitted = timed(peer)
        theirs.append(took)
        n_turns = len(fitted.loss_history_)
        took, ours = timed(lambda n_turns=n_turns: by_touchstone(votes, n_turns))
        mine.append(took)
    us, them = median(mine), median(theirs)
    print(f"\nDawid–Skene, {n_turns} turns of EM, no smoothing, median of {rounds}: wall, processors")
    print(f"  Touchstone        {us}\n  crowd-kit {version:<8}{them}")
    print(f"  ratio              {them.wall / us.wall:8.1f}  {them.cpu / us.cpu:9.1f}")
    values = fitted.probas_.sort_index().sort_index(axis=1).to_numpy()
    apart = float(np.abs(values - ours).max())
    same = float((values.argmax(axis=1) == ours.argmax(axis=1)).mean())
    print(f"  probabilities at most {apart:.1e} apart; the same grade for {same:.4%} of the pairs")
    return apart <= NEAR


def alone(votes: Votes, truth: Ints, rounds: int) -> None:
    known = nothing_known(SCALE)
    print(f"\nevery rule as a policy has it, median of {rounds}: wall, processors; share with the true grade")
    for name, rule in CONSOLIDATORS.items():
        runs = [timed(lambda rule=rule: rule(votes, SCALE, known)) for _ in range(rounds)]
        right = (runs[0][1].grade == truth).mean()
        print(f"  {name:<18}{median([took for took, _ in runs])}   {right:.3f}")
    print(f"  dawid_skene ended after {fit_dawid_skene(votes, SCALE, known).n_rounds} turns")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--scale", type=float, default=0.05)
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    versions = f"Python {platform.python_version()}, numpy {np.__version__}, scipy {scipy.__version__}"
    print(f"{datetime.now(UTC):%Y-%m-%d}, {platform.machine()}, {os.cpu_count()} cores, {versions}")
    votes, truth = campaign(int(N_PAIRS * asked.scale))
    print(f"{len(votes.pair)} judgments, {votes.n_pairs} pairs, {N_ANNOTATORS} people, load {os.getloadavg()[0]:.1f}")
    agree = race(votes, asked.rounds)
    alone(votes, truth, asked.rounds)
    if not agree:
        raise SystemExit("the probabilities differ")


if __name__ == "__main__":
    main()
