"""`ts.compare_many`: which of many runs can be told apart."""

from typing import Unpack

from evaluation.engine.comparison import Design, check_comparable
from evaluation.engine.many_runs import ManyRuns
from evaluation.engine.many_runs import compare_many as compare_evaluations
from evaluation.engine.significance.corrections import Correction
from evaluation.engine.significance.pairs import PairsTest
from touchstone.library.measures import MeasureLike, measures_of
from touchstone.library.scoring import Reading, evaluated
from touchstone.library.sources import QrelsSource, RunSources


def compare_many(
    qrels: QrelsSource,
    runs: RunSources,
    measure: MeasureLike = "nDCG@10",
    *,
    test: PairsTest = "tukey",
    correction: Correction = "holm",
    confidence: float = 0.95,
    alpha: float = 0.05,
    n_draws: int | None = None,
    seed: int = 0,
    **reading: Unpack[Reading],
) -> ManyRuns:
    """Say which of many runs can be told apart by one measure, best run first.

    `qrels`, `runs` and `measure` as in `evaluate`. Each of `.runs` has its mean with an interval, the ranks that the
    tests leave it, and the letters of its groups: runs that share one cannot be told apart. `.adjusted` has p of all
    pairs. The test is one of means: `tukey`, which needs no correction, `randomization`, `t`
    or `bootstrap`.

    Raises as `evaluate` does, and `ValueError` for fewer than two runs or topics, several measures, a geometric mean, a
    test that is not of means, and an alpha that is none.
    """
    chosen, *others = measures_of(measure)
    if others:
        raise ValueError(f"runs are put in order by one measure, not by {1 + len(others)}")
    check_comparable([chosen])
    design = Design(test=test, correction=correction, confidence=confidence, alpha=alpha, n_draws=n_draws)
    evaluations, _ = evaluated(qrels, runs, [chosen], reading)
    return compare_evaluations(evaluations, str(chosen), design, seed=seed)
