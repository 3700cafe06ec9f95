"""How varied a person's grades are: the share of the commonest one, and the entropy of all."""

from dataclasses import dataclass

import numpy as np

from annotation.quality.annotators.figure import Figures, figures
from annotation.quality.arrays import Floats, Ints
from annotation.quality.wilson import wilson_interval

LEAST = 20
WHAT = "answers with a grade"


@dataclass(frozen=True, eq=False)
class Variety:
    """`grade`: (n_annotators,), place on the scale of the commonest grade, the lowest of equally common ones."""

    commonest: Figures  # its share
    grade: Ints
    entropy: Figures  # 0: always the same grade; 1: all grades equally often


def variety_of(given: Ints) -> Variety:
    """`given`: (n_annotators, n_grades), how often each person gave each grade.

    Entropy as C. E. Shannon has it (Bell System Technical Journal 27, 1948), in parts of the greatest there is; what
    few answers lose is added as G. A. Miller does (1955): (grades seen − 1) / 2n.
    """
    n = given.sum(axis=1)
    most = given.max(axis=1, initial=0)
    interval = wilson_interval(most, n)
    share = most / np.maximum(n, 1)
    return Variety(
        figures(share, n, WHAT, low=interval.low, high=interval.high, least=LEAST),
        given.argmax(axis=1).astype(np.int64) if len(given) else np.zeros(0, dtype=np.int64),
        figures(_entropy(given, n), n, WHAT, least=LEAST),
    )


def _entropy(given: Ints, n: Ints) -> Floats:
    share = given / np.maximum(n, 1)[:, None]
    nats = -(share * np.log(np.where(share > 0, share, 1.0))).sum(axis=1)
    seen = (given > 0).sum(axis=1)
    nats += np.maximum(seen - 1, 0) / (2 * np.maximum(n, 1))
    return np.asarray(np.minimum(nats / np.log(given.shape[1]), 1.0) + 0.0)
