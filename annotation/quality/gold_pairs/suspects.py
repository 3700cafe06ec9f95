"""Gold that good people miss: how far the judgments speak against each gold pair.

Two readings of a pair are weighed: its gold is right, and people hit its accepted grades as often
as those of other gold; or it is wrong, and who grades well hits them only by error. Of a person who
is right on a share a of the *other* gold (this pair never judges who judges it), where s of m
grades are accepted,

    P(hit | right) = a                P(hit | wrong) = (1 − a) · s / (m − s)

so that who is no better than chance, a = s/m, says nothing either way. The evidence is the sum of
log likelihood ratios over the people: the log odds against the pair, with every person weighted by
how good they are, as in the weighted vote of S. Nitzan and J. Paroush, International Economic
Review 23 (1982) 289–297. a is drawn two judgments' worth towards chance, and is never taken to be
below it.

If people err independently of each other, a right pair reaches odds of k to 1 with a chance of at
most 1/k (Markov's inequality, whatever the number of people). A pair that is right but hard reaches
them too: it is looked at by people.
"""

from dataclasses import dataclass
from math import log

import numpy as np

from annotation.quality.annotators.answers import on_gold
from annotation.quality.arrays import Bools, Floats, Ints, crosstab, tally
from annotation.quality.inputs import Inputs
from annotation.quality.poisson_binomial import tail

PRIOR = 2.0  # judgments at chance that everybody begins with
ODDS = 20.0  # against the pair, from which it is a suspect
MOST = 0.999  # nobody is taken to be better
FEWEST_MISSES = 2  # one person's word is none


@dataclass(frozen=True, eq=False)
class Witnesses:
    """Judgments on gold as accuracy scores them, (n,) each, with how their people do on the other gold."""

    pair: Ints  # place in the gold
    who: Ints
    step: Ints  # the place of the grade given
    missed: Bools
    accuracy: Floats  # a
    n_other: Ints  # other gold pairs that the person judged
    good: Bools


@dataclass(frozen=True, eq=False)
class Suspicion:
    """Of each gold pair, (n_gold,), what its `witnesses` say."""

    witnesses: Witnesses
    evidence: Floats  # log odds against the pair; 0 where nobody says anything
    expected: Floats  # misses to be expected were the pair right, by the people's accuracy on other gold
    given: Ints  # (n_gold, n_grades): how many people gave each grade
    good_given: Ints  # (n_gold, n_grades): how many good ones
    n_missed: Ints
    n_good_missed: Ints

    @property
    def n_judged(self) -> Ints:
        return np.asarray(self.given.sum(axis=1))

    @property
    def n_good(self) -> Ints:
        return np.asarray(self.good_given.sum(axis=1))

    def ranked(self) -> Ints:
        """The suspects, the surest first; among equals in the order of the gold."""
        suspect = (self.evidence >= log(ODDS)) & (self.n_missed >= FEWEST_MISSES)
        index = np.flatnonzero(suspect)
        return index[np.argsort(-self.evidence[index], kind="stable")].astype(np.int64)

    def chance(self, index: int) -> float:
        """How often a right pair that these people judge would be missed as often as this one, or more often."""
        here = self.witnesses.pair == index
        return tail(1 - self.witnesses.accuracy[here], int(self.witnesses.missed[here].sum()))


def suspicion_of(inputs: Inputs, *, threshold: float, min_gold: int) -> Suspicion:
    """`threshold`, `min_gold`: as of the policy, who is good: reliable by the other gold alone."""
    by_luck = inputs.gold.accepted.mean(axis=1)  # (n_gold,): s / m
    witnesses = _witnesses(inputs, by_luck, threshold, min_gold)
    n_gold, n_grades = inputs.gold.accepted.shape

    def total(weight: Floats) -> Floats:
        return np.bincount(witnesses.pair, weight, minlength=n_gold).astype(np.float64)

    return Suspicion(
        witnesses=witnesses,
        evidence=total(_weights(witnesses.accuracy, by_luck[witnesses.pair], ~witnesses.missed)),
        expected=total(1 - witnesses.accuracy),
        given=crosstab(witnesses.pair, witnesses.step, n_gold, n_grades),
        good_given=crosstab(witnesses.pair[witnesses.good], witnesses.step[witnesses.good], n_gold, n_grades),
        n_missed=tally(witnesses.pair[witnesses.missed], n_gold),
        n_good_missed=tally(witnesses.pair[witnesses.good & witnesses.missed], n_gold),
    )


def _witnesses(inputs: Inputs, by_luck: Floats, threshold: float, min_gold: int) -> Witnesses:
    answers, n_people = on_gold(inputs), len(inputs.table.annotators)
    who, right, luck = answers.who, answers.off == 0, by_luck[answers.pair]
    n_other = tally(who, n_people)[who] - 1
    n_right = tally(who[right], n_people)[who] - right
    accuracy = np.minimum(np.maximum((n_right + PRIOR * luck) / (n_other + PRIOR), luck), MOST)
    good = (n_other >= max(min_gold - 1, 1)) & (n_right / np.maximum(n_other, 1) >= threshold)
    return Witnesses(answers.pair, who, answers.step, ~right, accuracy, n_other, good)


def _weights(accuracy: Floats, chance: Floats, right: Bools) -> Floats:
    """(n,): the log likelihood ratio of each judgment, wrong gold over right; 0 where every grade is accepted."""
    open_to_miss = chance < 1
    by_error = (1 - accuracy) * chance / np.where(open_to_miss, 1 - chance, 1.0)
    hit, miss = np.log(by_error / accuracy), np.log((1 - by_error) / (1 - accuracy))
    return np.where(open_to_miss, np.where(right, hit, miss), 0.0)
