"""How worn gold is: how many people have judged each pair, and how well."""

from dataclasses import dataclass

import numpy as np

from annotation.quality.annotators.answers import on_gold
from annotation.quality.arrays import Bools, Ints
from annotation.quality.inputs import Inputs
from annotation.quality.pairs import find


@dataclass(frozen=True, eq=False)
class Exposure:
    """(n_gold,) each, in judgments as accuracy scores them: one a person and pair, "cannot judge" none."""

    n_judged: Ints
    n_right: Ints  # in the accepted set
    n_near: Ints  # at most one step of the scale from it, those right included


def exposure_of(inputs: Inputs) -> Exposure:
    answers, gold = on_gold(inputs), inputs.gold
    pair, _ = find(inputs.table.pair[answers.row], inputs.table.pair_key(gold.topic, gold.document))

    def count(chosen: Bools) -> Ints:
        return np.bincount(pair[chosen], minlength=len(gold)).astype(np.int64)

    return Exposure(count(answers.off >= 0), count(answers.off == 0), count(answers.off <= 1))
