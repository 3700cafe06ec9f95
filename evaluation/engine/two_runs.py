"""Two runs by one measure: every paired test beside the others, topics by difference, and what may be concluded."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from evaluation.engine.comparison import Comparison, Design, Pair, compare
from evaluation.engine.scorer import Evaluation
from evaluation.engine.significance.paired.result import Test

TESTS: tuple[Test, ...] = ("randomization", "t", "bootstrap", "wilcoxon", "sign")
PRIMARY = TESTS[0]  # named before anybody looks


@dataclass(frozen=True)
class TwoRuns:
    """`by_test` has the comparison under each test that answers, `refused` why another does not. All of them have the
    same differences, interval and effect sizes."""

    by_test: Mapping[Test, Comparison]
    refused: Mapping[Test, str]

    @property
    def comparison(self) -> Comparison:
        return self.by_test[PRIMARY]

    @property
    def pair(self) -> Pair:
        return self.comparison.pairs[0]


def compare_two(first: Evaluation, second: Evaluation, measure: str, design: Design, *, seed: int) -> TwoRuns:
    """By each test, with the same seed each: one test's numbers are those of `compare` with that test alone.

    Raises `ValueError` as `compare` does.
    """
    by_test, refused = dict[Test, Comparison](), dict[Test, str]()
    for test in TESTS:
        chosen = replace(design, test=test, correction="none", baseline=None)
        try:
            by_test[test] = compare([first, second], measure, chosen, rng=np.random.default_rng(seed))
        except ValueError as reason:
            if test == PRIMARY:
                raise
            refused[test] = str(reason)
    return TwoRuns(by_test, refused)


def conclusion(runs: TwoRuns) -> list[str]:
    """Sentences that say what the numbers say, and no more. The test that decides is the randomization test; the other
    tests are there to be looked at, not to be chosen from."""
    pair, design, n = runs.pair, runs.comparison.design, len(runs.comparison.numbers)
    if not pair.difference.any():
        return [f"{pair.first} and {pair.second} have the same value on each of the {n} topics."]
    sentences = [_difference(pair, runs.comparison.measure, n), _decision(pair, design)]
    if others := _other_tests(runs):
        sentences.append(others)
    if design.minimum is not None:
        sentences += _minimum(pair, design, n)
    scope = "This holds for topics like these, under this snapshot's judgments, by this measure"
    return [*sentences, f"{scope}; it says nothing of single topics."]


def _difference(pair: Pair, measure: str, n_topics: int) -> str:
    mean, low, high = pair.interval.mean, pair.interval.low, pair.interval.high
    confidence = f"{100 * pair.interval.confidence:g} % interval {low:+.4f} to {high:+.4f}"
    return f"Over {n_topics} topics {pair.first} minus {pair.second} is {mean:+.4f} in {measure} ({confidence})."


def _decision(pair: Pair, design: Design) -> str:
    better, worse = (pair.first, pair.second) if pair.interval.mean > 0 else (pair.second, pair.first)
    level = f"at the level of {design.alpha:g} (randomization test, p {_p(pair.p)})"
    if pair.p <= design.alpha:
        return f"{better} is better than {worse} {level}."
    return f"The two cannot be told apart {level}. That does not show that they are equal."


def _other_tests(runs: TwoRuns) -> str:
    alpha, decided = runs.comparison.design.alpha, runs.pair.p <= runs.comparison.design.alpha
    others = [name for name, one in runs.by_test.items() if (one.pairs[0].p <= alpha) != decided]
    if not others:
        return ""
    words = "would not" if decided else "would"
    return f"By other tests the two {words} be told apart: {', '.join(others)}. Choose a test before you look."


def _minimum(pair: Pair, design: Design, n_topics: int) -> list[str]:
    least, low, high = design.minimum or 0.0, pair.interval.low, pair.interval.high
    if low >= least or high <= -least:
        sentences = [f"Even the end of the interval nearer to 0 is a difference of {least:g} or more."]
    elif -least < low and high < least:
        sentences = [f"The whole interval is nearer to 0 than {least:g}, the smallest difference that would matter."]
    else:
        sentences = [f"Whether the difference reaches {least:g} is open: the interval holds smaller and larger ones."]
    if pair.power and pair.needed:
        sentences.append(
            f"To find a true difference of {least:g} with a power of {design.power:g} a paired t-test needs "
            f"{pair.needed.n_topics:,} topics, if differences vary as here; with {n_topics} its power is "
            f"{pair.power.power:.2f}."
        )
    return sentences


def _p(p: float) -> str:
    return f"{p:.4f}" if p >= 0.0001 else "below 0.0001"


def by_difference(runs: TwoRuns) -> Sequence[int]:
    """The topics, as places in `comparison.numbers`: where the first run is better most, first; equal ones in order."""
    order: list[int] = np.argsort(-runs.pair.difference, kind="stable").tolist()
    return order
