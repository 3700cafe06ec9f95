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


def exits(*, rise: float, fall: float, low: float, high: float, rate: float, most: int = LONGEST) -> Exits:
    """The walk begins at 0. Each gold lowers the score by `fall` with chance `rate`, else raises it by `rise`.

    It leaves below at a score of `low` (0 or less) or less, above at `high` or more, and `most` golds are looked at.
    Its state after n golds is the number of errors among them; those between the bounds stand next to each other, so
    that a vector of a few chances is all there is to carry from one gold to the next.
    """
    above, below = [0.0], [0.0]
    first, chance = 0, np.ones(1)  # chances of `first`, `first` + 1 … errors
    for n in range(1, most + 1):
        chance = np.append(chance * rate, 0.0) + np.append(0.0, chance * (1 - rate))
        wrong = first + np.arange(len(chance))
        score = wrong * rise - (n - wrong) * fall
        up, down = score >= high, score <= low
        above.append(float(chance[up].sum()))
        below.append(float(chance[down].sum()))
        first, chance = first + int(down.sum()), chance[~(up | down)]
        if chance.sum() < REST:
            break
    return Exits(np.array(above), np.array(below))
