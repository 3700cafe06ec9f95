"""BM25 beside an independent implementation, that of the demo; words of several scripts; the random sample."""

import numpy as np
import pytest

from evaluation.engine.bm25 import Bm25, words_of
from evaluation.engine.without_runs import ALL, SAMPLE, Recipe, sampled
from touchstone.demo.content import demo_documents, demo_topics
from touchstone.demo.rankers.bm25 import _weights
from touchstone.demo.rankers.counts import count_terms

TEXTS = ["bees make honey", "honey and wax", "", "swifts sleep in the air", "蜜蜂とはちみつ", "Bees bees BEE"]


def test_the_tops_are_those_of_another_implementation() -> None:
    texts = [f"{document.title}\n{document.text}" for document in demo_documents()]
    terms, index = count_terms(texts, words_of), Bm25(texts)
    weight = _weights(terms, k1=1.2, b=0.75)
    for topic in demo_topics():
        query = f"{topic.title} {topic.description}"
        score = weight @ terms.query(query) / 2.2  # (k1 + 1) is in each of theirs
        top = index.top(query, 20)
        assert np.array_equal(top, np.lexsort((np.arange(len(texts)), -score.round(9)))[:20])
        assert index.top(query, 7).tolist() == top[:7].tolist()


@pytest.mark.parametrize(
    ("query", "best"),
    [
        ("bee", [5, 0]),  # in another form and case
        ("honey honey wax", [1, 0]),
        ("蜜蜂", [4]),
        ("hornets", []),
        ("", []),
    ],
)
def test_what_shares_no_word_is_left_out(query: str, best: list[int], caplog: pytest.LogCaptureFixture) -> None:
    assert Bm25(TEXTS).top(query, 10).tolist() == best
    assert not caplog.records


def test_equal_texts_go_by_their_order_and_nothing_breaks_without_words() -> None:
    assert Bm25(["a bee"] * 9 + ["wax"]).top("bee", 4).tolist() == [0, 1, 2, 3]
    assert Bm25(["", "…"]).top("bee", 4).tolist() == Bm25([]).top("bee", 4).tolist() == []
    seen: list[int] = []
    Bm25(["x"] * 2001, seen.append)
    assert seen == [0, 1000, 2000]


def test_a_sample_is_uniform_and_each_topic_has_its_own() -> None:
    counts = np.zeros(10)
    for seed in range(2000):
        drawn = sampled(10, 3, seed=seed, number="1")
        assert np.unique(drawn).size == 3
        counts[drawn] += 1
    assert abs(counts / 2000 - 0.3).max() < 0.04  # 4 standard errors
    assert sampled(10, 3, seed=1, number="1").tolist() == sampled(10, 3, seed=1, number="1").tolist()
    assert sampled(99, 9, seed=1, number="1").tolist() != sampled(99, 9, seed=1, number="2").tolist()
    assert sorted(sampled(3, 9, seed=1, number="1").tolist()) == [0, 1, 2]


def test_a_recipe_comes_out_of_its_origin() -> None:
    for recipe in (Recipe(ALL), Recipe(SAMPLE, 5, 7), Recipe("bm25", 9)):
        assert Recipe.of_origin(recipe.to_origin() | {"topics": []}) == recipe
    with pytest.raises(KeyError):
        Recipe.of_origin({"kind": "runs"})
    assert Recipe(ALL).most_pairs(n_topics=3, n_documents=7) == 21
    assert Recipe(SAMPLE, 9).most_pairs(n_topics=3, n_documents=7) == 21
