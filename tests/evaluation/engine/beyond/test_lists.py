"""Coverage, exposure, variety and surprise: the issue's example, and brute force over random lists."""

import itertools

import numpy as np
import pytest

from evaluation.engine.beyond.commerce import catalogue_coverage, category_coverage, zero_result_rate
from evaluation.engine.beyond.description import describe_lists
from evaluation.engine.beyond.lists import Catalogue, Lists, cut, lists_of
from evaluation.engine.beyond.recommendation import (
    gini,
    hit_rate,
    intra_list_diversity,
    novelty,
    popularity_bias,
    serendipity,
)
from evaluation.engine.beyond.words import words_of_lists

IDS = tuple(str(i) for i in range(1, 11))
CATALOGUE = Catalogue(
    IDS,
    popularity=np.array([100.0 - 10 * i for i in range(1, 11)]),
    category=np.array([i % 3 for i in range(1, 11)]),
    vector=np.random.default_rng(1).normal(size=(10, 4)),
)
LISTS = lists_of(CATALOGUE, "abc", [["1", "2", "3"], ["1", "4", "5"], ["1", "2", "6"]])


def places(*ids: int) -> np.ndarray:
    return np.array(ids) - 1


RELEVANT = {"a": places(2, 7), "b": places(4), "c": places(6, 8)}


def test_the_figures_of_the_example() -> None:
    assert hit_rate(LISTS, RELEVANT) == 1.0
    assert catalogue_coverage(LISTS, CATALOGUE) == 0.6
    assert category_coverage(LISTS, CATALOGUE) == 1.0
    assert f"{gini(LISTS, CATALOGUE, over='recommended'):.2f} {gini(LISTS, CATALOGUE):.2f}" == "0.24 0.54"
    assert f"{popularity_bias(LISTS, CATALOGUE):.2f}" == "1.60"
    assert np.unique(LISTS.item).size == 6


def test_who_wants_something_and_gets_no_list_is_a_miss() -> None:
    more = {**RELEVANT, "d": places(1), "e": places()}
    assert hit_rate(LISTS, more) == 3 / 4
    description = describe_lists(LISTS, CATALOGUE, k=3, relevant=more)
    assert (description.hit_rate, description.n_without_list) == (3 / 4, 1)
    assert "1 person with a relevant item got no list: no hit." in words_of_lists(description)
    empty = lists_of(CATALOGUE, "abcd", [["1", "2", "3"], ["1", "4", "5"], ["1", "2", "6"], []])
    assert describe_lists(empty, CATALOGUE, k=3, relevant=more).n_without_list == 1
    whole = describe_lists(LISTS, CATALOGUE, k=3, relevant=RELEVANT)
    assert (whole.hit_rate, whole.n_without_list) == (1.0, 0)
    assert not any("got no list" in line for line in words_of_lists(whole))
    with pytest.raises(ValueError, match="nobody with a list has a relevant item"):
        hit_rate(LISTS, {"d": places(1)})


def test_lists_cut_at_one_hit_nobody() -> None:
    assert hit_rate(cut(LISTS, 1), RELEVANT) == 0.0
    assert hit_rate(cut(LISTS, 2), RELEVANT) == pytest.approx(2 / 3)
    assert cut(LISTS, 9).item.tolist() == LISTS.item.tolist()


def test_gini_by_all_pairs() -> None:
    """The mean absolute difference by twice the mean."""
    rng = np.random.default_rng(2)
    for _ in range(50):
        item = rng.integers(0, 10, 20)
        one = Lists(("a",), np.array([0, 20]), item)
        x = np.bincount(item, minlength=10)
        assert gini(one, CATALOGUE) == pytest.approx(np.abs(x[:, None] - x).mean() / (2 * x.mean()))


def test_novelty_is_self_information() -> None:
    bits, left_out = novelty(LISTS, CATALOGUE)
    p = np.array([90, 80, 70, 60, 50, 40]) / 450
    lists = [(0, 1, 2), (0, 3, 4), (0, 1, 5)]
    assert bits == pytest.approx(np.mean([-np.log2(p[list(one)]).mean() for one in lists]))
    assert left_out == 0
    assert novelty(LISTS, CATALOGUE, n_people=90)[0] < bits
    with_unused = lists_of(CATALOGUE, "ab", [["1", "10"], ["10"]])
    assert list(novelty(with_unused, CATALOGUE)) == pytest.approx([-np.log2(90 / 450), 2])
    with pytest.raises(ValueError, match="80 people, but an item that 90 used"):
        novelty(LISTS, CATALOGUE, n_people=80)


def cosine(first: int, second: int) -> float:
    assert CATALOGUE.vector is not None
    a, b = CATALOGUE.vector[first], CATALOGUE.vector[second]
    return float(a @ b / np.sqrt((a @ a) * (b @ b)))


def test_diversity_and_serendipity_by_brute_force() -> None:
    lists = [[0, 1, 2], [0, 3, 4], [0, 1, 5]]
    pairs = [[1 - cosine(*pair) for pair in itertools.combinations(one, 2)] for one in lists]
    assert intra_list_diversity(LISTS, CATALOGUE) == pytest.approx(np.mean([np.mean(one) for one in pairs]))
    assert intra_list_diversity(LISTS, CATALOGUE, by="category") == pytest.approx(np.mean([1, 2 / 3, 1]))
    history = {"a": np.array([6, 7]), "c": np.array([9])}
    greatest = [np.mean([1 - max(cosine(i, h) for h in history[u]) for i in lists[n]]) for u, n in (("a", 0), ("c", 2))]
    smallest = [np.mean([1 - min(cosine(i, h) for h in history[u]) for i in lists[n]]) for u, n in (("a", 0), ("c", 2))]
    assert serendipity(LISTS, CATALOGUE, history) == pytest.approx(np.mean(greatest))
    assert serendipity(LISTS, CATALOGUE, history, similarity="smallest") == pytest.approx(np.mean(smallest))
    assert serendipity(LISTS, CATALOGUE, {"a": places(3)}, by="category") == pytest.approx(2 / 3)


def test_queries_without_results() -> None:
    shop = lists_of(CATALOGUE, ["shoes", "scarf", "shooes"], [["1"], ["2"], []])
    assert zero_result_rate(shop) == pytest.approx(1 / 3)
    assert zero_result_rate(shop, weight=[90, 9, 1]) == 0.01
    with pytest.raises(ValueError, match="not all 0"):
        zero_result_rate(shop, weight=[0, 0, 0])
    with pytest.raises(ValueError, match="3 lists or queries, but 1 weights"):
        zero_result_rate(shop, weight=[1])


@pytest.mark.parametrize(
    ("owners", "items", "reason"),
    [
        ("ab", [["1"]], "2 people or queries with 1 lists"),
        ("aa", [["1"], ["2"]], "stands twice"),
        ("a", [["1", "1"]], "a: an item stands twice in the list"),
        ("a", [["1", "x", "y"]], "items that the catalogue does not have: x, y"),
        ("", [], "at least one"),
    ],
)
def test_what_are_no_lists(owners: str, items: list[list[str]], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        lists_of(CATALOGUE, list(owners), items)


def test_what_a_catalogue_must_have() -> None:
    bare = Catalogue(("1", "2"))
    lists = lists_of(bare, "a", [["1", "2"]])
    for measure in (popularity_bias, novelty, category_coverage, intra_list_diversity):
        with pytest.raises(ValueError, match=r"popularity|categor|vectors"):
            measure(lists, bare)
    with pytest.raises(ValueError, match="nobody"):
        hit_rate(lists, {})
    with pytest.raises(ValueError, match="twice in the catalogue"):
        Catalogue(("1", "1"))
    with pytest.raises(ValueError, match="2 items, but a category of 1"):
        Catalogue(("1", "2"), category=np.array([1]))
    with pytest.raises(ValueError, match="a vector is zero"):
        intra_list_diversity(lists, Catalogue(("1", "2"), vector=np.zeros((2, 3))))
    with pytest.raises(ValueError, match="all lists are empty"):
        gini(lists_of(bare, "a", [[]]), bare)
