"""Which documents of a block may be among the k nearest of a query.

If T is the k-th highest lower bound on exact keys so far, a document of the k best has an exact key
of at least T, and a rough one of at least T − ε. T comes from the highest rough keys of groups of
documents: k groups are k documents, and their exact keys are at least the rough ones − ε. A group
without a rough key that high is not looked into; whatever ties with the k-th stays.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from evaluation.engine.arrays import Ints
from evaluation.engine.vectors.product import multiply
from evaluation.engine.vectors.screening import Rough, error_bound

if TYPE_CHECKING:
    import torch

GROUP = 32
AT_ONCE = 1 << 12  # rows of documents multiplied at a time, in float32 a quarter: their keys stay near the processor
PIECE = 1 << 19  # keys of groups looked at in one go


@dataclass(eq=False)
class Floor:
    """Of each query in a block the k highest lower bounds on exact keys that are known, −∞ where there are fewer."""

    bound: "torch.Tensor"  # (n_queries, k) float64

    def raise_by(self, bound: "torch.Tensor") -> None:
        import torch

        self.bound = highest(torch.cat([self.bound, bound], dim=1), self.bound.shape[1])

    @property
    def lowest(self) -> "torch.Tensor":
        return self.bound.amin(1)  # (n_queries,)


@dataclass(frozen=True, eq=False)
class Candidates:
    """Pairs that may belong to the k best."""

    query: "torch.Tensor"  # (n,) int64, the row in its block of queries
    document: "torch.Tensor"  # (n,) int64, the row in the block of documents
    bound: "torch.Tensor"  # (n,) float64: the exact key is at most this


def candidates(
    query: Rough, document: Rough, floor: Floor, *, own: Ints, buffer: "torch.Tensor"
) -> Iterator[Candidates]:
    """In pieces of at most `PIECE` pairs; `own`: the document of each query that is left out, if the block has it.

    `buffer` has room for (n_documents + `GROUP`) × n_queries keys and is overwritten.

    Raises the floor before it yields anything.
    """
    import torch

    k = floor.bound.shape[1]
    group = max(1, min(GROUP, len(document.vector) // (8 * k)))
    key, top = _keys(query, document, own, group, buffer)
    error = error_bound(query, document)
    best = highest(top.T, k)
    floor.raise_by(_lower(best, _rounding(key)) - error[:, None])
    limit = (floor.lowest - error).to(key.dtype)  # (n_queries,)
    limit.clamp_(min=torch.finfo(key.dtype).min)  # above −∞, the key of what is left out
    if group > 1 and not bool((limit > 0).all()):
        top = key.view(len(top), group, -1).amax(1)
    which, row = (top >= limit).nonzero(as_tuple=True)
    grouped = key.view(len(top), group, -1)
    step = max(1, PIECE // group)
    for a in range(0, len(row), step):
        rows, groups = row[a : a + step], which[a : a + step]
        near = grouped[groups, :, rows]  # (n, group)
        pair, member = (near >= limit[rows, None]).nonzero(as_tuple=True)
        yield Candidates(rows[pair], groups[pair] * group + member, _upper(near[pair, member], error[rows[pair]]))


def _keys(
    query: Rough, document: Rough, own: Ints, group: int, buffer: "torch.Tensor"
) -> "tuple[torch.Tensor, torch.Tensor]":
    """Rough keys (n_documents padded to whole groups, n_queries), and of each group a key, (n_groups, n_queries).

    A positive key is its group's highest; where a group has none, it is one of its keys.
    """
    import torch

    n, n_queries = len(document.vector), len(query.vector)
    n_groups = -(-n // group)
    key = buffer[: n_groups * group * n_queries].view(n_groups * group, n_queries)
    key[n:] = -torch.inf
    top = torch.empty((n_groups, n_queries), dtype=key.dtype, device=key.device)
    left_out = torch.from_numpy(np.nonzero((own >= 0) & (own < n))[0]).to(key.device)
    absent = torch.from_numpy(own).to(key.device)[left_out]
    step = max(1, (AT_ONCE if key.dtype == torch.bfloat16 else AT_ONCE // 4) // group) * group
    for a in range(0, n, step):
        b = min(a + step, n)
        multiply(document.vector[a:b], query.vector, key[a:b])
        here = (absent >= a) & (absent < b)
        key[absent[here], left_out[here]] = -torch.inf
        groups = slice(a // group, -(-b // group))
        top[groups] = _highest_of_groups(key[a : groups.stop * group], group)
    return key, top


def _highest_of_groups(key: "torch.Tensor", group: int) -> "torch.Tensor":
    """Positive numbers in bfloat16 stand in the order of their bits, which processors compare four times as fast."""
    import torch

    if group == 1:
        return key
    if key.dtype != torch.bfloat16:
        return key.view(-1, group, key.shape[1]).amax(1)
    return key.view(torch.int16).view(-1, group, key.shape[1]).amax(1).view(torch.bfloat16)


def highest(value: "torch.Tensor", k: int) -> "torch.Tensor":
    """The k highest of each row in float64, in no order; −∞ fills what is missing."""
    import torch

    missing = k - value.shape[1]
    if missing >= 0:
        return torch.nn.functional.pad(value.double(), (0, missing), value=-torch.inf)
    if value.device.type != "cpu":
        return value.topk(k, dim=1, sorted=False).values.double()
    if value.dtype == torch.bfloat16:
        number = _number(value.contiguous().view(torch.int16)).numpy()
        return _number(torch.from_numpy(np.partition(number, -k, axis=1)[:, -k:])).view(torch.bfloat16).double()
    return torch.from_numpy(np.partition(value.contiguous().numpy(), -k, axis=1)[:, -k:]).double()


def _number(bits: "torch.Tensor") -> "torch.Tensor":
    """Of bits of bfloat16, int16: whole numbers in the order of theirs. Of such numbers: the bits."""
    return bits ^ ((bits >> 15) & 0x7FFF)


def _rounding(key: "torch.Tensor") -> float:
    """A key is at most this much of itself from the sum that it was stored from."""
    import torch

    return 2.0**-8 if key.dtype == torch.bfloat16 else 0.0


def _lower(key: "torch.Tensor", rounding: float) -> "torch.Tensor":
    """Of float64 keys, −∞ for −∞, which without rounding would be no number if it were multiplied by it."""
    import torch

    return torch.minimum(key * (1 - rounding), key * (1 + rounding))


def _upper(key: "torch.Tensor", error: "torch.Tensor") -> "torch.Tensor":
    exact = key.double()
    return exact + exact.abs() * _rounding(key) + error
