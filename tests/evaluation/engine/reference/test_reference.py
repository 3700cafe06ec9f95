"""Models beside a reference: against brute force over sorted scores, scipy and scikit-learn."""

import math

import numpy as np
import pytest
from scipy.stats import kendalltau, spearmanr, ttest_rel
from sklearn.metrics import ndcg_score
from sklearn.metrics.pairwise import cosine_similarity

from evaluation.engine.comparison import Design
from evaluation.engine.reference.comparison import (
    Plan,
    ReferenceComparison,
    compare_with_reference,
    paired_tests,
    similarity_table,
)
from evaluation.engine.reference.models import Model, aligned, sampled_rows
from evaluation.engine.reference.similarities import kendall, spearman
from evaluation.engine.reference.targets import compare_with_targets, paired_errors
from evaluation.engine.vectors.exact import Similarity

N, DIM = 60, 8
DOCNO = [f"d{n}" for n in range(N)]
CUTOFFS = (1, 3, 7)


def model(name: str, seed: int, *, noise: float, apart: bool = False) -> Model:
    base, own = np.random.default_rng(1), np.random.default_rng(seed)
    document = (base.standard_normal((N, DIM)) + noise * own.standard_normal((N, DIM))).astype(np.float32)
    query = (base.standard_normal((20, DIM)) + noise * own.standard_normal((20, DIM))).astype(np.float32)
    numbers = [f"q{n}" for n in range(20)]
    return Model(name, document, DOCNO, query, numbers) if apart else Model(name, document, DOCNO)


@pytest.fixture(scope="module", params=[False, True], ids=["documents are queries", "queries apart"])
def compared(request: pytest.FixtureRequest) -> tuple[list[Model], ReferenceComparison]:
    models = [
        model(name, seed, noise=seed / 4, apart=request.param) for seed, name in enumerate(["ref", "near", "far"])
    ]
    plan = Plan(n_queries=12, cutoffs=CUTOFFS, n_documents=30)
    return models, compare_with_reference(models[0], models[1:], plan, rng=np.random.default_rng(5))


def order_of(one: Model, number: str) -> list[str]:
    query = one.query_vectors[one.query_ids.index(number)]
    score = cosine_similarity(query[None].astype(float), one.document.astype(float))[0]
    names = [name for name in one.docno if one.query is not None or name != number]
    return sorted(names, key=lambda name: -score[DOCNO.index(name)])


def overlap(first: list[str], second: list[str], k: int, p: float = 0.9) -> float:
    """RBO extrapolated, as in Webber's equation 32 for equal lengths."""
    shared = [len(set(first[:d]) & set(second[:d])) for d in range(1, k + 1)]
    terms = sum(x / d * p**d for d, x in enumerate(shared, 1))
    return shared[-1] / k * p**k + (1 - p) / p * terms


def by_hand(reference: list[str], ranking: list[str], k: int) -> list[float]:
    hit = [name in reference[:k] for name in ranking[:k]]
    at = [sum(hit[: r + 1]) / (r + 1) for r in range(k) if hit[r]]
    first = next((1 / (r + 1) for r in range(k) if hit[r]), 0.0)
    gain = sum(h / math.log2(r + 2) for r, h in enumerate(hit)) / sum(1 / math.log2(r + 2) for r in range(k))
    return [sum(hit) / k, gain, first, float(np.mean(at)) if at else 0.0, overlap(reference, ranking, k)]


def test_tops_by_hand(compared: tuple[list[Model], ReferenceComparison]) -> None:
    models, result = compared
    assert len(result.numbers) == 12
    assert list(result.numbers) == sorted(result.numbers, key=str.encode)
    for place, one in enumerate(models[1:]):
        for row, number in enumerate(result.numbers):
            orders = order_of(models[0], number), order_of(one, number)
            expected = [value for k in CUTOFFS for value in by_hand(*orders, k)]
            assert result.models[place].value[row, :-3] == pytest.approx(expected, abs=1e-12)


def test_ndcg_as_scikit_learn_has_it(compared: tuple[list[Model], ReferenceComparison]) -> None:
    models, result = compared
    for row, number in enumerate(result.numbers):
        tops, ranking = order_of(models[0], number)[:7], order_of(models[2], number)
        relevant, score = [name in tops for name in ranking], list(range(len(ranking), 0, -1))
        at = result.column("nDCG@7")[row, 1]
        assert at == pytest.approx(ndcg_score([relevant], [score], k=7), abs=1e-12)


def test_similarities_as_scipy_has_them(compared: tuple[list[Model], ReferenceComparison]) -> None:
    models, result = compared
    row = sampled_rows(N if models[0].query is None else 20, 12, rng := np.random.default_rng(5))
    drawn = sampled_rows(N, 30, rng)
    shuffled = sorted(range(N), key=lambda n: DOCNO[n].encode())  # as `aligned` puts them
    names = [DOCNO[shuffled[d]] for d in drawn]
    assert (result.n_compared, len(row)) == (30, 12)
    for place, number in enumerate(result.numbers):
        kept = [DOCNO.index(name) for name in names if models[0].query is not None or name != number]
        first, second = (
            cosine_similarity(one.query_vectors[[one.query_ids.index(number)]].astype(float), one.document[kept])[0]
            for one in (models[0], models[2])
        )
        expected = [spearmanr(first, second)[0], kendalltau(first, second)[0], np.abs(first - second).mean()]
        assert result.models[1].value[place, -3:] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("n", [2, 3, 17, 64, 200])
@pytest.mark.parametrize("distinct", [2, 5, 1000])
def test_correlations_with_ties_as_scipy_has_them(n: int, distinct: int) -> None:
    rng = np.random.default_rng(n * distinct)
    first, second = (rng.integers(0, distinct, n).astype(float) for _ in range(2))
    if np.ptp(first) == 0 or np.ptp(second) == 0:
        assert (math.isnan(spearman(first, second)), math.isnan(kendall(first, second))) == (True, True)
        return
    assert spearman(first, second) == pytest.approx(spearmanr(first, second)[0], abs=1e-12)
    assert kendall(first, second) == pytest.approx(kendalltau(first, second)[0], abs=1e-12)


def test_a_model_beside_itself_and_one_beside_its_mirror() -> None:
    one = model("one", 3, noise=1)
    other = Model("scaled", one.document * np.float32(3), DOCNO)
    result = compare_with_reference(one, [other], Plan(20, (1, 5), 60), rng=np.random.default_rng(1))
    expected = [1.0] * 10 + [1.0, 1.0, 0.0]
    assert result.models[0].mean == pytest.approx(expected, abs=1e-7)
    assert result.models[0].deviation == pytest.approx(np.zeros(13), abs=1e-6)
    assert spearman(np.arange(9.0), -np.arange(9.0)) == pytest.approx(-1)
    assert kendall(np.arange(9.0), -np.arange(9.0)) == pytest.approx(-1)


def test_only_what_all_have_counts_in_whatever_order() -> None:
    models = [model("ref", 0, noise=0), model("near", 1, noise=0.3)]
    turned = Model("near", models[1].document[::-1].copy(), DOCNO[::-1])
    more = Model("ref", np.vstack([models[0].document, np.ones((1, DIM), np.float32)]), [*DOCNO, "alone"])
    plan, results = Plan(10, (1, 5), 20), []
    for reference, other in (models, (more, turned)):
        results.append(compare_with_reference(reference, [other], plan, rng=np.random.default_rng(2)))
    assert results[0].models[0].value.tobytes() == results[1].models[0].value.tobytes()
    assert [one.n_alone for one in results] == [0, 1]


def test_models_side_by_side(compared: tuple[list[Model], ReferenceComparison]) -> None:
    result = compared[1]
    pairs = paired_tests(result, "R@7", Design(test="t", correction="none"), seed=1)
    assert pairs is not None
    near, far = result.column("R@7").T
    assert pairs.mean_difference[0] == pytest.approx(near.mean() - far.mean())
    assert pairs.p[0] == pytest.approx(ttest_rel(near, far).pvalue, rel=1e-9)
    alone = compare_with_reference(compared[0][0], compared[0][1:2], Plan(4, (1,), 5), rng=np.random.default_rng(1))
    assert paired_tests(alone, "R@1", Design(), seed=1) is None


@pytest.mark.parametrize("similarity", ["cosine", "inner", "euclidean"])
def test_a_table_of_similarities(similarity: Similarity) -> None:
    query, document = (np.random.default_rng(s).standard_normal((n, 5)).astype(np.float32) for s, n in ((1, 3), (2, 4)))
    exact = query.astype(float), document.astype(float)
    expected = {
        "cosine": cosine_similarity(*exact),
        "inner": exact[0] @ exact[1].T,
        "euclidean": -np.linalg.norm(exact[0][:, None] - exact[1], axis=2),
    }[similarity]
    assert similarity_table(query, document, similarity) == pytest.approx(expected, abs=1e-12)


def test_targets_beside_scipy() -> None:
    models = [model("near", 1, noise=0.2), model("far", 2, noise=2)]
    rows = (np.arange(0, 40), np.arange(1, 41))
    base = model("ref", 0, noise=0)
    exact = base.document.astype(float)
    target = np.asarray(np.diag(cosine_similarity(exact[rows[0]], exact[rows[1]])), np.float64).round(1)
    result = compare_with_targets(models, [rows, rows], target, "cosine", seed=3)
    for one, values in zip(models, result.models, strict=True):
        similarity = np.diag(
            cosine_similarity(one.document[rows[0]].astype(float), one.document[rows[1]].astype(float))
        )
        expected = [spearmanr(similarity, target)[0], kendalltau(similarity, target)[0]]
        assert values.mean == pytest.approx([*expected, np.abs(similarity - target).mean()], abs=1e-9)
        assert values.deviation[2] == pytest.approx(np.abs(similarity - target).std(ddof=1))
        draws = np.random.default_rng(9).integers(0, 40, (400, 40))
        resampled = [spearmanr(similarity[d], target[d])[0] for d in draws]
        assert values.deviation[0] == pytest.approx(np.std(resampled), rel=0.25)
    pairs = paired_errors(result, Design(test="t", correction="none"), seed=1)
    assert pairs is not None
    assert pairs.p[0] == pytest.approx(ttest_rel(*(one.error for one in result.models)).pvalue, rel=1e-9)


def test_refusals() -> None:
    one, apart = model("one", 0, noise=0), model("two", 1, noise=1, apart=True)
    rng = np.random.default_rng(1)
    with pytest.raises(ValueError, match="two models have one name: one"):
        aligned([one, one])
    with pytest.raises(ValueError, match="give all of them, or none"):
        aligned([one, apart])
    with pytest.raises(ValueError, match="share no document"):
        aligned([one, Model("else", one.document, [f"e{n}" for n in range(N)])])
    with pytest.raises(ValueError, match="with a model at least"):
        compare_with_reference(one, [], Plan(), rng=rng)
    with pytest.raises(ValueError, match="the models share 59 documents"):
        compare_with_reference(one, [model("far", 1, noise=1)], Plan(cutoffs=(60,)), rng=rng)
    for wrong in ({"n_queries": 0}, {"cutoffs": (3, 1)}, {"cutoffs": ()}, {"n_documents": 2}):
        with pytest.raises(ValueError, match=r"takes a query at least|cutoffs are different"):
            Plan(**wrong)
    with pytest.raises(ValueError, match="3 pairs at least"):
        compare_with_targets([one], [(np.arange(2), np.arange(2))], np.zeros(2), "cosine", seed=1)
