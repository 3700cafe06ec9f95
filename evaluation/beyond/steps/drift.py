"""Drift of vectors or scores, as `describe_drift` has it."""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.beyond.steps.asking import Asked, Source
from evaluation.beyond.steps.reading import run_in, table_in, vectors_in
from evaluation.engine.drift.description import drift
from evaluation.engine.drift.pictures import seen
from evaluation.formats.drift import drift_as_facts
from evaluation.formats.log.series import read_scores


def described_drift(asked: Asked) -> tuple[dict[str, Any], dict[str, Any]]:
    """`(figures, drawing)`. Raises `FormatError`, `PackedError`, and `ValueError` as `drift`."""
    options = asked.options
    reference, window = (_side(asked.sources[part], options) for part in ("reference", "window"))
    description = drift(
        reference,
        window,
        seed=options["seed"],
        sample=options["sample"],
        n_permutations=options["permutations"],
        n_directions=options["directions"],
        alpha=options["alpha"],
    )
    lines = seen(reference, window, seed=options["seed"], sample=options["sample"])
    shares = ("edges", "reference", "window")
    drawing = [{"line": one.line, **{name: getattr(one, name).tolist() for name in shares}} for one in lines]
    return drift_as_facts(description), {"lines": drawing}


def _side(source: Source, options: Any) -> NDArray[np.floating]:
    """Rows of vectors; scores as rows of one dimension."""
    if source.origin == "vectors":
        stored = vectors_in(source)
        assert stored is not None
        return stored[1]
    if source.origin == "run":
        return run_in(source).score[:, None]
    rows = table_in(source, partial(read_scores, column=options["column"]))
    assert rows is not None
    return rows
