"""A rough key for every pair, with a bound on how far it is from the truth.

Rows are scaled in float64 and rounded to the type of the product: bfloat16 has 8 significant bits,
so a number moves by up to 2^-8 of itself, float32 by 2^-24. With q̂, d̂ the scaled rows, q̃, d̃ the
rounded ones, δ the lengths of their differences (measured row by row, not assumed):

    |q̂·d̂ − q̃·d̃| ≤ |q̂ − q̃| |d̂| + |q̃| |d̂ − d̃| ≤ δq |d̂| + |q̃| δd,

and a sum of dim products in float32, in any order, fused or not, truncated or rounded, errs by at
most γ |q̃| |d̃| with γ = n u / (1 − n u), n = dim + 5, u = 2^-22; numbers flushed to 0 cost less
than n 2^-120. ε is the sum of all this and of 1e-11 for the float64 steps. The sum is then stored
as the nearest number of the type: in bfloat16 2^-8 of it away at most, and since rounding is
monotone, a sum of at least L is stored as at least L rounded.

The key: cosine q·d / |q||d|; inner product q·d / Q S; Euclidean (q·d − |d|²/2) / S². Q and S are
powers of two no smaller than the longest row. Each orders the documents of a query as the score
does. −|d|²/2 is three more columns of the product.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import torch

ROWS = 1 << 9  # scaled at a time
FLOAT64 = 1e-11  # more than the float64 steps of a key or a score err, relative to 1
UNIT = 2.0**-22  # rounding of a float32 sum, with room for sums that truncate
FLUSHED = 2.0**-120
PARTS = 3  # columns that hold −|d|²/2


@dataclass(frozen=True, eq=False)
class Rough:
    """Rows scaled and rounded, with what that has moved."""

    vector: "torch.Tensor"  # (n, columns) in the type of the product
    error: "torch.Tensor"  # (n,) float64: how far a row was moved
    length: "torch.Tensor"  # (n,) float64: of the scaled row
    offset: "torch.Tensor"  # (n,) float64: |d̂|²/2, 0 where the key has none


def power_of_two(vector: "torch.Tensor") -> float:
    """A power of two that is no smaller than the longest of the rows, and a millionth of float32's least at least."""
    import torch

    lowest, highest = torch.aminmax(vector)
    greatest = max(-float(lowest), float(highest))
    return float(2.0 ** np.ceil(np.log2(max(greatest, 1e-50) * vector.shape[1] ** 0.5)))


def round_rows(vector: "torch.Tensor", scale: float | None, dtype: "torch.dtype", extra: str = "") -> Rough:
    """`vector` (n, dim) float32, divided by `scale`, or each row by its length; `extra`: "one" or "offset" columns.

    Raises `ValueError` for a row that is not finite, or has no length to be divided by.
    """
    import torch

    width = vector.shape[1] + (PARTS if extra else 0)
    result = torch.ones((len(vector), width), dtype=dtype, device=vector.device)
    error, length, offset = torch.zeros((3, len(vector)), dtype=torch.float64, device=vector.device)
    for a in range(0, len(vector), ROWS):
        rows = slice(a, a + ROWS)
        exact = vector[rows].double()
        size = torch.linalg.vector_norm(exact, dim=1)
        if not bool(size.isfinite().all()) or (scale is None and not bool(size.all())):
            raise ValueError("a vector is not finite, or zero where directions are compared: it has no score")
        exact *= (1 / size)[:, None] if scale is None else 1 / scale
        length[rows] = torch.ones_like(size) if scale is None else size / scale
        rounded = exact.to(dtype)
        result[rows, : vector.shape[1]] = rounded
        error[rows] = torch.linalg.vector_norm(exact.sub_(rounded), dim=1)
        if extra == "offset":
            offset[rows] = length[rows].square() / 2
            _split(-offset[rows], result[rows, vector.shape[1] :])
    return Rough(result, error, length, offset)


def _split(value: "torch.Tensor", part: "torch.Tensor") -> None:
    """Write `value`, (n,) float64, as the sum of the columns of `part`, to within 2^-24 of it."""
    rest = value.clone()
    for column in range(PARTS):
        part[:, column] = rest
        rest -= part[:, column].double()


def error_bound(query: Rough, document: Rough) -> "torch.Tensor":
    """ε of each query, (n_queries,) float64, over all of the documents."""
    n = query.vector.shape[1] + 5
    gamma = n * UNIT / (1 - n * UNIT)
    length, moved = float(document.length.max()), float(document.error.max())
    offset = float(document.offset.max())
    query_length = query.length + query.error
    summed = gamma * (query_length * (length + moved) + offset)
    return query.error * length + query_length * moved + offset * UNIT + summed + n * FLUSHED + FLOAT64 * (1 + offset)
