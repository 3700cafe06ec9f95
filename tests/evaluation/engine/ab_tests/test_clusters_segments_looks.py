"""The cluster bootstrap, segments and looks against brute force, scipy and statsmodels."""

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats import proportion
from statsmodels.stats.meta_analysis import combine_effects
from statsmodels.stats.weightstats import CompareMeans, DescrStatsW

from evaluation.engine.ab_tests import bootstrap
from evaluation.engine.ab_tests.always_valid import sequence_factor
from evaluation.engine.ab_tests.analysis import Analysis, Units, analyse
from evaluation.engine.ab_tests.bootstrap import BLOCK, TOGETHER, Clusters, Picks, _picks, replicates_of
from evaluation.engine.ab_tests.effects import UnitMeasure, effect
from evaluation.engine.ab_tests.looks import time_in_words
from evaluation.engine.ab_tests.moments import moments_of
from evaluation.engine.ab_tests.question import Question
from evaluation.engine.ab_tests.segments import cochran_q
from evaluation.engine.ab_tests.words import words_of
from evaluation.engine.arrays import Floats, Ints


def rows(n_clusters: int, seed: int, lift: float = 0.0) -> tuple[Floats, Ints]:
    """`(value (n, 3), cluster (n,))`: bought, views, before; clusters of 1 to 9 units that are alike."""
    rng = np.random.default_rng(seed)
    cluster = np.repeat(np.arange(n_clusters), rng.integers(1, 10, n_clusters))
    level = rng.normal(size=n_clusters)[cluster]
    before = level + rng.normal(size=cluster.size)
    bought = 3 + lift + level + 0.5 * before + rng.normal(size=cluster.size)
    return np.column_stack([bought, rng.poisson(4, cluster.size) + 1.0, before]), cluster


def clusters_of(value: Floats, cluster: Ints) -> Clusters:
    sums = np.zeros((int(cluster.max()) + 1, value.shape[1] + 1))
    np.add.at(sums, cluster, np.column_stack([value, np.ones(len(value))]))
    return Clusters(sums)


def clustered(sides: dict[str, tuple[Floats, Ints]], **asked: Any) -> Analysis:
    question = Question(control="A", cluster="user", **asked)
    place = [("bought", "views", "before").index(name) for name in question.columns]
    value = {name: (value[:, place], cluster) for name, (value, cluster) in sides.items()}
    groups = {name: moments_of(one) for name, (one, _) in value.items()}
    return analyse(Units(groups, clusters={name: clusters_of(*one) for name, one in value.items()}), question)


def test_a_draw_of_clusters_is_a_copy_of_their_units() -> None:
    """The same stream of numbers, with every unit of a drawn cluster written out."""
    value, cluster = rows(40, 1)
    replicates = replicates_of(clusters_of(value, cluster), np.random.default_rng(9), n_replicates=50)
    rng = np.random.default_rng(9)
    for mean in replicates.mean:
        drawn = rng.integers(0, 40, 40, dtype=np.uint16)
        units = np.concatenate([np.flatnonzero(cluster == one) for one in drawn.tolist()])
        np.testing.assert_allclose(mean, value[units].mean(axis=0), rtol=1e-12)


def test_draws_in_blocks_are_draws_of_all() -> None:
    """Three blocks: over draws, each cluster counts once on average, with variance 1 − 1/n."""
    n = 2 * BLOCK + 1000
    sums = np.zeros((n, 3))
    sums[:, 2] = 1
    sums[[0, BLOCK, n - 1], 0] = n  # one cluster of each block
    sums[:BLOCK, 1] = 1  # the first block
    mean = replicates_of(Clusters(sums), np.random.default_rng(3), n_replicates=400).mean
    assert mean[:, 0].mean() == pytest.approx(3, abs=4 * math.sqrt(3 / 400))
    assert mean[:, 0].var() == pytest.approx(3, rel=0.3)
    share = BLOCK / n
    assert mean[:, 1].std() == pytest.approx(math.sqrt(share * (1 - share) / n), rel=0.15)


def test_sums_of_draws_are_those_of_the_units_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three blocks, and three replicates more than go together, beside the units picked one by one."""
    n, done, drawn = 2 * BLOCK + 1000, list[int](), list[np.ndarray]()
    sums = np.random.default_rng(5).normal(1, 1, (n, 3))

    def noted(n: int, size: int, rng: np.random.Generator) -> Picks:
        picks = _picks(n, size, rng)
        drawn.append(np.bincount(picks, minlength=n))
        return picks

    monkeypatch.setattr(bootstrap, "_picks", noted)
    n_replicates = TOGETHER + 3
    replicates = replicates_of(Clusters(sums), np.random.default_rng(7), n_replicates=n_replicates, watch=done.append)
    assert done == [TOGETHER, n_replicates]
    first, last = np.split(
        np.arange(3 * n_replicates), [3 * TOGETHER]
    )  # block by block, the replicates that go together
    order = np.vstack([first.reshape(3, TOGETHER).T, last.reshape(3, 3).T])  # (n_replicates, n_blocks)
    for mean, at in zip(replicates.mean, order, strict=True):
        times = np.concatenate([drawn[one] for one in at]).astype(float)
        assert times.sum() == n
        total = times @ sums
        np.testing.assert_allclose(mean, total[:-1] / total[-1], rtol=1e-12)
    again = replicates_of(Clusters(sums), np.random.default_rng(7), n_replicates=n_replicates)
    np.testing.assert_array_equal(replicates.mean, again.mean)


@pytest.mark.parametrize("asked", [{"measures": ("bought",)}, {"ratios": (("bought", "views"),)}])
@pytest.mark.parametrize("covariate", [None, "before"])
def test_the_bootstrap_errs_as_brute_force_over_units(asked: dict[str, Any], covariate: str | None) -> None:
    sides = {"A": rows(150, 5), "B": rows(120, 6, lift=0.4)}
    (one,) = clustered(sides, covariate=covariate, replicates=4000, **asked).comparisons
    rng, drawn = np.random.default_rng(1), []
    theta = one.effect.theta or 0.0
    units_of = {
        name: [np.flatnonzero(cluster == c) for c in range(int(cluster.max()) + 1)]
        for name, (_, cluster) in sides.items()
    }
    for _ in range(1500):
        side = []
        for name, (value, _) in sides.items():
            n = len(units_of[name])
            units = np.concatenate([units_of[name][c] for c in rng.integers(0, n, n).tolist()])
            mean = value[units].mean(axis=0)
            level = mean[0] / mean[1] if "ratios" in asked else mean[0]
            side.append((level, level - theta * mean[2]))
        drawn.append((side[1][1] - side[0][1], (side[1][1] - side[0][1]) / side[0][0]))
    error, relative_error = np.std(drawn, axis=0, ddof=1)
    assert one.effect.error == pytest.approx(error, rel=0.06)
    assert one.effect.relative_interval is not None
    reach = stats.t.ppf(0.975, one.effect.df) * relative_error
    width = one.effect.relative_interval.high - one.effect.relative_interval.low
    assert width / 2 == pytest.approx(reach, rel=0.06)
    assert (one.effect.variance_saved is None) == (covariate is None)


def test_clusters_are_what_is_counted() -> None:
    sides = {"A": rows(600, 5), "B": rows(640, 6)}
    analysis = clustered(sides, measures=("bought",), start=600, events=1)
    assert analysis.ratio.n == {"A": 600, "B": 640}
    (one,) = analysis.comparisons
    assert 600 < one.effect.df < 1240
    assert one.always_valid is not None
    reach = one.effect.error * sequence_factor(1240)
    assert one.always_valid.high == pytest.approx(one.effect.difference + reach)
    assert clustered(sides, measures=("bought",), start=601).comparisons[0].always_valid is None
    assert clustered(sides, measures=("bought",), start=600, events=601).comparisons[0].always_valid is None
    assert words_of(analysis)[0].startswith("No mismatch of the sample ratio was found: clusters by user, A 600")
    again = clustered(sides, measures=("bought",), start=600, events=1)
    assert again.comparisons == analysis.comparisons
    assert clustered(sides, measures=("bought",), seed=1).comparisons[0].effect.error != one.effect.error


def halves(lift: float, n: int = 2000) -> tuple[dict[str, Floats], dict[str, Floats]]:
    """`(value, segment)` by variant: rates of .2, higher by `lift` of treated units of segment 0; two columns."""
    rng = np.random.default_rng(8)
    segment = {name: rng.integers(0, 3, n).astype(float) for name in "AB"}
    rate = {"A": np.full(n, 0.2), "B": np.where(segment["B"] == 0, 0.2 + lift, 0.2)}
    return {name: rng.binomial(1, rate[name])[:, None].astype(float) for name in "AB"}, segment


def segmented(lift: float, **asked: Any) -> Analysis:
    value, segment = halves(lift)
    parts = {f"s{k}": {name: moments_of(value[name][segment[name] == k]) for name in "AB"} for k in range(3)} | {
        "few": {"A": moments_of(value["A"][:29]), "B": moments_of(value["B"][:40])},
        "one": {"A": moments_of(value["A"])},
    }
    question = Question(control="A", measures=("bought",), segments=("place",), **asked)
    groups = {name: moments_of(one) for name, one in value.items()}
    return analyse(Units(groups, segments={"place": parts}), question)


def test_segments_are_analysed_as_experiments_of_their_own() -> None:
    value, segment = halves(0.15)
    analysis = segmented(0.15, correction="bonferroni")
    assert [one.segment for one in analysis.segments] == ["few", "one", "s0", "s1", "s2"]
    few, one, *others = analysis.segments
    assert (few.effect, few.reason) == (None, "fewer than 30 units in a variant")
    assert (one.n_control, one.n_treatment, one.effect) == (2000, 0, None)
    for k, part in enumerate(others):
        a, b = (value[name][segment[name] == k, 0] for name in "AB")
        expected = stats.ttest_ind(b, a, equal_var=False).pvalue
        assert part.effect is not None
        assert (part.effect.p, part.p_adjusted) == pytest.approx((expected, min(1, 3 * expected)))
    (test,) = analysis.interactions
    known = [part.effect for part in others if part.effect]
    meta = combine_effects(np.array([e.difference for e in known]), np.array([e.error**2 for e in known]))
    assert (test.statistic, test.df, test.p) == pytest.approx((meta.q, 2, stats.chi2.sf(meta.q, 2)))
    assert test.p_adjusted == test.p < 1e-4
    lines = words_of(analysis)
    assert any(line.startswith("Segments by place, bought, B: the difference is not the same") for line in lines)
    assert "all 3 differences in segments (bonferroni)" in lines[-2]


def test_equal_segments_are_not_told_apart() -> None:
    analysis = segmented(0.0)
    assert analysis.interactions[0].p > 0.05
    assert any("that segments differ was not shown" in line for line in words_of(analysis))


def test_cochrans_q_holds_its_level() -> None:
    """2,000 draws of five equal differences with different errors, seed 4."""
    rng, error = np.random.default_rng(4), np.array([1.0, 2.0, 0.5, 1.5, 3.0])
    share = np.mean([cochran_q(rng.normal(0.3, error), error)[1] < 0.05 for _ in range(2000)])
    assert 0.04 < share < 0.06


def looked(lift: float, *, days: int = 30, **asked: Any) -> Analysis:
    """100 units a day and variant, of normal values."""
    rng = np.random.default_rng(12)
    parts = {
        86_400.0 * (day + 1): {name: moments_of(rng.normal(lift * (name == "B"), 1, (100, 1))) for name in "AB"}
        for day in range(days)
    }
    whole = {name: moments_of(rng.normal(size=(100 * days, 1))) for name in "AB"}
    question = Question(control="A", measures=("spent",), time="day", **asked)
    return analyse(Units(whole, looks=dict(reversed(parts.items())), times_are_dates=True), question)


def test_a_path_stops_where_the_interval_first_excludes_0() -> None:
    (path,) = looked(0.3, start=500).paths
    rng = np.random.default_rng(12)
    drawn = [[rng.normal(lift, 1, (100, 1)) for lift in (0.0, 0.3)] for _ in range(30)]
    for at, look in enumerate(path.looks):
        a, b = (np.concatenate([day[side] for day in drawn[: at + 1]]) for side in (0, 1))
        assert (look.end, look.n) == (86_400.0 * (at + 1), (len(a), len(b)))
        if at < 4:
            assert (look.difference, look.always_valid) == (None, None)
            continue
        assert look.always_valid is not None
        error = math.sqrt(a.var(ddof=1) / len(a) + b.var(ddof=1) / len(b))
        low = float(b.mean() - a.mean()) - error * sequence_factor(len(a) + len(b))
        assert look.always_valid.low == pytest.approx(low)
        assert (path.stop is not None and at >= path.stop) or look.always_valid.low <= 0
    assert path.begin == 4
    assert path.stop is not None
    stopped = path.looks[path.stop].always_valid
    assert stopped is not None
    assert stopped.low > 0
    sentence = words_of(looked(0.3, start=500))[-1]
    assert (
        f"first excludes 0 at the look of {path.stop + 2} January 1970, with {200 * (path.stop + 1):,} units"
        in sentence
    )


@pytest.mark.parametrize(
    ("time", "words"),
    [
        ("2026-09-02", "2 September 2026"),
        ("2026-09-12T13:28:00Z", "12 September 2026, 13:28 UTC"),
        ("2026-09-12T13:28:05Z", "12 September 2026, 13:28:05 UTC"),
        ("20260912", "20260912"),
        ("-5", "-5"),
    ],
)
def test_times_of_looks_in_words(time: str, words: str) -> None:
    assert time_in_words(time) == words


def test_intervals_for_one_look_stop_nothing() -> None:
    """They exclude 0 looks before the always-valid ones do."""
    (path,) = looked(0.12, start=100).paths
    single = next(at for at, look in enumerate(path.looks) if look.interval and look.interval.low > 0)
    every = next(at for at, look in enumerate(path.looks) if look.always_valid and look.always_valid.low > 0)
    assert single < every == path.stop


def test_nothing_stops_before_the_start_or_without_a_difference() -> None:
    (late,) = looked(3.0, start=2501).paths
    assert (late.begin, late.stop) == (25, 25)
    (never,) = looked(0.0, start=100).paths
    assert (never.begin, never.stop) == (0, None)
    assert "none was a reason to stop" in words_of(looked(0.0, start=100))[-1]
    assert "nothing could have been decided early" in words_of(looked(0.0, start=5000))[-1]
    with pytest.raises(ValueError, match="1,001 looks"):
        looked(0.0, days=1001)


@pytest.mark.parametrize("seed", range(5))
def test_welch_and_proportions_are_those_of_statsmodels(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, rate = rng.integers(40, 4000, 2), rng.uniform(0.1, 0.6, 2)
    sides = [rng.binomial(1, p, size).astype(float) for p, size in zip(rate, n, strict=True)]
    spent = [rng.gamma(2, 3, size) * (1 + 0.1 * at) for at, size in enumerate(n)]
    groups = {name: moments_of(np.column_stack(one)) for name, *one in zip("AB", sides, spent, strict=True)}
    analysis = analyse(Units(groups), Question(control="A", measures=("bought", "spent"), threshold=1e-300))
    bought, money = (one.effect for one in analysis.comparisons)
    expected = CompareMeans(DescrStatsW(spent[1]), DescrStatsW(spent[0]))
    low, high = expected.tconfint_diff(usevar="unequal")
    assert [money.p, money.interval.low, money.interval.high] == pytest.approx(
        [expected.ttest_ind(usevar="unequal")[1], low, high]
    )
    counts = [int(side.sum()) for side in sides]
    wald = proportion.test_proportions_2indep(counts[1], n[1], counts[0], n[0], method="wald")
    assert bought.difference == pytest.approx(wald.diff)
    assert bought.difference / bought.error == pytest.approx(wald.statistic, rel=0.03)  # n − 1 in place of n


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ({"cluster": "user", "time": "day"}, "with clusters no looks are taken: .*--ratio sum/units"),
        ({"replicates": 1}, "replicates are 2 to"),
        ({"seed": -1}, "a seed is at least 0"),
        ({"every": 5.0}, "needs a column of times"),
        ({"time": "day", "every": 0.0}, "every is a positive length"),
    ],
)
def test_questions_that_are_refused(asked: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Question(control="A", measures=("bought",), **asked)


def in_places(sides: dict[str, tuple[Floats, Ints]], n_places: int, **asked: Any) -> Analysis:
    """Cluster c is in place c mod `n_places`."""
    question = Question(control="A", cluster="user", measures=("bought",), segments=("place",), **asked)
    value = {name: (value[:, [0, 2]][:, : len(question.columns)], cluster) for name, (value, cluster) in sides.items()}
    groups = {name: moments_of(one) for name, (one, _) in value.items()}
    parts: dict[str, dict[str, tuple[Floats, Ints]]] = {}
    for name, (one, cluster) in value.items():
        for place in range(n_places):
            here = cluster % n_places == place
            parts.setdefault(f"p{place}", {})[name] = one[here], np.unique(cluster[here], return_inverse=True)[1]
    units = Units(
        groups,
        segments={"place": {p: {v: moments_of(one[0]) for v, one in by.items()} for p, by in parts.items()}},
        clusters={name: clusters_of(*one) for name, one in value.items()},
        cluster_segments={"place": {p: {v: clusters_of(*one) for v, one in by.items()} for p, by in parts.items()}},
    )
    return analyse(units, question)


def test_segments_of_clusters_are_experiments_of_their_own() -> None:
    """Each against the analysis of its clusters alone, whose draws are others."""
    sides = {"A": rows(300, 1), "B": rows(300, 2, lift=0.8)}
    analysis = in_places(sides, 3, covariate="before", replicates=4000)
    whole = clustered(sides, measures=("bought",), covariate="before", replicates=4000)
    assert analysis.comparisons[0].effect == whole.comparisons[0].effect  # segments take nothing from its draws
    assert [(one.segment, one.n_control, one.n_treatment) for one in analysis.segments] == [
        (f"p{place}", 100, 100) for place in range(3)
    ]
    for place, one in enumerate(analysis.segments):
        alone_of = {
            name: (value[cluster % 3 == place], np.unique(cluster[cluster % 3 == place], return_inverse=True)[1])
            for name, (value, cluster) in sides.items()
        }
        alone = clustered(alone_of, measures=("bought",), covariate="before", replicates=4000).comparisons[0].effect
        assert one.effect is not None
        assert (one.effect.difference, one.effect.theta) == pytest.approx((alone.difference, alone.theta))
        assert one.effect.error == pytest.approx(alone.error, rel=0.06)
    (test,) = analysis.interactions
    effects = [one.effect for one in analysis.segments if one.effect]
    meta = combine_effects(np.array([e.difference for e in effects]), np.array([e.error**2 for e in effects]))
    assert test.statistic == pytest.approx(meta.q)
    few = in_places({"A": rows(50, 1), "B": rows(50, 2)}, 2)
    assert {(one.effect, one.reason) for one in few.segments} == {(None, "fewer than 30 clusters in a variant")}


def test_segments_of_clusters_differ_by_chance_as_often_as_stated() -> None:
    """Units of a cluster are alike; taken as independent, segments would differ in far more than 5 %."""
    rejections = np.zeros(2)
    for seed in range(60):
        sides = {"A": rows(90, 2 * seed), "B": rows(90, 2 * seed + 1)}
        (test,) = in_places(sides, 3, replicates=100).interactions
        parts = [
            [moments_of(value[cluster % 3 == place][:, :1]) for value, cluster in sides.values()] for place in range(3)
        ]
        plain = [effect(UnitMeasure("bought", 0), *pair) for pair in parts]
        rejections += [test.p <= 0.05, cochran_q([e.difference for e in plain], [e.error for e in plain])[1] <= 0.05]
    assert rejections[0] / 60 < 0.15
    assert rejections[1] / 60 > 0.25


def test_few_clusters_are_refused() -> None:
    with pytest.raises(ValueError, match="at least 2 clusters"):
        clustered({"A": rows(1, 1), "B": rows(9, 2)}, measures=("bought",))
    for level in (2, 0.1, 1e12 + 0.3):
        flat = rows(20, 1)[0] * 0 + level, rows(20, 1)[1]
        with pytest.raises(ValueError, match="bought does not vary"):
            clustered({"A": flat, "B": flat}, measures=("bought",))


def test_a_level_changes_no_difference_of_clusters() -> None:
    near = {"A": rows(60, 5), "B": rows(60, 6, lift=0.4)}
    far = {name: (value + 1e12, cluster) for name, (value, cluster) in near.items()}
    one, other = (clustered(sides, measures=("bought",)).comparisons[0].effect for sides in (near, far))
    assert (other.difference, other.error) == pytest.approx((one.difference, one.error), rel=0.01)


@pytest.mark.parametrize("n", [7, BLOCK - 1, BLOCK])
@pytest.mark.parametrize("drawn", [0, 1, 5, 1000])
def test_as_many_clusters_are_picked_as_are_drawn(n: int, drawn: int) -> None:
    picks = _picks(n, drawn, np.random.default_rng(0))
    assert picks.size == drawn
    assert (picks < n).all()
