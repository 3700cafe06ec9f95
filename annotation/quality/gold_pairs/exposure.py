"""How worn gold is: how many people have judged each pair, and how well."""

from dataclasses import dataclass

from annotation.quality.annotators.answers import on_gold
from annotation.quality.arrays import Bools, Ints, tally
from annotation.quality.inputs import Inputs


@dataclass(frozen=True, eq=False)
class Exposure:
    """(n_gold,) each, in judgments as accuracy scores them: one a person and pair, "cannot judge" none."""

    n_judged: Ints
    n_right: Ints  # in the accepted set
    n_near: Ints  # at most one step of the scale from it, those right included


def exposure_of(inputs: Inputs) -> Exposure:
    answers = on_gold(inputs)

    def count(chosen: Bools) -> Ints:
        return tally(answers.pair[chosen], len(inputs.gold))

    return Exposure(count(answers.off >= 0), count(answers.off == 0), count(answers.off <= 1))
