"""Small tables for the tests of agreement, written the way one would say them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st

from annotation.quality.agreement.counts import GradeCounts
from annotation.quality.agreement.scott import scott_values
from annotation.quality.agreement.weights import Weights
from annotation.quality.scale import Scale
from annotation.quality.votes import Votes

KRIPPENDORFF = [  # K. Krippendorff, Computing Krippendorff's Alpha-Reliability (2011): 4 observers × 12 units
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]


def counts(rows: Any, values: Sequence[int] | None = None, **further: Any) -> GradeCounts:
    """Rows of counts, (n_items, n_grades); the grades are 0, 1, … unless given."""
    table = np.asarray(rows, dtype=np.int64)
    return GradeCounts(table, np.arange(table.shape[1]) if values is None else np.asarray(values), **further)


def rated(ratings: Sequence[Sequence[Any]], values: Sequence[int] | None = None) -> GradeCounts:
    """Ratings, a list an observer, None is no rating; the grades are those that occur unless given."""
    grades = sorted({rating for row in ratings for rating in row if rating is not None}) if values is None else values
    rows = [[column.count(grade) for grade in grades] for column in zip(*ratings, strict=True)]
    return counts(rows, grades if all(isinstance(grade, int) for grade in grades) else None)


def votes_of(ratings: Sequence[Sequence[int | None]], scale: Scale) -> tuple[Votes, Scale, int]:
    """The same as votes, with the scale and the number of people."""
    every = [
        (item, who, grade) for who, row in enumerate(ratings) for item, grade in enumerate(row) if grade is not None
    ]
    column = np.array(every, dtype=np.int64).reshape(-1, 3).T
    return Votes(column[0], column[1], column[2], len(ratings[0])), scale, len(ratings)


def some_ratings(*, least_people: int = 2, missing: bool = True) -> st.SearchStrategy[list[list[int | None]]]:
    """Of 2 to 5 people and 1 to 8 items, grades 0 to 3."""
    grade = st.one_of(st.none(), st.integers(0, 3)) if missing else st.integers(0, 3)
    return st.integers(1, 8).flatmap(
        lambda n: st.lists(st.lists(grade, min_size=n, max_size=n), min_size=least_people, max_size=5)
    )


def scott_pi(table: Any, *, weights: Weights = Weights.UNWEIGHTED) -> float | None:
    pi = float(scott_values(np.array(table), np.arange(len(table)), weights=weights))
    return None if np.isnan(pi) else pi
