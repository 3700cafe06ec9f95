import random
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from evaluation.engine.measures import UnknownMeasureError, parse_measure
from evaluation.engine.options import Options
from evaluation.engine.sampled import (
    DEFAULT_OF_PROBABILITIES,
    DEFAULT_OF_STRATA,
    SAMPLED_MEASURES,
    Prels,
    SampledMeasure,
    evaluate_sampled,
    parse_sampled_measure,
)
from evaluation.engine.scorer import evaluate
from tests.evaluation.engine import plain
from tests.evaluation.engine.made import Grades, made_qrels, made_run, random_case
from tests.evaluation.engine.sampled import sampling
from tests.evaluation.engine.sampled.sampling import made_prels, made_stratified, strata_of

RATES = {"a": 1.0, "b": 0.5, "c": 0.2, "é": 0.0}


def measures(*names: str) -> list[SampledMeasure]:
    return [*map(parse_sampled_measure, names)]


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize(
    "options", [Options(), Options(ties="file", depth=9), Options(trec_eval=9)], ids=["docno", "file", "9"]
)
def test_strata_as_a_document_at_a_time(seed: int, options: Options) -> None:
    grades, scores = random_case(seed)
    pools = strata_of(grades, random.Random(seed), RATES)
    names = ["xinfAP", "xinfAP@4", "xinfAP(rel=2,eps=0.01)", "xinfAP(eps=0)", "infNDCG", "infNDCG@5", "statAP"]
    ours = evaluate_sampled(made_run(scores), made_stratified(pools), measures(*names), options=options)
    for number, value, n_relevant in zip(ours.numbers, ours.value, ours.n_relevant, strict=True):
        pool, ranking = pools[number], plain.ranked(scores.get(number, {}), grades[number], options)
        rate = {s: seen.judged / seen.pooled for s, seen in sampling.counts(pool).items()}
        expected = [
            sampling.xinf_ap(ranking, pool),
            sampling.xinf_ap(ranking, pool, k=4),
            sampling.xinf_ap(ranking, pool, rel=2, eps=Fraction(1, 100)),
            sampling.xinf_ap(ranking, pool, eps=Fraction(0)),
            sampling.inf_ndcg(ranking, pool),
            sampling.inf_ndcg(ranking, pool, k=5),
            sampling.stat_ap(ranking, {d: (g, rate[s]) for d, (s, g) in pool.items() if g >= 0}),
        ]
        assert value.tolist() == pytest.approx(expected, abs=1e-12), number
        assert n_relevant == pytest.approx(sampling.n_relevant(pool), abs=1e-12)


@pytest.mark.parametrize("seed", range(60))
def test_probabilities_as_a_document_at_a_time(seed: int) -> None:
    grades, scores = random_case(seed)
    rng = random.Random(seed)
    sample = {
        n: {d: (g, rng.choice([1.0, 0.5, 1 / 3, 0.01])) for d, g in judged.items()} for n, judged in grades.items()
    }
    names = ["statAP", "statAP@3", "statAP(rel=2)"]
    ours = evaluate_sampled(made_run(scores), made_prels(sample), measures(*names))
    for number, value in zip(ours.numbers, ours.value, strict=True):
        ranking = plain.ranked(scores.get(number, {}), {}, Options())
        expected = [sampling.stat_ap(ranking, sample[number], **how) for how in ({}, {"k": 3}, {"rel": 2})]
        assert value.tolist() == pytest.approx(expected, abs=1e-12), number


@pytest.mark.parametrize("seed", range(30))
def test_a_sample_of_everything_gives_the_plain_measures(seed: int) -> None:
    grades, scores = random_case(seed)
    grades = {n: {d: max(g, 0) for d, g in judged.items()} for n, judged in grades.items()}
    run, qrels = made_run(scores), made_qrels(grades)
    whole = made_stratified({n: {d: ("0", g) for d, g in judged.items()} for n, judged in grades.items()})
    certain = made_prels({n: {d: (g, 1.0) for d, g in judged.items()} for n, judged in grades.items()})
    names = ["AP", "AP(rel=2)", "nDCG", "nDCG@5"]
    in_part = measures("infNDCG(fractions='counted')", "infNDCG(fractions='counted')@5")
    true = evaluate(run, qrels, [*map(parse_measure, names)]).value
    stratified = evaluate_sampled(run, whole, measures("xinfAP(eps=0)", "xinfAP(eps=0,rel=2)", "infNDCG", "infNDCG@5"))
    by_chance = evaluate_sampled(run, certain, measures("statAP", "statAP(rel=2)"))
    np.testing.assert_allclose(stratified.value, true, rtol=0, atol=1e-14)
    np.testing.assert_allclose(evaluate_sampled(run, whole, in_part).value, true[:, 2:], rtol=0, atol=1e-14)
    assert not any(map(stratified.no_interval, range(4)))
    np.testing.assert_array_equal(by_chance.value, true[:, :2])
    n_relevant = [sum(g >= 1 for g in judged.values()) for number, judged in sorted(grades.items())]
    assert stratified.n_relevant.tolist() == by_chance.n_relevant.tolist() == n_relevant
    with_eps = evaluate_sampled(run, whole, measures("xinfAP"))
    np.testing.assert_allclose(with_eps.value[:, 0], true[:, 0], rtol=0, atol=1e-4)


def test_by_hand() -> None:
    """Retrieved are a, u, b, c, d; u is not pooled. Stratum x: a and b, both judged; y: c, d, e, f, half of it."""
    pool = {"a": ("x", 1), "b": ("x", 0), "c": ("y", -1), "d": ("y", 2), "e": ("y", 0), "f": ("y", -1)}
    run = made_run({"1": {"a": 5.0, "u": 4.0, "b": 3.0, "c": 2.0, "d": 1.0}})
    evaluation = evaluate_sampled(run, made_stratified({"1": pool}), measures("xinfAP(eps=0)", "infNDCG", "statAP"))
    assert evaluation.n_relevant.tolist() == [1 + 2]  # d stands for two
    xinf_ap = (1 + 2 * (1 + 2 * 1 / 2 + 0) / 5) / 3  # above d: of x one of two; of y one, none of it judged
    dcg = 1 / np.log2(2) + 2 * 2 / np.log2(6)  # of y two retrieved, one judged
    best = 2 / np.log2(2) + 2 / np.log2(3) + 1 / np.log2(4)
    stat_ap = (1 + 2 * (1 + 1) / 5) / 3
    assert evaluation.value[0].tolist() == pytest.approx([xinf_ap, dcg / best, stat_ap], abs=1e-15)


def test_fractions_of_documents_stand_between_ranks() -> None:
    """One of grade 2 that stands for 1.5 documents: one term at rank 1; three of grade 1: ranks 2.5, 3.5 and 4.5."""
    pool = {f"x{i}": ("x", grade) for i, grade in enumerate([2, 1, 1, -1])}
    n = made_stratified({"1": pool | {"y": ("x", -1)}})  # five pooled, three judged: 5/3 and 10/3
    best = 2 / np.log2(2) + sum(1 / np.log2(5 / 3 + i + 1) for i in (1, 2, 3))
    evaluation = evaluate_sampled(made_run({"1": {"x0": 1.0}}), n, measures("infNDCG"))
    assert evaluation.value[0, 0] == pytest.approx(2 / best, abs=1e-15)


def test_fractions_of_documents_can_be_counted() -> None:
    """As above: 2/3 of the term at rank 2 for grade 2, a third of that at rank 6 for grade 1; the cutoff cuts."""
    pool = {f"x{i}": ("x", grade) for i, grade in enumerate([2, 1, 1, -1])} | {"y": ("x", -1)}
    names = measures("infNDCG(fractions='counted')", "infNDCG(fractions='counted')@2")
    evaluation = evaluate_sampled(made_run({"1": {"x0": 1.0}}), made_stratified({"1": pool}), names)
    of_two = 2 / np.log2(2) + 2 / 3 * 2 / np.log2(3)
    of_one = sum(1 / np.log2(5 / 3 + i + 1) for i in (1, 2, 3)) + 1 / 3 / np.log2(5 / 3 + 3 + 2)
    assert evaluation.value[0, 0] == pytest.approx(2 / (of_two + of_one), abs=1e-12)
    assert evaluation.value[0, 1] == pytest.approx(2 / (of_two + 1 / np.log2(5 / 3 + 2)), abs=1e-12)
    with pytest.raises(ValueError, match="'dropped' or 'counted'"):
        measures("infNDCG(fractions='halved')")


def test_counting_fractions_brings_the_best_ranking_near_that_of_all_grades() -> None:
    """Half of 40 documents a topic: with fractions dropped infNDCG is too high by .02 or more."""
    rng, n_samples = random.Random(3), 60
    grades, scores = sampling.many(10, 5, size=40)
    pools = {f"{i}-{n}": pool for i in range(n_samples) for n, pool in strata_of(grades, rng, {"a": 0.55}).items()}
    copies = {f"{i}-{n}": docs for i in range(n_samples) for n, docs in scores.items()}
    names = measures("infNDCG", "infNDCG(fractions='counted')")
    means = evaluate_sampled(made_run(copies), made_stratified(pools), names).mean
    true = evaluate(made_run(scores), made_qrels(grades), [parse_measure("nDCG")]).mean[0]
    assert means[0] > true + 0.02
    assert means[1] == pytest.approx(true, abs=0.01)


def test_a_sum_of_quotients_that_is_whole_counts_as_whole() -> None:
    """2 · 4/3 + 6/3 + 8/6 = 6 relevant documents; in float64 the sum falls short by a bit."""
    assert 2 * 4 / 3 + 6 / 3 + 8 / 6 < 6
    pool = dict[str, tuple[str, int]]()
    for stratum, n_relevant, n_judged, n_pooled in (("x", 2, 3, 4), ("y", 1, 3, 6), ("z", 1, 6, 8)):
        grades = [1] * n_relevant + [0] * (n_judged - n_relevant) + [-1] * (n_pooled - n_judged)
        pool |= {f"{stratum}{i}": (stratum, grade) for i, grade in enumerate(grades)}
    evaluation = evaluate_sampled(made_run({"1": {"x0": 1.0}}), made_stratified({"1": pool}), measures("infNDCG"))
    assert evaluation.value[0, 0] == pytest.approx(1 / sum(1 / np.log2(rank + 1) for rank in range(1, 7)), abs=1e-15)


def test_who_is_missing_or_without_relevant_documents_is_named_and_counts_zero() -> None:
    pools = {"1": {"a": ("x", 1)}, "2": {"a": ("x", 0)}, "3": {"a": ("x", -1)}, "4": {"a": ("x", 1)}}
    run = made_run({"1": {"a": 1.0}, "2": {"a": 1.0}, "3": {"a": 1.0}, "9": {"a": 1.0}})
    names = measures(*DEFAULT_OF_STRATA)
    evaluation = evaluate_sampled(run, made_stratified(pools), names)
    assert evaluation.value.tolist() == [[1.0] * 3] + [[0.0] * 3] * 3
    assert evaluation.mean.tolist() == [0.25] * 3
    assert (evaluation.missing, evaluation.without_relevant, evaluation.unknown) == (("4",), ("2", "3"), ("9",))
    assert (evaluation.n_judged_rows, evaluation.n_tied_judged_rows, evaluation.top_grade) == (2, 0, 1)
    assert evaluate_sampled(run, made_stratified(pools), names, averaging="retrieved").mean.tolist() == [1 / 3] * 3


def test_the_mean_over_many_samples_is_near_the_true_value() -> None:
    """30 samples of 10 topics as 300 topics of one run.

    Quotients of estimates have a bias, which falls as one over the size of the pool (docs/measures.md gives figures):
    4 / 800 is allowed for it beside four standard errors.
    """
    n_samples, size, rng = 30, 800, random.Random(11)
    grades, scores = sampling.many(10, 5, size=size)
    pools = {
        f"{i}-{n}": pool for i in range(n_samples) for n, pool in strata_of(grades, rng, {"a": 0.8, "b": 0.4}).items()
    }
    copies = {f"{i}-{n}": docs for i in range(n_samples) for n, docs in scores.items()}
    evaluation = evaluate_sampled(made_run(copies), made_stratified(pools), measures("xinfAP", "infNDCG", "statAP"))
    true = evaluate(made_run(scores), made_qrels(grades), [*map(parse_measure, ("AP", "nDCG", "AP"))]).mean
    of = [int(number.split("-")[0]) for number in evaluation.numbers]
    for name, value, expected in zip(evaluation.measures, evaluation.value.T, true, strict=True):
        means = np.bincount(of, value) / len(grades)
        error = means.std(ddof=1) / np.sqrt(n_samples)
        assert error < 0.003
        assert abs(means.mean() - expected) < 4 * error + 4 / size, name


def test_estimated_sums_are_unbiased() -> None:
    """Documents drawn independently, each with a chance of its own: Horvitz and Thompson's sums have no bias at all."""
    n_samples, rng = 2000, random.Random(3)
    grades, scores = sampling.many(1, 2, size=100)
    chance = {docno: rng.choice([0.2, 0.5, 0.9]) for docno in grades["0"]}
    samples = {
        str(i): {d: (g if rng.random() < chance[d] else -1, chance[d]) for d, g in grades["0"].items()}
        for i in range(n_samples)
    }
    run = made_run({str(i): scores["0"] for i in range(n_samples)})
    evaluation = evaluate_sampled(run, made_prels(samples), measures("statAP"))
    sums = evaluation.value[:, 0] * evaluation.n_relevant  # of precisions
    n_relevant = sum(g >= 1 for g in grades["0"].values())
    true = evaluate(made_run(scores), made_qrels(grades), [parse_measure("AP")]).mean[0] * n_relevant
    for estimate, value in ((sums, true), (evaluation.n_relevant, n_relevant)):
        error = estimate.std(ddof=1) / np.sqrt(n_samples)
        assert error < 0.02 * value
        assert abs(estimate.mean() - value) < 4 * error


def test_every_measure_is_described() -> None:
    text = (Path(__file__).parents[4] / "docs" / "measures.md").read_text("utf-8")
    for family in SAMPLED_MEASURES:
        assert f"`{family.__module__.rpartition('.')[2]}.py`" in text
        assert f"**{family.family}**" in text
        assert [name for name in family.parameters() if f"`{name}`" not in text] == []


def test_names() -> None:
    for name in ("statAP", "statAP(rel=2)@10", "xinfAP@1000", "xinfAP(eps=0.001)", "infNDCG@1000"):
        assert str(parse_sampled_measure(name)) == name
    assert str(parse_sampled_measure("XINFAP(rel=1)")) == "xinfAP"
    assert [str(m) for m in measures(*DEFAULT_OF_PROBABILITIES)] == [*DEFAULT_OF_PROBABILITIES]
    assert {family.family for family in SAMPLED_MEASURES} == {"statAP", "xinfAP", "infNDCG"}
    with pytest.raises(UnknownMeasureError, match="no measure 'infNDGC'; the nearest are infNDCG"):
        parse_sampled_measure("infNDGC")
    with pytest.raises(ValueError, match="the eps of xinfAP is from 0 to 1"):
        parse_sampled_measure("xinfAP(eps=2)")


POOL: dict[str, dict[str, tuple[str, int]]] = {"1": {"a": ("x", 1)}}
RUN = {"1": {"a": 1.0}}


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (Options(judged_only=True), "the option judged_only does not go"),
        (Options(unjudged="top"), "the option unjudged does not go"),
        (Options(ties="averaged"), "the option ties does not go"),
        (Options(max_grade=4), "the option max_grade does not go"),
    ],
)
def test_options_that_contradict_a_sample(options: Options, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        evaluate_sampled(made_run(RUN), made_stratified(POOL), measures("statAP"), options=options)


def test_what_cannot_be_estimated_is_refused() -> None:
    run, certain = made_run(RUN), made_prels({"1": {"a": (1, 1.0)}})
    with pytest.raises(ValueError, match="xinfAP@1000 needs the strata of the pool"):
        evaluate_sampled(run, certain, measures("statAP", "xinfAP@1000"))
    with pytest.raises(ValueError, match="no measures to evaluate"):
        evaluate_sampled(run, certain, [])
    with pytest.raises(ValueError, match="averaging is 'complete' or 'retrieved'"):
        evaluate_sampled(run, certain, measures("statAP"), averaging="all")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=re.escape("run 'made' has none of the 1 topics of the sample")):
        evaluate_sampled(made_run({"2": {"a": 1.0}}), certain, measures("statAP"), averaging="retrieved")
    with pytest.raises(ValueError, match="statAP is estimated from a sample"):
        evaluate(run, made_qrels(Grades({"1": {"a": 1}})), measures("statAP"))


def test_samples_that_make_no_sense() -> None:
    for chance in (0.0, -0.5, 1e-10, 1.5, float("nan")):
        with pytest.raises(ValueError, match="an inclusion probability is from 1e-09 to 1"):
            Prels.with_probabilities(["1"], ["a"], [1], [chance])
    with pytest.raises(ValueError, match="columns of 1 and 2 rows"):
        Prels.with_probabilities(["1"], ["a"], [1], [1.0, 1.0])
    with pytest.raises(ValueError, match="no judged pair"):
        Prels.stratified([], [], [], [])
    with pytest.raises(ValueError, match="topic '1' has more than 100 strata"):
        Prels.stratified(["1"] * 101, [f"d{i}" for i in range(101)], [f"s{i}" for i in range(101)], [0] * 101)
