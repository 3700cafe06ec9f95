"""All figures of a space, and of two."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotation.text.watch import WordlessWatch, say_nothing
from evaluation.engine.arrays import Ints
from evaluation.engine.space.collapse import Collapse, collapse
from evaluation.engine.space.hubness import Hubness, hubness
from evaluation.engine.space.isotropy import Isotropy, isotropy
from evaluation.engine.space.two_spaces import linear_cka, neighbour_overlap
from evaluation.engine.space.uniformity import Uniformity, alignment, uniformity
from evaluation.engine.vectors.search import search


@dataclass(frozen=True)
class Description:
    n_rows: int
    dim: int
    isotropy: Isotropy
    uniformity: Uniformity
    alignment: float | None  # None without pairs
    collapse: Collapse
    hubness: Hubness | None  # None without more rows than k: none has k others


@dataclass(frozen=True)
class Resemblance:
    n_rows: int  # that both models have: no others count
    linear_cka: float | None
    neighbour_overlap: float


def describe(
    vector: NDArray[np.float32],
    ids: list[str],
    *,
    k: int = 10,
    pairs: tuple[Ints, Ints] | None = None,
    rng: np.random.Generator,
    progress: WordlessWatch = say_nothing,
) -> Description:
    """`vector` (n_rows, dim), two rows at least, none zero; `pairs` of rows that belong together."""
    _check_k(k)
    return Description(
        len(vector),
        vector.shape[1],
        isotropy(vector),
        uniformity(vector, rng),
        alignment(vector, *pairs) if pairs else None,
        collapse(vector),
        hubness(nearest_rows(vector, ids, k, progress), len(vector)) if len(vector) > k else None,
    )


def resemble(first: NDArray[np.float32], second: NDArray[np.float32], ids: list[str], *, k: int = 10) -> Resemblance:
    """Row i of both is the text `ids[i]`; dimensions may differ."""
    _check_k(k)
    if len(ids) <= k:
        raise ValueError(f"the {k} nearest of each row: more rows than {k} are needed; there are {len(ids)}")
    nearest = [nearest_rows(side, ids, k) for side in (first, second)]
    return Resemblance(len(ids), linear_cka(first, second), neighbour_overlap(*nearest))


def resemble_by_id(
    first: NDArray[np.float32], ids: list[str], second: NDArray[np.float32], other_ids: list[str], *, k: int = 10
) -> Resemblance:
    """`resemble` over the texts that both models have; row i of each is the text with its id, in any order."""
    row_by_id = {name: row for row, name in enumerate(other_ids)}
    rows = [row for row, name in enumerate(ids) if name in row_by_id]
    both = [ids[row] for row in rows]
    return resemble(first[rows], second[[row_by_id[name] for name in both]], both, k=k)


def nearest_rows(vector: NDArray[np.float32], ids: list[str], k: int, progress: WordlessWatch = say_nothing) -> Ints:
    """The k nearest other rows of each by cosine, (n_rows, k)."""
    return search(vector, vector, ids, k=k, own=np.arange(len(ids)), progress=progress).document


def _check_k(k: int) -> None:
    if k < 1:
        raise ValueError(f"k is at least 1, not {k}")
