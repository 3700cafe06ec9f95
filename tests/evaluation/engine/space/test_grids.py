"""The figures of a space beside scipy, scikit-learn and formulas of their own, on random grids of sizes."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.distance import pdist
from scipy.stats import entropy, skew
from sklearn.decomposition import PCA
from sklearn.neighbors import NearestNeighbors

from evaluation.engine.space.collapse import collapse
from evaluation.engine.space.description import nearest_rows
from evaluation.engine.space.hubness import hubness
from evaluation.engine.space.isotropy import isotropy
from evaluation.engine.space.rows import variances
from evaluation.engine.space.two_spaces import linear_cka, neighbour_overlap
from evaluation.engine.space.uniformity import alignment, uniformity

SIZES = [(12, 3), (40, 60), (150, 20), (90, 90), (301, 7)]  # rows, dimensions: more rows than dimensions, and fewer
Rows = NDArray[np.float32]


@pytest.fixture(params=SIZES)
def vector(request: pytest.FixtureRequest) -> Rows:
    n_rows, dim = request.param
    rng = np.random.default_rng([n_rows, dim])
    spread = np.geomspace(1, 0.05, dim)
    return np.asarray(rng.standard_normal((n_rows, dim)) * spread + rng.standard_normal(dim) * 0.2, np.float32)


def test_ranks_and_isotropy(vector: Rows) -> None:
    exact = vector.astype(np.float64)
    n_rows, dim = vector.shape
    fitted = PCA(svd_solver="full").fit(exact).explained_variance_
    value = np.zeros(dim)
    value[: fitted.size] = fitted
    assert variances(vector) == pytest.approx(value, abs=1e-12)
    of_rows = isotropy(vector)
    assert of_rows.partition == pytest.approx(value.min() / value.mean(), abs=1e-9)
    assert of_rows.effective_dimensions == pytest.approx(value.sum() ** 2 / (value**2).sum() / dim, rel=1e-9)
    assert of_rows.top_10 == pytest.approx(value[:10].sum() / value.sum(), rel=1e-9)
    assert of_rows.mean_cosine == pytest.approx(1 - pdist(exact, "cosine").mean(), abs=1e-12)
    singular = np.sqrt(value * (n_rows - 1))
    ranks = collapse(vector)
    assert ranks.effective_rank == pytest.approx(np.exp(entropy(singular)), rel=1e-5)
    assert ranks.stable_rank == pytest.approx((singular**2).sum() / singular[0] ** 2, rel=1e-9)
    assert ranks.stable_rank_of_sums == pytest.approx(singular.sum() ** 2 / (singular**2).sum(), rel=1e-5)
    assert ranks.dead == np.count_nonzero(np.var(exact, axis=0, ddof=1) < 0.01)


def test_uniformity_and_alignment(vector: Rows) -> None:
    exact = vector.astype(np.float64)
    unit = exact / np.sqrt((exact**2).sum(1))[:, None]
    expected = np.log(np.exp(-2 * pdist(unit, "sqeuclidean")).mean())
    assert uniformity(vector, np.random.default_rng(1)).value == pytest.approx(expected, abs=1e-12)
    first, second = np.random.default_rng(2).integers(0, len(vector), (2, 50))
    assert alignment(vector, first, second) == pytest.approx(
        ((unit[first] - unit[second]) ** 2).sum(1).mean(), abs=1e-12
    )


def test_hubs_and_two_models(vector: Rows) -> None:
    exact, n_rows = vector.astype(np.float64), len(vector)
    other = (exact @ np.random.default_rng(3).standard_normal((vector.shape[1], 4))).astype(np.float32)
    ids, k = [f"{n:03}" for n in range(n_rows)], 5
    near = [nearest_rows(side, ids, k) for side in (vector, other)]
    theirs = []
    for side in (vector, other):
        fitted = NearestNeighbors(n_neighbors=k, metric="cosine", algorithm="brute").fit(side.astype(np.float64))
        theirs.append(fitted.kneighbors(return_distance=False))
    assert [set(row) for side in near for row in side.tolist()] == [
        set(row) for side in theirs for row in side.tolist()
    ]
    count = np.bincount(theirs[0].ravel(), minlength=n_rows)
    assert hubness(near[0], n_rows).skewness == pytest.approx(skew(count), rel=1e-9)
    shared = [len(set(a) & set(b)) / k for a, b in zip(theirs[0].tolist(), theirs[1].tolist(), strict=True)]
    assert neighbour_overlap(*near) == pytest.approx(np.mean(shared), abs=1e-12)
    centre = np.eye(n_rows) - 1 / n_rows
    gram = [centre @ side @ side.T @ centre for side in (exact, other.astype(np.float64))]
    expected = np.trace(gram[0] @ gram[1]) / np.sqrt(np.trace(gram[0] @ gram[0]) * np.trace(gram[1] @ gram[1]))
    assert linear_cka(vector, other) == pytest.approx(expected, rel=1e-9)
