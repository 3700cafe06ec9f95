"""Gold never judges itself: accuracy on gold, and what a confidence is worth."""

from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from annotation.quality.calibration import Calibrator, calibrate, fit_calibrator
from annotation.quality.calibration.scores import by_tenths
from annotation.quality.consolidation import CONSOLIDATORS, MODELS
from annotation.quality.consolidation.weighted import smoothed_accuracy
from annotation.quality.crossfit import cross_fit, folds_of, found_in, joined, outcome_without
from annotation.quality.filtering import Reason
from annotation.quality.gold import gold_pairs
from annotation.quality.inputs import Inputs
from annotation.quality.policy import Policy
from annotation.quality.scale import Scale
from tests.annotation.quality.build import Judgment, inputs_of, table_of
from tests.annotation.quality.crowd import everybody, snow_rte, trec_rf10
from tests.annotation.quality.printed import table_under
from tests.annotation.quality.worked import worked_example


def simulated(*, n_topics: int = 6, seed: int = 4) -> Inputs:
    """Ten gold pairs a topic, judged by four people right in 9, 8, 6 and 4 of 10; the wrong ones anywhere."""
    rng = np.random.default_rng(seed)
    rows: list[Judgment] = []
    known: dict[tuple[str, str], int] = {}
    for topic in range(n_topics):
        for document in range(10):
            pair, truth = (f"{topic}", f"{topic}-{document}"), int(rng.integers(0, 5))
            known[pair] = truth
            for name, accuracy in {"a": 0.9, "b": 0.8, "c": 0.6, "d": 0.4}.items():
                grade = truth if rng.random() < accuracy else int(rng.integers(0, 5))
                rows.append((*pair, name, grade))
    return inputs_of(table_of(rows), gold=known)


def test_topics_are_dealt_to_folds_of_about_the_same_gold() -> None:
    known = {
        (topic, f"{topic}{i}"): 1 for topic, n in {"1": 5, "2": 1, "3": 4, "4": 2, "5": 0}.items() for i in range(n)
    }
    inputs = inputs_of(table_of([(*pair, "a", 1) for pair in known] + [("5", "x", "a", 1)]), gold=known)
    of_topic = [0] * 5 + [1] + [2] * 4 + [3] * 2
    for n_folds, fold in ((2, [0, 0, 1, 1]), (9, [0, 3, 1, 2])):
        folds = folds_of(inputs, n_folds=n_folds)
        assert (folds.by, folds.of_gold.tolist()) == ("topics", [fold[topic] for topic in of_topic])


@pytest.mark.parametrize("name", sorted(CONSOLIDATORS))
def test_no_pair_is_decided_with_its_own_gold(name: str) -> None:
    """Turning the gold of one topic upside down changes nothing of what is decided there, and all of what is right."""
    inputs, policy = simulated(), replace(everybody(name), accuracy_threshold=0.5)
    other = replace(inputs.gold, grade=inputs.gold.grade.copy(), accepted=inputs.gold.accepted.copy())
    there = inputs.gold.topic == 2
    grade = np.where(there, 4 - inputs.gold.grade, inputs.gold.grade)
    other = replace(other, grade=grade, accepted=np.arange(5) == grade[:, None])
    one, two = (cross_fit(replace(inputs, gold=gold), policy) for gold in (inputs.gold, other))
    of_topic = one.topic == 2
    for column in ("kept", "grade", "confidence", "reason"):
        assert getattr(one, column)[of_topic].tolist() == getattr(two, column)[of_topic].tolist()
    assert len(one) == 60


@pytest.mark.parametrize("name", sorted(CONSOLIDATORS))
@pytest.mark.parametrize("n_topics", [1, 6, 60])
def test_a_fold_is_decided_as_where_all_pairs_are(n_topics: int, name: str) -> None:
    """Some rules read nothing off other pairs. Nobody could judge the gold of topic 0."""
    inputs = simulated(n_topics=n_topics)
    grade = np.where((inputs.table.topic == 0) & (n_topics > 1), -1, inputs.table.grade)
    inputs = replace(inputs, table=replace(inputs.table, grade=grade))
    for policy in (everybody(name), replace(everybody(name), gold_pairs="judged", min_judgments=3)):
        folds = folds_of(inputs)
        parts = [found_in(inputs, outcome_without(inputs, policy, folds, {k}), folds, k) for k in folds.numbers]
        outcome, whole = cross_fit(inputs, policy, folds), joined(parts)
        for column in fields(outcome):
            assert getattr(outcome, column.name).tolist() == getattr(whole, column.name).tolist(), column.name


@pytest.mark.parametrize("name", ["majority", "dawid_skene"])
def test_no_confidence_is_valued_by_its_own_gold(name: str) -> None:
    """The probability of a topic's pairs is the same when all their gold is turned upside down."""
    inputs = simulated()
    grade = np.where(inputs.gold.topic == 2, 4 - inputs.gold.grade, inputs.gold.grade)
    other = replace(inputs, gold=replace(inputs.gold, grade=grade, accepted=np.arange(5) == grade[:, None]))
    of_topic = cross_fit(inputs, everybody(name)).topic == 2
    one, two = (calibrate(each, everybody(name)) for each in (inputs, other))
    assert one.probability[of_topic].tolist() == two.probability[of_topic].tolist()
    assert one.probability[~of_topic].tolist() != two.probability[~of_topic].tolist()


@pytest.mark.parametrize("name", MODELS)
def test_gold_that_is_seen_flatters(name: str) -> None:
    """Why it is hidden: held to its gold, a model is right on all of it; the vote is flattered by its weights."""
    inputs = simulated()
    seen = outcome_without(inputs, everybody(name), folds_of(inputs), ())
    hidden = cross_fit(inputs, everybody(name))
    assert 0.6 < hidden.accuracy < 1
    assert (seen.grade == inputs.gold.grade).mean() == 1  # gold is taken from the expert


def test_reliability_is_that_of_the_other_folds() -> None:
    """Somebody right in topic 1 alone is not believed there, where only the rest of the gold speaks."""
    known = {(t, f"{t}{i}"): 1 for t in "12" for i in range(4)}
    rows: list[Judgment] = [(t, d, "a", 1 if t == "1" else 3) for t, d in known]
    policy = Policy(min_gold=4, accuracy_threshold=0.9, min_judgments=1, gold_pairs="expert")
    outcome = cross_fit(inputs_of(table_of(rows), gold=known), policy)
    assert outcome.kept.tolist() == [False] * 4 + [True] * 4
    assert outcome.right.tolist() == [False] * 8
    assert outcome.reason[:4].tolist() == [Reason.TOO_FEW] * 4


def test_gold_of_one_topic_is_dealt_pair_by_pair() -> None:
    inputs = simulated(n_topics=1)
    folds = folds_of(inputs)
    assert (folds.by, np.bincount(folds.of_gold).tolist()) == ("pairs", [2] * 5)
    result = cross_fit(inputs, everybody("median"))
    assert (len(result), result.n_kept) == (10, 10)
    calibration = calibrate(inputs, everybody("median"))
    assert (calibration.n_gold, calibration.n_folds, calibration.dealt) == (10, 5, "pairs")
    assert (calibration.probability != 0.5).all()


@pytest.mark.parametrize("name", ["accuracy_weighted", "dawid_skene"])
def test_no_pair_of_a_single_topic_is_decided_with_its_own_gold(name: str) -> None:
    inputs = simulated(n_topics=1)
    hidden = folds_of(inputs).of_gold == 2
    grade = np.where(hidden, 4 - inputs.gold.grade, inputs.gold.grade)
    gold = replace(inputs.gold, grade=grade, accepted=np.arange(5) == grade[:, None])
    folds = folds_of(inputs)
    one, two = (cross_fit(replace(inputs, gold=each), everybody(name), folds) for each in (inputs.gold, gold))
    for column in ("kept", "grade", "confidence", "reason"):
        assert getattr(one, column)[one.fold == 2].tolist() == getattr(two, column)[two.fold == 2].tolist()


def test_two_topics_are_left_out_in_turn_and_corrected_by_pairs() -> None:
    inputs = simulated(n_topics=2)
    assert folds_of(inputs).by == "topics"
    assert calibrate(inputs, everybody("median")).dealt == "pairs"


def test_a_single_gold_pair_cannot_be_cross_fitted() -> None:
    inputs = inputs_of(table_of([("1", "x", "a", 1), ("1", "y", "a", 1)]), gold={("1", "x"): 1})
    result = cross_fit(inputs, everybody("median"))
    assert (len(result), result.n_kept, np.isnan(result.accuracy)) == (0, 0, True)
    nothing = cross_fit(inputs_of(inputs.table), everybody("median"))
    assert len(nothing) == 0


def test_gold_that_nobody_judged_or_that_was_decided_is_not_asked_about() -> None:
    known = {("1", "x"): 1, ("1", "y"): 1, ("2", "x"): 1, ("2", "y"): 2}
    table = table_of([("1", "x", "a", 1), ("2", "x", "a", 3), ("2", "y", "a", 2)], further_pairs=[("1", "y")])
    outcome = cross_fit(inputs_of(table, gold=known, decided={("2", "x"): 1}), everybody("median"))
    assert list(zip(outcome.topic.tolist(), outcome.document.tolist(), strict=True)) == [(0, 0), (1, 1)]
    assert outcome.accuracy == 1


def test_a_calibrator_finds_the_curve() -> None:
    rng = np.random.default_rng(5)
    confidence = rng.uniform(0.02, 0.98, 20_000)
    true = Calibrator(0.5, -0.4).probability(confidence)
    calibrator = fit_calibrator(confidence, rng.random(20_000) < true)
    assert [calibrator.slope, calibrator.offset] == pytest.approx([0.5, -0.4], abs=0.05)


@pytest.mark.parametrize("n", [5, 40, 300])
def test_a_curve_is_platts(n: int) -> None:
    """scipy climbs the same likelihood: log odds, and his targets (N₊ + 1) / (N₊ + 2) and 1 / (N₋ + 2)."""
    rng = np.random.default_rng(n)
    confidence = np.append(rng.uniform(0, 1, n - 2), [0.0, 1.0])
    right = rng.random(n) < 0.2 + 0.6 * confidence
    x = np.log(np.clip(confidence, 1e-3, 0.999) / (1 - np.clip(confidence, 1e-3, 0.999)))
    target = np.where(right, (right.sum() + 1) / (right.sum() + 2), 1 / ((~right).sum() + 2))

    def doubt(theta: tuple[float, float]) -> float:
        z = theta[0] * x + theta[1]
        return float((np.logaddexp(0, z) - target * z).sum())

    best = minimize(doubt, (1.0, 0.0), bounds=[(0, None), (None, None)], options={"ftol": 1e-15, "gtol": 1e-10})
    calibrator = fit_calibrator(confidence, right)
    assert (calibrator.slope, calibrator.offset) == pytest.approx(tuple(best.x), abs=1e-4)


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=30))
def test_a_probability_never_falls_with_the_confidence(rows: list[tuple[float, bool]]) -> None:
    calibrator = fit_calibrator(np.array([c for c, _ in rows]), np.array([r for _, r in rows], dtype=bool))
    probability = calibrator.probability(np.linspace(0, 1, 21))
    assert (np.diff(probability) >= 0).all()
    assert ((probability >= 0) & (probability <= 1)).all()


def test_confidence_is_worth_what_the_other_folds_say() -> None:
    outcome = calibrate(simulated(n_topics=30), everybody("dawid_skene"))
    assert len(outcome.confidence) == 300
    assert outcome.probability.mean() == pytest.approx(outcome.right.mean(), abs=0.03)
    of_both = (outcome.confidence, outcome.probability)
    brier, calibrated = (((each - outcome.right) ** 2).mean() for each in of_both)
    assert calibrated < brier + 0.01


@pytest.mark.parametrize("n_gold", [1, 2])
def test_without_a_third_gold_pair_nothing_is_learned(n_gold: int) -> None:
    known = {("1", f"d{i}"): 1 for i in range(n_gold)}
    inputs = inputs_of(table_of([(*pair, "a", 1) for pair in known]), gold=known)
    assert set(calibrate(inputs, everybody("majority")).probability.tolist()) <= {0.5}


def test_confidence_by_tenths() -> None:
    n, confidence, was = by_tenths(np.array([0.05, 0.95, 1.0, 0.92]), np.array([False, True, True, False]))
    assert n.tolist() == [1, *[0] * 8, 3]
    assert (confidence[9], was[9]) == (pytest.approx(2.87 / 3), pytest.approx(2 / 3))
    assert np.isnan(confidence[1:9]).all()


RULES = ("median", "majority", "mean", "accuracy_weighted", "dawid_skene", "ordinal", "mace")


def printed(row: int) -> dict[str, float]:
    """Shares right of gold, cross-fitted, everybody believed and nothing filtered: a change of a method shows here."""
    _, *shares = table_under("| share right of gold |")[row]
    return dict(zip(RULES, map(float, shares), strict=True))


@pytest.mark.shared
def test_accuracy_of_each_rule_on_rf10(shared_data: Path) -> None:
    """Majority: 1555 of 3275, `reference_agreement.tsv`. Weights and models are better by far, the mean is worse."""
    inputs = trec_rf10(shared_data)
    by_rule = {name: cross_fit(inputs, everybody(name)) for name in RULES}
    assert by_rule["majority"].n_right / len(by_rule["majority"]) == pytest.approx(0.474809, abs=1e-6)
    assert {name: each.accuracy for name, each in by_rule.items()} == pytest.approx(printed(0), abs=0.001)
    assert min(by_rule[name].accuracy for name in MODELS) > by_rule["majority"].accuracy + 0.02


@pytest.mark.shared
def test_accuracy_of_each_rule_on_rte(shared_data: Path) -> None:
    """Majority: .91875, `reference_agreement.tsv`; ties split, .8969 (Zhang et al. 2014, `mv_fractional_tie_rte`)."""
    inputs = snow_rte(shared_data)
    by_rule = {name: cross_fit(inputs, everybody(name)) for name in RULES}
    assert by_rule["majority"].accuracy == pytest.approx(0.91875, abs=1e-9)
    assert {name: each.accuracy for name, each in by_rule.items()} == pytest.approx(printed(1), abs=0.001)
    assert min(by_rule[name].accuracy for name in MODELS) > by_rule["majority"].accuracy
    alone = cross_fit(inputs, everybody("plurality"))
    tied = (~alone.kept).sum()
    example = worked_example(shared_data, "mv_fractional_tie_rte")
    assert (alone.n_right + tied / 2) / 800 == pytest.approx(example["expected"]["accuracy"], abs=example["tolerance"])


@pytest.mark.shared
def test_worked_example_of_smoothed_accuracy(shared_data: Path) -> None:
    example = worked_example(shared_data, "toloka_dynamic_overlap_accuracy")
    n_correct, n_gold = np.array(example["input"]["pairs"]).T
    smoothed = smoothed_accuracy(n_correct, n_gold, k=example["input"]["K"])
    np.testing.assert_allclose(smoothed, example["expected"]["q"], rtol=0, atol=example["tolerance"])


def test_a_set_of_accepted_grades_is_right() -> None:
    table = table_of([("1", "x", "a", 1), ("2", "x", "a", 2)])
    gold = gold_pairs(
        table, number=["1", "2"], docno=["x", "x"], grade=[0, 0], accepted=[{0, 1}, {0, 1}], scale=Scale()
    )
    outcome = cross_fit(replace(inputs_of(table), gold=gold), everybody("median"))
    assert outcome.right.tolist() == [True, False]
