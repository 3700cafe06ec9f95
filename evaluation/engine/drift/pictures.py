"""What drift looks like: both sides seen along a few lines, as shares of rows in bins."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from evaluation.engine.arrays import Floats
from evaluation.engine.drift.sides import pooled, sample_rows
from evaluation.engine.space.rows import centred

BINS = 24
TAIL = 0.5  # per cent at each end that the outer bins take in


@dataclass(frozen=True, eq=False)
class Seen:
    """Shares of the rows of each side, (n_bins,), between the edges, (n_bins + 1,); beyond them counts to the outer
    bins. `line` is `values`, `shift` or the number of a principal direction."""

    line: str
    edges: Floats = field(repr=False)
    reference: Floats = field(repr=False)
    window: Floats = field(repr=False)


def seen(
    reference: NDArray[np.floating], window: NDArray[np.floating], *, seed: int, sample: int, bins: int = BINS
) -> list[Seen]:
    """Along the line from one centroid to the other, and along the two directions of most variance of both sides
    together; of one dimension, the values. Of the rows that `drift` compares with this seed.

    The first line is where the sides differ most in the mean: chosen by looking, so it shows some difference always.
    Raises `ValueError` as `drift` for rows that cannot be compared.
    """
    rng = np.random.default_rng(seed)
    row, is_window = pooled(*(side[sample_rows(len(side), sample, rng)] for side in (reference, window)))
    if row.shape[1] == 1:
        return [_seen("values", row[:, 0], is_window, bins)]
    pictures = list[Seen]()
    shift = row[is_window].mean(axis=0) - row[~is_window].mean(axis=0)
    if (length := float(np.linalg.norm(shift))) > 0:
        pictures.append(_seen("shift", row @ (shift / length), is_window, bins))
    _, _, axes = np.linalg.svd(centred(row), full_matrices=False)
    for number, axis in enumerate(axes[:2], 1):
        pictures.append(_seen(str(number), row @ (axis * np.sign(axis[np.abs(axis).argmax()])), is_window, bins))
    return pictures


def _seen(line: str, value: Floats, is_window: NDArray[np.bool_], bins: int) -> Seen:
    low, high = np.percentile(value, [TAIL, 100 - TAIL])
    if not high > low:
        low, high = value.min() - 0.5, value.max() + 0.5
    edges = np.linspace(low, high, bins + 1)
    at = np.clip(np.searchsorted(edges, value, side="right") - 1, 0, bins - 1)
    shares = [np.bincount(at[side], minlength=bins) / side.sum() for side in (~is_window, is_window)]
    return Seen(line, edges, *shares)
