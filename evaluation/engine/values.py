"""The values of one evaluation as one file: what a leaderboard, a comparison or a download reads back."""

from pathlib import Path
from typing import cast

import numpy as np

from evaluation.engine.measures import parse_measure
from evaluation.engine.packed import Json, PackedError, read_packed, write_packed
from evaluation.engine.scorer import Averaging, MeasureValues, summarized

KIND = "touchstone values 2"


def pack_values(evaluation: MeasureValues) -> bytes:
    """The file as bytes; equal evaluations give equal bytes. Means are not stored: they follow from the values."""
    facts: dict[str, Json] = {
        "tag": evaluation.tag,
        "averaging": evaluation.averaging,
        "measures": list(evaluation.measures),
        "numbers": list(evaluation.numbers),
        "missing": list(evaluation.missing),
        "without_relevant": list(evaluation.without_relevant),
        "without_nonrelevant": list(evaluation.without_nonrelevant),
        "unknown": list(evaluation.unknown),
        "n_judged_rows": evaluation.n_judged_rows,
        "n_tied_judged_rows": evaluation.n_tied_judged_rows,
        "top_grade": evaluation.top_grade,
    }
    return write_packed(KIND, facts, {"value": evaluation.value.reshape(-1)})


def load_values(source: Path | bytes) -> MeasureValues:
    """The evaluation that was packed, value for value. Raises `PackedError` for anything else."""
    facts, arrays = read_packed(KIND, source)
    names = {key: tuple(cast("list[str]", facts[key])) for key in ("measures", "numbers", "missing", "unknown")}
    value = np.array(arrays["value"], np.float64)
    if value.size != len(names["numbers"]) * len(names["measures"]):
        raise PackedError("the file has another number of values than topics and measures")
    value = value.reshape(len(names["numbers"]), len(names["measures"]))  # (n_topics, n_measures)
    return MeasureValues(
        tag=str(facts["tag"]),
        averaging=cast("Averaging", facts["averaging"]),
        value=value,
        mean=summarized(value, [*map(parse_measure, names["measures"])]),
        without_relevant=tuple(cast("list[str]", facts["without_relevant"])),
        n_judged_rows=cast("int", facts["n_judged_rows"]),
        n_tied_judged_rows=cast("int", facts["n_tied_judged_rows"]),
        top_grade=cast("int", facts["top_grade"]),
        without_nonrelevant=tuple(cast("list[str]", facts.get("without_nonrelevant", []))),
        **names,
    )
