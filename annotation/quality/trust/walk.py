"""A walk between two bounds: after how many golds it leaves, and on which side. Exact, by dynamic programming."""

from dataclasses import dataclass

import numpy as np

from annotation.quality.arrays import Floats

REST = 1e-13  # once so small a share of the walks is still between the bounds, the computation ends
LONGEST = 500_000


@dataclass(frozen=True, eq=False)
class Exits:
    """`above`, `below`: (n,), the chance to leave on that side with exactly the gold of that number; entry 0 is 0."""

    above: Floats
    below: Floats

    @property
    def golds(self) -> float:
        """Mean number of golds until the walk leaves, on whichever side."""
        return float(np.arange(len(self.above)) @ (self.above + self.below))

    @property
    def golds_above(self) -> float | None:
        """Mean number of golds of the walks that leave above; None where none does."""
        share = self.above.sum()
        return float(np.arange(len(self.above)) @ self.above / share) if share else None


def exits(
    *,
    rise: float,
    fall: float,
    low: float,
    high: float,
    rate: float,
    most: int = LONGEST,
    runs: float = 0.0,
    after_right: bool = False,
) -> Exits:
    """The walk begins at 0. Each gold lowers the score by `fall` with chance `rate`, else raises it by `rise`.

    `runs`: the correlation of one gold with the next, 0 to 1; `rate` stays the share in the long run. `after_right`:
    the gold before the first lowered the score; else nothing is known of it.

    The walk leaves below at a score of `low` (0 or less) or less, above at `high` or more, and `most` golds are looked
    at. Its state after n golds is the number of errors among them and whether the last one was; those between the
    bounds stand next to each other, so that vectors of a few chances are all there is to carry to the next gold.
    """
    above, below = [0.0], [0.0]
    error = 1 - rate
    # (2, 2): from a gold without an error and with one, to the same
    step = np.array([[1 - error * (1 - runs), error * (1 - runs)], [rate * (1 - runs), error + rate * runs]])
    begin = [1.0, 0.0] if after_right else [rate, error]  # in the long run
    first, chance = 0, np.array(begin)[:, None]  # (2, n): of `first`, `first` + 1 … errors
    for n in range(1, most + 1):
        right, wrong = step.T @ chance  # (n,) each
        chance = np.stack([np.append(right, 0.0), np.append(0.0, wrong)])
        errors = first + np.arange(chance.shape[1])
        score = errors * rise - (n - errors) * fall
        up, down = score >= high, score <= low
        above.append(float(chance[:, up].sum()))
        below.append(float(chance[:, down].sum()))
        first, chance = first + int(down.sum()), chance[:, ~(up | down)]
        if chance.sum() < REST:
            break
    return Exits(np.array(above), np.array(below))
