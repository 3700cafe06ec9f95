"""Probabilistic interleaving against every way its draws can fall."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from evaluation.engine.interleaving.lists import Lists
from evaluation.engine.interleaving.method import Shown
from evaluation.engine.interleaving.probabilistic import Probabilistic
from tests.evaluation.engine.interleaving.test_interleaving import lists_of, random_rankings


def all_probabilistic(
    rankings: Sequence[Sequence[str]], tau: int, docnos: tuple[str, ...] = (), teams: tuple[int, ...] = ()
) -> Iterator[tuple[tuple[str, ...], tuple[int, ...], Fraction]]:
    """`(list, teams, chance)` of every way the draws can fall: a ranker, then one of its documents that are left."""
    if len(docnos) == len(rankings[0]):
        yield docnos, teams, Fraction(1)
        return
    for ranker, ranking in enumerate(rankings):
        left = {d: Fraction(1, at**tau) for at, d in enumerate(ranking, 1) if d not in docnos}
        for docno, chance in left.items():
            share = chance / sum(left.values()) / len(rankings)
            further = all_probabilistic(rankings, tau, (*docnos, docno), (*teams, ranker))
            yield from ((d, t, share * p) for d, t, p in further)


@pytest.mark.parametrize(("seed", "n", "tau"), [(1, 2, 3), (11, 2, 1), (3, 3, 3)])
def test_probabilistic_credit_is_the_chance_of_who_was_drawn(seed: int, n: int, tau: int) -> None:
    """Against every way the draws can fall: what is drawn how often, the credit given the list, and its fairness."""
    rankings = [one[:4] for one in random_rankings(seed, n)]
    depth = len(rankings[0])
    chance: Counter[tuple[str, ...]] = Counter()
    credit: dict[tuple[str, ...], np.ndarray] = {}
    for docnos, teams, p in all_probabilistic(rankings, tau):
        chance[docnos] += p  # type: ignore[assignment]
        by_hand = credit.setdefault(docnos, np.zeros((depth, n)))
        by_hand[range(depth), teams] += float(p)
    shown = [Shown(one, (0,) * depth) for one in chance]
    weight = Probabilistic(tau=tau).weight(lists_of("probabilistic", shown, rankings))
    expected = np.array([credit[one.docno] / float(chance[one.docno]) for one in shown])
    np.testing.assert_allclose(weight, expected, atol=1e-12)
    share = np.array([float(p) for p in chance.values()])
    np.testing.assert_allclose(np.einsum("l,lpr->pr", share, weight), 1 / n)
    draw, rng = Probabilistic(tau=tau).drawing(rankings), np.random.default_rng(seed)
    drawn = [draw(rng) for _ in range(4_000)]
    seen = Counter(one.docno for one in drawn)
    often = share * 4_000 >= 5
    counts = [
        *np.array([seen[one] for one in chance])[often],
        sum(seen[d] for d, o in zip(chance, often, strict=True) if not o),
    ]
    wanted = [*4_000 * share[often], 4_000 * share[~often].sum()]
    kept = [at for at, each in enumerate(wanted) if each > 0]
    assert stats.chisquare(np.array(counts)[kept], np.array(wanted)[kept]).pvalue > 1e-4
    firsts = Counter(one.team[0] for one in drawn)
    assert all(abs(firsts[ranker] / 4_000 - 1 / n) < 0.04 for ranker in range(n))


def test_probabilistic_credit_of_shorter_lists_and_of_ranks_that_stand_twice() -> None:
    """A list of two beside one of three: its rankings have two documents. A file may name a rank twice: no credit."""
    rankings = [list("abc"), list("bca")]
    lists = lists_of("probabilistic", [Shown(tuple("abc"), (0, 0, 0))] * 2, rankings)
    lists.rank[1] = [[1, 2], [2, 1], [0, 0]]
    short = Lists(**{**vars(lists), "docno": (("a", "b", "c"), ("a", "b"))})
    weight = Probabilistic().weight(short)
    chance = np.array([1, 1 / 8]) / (1 + 1 / 8)
    np.testing.assert_allclose(weight[1], np.array([chance, [0.5, 0.5], [0, 0]]))
    lists.rank[:] = 1
    assert Probabilistic().weight(lists)[0].tolist() == [[0.5, 0.5], [0, 0], [0, 0]]
