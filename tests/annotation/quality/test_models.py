"""Models of how people err: against plain slow ones, on simulated campaigns, and where they have little to go by."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from annotation.quality.arrays import Floats, Ints
from annotation.quality.consolidation import (
    CONSOLIDATORS,
    MODELS,
    Known,
    nothing_known,
)
from annotation.quality.consolidation.dawid_skene import dawid_skene_grade, fit_dawid_skene
from annotation.quality.consolidation.em import Fit
from annotation.quality.consolidation.mace import fit_mace, mace_grade
from annotation.quality.consolidation.ordinal import Ruler, fit_ordinal, lenient_and_sharp, ordinal_grade, ruler_of
from annotation.quality.consolidation.weighted import smoothed_accuracy, weighted_grade
from annotation.quality.filtering import Reason
from annotation.quality.scale import Scale
from annotation.quality.votes import Votes

THREE = Scale((0, 1, 2))
NOTHING = nothing_known(THREE)


def campaign(
    confusion: Floats,
    *,
    n_pairs: int = 600,
    per_pair: int = 5,
    seed: int = 6,
    prior: tuple[float, ...] = (0.5, 0.3, 0.2),
) -> tuple[Votes, Ints]:
    """Votes by people with these matrices, (n_annotators, true, given), and the truth."""
    rng = np.random.default_rng(seed)
    n_annotators, n_grades, _ = confusion.shape
    truth = rng.choice(n_grades, n_pairs, p=prior)
    who = np.argsort(rng.random((n_pairs, n_annotators)), axis=1)[:, :per_pair]  # (n_pairs, per_pair)
    pair, annotator = np.repeat(np.arange(n_pairs), per_pair), who.ravel()
    edges = confusion[annotator, truth[pair]].cumsum(axis=1)
    grade = (rng.random(len(pair))[:, None] > edges[:, :-1]).sum(axis=1)
    return Votes(pair, annotator, grade, n_pairs), truth


def careless(n: int, accuracy: float) -> Floats:
    return np.tile(np.eye(3) * accuracy + (1 - np.eye(3)) * (1 - accuracy) / 2, (n, 1, 1))


def known_of(truth: Ints, pair: Ints, *, n_gold: Ints | None = None, n_correct: Ints | None = None) -> Known:
    none = np.zeros(0, dtype=np.int64)
    accepted = np.arange(3) == truth[pair][:, None]
    return Known(pair, accepted, none if n_gold is None else n_gold, none if n_correct is None else n_correct)


def slow_dawid_skene(votes: Votes, n_grades: int, n_rounds: int) -> list[list[float]]:
    """The paper's steps without smoothing, vote by vote."""
    rows = list(zip(votes.pair.tolist(), votes.annotator.tolist(), votes.grade.tolist(), strict=True))
    every = range(n_grades)
    of_pair: dict[int, list[tuple[int, int]]] = {i: [] for i in range(votes.n_pairs)}
    for i, a, g in rows:
        of_pair[i].append((a, g))
    chance = [[sum(g == t for _, g in of_pair[i]) / len(of_pair[i]) for t in every] for i in of_pair]
    for _ in range(n_rounds):
        prior = [sum(row[t] for row in chance) / len(chance) for t in every]
        count = {(a, g, t): 0.0 for _, a, g in rows for t in every}
        for i, a, g in rows:
            for t in every:
                count[a, g, t] += chance[i][t]
        total = {(a, t): sum(count.get((a, g, t), 0.0) for g in every) for _, a, _ in rows for t in every}
        chance = []
        for grades in of_pair.values():
            joint = [prior[t] * math.prod(count[a, g, t] / total[a, t] for a, g in grades) for t in every]
            chance.append([value / sum(joint) for value in joint])
    return chance


@pytest.mark.parametrize("n_rounds", [1, 2, 7])
def test_dawid_skene_without_smoothing_is_that_of_the_paper(n_rounds: int) -> None:
    votes, _ = campaign(careless(8, 0.7), n_pairs=60)
    model = fit_dawid_skene(
        votes, THREE, NOTHING, smoothing=0, prior_count=0, tolerance=-math.inf, most_rounds=n_rounds
    )
    assert model.n_rounds == n_rounds
    np.testing.assert_allclose(model.posterior, slow_dawid_skene(votes, 3, n_rounds), rtol=0, atol=1e-9)


def test_dawid_skene_finds_the_confusion_of_each_person() -> None:
    lenient = np.array([[0.2, 0.7, 0.1], [0.0, 0.3, 0.7], [0.0, 0.1, 0.9]])
    true = np.concatenate([careless(6, 0.85), careless(3, 0.6), lenient[None]])
    votes, truth = campaign(true, n_pairs=3000, per_pair=6)
    model = fit_dawid_skene(votes, THREE, NOTHING)
    matrix = np.exp(model.log_confusion).transpose(0, 2, 1)  # (n_voters, true, given)
    assert np.abs(matrix - true).max() < 0.07
    assert model.prior == pytest.approx([0.5, 0.3, 0.2], abs=0.03)
    right = (dawid_skene_grade(votes, THREE, NOTHING).grade == truth).mean()
    assert right > (CONSOLIDATORS["majority"](votes, THREE, NOTHING).grade == truth).mean()


@pytest.mark.parametrize("fitted", [fit_dawid_skene, fit_ordinal, fit_mace])
def test_pairs_that_nobody_has_judged_yet_change_nothing(fitted: Callable[[Votes, Scale, Known], Fit]) -> None:
    """However many of them a layout has, known or not: theirs is the prior."""
    votes, truth = campaign(careless(8, 0.6), n_pairs=300, per_pair=3, prior=(0.8, 0.15, 0.05))
    laid = Votes(votes.pair, votes.annotator, votes.grade, 10_300)
    model, beside = (
        fitted(votes, THREE, known_of(truth, np.arange(9))),
        fitted(laid, THREE, known_of(np.append(truth, 2), np.array([*range(9), 300]))),
    )
    assert (model.n_rounds, model.prior.tolist()) == (beside.n_rounds, beside.prior.tolist())
    np.testing.assert_array_equal(beside.posterior[:300], model.posterior)
    assert beside.posterior[300].tolist() == [0.0, 0.0, 1.0]
    assert (beside.posterior[301:] == model.prior).all()


def test_mace_finds_who_does_not_look_and_what_they_answer() -> None:
    blind = np.tile([0.1, 0.8, 0.1], (3, 1))
    votes, truth = campaign(np.concatenate([careless(6, 0.9), np.tile(blind, (4, 1, 1))]), n_pairs=2000, per_pair=7)
    confusion = np.exp(fit_mace(votes, THREE, NOTHING).log_confusion)  # (n_voters, given, true)
    beside = confusion[:, 1, 0]  # s ξ(1)
    assert (beside[:6] < 0.12).all()
    assert (beside[6:] > 0.7).all()
    assert (mace_grade(votes, THREE, NOTHING).grade == truth).mean() > 0.95


def test_the_ordinal_model_finds_leniency_and_sharpness() -> None:
    ruler = Ruler(ruler_of(campaign(careless(5, 0.8))[0], THREE).feature, np.zeros((3, 1)))
    theta = np.array([[1.5, 2.0], [-1.5, 2.0], *[[0.0, 3.0]] * 8])
    true = np.exp(ruler.log_confusion(theta)).transpose(0, 2, 1)
    votes, truth = campaign(true, n_pairs=3000, per_pair=6)
    matrix = np.exp(fit_ordinal(votes, THREE, NOTHING).log_confusion).transpose(0, 2, 1)
    assert np.abs(matrix - true).max() < 0.12
    assert (ordinal_grade(votes, THREE, NOTHING).grade == truth).mean() > 0.9


def test_newton_finds_what_made_the_counts() -> None:
    ruler = Ruler(ruler_of(campaign(careless(5, 0.8))[0], THREE).feature, np.log([[0.5], [0.3], [0.2]]))
    theta = np.array([[0.0, 1.0], [0.8, 2.5], [-1.2, 0.3], [0.0, 0.0]])
    counts = 1000 * np.exp(ruler.log_confusion(theta))
    np.testing.assert_allclose(lenient_and_sharp(counts, ruler), theta, atol=1e-6)


def test_somebody_worse_than_blind_has_no_sharpness_below_0() -> None:
    ruler = Ruler(ruler_of(campaign(careless(5, 0.8))[0], THREE).feature, np.zeros((3, 1)))
    assert lenient_and_sharp(np.array([[[0.0, 5, 9], [5, 0, 5], [9, 5, 0]]]), ruler)[0, 1] == 0


@pytest.mark.parametrize("scale", [THREE, Scale((0, 1)), Scale((0, 3, 4))])
def test_the_likelihood_never_falls_without_a_prior(scale: Scale) -> None:
    votes, _ = campaign(careless(9, 0.6), n_pairs=200)
    places = np.minimum(votes.grade, len(scale.grades) - 1)
    votes = Votes(votes.pair, votes.annotator, scale.values[places], votes.n_pairs)
    known = nothing_known(scale)
    rounds = [
        fit_dawid_skene(votes, scale, known, smoothing=0, prior_count=0, most_rounds=n, tolerance=-math.inf)
        for n in range(1, 9)
    ]
    assert (np.diff([each.log_likelihood for each in rounds]) > -1e-9).all()


def test_rounds_end_at_the_tolerance_or_at_the_most() -> None:
    votes, _ = campaign(careless(9, 0.6), n_pairs=200)
    loose, tight = (fit_dawid_skene(votes, THREE, NOTHING, tolerance=each) for each in (1e-2, 1e-7))
    assert loose.n_rounds < tight.n_rounds <= 100
    assert fit_dawid_skene(votes, THREE, NOTHING, tolerance=0, most_rounds=3).n_rounds == 3


GoldFit = Callable[[Votes, Scale, Known], Fit]


@pytest.mark.parametrize("fit", [fit_dawid_skene, fit_ordinal, fit_mace])
def test_gold_holds_its_pairs_and_helps_the_others(fit: GoldFit) -> None:
    """Most people are wrong in the same way; a little gold says which way round the world is."""
    wrong = np.tile(np.array([[0.1, 0.8, 0.1], [0.8, 0.1, 0.1], [0.1, 0.1, 0.8]]), (7, 1, 1))
    votes, truth = campaign(np.concatenate([wrong, careless(4, 0.9)]), n_pairs=900, per_pair=6)
    known = known_of(truth, np.arange(0, 900, 3))
    model = fit(votes, THREE, known)
    assert (model.posterior.argmax(axis=1)[known.pair] == truth[known.pair]).all()
    assert model.posterior[known.pair].max(axis=1) == pytest.approx(1.0)
    others = np.setdiff1d(np.arange(900), known.pair)
    with_gold, without = (
        (each.posterior.argmax(axis=1)[others] == truth[others]).mean() for each in (model, fit(votes, THREE, NOTHING))
    )
    assert with_gold > without


def test_gold_that_accepts_two_grades_leaves_the_choice_between_them() -> None:
    votes, _ = campaign(careless(6, 0.8), n_pairs=50)
    accepted = np.array([[False, True, True]])
    none = np.zeros(0, dtype=np.int64)
    model = fit_dawid_skene(votes, THREE, Known(np.array([4]), accepted, none, none))
    assert model.posterior[4, 0] == 0
    assert model.posterior[4, 1:].sum() == pytest.approx(1)


def test_gold_that_nobody_hit_is_still_held() -> None:
    votes = Votes(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]), np.array([0, 0, 1, 1]), 2)
    for fit in (fit_dawid_skene, fit_ordinal, fit_mace):
        assert fit(votes, THREE, known_of(np.array([2, 1]), np.array([0]))).posterior[0].tolist() == [0, 0, 1]


@pytest.mark.parametrize("name", MODELS)
def test_one_annotator_keeps_their_own_grades(name: str) -> None:
    grade = np.array([0, 1, 2, 0, 0, 1, 0, 2])
    votes = Votes(np.arange(8), np.zeros(8, dtype=np.int64), grade, 8)
    outcome = CONSOLIDATORS[name](votes, THREE, NOTHING)
    assert outcome.reason.tolist() == [Reason.KEPT] * 8
    if name != "ordinal":  # one person says too little about how far apart the grades are
        assert outcome.grade.tolist() == grade.tolist()


@pytest.mark.parametrize("name", MODELS)
def test_the_same_grade_everywhere(name: str) -> None:
    votes = Votes(np.repeat(np.arange(40), 3), np.tile(np.arange(3), 40), np.full(120, 2), 40)
    outcome = CONSOLIDATORS[name](votes, THREE, NOTHING)
    assert (set(outcome.grade.tolist()), set(outcome.reason.tolist())) == ({2}, {Reason.KEPT})
    assert (outcome.confidence > (1 / 3 if name == "mace" else 0.9)).all()  # to MACE it may be people who do not look


@pytest.mark.parametrize("name", MODELS)
def test_codes_of_people_who_did_not_vote_change_nothing(name: str) -> None:
    votes, _ = campaign(careless(6, 0.7), n_pairs=40)
    spread = Votes(votes.pair, votes.annotator * 7 + 3, votes.grade, votes.n_pairs)
    one, other = (CONSOLIDATORS[name](each, THREE, NOTHING) for each in (votes, spread))
    assert (one.grade.tolist(), one.confidence.tolist()) == (other.grade.tolist(), other.confidence.tolist())


def test_weights_by_hand() -> None:
    """Accuracies .9 and .6 of gold (20 and 20, unsmoothed .9048 and .5952): one good vote against two middling ones."""
    votes = Votes(np.array([0, 0, 0, 1, 1]), np.array([0, 1, 2, 1, 2]), np.array([2, 0, 0, 1, 0]), 2)
    none = np.zeros(0, dtype=np.int64)
    known = Known(none, np.zeros((0, 3), dtype=bool), np.array([20, 20, 20]), np.array([18, 12, 12]))
    q = smoothed_accuracy(known.n_correct, known.n_gold)
    odds = q * 2 / (1 - q)  # how much likelier the grade given is than another
    outcome = weighted_grade(votes, THREE, known)
    assert outcome.grade.tolist() == [2, 0]  # 19 against 2.94 · 2.94; of equals the lower
    first = odds[0] / (odds[0] + odds[1] * odds[2] + 1)
    second = odds[1] / (odds[1] + odds[2] + 1)
    assert outcome.confidence.tolist() == pytest.approx([first, second], abs=1e-6)


def test_people_no_better_than_chance_have_no_say() -> None:
    votes = Votes(np.array([0, 0, 0, 1]), np.array([0, 0, 1, 0]), np.array([2, 2, 1, 2]), 2)
    none = np.zeros(0, dtype=np.int64)
    known = Known(none, np.zeros((0, 3), dtype=bool), np.array([50, 10]), np.array([10, 8]))
    outcome = weighted_grade(votes, THREE, known)
    assert (outcome.grade[0], outcome.reason.tolist()) == (1, [Reason.KEPT, Reason.NO_WEIGHT])
    assert outcome.confidence[1] == 0


def test_whoever_is_hardly_better_than_chance_has_a_say() -> None:
    """Right on 5 of 12: q = 5.5 / 13, a weight of log(1.47)."""
    none = np.zeros(0, dtype=np.int64)
    known = Known(none, np.zeros((0, 3), dtype=bool), np.array([12]), np.array([5]))
    outcome = weighted_grade(Votes(np.array([0]), np.array([0]), np.array([2]), 1), THREE, known)
    odds = 5.5 * 2 / 7.5
    assert (outcome.grade.tolist(), outcome.reason.tolist()) == ([2], [Reason.KEPT])
    assert outcome.confidence[0] == pytest.approx(odds / (odds + 2), abs=1e-6)


def test_people_without_gold_weigh_as_everybody_together() -> None:
    votes = Votes(np.array([0, 0]), np.array([0, 5]), np.array([2, 1]), 1)
    none = np.zeros(0, dtype=np.int64)
    known = Known(none, np.zeros((0, 3), dtype=bool), np.array([10]), np.array([10]))
    assert weighted_grade(votes, THREE, known).grade.tolist() == [1]  # the same weight: of equals the lower


def test_without_gold_all_weigh_alike() -> None:
    votes, _ = campaign(careless(6, 0.7), n_pairs=200)
    majority = CONSOLIDATORS["majority"](votes, THREE, NOTHING)
    assert weighted_grade(votes, THREE, NOTHING).grade.tolist() == majority.grade.tolist()


def test_only_who_voted_has_a_confusion() -> None:
    votes = Votes(np.array([0, 0]), np.array([3, 7]), np.array([2, 1]), 1)
    assert fit_dawid_skene(votes, THREE, NOTHING).log_confusion.shape == (2, 3, 3)


@pytest.mark.parametrize("n_grades", [2, 11])
@pytest.mark.parametrize("name", MODELS)
def test_any_number_of_grades(name: str, n_grades: int) -> None:
    scale = Scale(tuple(range(n_grades)))
    rng = np.random.default_rng(3)
    truth = rng.integers(0, n_grades, 300)
    pair, annotator = np.repeat(np.arange(300), 6), np.tile(np.arange(6), 300)
    sure = rng.random(1800) < 0.85
    grade = np.where(sure, truth[pair], np.clip(truth[pair] + rng.choice([-1, 1], 1800), 0, n_grades - 1))
    outcome = CONSOLIDATORS[name](Votes(pair, annotator, grade, 300), scale, nothing_known(scale))
    assert (outcome.grade == truth).mean() > 0.9
    assert ((outcome.confidence > 0) & (outcome.confidence <= 1)).all()
