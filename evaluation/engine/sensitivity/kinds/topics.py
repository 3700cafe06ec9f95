"""A change of the topics: one left out."""

import numpy as np

from evaluation.engine.arrays import Floats
from evaluation.engine.sensitivity.context import StudyContext
from evaluation.engine.sensitivity.kinds.kind import Cases, Kind


def topics_left_out(value: Floats) -> Floats:
    """Means without each topic in turn: (n_runs, n_topics) → (n_topics, n_runs). Raises `ValueError` for one topic."""
    n_topics = value.shape[1]
    if n_topics < 2:
        raise ValueError("one topic alone cannot be left out")
    others: Floats = (value.sum(axis=1) - value.T) / (n_topics - 1)
    return np.asarray(others)


def _topics(context: StudyContext) -> Cases:
    return context.pairs.numbers, topics_left_out(context.value)


TOPICS = Kind("topics", "one topic left out", _topics)
