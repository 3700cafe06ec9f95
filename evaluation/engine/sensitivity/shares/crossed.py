"""Judgments drawn anew, and both: topics crossed with annotators.

Annotator j left out changes the difference on topic t from d(t) to d(t, −j); m · d(t) − (m − 1) ·
d(t, −j) is what j adds to it (the jackknife's pseudo-value). Where everybody judged everything and
a grade is a mean, that is the difference as j alone has it. Each annotator is left out whole and
once: people drawn with replacement would have votes doubled, and agree with themselves.

A median of three less one is the mean of two, which scatters less than a median of two would: the
jackknife, which multiplies by (m − 1)/m as for a mean, then states too little. Without that factor
the inequality of Efron and Stein holds whatever the rule: on average V(j) is no less than the
squared error of a difference by m − 1 annotators.

Of the squared errors, with V(t), V(j) and V(tj) of topics, annotators and what is left: topics anew
V(t), judgments anew V(j), both V(t) + V(j) − V(tj). What is left stands in V(t) and in V(j) alike:
their plain sum counts it twice. V(j) − V(tj), what annotators have for all topics alike, is known
by m − 1 degrees of freedom, which is few, the rest by n − 1: the difference is drawn with a
Student's t of either, as Behrens and Fisher had it for two means. Of two annotators V(j) − V(tj) is
often nothing by chance, and shares of equal runs then are near 0 or 1 too often: *both* asks for
three.

Whoever judged little tells little of how annotators differ. So m of the degrees of freedom, and of
the middle that squares are taken about, is the effective number: the annotators who, with equally
many judgments, would have weights of the same squares. Where one of them has most of these squares,
the difference and its error rise and fall together (both are mostly that one's), and where two
have, *both* is as of two: refused in words.

Inequality: Efron and Stein, The jackknife estimate of variance, Annals of Statistics 9, 1981.
Crossed variance: Owen, The pigeonhole bootstrap, Annals of Applied Statistics 1, 2007. Two
variances: Fisher, The fiducial argument in statistical inference, Annals of Eugenics 6, 1935.
Effective number: Kish, Survey Sampling (1965).
"""

import math
from dataclasses import dataclass

import numpy as np

from annotation.text.counted import percent
from evaluation.engine.arrays import Floats, Ints
from evaluation.engine.order_changes import SAME
from evaluation.engine.sensitivity.shares.share import Share, share_of_t

N_STEPS = 1000
MOST_OF_ONE, MOST_OF_TWO = 0.7, 0.9  # of the squares of weights, as simulated (docs/sensitivity.md)
ALONE = "one annotator says nothing of how annotators differ"
MOSTLY_ONE = (
    "one annotator judged so much more than the others, with {part} of the squared weights ({most} at most), "
    "that difference and error are nearly all that one's: have others judge as much"
)
FEW = (
    "too few annotators to tell what each has for all topics alike: three who judge about as much are the least, and "
    "here two have {part} of the squared weights ({most} at most)"
)


@dataclass(frozen=True)
class CrossedErrors:
    """Squared standard errors of a mean difference over n topics; those of annotators as m − 1 of them judged."""

    difference: float
    topics: float
    annotators: float
    left: float  # of topic and annotator together, which the two before have in them
    n_topics: int
    n_annotators: float  # their effective number

    @property
    def both(self) -> float:
        """Never below the larger of the two: no drawing anew takes scatter away."""
        return max(self.topics + self.annotators - self.left, self.topics, self.annotators)

    @property
    def annotators_alone(self) -> float:
        """The part of `both` that annotators have for all topics alike."""
        return max(self.annotators - self.left, 0.0)


def crossed_errors(difference: Floats, without: Floats, n_judged: Ints | None = None) -> CrossedErrors:
    """`difference`: (n_topics,); `without`: (n_annotators, n_topics), the same with each annotator left out.

    `n_judged`: (n_annotators,), the judgments of each; None: all have as many. Both axes need two entries at least.
    """
    (m, n), total = without.shape, float(difference.mean())
    effective = effective_number(n_judged) if n_judged is not None else m
    change = without.mean(axis=1) - total
    least = ((change - change.mean()) ** 2).sum() * (effective - 1) / (m - 1)  # so that no chance leaves an error of 0
    table = m * difference - (m - 1) * without  # (n_annotators, n_topics), what each adds
    of_topic, of_annotator = table.mean(axis=0), table.mean(axis=1)
    left = table - of_topic - of_annotator[:, None] + table.mean()
    return CrossedErrors(
        difference=total,
        topics=float(((difference - total) ** 2).sum() / ((n - 1) * n)),
        annotators=float(max((change**2).sum() - change.sum() ** 2 / effective, least)),
        left=float((left**2).sum() / ((n - 1) * (m - 1) * n * (m - 1))),
        n_topics=n,
        n_annotators=effective,
    )


def effective_number(n_judged: Ints) -> float:
    """Annotators who, with as many judgments each, would have weights of the same squares: 1 to n_annotators."""
    weight = n_judged / n_judged.sum()
    return float(1 / (weight**2).sum())


def part_of_most(n_judged: Ints, n: int) -> float:
    """What the n who judged most have of the squares of all weights, 0 to 1."""
    square = np.sort((n_judged / n_judged.sum()) ** 2)
    return float(square[-n:].sum() / square.sum())


def crossed_shares(difference: Floats, without: Floats, n_judged: Ints | None = None) -> tuple[Share, Share]:
    """`(judgments anew, both)`; as `crossed_errors`. Refused in words for one topic or annotator and where one judged
    most, *both* where two did."""
    if len(without) < 2:
        return Share("judgments", None, refusal=ALONE), Share("both", None, refusal=ALONE)
    if difference.size < 2:
        reason = "one topic says nothing of how topics differ"
        return Share("judgments", None, refusal=reason), Share("both", None, refusal=reason)
    work = n_judged if n_judged is not None else np.ones(len(without), np.int64)
    one, two = part_of_most(work, 1), part_of_most(work, 2)
    if one > MOST_OF_ONE:
        reason = MOSTLY_ONE.format(part=percent(one), most=percent(MOST_OF_ONE))
        return Share("judgments", None, refusal=reason), Share("both", None, refusal=reason)
    errors = crossed_errors(difference, without, n_judged)
    annotators = math.sqrt(errors.annotators)
    judgments = Share("judgments", share_of_t(errors.difference, annotators, errors.n_annotators - 1.0), annotators)
    if two > MOST_OF_TWO:
        return judgments, Share("both", None, refusal=FEW.format(part=percent(two), most=percent(MOST_OF_TWO)))
    return judgments, Share("both", share_of_both(errors), math.sqrt(errors.both))


def share_of_both(errors: CrossedErrors) -> float:
    """Of annotators without what is left, and of all else: their squares add up to `both`."""
    return share_of_two(errors, errors.both - errors.annotators_alone, errors.annotators_alone)


def share_of_two(errors: CrossedErrors, topics: float, annotators: float) -> float:
    """P(difference + √topics · T + √annotators · U > 0): T and U are Student's, of n − 1 and m − 1 degrees of freedom.

    Summed over the quantiles of U in the middle of a thousand steps.
    """
    from scipy.special import stdtr, stdtrit

    freedom, few = errors.n_topics - 1.0, errors.n_annotators - 1.0
    if annotators <= SAME**2:
        return share_of_t(errors.difference, math.sqrt(topics), freedom)
    if topics <= SAME**2:
        return share_of_t(errors.difference, math.sqrt(annotators), few)
    shift = math.sqrt(annotators) * stdtrit(few, (np.arange(N_STEPS) + 0.5) / N_STEPS)
    return float(stdtr(freedom, (errors.difference + shift) / math.sqrt(topics)).mean())
