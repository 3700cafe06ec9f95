"""`manage.py evaluate --bounds`: what a run would have, were all it retrieved unjudged of the top grade."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Unpack

import numpy as np

from evaluation.engine.measures import Measure
from evaluation.engine.options import DEFAULT_OPTIONS
from evaluation.engine.qrels import Qrels
from evaluation.engine.run import PackedRun
from evaluation.engine.scorer import Evaluation, Scoring
from evaluation.engine.unjudged import top_case, with_beyond


def upper_case(run: PackedRun, qrels: Qrels, measures: Sequence[Measure], **scoring: Unpack[Scoring]) -> Evaluation:
    """An evaluation marked by its tag: where a measure has bounds its upper one, else the scenario.

    Raises `ValueError` as `unjudged.scenarios`.
    """
    case = top_case(run, qrels, measures, **scoring)
    depth = scoring.get("options", DEFAULT_OPTIONS).depth
    return replace(with_beyond(run, case, measures, depth), tag=f"{run.tag} (unjudged as top)")


def case_notes(measures: Sequence[Measure], top_grade: int) -> Iterator[str]:
    """Which of the values beside a run's own are bounds."""
    is_bounded = np.array([measure.is_bounded(top_grade) for measure in measures])
    if is_bounded.any():
        names = ", ".join(str(measure) for measure, yes in zip(measures, is_bounded, strict=True) if yes)
        yield f"unjudged as top: an upper bound for {names}"
    if not is_bounded.all():
        names = ", ".join(str(measure) for measure, yes in zip(measures, is_bounded, strict=True) if not yes)
        yield f"unjudged as top: a scenario for {names}, whose values may lie outside the two"
