"""What adjudicators said before and after they saw the others' grades."""

from dataclasses import dataclass

import numpy as np

from annotation.quality.arrays import Floats, Ints
from annotation.quality.scale import Scale
from annotation.quality.wilson import Share


@dataclass(frozen=True)
class BlindGrades:
    """Of decisions with a blind grade. The median is that of the reliable people, taken down to a grade of the scale;
    `same`, `near` (at most one step) and `towards` are of decisions on pairs that have one.

    `towards`: of the minds that were changed, those that came nearer to the median. Far more than half of many says
    that the others' grades pull; it does not say that they are wrong.
    """

    changed: Share
    same: Share
    near: Share
    towards: Share


def blind_grades(blind: Ints, final: Ints, median: Floats, scale: Scale) -> BlindGrades:
    """(n,) each; `blind` and `final` on the scale, `median` NaN where no reliable person judged. n may be 0."""
    has_median = ~np.isnan(median)
    before, after = scale.index_of(blind[has_median]), scale.index_of(final[has_median])
    middle = scale.index_of(scale.at_most(np.floor(median[has_median]).astype(np.int64)))
    away, away_after = np.abs(before - middle), np.abs(after - middle)
    moved = before != after
    n_known = int(has_median.sum())
    return BlindGrades(
        changed=Share(int((blind != final).sum()), len(blind)),
        same=Share(int((away == 0).sum()), n_known),
        near=Share(int((away <= 1).sum()), n_known),
        towards=Share(int((away_after < away)[moved].sum()), int(moved.sum())),
    )
