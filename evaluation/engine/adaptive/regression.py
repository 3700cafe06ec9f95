"""What grade an unjudged pair may have, from the judged ones: by which runs have it, how high, and in which topic."""

from dataclasses import dataclass, field

import numpy as np

from evaluation.engine.adaptive.candidates import UNJUDGED, Candidates
from evaluation.engine.arrays import Floats, Ints

OF_RUNS, OF_TOPICS = 30.0, 1.0  # ridge: how strongly coefficients are drawn to 0
LEAST, LEAST_SHARE = 0.05, 0.2  # of the top grade; of the error expected before anything is judged


@dataclass(frozen=True, eq=False)
class ExpectedGrades:
    """Of each pair: the judged grade or the expected one, and the variance that is left, 0 for judged ones."""

    grade: Floats = field(repr=False)  # (n_pairs,)
    variance: Floats = field(repr=False)  # (n_pairs,)
    fitted: Floats = field(repr=False)  # (n_pairs,) what the regression expects, of judged ones too


def design_of(candidates: Candidates) -> tuple[Floats, Floats]:
    """Regressors, (n_pairs, n_regressors), as candidates have them, and the ridge of each, (n_regressors,)."""
    n_of_runs = candidates.rank.shape[1] + 2
    ridge: list[Floats] = [np.array([1e-6]), np.full(n_of_runs, OF_RUNS), np.full(candidates.n_topics, OF_TOPICS)]
    return candidates.regressors, np.concatenate(ridge)


def expected_grades(design: tuple[Floats, Floats], grade: Ints, top: int) -> ExpectedGrades:
    """Ridge regression of the judged grades, cut to 0 … top; with nothing judged, half of the top for every pair.

    The variance of an unjudged pair is m (top − m), m the expected grade (at least a twentieth of the top away from
    either end), times what the judged pairs' squared errors are of the same; at least a fifth.
    """
    rows, ridge = design
    judged = grade != UNJUDGED
    if not judged.any():
        half = np.full(grade.size, top / 2)
        return ExpectedGrades(half, half * half, half)
    x = rows[judged]
    coefficients = np.linalg.solve(x.T @ x + np.diag(ridge), x.T @ grade[judged])
    fitted = np.clip(rows @ coefficients, 0, top)
    inner = np.clip(fitted, LEAST * top, (1 - LEAST) * top)
    possible = inner * (top - inner)
    scale = ((grade - fitted)[judged] ** 2).mean() / possible[judged].mean()
    variance = np.where(judged, 0.0, possible * max(scale, LEAST_SHARE))
    return ExpectedGrades(np.where(judged, grade, fitted), variance, fitted)
