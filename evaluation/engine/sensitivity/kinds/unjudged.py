"""Changes of what an unjudged document counts as: left out of the ranking, or of the top grade."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import Measure
from evaluation.engine.options import Options
from evaluation.engine.qrels import Qrels
from evaluation.engine.run import PackedRun
from evaluation.engine.scorer import evaluate_runs
from evaluation.engine.sensitivity.context import StudyContext
from evaluation.engine.sensitivity.kinds.kind import Cases, Kind

CONDENSED, TOP = "left out of the ranking", "of the top grade"


def unjudged_otherwise(
    runs: Sequence[PackedRun], qrels: Qrels, measure: Measure, options: Options
) -> tuple[list[str], Floats]:
    """`(names, means)`, (2, n_runs). Condensed lists: Sakai, Alternatives to bpref, SIGIR 2007."""
    ways = {CONDENSED: replace(options, judged_only=True), TOP: replace(options, unjudged="top")}
    means = [
        [float(one.mean[0]) for one in evaluate_runs(runs, qrels, [measure], options=each)] for each in ways.values()
    ]
    return list(ways), np.array(means)


def _treatments(context: StudyContext) -> Cases:
    """Pairs that the policy dropped are not judged: they count as those that nobody was asked about."""
    has_dropped = context.evidence.judgments is not None
    qrels = context.pairs.only(context.pairs.grade >= 0) if has_dropped else context.pairs
    return unjudged_otherwise(context.evidence.runs, qrels, context.question.measure, context.ready_runs.options)


TREATMENTS = Kind("unjudged", "unjudged documents otherwise", _treatments)
