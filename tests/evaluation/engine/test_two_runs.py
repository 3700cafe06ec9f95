"""Two runs side by side: each test as by itself, and a conclusion that says no more than the numbers."""

from dataclasses import replace

import numpy as np
import pytest

from evaluation.engine.comparison import Design, compare
from evaluation.engine.conclusions import compare_by, conclusion_of_two
from evaluation.engine.many_runs import compare_many
from evaluation.engine.significance.intervals.result import Method
from evaluation.engine.significance.paired.result import Test
from evaluation.engine.two_runs import TESTS, TwoRuns, by_difference, compare_two
from tests.evaluation.engine.test_comparison import VALUES, evaluated

NUMBERS = tuple(str(n) for n in range(20))


def two(first: list[float], second: list[float], *, minimum: float | None = None, threshold: float = 0.0) -> TwoRuns:
    numbers = NUMBERS[: len(first)]
    return compare_two(
        evaluated("a", first, numbers),
        evaluated("b", second, numbers),
        "AP",
        Design(minimum=minimum, threshold=threshold),
        seed=3,
    )


def spread(shift: float, size: float) -> tuple[list[float], list[float]]:
    """Twenty topics whose differences have the mean `shift` and lie `size` around it."""
    first = [0.5 + shift + size * (1 if n % 2 else -1) * (1 + n / 20) for n in range(20)]
    middle = float(np.mean(first)) - 0.5 - shift
    return [value - middle for value in first], [0.5] * 20


def test_every_test_is_that_of_the_comparison_by_itself() -> None:
    runs = two(VALUES["a"], VALUES["b"])
    ours = [evaluated(tag, VALUES[tag]) for tag in "ab"]
    for test in TESTS:
        alone = compare(ours, "AP", Design(test=test, correction="none"), rng=3).pairs[0]
        assert {**runs.others, "randomization": runs.comparison}[test].pairs[0].p == alone.p
    assert (runs.refused, runs.comparison.test) == ({}, "randomization")


def test_a_test_that_cannot_answer_says_why_and_the_others_stay() -> None:
    runs = two([0.7, 0.8, 0.9], [0.6, 0.7, 0.8])  # the same difference on each topic, to the last bits
    assert "bootstrap" in runs.refused
    assert "resamples do not vary" in runs.refused["bootstrap"]
    assert "sign" in runs.others


def test_topics_by_difference_keep_their_order_where_it_is_equal() -> None:
    assert list(by_difference(two([0.5, 0.9, 0.5, 0.1], [0.5, 0.5, 0.5, 0.5]))) == [1, 0, 2, 3]


@pytest.mark.parametrize(("threshold", "counts"), [(0.0, (3, 1, 2)), (0.1, (2, 3, 1)), (0.5, (0, 6, 0))])
def test_topics_are_counted_beyond_the_threshold(threshold: float, counts: tuple[int, int, int]) -> None:
    pair = two([0.5, 0.75, 0.875, 1.0, 0.5, 0.5], [0.5, 0.6875, 0.5, 0.5, 0.5625, 1.0], threshold=threshold).pair
    assert (pair.n_better, pair.n_equal, pair.n_worse) == counts


def test_equal_runs_are_called_so() -> None:
    assert conclusion_of_two(two([0.5, 0.6], [0.5, 0.6])) == ["a and b have the same value on each of the 2 topics."]


def test_a_difference_that_is_sure_names_the_better_run() -> None:
    lines = conclusion_of_two(two(*spread(0.1, 0.05)))
    assert lines[0].startswith("Over 20 topics a minus b is +0.1000 in AP (95 % interval +0.0")
    assert lines[1].startswith("a is better than b at the level of 0.05 (randomization test, p ")
    second, first = spread(0.1, 0.05)
    assert conclusion_of_two(two(first, second))[1].startswith("b is better than a")


def test_what_is_not_sure_is_never_called_equal_nor_better() -> None:
    conclusion = " ".join(conclusion_of_two(two(*spread(0.02, 0.2))))
    assert "The two cannot be told apart" in conclusion
    assert "That does not show that they are equal." in conclusion
    assert " is better than " not in conclusion


@pytest.mark.parametrize(
    ("shift", "size", "minimum", "words"),
    [
        (0.3, 0.05, 0.1, "Even the end of the interval nearer to 0 is a difference of 0.1 or more."),
        (-0.3, 0.05, 0.1, "Even the end of the interval nearer to 0 is a difference of 0.1 or more."),
        (0.01, 0.02, 0.2, "The whole interval is nearer to 0 than 0.2"),
        (0.1, 0.2, 0.1, "Whether the difference reaches 0.1 is open"),
    ],
)
def test_the_smallest_difference_that_matters_is_weighed_by_the_interval(
    shift: float, size: float, minimum: float, words: str
) -> None:
    runs = two(*spread(shift, size), minimum=minimum)
    conclusion = " ".join(conclusion_of_two(runs))
    assert words in conclusion
    assert runs.pair.needed is not None
    assert f"needs {runs.pair.needed.n_topics:,} topics" in conclusion


def test_no_power_is_written_as_certainty() -> None:
    assert "its power is above 0.99." in " ".join(conclusion_of_two(two(*spread(0.1, 0.01), minimum=0.1)))


@pytest.mark.parametrize(("n_topics", "least"), [(2, "0.5"), (5, "0.0625"), (6, "")])
def test_topics_too_few_for_the_test_are_said(n_topics: int, least: str) -> None:
    first = [0.5 + n / 100 for n in range(1, n_topics + 1)]
    conclusion = " ".join(conclusion_of_two(two([*first, 0.5], [0.5] * (n_topics + 1))))
    few = f"This test can find nothing: {n_topics} topics that differ give no p below {least}."
    assert (few in conclusion) == bool(least)
    assert ("a is better than b" in conclusion) == (not least)


@pytest.mark.parametrize("method", ["t", "studentised", "percentile", "basic", "bca"])
def test_an_interval_that_promises_too_much_is_called_so(method: Method) -> None:
    first, second = (evaluated(tag, values, NUMBERS) for tag, values in zip("ab", spread(0.1, 0.05), strict=True))
    conclusion = " ".join(conclusion_of_two(compare_two(first, second, "AP", Design(interval=method), seed=3)))
    narrow = f"Intervals by {method} are too narrow for fewer than 250 topics"
    assert (narrow in conclusion) == (method not in ("t", "studentised"))


def test_tests_that_disagree_are_named() -> None:
    first = [0.5 + 0.01] * 15 + [0.5 - 0.3] + [0.5] * 4  # many small wins and one large loss
    conclusion = " ".join(conclusion_of_two(two(first, [0.5] * 20)))
    assert "By other tests the two would be told apart: " in conclusion
    assert "sign" in conclusion


def test_a_threshold_below_zero_is_refused() -> None:
    with pytest.raises(ValueError, match="0 or above"):
        Design(threshold=-0.1)


def test_topics_that_count_nothing_for_want_of_documents_are_said() -> None:
    first, second = spread(0.1, 0.05)
    whole, lacking = evaluated("a", first, NUMBERS), evaluated("b", second, NUMBERS)
    lacking = replace(lacking, missing=NUMBERS[:7])
    words = "Topics that a run has no document for count 0: b 7."
    assert words in conclusion_of_two(compare_two(whole, lacking, "AP", Design(), seed=3))
    assert words not in conclusion_of_two(two(first, second))
    other = evaluated("c", second, NUMBERS)
    for design in (Design(), Design(baseline="a"), Design(test="sign")):
        (compared,) = compare_by(["AP"], [whole, lacking, other], design, rng=np.random.default_rng(1), seed=1)
        assert words in compared.conclusion


def test_a_difference_alike_on_all_topics_promises_nothing_by_its_interval() -> None:
    conclusion = " ".join(conclusion_of_two(two([0.75] * 8, [0.25] * 8, minimum=0.05)))
    assert "a is better than b at the level of 0.05" in conclusion
    assert "All topics differ by the same: an interval without width says nothing of other topics." in conclusion
    assert "Even the end of the interval" not in conclusion


@pytest.mark.parametrize("test", ["t", "bootstrap"])
def test_runs_of_which_a_test_cannot_tell_are_named(test: Test) -> None:
    values = {"system-1": [0.1, 0.6, 0.3], "system-2": [0.2, 0.3, 0.1], "system-3": [0.4, 0.5, 0.3]}
    runs = [evaluated(tag, value, NUMBERS[:3]) for tag, value in values.items()]
    with pytest.raises(ValueError, match=r"system-2 and system-3: all differences are equal.*use randomization"):
        compare_many(runs, "AP", Design(test=test), seed=1)
