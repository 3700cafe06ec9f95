"""How often each grade was given, as a page shows it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from annotation.kernel.plots.bars import Bar, BarPlot, named_bar_plot
from annotation.quality.arrays import Ints
from annotation.text.counted import counted


@dataclass(frozen=True)
class GradeShare:
    """How often a grade was given; `tenth` from 0 to 10 shades its cell."""

    grade: int
    n: int
    percent: int
    tenth: int


def shares_of(grades: Sequence[int], counts: Ints) -> list[GradeShare]:
    total = max(int(counts.sum()), 1)
    return [
        GradeShare(grade, n, round(100 * n / total), round(10 * n / total))
        for grade, n in zip(grades, counts.tolist(), strict=True)
    ]


def grades_plot(shares: Sequence[GradeShare]) -> BarPlot | None:
    """Pairs by grade; None without any."""
    bars = [
        Bar(each.n, f"grade {each.grade}: {counted(each.n, 'pair')}, {each.percent} %", str(each.grade))
        for each in shares
    ]
    return named_bar_plot(bars) if bars else None


def grade_shares(counts: Mapping[int, int]) -> list[GradeShare]:
    """Numbers of pairs by grade, as shares, in the order of grades."""
    grades = sorted(counts)
    return shares_of(grades, np.array([counts[grade] for grade in grades], dtype=np.int64))


def counts_of(grade: Ints, grades: Sequence[int]) -> Ints:
    return np.array([(grade == each).sum() for each in grades], dtype=np.int64)
