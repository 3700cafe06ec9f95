"""Units of an experiment: a row a unit, with its variant and the values of its measures; read into moments."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from annotation.formats.fields import shown
from annotation.formats.problems import Problems
from evaluation.engine.experiments.moments import Accumulator, Moments
from evaluation.formats.log.columns import MOST_FAULTS, Column
from evaluation.formats.log.reading import open_log

MOST_VARIANTS = 50


def read_moments(
    path: Path, problems: Problems, *, variant: str, columns: list[str], unit: str | None = None
) -> dict[str, Moments]:
    """Moments by variant of the columns, in their order. Every value is a finite number: an empty cell is a fault.

    `unit`: the column that names units; one that stands twice is a fault, in whichever variant. Memory holds one block,
    and 8 bytes a unit where `unit` is named. Raises `FormatError` for what is malformed, for more than 50 variants and
    for no row, `ValueError` where variants or units are a measure, too, `OSError` as `open` does.
    """
    names = [variant, *([unit] if unit else [])]
    if twice := next((name for name in names if name in columns or names.count(name) > 1), None):
        raise ValueError(f"the column {twice} is asked for as two things: variant, unit or number")
    wanted = {**dict.fromkeys(names, Column("text")), **dict.fromkeys(columns, Column("decimal"))}
    found, keys, lines = Accumulator(), list[NDArray[np.uint64]](), list[Sequence[int]]()
    for block in open_log(path, problems).blocks(wanted, problems):
        for (name, *_), part in block.frame.partition_by(variant, as_dict=True, maintain_order=True).items():
            found.add(str(name), part.select(columns).to_numpy())
            if len(found.by_variant) > MOST_VARIANTS:
                raise problems.stop(0, f"{shown(variant)} has more than {MOST_VARIANTS} different values: no variants")
        if unit:
            keys.append(block.frame[unit].hash().to_numpy())
            lines.append(block.lines)
    if not found.by_variant:
        raise problems.stop(0, "there is no unit in this log")
    _refuse_repeats(keys, lines, problems)
    return found.by_variant


def _refuse_repeats(keys: list[NDArray[np.uint64]], lines: list[Sequence[int]], problems: Problems) -> None:
    """`keys`: hashes of the units of each block, `lines` where they stand."""
    if not keys:
        return
    key = np.concatenate(keys)
    ascending = np.sort(key)
    repeated = np.unique(ascending[1:][ascending[1:] == ascending[:-1]])
    if repeated.size:
        first = np.cumsum([0, *(part.size for part in keys)])
        seen: dict[int, int] = {}
        for row in np.flatnonzero(np.isin(key, repeated[:MOST_FAULTS])).tolist():
            block = int(np.searchsorted(first, row, side="right")) - 1
            line = lines[block][row - int(first[block])]
            if seen.setdefault(int(key[row]), line) != line:
                problems.add_repeat(line, f"the unit stands in line {seen[int(key[row])]} already: a row a unit")
    problems.check()
