"""Shares of draws: by hand, by brute force, and calibrated where runs are equal."""

import numpy as np
import pytest
from scipy import stats

from annotation.quality.policy import Policy
from annotation.quality.table import JudgmentTable, judgment_table
from annotation.text.counted import percent
from evaluation.engine.arrays import Bools
from evaluation.engine.measures import parse_measure
from evaluation.engine.sensitivity.conclusions import REPLICATION, share_sentence
from evaluation.engine.sensitivity.evidence import Evidence, Question
from evaluation.engine.sensitivity.judgments import judgments_of
from evaluation.engine.sensitivity.shares.crossed import (
    CrossedErrors,
    crossed_errors,
    crossed_shares,
    effective_number,
    part_of_most,
    share_of_both,
)
from evaluation.engine.sensitivity.shares.posterior import (
    as_judged_anew,
    calibrated_posterior,
    drawn_grades,
    reliability,
)
from evaluation.engine.sensitivity.shares.share import Share, share_above, share_of_t
from evaluation.engine.sensitivity.shares.topics import share_by_topics
from evaluation.engine.sensitivity.study import pair_shares
from tests.evaluation.engine.sensitivity.crowd import ALL, crowd, inputs_of, judged, runs

LEVELS = np.array([0.05, 0.5, 0.95])


def test_ties_count_half() -> None:
    assert share_above(np.array([1.0, 0.0, -1.0, 1e-14])) == 0.5
    assert share_above(np.array([2.0])) == 1


@pytest.mark.parametrize(
    ("share", "text"),
    [(None, "–"), (0, "0.000"), (0.0004, "below 0.001"), (0.997, "0.997"), (0.9996, "above 0.999"), (1, "1.000")],
)
def test_no_share_is_written_as_all_or_nothing_unless_it_is(share: float | None, text: str) -> None:
    assert Share("topics", share).text == text


def test_topics_anew_follow_the_t_distribution_of_normal_differences() -> None:
    difference = np.random.default_rng(2).normal(0.1, 1, 60)
    share = share_by_topics(difference, n_draws=20_000, rng=0)
    exact = 1 - stats.ttest_1samp(difference, 0, alternative="greater").pvalue
    assert share.share == pytest.approx(exact, abs=0.015)
    assert share.error == pytest.approx(stats.sem(difference))


@pytest.mark.parametrize(("value", "share"), [(0.0, 0.5), (0.2, 1.0), (-0.2, 0.0)])
def test_differences_that_do_not_vary_decide_by_their_sign(value: float, share: float) -> None:
    assert share_by_topics(np.full(5, value), n_draws=99, rng=0).share == share
    judgments, both = crossed_shares(np.full(5, value), np.full((3, 5), value))
    assert (judgments.share, both.share) == (share, share)


def test_one_topic_or_annotator_is_refused_in_words() -> None:
    assert "one topic" in share_by_topics(np.array([0.1]), n_draws=9, rng=0).refusal
    assert "one annotator" in crossed_shares(np.ones(4), np.ones((1, 4)))[1].refusal
    assert "one topic" in crossed_shares(np.ones(1), np.ones((3, 1)))[0].refusal


@pytest.mark.parametrize("n_judged", [[5, 5], [50, 50, 1], [10, 10, 2, 1, 1, 1]])
def test_where_two_judged_most_there_is_a_share_of_judgments_and_none_of_both(n_judged: list[int]) -> None:
    without = np.random.default_rng(1).normal(0.2, 0.1, (len(n_judged), 2))
    judgments, both = crossed_shares(np.array([0.1, 0.3]), without, np.array(n_judged))
    assert judgments.share is not None
    assert (both.share, both.error) == (None, None)
    assert "three who judge about as much are the least" in both.refusal
    assert percent(part_of_most(np.array(n_judged), 2)) in both.refusal


@pytest.mark.parametrize("n_judged", [[90, 1, 1, 1, 1], [30, *[3] * 9], [50, *[5] * 19]])
def test_where_one_judged_most_there_is_no_share_of_judgments_nor_of_both(n_judged: list[int]) -> None:
    without = np.random.default_rng(1).normal(0.2, 0.1, (len(n_judged), 2))
    for share in crossed_shares(np.array([0.1, 0.3]), without, np.array(n_judged)):
        assert (share.share, share.error) == (None, None)
        assert "one annotator judged so much more than the others" in share.refusal


@pytest.mark.parametrize("n_judged", [[9] * 3, [10, 10, 5], [50, 50, 50, 1, 1, 1], [60 // n for n in range(1, 21)]])
def test_others_have_both_shares(n_judged: list[int]) -> None:
    without = np.random.default_rng(1).normal(0.2, 0.1, (len(n_judged), 2))
    assert all(share.share is not None for share in crossed_shares(np.ones(2), without, np.array(n_judged)))


def test_the_squares_of_the_two_who_judged_most() -> None:
    assert part_of_most(np.array([1, 3, 2]), 1) == pytest.approx(9 / 14)
    assert part_of_most(np.array([1, 3, 2]), 2) == pytest.approx(13 / 14)


def test_squares_are_taken_about_the_middle_of_as_many_as_judged_much() -> None:
    """Two who judged next to nothing change nothing, and leave the error as it is without them."""
    difference, without = np.array([0.1, 0.3]), np.array([[0.1, 0.4], [0.0, 0.2], [0.3, 0.3]])
    alone = crossed_errors(difference, without).annotators
    change = without.mean(axis=1) - 0.2
    assert alone == pytest.approx(((change - change.mean()) ** 2).sum())
    more = np.vstack([without, difference, difference])
    beside = crossed_errors(difference, more, np.array([9000, 9000, 9000, 1, 1])).annotators
    assert beside == pytest.approx(alone, rel=1e-3)
    assert crossed_errors(difference, more).annotators > 1.01 * alone


def test_no_chance_leaves_an_error_of_nothing() -> None:
    difference, without = np.array([0.1, 0.3]), np.array([[0.1, 0.2], [0.1, 0.2], [0.1, 0.2], [0.1, 0.3]])
    assert crossed_errors(difference, without, np.array([90, 90, 90, 1])).annotators > 0


def test_whoever_judged_little_adds_little_to_the_degrees_of_freedom() -> None:
    assert effective_number(np.array([7, 7, 7, 7])) == pytest.approx(4)
    assert effective_number(np.array([100, 100, 1])) == pytest.approx(2, abs=0.03)
    difference, without = np.array([0.1, 0.3, 0.3]), np.random.default_rng(1).normal(0.2, 0.1, (3, 3))
    for work, freedom in ([9, 9, 9], 2), ([9, 9, 1], 19**2 / 163 - 1):
        errors = crossed_errors(difference, without, np.array(work))
        t = errors.difference / errors.annotators**0.5
        assert crossed_shares(difference, without, np.array(work))[0].share == pytest.approx(stats.t.cdf(t, freedom))


def test_crossed_errors_are_those_of_the_two_way_analysis_of_variance() -> None:
    """Where a grade is a mean and everybody judged everything, pseudo-values are everybody's own differences."""
    rng = np.random.default_rng(4)
    n, m = 12, 5
    table = rng.normal(size=(m, 1)) + rng.normal(size=(1, n)) + rng.normal(size=(m, n))
    full, without = table.mean(axis=0), (table.sum(axis=0) - table) / (m - 1)
    errors = crossed_errors(full, without)
    of_topic, of_annotator, mean = table.mean(axis=0), table.mean(axis=1), table.mean()
    ms_topic = m * ((of_topic - mean) ** 2).sum() / (n - 1)
    ms_annotator = n * ((of_annotator - mean) ** 2).sum() / (m - 1)
    ms_left = ((table - of_topic - of_annotator[:, None] + mean) ** 2).sum() / ((n - 1) * (m - 1))
    assert errors.topics == pytest.approx(ms_topic / (n * m))
    assert errors.annotators == pytest.approx(ms_annotator / (n * (m - 1)))  # as four of the five judged
    assert errors.both == pytest.approx(ms_topic / (n * m) + (ms_annotator - ms_left) / (n * (m - 1)))
    assert errors.both < errors.topics + errors.annotators


def test_judgments_anew_by_a_median_of_three_state_no_less_than_the_true_error() -> None:
    """Two of three have a mean, which scatters less than a median: a jackknife would state 0.86 of it."""
    rng, n = np.random.default_rng(5), 3000
    taste = rng.normal(size=(n, 3, 1)) + np.zeros(2)  # (n, n_annotators, n_topics)
    without = np.stack([np.median(np.delete(taste, j, axis=1), axis=1) for j in range(3)], axis=1)
    median = np.median(taste, axis=1)
    squares = [crossed_errors(one, others).annotators for one, others in zip(median, without, strict=True)]
    assert 1.0 <= np.sqrt(np.mean(squares)) / median[:, 0].std() < 1.12


def test_both_never_scatters_less_than_one_of_the_two() -> None:
    rng = np.random.default_rng(6)
    for _ in range(50):
        table = rng.normal(size=(4, 9))
        errors = crossed_errors(table.mean(axis=0), (table.sum(axis=0) - table) / 3)
        assert errors.both >= max(errors.topics, errors.annotators)


def test_both_is_the_share_of_draws_of_two_students() -> None:
    errors = CrossedErrors(0.02, topics=3e-4, annotators=2e-4, left=1e-4, n_topics=30, n_annotators=4)
    rng = np.random.default_rng(3)
    drawn = 0.02 + np.sqrt(3e-4) * rng.standard_t(29, 400_000) + np.sqrt(1e-4) * rng.standard_t(3, 400_000)
    assert share_of_both(errors) == pytest.approx((drawn > 0).mean(), abs=0.003)


@pytest.mark.parametrize(("m", "n"), [(6, 30), (3, 30)])
def test_both_is_calibrated_where_runs_are_equal(m: int, n: int) -> None:
    """The chance of a share below p is p, within four standard errors of so many replications."""
    rng, n_replications = np.random.default_rng(8), 1500
    shares = []
    for _ in range(n_replications):
        table = rng.normal(0, 0.5, (m, 1)) + rng.normal(0, 1, (1, n)) + rng.normal(0, 2, (m, n))
        shares.append(crossed_shares(table.mean(axis=0), (table.sum(axis=0) - table) / (m - 1))[1].share)
    below = (np.array(shares)[:, None] <= LEVELS).mean(axis=0)
    assert (np.abs(below - LEVELS) <= 4 * np.sqrt(LEVELS * (1 - LEVELS) / n_replications) + 0.01).all()


def test_shares_are_calibrated_where_some_judge_rarely() -> None:
    """Medians of three, beside whom three judge next to nothing: by the middle of six too many shares are inside."""
    rng, n_replications = np.random.default_rng(12), 2000
    taste = rng.normal(size=(n_replications, 3))
    full, others = np.median(taste, axis=1), np.stack([np.delete(taste, j, 1).mean(axis=1) for j in range(3)], axis=1)
    work = np.array([500, 500, 500, 1, 1, 1])
    shares = []
    for one, less in zip(full, others, strict=True):
        without = np.repeat(np.append(less, [one] * 3)[:, None], 2, axis=1)
        shares.append(crossed_shares(np.array([one, one]), without, work)[0].share)
    inside = np.mean([share is not None and 0.025 < share < 0.975 for share in shares])
    assert 0.93 <= inside <= 0.97


def test_a_share_of_95_is_found_again_in_88_of_100() -> None:
    assert share_of_t(1.645, 1.0, 1e9) == pytest.approx(0.95, abs=1e-4)
    assert stats.norm.cdf(stats.norm.ppf(0.95) / np.sqrt(2)) == pytest.approx(0.88, abs=0.005)
    assert ".95 means about .88" in REPLICATION


def test_grades_have_probabilities_learned_on_gold_and_are_drawn_by_them() -> None:
    judgments = judgments_of(crowd(n_gold=4), Policy(min_gold=1, accuracy_threshold=0.0, max_range=None))
    posterior, pairs = calibrated_posterior(judgments), judgments.pairs
    kept = pairs.grade >= 0
    assert posterior[kept].sum(axis=1) == pytest.approx(1)
    is_gold = np.isin(list(pairs.docno), ["d0", "d1", "d2", "d3"])
    assert (posterior[is_gold].max(axis=1) == 1).all()
    assert (posterior[kept & ~is_gold].max(axis=1) < 1).all()
    drawn = np.concatenate(list(drawn_grades(posterior, np.arange(4), n_draws=3000, rng=1)))
    often = np.stack([(drawn == grade).mean(axis=0) for grade in range(4)], axis=1)
    assert often == pytest.approx(posterior, abs=0.05)


def test_wrong_grades_are_as_far_away_as_those_of_gold() -> None:
    """Where nobody was wrong by two, two is rare even beside a grade that gold seldom has."""
    judgments = judgments_of(crowd(n_gold=4), Policy(min_gold=1, accuracy_threshold=0.0, max_range=None))
    posterior, grade = calibrated_posterior(judgments), judgments.pairs.grade
    is_open = (grade >= 0) & (posterior.max(axis=1) < 1)
    far = np.abs(grade[is_open, None] - np.arange(4))
    assert posterior[is_open][far == 1].sum() > 4 * posterior[is_open][far > 1].sum()


def test_reliability_is_the_part_of_what_grades_vary_between_pairs() -> None:
    posterior = np.array([[0.5, 0.5], [0.1, 0.9], [0.0, 0.0], [0.0, 1.0]])
    between, within = np.var([0.5, 0.9]), np.mean([0.25, 0.09])
    assert reliability(posterior, np.arange(2)) == pytest.approx(between / (between + within))
    assert reliability(np.eye(2), np.arange(2)) == 1


def test_draws_of_grades_are_calibrated_where_runs_are_equal() -> None:
    """Both runs have the same true grades; what is seen of them is right in 6 of 10 cases, else next to it."""
    rng, grades, often = np.random.default_rng(9), np.arange(4), np.array([0.4, 0.3, 0.2, 0.1])
    seen_as = np.eye(4) * 0.6 + np.array([[0, 0.4, 0, 0], [0.2, 0, 0.2, 0], [0, 0.2, 0, 0.2], [0, 0, 0.4, 0]])
    by_seen = (often[:, None] * seen_as / (often @ seen_as)).T  # (n_seen, n_true)
    shares = []
    for _ in range(600):
        true = rng.choice(4, 60, p=often)
        posterior = by_seen[[rng.choice(4, p=seen_as[grade]) for grade in np.concatenate([true, true])]]
        draws = np.concatenate(list(drawn_grades(posterior, grades, n_draws=200, rng=rng)))
        difference = (draws[:, :60] - draws[:, 60:]).mean(axis=1)
        shares.append(share_above(as_judged_anew(difference, reliability(posterior, grades))))
    below = (np.array(shares)[:, None] <= LEVELS).mean(axis=0)
    assert (np.abs(below - LEVELS) <= 4 * np.sqrt(LEVELS * (1 - LEVELS) / 600)).all()


def test_without_gold_grades_have_no_probabilities() -> None:
    judgments = judged()
    asked = Question(measure=parse_measure("nDCG@5"), judgments_anew="posterior", named=[("r0", "r1")])
    pair = pair_shares(Evidence(runs=runs(), pairs=judgments.pairs, judgments=judgments), asked)[0]
    assert pair.judgments.share is None
    assert "learned on gold, of 20 pairs or more, and here on 0" in pair.judgments.refusal
    assert "No share of judgments" in share_sentence(pair)


def test_shares_of_a_pair_are_one_less_than_those_of_its_reverse() -> None:
    judgments = judgments_of(crowd(n_gold=4), ALL)
    evidence = Evidence(runs=runs(), pairs=judgments.pairs, judgments=judgments)
    asked = Question(measure=parse_measure("nDCG@5"), judgments_anew="posterior", named=[("r0", "r1"), ("r1", "r0")])
    one, other = pair_shares(evidence, asked)
    assert one.difference == -other.difference
    for name in ("topics", "judgments", "both"):
        first, second = getattr(one, name).share, getattr(other, name).share
        assert first + second == pytest.approx(1)


def test_with_annotators_left_out_judgments_anew_are_of_these_topics_alone() -> None:
    """Annotators who agree leave no doubt, however much topics differ."""
    judgments = judgments_of(crowd(n_annotators=3, seed=3), ALL)
    evidence = Evidence(runs=runs(), pairs=judgments.pairs, judgments=judgments)
    pair = pair_shares(evidence, Question(measure=parse_measure("nDCG@5"), named=[("r0", "r1")]))[0]
    assert pair.both.error is not None
    assert pair.judgments.error is not None
    assert pair.both.error >= pair.judgments.error


def test_a_study_counts_annotators_by_what_they_judged() -> None:
    """Of three annotators the last judges one pair: too few for both, and only two are left out of judgments anew."""
    table = crowd(n_annotators=3, seed=3).table
    keep = (table.annotator < 2) | (np.arange(table.annotator.size) == np.flatnonzero(table.annotator == 2)[0])
    judgments = judgments_of(inputs_of(rows_of(table, keep)), ALL)
    assert judgments.n_judged.tolist() == [96, 96, 1]
    evidence = Evidence(runs=runs(), pairs=judgments.pairs, judgments=judgments)
    pair = pair_shares(evidence, Question(measure=parse_measure("nDCG@5"), named=[("r0", "r1")]))[0]
    assert pair.judgments.share is not None
    assert "three who judge about as much are the least" in pair.both.refusal


def rows_of(table: JudgmentTable, keep: Bools) -> JudgmentTable:
    at = np.flatnonzero(keep).tolist()
    return judgment_table(
        number=[table.numbers[table.topic[row]] for row in at],
        docno=[table.docnos[table.document[row]] for row in at],
        annotator=[table.annotators[table.annotator[row]] for row in at],
        grade=table.grade[at].tolist(),
    )
