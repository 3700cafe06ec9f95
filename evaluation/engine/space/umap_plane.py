"""Rows in the plane by UMAP, where the package is installed (the extra `umap`): McInnes, Healy and Melville, 2018.

Neighbours stay together as far as a plane lets them; distances between groups, and their sizes,
mean nothing.
"""

import warnings
from importlib.metadata import PackageNotFoundError, version

import numpy as np

from evaluation.engine.arrays import Floats
from evaluation.engine.space.rows import Vectors, unit_rows

NEIGHBOURS, MIN_DISTANCE = 15, 0.1  # the package's own
LEAST = 4  # rows


def umap_version() -> str:
    """Of the package; empty where it is not installed. It is not loaded for that."""
    try:
        return version("umap-learn")
    except PackageNotFoundError:
        return ""


def umap_plane(vector: Vectors, seed: int) -> Floats:
    """`vector` (n_rows, dim), none zero: by direction. (n_rows, 2), the same for the same seed, version and machine.

    Takes some seconds at first, while the package compiles itself. Raises `ValueError` for fewer than 4 rows.
    """
    import umap

    unit = unit_rows(vector, LEAST).astype(np.float32)
    n = len(unit)
    with warnings.catch_warnings(action="ignore"):  # that a seed means one thread
        mapper = umap.UMAP(
            n_neighbors=min(NEIGHBOURS, n - 1),
            min_dist=MIN_DISTANCE,
            init="spectral" if n > NEIGHBOURS else "random",
            random_state=seed,
            n_jobs=1,
        )
        return np.asarray(mapper.fit_transform(unit), np.float64)
