"""The scale: which grades there are, in their order."""

from dataclasses import dataclass

import numpy as np

from annotation.quality.arrays import Bools, Ints


@dataclass(frozen=True)
class Scale:
    """2 to 11 whole grades from 0 up, strictly ascending; not every number in between need be a grade.

    A value that is not among them is "cannot judge" (a broken link, say) and never takes part in a calculation.
    """

    grades: tuple[int, ...] = (0, 1, 2, 3, 4)

    def __post_init__(self) -> None:
        if not 2 <= len(self.grades) <= 11:
            raise ValueError(f"a scale has 2 to 11 grades, not {len(self.grades)}")
        if self.grades[0] < 0 or any(a >= b for a, b in zip(self.grades, self.grades[1:], strict=False)):
            raise ValueError(f"the grades of a scale ascend and are not below 0: {list(self.grades)}")

    @property
    def bottom(self) -> int:
        return self.grades[0]

    @property
    def top(self) -> int:
        return self.grades[-1]

    @property
    def values(self) -> Ints:
        """The grades as an array, (n_grades,)."""
        return np.array(self.grades, dtype=np.int64)

    def holds(self, grade: Ints) -> Bools:
        """(n,) → (n,): True where the value is one of the grades."""
        index = np.searchsorted(self.values, grade)
        return np.asarray(self.values[np.minimum(index, len(self.grades) - 1)] == grade)

    def index_of(self, grade: Ints) -> Ints:
        """(n,) → (n,): position of each grade in the scale. Only for values that `holds`."""
        return np.searchsorted(self.values, grade).astype(np.int64)

    def at_most(self, value: Ints) -> Ints:
        """(n,) → (n,): the highest grade not above each value, the bottom grade for values below it."""
        index = np.searchsorted(self.values, value, side="right") - 1
        return self.values[np.maximum(index, 0)]
