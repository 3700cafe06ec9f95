"""Judgments and clicks together: true propensities, intervals against Wilson and seeded coverage."""

import numpy as np
import pytest
from scipy import stats

from annotation.quality.wilson import wilson_interval
from evaluation.engine.arrays import segment_sums
from evaluation.engine.clicks import position_bias
from evaluation.engine.clicks.comparison import ClickQuestion, Rate, _rate, compare_clicks
from evaluation.engine.clicks.contradictions import Contradiction, contradictions_of
from evaluation.engine.clicks.corrected import Corrected, Estimator, corrected
from evaluation.engine.clicks.counts import ClickCounts
from evaluation.engine.clicks.exact import Shown, exact_tails
from evaluation.engine.clicks.graded_cells import GradedCells, grades_of
from evaluation.engine.clicks.position_bias import (
    estimated_propensities,
    given_propensities,
    power_propensities,
)
from evaluation.engine.clicks.words import words_of_comparison
from evaluation.engine.qrels import Qrels
from tests.evaluation.engine.clicks.made import counts_of, made_clicks

FAST = {"n_resamples": 50}


@pytest.mark.parametrize("eta", [0.0, 0.7, 1.5])
def test_true_propensities_are_found(eta: float) -> None:
    counts, qrels = made_clicks(40, eta=eta, seed=3, shown=400)
    propensities = estimated_propensities(counts, counts.pair)
    np.testing.assert_allclose(propensities.value, propensities.position ** -float(eta), rtol=0.12)
    by_grade = compare_clicks(counts, qrels, ClickQuestion(by="grade", **FAST))  # type: ignore[arg-type]
    np.testing.assert_allclose(
        [one.propensity.value for one in by_grade.positions], propensities.position ** -float(eta), rtol=0.1
    )
    np.testing.assert_allclose(
        [one.corrected.value for one in by_grade.grades], [0.05, 0.2, 0.35, 0.5, 0.65], rtol=0.15, atol=0.015
    )


def test_positions_that_no_pair_leads_to_are_left_out() -> None:
    rows = [("1", "a", 1, 50, 100), ("1", "a", 2, 25, 100), ("1", "b", 2, 10, 100), ("1", "b", 3, 5, 100)]
    alone = [("1", "c", 5, 9, 100), ("1", "d", 3, 0, 100), ("1", "d", 6, 0, 100)]  # d was never clicked
    counts = counts_of([*rows, *alone])
    propensities = estimated_propensities(counts, counts.pair)
    assert propensities.position.tolist() == [1, 2, 3]
    np.testing.assert_allclose(propensities.value, [1, 0.5, 0.25], rtol=1e-4)
    assert np.isnan(propensities.at(np.array([1, 5, 9]))).tolist() == [False, True, True]
    qrels = Qrels.of(["1"] * 4, list("abcd"), [2, 1, 1, 0])
    compared = compare_clicks(counts, qrels, ClickQuestion(**FAST))  # type: ignore[arg-type]
    assert (compared.n_unknown, len(compared.pairs)) == (200, 3)
    assert "200 impressions are left out" in " ".join(words_of_comparison(compared))
    with pytest.raises(ValueError, match="no pair with a click was shown at the first position and at another"):
        estimated_propensities(counts_of(alone), counts_of(alone).pair)


def test_rates_by_hand() -> None:
    counts = counts_of([("1", "a", 1, 30, 100), ("1", "a", 2, 10, 50), ("1", "b", 2, 5, 40)])
    theta = given_propensities({1: 1, 2: 0.5}).at(counts.position)
    expected: dict[Estimator, list[float]] = {"ips": [50 / 150, 10 / 40], "ratio": [40 / 125, 5 / 20]}
    for estimator, values in expected.items():
        rates = corrected(
            counts.clicks, counts.impressions, theta, lambda v: segment_sums(v, counts.pair, 2), estimator
        )
        np.testing.assert_allclose(rates.value, values)


def test_a_pairs_interval_is_of_the_share_asked_for() -> None:
    counts, qrels = counts_of([("1", "a", 1, 30, 100), ("1", "b", 1, 5, 40)]), Qrels.of(["1"] * 2, ["a", "b"], [1, 0])
    pairs = compare_clicks(counts, qrels, ClickQuestion(given={1: 1.0}, confidence=0.8, **FAST)).pairs  # type: ignore[arg-type]
    wilson = wilson_interval(np.array([30.0, 5]), np.array([100, 40]), confidence=0.8)
    np.testing.assert_allclose([(each.low, each.high) for each in pairs], np.column_stack([wilson.low, wilson.high]))


def test_without_position_bias_the_interval_is_wilsons() -> None:
    clicks, shown = np.array([0.0, 3, 50, 100]), np.array([20.0, 20, 80, 100])
    for estimator in ("ips", "ratio"):
        rates = corrected(clicks, shown, np.ones(4), lambda value: value, estimator)
        low, high = rates.interval(stats.norm.ppf(0.975))
        wilson = wilson_interval(clicks, shown.astype(int))
        np.testing.assert_allclose([low, high], [wilson.low, wilson.high], atol=1e-12)


@pytest.mark.parametrize("estimator", ["ips", "ratio"])
def test_intervals_of_a_pair_cover_its_rate(estimator: Estimator) -> None:
    """Shown at positions 1, 3 and 10, attracting with .3: 4,000 logs."""
    rng = np.random.default_rng(5)
    theta, shown = np.array([1, 1 / 3, 1 / 10]), np.array([60.0, 120, 200])
    clicks = rng.binomial(shown.astype(int), 0.3 * theta, (4_000, 3)).astype(float)
    low, high = np.array([
        corrected(row, shown, theta, lambda value: value.sum(keepdims=True), estimator).interval(1.959964)
        for row in clicks
    ])[:, :, 0].T  # fmt: skip
    covered = ((low <= 0.3) & (high >= 0.3)).mean()
    assert 0.94 < covered < 0.965


def test_variances_are_those_of_the_model() -> None:
    rng = np.random.default_rng(6)
    theta, shown = np.array([1, 0.5, 0.2]), np.array([40.0, 60, 90])
    clicks = rng.binomial(shown.astype(int), 0.4 * theta, (20_000, 3)).astype(float)
    for estimator in ("ips", "ratio"):
        rows = [corrected(row, shown, theta, lambda v: v.sum(keepdims=True), estimator) for row in clicks]
        values = np.array([one.value[0] for one in rows])
        assert values.var() == pytest.approx(float(rows[0].variance(np.array([0.4]))[0]), rel=0.05)
        assert values.mean() == pytest.approx(0.4, abs=0.003)


def test_contradictions_are_found_and_few_are_false() -> None:
    """Two pairs attract the other way round than their grades; in 20 logs without such pairs hardly one is said."""
    _, qrels = made_clicks()
    grade = {(n, d): g for n, rows in _by_topic(qrels).items() for d, g in rows.items()}
    high = next((n, d) for (n, d), g in grade.items() if g == 4 and n != "100")
    low = next((n, d) for (n, d), g in grade.items() if g == 0 and n not in (high[0], "100"))
    odd = [(int(high[0]) - 100, int(high[1][1:]), 0.01), (int(low[0]) - 100, int(low[1][1:]), 0.99)]
    counts, _ = made_clicks(odd=odd, shown=400)
    comparison = compare_clicks(counts, qrels, ClickQuestion(**FAST))  # type: ignore[arg-type]
    assert {(one.kind, one.number, one.docno) for one in comparison.contradictions} == {("few", *high), ("many", *low)}
    assert words_of_comparison(comparison)[4].endswith(
        "at a false discovery rate of 0.05 if impressions are independent and propensities right."
    )
    few = comparison.contradictions[0]
    assert few.p_adjusted >= few.p
    assert few.p_adjusted <= 0.05
    false = sum(bool(_contradictions(*made_clicks(seed=seed, shown=50))) for seed in range(20))
    assert false <= 2


def _by_topic(qrels: Qrels) -> dict[str, dict[str, int]]:
    docnos, grades = list(qrels.docno), qrels.grade.tolist()
    return {
        number: dict(zip(docnos[qrels.start[t] : qrels.start[t + 1]], grades[qrels.start[t] : qrels.start[t + 1]],
                         strict=True))
        for t, number in enumerate(qrels.numbers)
    }  # fmt: skip


def _contradictions(counts: ClickCounts, qrels: Qrels) -> tuple[Contradiction, ...]:
    grade, theta = grades_of(counts, qrels), power_propensities(counts, 1.0)
    view = GradedCells(counts, grade, "ips")
    return contradictions_of(counts, grade, theta, view.by_pair(theta), estimator="ips", q=0.05)


def test_the_score_test_by_hand() -> None:
    """Of many clicks: deviations above `MOST_DEVIATION` have the normal's tail."""
    counts = counts_of([("1", "a", 1, 23_200, 10**5), ("1", "b", 1, 30_000, 10**5), ("1", "c", 1, 20_000, 10**5)])
    qrels = Qrels.of(["1"] * 3, list("abc"), [3, 1, 0])
    one = next(one for one in _contradictions(counts, qrels) if one.docno == "a")
    pooled = 73_200 / 300_000
    z = (0.232 - 0.25) / np.sqrt(pooled * (1 - pooled) * (1 / 10**5 + 1 / 200_000))
    assert (one.kind, one.docno, one.other) == ("few", "a", 0.25)
    assert one.p == pytest.approx(stats.norm.cdf(z))


def test_few_clicks_are_tested_exactly() -> None:
    """One click of one impression beside 10 of 1,000: one in a hundred such pairs has it. By z p would be 10⁻²²."""
    counts = counts_of([("1", "a", 1, 1, 1), ("1", "b", 1, 10, 1000)])
    one, mirrored = _contradictions(counts, Qrels.of(["1"] * 2, list("ab"), [0, 1]))
    assert [(each.kind, each.docno) for each in (one, mirrored)] == [("many", "a"), ("few", "b")]
    assert one.p == pytest.approx(stats.fisher_exact([[1, 0], [10, 990]], alternative="greater").pvalue)


def test_pairs_with_few_impressions_seldom_contradict() -> None:
    """Logs in which all attract alike, with a click of fifty and five impressions a pair: some pair would contradict in
    nearly each by the normal's tail."""
    rng, false = np.random.default_rng(3), 0
    for _ in range(40):
        rows = [
            (str(t), f"d{t}-{d}", 1, int(rng.binomial(n, 0.02)), n)
            for t in range(20)
            for d, n in enumerate(rng.geometric(0.2, 10).tolist())
        ]
        qrels = Qrels.of([row[0] for row in rows], [row[1] for row in rows], rng.integers(0, 4, len(rows)).tolist())
        false += bool(_contradictions(counts_of(rows), qrels))
    assert false <= 6  # of 40 at 5 %: more by chance once in 250


@pytest.mark.parametrize(
    ("own", "others"),
    [
        ((3, 10, 10), (5, 100, 100)),
        ((0, 30, 30), (40, 200, 200)),
        ((4, 30, 12), (20, 100, 80)),
        ((9, 9, 9), (1, 50, 5)),
    ],
)
def test_exact_tails_are_those_of_scipy(own: tuple[int, int, int], others: tuple[int, int, int]) -> None:
    rate = (own[0] + others[0]) / (own[2] + others[2])
    odds = [p / (1 - p) for p in (rate * own[2] / own[1], rate * others[2] / others[1])]
    theirs = stats.nchypergeom_fisher(own[1] + others[1], own[1], own[0] + others[0], odds[0] / odds[1])
    assert exact_tails(Shown(*own), Shown(*others)) == pytest.approx((theirs.cdf(own[0]), theirs.sf(own[0] - 1)))


def test_no_exact_tails_where_the_normal_has_them() -> None:
    assert exact_tails(Shown(23_200, 10**5, 10**5), Shown(50_000, 200_000, 200_000)) is None
    assert exact_tails(Shown(0, 10**12, 10**12), Shown(10**11, 10**12, 10**12)) is None
    assert exact_tails(Shown(0, 10, 10), Shown(0, 10, 10)) is None


def test_tau_is_that_of_scipy_within_topics() -> None:
    counts, qrels = made_clicks(12, shown=20)
    comparison = compare_clicks(counts, qrels, ClickQuestion(eta=1.0, **FAST))  # type: ignore[arg-type]
    by_topic: dict[str, list[tuple[int, float, float]]] = {}
    for one in comparison.pairs:
        by_topic.setdefault(one.number, []).append((one.grade, one.ctr, one.corrected))
    for rate, column in ((comparison.tau_ctr, 1), (comparison.tau_corrected, 2)):
        taus = [stats.kendalltau(*zip(*[(row[0], row[column]) for row in rows], strict=True)).statistic
                for rows in by_topic.values()]  # fmt: skip
        assert rate is not None
        assert rate.value == pytest.approx(np.mean(taus))
        assert rate.low is not None
        assert rate.high is not None
        assert rate.low < rate.value < rate.high


def test_an_interval_over_topics_is_students() -> None:
    drawn = np.random.default_rng(1).normal(0.5, 0.1, 60)
    reach = stats.t.ppf(0.975, 5) * np.sqrt(6 / 5) * drawn.std(ddof=1)
    known = np.append(drawn, np.nan)  # a resample that did not know the value
    whole = _rate(0.4, known, 6, 0.95)
    assert whole.low == pytest.approx(0.4 - reach)
    assert whole.high == pytest.approx(0.4 + reach)
    cut = _rate(0.9, drawn - 0.4, 2, 0.95, 1.0)
    assert (cut.low, cut.high) == (0.0, 1.0)
    for unknown in (_rate(0.4, drawn, 1, 0.95), _rate(0.4, drawn[:49], 6, 0.95), _rate(0.4, 0 * drawn, 6, 0.95)):
        assert unknown == Rate(0.4, None, None)


def test_intervals_over_few_topics_miss_as_often_as_they_say() -> None:
    """120 logs of six topics, propensities known. Percentiles missed one rate in six, and one τ in seven."""
    missed, tau = list[bool](), list[Rate]()
    for seed in range(120):
        comparison = compare_clicks(*made_clicks(6, 8, seed=seed, orders=1, shown=20), ClickQuestion(eta=1.0, **FAST))  # type: ignore[arg-type]
        for one in comparison.grades:
            low, high = one.corrected.low, one.corrected.high
            missed.append(low is not None and high is not None and not low <= 0.05 + 0.15 * one.grade <= high)
        if comparison.tau_corrected:
            tau.append(comparison.tau_corrected)
    assert 0.02 < np.mean(missed) < 0.08
    middle = np.mean([one.value for one in tau])
    ends = np.array([(one.low, one.high) for one in tau], float)
    assert 0.02 < np.mean((ends[:, 0] > middle) | (ends[:, 1] < middle)) < 0.09
    assert (ends[:, 1] <= 1).all()


def test_intervals_over_topics_cover_the_rate_of_a_grade() -> None:
    """Grades attract with .05, .2, .35, .5, .65 in every topic; intervals estimate positions anew in each resample."""
    hits = np.zeros(2)
    for seed in range(4):
        comparison = compare_clicks(*made_clicks(20, seed=seed), ClickQuestion(n_resamples=50))
        third = comparison.positions[2].propensity
        assert third.low is not None
        assert third.high is not None
        assert third.low < third.value < third.high
        for one in comparison.grades[2:]:
            assert one.corrected.low is not None
            assert one.corrected.high is not None
            hits += [one.corrected.low <= 0.05 + 0.15 * one.grade <= one.corrected.high, 1]
    assert hits[0] / hits[1] > 0.8


def test_what_is_refused() -> None:
    counts, qrels = made_clicks(4)
    for options, reason in (
        ({"given": {1: 1.0}, "eta": 1.0}, "not both"),
        ({"confidence": 1.0}, "lie between 0 and 1"),
        ({"n_resamples": 5}, "at least 50"),
    ):
        with pytest.raises(ValueError, match=reason):
            ClickQuestion(**options)
    for values, reason in (({}, "no propensity"), ({0: 1.0}, "position 0"), ({1: 0.0}, "positive numbers")):
        with pytest.raises(ValueError, match=reason):
            given_propensities(values)
    with pytest.raises(ValueError, match="eta is at least 0"):
        power_propensities(counts, -1.0)
    with pytest.raises(ValueError, match="eta 1000 is too large: it leaves a propensity of 0 at position 10"):
        power_propensities(counts, 1000.0)
    with pytest.raises(ValueError, match="a corrected rate is not finite"):
        compare_clicks(counts, qrels, ClickQuestion(given={1: 1.0, 2: 1e-320}, **FAST))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no pair of the log is judged"):
        compare_clicks(counts, Qrels.of(["x"], ["y"], [1]))
    with pytest.raises(ValueError, match="no judged pair was shown at a position"):
        compare_clicks(counts, qrels, ClickQuestion(given={99: 1.0}, **FAST))  # type: ignore[arg-type]


def test_a_first_position_without_a_click_is_refused() -> None:
    """Pair a leads from the first position to the others, but nobody clicked there: nothing can be set beside it."""
    rows = [("1", "a", 1, 0, 100), ("1", "a", 2, 25, 100), ("1", "b", 2, 10, 100), ("1", "b", 3, 5, 100)]
    counts = counts_of(rows)
    with pytest.raises(ValueError, match="position 1, the first, has no click"):
        estimated_propensities(counts, counts.pair)
    with pytest.raises(ValueError, match="position 1, the first, has no click"):
        compare_clicks(counts, Qrels.of(["1"] * 2, ["a", "b"], [1, 0]), ClickQuestion(**FAST))  # type: ignore[arg-type]


def test_looks_are_said_by_both_positions() -> None:
    counts = counts_of([("1", "a", 1, 1, 10), ("1", "b", 2, 2, 10), ("2", "a", 2, 2, 10)])
    qrels = Qrels.of(["1", "1", "2"], list("aba"), [1, 0, 1])
    comparison = compare_clicks(counts, qrels, ClickQuestion(given={1: 0.8, 2: 0.2}, **FAST))  # type: ignore[arg-type]
    assert "Position 1 is looked at 4.0 times as often as position 2." in words_of_comparison(comparison)


def test_draws_without_the_first_position_are_left_out() -> None:
    """One topic of four is shown from the first position on, the others lead from the second to the third: their
    draws would set the third beside the second, .5, and not beside the first, .25."""
    rows = [("0", "a", at, clicks, 1000) for at, clicks in ((1, 400), (2, 200), (3, 100))]
    rows += [(n, "a", at, clicks, 1000) for n in "123" for at, clicks in ((2, 210), (3, 100 + int(n)))]
    counts, qrels = counts_of(rows), Qrels.of(list("0123"), ["a"] * 4, [1] * 4)
    comparison = compare_clicks(counts, qrels, ClickQuestion(n_resamples=200))
    third = comparison.positions[2].propensity
    assert third.high is not None
    assert third.high < 0.3
    assert 30 < comparison.n_left_out < 95  # (3/4)^4 of 200 is 63
    beginning = f"{comparison.n_left_out} of 200 resamples are left out of intervals"
    assert any(line.startswith(beginning) for line in words_of_comparison(comparison))


def test_propensities_that_did_not_converge_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    counts, qrels = made_clicks(3, shown=100)
    comparison = compare_clicks(counts, qrels, ClickQuestion(**FAST))  # type: ignore[arg-type]
    monkeypatch.setattr(position_bias, "CYCLES", 2)
    cut_short = compare_clicks(counts, qrels, ClickQuestion(**FAST))  # type: ignore[arg-type]
    n_lines = [sum("did not converge" in line for line in words_of_comparison(one)) for one in (comparison, cut_short)]
    assert (comparison.converged, cut_short.converged) == (True, False)
    assert n_lines == [0, 2]  # of all topics, and of resamples
    assert (comparison.n_unconverged, cut_short.n_unconverged) == (0, FAST["n_resamples"])
    eta_comparison = compare_clicks(counts, qrels, ClickQuestion(eta=1, **FAST))  # type: ignore[arg-type]
    assert (eta_comparison.converged, eta_comparison.n_unconverged) == (True, 0)


def test_progress_is_told_while_topics_are_drawn() -> None:
    heard = list[tuple[int, int]]()
    counts, qrels = made_clicks(3, shown=100)
    compare_clicks(counts, qrels, ClickQuestion(n_resamples=50), progress=lambda *place: heard.append(place))
    assert heard == [(done, 50) for done in range(0, 50, 10)]


def test_one_topic_has_no_interval() -> None:
    """Nor has one judged topic among others, nor a grade or a position that one topic alone has."""
    rows = [(n, d, at, 40 // at, 100) for n in "123" for d in "ab" for at in (1, 2)] + [("1", "a", 3, 10, 100)]
    counts = counts_of(rows)
    one = compare_clicks(counts, Qrels.of(["1"] * 2, ["a", "b"], [1, 0]), ClickQuestion(**FAST))  # type: ignore[arg-type]
    assert {rate.low for row in one.grades for rate in (row.ctr, row.corrected)} == {None}
    assert words_of_comparison(one)[-1] == "All is of one topic: what holds for others cannot be said."
    counts, qrels = made_clicks(4)
    alone = Qrels.of([qrels.numbers[t] for t in qrels.topic] + ["100"], [*qrels.docno, "x"], [*qrels.grade, 9])
    counts = counts_of([("100", "x", 1, 9, 20), ("100", "x", 2, 4, 20), ("100", "x", 30, 2, 20), *_rows(counts)])
    few = compare_clicks(counts, alone, ClickQuestion(n_resamples=150))
    assert [row.corrected.low is None for row in few.grades] == [False] * 5 + [True]
    assert [row.propensity.low is None for row in few.positions] == [True, *[False] * 9, True]


def _rows(counts: ClickCounts) -> list[tuple[str, str, int, float, float]]:
    cells = zip(counts.pair.tolist(), counts.position.tolist(), counts.clicks, counts.impressions, strict=True)
    return [(counts.numbers[counts.topic[p]], counts.docno[p], at, c, n) for p, at, c, n in cells]


def test_resamples_that_all_agree_are_no_interval() -> None:
    """Nobody clicked grade 0 in any topic: that does not say that nobody would."""
    counts = counts_of([(n, d, 1, clicks, 10) for n in "12" for d, clicks in (("a", int(n)), ("b", 0))])
    qrels = Qrels.of(list("1122"), list("abab"), [1, 0] * 2)
    grades = compare_clicks(counts, qrels, ClickQuestion(eta=0.0, **FAST)).grades  # type: ignore[arg-type]
    assert [(row.corrected.value, row.corrected.low is None) for row in grades] == [(0.0, True), (0.15, False)]


def test_words_of_a_log_that_says_little() -> None:
    counts = counts_of([("1", "a", 1, 1, 10), ("1", "b", 1, 2, 10), ("2", "a", 1, 2, 10)])
    qrels = Qrels.of(["1", "1", "2"], list("aba"), [1, 1, 1])
    comparison = compare_clicks(counts, qrels, ClickQuestion(eta=1.0, **FAST))  # type: ignore[arg-type]
    assert words_of_comparison(comparison) == [
        "3 judged pairs were shown, of 3 judged and 3 in the log; 2 topics.",
        "In no topic do both grades and clicks differ: whether they agree cannot be said.",
        "All judged pairs have one grade.",
        "No pair was shown to be clicked less than lower grades of its topic, or more than higher ones.",
    ]
    alone = compare_clicks(counts, Qrels.of(["1", "1"], list("ab"), [1, 1]), ClickQuestion(eta=1.0, **FAST))  # type: ignore[arg-type]
    assert words_of_comparison(alone)[0].endswith("; 1 topic.")
    shown = counts_of([("1", "a", 1, 10, 10), ("2", "b", 2, 9, 9)])
    clicked = compare_clicks(shown, Qrels.of(["1", "2"], list("ab"), [1, 1]), ClickQuestion(eta=1.0, **FAST))  # type: ignore[arg-type]
    assert words_of_comparison(clicked)[1].startswith("Every impression was clicked: rows of what was shown and not")
    turned = compare_clicks(counts, Qrels.of(["1", "1", "2"], list("aba"), [1, 0, 1]), ClickQuestion(eta=1.0, **FAST))  # type: ignore[arg-type]
    assert "does not rise with the grade from 0 to 1." in words_of_comparison(turned)[2]


def test_a_value_beyond_what_its_variance_allows_has_an_interval() -> None:
    odd = Corrected(np.array([3.0, np.nan]), np.array([0.1, 0.1]), np.array([0.1, 0.1]))
    low, high = odd.interval(1.96)
    assert 0 < low[0] <= high[0]
    assert np.isnan(low[1])
