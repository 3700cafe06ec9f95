"""Two runs by one measure: every paired test beside the others, and topics by difference."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from evaluation.engine.comparison import Comparison, Design, Pair, compare
from evaluation.engine.scorer import MeasureValues
from evaluation.engine.significance.paired.result import Test

TESTS: tuple[Test, ...] = ("randomization", "t", "bootstrap", "wilcoxon", "sign")


@dataclass(frozen=True)
class TwoRuns:
    """`comparison` is by the test that decides, named before anybody looks; `others` by those that answer besides,
    `refused` why another does not. All of them have the same differences, interval and effect sizes."""

    comparison: Comparison
    others: Mapping[Test, Comparison]
    refused: Mapping[Test, str]

    @property
    def pair(self) -> Pair:
        return self.comparison.pairs[0]


def compare_two(first: MeasureValues, second: MeasureValues, measure: str, design: Design, *, seed: int) -> TwoRuns:
    """By the design's test, then by the others, with the same seed each: one test's numbers are those of `compare` with
    that test alone.

    Raises `ValueError` as `compare` does.
    """
    chosen = replace(design, correction="none", baseline=None)
    comparison = compare([first, second], measure, chosen, rng=np.random.default_rng(seed))
    return beside_others(comparison, [first, second], seed=seed)


def beside_others(comparison: Comparison, evaluations: Sequence[MeasureValues], *, seed: int) -> TwoRuns:
    """A comparison of two runs with the other tests beside it, each drawn with the seed."""
    others, refused = dict[Test, Comparison](), dict[Test, str]()
    for test in TESTS:
        if test == comparison.test:
            continue
        design = replace(comparison.design, test=test, correction="none", baseline=None)
        try:
            others[test] = compare(evaluations, comparison.measure, design, rng=np.random.default_rng(seed))
        except ValueError as reason:
            refused[test] = str(reason)
    return TwoRuns(comparison, others, refused)


def by_difference(runs: TwoRuns) -> Sequence[int]:
    """The topics, as places in `comparison.numbers`: where the first run is better most, first; equal ones in order."""
    order: list[int] = np.argsort(-runs.pair.difference, kind="stable").tolist()
    return order
