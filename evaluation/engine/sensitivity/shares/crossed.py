"""Judgments drawn anew, and both: topics crossed with annotators.

Annotator j left out changes the difference on topic t from d(t) to d(t, −j); m · d(t) − (m − 1) · d(t, −j) is what j
adds to it (the jackknife's pseudo-value). Where everybody judged everything and a grade is a mean, that is the
difference as j alone has it. Each annotator is left out whole and once: people drawn with replacement would have
votes doubled, and agree with themselves.

Of the squared errors, with V(t), V(j) and V(tj) of topics, annotators and what is left:
topics anew V(t), judgments anew V(j), both V(t) + V(j) − V(tj). What is left stands in V(t) and in V(j) alike: their
plain sum counts it twice.

Jackknife: Tukey 1958; Efron and Stein, The jackknife estimate of variance, Annals of Statistics 9, 1981. Crossed
variance: Owen, The pigeonhole bootstrap, Annals of Applied Statistics 1, 2007. Degrees of freedom: Satterthwaite 1946.
"""

import math
from dataclasses import dataclass

from evaluation.engine.arrays import Floats
from evaluation.engine.sensitivity.shares.share import Share, share_of_t

ALONE = "one annotator says nothing of how annotators differ"


@dataclass(frozen=True)
class CrossedErrors:
    """Squared standard errors of a mean difference over n topics as m annotators judged them."""

    difference: float
    topics: float
    annotators: float
    left: float  # of topic and annotator together, which the two before have in them
    n_topics: int
    n_annotators: int

    @property
    def both(self) -> float:
        """Never below the larger of the two: no drawing anew takes scatter away."""
        return max(self.topics + self.annotators - self.left, self.topics, self.annotators)

    @property
    def freedom(self) -> float:
        """Degrees of freedom of `both`, not below those of the shorter axis."""
        n, m = self.n_topics - 1, self.n_annotators - 1
        parts = self.topics**2 / n + self.annotators**2 / m + self.left**2 / (n * m)
        return max(self.both**2 / parts if parts else 0.0, float(min(n, m)))


def crossed_errors(difference: Floats, without: Floats) -> CrossedErrors:
    """`difference`: (n_topics,); `without`: (n_annotators, n_topics), the same with each annotator left out.

    Both axes need two entries at least.
    """
    (m, n), total = without.shape, float(difference.mean())
    table = m * difference - (m - 1) * without  # (n_annotators, n_topics), what each adds
    of_topic, of_annotator = table.mean(axis=0), table.mean(axis=1)
    left = table - of_topic - of_annotator[:, None] + table.mean()
    return CrossedErrors(
        difference=total,
        topics=float(((difference - total) ** 2).sum() / ((n - 1) * n)),
        annotators=float(of_annotator.var(ddof=1) / m),
        left=float((left**2).sum() / ((n - 1) * (m - 1) * n * m)),
        n_topics=n,
        n_annotators=m,
    )


def crossed_shares(difference: Floats, without: Floats) -> tuple[Share, Share]:
    """`(judgments anew, both)`; shapes as `crossed_errors`. Refused in words for one annotator or topic."""
    if len(without) < 2:
        return Share("judgments", None, refusal=ALONE), Share("both", None, refusal=ALONE)
    if difference.size < 2:
        reason = "one topic says nothing of how topics differ"
        return Share("judgments", None, refusal=reason), Share("both", None, refusal=reason)
    errors = crossed_errors(difference, without)
    return (
        _share("judgments", errors, errors.annotators, errors.n_annotators - 1.0),
        _share("both", errors, errors.both, errors.freedom),
    )


def _share(anew: str, errors: CrossedErrors, square: float, freedom: float) -> Share:
    error = math.sqrt(square)
    return Share(anew, share_of_t(errors.difference, error, freedom), error)  # type: ignore[arg-type]
