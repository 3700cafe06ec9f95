"""Everybody either knows the grade or answers without looking: a check on the other models.

D. Hovy, T. Berg-Kirkpatrick, A. Vaswani and E. Hovy, Learning Whom to Trust with MACE, NAACL-HLT
(2013) 1120–1130; by EM with the pseudo-counts below. What a person answers without looking has a
distribution of its own.
"""

import numpy as np

from annotation.quality.arrays import Floats
from annotation.quality.consolidation.consolidated import Consolidated, Known, most_probable
from annotation.quality.consolidation.em import Fit, fit
from annotation.quality.consolidation.rule import ConsolidationRule
from annotation.quality.scale import Scale
from annotation.quality.votes import Votes

LOOKED = 0.5  # pseudo-judgments of each person made with looking, and as many without
ANSWERS = 1.0  # pseudo-judgments of each person made without looking, spread over the grades


def mace_grade(votes: Votes, scale: Scale, known: Known) -> Consolidated:
    """grade = the most probable one, all being equally likely before, of equally probable ones the lowest;
    confidence = its probability."""
    return most_probable(fit_mace(votes, scale, known).posterior, votes, scale)


def fit_mace(votes: Votes, scale: Scale, known: Known) -> Fit:
    """π_a(g | t) = (1 − s_a) [g = t] + s_a ξ_a(g): s_a is how often a does not look, ξ_a what a then answers."""
    return fit(votes, scale, known, _step, even=True)


def _step(counts: Floats, before: Floats | None) -> Floats:
    """(n_voters, given, true) → log π. An answer that is right was given without looking with probability
    s ξ(g) / π(g | g), any other one surely."""
    n_grades = counts.shape[1]
    right = np.einsum("agg->ag", counts)  # (n_voters, given)
    blind = counts.sum(axis=2) - right + right * _share_blind(before, counts)
    n_blind = blind.sum(axis=1)
    s = (n_blind + LOOKED) / (counts.sum(axis=(1, 2)) + 2 * LOOKED)
    xi = (blind + ANSWERS / n_grades) / (n_blind + ANSWERS)[:, None]
    guess = s[:, None] * xi  # (n_voters, given)
    look = (1 - s)[:, None, None] * np.eye(n_grades)
    return np.asarray(np.log(look + guess[:, :, None]))


def _share_blind(before: Floats | None, counts: Floats) -> Floats:
    """(n_voters, given): s ξ(g) / π(g | g), read off the matrix: beside its diagonal stands s ξ(g) alone."""
    n_voters, n_grades, _ = counts.shape
    if before is None:
        return np.full((n_voters, n_grades), 1 / (n_grades + 1))  # s = 1/2, ξ even
    beside = (np.arange(n_grades) + 1) % n_grades
    grade = np.arange(n_grades)
    return np.asarray(np.exp(before[:, grade, beside] - before[:, grade, grade]))


MACE = ConsolidationRule("mace", "MACE: who looks and who does not", mace_grade, weighs_errors=True, has_posterior=True)
