"""Figures of the tutorials, from numbers that torch draws from the seed 42, and the same by other formulas.

Each block begins with `torch.manual_seed(42)`; the figures were computed once by hand in numpy 2.4.6, float64, from the
definitions alone.
"""

import numpy as np
import pytest
import torch
from scipy.spatial.distance import pdist
from scipy.stats import entropy, skew
from sklearn.neighbors import NearestNeighbors

from evaluation.engine.space.collapse import Collapse, collapse
from evaluation.engine.space.description import describe, nearest_rows, resemble
from evaluation.engine.space.hubness import hubness
from evaluation.engine.space.isotropy import isotropy, mean_cosine, min_max_partition
from evaluation.engine.space.two_spaces import linear_cka, neighbour_overlap
from evaluation.engine.space.uniformity import alignment, pairs_within, uniformity, uniformity_of_pairs

Pair = tuple[np.ndarray, np.ndarray]


@pytest.fixture(scope="module")
def stretched() -> Pair:
    torch.manual_seed(42)
    plain, second = torch.randn(1000, 256), torch.randn(1000, 256)
    second[:, :10] *= 10
    return plain.numpy(), second.numpy()


def test_isotropy_of_a_ball_and_of_a_stretched_one(stretched: Pair) -> None:
    figures = [isotropy(vector) for vector in stretched]
    assert [f"{one.partition:.4f}" for one in figures] == ["0.2481", "0.0518"]
    assert [f"{one.effective_dimensions:.2%}" for one in figures] == ["79.38%", "5.91%"]
    assert [one.mean_cosine for one in figures] == pytest.approx([0.00010475, -0.00014982], abs=1e-8)
    assert [f"{one.mean_cosine:.4f}" for one in figures] == ["0.0001", "-0.0001"]


def test_isotropy_by_other_formulas(stretched: Pair) -> None:
    vector = stretched[1][:200, :60]
    spectrum = np.sort(np.linalg.eigvals(np.cov(vector.astype(float), rowvar=False)).real)[::-1]
    one = isotropy(vector)
    assert one.top_10 == pytest.approx(spectrum[:10].sum() / spectrum.sum(), rel=1e-10)
    assert one.top_50 == pytest.approx(spectrum[:50].sum() / spectrum.sum(), rel=1e-10)
    assert one.mean_cosine == pytest.approx(1 - pdist(vector.astype(float), "cosine").mean(), abs=1e-12)
    small = vector.astype(float) / 20
    directions = np.linalg.svd(small, full_matrices=False)[2]
    sums = [np.exp(small @ (sign * c)).sum() for c in directions for sign in (1, -1)]
    assert min_max_partition(small) == pytest.approx(min(sums) / max(sums), rel=1e-9)


@pytest.fixture(scope="module")
def classes() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    torch.manual_seed(42)
    vector, group = torch.randn(500, 128), torch.randint(0, 10, (500,))
    first, second = torch.randint(0, 500, (10000,)), torch.randint(0, 500, (10000,))
    return vector.numpy(), group.numpy(), first.numpy(), second.numpy()


def test_alignment_and_uniformity(classes: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]) -> None:
    vector, group, first, second = classes
    a, b = pairs_within(group, 50)
    assert f"{alignment(vector, a, b):.4f}" == "1.9989"
    means = [alignment(vector, a[group[a] == one], b[group[a] == one]) for one in range(10)]
    assert f"{np.mean(means):.4f}" == "1.9993"
    exact = uniformity(vector, np.random.default_rng(1))
    assert (f"{exact.value:.4f}", exact.standard_error) == ("-3.9372", None)
    sampled = uniformity_of_pairs(vector, first, second)
    assert f"{sampled.value:.4f}" == "-3.9338"
    assert sampled.standard_error is not None
    assert abs(sampled.value - exact.value) < 3 * sampled.standard_error


def test_uniformity_of_many_rows_is_sampled_with_an_honest_error(monkeypatch: pytest.MonkeyPatch) -> None:
    vector = np.random.default_rng(3).standard_normal((900, 16))
    unit = vector / np.linalg.norm(vector, axis=1, keepdims=True)
    expected = np.log(np.exp(-2 * pdist(unit, "sqeuclidean")).mean())
    assert uniformity(vector, np.random.default_rng(1)).value == pytest.approx(expected, abs=1e-12)
    monkeypatch.setattr("evaluation.engine.space.uniformity.EXACT_ROWS", 800)
    monkeypatch.setattr("evaluation.engine.space.uniformity.PAIRS", 5000)
    samples = [uniformity(vector, np.random.default_rng(seed)) for seed in range(60)]
    values, errors = (np.array([getattr(one, name) for one in samples]) for name in ("value", "standard_error"))
    assert values.std(ddof=1) == pytest.approx(errors.mean(), rel=0.3)
    assert values.mean() == pytest.approx(expected, abs=4 * errors.mean() / 60**0.5)


@pytest.mark.parametrize(("n_rows", "is_exact"), [(5000, True), (5001, False)])
def test_uniformity_is_exact_up_to_5000_rows_and_the_same_for_a_seed_beyond(n_rows: int, is_exact: bool) -> None:
    vector = np.random.default_rng(8).standard_normal((n_rows, 3))
    first, again, other = (uniformity(vector, np.random.default_rng(seed)) for seed in (42, 42, 43))
    assert (first == again, first == other) == (True, is_exact)
    assert (first.standard_error is None) is is_exact
    unit = vector / np.linalg.norm(vector, axis=1, keepdims=True)
    expected = np.log(np.exp(-2 * pdist(unit, "sqeuclidean")).mean())
    assert first.value == pytest.approx(expected, abs=4 * (first.standard_error or 1e-13))


def test_collapse() -> None:
    torch.manual_seed(42)
    plain, second = torch.randn(1000, 256), torch.randn(1000, 256)
    second[:, 50:] = 0.01 * torch.randn(1000, 206)
    figures = [collapse(vector.numpy()) for vector in (plain, second)]
    assert [one.dead for one in figures] == [0, 206]
    assert [f"{one.effective_rank:.1f}" for one in figures] == ["247.0", "61.5"]
    assert [f"{one.stable_rank_of_sums:.1f}" for one in figures] == ["239.1", "53.3"]
    assert [f"{one.stable_rank:.1f}" for one in figures] == ["113.0", "33.9"]
    assert [one.is_collapsed_in_units for one in figures] == [False, True]
    assert [(one.faint, one.is_collapsed) for one in figures] == [(0, False), (206, True)]
    value = np.linalg.svd(second.double().numpy() - second.double().numpy().mean(0))[1]
    assert figures[1].effective_rank == pytest.approx(np.exp(entropy(value)), rel=1e-9)


@pytest.mark.parametrize(
    ("dimensions", "rank", "is_collapsed"), [(10, 30.0, False), (11, 100.0, True), (0, 29.9, True), (0, 30.0, False)]
)
def test_the_rules_of_collapse_at_their_edges(dimensions: int, rank: float, is_collapsed: bool) -> None:
    in_units, of_shares = (Collapse(100, 100, *each, rank, 1.0, 1.0) for each in ((dimensions, 0), (0, dimensions)))
    assert (in_units.is_collapsed_in_units, of_shares.is_collapsed) == (is_collapsed, is_collapsed)
    assert Collapse(100, 40, 0, 0, 12.0, 1.0, 1.0).is_collapsed is False  # of 41 rows


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_the_verdict_on_collapse_does_not_know_the_lengths_of_vectors(scale: float) -> None:
    vector = np.random.default_rng(5).standard_normal((400, 256))
    flat = vector * np.where(np.arange(256) < 160, 1.0, 0.05)  # variance 1 and .0025, of a mean of .626
    unit = vector / np.linalg.norm(vector, axis=1, keepdims=True)
    figures = [collapse(each * scale) for each in (vector, flat, unit)]
    assert [(one.faint, one.is_collapsed) for one in figures] == [(0, False), (96, True), (0, False)]
    assert collapse(unit * scale).is_collapsed_in_units == (scale < 1e6)  # mean variance 1/256, beside .01
    assert (collapse(vector[:20]).directions, figures[0].directions) == (19, 256)
    assert figures[0].effective_rank == pytest.approx(collapse(vector).effective_rank, rel=1e-9)


def test_hubness_beside_scikit_learn_and_scipy(stretched: Pair) -> None:
    vector = stretched[1][:300]
    ids = [f"{n:03}" for n in range(300)]
    nearest = nearest_rows(vector, ids, 7)
    other = NearestNeighbors(n_neighbors=8, metric="cosine", algorithm="brute").fit(vector.astype(float))
    expected = other.kneighbors(vector.astype(float), return_distance=False)[:, 1:]
    assert [set(row) for row in nearest] == [set(row) for row in expected]
    count = np.bincount(expected.ravel(), minlength=300)
    one = hubness(nearest, 300)
    assert one.skewness == pytest.approx(skew(count), rel=1e-12)
    assert (one.most, one.never) == (count.max(), np.mean(count == 0))


def test_a_ring_has_no_hub() -> None:
    angle = np.arange(12) * np.pi / 6
    ring = np.stack([np.cos(angle), np.sin(angle)], axis=1).astype(np.float32)
    nearest = np.stack([(np.arange(12) + 1) % 12, (np.arange(12) - 1) % 12], axis=1)
    one = hubness(nearest, 12)
    assert (one.skewness, one.most, one.never) == (0.0, 2, 0.0)
    assert mean_cosine(ring) == pytest.approx(-1 / 11, abs=1e-7)


def test_two_spaces() -> None:
    rng = np.random.default_rng(4)
    first, other = rng.standard_normal((80, 12)), rng.standard_normal((80, 5))
    turned = first @ np.linalg.qr(rng.standard_normal((12, 12)))[0] * 3 + 7
    assert linear_cka(first, turned) == pytest.approx(1, abs=1e-12)
    gram = [side @ side.T for side in (first - first.mean(0), other - other.mean(0))]
    expected = (gram[0] * gram[1]).sum() / np.linalg.norm(gram[0]) / np.linalg.norm(gram[1])
    assert linear_cka(first, other) == pytest.approx(expected, rel=1e-10)
    assert linear_cka(first, np.ones((80, 3))) is None
    assert neighbour_overlap(np.array([[1, 2], [3, 4]]), np.array([[2, 1], [3, 5]])) == 0.75
    ids = [f"{n:02}" for n in range(80)]
    same = resemble(first.astype(np.float32), (first * 2).astype(np.float32), ids, k=5)
    assert (same.n_rows, same.neighbour_overlap) == (80, 1.0)


def test_extremes() -> None:
    equal = np.full((4, 3), 0.1, np.float32)
    figures = isotropy(equal)
    assert (figures.partition, figures.effective_dimensions, figures.top_10) == (None, None, None)
    assert figures.mean_cosine == pytest.approx(1)
    assert collapse(equal) == Collapse(3, 3, 3, 3, 0.0, 0.0, 0.0)
    huge = np.array([[1e30, 0], [0, 1e30], [-1e30, 1]])
    assert min_max_partition(huge) == 0.0
    with pytest.raises(ValueError, match="row 2 is zero"):
        mean_cosine(np.array([[1.0, 0], [0, 0]]))
    with pytest.raises(ValueError, match="2 rows at least"):
        collapse(np.ones((1, 3)))
    with pytest.raises(ValueError, match="not finite"):
        collapse(np.full((3, 3), np.nan))
    with pytest.raises(ValueError, match="more rows than 4 are needed; there are 4"):
        resemble(equal, equal, ["a", "b", "c", "d"], k=4)
    with pytest.raises(ValueError, match="k is at least 1"):
        describe(equal, ["a", "b", "c", "d"], k=0, rng=np.random.default_rng(1))
    with pytest.raises(ValueError, match="needs a pair"):
        alignment(equal, np.zeros(0, np.int64), np.zeros(0, np.int64))
    with pytest.raises(ValueError, match="two different rows"):
        uniformity_of_pairs(equal, np.array([1]), np.array([1]))
    with pytest.raises(ValueError, match="cannot be set beside"):
        linear_cka(equal, equal[:3])
