"""Scores of pairs as the run holds them: element by element in float64, added in one fixed order.

The product of two float32 numbers is exact in float64 (24 + 24 bits of 53), so only the additions
round, and their order is written down here: no matrix product, whose order depends on blocks,
threads and device. Nothing but additions, products, quotients and roots of IEEE 754 is used, each
of which has one result everywhere. Roots are numpy's: torch takes those of MKL, which in one of 150
cases are the number beside the right one.
"""

from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

if TYPE_CHECKING:
    import torch

Similarity: TypeAlias = Literal["cosine", "inner", "euclidean"]
CHUNK = 1 << 17  # elements worked on at a time: a megabyte in float64, which stays near the processor


def fixed_sum(value: "torch.Tensor") -> "torch.Tensor":
    """The sum of each row, (n,); `value` is (n, dim) and is overwritten.

    The second half of the columns is added to the first until one is left; of an odd number the middle one waits.
    The error is at most ceil(log2 dim) · 2^-53 · Σ|value|.
    """
    width = value.shape[1]
    while width > 1:
        half = width // 2
        value[:, :half].add_(value[:, width - half : width])
        width -= half
    return value[:, 0].clone()


def lengths(vector: "torch.Tensor", row: "torch.Tensor") -> "torch.Tensor":
    """The Euclidean norm of the rows `row` of `vector`, (n, dim) float32: float64, as many as `row`."""
    import torch

    parts = torch.split(row, max(1, CHUNK // vector.shape[1]))
    return root(torch.cat([fixed_sum(vector.index_select(0, part).double().square_()) for part in parts]))


def root(value: "torch.Tensor") -> "torch.Tensor":
    """Square roots, rounded as IEEE 754 says; float64 on the processor."""
    import torch

    return torch.from_numpy(np.sqrt(value.numpy()))


def pair_scores(
    query: "torch.Tensor",
    document: "torch.Tensor",
    pairs: tuple["torch.Tensor", "torch.Tensor"],
    similarity: Similarity,
) -> "torch.Tensor":
    """The score of each pair of rows, float64, (n_pairs,): higher is nearer, the Euclidean distance negated.

    `query` (n_queries, dim) and `document` (n_documents, dim) are float32. Equal bytes give equal scores.
    """
    import torch

    step, exact = max(1, CHUNK // query.shape[1]), query.double()
    score_of = _distances if similarity == "euclidean" else _products
    parts = [  # `index_select` copies rows three times as fast as an index in brackets
        score_of(exact.index_select(0, q), document.index_select(0, d))
        for q, d in zip(*(torch.split(side, step) for side in pairs), strict=True)
    ]
    score = torch.cat(parts) if parts else torch.zeros(0, dtype=torch.float64, device=query.device)
    if similarity == "cosine":
        norms = [_norms(*side) for side in zip((query, document), pairs, strict=True)]
        score /= norms[0] * norms[1]
    return (-root(score) if similarity == "euclidean" else score) + 0.0


def _products(left: "torch.Tensor", right: "torch.Tensor") -> "torch.Tensor":
    return fixed_sum(left.mul_(right.double()))


def _distances(left: "torch.Tensor", right: "torch.Tensor") -> "torch.Tensor":
    """Squared."""
    return fixed_sum(left.sub_(right.double()).square_())


def _norms(vector: "torch.Tensor", row: "torch.Tensor") -> "torch.Tensor":
    """Of rows that occur often, each computed once."""
    import torch

    once, which = torch.unique(row, return_inverse=True)
    return lengths(vector, once)[which] if len(row) else row.double()
