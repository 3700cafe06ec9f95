"""What the rule has come to so far, path by path, in whole numbers and shares."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

import numpy as np

from annotation.quality.arrays import Bools
from annotation.quality.overlap.curves import ENOUGH
from annotation.quality.overlap.paths import Paths
from annotation.quality.overlap.state import End
from annotation.quality.pairs import find
from annotation.quality.wilson import Share


@dataclass(frozen=True)
class StoppedGold:
    """Gold pairs that stopped, how many of them are right, and how many should be by what was said of them."""

    n: int
    n_right: int
    said: float | None  # mean probability, of those that have one

    @property
    def share(self) -> float | None:
        return Share(self.n_right, self.n).value

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson, 95 %."""
        return Share(self.n_right, self.n).interval


@dataclass(frozen=True)
class PathSummary:
    """Pairs without gold that have n judgments: sure enough, at the largest number, or to have one more."""

    n: int
    n_sure: int
    n_maximum: int
    n_wanting: int
    n_learned: int  # gold pairs that this path's probabilities were learned on
    gold: StoppedGold

    @property
    def n_stopped(self) -> int:
        return self.n_sure + self.n_maximum

    @property
    def has_curve(self) -> bool:
        return self.n_learned >= ENOUGH


@dataclass(frozen=True)
class Summary:
    """`n_short`: pairs without gold that still wait for their first judgments. `n_unknown`: those of which nobody can
    tell, for want of gold."""

    paths: tuple[PathSummary, ...]
    gold: StoppedGold
    n_short: int
    n_unknown: int

    @property
    def maximum(self) -> int:
        return self.paths[-1].n

    @property
    def n_stopped(self) -> int:
        return sum(path.n_stopped for path in self.paths)

    @property
    def n_wanting(self) -> int:
        return sum(path.n_wanting for path in self.paths)

    @property
    def n_judgments(self) -> int:
        """Of the pairs that stopped."""
        return sum(path.n * path.n_stopped for path in self.paths)

    @property
    def n_at_maximum(self) -> int:
        """What these pairs would have cost at the largest number each."""
        return self.maximum * self.n_stopped

    @property
    def n_saved(self) -> int:
        return self.n_at_maximum - self.n_judgments

    @property
    def saved(self) -> float | None:
        """As a share of the fixed number's."""
        return self.n_saved / self.n_at_maximum if self.n_stopped else None

    @property
    def too_little_gold(self) -> bool:
        return not self.paths[0].has_curve

    @property
    def unknown_later(self) -> list[PathSummary]:
        """Later numbers that too few gold pairs have come to: there nothing counts as sure."""
        return [] if self.too_little_gold else [path for path in self.paths[1:] if not path.has_curve]

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> Self:
        """What `to_json` gave."""
        paths = [PathSummary(**{**path, "gold": StoppedGold(**path["gold"])}) for path in stored["paths"]]
        return cls(tuple(paths), StoppedGold(**stored["gold"]), stored["n_short"], stored["n_unknown"])


def summary_of(paths: Paths, *, apart: Bools | None = None) -> Summary:
    """Counted over the pairs without gold; how right they are likely to be, over the gold pairs.

    `apart`: (n_pairs,) those that are left out of the counts, since nobody is asked about them.
    """
    learned = {curve.n: curve.n_gold for curve in paths.curves}
    rest = ~paths.gold if apart is None else ~paths.gold & ~apart
    return Summary(
        tuple(_path(paths, rest, n, learned[n]) for n in paths.rule.numbers),
        _on_gold(paths, paths.gold & paths.stopped),
        n_short=int((rest & (paths.end == End.SHORT)).sum()),
        n_unknown=int((rest & (paths.end == End.UNKNOWN)).sum()),
    )


def _path(paths: Paths, rest: Bools, n: int, n_learned: int) -> PathSummary:
    here = paths.n_used == n
    sure, at_maximum, wanting = (
        int((here & rest & (paths.end == end)).sum()) for end in (End.SURE, End.MAXIMUM, End.WANTS)
    )
    return PathSummary(n, sure, at_maximum, wanting, n_learned, _on_gold(paths, here & paths.gold & paths.stopped))


def _on_gold(paths: Paths, pairs: Bools) -> StoppedGold:
    """A pair that the policy gives no grade is not right."""
    width = max(int(paths.document.max(initial=0)), int(paths.on_gold.document.max(initial=0))) + 1
    key = paths.topic * width + paths.document
    chosen = find(paths.on_gold.topic * width + paths.on_gold.document, key[pairs])[1]
    probability = paths.probability[pairs]
    probability = probability[~np.isnan(probability)]
    n_right = int((paths.on_gold.right & paths.on_gold.kept & chosen).sum())
    return StoppedGold(int(pairs.sum()), n_right, float(probability.mean()) if len(probability) else None)
