"""Many runs at once: the tests' own numbers in one order, and sentences that say no more than they do."""

from dataclasses import replace

import numpy as np
import pytest

from evaluation.engine.comparison import Design, compare
from evaluation.engine.conclusions import compare_by, conclusion_of_many
from evaluation.engine.many_runs import DESIGN, ManyRuns, compare_many, many_of
from evaluation.engine.scorer import MeasureValues
from evaluation.engine.significance.tukey import tukey_hsd
from tests.evaluation.engine.test_comparison import evaluated

TRUTH = {"d": 0.5, "b": 0.72, "c": 0.5, "a": 0.9}


def four_runs(n_topics: int = 30) -> list[MeasureValues]:
    """a is far above b, b above c and d, which are alike."""
    rng = np.random.default_rng(1)
    numbers = tuple(str(n) for n in range(n_topics))
    values = {tag: np.clip(mean + rng.normal(size=n_topics) * 0.05, 0, 1).tolist() for tag, mean in TRUTH.items()}
    return [evaluated(tag, value, numbers) for tag, value in values.items()]


def many(design: Design = DESIGN, *, seed: int = 3, n_topics: int = 30) -> ManyRuns:
    return compare_many(four_runs(n_topics), "AP", design, seed=seed)


def conclusion(design: Design, **options: int) -> str:
    return " ".join(conclusion_of_many(many(design, **options)))


def test_runs_stand_by_their_means_with_groups_and_ranks() -> None:
    runs = many().runs
    means = [run.interval.mean for run in runs]
    assert means == sorted(means, reverse=True)
    assert [run.tag for run in runs[:2]] == ["a", "b"]
    assert [(run.best_rank, run.worst_rank, run.letters) for run in runs] == [
        (1, 1, "a"), (2, 2, "b"), (3, 4, "c"), (3, 4, "c"),
    ]  # fmt: skip
    assert many().groups == ((0,), (1,), (2, 3))


def test_the_figures_of_all_pairs_are_those_of_the_test() -> None:
    runs, compared = four_runs(), many()
    order = [run.tag for run in compared.runs]
    by_tag = sorted(runs, key=lambda run: run.tag)
    pairs = tukey_hsd(np.stack([run.value[:, 0] for run in by_tag], axis=1), rng=3)
    for i, j, p, difference in zip(pairs.first, pairs.second, pairs.p, pairs.mean_difference, strict=True):
        first, second = order.index(by_tag[i].tag), order.index(by_tag[j].tag)
        assert compared.adjusted[first, second] == compared.adjusted[second, first] == p
        assert compared.difference[first, second] == pytest.approx(difference)
        assert compared.difference[second, first] == pytest.approx(-difference)
    assert np.diag(compared.adjusted).tolist() == [1.0] * 4


@pytest.mark.parametrize("design", [DESIGN, Design(), Design(test="bootstrap", correction="bonferroni", n_draws=500)])
def test_the_order_in_which_runs_come_changes_nothing(design: Design) -> None:
    runs = four_runs()
    one, other = (compare_many(each, "AP", design, seed=5) for each in (runs, runs[::-1]))
    assert one == other
    assert np.array_equal(one.adjusted, other.adjusted)


def test_a_comparison_of_all_pairs_says_the_same() -> None:
    comparison = compare(four_runs(), "AP", Design(test="tukey"), rng=3)
    assert many_of(comparison) == many()
    p = {frozenset((pair.first, pair.second)): pair.adjusted for pair in comparison.pairs}
    tags = [run.tag for run in many().runs]
    assert p[frozenset("cd")] == many().adjusted[tags.index("c"), tags.index("d")]


def test_what_the_level_means_is_said_with_it() -> None:
    together = "The level holds for all pairs together, and so do the ranges of ranks."
    assert together in conclusion(DESIGN)
    assert together in conclusion(Design(test="t", correction="holm"))
    assert "about 0 pairs would be told apart by chance" in conclusion(Design(test="t", correction="none"))
    by_rate = conclusion(Design(test="t", correction="bh"))
    assert "On average at most 5 % of the pairs told apart are so by chance." in by_rate
    assert (
        "5 of 6 pairs of 4 runs can be told apart in AP at the level of 0.05 (randomised Tukey test, 10,000 draws)"
        in (conclusion(DESIGN))
    )


def test_the_best_run_and_who_may_be_as_good() -> None:
    assert "a is better than every other run." in conclusion(DESIGN)
    alike = conclusion_of_many(compare_many([run for run in four_runs() if run.tag in "cd"], "AP", seed=1))
    assert "and cannot be told apart from 1 other: " in " ".join(alike)
    assert "Runs that cannot be told apart are not shown to be equal." in alike
    assert "is better" not in " ".join(alike)


def test_too_few_draws_are_said() -> None:
    """Of 6 pairs by Holm after 99 resamples no adjusted p is below 6 / 100."""
    few = conclusion(Design(test="bootstrap", n_draws=99))
    assert "So few draws can tell no pair apart: the least adjusted p that they can give is 0.06." in few
    assert "So few draws" not in conclusion(replace(DESIGN, n_draws=99))


@pytest.mark.parametrize(
    ("design", "n_topics", "least"),
    [
        (DESIGN, 2, "0.042"),  # 24 orders of four runs: all topics turned alike, 24 of 576
        (replace(DESIGN, alpha=0.01), 2, "0.042"),
        (Design(test="randomization", correction="none"), 4, "0.12"),
        (Design(test="randomization", correction="none"), 6, "0.031"),
        (Design(test="randomization", correction="holm"), 6, "0.19"),
    ],
)
def test_too_few_topics_are_said(design: Design, n_topics: int, least: str) -> None:
    few = f"So few topics can tell no pair apart: the least adjusted p that they can give is {least}."
    assert (few in conclusion(design, n_topics=n_topics)) == (float(least) > design.alpha)


def test_runs_of_equal_means_share_the_highest() -> None:
    alike = [evaluated(tag, [0.2, 0.4, 0.9], ("1", "2", "3")) for tag in ("one", "other")]
    sentences = conclusion_of_many(compare_many(alike, "AP", DESIGN, seed=1))
    assert "one, other have the highest mean, 0.5000. one cannot be told apart from 1 other: other." in sentences


@pytest.mark.parametrize(
    ("design", "reason"),
    [
        (Design(test="sign"), "by a test of means: tukey, randomization, t, bootstrap, not sign"),
        (Design(test="wilcoxon"), "not wilcoxon"),
        (Design(alpha=0), "alpha lies between 0 and 1"),
        (Design(test="tukey", confidence=1), "confidence"),
        (Design(test="t", baseline="a"), "no baseline"),
        (Design(test="tukey", n_draws=0), "at least one draw"),
    ],
)
def test_what_gives_no_order_is_refused(design: Design, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        many(design)


def concluded(design: Design, tags: str) -> str:
    runs = [run for run in four_runs() if run.tag in tags]
    (one,) = compare_by(["AP"], runs, design, rng=np.random.default_rng(0), seed=0)
    return " ".join(one.conclusion)


def test_every_comparison_has_its_conclusion() -> None:
    assert "b minus a is" in concluded(Design(), "ab")
    assert "of 6 pairs of 4 runs" in concluded(Design(), "abcd")
    against = concluded(Design(baseline="b"), "abcd")
    assert "better than b: a; worse: d, c." in against
    assert "it says nothing of the other runs among each other" in against
    runs, design = four_runs(), Design(baseline="b")
    other = compare_by(["AP"], runs[::-1], design, rng=np.random.default_rng(0), seed=0)[0]
    assert " ".join(other.conclusion) == against  # in whatever order runs come
    assert "a: none; worse: b, d, c." in concluded(Design(baseline="a"), "abcd")


@pytest.mark.parametrize(("tags", "design"), [("ab", Design(test="sign")), ("abc", Design(test="wilcoxon"))])
def test_a_test_of_ranks_or_counts_names_no_better_run(tags: str, design: Design) -> None:
    """Its p can be small where the mean points the other way."""
    words = concluded(design, tags)
    assert "can be told apart" in words
    assert "it does not say which is better by it" in words
    assert "better than" not in words


def test_against_a_baseline_that_cannot_be_told_apart() -> None:
    assert "1 run cannot be told apart from it. That does not show that they are equal." in (
        concluded(Design(baseline="c"), "acd")
    )
