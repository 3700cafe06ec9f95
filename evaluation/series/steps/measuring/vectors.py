"""How far the newest vectors of a side are from a reference."""

from collections.abc import Callable, Mapping
from typing import Any

from annotation.models import Collection
from evaluation.engine.drift.description import Drift, drift
from evaluation.engine.packed import PackedError
from evaluation.models import VectorSet
from evaluation.series.steps.measuring.names import VECTOR_NAMES
from evaluation.series.steps.measuring.result import Kind, Measured, MeasuringError, key_of, newest
from evaluation.vectors.read import stored_vectors

SEED, N_PERMUTATIONS = 17, 99
_FIGURES: Mapping[str, Callable[[Drift], float | None]] = {
    "centroid": lambda one: one.centroid.relative,
    "energy": lambda one: one.energy.value,
    "mmd": lambda one: one.mmd.value,
    "classifier": lambda one: one.classifier.value,
    "sliced": lambda one: one.projections.sliced_wasserstein,
}


def _measure(collection: Collection, of: Mapping[str, Any]) -> Measured:
    reference, window = (
        newest_set(collection, of["side"], of["reference"]),
        newest_set(collection, of["side"], of["model"]),
    )
    try:
        sides = stored_vectors(reference).vector, stored_vectors(window).vector
        description = drift(*sides, seed=SEED, n_permutations=N_PERMUTATIONS)
    except (PackedError, ValueError) as reason:
        raise MeasuringError(str(reason)) from reason
    value = _FIGURES[of["figure"]](description)
    if value is None:
        raise MeasuringError("The rows of the reference are all equal.")
    rests_on = f"{VECTOR_NAMES[of['figure']]} of {window.model} from {reference.model}, {of['side']}"
    return Measured(value, None, None, rests_on, key_of(reference.sha256, window.sha256, of["figure"]))


def newest_set(collection: Collection, side: str, model: str) -> VectorSet:
    """Of this model; of one that ends with `*`, the newest whose name begins so. Raises `MeasuringError`."""
    looked_up = {f"model__{way}": name for way, name in newest(model).items()}
    vectors = VectorSet.objects.filter(collection=collection, side=side, **looked_up).order_by("-pk").first()
    if vectors is None:
        raise MeasuringError(f"There are no vectors {model} of the {side}.")
    return vectors


VECTORS = Kind(("side", "reference", "model", "figure"), _measure)
