"""Preferences from tallies of interleaving: tests against scipy and statsmodels, and their words."""

from collections.abc import Sequence

import numpy as np
import pytest
from scipy import stats

from evaluation.engine.arrays import Words
from evaluation.engine.interleaving import counting
from evaluation.engine.interleaving.counting import Tally, tally
from evaluation.engine.interleaving.drawing import interleave
from evaluation.engine.interleaving.method import Method
from evaluation.engine.interleaving.optimised import Optimised
from evaluation.engine.interleaving.preferences import clustered_share, preferences_of
from evaluation.engine.interleaving.probabilistic import Probabilistic
from evaluation.engine.interleaving.team_draft import TeamDraft
from evaluation.engine.interleaving.words import words_of
from tests.evaluation.engine.made import made_run


def clicks_of(rng: np.random.Generator, n: int) -> Words:
    """One click an impression, at any of five positions alike."""
    return np.left_shift(np.uint64(1), rng.integers(0, 5, n).astype(np.uint64))


def made_tally(wins: Sequence[int], losses: Sequence[int], ties: Sequence[int]) -> Tally:
    won, lost, tied = (np.array([each], np.int64) for each in (wins, losses, ties))
    return Tally(("A", "B"), tuple(map(str, range(len(wins)))), ((0, 1),), won, lost, tied, n_silent=3)


def test_the_tests_are_those_of_scipy() -> None:
    wins, losses, ties = [5, 3, 0, 2, 7, 1], [1, 3, 2, 0, 2, 1], [1, 0, 4, 0, 0, 2]
    (one,) = preferences_of(made_tally(wins, losses, ties), method="team_draft").preferences
    exact = stats.binomtest(18, 27)
    assert one.p_lists == pytest.approx(exact.pvalue)
    assert (one.interval.low, one.interval.high) == pytest.approx(tuple(exact.proportion_ci(method="wilson")))  # type: ignore[union-attr]
    assert (one.topics_for, one.topics_against, one.topics_tied) == (3, 1, 2)
    assert one.p_topics == pytest.approx(stats.binomtest(3, 4).pvalue)
    surplus = np.array([w - b for w, b in zip(wins, losses, strict=True)], float)
    expected = stats.permutation_test((surplus,), np.mean, permutation_type="samples").pvalue
    assert one.p == pytest.approx(expected)
    assert one.delta == pytest.approx((18 + 7 / 2) / 34 - 0.5)
    assert one.share == pytest.approx(18 / 27)


def test_the_interval_over_topics_is_that_of_regression_by_clusters() -> None:
    """Wins on a constant with standard errors by topic, as statsmodels has them."""
    from statsmodels.regression.linear_model import OLS

    rng = np.random.default_rng(2)
    n = rng.integers(1, 30, 40)
    wins = rng.binomial(n, rng.beta(4, 3, 40))
    outcome = np.concatenate([np.repeat([1.0, 0.0], [w, m - w]) for w, m in zip(wins, n, strict=True)])
    fit = OLS(outcome, np.ones((outcome.size, 1))).fit(
        cov_type="cluster", cov_kwds={"groups": np.repeat(np.arange(40), n), "use_correction": False}, use_t=True
    )
    error = fit.bse[0] * np.sqrt(40 / 39)
    interval = clustered_share(wins, n - wins, 0.95)
    middle = wins.sum() / n.sum()
    assert interval is not None
    reach = stats.t.ppf(0.975, 39) * error
    assert (interval.low, interval.high) == pytest.approx((middle - reach, middle + reach))


def test_topics_that_all_have_one_share_have_no_interval() -> None:
    report = preferences_of(made_tally([9] * 8, [1] * 8, [2] * 8), method="team_draft")
    assert (report.preferences[0].clustered, report.preferences[0].p) == (None, 2 / 2**8)
    assert words_of(report)[0] == (
        "A is preferred to B; p = 0.00781 over topics. 72 impressions prefer A, 8 prefer B, 16 are ties; A wins 90.0 % "
        "of the decided ones, and as many in each topic: an interval over topics cannot be given."
    )
    assert clustered_share(np.array([1, 2, 7]), np.array([2, 4, 14]), 0.95) is None


def test_few_decided_topics_are_said_where_many_were_clicked() -> None:
    """200 topics with clicks, all but three of them with ties alone."""
    report = preferences_of(made_tally([3, 2, 4] + [0] * 197, [1, 1, 0] + [0] * 197, [1] * 200), method="team_draft")
    assert (report.n_topics, report.preferences[0].topics_decided) == (200, 3)
    assert words_of(report)[-1].startswith("With fewer than 100 decided topics intervals over topics are too narrow")


def test_the_test_over_topics_keeps_its_level_where_impressions_are_alike() -> None:
    """Ten topics that each prefer one ranker throughout, by a coin: 50 impressions of each are no 500 witnesses."""
    rng = np.random.default_rng(1)
    false = np.zeros(2)
    for _ in range(300):
        wins = (50 * rng.integers(0, 2, 10)).tolist()
        (one,) = preferences_of(made_tally(wins, [50 - w for w in wins], [0] * 10), method="team_draft").preferences
        false += [one.p is not None and one.p <= 0.05, one.p_lists <= 0.05]
    assert false[0] / 300 < 0.07
    assert false[1] / 300 > 0.5


def test_words_say_what_was_shown_and_what_was_not() -> None:
    single = words_of(preferences_of(made_tally([1], [0], [1]), method="team_draft"))
    assert single[0].startswith("1 impression prefers A, 0 prefer B, 1 is a tie; A wins 100.0 % of the decided ones.")
    clear = preferences_of(made_tally([8, 10] * 4, [2, 0] * 4, [2] * 8), method="team_draft")
    assert words_of(clear) == [
        (
            "A is preferred to B; p = 0.00781 over topics. 72 impressions prefer A, 8 prefer B, 16 are ties; A wins "
            "90.0 % of the decided ones [81.1 %, 98.9 %]."
        ),
        "99 impressions, of them 3 without a click; clicks on 8 topics; team draft.",
        "With fewer than 100 decided topics intervals over topics are too narrow; the test is not.",
    ]
    unclear = words_of(preferences_of(made_tally([5, 5, 4], [5, 6, 5], [0, 0, 0]), method="balanced"))
    assert unclear[0].startswith("No preference between A and B was shown, which does not say that there is none; p = ")
    assert unclear[2].startswith("Balanced interleaving can prefer")
    wins, losses = np.array([[5, 5, 4], [9] * 3, [5, 5, 5]]), np.array([[5, 6, 5], [0] * 3, [5] * 3])
    three = Tally(("A", "B", "C"), ("1", "2", "3"), ((0, 1), (0, 2), (1, 2)), wins, losses, 0 * wins, n_silent=0)
    lines = words_of(preferences_of(three, method="team_draft", confidence=0.2))
    assert [line.split(";")[0] for line in lines[:2]] == [
        "A is preferred to C",
        "No preference between A and B was shown, which does not say that there is none",
    ]
    assert "of one topic" in words_of(preferences_of(made_tally([5], [1], [0]), method="team_draft"))[0]
    assert "is a tie" in words_of(preferences_of(made_tally([0], [0], [4]), method="team_draft"))[0]
    with pytest.raises(ValueError, match="no impression has a click"):
        preferences_of(made_tally([0], [0], [0]), method="team_draft")


@pytest.mark.parametrize("method", [TeamDraft(), Optimised(), Optimised(click_credit="linear"), Probabilistic()])
def test_clicks_at_random_prefer_nobody(method: Method) -> None:
    """One click at a random position of each list: the second ranker has the first's first document at its end. By who
    wins how often, optimised and probabilistic lists prefer the second, in nine of ten experiments and more."""
    rng, rankings = np.random.default_rng(5), {"A": "abcde", "B": "bcdea"}
    runs = [
        made_run({str(n): {d: -at for at, d in enumerate(text)} for n in range(25)}, tag)
        for tag, text in rankings.items()
    ]
    lists = interleave(runs, method, depth=5, lists_per_topic=20, seed=1)
    false = 0
    for _ in range(60):
        row = rng.integers(0, lists.n_lists, 500)
        (one,) = preferences_of(tally(lists, method, row, clicks_of(rng, row.size)), method=method.title).preferences
        assert one.p is not None
        false += one.p <= 0.05
    assert false <= 8  # of 60 at 5 %: more by chance once in 140


@pytest.mark.parametrize("method", [TeamDraft(), Optimised(), Probabilistic()])
def test_lists_that_come_again_and_again_are_no_further_witnesses(method: Method) -> None:
    """Five lists of each of ten topics, 50 impressions of each, clicked where they are seen first: taken one by one,
    impressions prefer a ranker in a fifth to a half of such experiments."""
    rng, rankings = np.random.default_rng(5), {"A": "abcde", "B": "bcdea"}
    runs = [
        made_run({str(n): {d: -at for at, d in enumerate(text)} for n in range(10)}, tag)
        for tag, text in rankings.items()
    ]
    lists = interleave(runs, method, depth=5, lists_per_topic=100, seed=1)
    false = np.zeros(2)
    for _ in range(100):
        row = np.repeat([rng.choice(100, 5, replace=False) + 100 * topic for topic in range(10)], 50)
        position = np.minimum(rng.geometric(0.6, row.size), 5) - 1
        clicked = np.left_shift(np.uint64(1), position.astype(np.uint64))
        (one,) = preferences_of(tally(lists, method, row, clicked), method=method.title).preferences
        assert one.interval is not None
        false += [one.p_lists <= 0.05, not one.interval.low <= 0.5 <= one.interval.high]
    assert false.max() <= 12  # of 100 at 5 %: more by chance once in 500


@pytest.mark.parametrize("method", [TeamDraft(), Probabilistic()])
def test_products_are_those_of_what_each_list_adds_up_to(method: Method, monkeypatch: pytest.MonkeyPatch) -> None:
    """In pieces of seven impressions: lists begin and end within one, or go on through several."""
    monkeypatch.setattr(counting, "PIECE", 7)
    rng = np.random.default_rng(3)
    runs = [
        made_run({str(n): {d: -at for at, d in enumerate(text)} for n in range(4)}, text)
        for text in ("abcde", "bcdea", "cdeab")
    ]
    lists = interleave(runs, method, depth=5, lists_per_topic=3, seed=1)
    row = rng.choice(lists.n_lists, 90, p=rng.dirichlet(np.full(lists.n_lists, 0.5)))
    clicked = rng.integers(0, 4, 90).astype(np.uint64)  # a quarter without a click
    counts, credit = tally(lists, method, row, clicked), method.credit(lists, row, clicked)
    expected, shown = np.zeros((3, 3, 4)), np.zeros(4)
    for one in np.unique(row[clicked > 0]):
        shown[lists.topic[one]] += 1
        for pair, (i, j) in enumerate(counts.pairs):
            mine = credit[(row == one) & (clicked > 0)]
            own, other = mine[:, i], mine[:, j]
            if not method.by_credit:
                own, other = own > other, own < other
            a, b = own.sum(), other.sum()
            expected[:, pair, lists.topic[one]] += [a * a, a * b, b * b]
    assert counts.products == pytest.approx(expected)
    assert counts.n_lists is not None
    assert counts.n_lists.tolist() == shown.tolist()
    assert counts.n_silent == np.count_nonzero(clicked == 0)


def test_what_rests_on_credits_leaves_topics_without_a_decided_impression_out() -> None:
    """Topics in which both rankers have the same say nothing of who is preferred: their halves of each click are in
    neither the share nor the interval of impressions."""
    rng = np.random.default_rng(7)
    figures = list[tuple[object, ...]]()
    for alike in (0, 40):
        orders = {"A": ["abcde"] * 10 + ["abcde"] * alike, "B": ["bcdea"] * 10 + ["abcde"] * alike}
        runs = [
            made_run({f"{n:02}": {d: -at for at, d in enumerate(text)} for n, text in enumerate(texts)}, tag)
            for tag, texts in orders.items()
        ]
        method = Probabilistic()
        lists = interleave(runs, method, depth=5, lists_per_topic=4, seed=1)
        own, other = np.arange(40), np.arange(40, lists.n_lists)
        clicked = np.concatenate([np.full(40, 2, np.uint64), clicks_of(rng, other.size)])
        row = np.concatenate([own, other])
        (one,) = preferences_of(tally(lists, method, row, clicked), method=method.title).preferences
        figures.append((one.share, one.interval, one.p_lists, one.clustered, one.p))
    assert figures[0] == pytest.approx(figures[1])


def test_topics_are_not_counted_where_credits_are_compared() -> None:
    """One click at random of each of 60 topics: the second wins four of five topics with optimised lists, so that a
    sign test of topics would find it better."""
    rng, rankings = np.random.default_rng(5), {"A": "abcde", "B": "bcdea"}
    runs = [
        made_run({str(n): {d: -at for at, d in enumerate(text)} for n in range(60)}, tag)
        for tag, text in rankings.items()
    ]
    lists = interleave(runs, Optimised(), depth=5, lists_per_topic=1, seed=1)
    few = preferences_of(tally(lists, Optimised(), np.arange(20), clicks_of(rng, 20)), method="optimised")
    assert words_of(few)[-1].endswith(
        "; with fewer than 30 decided impressions the test of credits finds differences too often."
    )
    many = preferences_of(tally(lists, Optimised(), np.arange(60), clicks_of(rng, 60)), method="optimised")
    assert words_of(many)[-1].endswith("; the test is not.")
    (one,) = many.preferences
    assert one.topics_against > 2 * one.topics_for
    assert one.p_topics is None
    assert one.p is not None
    assert one.p > 0.05
