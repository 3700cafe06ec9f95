"""Everybody is more or less lenient and more or less sharp, on an ordered scale.

Two figures a person instead of a whole confusion matrix: where few judged much, this says more with
less. The chance of a grade falls with the square of its distance from the true one; taken as
adjacent categories it is the rating model of D. Andrich, Psychometrika 43 (1978) 561–573, with
thresholds from how often everybody gives each grade. The setting is that of B. Lakshminarayanan and
Y. W. Teh, Inferring Ground Truth from Multi-annotator Ordinal Data, arXiv:1305.0015 (2013). Errors
that fall anywhere on the scale mislead it: there the other models are better.
"""

from dataclasses import dataclass

import numpy as np

from annotation.quality.arrays import Floats
from annotation.quality.consolidation.consolidated import Consolidated, Known, most_probable
from annotation.quality.consolidation.em import Fit, fit
from annotation.quality.consolidation.rule import ConsolidationRule
from annotation.quality.scale import Scale
from annotation.quality.votes import Votes

SMOOTHING = 2.0  # pseudo-judgments of each person, made without leniency and with sharpness 1
NEWTON_STEPS = 25
LARGEST_STEP = 1.0


@dataclass(frozen=True, eq=False)
class Ruler:
    """`feature`: (2, n_given, n_true), d and −d²/2; `base`: (n_given, 1), log of how often each grade is given."""

    feature: Floats
    base: Floats

    def log_confusion(self, theta: Floats) -> Floats:
        """Leniency and sharpness, (n_voters, 2) → log π, (n_voters, given, true)."""
        logit = np.einsum("af,fgt->agt", theta, self.feature) + self.base
        logit = logit - logit.max(axis=1, keepdims=True)
        return np.asarray(logit - np.log(np.exp(logit).sum(axis=1, keepdims=True)))


def ordinal_grade(votes: Votes, scale: Scale, known: Known) -> Consolidated:
    """grade = the most probable one, of equally probable ones the lowest; confidence = its probability."""
    return most_probable(fit_ordinal(votes, scale, known).posterior, votes, scale)


def fit_ordinal(votes: Votes, scale: Scale, known: Known) -> Fit:
    """π_a(g | t) ∝ m(g) exp(β_a d − λ_a d² / 2), d = g − t in mean steps of the scale, m(g) everybody's share of g.

    β_a is leniency, λ_a ≥ 0 sharpness: somebody with neither answers as the crowd does, whatever the truth.
    """
    ruler = ruler_of(votes, scale)
    pseudo = SMOOTHING * np.exp(ruler.log_confusion(np.array([[0.0, 1.0]]))[0]) / len(scale.grades)

    theta: Floats | None = None  # of the round before, from which few steps lead to that of this one

    def step(counts: Floats, _before: Floats | None) -> Floats:
        nonlocal theta
        theta = lenient_and_sharp(counts + pseudo, ruler, start=theta)
        return ruler.log_confusion(theta)

    return fit(votes, scale, known, step)


def ruler_of(votes: Votes, scale: Scale) -> Ruler:
    """Distances between the grades of the scale, and how often each is given (one more of each, so that none is 0)."""
    step = (scale.values - scale.bottom) * (len(scale.grades) - 1) / (scale.top - scale.bottom)
    d = step[:, None] - step[None, :]  # (given, true)
    counts = np.bincount(scale.index_of(votes.grade), minlength=len(scale.grades)) + 1.0
    return Ruler(np.stack([d, -d * d / 2]), np.log(counts / counts.sum())[:, None])


def lenient_and_sharp(counts: Floats, ruler: Ruler, *, start: Floats | None = None) -> Floats:
    """(n_voters, given, true) → (n_voters, 2): β and λ of greatest likelihood, by Newton's method with bounded steps.

    The log-likelihood is concave; λ is held at 0 where it would fall below.
    """
    theta = np.tile([0.0, 1.0], (len(counts), 1)) if start is None else start
    n_true = counts.sum(axis=1)  # (n_voters, true)
    seen = np.einsum("agt,fgt->af", counts, ruler.feature)
    for _ in range(NEWTON_STEPS):
        gradient, hessian = _slopes(theta, ruler, n_true, seen)
        after = theta + np.clip(_solved(hessian, gradient), -LARGEST_STEP, LARGEST_STEP)
        after[:, 1] = np.maximum(after[:, 1], 0.0)
        moved, theta = np.abs(after - theta).max(initial=0.0), after
        if moved < 1e-8:
            break
    return theta


def _slopes(theta: Floats, ruler: Ruler, n_true: Floats, seen: Floats) -> tuple[Floats, Floats]:
    """First derivatives of the log-likelihood, (n_voters, 2), and the negative second ones, (n_voters, 2, 2)."""
    feature = ruler.feature
    chance = np.exp(ruler.log_confusion(theta))
    mean = np.einsum("agt,fgt->aft", chance, feature)
    square = np.stack([np.einsum("agt,hgt->aht", chance, each * feature) for each in feature], axis=1)
    spread = square - mean[:, :, None] * mean[:, None]
    return seen - np.einsum("at,aft->af", n_true, mean), np.einsum("at,afht->afh", n_true, spread)


def _solved(hessian: Floats, gradient: Floats) -> Floats:
    """The 2 × 2 systems, written out: (n_voters, 2)."""
    a, b, c = hessian[:, 0, 0] + 1e-9, hessian[:, 0, 1], hessian[:, 1, 1] + 1e-9
    x, y = gradient.T
    determinant = np.maximum(a * c - b * b, 1e-12)
    return np.stack([(c * x - b * y) / determinant, (a * y - b * x) / determinant], axis=1)


ORDINAL = ConsolidationRule(
    "ordinal",
    "ordinal model: everybody’s leniency and sharpness",
    ordinal_grade,
    weighs_errors=True,
    has_posterior=True,
)
