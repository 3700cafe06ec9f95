"""nAUC of runs as text: a row a run and measure. Empty, or null, where all topics have the same value."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence

from evaluation.engine.abstention import Abstention
from evaluation.engine.scorer import MeasureValues
from evaluation.formats.values import aligned, csv_text

COLUMNS = ("run", "measure", "max", "std", "diff1")
Results = Sequence[tuple[MeasureValues, Abstention]]


def as_table(results: Results) -> str:
    """Aligned columns, four decimals."""
    rows = [[str(row[0]), str(row[1]), *map(_cell, row[2:])] for row in _rows(results)]
    return "\n".join(aligned([[*COLUMNS], *rows], n_names=2)) + "\n"


def as_csv(results: Results) -> str:
    return csv_text(COLUMNS, _rows(results))


def as_json(results: Results) -> str:
    rows = [dict(zip(COLUMNS, row, strict=True)) for row in _rows(results)]
    return json.dumps(rows, ensure_ascii=False, indent=2) + "\n"


FORMATS: Mapping[str, Callable[[Results], str]] = {"table": as_table, "csv": as_csv, "json": as_json}


def _rows(results: Results) -> Iterator[tuple[str | float | None, ...]]:
    for evaluation, one in results:
        for column, measure in enumerate(evaluation.measures):
            yield evaluation.tag, measure, one.max[column], one.std[column], one.diff1[column]


def _cell(value: object) -> str:
    return f"{value:z.4f}" if isinstance(value, float) else "–"
