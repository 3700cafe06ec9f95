"""What a document of a grade is worth: the grade, 2^grade − 1, or what a table says."""

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from evaluation.engine.arrays import Floats
from evaluation.engine.rankings import Rankings

WORDS = ("linear", "exp")
GREATEST_EXPONENT = 200  # leaves room below the end of float64, 2^1024, for sums and for the cubes that statistics take


@dataclass(frozen=True)
class GainTable:
    """`(grade, gain)` pairs by ascending grade; a grade that the table does not name is its own gain (as in trec_eval).

    Raises `ValueError` for no pairs, a negative grade, a grade named twice and a gain that is not finite.
    """

    pairs: tuple[tuple[int, float], ...]

    def __post_init__(self) -> None:
        grades = [grade for grade, _ in self.pairs]
        if not grades:
            raise ValueError("a table of gains names at least one grade")
        if grades[0] < 0 or any(low >= high for low, high in pairwise(grades)):
            raise ValueError("a table of gains names grades of at least 0, each once, in ascending order")
        if not all(math.isfinite(gain) for _, gain in self.pairs):
            raise ValueError("gains are finite numbers")


Gains: TypeAlias = str | GainTable


def check_gains(gains: Gains, family: str) -> None:
    """Raise `ValueError` for a word that is none of `WORDS`."""
    if not isinstance(gains, GainTable) and gains not in WORDS:
        raise ValueError(f"the gains of {family} are 'linear', 'exp' or a table {{1:3.5,2:9}}, not {gains!r}")


def gain_of(gains: Gains, grade: int) -> float:
    """The gain of a grade. What is not judged, and a grade of 0 that no table names, gains nothing.

    Raises `ValueError` where 2^grade − 1 could not be added up in float64.
    """
    if grade < 0:
        return 0.0
    if isinstance(gains, GainTable):
        return dict(gains.pairs).get(grade, float(grade))
    if gains == "linear":
        return float(grade)
    if grade > GREATEST_EXPONENT:
        raise ValueError(f"the grade {grade} is too great for gains of 2^grade − 1: at most {GREATEST_EXPONENT}")
    return 2.0**grade - 1.0


def found_gain(rankings: Rankings, gains: Gains) -> Floats:
    """The gain of each found row. (n_found,)"""
    return rankings.once(("gain", gains), lambda: rankings.by_grade(lambda grade: gain_of(gains, grade)))


def discounted_gain(rankings: Rankings, gains: Gains) -> Floats:
    """The gain of each found row over log2(rank + 1). (n_found,)"""
    return rankings.once(("discounted gain", gains), lambda: found_gain(rankings, gains) / rankings.discount)


def discounted_ideal_gain(rankings: Rankings, gains: Gains) -> Floats:
    """The same at each rank of the best possible order. (n_pairs,)"""
    return rankings.once(("discounted ideal", gains), lambda: ideal_gain(rankings, gains) / rankings.ideal_discount)


def ideal_gain(rankings: Rankings, gains: Gains) -> Floats:
    """The gain at each rank of the best possible order: by descending gain, losses left out. (n_pairs,)

    Where gains grow with grades that is the gain of each ideal row; a table may turn grades round.
    """
    return rankings.once(("ideal gain", gains), lambda: _ideal_gain(rankings, gains))


def _ideal_gain(rankings: Rankings, gains: Gains) -> Floats:
    gain = [gain_of(gains, grade) for grade in rankings.levels]
    if gain == sorted(gain):
        return rankings.ideal_by_grade(lambda grade: max(gain_of(gains, grade), 0.0))
    return _by_descending_gain(rankings, gains)


def levels(rankings: Rankings, gains: Gains) -> list[tuple[float, Floats]]:
    """`(gain, documents of that gain in each topic)` for each positive gain, the highest first; each (n_topics,)."""
    grades: dict[float, list[int]] = {}
    for grade in rankings.levels:
        if grade >= 0 and gain_of(gains, grade) > 0:
            grades.setdefault(gain_of(gains, grade), []).append(grade)
    return [(gain, _count(rankings, grades[gain])) for gain in sorted(grades, reverse=True)]


def _by_descending_gain(rankings: Rankings, gains: Gains) -> Floats:
    above = rankings.ideal_total(rankings.ideal_rank < 0)
    gain = rankings.where(rankings.ideal_rank > 0, 0.0, 0.0)
    for worth, n_here in levels(rankings, gains):
        past = above + n_here
        here = (rankings.ideal_rank > above[rankings.ideal_topic]) & (rankings.ideal_rank <= past[rankings.ideal_topic])
        gain, above = rankings.where(here, worth, gain), past
    return gain


def _count(rankings: Rankings, grades: list[int]) -> Floats:
    is_counted = rankings.ideal_grade == grades[0]
    for grade in grades[1:]:
        is_counted = is_counted | (rankings.ideal_grade == grade)
    return rankings.ideal_total(is_counted)
