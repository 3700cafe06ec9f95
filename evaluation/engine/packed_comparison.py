"""The comparison of many runs as one file: what a page, the API or a download shows of it without drawing anew."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from evaluation.engine.arrays import Floats
from evaluation.engine.comparison import Design
from evaluation.engine.many_runs import ManyRuns, RunAmongMany
from evaluation.engine.packed import Arrays, read_packed, write_packed
from evaluation.engine.significance.intervals.result import MeanInterval

KIND = "touchstone comparison 1"


def pack_many(many: ManyRuns) -> bytes:
    """The file as bytes; equal comparisons give equal bytes."""
    whole = {
        "measure": many.measure,
        "numbers": many.numbers,
        "correction": many.correction,
        "n_draws": many.n_draws,
        "exact": many.exact,
        "design": asdict(many.design),
        "groups": many.groups,
        "runs": [asdict(run) for run in many.runs],
    }
    arrays = {"difference": many.difference.reshape(-1), "adjusted": many.adjusted.reshape(-1)}
    return write_packed(KIND, {"comparison": json.dumps(whole)}, arrays)


def load_many(source: Path | bytes) -> ManyRuns:
    """The comparison that was packed, number for number. Raises `PackedError` for anything else."""
    facts, arrays = read_packed(KIND, source)
    whole: dict[str, Any] = json.loads(str(facts["comparison"]))
    groups, n_runs = whole["groups"], len(whole["runs"])
    return ManyRuns(
        measure=whole["measure"],
        numbers=tuple(whole["numbers"]),
        runs=tuple(RunAmongMany(**{**run, "interval": MeanInterval(**run["interval"])}) for run in whole["runs"]),
        groups=None if groups is None else tuple(map(tuple, groups)),
        difference=_square(arrays, "difference", n_runs),
        adjusted=_square(arrays, "adjusted", n_runs),
        correction=whole["correction"],
        n_draws=whole["n_draws"],
        exact=whole["exact"],
        design=Design(**whole["design"]),
    )


def _square(arrays: Arrays, name: str, n_runs: int) -> Floats:
    return np.array(arrays[name], np.float64).reshape(n_runs, n_runs)
