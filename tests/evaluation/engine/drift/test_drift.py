"""Statistics of drift, against scipy, scikit-learn and brute force."""

from itertools import combinations

import numpy as np
import pytest
from scipy import stats
from scipy.spatial.distance import cdist
from sklearn.metrics import roc_auc_score

from evaluation.engine.drift import sides
from evaluation.engine.drift.centroid import centroid_shift
from evaluation.engine.drift.classifier import domain_auc
from evaluation.engine.drift.description import drift
from evaluation.engine.drift.distances import bandwidth, distances, energy_distance, mmd
from evaluation.engine.drift.pictures import seen
from evaluation.engine.drift.projections import directions, ks_test, psi, psi_without_drift, sliced_wasserstein
from evaluation.engine.drift.sides import permutation_p, pooled, sample_rows, shuffled
from evaluation.engine.drift.words import words_of_drift

RNG = np.random.default_rng(5)
FIRST, SECOND = RNG.standard_normal((40, 3)) + 5, RNG.standard_normal((25, 3)) * 1.5 + 5.2


@pytest.mark.parametrize("seed", range(5))
def test_of_values_it_is_scipy(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=rng.integers(10, 60)), np.round(rng.normal(0.3, 2, rng.integers(10, 60)), 1)
    row, is_window = pooled(a[:, None], b[:, None])
    energy = energy_distance(distances(row), shuffled(is_window, 1, rng))
    assert energy.value == pytest.approx(stats.energy_distance(a, b), abs=1e-6)
    assert sliced_wasserstein(a[:, None], b[:, None]) == pytest.approx(stats.wasserstein_distance(a, b))
    peer = stats.ks_2samp(a, b, method="asymp")
    greatest, p = ks_test(a, b)
    assert greatest == pytest.approx(peer.statistic)
    assert p == pytest.approx(peer.pvalue, abs=0.08)  # scipy's is of the finite sample, ours of the limit
    assert p >= peer.pvalue - 1e-9


def test_p_of_many_values_is_scipys() -> None:
    a, b = RNG.normal(size=5000), RNG.normal(0.03, 1, 4000)
    assert ks_test(a, b)[1] == pytest.approx(stats.ks_2samp(a, b, method="asymp").pvalue, rel=0.05)


def brute_mmd(first: np.ndarray, second: np.ndarray, sigma: float) -> float:
    def mean(pairs: list[tuple[np.ndarray, np.ndarray]]) -> float:
        return float(np.mean([np.exp(-(np.linalg.norm(x - y) ** 2) / (2 * sigma**2)) for x, y in pairs]))

    within = mean(list(combinations(first, 2))) + mean(list(combinations(second, 2)))
    return within - 2 * mean([(x, y) for x in first for y in second])


def test_mmd_by_brute_force_and_energy_of_vectors() -> None:
    row, is_window = pooled(FIRST, SECOND)
    distance, dealt = distances(row), shuffled(is_window, 50, np.random.default_rng(1))
    assert distance == pytest.approx(cdist(row, row), abs=1e-6)
    sigma = float(np.median(cdist(row, row)[np.triu_indices(65, 1)]))
    assert bandwidth(distance) == pytest.approx(sigma)
    discrepancy = mmd(distance, dealt)
    assert discrepancy.value == pytest.approx(brute_mmd(FIRST, SECOND, sigma))
    value = [brute_mmd(row[~side], row[side], sigma) for side in dealt.T]
    assert discrepancy.p == permutation_p(np.array(value))
    square = 2 * cdist(FIRST, SECOND).mean() - cdist(FIRST, FIRST).mean() - cdist(SECOND, SECOND).mean()
    assert energy_distance(distance, dealt).value == pytest.approx(np.sqrt(square))


def test_classifier_by_scikit_learn() -> None:
    """The folds are those that the same seed draws; the classifier is scikit-learn's ridge."""
    from sklearn.linear_model import Ridge
    from sklearn.preprocessing import StandardScaler

    row, is_window = pooled(FIRST, SECOND)
    rng, fold = np.random.default_rng(3), np.zeros(65, int)
    for side in (False, True):
        at = np.flatnonzero(is_window == side)
        fold[rng.permutation(at)] = np.arange(at.size) % 5
    aucs = []
    for number in range(5):
        seen = fold != number
        scaler = StandardScaler().fit(row[seen])
        ridge = Ridge(alpha=0.1 * seen.sum()).fit(scaler.transform(row[seen]), is_window[seen].astype(float))
        aucs.append(roc_auc_score(is_window[~seen], ridge.predict(scaler.transform(row[~seen]))))
    auc = domain_auc(row, is_window, 99, np.random.default_rng(3))
    assert auc.value == pytest.approx(np.mean(aucs))


def test_centroid_and_psi_by_hand() -> None:
    shift = centroid_shift(np.array([[1.0, 0], [3, 0]]), np.array([[2.0, 1], [2, 3]]))
    assert (shift.length, shift.relative) == (2, 2)
    assert shift.cosine == pytest.approx(np.sqrt(0.5))
    same = centroid_shift(np.zeros((2, 2)), np.ones((2, 2)))
    assert (same.relative, same.cosine) == (None, None)
    a, b = np.arange(100.0), np.arange(100.0) + 50  # five bins are empty in the window
    count = np.bincount(np.searchsorted(np.quantile(a, np.arange(1, 10) / 10), b), minlength=10) + 0.5
    assert count.tolist() == [0.5] * 5 + [10.5] * 4 + [60.5]
    p, q = np.full(10, 0.1), count / count.sum()
    assert psi(a, b) == pytest.approx(((q - p) * np.log(q / p)).sum())
    assert psi(a, a) == 0
    assert psi(np.ones(20), np.ones(20)) == 0


def test_psi_without_drift_is_what_it_averages() -> None:
    rng = np.random.default_rng(2)
    values = [psi(rng.normal(size=300), rng.normal(size=200)) for _ in range(400)]
    assert np.mean(values) == pytest.approx(psi_without_drift(300, 200), rel=0.15)


def test_what_is_found_and_said() -> None:
    rng = np.random.default_rng(4)
    a, b = rng.normal(size=(150, 5)), rng.normal(size=(120, 5))
    same, moved, wider = (drift(a, other, seed=1, n_permutations=199) for other in (b, b + 1, b * 3))
    assert (same.found, same.is_sample) == ([], False)
    assert words_of_drift(same)[0].endswith("drift too small for so many rows goes unseen.")
    assert moved.found == ["mmd", "energy", "classifier", "ks"]
    assert words_of_drift(moved)[0].startswith("4 of 4 tests tell the window from the reference at 0.05")
    assert set(wider.found) >= {"mmd", "energy"}  # a linear classifier does not see a wider spread
    assert wider.classifier.p > 0.05
    assert drift(a, b, seed=1, n_permutations=199) == same
    part = drift(a, b, seed=1, sample=50, n_permutations=99)
    assert (part.n_reference, part.n_window, part.is_sample) == (50, 50, True)
    assert [line[:10] for line in words_of_drift(part)[1:]] == ["A seeded s", "Note: with"]
    scores = drift(a[:, :1], b[:, :1] + 1, seed=1, n_permutations=99)
    assert (scores.dim, scores.projections.n) == (1, 1)
    assert scores.centroid.length == pytest.approx(b[:, 0].mean() + 1 - a[:, 0].mean())


def test_p_holds_its_level() -> None:
    """Of 200 pairs of samples without drift some 5 % are below .05; the standard error is 1.5 %."""
    rng, below = np.random.default_rng(6), np.zeros(2)
    for _ in range(200):
        row, is_window = pooled(*rng.normal(size=(2, 20, 2)))
        distance, dealt = distances(row), shuffled(is_window, 99, rng)
        below += [test(distance, dealt).p <= 0.05 for test in (mmd, energy_distance)]
    assert (below / 200 <= 0.10).all()
    assert (below / 200 >= 0.01).all()


def test_p_is_never_0() -> None:
    """What was observed is one of the deals, however far the sides are apart."""
    far = drift(FIRST, SECOND + 100, seed=2, n_permutations=99)
    assert [one.p for one in (far.mmd, far.energy, far.classifier)] == [1 / 100] * 3
    assert min(far.adjusted.values()) > 0


@pytest.mark.parametrize("unit", [1e-13, 1e-6, 1e9])
def test_the_unit_of_the_rows_changes_no_p(unit: float) -> None:
    whole, scaled = (drift(FIRST * x, SECOND * x, seed=2, n_permutations=199) for x in (1.0, unit))
    assert scaled.adjusted == whole.adjusted


def test_blocks_of_deals_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = drift(FIRST, SECOND, seed=2, n_permutations=199)
    monkeypatch.setattr(sides, "BLOCK", 17)
    parted = drift(FIRST, SECOND, seed=2, n_permutations=199)
    assert sides.blocks(20) == [slice(0, 17), slice(17, 20)]
    assert parted.adjusted == whole.adjusted
    for one, other in ((parted.mmd, whole.mmd), (parted.energy, whole.energy), (parted.classifier, whole.classifier)):
        assert (one.value, one.p) == pytest.approx((other.value, other.p))


def test_equal_rows_and_samples() -> None:
    same = drift(np.full((20, 2), 0.1), np.full((20, 2), 0.1), seed=0, n_permutations=99)
    assert (same.found, same.energy.value, same.bandwidth, same.classifier.p) == ([], 0, 1, 1)
    rows = sample_rows(1000, 10, np.random.default_rng(0))
    assert (rows.size, int(np.diff(rows).min()) > 0) == (10, True)
    assert np.linalg.norm(directions(7, 4, np.random.default_rng(0)), axis=0) == pytest.approx(np.ones(4))


@pytest.mark.parametrize(
    ("first", "second", "options", "reason"),
    [
        (FIRST[:9], SECOND, {}, "10 rows at least"),
        (FIRST, SECOND[:, :2], {}, "3 dimensions cannot be set beside 2"),
        (FIRST, SECOND * np.nan, {}, "not finite"),
        (FIRST, SECOND * 1e200, {}, "too large"),
        (FIRST, SECOND, {"sample": 5}, "10 to 4000 rows"),
        (FIRST, SECOND, {"n_permutations": 98}, "99 permutations"),
        (FIRST, SECOND, {"n_permutations": 10_000}, "9999 permutations and 500 directions are the most"),
        (FIRST, SECOND, {"n_directions": 501}, "are the most, not 999 and 501"),
        (FIRST, SECOND, {"n_directions": 0}, "1 direction"),
        (FIRST, SECOND, {"alpha": 1.0}, "between 0 and 1"),
    ],
)
def test_what_is_refused(first: np.ndarray, second: np.ndarray, options: dict[str, float], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        drift(first, second, seed=0, **options)  # type: ignore[arg-type]


def test_pictures_show_the_rows_compared() -> None:
    rng = np.random.default_rng(8)
    reference, window = rng.normal(size=(3000, 5)), rng.normal(size=(500, 5)) + 3 * np.eye(5)[0]
    shift, first, second = seen(reference, window, seed=4, sample=1000)
    assert [each.line for each in (shift, first, second)] == ["shift", "1", "2"]
    for each in (shift, first, second):
        assert each.edges.size == each.reference.size + 1 == each.window.size + 1
        assert (each.reference.sum(), each.window.sum()) == (pytest.approx(1), pytest.approx(1))
    middle = (shift.edges[1:] + shift.edges[:-1]) / 2
    description = drift(reference, window, seed=4, n_permutations=99, n_directions=1)
    assert middle @ (shift.window - shift.reference) == pytest.approx(description.centroid.length, rel=0.05)
    rows = np.sort(np.random.default_rng(4).choice(3000, 1000, replace=False))  # as `drift` draws them
    (values,) = seen(reference[:, :1], window[:, :1], seed=4, sample=1000)
    inner = np.histogram(reference[rows, 0], values.edges)[0][1:-1] / 1000
    assert np.allclose(values.reference[1:-1], inner)


def test_pictures_of_equal_rows() -> None:
    (first, *_) = seen(np.ones((20, 2)), np.ones((20, 2)), seed=0, sample=100)
    assert first.reference.max() == first.window.max() == 1
