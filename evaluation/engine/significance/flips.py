"""Sums over topics under many sign vectors, all of them or a sample, in a few milliseconds.

Under the hypothesis of Fisher's randomization test the sign of each topic's difference is a coin's.
The test needs Σ s[t] · difference[t] for B sign vectors s. Drawing each vector by itself takes
n_topics random bits and as many sums a vector. Here 256 vectors share their work:

    each topic t draws a byte c[t] and a bit u[t]; vector g (0 … 255) has sign (−1)^(⟨g, c[t]⟩ + u[t]) at topic t,

⟨g, c⟩ being the parity of the bits that g and c share. The 256 vectors form a coset of a subgroup
of all sign vectors. Topics of equal byte are summed first; the 256 sums then come from one
Walsh–Hadamard transform, whatever the number of topics. Any three vectors of a block are
independent (of the first block any two), each uniform over all sign vectors, and blocks are
independent, so counts scatter as with independent vectors (docs/decisions/0008).

The first block has u = 0, so it is a subgroup and holds the identity (g = 0), the sum that was
observed. The observed data then are an ordinary member of a union of random cosets, which is what
makes (c + 1) / (B + 1) an exact p value and not an estimate of one (Hemerik and Goeman, Exact
testing with random permutations, TEST 27, 2018; Koning and Hemerik, More efficient exact group
invariance testing: using a representative subgroup, Biometrika 111, 2024).
"""

from collections.abc import Iterator

import numpy as np

from evaluation.engine.arrays import Floats
from evaluation.engine.significance.inputs import NOISE, Rng, checked_draws, generator

BLOCK = 256
_BLOCKS_AT_ONCE = 64
_CELLS_AT_ONCE = 1 << 20
_TAIL = 12  # topics whose sign vectors are enumerated at once: 4096 sums

# _HADAMARD[i, j] is −1 to the number of bits that i and j share; 256 = 16 · 16 goes by two such products
_HADAMARD: Floats = np.array([[(-1.0) ** (i & j).bit_count() for j in range(16)] for i in range(16)])


def is_exhaustive(n_topics: int, n_flips: int) -> bool:
    """Whether all 2^n_topics sign vectors are no more than were asked for: then each is taken once."""
    return n_topics < 63 and 1 << n_topics <= n_flips


def signed_sums(value: Floats, *, n_flips: int, rng: Rng) -> Iterator[Floats]:
    """Σ over topics of sign · value, for columns of `value`, (n_topics, n_columns): parts of (n_columns, n_vectors).

    The same vectors serve all columns, so the sums of a difference of two columns are the difference of their sums.
    All 2^n_topics vectors where they are at most `n_flips`; else the identity, which comes first, and at least
    `n_flips` others (whole blocks of 256). Raises `ValueError` for n_flips < 1.
    """
    if is_exhaustive(value.shape[0], checked_draws(n_flips)):
        return _all_sums(value)
    return _sampled_sums(value, -(-(n_flips + 1) // BLOCK), generator(rng))


def rounding(value: Floats) -> Floats:
    """How far a signed sum of each column may be off; sums count as equal within it. (n_columns,)"""
    total: Floats = np.abs(value).sum(axis=0) * NOISE
    return total


def _all_sums(value: Floats) -> Iterator[Floats]:
    head, tail = _enumerated(value[:-_TAIL]), _enumerated(value[-_TAIL:])
    for i in range(head.shape[1]):
        yield head[:, i, None] + tail  # (n_columns, up to 4096)


def _enumerated(value: Floats) -> Floats:
    """The sums of all sign vectors over a few topics, (n_columns, 2^n_topics)."""
    total = np.zeros((value.shape[1], 1))
    for row in value[:, :, None]:  # (n_columns, 1)
        total = np.concatenate([total + row, total - row], axis=1)
    return total


def _sampled_sums(value: Floats, n_blocks: int, rng: np.random.Generator) -> Iterator[Floats]:
    n_topics, n_columns = value.shape
    column = np.ascontiguousarray(value.T)
    step = max(1, min(_BLOCKS_AT_ONCE, _CELLS_AT_ONCE // n_topics))
    for first in range(0, n_blocks, step):
        n = min(step, n_blocks - first)
        code = rng.integers(0, 2 * BLOCK, (n, n_topics), np.uint16)  # u[t] · 256 + c[t]
        if first == 0:
            code[0] %= BLOCK  # u = 0: the subgroup, with the identity
        cell = (code + np.arange(0, n * 2 * BLOCK, 2 * BLOCK)[:, None]).reshape(-1)
        total = np.empty((n_columns, n * BLOCK))
        for i in range(n_columns):
            by_code: Floats = np.bincount(cell, np.tile(column[i], n), n * 2 * BLOCK).astype(np.float64, copy=False)
            plus, minus = by_code.reshape(n, 2, BLOCK).transpose(1, 0, 2)
            total[i] = _walsh_hadamard(plus - minus).reshape(-1)
        yield total


def _walsh_hadamard(block: Floats) -> Floats:
    """Σ over c of (−1)^⟨g, c⟩ · block[·, c], for each g; (n_blocks, 256)."""
    low = (block.reshape(-1, 16) @ _HADAMARD).reshape(-1, 16, 16)
    transformed: Floats = np.matmul(_HADAMARD, low).reshape(-1, BLOCK)
    return transformed
