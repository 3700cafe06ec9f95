"""What a change of gold does to people: whose judgments are scored otherwise, and who changes standing."""

from dataclasses import dataclass

import numpy as np

from annotation.quality.accuracy import Accuracy
from annotation.quality.arrays import Bools, Ints
from annotation.quality.inputs import Inputs
from annotation.quality.policy import Policy
from annotation.quality.standing import standing_of
from annotation.quality.trust import WatchSettings, watch_people

_UNSCORED = 2


@dataclass(frozen=True, eq=False)
class Regrading:
    """(n_annotators,) each, in the order of the table's annotators. `n_rescored`: judgments that are scored otherwise:
    right instead of wrong, counted instead of not, or the other way round."""

    n_rescored: int
    touched: Bools  # has such a judgment
    before: Accuracy
    after: Accuracy
    standing_before: Ints  # a `Standing`
    standing_after: Ints
    stopped_after: Bools  # by the watch on critical errors


def regrading_of(
    before: Inputs, after: Inputs, policy: Policy, watch: WatchSettings, moment: Ints | None = None
) -> Regrading:
    """`before` and `after` differ in their gold alone. `moment`: as of `critical_errors`."""
    table, n_people = before.table, len(before.table.annotators)
    score = [_scores(each) for each in (before, after)]
    otherwise = score[0] != score[1]
    accuracy = [each.accuracy for each in (before, after)]
    standing = [standing_of(each, min_gold=policy.min_gold, threshold=policy.accuracy_threshold) for each in accuracy]
    return Regrading(
        n_rescored=int(otherwise.sum()),
        touched=np.bincount(table.annotator[otherwise], minlength=n_people) > 0,
        before=accuracy[0],
        after=accuracy[1],
        standing_before=standing[0],
        standing_after=standing[1],
        stopped_after=np.array([each.ended for each in watch_people(after, watch, moment)], dtype=np.bool_),
    )


def _scores(inputs: Inputs) -> Ints:
    """(n_rows,): 1 right, 0 wrong, 2 not scored."""
    score = np.full(len(inputs.table), _UNSCORED, dtype=np.int64)
    score[inputs.scored.row] = inputs.scored.right
    return score
