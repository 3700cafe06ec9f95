"""A figure of the space in which the newest vectors of a side lie, as `vectors describe` has it."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from annotation.models import Collection
from evaluation.engine.packed import PackedError
from evaluation.engine.space.description import describe
from evaluation.formats.space import as_facts
from evaluation.series.steps.measuring.names import SPACE_NAMES
from evaluation.series.steps.measuring.result import Kind, Measured, MeasuringError, key_of
from evaluation.series.steps.measuring.vectors import newest_set
from evaluation.vectors.read import stored_vectors
from evaluation.vectors.steps.describing import MOST_NUMBERS, SEED, K


def _measure(collection: Collection, of: Mapping[str, Any]) -> Measured:
    vectors = newest_set(collection, of["side"], of["model"])
    if vectors.n_rows * vectors.dim > MOST_NUMBERS:
        raise MeasuringError(f"{vectors.n_rows:,} × {vectors.dim:,} are more numbers than are described here.")
    try:
        stored = stored_vectors(vectors)
        facts = as_facts(describe(stored.vector, stored.names, k=K, rng=np.random.default_rng(SEED)), None)
    except (PackedError, ValueError) as reason:
        raise MeasuringError(str(reason)) from reason
    value = facts[of["figure"]]
    if not isinstance(value, int | float):
        raise MeasuringError(f"{SPACE_NAMES[of['figure']]} is undefined for {vectors.model}.")
    rests_on = f"{SPACE_NAMES[of['figure']]} of {vectors.model}, {of['side']}"
    return Measured(float(value), None, None, rests_on, key_of(vectors.sha256, of["figure"]))


SPACE = Kind(("side", "model", "figure"), _measure)
