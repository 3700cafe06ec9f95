"""Which grades a person gives, and how varied they are: the share of the commonest one, and the entropy of all."""

from dataclasses import dataclass

import numpy as np

from annotation.quality.annotators.figure import Figures, figures, shares_of_counts
from annotation.quality.arrays import Floats, Ints, crosstab
from annotation.quality.counted import counted_rows
from annotation.quality.scale import Scale
from annotation.quality.table import JudgmentTable

LEAST = 20
WHAT = "answers with a grade"


@dataclass(frozen=True, eq=False)
class Variety:
    """`grade`: (n_annotators,), place on the scale of the commonest grade, the lowest of equally common ones."""

    commonest: Figures  # its share
    grade: Ints
    entropy: Figures  # 0: always the same grade; 1: all grades equally often


def grades_given(table: JudgmentTable, scale: Scale) -> Ints:
    """(n_annotators, n_grades): how often each person gave each grade, in their last answer to each pair."""
    row = counted_rows(table, scale=scale, count_not_blind=True)
    step = scale.index_of(table.grade[row])
    return crosstab(table.annotator[row], step, len(table.annotators), len(scale.grades))


def variety_of(counts: Ints) -> Variety:
    """`counts`: (n_annotators, n_grades), how often each person gave each grade.

    Entropy as C. E. Shannon has it (Bell System Technical Journal 27, 1948), in parts of the greatest there is; what
    few answers lose is added as G. A. Miller does (1955): (grades seen − 1) / 2n.
    """
    n = counts.sum(axis=1)
    return Variety(
        shares_of_counts(counts.max(axis=1, initial=0), n, WHAT, least=LEAST),
        counts.argmax(axis=1).astype(np.int64) if len(counts) else np.zeros(0, dtype=np.int64),
        figures(_entropy(counts, n), n, WHAT, least=LEAST),
    )


def _entropy(counts: Ints, n: Ints) -> Floats:
    share = counts / np.maximum(n, 1)[:, None]
    nats = -(share * np.log(np.where(share > 0, share, 1.0))).sum(axis=1)
    seen = (counts > 0).sum(axis=1)
    nats += np.maximum(seen - 1, 0) / (2 * np.maximum(n, 1))
    return np.asarray(np.minimum(nats / np.log(counts.shape[1]), 1.0) + 0.0)
