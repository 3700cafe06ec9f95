"""What is drawn of a space: against numpy, scikit-learn and brute force."""

import numpy as np
import pytest

from evaluation.engine.space.clusters import clusters
from evaluation.engine.space.cosines import EXACT_ROWS, cosines
from evaluation.engine.space.plane import plane
from evaluation.engine.space.umap_plane import umap_plane, umap_version


def rows(n: int, dim: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((n, dim)).astype(np.float32)


def test_cosines_of_all_pairs_are_counted_and_of_many_rows_drawn() -> None:
    vector = rows(40, 5)
    unit = vector / np.linalg.norm(vector.astype(np.float64), axis=1, keepdims=True)
    value = [unit[i] @ unit[j] for i in range(40) for j in range(i)]
    histogram = cosines(vector, np.random.default_rng(0))
    assert histogram.count.tolist() == np.histogram(value, 40, (-1, 1))[0].tolist()
    assert (histogram.n_pairs, histogram.is_sample) == (780, False)
    many = cosines(rows(EXACT_ROWS + 1, 3), np.random.default_rng(0))
    assert many.is_sample
    assert many.count.sum() == many.n_pairs
    assert np.abs(many.count / many.n_pairs - 1 / 40).max() < 0.003  # in three dimensions every cosine is as likely


@pytest.mark.parametrize("dim", [1, 2, 7])
def test_the_plane_is_that_of_the_principal_components(dim: int) -> None:
    from sklearn.decomposition import PCA

    vector = (rows(50, dim) * np.arange(1, dim + 1)).astype(np.float32)
    ours, n = plane(vector), min(2, dim)
    theirs = PCA(n_components=n).fit(vector.astype(np.float64))
    assert np.allclose(np.abs(ours.place[:, :n]), np.abs(theirs.transform(vector.astype(np.float64))))
    longest = vector[:, -1].astype(np.float64)  # the first axis points to where this one grows
    assert (longest - longest.mean()) @ ours.place[:, 0] > 0
    assert np.allclose(ours.share[:n], theirs.explained_variance_ratio_)
    assert plane(np.ones((3, 2), np.float32)).share == (0.0, 0.0)


def test_neighbours_stay_together_on_a_map_by_umap() -> None:
    pytest.importorskip("umap", reason="the extra `umap` is not installed")
    truth = np.repeat([0, 1, 2], 30)
    vector = (np.eye(8)[truth] * 10 + np.random.default_rng(5).standard_normal((90, 8))).astype(np.float32)
    place = umap_plane(vector, 42)
    assert (place.shape, umap_version() > "") == ((90, 2), True)
    assert np.array_equal(place, umap_plane(vector * 8, 42))  # directions alone, from the seed
    apart = ((place[:, None] - place) ** 2).sum(axis=2) + np.diag(np.full(90, np.inf))
    assert (truth[apart.argmin(axis=1)] == truth).mean() == 1.0
    assert umap_plane(vector[:5], 42).shape == (5, 2)
    with pytest.raises(ValueError, match="4 rows at least"):
        umap_plane(vector[:3], 42)


def test_groups_that_lie_apart_are_found_and_equal_rows_stay_together() -> None:
    rng = np.random.default_rng(5)
    truth = np.repeat([0, 1, 2], [30, 20, 10])
    vector = (np.eye(6)[truth] * 10 + rng.standard_normal((60, 6)) * 0.3).astype(np.float32)
    assert clusters(vector, 3, np.random.default_rng(0)).tolist() == truth.tolist()
    assert set(clusters(np.ones((5, 2), np.float32), 3, rng).tolist()) == {0}
    assert set(clusters(np.eye(4, dtype=np.float32), 9, rng).tolist()) == {0, 1, 2, 3}
    with pytest.raises(ValueError, match="at least 1"):
        clusters(vector, 0, rng)
