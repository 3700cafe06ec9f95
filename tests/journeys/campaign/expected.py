"""What the pages must say, reckoned from what the people sent: docs/quality.md in its simplest words."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from statistics import NormalDist, fmean

from tests.journeys.campaign.material import Pair


@dataclass(frozen=True)
class Sent:
    """`grades`: annotator → pair → grade. `gold`: the pairs whose grade is known. `laid`: the pairs in the batch."""

    grades: Mapping[str, Mapping[Pair, int]]
    gold: Mapping[Pair, int]
    laid: frozenset[Pair]

    def of_pairs(self, names: Iterable[str]) -> dict[Pair, list[int]]:
        """The grades of these people, by ordinary pair."""
        grades: dict[Pair, list[int]] = defaultdict(list)
        for name in names:
            for pair, grade in self.grades[name].items():
                if pair not in self.gold:
                    grades[pair].append(grade)
        return dict(grades)

    def gold_answers(self, name: str) -> list[bool]:
        """Right or wrong, for each gold pair that the person judged."""
        return [grade == self.gold[pair] for pair, grade in self.grades[name].items() if pair in self.gold]

    def exact_agreement(self) -> float:
        """The share of ordinary pairs with two judgments or more to which everybody gave the same grade."""
        return fmean(len(set(grades)) == 1 for grades in self.of_pairs(self.grades).values() if len(grades) >= 2)

    def pairwise_agreement(self) -> float:
        """Over ordinary pairs with two judgments or more: the share of its pairs of people that agree; the mean."""
        return fmean(
            fmean(one == other for one, other in combinations(grades, 2))
            for grades in self.of_pairs(self.grades).values()
            if len(grades) >= 2
        )

    def kept(self, believed: Iterable[str]) -> dict[Pair, int]:
        """Two believed grades or more, at most 1 apart, give their median, rounded down; gold keeps its own."""
        judged = {
            pair: lower_median(grades)
            for pair, grades in self.of_pairs(believed).items()
            if len(grades) >= 2 and max(grades) - min(grades) <= 1
        }
        return judged | {pair: grade for pair, grade in self.gold.items() if pair in self.laid}


def lower_median(grades: list[int]) -> int:
    ordered, half = sorted(grades), len(grades) // 2
    return ordered[half] if len(grades) % 2 else (ordered[half - 1] + ordered[half]) // 2


def read_qrels(content: bytes) -> dict[Pair, int]:
    rows = [line.split() for line in content.decode().splitlines()]
    return {(number, docno): int(grade) for number, _, docno, grade in rows}


def kendall_tau(scores: Mapping[str, float], true: Mapping[str, float], *, apart: float) -> float:
    """Tau-a of two orders of the same systems, over those pairs of them that are `apart` in the true one.

    M. G. Kendall, A new measure of rank correlation (1938).
    """
    assert scores.keys() == true.keys()
    pairs = [(a, b) for a, b in combinations(sorted(true), 2) if abs(true[a] - true[b]) >= apart]
    signs = [(scores[a] - scores[b]) * (true[a] - true[b]) for a, b in pairs]
    return fmean((sign > 0) - (sign < 0) for sign in signs)


def wilson_interval(answers: Sequence[bool]) -> tuple[float, float]:
    """95 %: E. B. Wilson, Probable inference (1927), solved for the two ends."""
    n, share, z = len(answers), fmean(answers), NormalDist().inv_cdf(0.975)
    middle, half = share + z * z / (2 * n), z * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return (middle - half) / (1 + z * z / n), (middle + half) / (1 + z * z / n)
