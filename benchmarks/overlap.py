"""Claim: where people can be trusted, dynamic overlap is as accurate as a fixed one with far fewer judgments.

    python benchmarks/overlap.py [--full] [--only NAME]

Crowds of ../shared/data (or TOUCHSTONE_SHARED) are replayed: each pair's judgments in their given order, cut off where
the rule stops, on the pairs that have as many as the largest number. Simulated campaigns have people of known accuracy.
A line is a way of asking: judgments a pair, the share of gold pairs that come out right when their own gold is hidden
(Wilson's interval in parentheses), what the probabilities said that share would be, and the pairs that ended sure.
Without `--full` only what takes seconds is done.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from annotation.quality.inputs import Inputs
from annotation.quality.overlap import AtNumber, End, OverlapRule, at_fixed, at_paths, follow, with_at_least
from annotation.quality.overlap.campaign import Setting, campaign
from annotation.quality.policy import Policy
from annotation.quality.wilson import wilson_interval
from tests.annotation.quality.crowd import everybody, snow_rte, trec_rf10

SHARED = Path(os.environ.get("TOUCHSTONE_SHARED") or Path(__file__).resolve().parents[2] / "shared" / "data")
SEED = 7
HEAD = ("asked for", "a pair", "gold pairs", "right on gold", "said", "sure", "s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--only", default="", help="what the name of a case begins with")
    chosen = parser.parse_args()
    for name, read, first, maximum, rule, targets in cases(full=chosen.full):
        if not name.startswith(chosen.only):
            continue
        inputs = read()
        print(f"\n{name}, {rule}, {first} to {maximum} judgments")
        print(" ".join(f"{word:>20}" for word in HEAD))
        policy = everybody(rule)
        for n in range(first, maximum + 1):
            tell(f"fixed {n}", at_fixed(inputs, policy, n))
        for target in targets:
            dynamic(inputs, policy, OverlapRule(first, maximum, target))


def cases(*, full: bool) -> Iterator[tuple[str, Callable[[], Inputs], int, int, str, tuple[float, ...]]]:
    if SHARED.exists():
        yield "snow-rte", partial(snow_rte, SHARED), 3, 10, "dawid_skene", (0.85, 0.9, 0.92, 0.95)
        if full:
            yield "snow-rte", partial(snow_rte, SHARED), 3, 10, "ordinal", (0.85, 0.9, 0.92, 0.95)
            yield "trec-rf10", lambda: with_at_least(trec_rf10(SHARED), 5), 2, 5, "dawid_skene", (0.5, 0.55, 0.6, 0.65)
            yield "trec-rf10", lambda: with_at_least(trec_rf10(SHARED), 5), 2, 5, "ordinal", (0.5, 0.55, 0.6, 0.65)
    for accuracy in (0.6, 0.75, 0.9):
        people = tuple(np.linspace(accuracy - 0.1, min(accuracy + 0.1, 0.98), 40).tolist())
        size = Setting(people, n_topics=50, pairs_a_topic=60 if full else 10, gold=0.5)
        inputs = partial(campaign, size, maximum=7, rng=np.random.default_rng(SEED))
        targets = (0.85, 0.9, 0.95) if full else (0.9,)
        yield f"people right on {accuracy:g} of easy pairs", inputs, 3, 7, "dawid_skene", targets


def dynamic(inputs: Inputs, policy: Policy, rule: OverlapRule) -> None:
    began = time.perf_counter()
    paths = follow(inputs, policy, rule)
    took = time.perf_counter() - began
    expected = float(np.nanmean(paths.probability[paths.gold]))
    sure = float((paths.end == End.SURE).mean())
    tell(f"until {rule.target:g} sure", at_paths(paths), f"{expected:.3f}", f"{sure:.2f}", f"{took:.1f}")


def tell(way: str, figures: AtNumber, *further: str) -> None:
    on_gold = figures.on_gold
    interval = wilson_interval(np.array(on_gold.n_right), np.array(len(on_gold)))
    right = f"{figures.share:.3f} ({float(interval.low):.3f}–{float(interval.high):.3f})"
    words = (way, f"{figures.per_pair:.2f}", str(len(on_gold)), right, *further)
    print(" ".join(f"{word:>20}" for word in words), flush=True)


if __name__ == "__main__":
    main()
