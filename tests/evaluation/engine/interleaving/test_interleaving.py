"""Interleaving against brute force: fairness under clicks at random, credit by hand, tallies by hand."""

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import stats

from evaluation.engine.arrays import Floats
from evaluation.engine.interleaving import METHODS
from evaluation.engine.interleaving.balanced import Balanced
from evaluation.engine.interleaving.counting import tally
from evaluation.engine.interleaving.drawing import generator_of, interleave, method_named
from evaluation.engine.interleaving.lists import NOBODY, Lists
from evaluation.engine.interleaving.method import Method, Shown
from evaluation.engine.interleaving.optimised import Optimised, _sensitivity, allowed_lists, fair_probabilities
from evaluation.engine.interleaving.team_draft import TeamDraft
from evaluation.engine.run import PackedRun
from tests.evaluation.engine.made import made_run


def lists_of(method: str, shown: Sequence[Shown], rankings: Sequence[Sequence[str]]) -> Lists:
    rank = [[[r.index(d) + 1 if d in r else 0 for r in rankings] for d in one.docno] for one in shown]
    return Lists(
        method=method,
        parameters={},
        rankers=tuple("ABCD"[: len(rankings)]),
        number=("1",) * len(shown),
        serial=np.arange(1, len(shown) + 1),
        docno=tuple(one.docno for one in shown),
        team=np.array([one.team for one in shown], np.int8),
        rank=np.array(rank, np.int16),
    )


def random_rankings(seed: int, n: int = 2) -> list[list[str]]:
    rng = np.random.default_rng(seed)
    depth = int(rng.integers(2, 6))
    pool = int(rng.integers(depth, 2 * depth))
    return [[f"d{i}" for i in rng.permutation(pool)[:depth].tolist()] for _ in range(n)]


def all_team_drafts(
    rankings: Sequence[Sequence[str]], docnos: tuple[str, ...] = (), teams: tuple[int, ...] = ()
) -> Iterator[tuple[tuple[str, ...], tuple[int, ...], Fraction]]:
    """`(list, teams, chance)` of every way the coins can fall, by the paper's rounds."""
    depth = len(rankings[0])
    orders = list(itertools.permutations(range(len(rankings))))
    for order in orders:
        now, who = list(docnos), list(teams)
        for ranker in order:
            if len(now) < depth:
                now.append(next(d for d in rankings[ranker] if d not in now))
                who.append(ranker)
        share = Fraction(1, len(orders))
        if len(now) == depth:
            yield tuple(now), tuple(who), share
        else:
            yield from ((d, t, share * p) for d, t, p in all_team_drafts(rankings, tuple(now), tuple(who)))


@pytest.mark.parametrize(("seed", "n"), [(1, 2), (2, 2), (3, 3), (5, 3)])
def test_team_drafts_are_drawn_as_often_as_the_coins_say(seed: int, n: int) -> None:
    rankings = random_rankings(seed, n)
    expected: Counter[Shown] = Counter()
    for docnos, teams, chance in all_team_drafts(rankings):
        expected[Shown(docnos, teams)] += chance  # type: ignore[assignment]
    draw, rng = TeamDraft().drawing(rankings), np.random.default_rng(seed)
    seen = Counter(draw(rng) for _ in range(4_000))
    assert seen.keys() <= expected.keys()
    chances = [float(p) for p in expected.values()]
    assert stats.chisquare([seen[one] for one in expected], 4_000 * np.array(chances)).pvalue > 1e-4 or len(chances) < 2


@pytest.mark.parametrize("seed", range(8))
def test_team_draft_is_fair_at_every_position(seed: int) -> None:
    rankings = random_rankings(seed, 2 + seed % 2)
    picks = np.zeros((len(rankings[0]), len(rankings)))
    for _, teams, chance in all_team_drafts(rankings):
        picks[range(len(teams)), teams] += float(chance)
    np.testing.assert_allclose(picks, 1 / len(rankings))


def test_the_shared_prefix_can_be_teamless() -> None:
    rankings = [["a", "b", "c", "d"], ["a", "b", "d", "e"]]
    shown = TeamDraft(shared_prefix="teamless").drawing(rankings)(np.random.default_rng(0))
    assert (shown.docno[:2], shown.team[:2]) == (("a", "b"), (NOBODY, NOBODY))
    assert sorted(shown.team[2:]) == [0, 1]
    alike = TeamDraft(shared_prefix="teamless").drawing([["a", "b"], ["a", "b"]])(np.random.default_rng(0))
    assert alike == Shown(("a", "b"), (NOBODY, NOBODY))


def bias(method: Method, lists: Lists, chance: Floats, clicks: int) -> Floats:
    """Expected outcome and credit of the first ranker less that of the second, where just these positions are clicked
    in every list."""
    row = np.arange(lists.n_lists)
    credit = method.credit(lists, row, np.full(row.size, clicks, np.uint64))
    gap = credit[:, 0] - credit[:, 1]
    return np.array([chance @ np.sign(np.round(gap, 9)), chance @ gap])


def test_balanced_prefers_a_ranker_under_random_clicks() -> None:
    """The counterexample of Radlinski, Kurup and Joachims 2008: A = a b c d, B = b c d a; B wins three of four."""
    rankings = [list("abcd"), list("bcda")]
    shown = [Shown(tuple("abcd"), (0, 1, 1, 1)), Shown(tuple("bacd"), (1, 0, 1, 1))]
    drawn = {Balanced().drawing(rankings)(np.random.default_rng(seed)) for seed in range(20)}
    assert {one.docno for one in drawn} == {one.docno for one in shown}
    lists, half = lists_of("balanced", shown, rankings), np.array([0.5, 0.5])
    outcomes = [bias(Balanced(), lists, half, 1 << at)[0] for at in range(4)]
    assert sum(outcomes) / 4 == -0.5  # one click anywhere: B wins 3/4, A 1/4
    drafts = [Shown(d, t) for d, t, _ in all_team_drafts(rankings)]
    chance = np.array([float(p) for *_, p in all_team_drafts(rankings)])
    team = lists_of("team_draft", drafts, rankings)
    assert [bias(TeamDraft(), team, chance, 1 << at)[0] for at in range(4)] == [0.0] * 4


def balanced_by_hand(rankings: Sequence[Sequence[str]], docnos: Sequence[str], clicks: set[int]) -> tuple[int, int]:
    """Joachims 2003: the smallest k whose first k of both rankings hold the lowest click; then count clicks."""
    lowest = docnos[max(clicks)]
    k = next(k for k in range(1, len(docnos) + 1) if any(lowest in ranking[:k] for ranking in rankings))
    clicked = {docnos[at] for at in clicks}
    return len(clicked & set(rankings[0][:k])), len(clicked & set(rankings[1][:k]))


@pytest.mark.parametrize("seed", range(12))
def test_balanced_is_that_of_the_paper(seed: int) -> None:
    rankings = random_rankings(seed)
    shown = [Balanced().drawing(rankings)(np.random.default_rng(at)) for at in range(8)]
    lists = lists_of("balanced", shown, rankings)
    for row, one in enumerate(shown):
        for upto in range(1, len(one.docno) + 1):  # a prefix of k of one and of k or k − 1 of the other
            top = set(one.docno[:upto])
            sizes = [(a, b) for a in range(upto + 1) for b in (a - 1, a, a + 1) if 0 <= b <= upto]
            assert any(top == set(rankings[0][:a]) | set(rankings[1][:b]) for a, b in sizes)
        for clicks in range(1, 1 << len(one.docno)):
            at = {i for i in range(len(one.docno)) if clicks >> i & 1}
            credit = Balanced().credit(lists, np.array([row]), np.array([clicks], np.uint64))[0]
            assert tuple(credit) == balanced_by_hand(rankings, one.docno, at)


@pytest.mark.parametrize("rule", ["inverse", "linear"])
@pytest.mark.parametrize("seed", range(8))
def test_optimised_is_fair_for_clicks_down_to_any_depth(seed: int, rule: str) -> None:
    rankings = random_rankings(seed)
    method = Optimised(click_credit=rule)  # type: ignore[arg-type]
    allowed = allowed_lists(*rankings)
    by_hand = {
        one
        for one in itertools.permutations(sorted({d for r in rankings for d in r}), len(rankings[0]))
        if all(
            any(set(one[:k]) == set(rankings[0][:a]) | set(rankings[1][:b]) for a in range(k + 1) for b in range(k + 1))
            for k in range(1, len(one) + 1)
        )
    }
    assert set(allowed) == by_hand
    lists = lists_of("optimised", [Shown(one, (0,) * len(one)) for one in allowed], rankings)
    weight = method.weight(lists)
    delta = weight[:, :, 0] - weight[:, :, 1]
    chance = fair_probabilities(delta)
    assert chance.min() >= 0
    assert chance.sum() == pytest.approx(1)
    np.testing.assert_allclose(chance @ np.cumsum(delta, axis=1), 0, atol=1e-8)
    for depth in range(1, len(rankings[0]) + 1):
        assert bias(method, lists, chance, (1 << depth) - 1)[1] == pytest.approx(0, abs=1e-8)
    place = [{d: at for at, d in enumerate(r, 1)} for r in rankings]
    ranks = [tuple(where.get(allowed[0][0], len(rankings[0]) + 1) for where in place)]
    by_rule = {"inverse": 1 / ranks[0][0] - 1 / ranks[0][1], "linear": ranks[0][1] - ranks[0][0]}[rule]
    assert delta[0, 0] == pytest.approx(by_rule)


def test_optimised_takes_the_most_sensitive_fair_lists() -> None:
    """Two documents in opposite order: both lists must be shown equally often, and no other is allowed."""
    delta = np.array([[0.5, -0.5], [-0.5, 0.5]])
    np.testing.assert_allclose(fair_probabilities(delta), 0.5)
    # Four lists, pairwise mirrored: the second pair can decide either way, the first only one way or by a tie.
    delta = np.array([[1.0, 0, 0], [-1.0, 0, 0], [1.0, -1, 0], [-1.0, 1, 0]])
    np.testing.assert_allclose(fair_probabilities(delta), [0, 0, 0.5, 0.5], atol=1e-9)
    with pytest.raises(ValueError, match="no probabilities"):
        fair_probabilities(np.array([[1.0], [0.5]]))


def test_sensitivity_by_hand() -> None:
    """Clicks fall on positions 1, 2, 3 with 6/11, 3/11, 2/11."""
    third = -(2 / 3) * np.log2(2 / 3) - (1 / 3) * np.log2(1 / 3)
    delta = np.array([[1.0, -1, 0], [1, 0, 0], [0, 0, 0]])
    np.testing.assert_allclose(_sensitivity(delta), [9 / 11 * third, 0, 0])


def runs(n_topics: int = 6, n_runs: int = 2, depth: int = 12) -> list[PackedRun]:
    rng = np.random.default_rng(5)
    packed_runs = []
    for run in range(n_runs):
        order = {f"q{t}": rng.permutation(20)[:depth].tolist() for t in range(n_topics)}
        scores = {t: {f"d{d}": float(depth - at) for at, d in enumerate(docs)} for t, docs in order.items()}
        packed_runs.append(made_run(scores, f"r{run}"))
    return packed_runs


@pytest.mark.parametrize("name", list(METHODS))
def test_lists_are_rebuilt_from_seed_topic_and_serial(name: str) -> None:
    pair, method = runs(), method_named(name, {})
    many = interleave(pair, method, depth=6, lists_per_topic=5, seed=3)
    few = interleave(pair, method, depth=6, lists_per_topic=2, seed=3)
    other = interleave(pair, method, depth=6, lists_per_topic=5, seed=4)
    assert [many.docno[5 * t + i] for t in range(6) for i in range(2)] == list(few.docno)
    assert many.docno != other.docno
    for at in range(many.n_lists):
        number, docnos = many.number[at], many.docno[at]
        tops = [set(run.docno.take(np.arange(run.start[t], run.start[t] + 6))) for run in pair
                for t in [run.numbers.index(number)]]  # fmt: skip
        assert len(set(docnos)) == len(docnos) == 6
        assert set(docnos) <= tops[0] | tops[1]
    assert generator_of(3, "q1", 2).random() == generator_of(3, "q1", 2).random()


def test_rankings_of_unlike_length_are_cut_and_strange_topics_left_out() -> None:
    first = made_run({"1": {"a": 3, "b": 2, "c": 1}, "2": {"a": 1}}, "A")
    second = made_run({"1": {"x": 2, "y": 1}, "3": {"a": 1}}, "B")
    lists = interleave([first, second], TeamDraft(), lists_per_topic=4)
    assert lists.numbers == ("1",)
    assert {len(docnos) for docnos in lists.docno} == {2}
    assert {frozenset(docnos) for docnos in lists.docno} == {frozenset({"a", "x"})}


@pytest.mark.parametrize(
    ("method", "options", "reason"),
    [
        ("optimised", {"depth": 11}, "1 to 10"),
        ("team_draft", {"depth": 64}, "1 to 63"),
        ("balanced", {"n_runs": 3}, "takes two runs"),
        ("team_draft", {"n_runs": 1}, "at least two"),
        ("team_draft", {"n_runs": 21}, "at most 20 runs, not 21"),
        ("probabilistic", {"n_runs": 130}, "at most 20 runs, not 130"),
        ("team_draft", {"lists_per_topic": 0}, "at least one list"),
    ],
)
def test_what_cannot_be_interleaved(method: str, options: dict[str, Any], reason: str) -> None:
    chosen = runs(n_runs=options.get("n_runs", 2))
    asked = {name: value for name, value in options.items() if name != "n_runs"}
    with pytest.raises(ValueError, match=reason):
        interleave(chosen, method_named(method, {}), **asked)


def test_methods_refuse_what_they_do_not_take() -> None:
    for name, parameters, reason in (
        ("round_robin", {}, "one of team_draft"),
        ("balanced", {"shared_prefix": "drafted"}, "has no shared prefix"),
        ("team_draft", {"shared_prefix": "no"}, "drafted or teamless"),
        ("optimised", {"click_credit": "no"}, "inverse or linear"),
        ("probabilistic", {"tau": 0}, "tau lies above 0"),
        ("probabilistic", {"tau": ["3"]}, "tau lies above 0"),
    ):
        with pytest.raises(ValueError, match=reason):
            method_named(name, parameters)
    with pytest.raises(ValueError, match="no topic is in all"):
        interleave([made_run({"1": {"a": 1}}, "A"), made_run({"2": {"a": 1}}, "B")], TeamDraft())
    with pytest.raises(ValueError, match="the same tag"):
        interleave([made_run({"1": {"a": 1}}, "A"), made_run({"1": {"a": 1}}, "A")], TeamDraft())


def test_impressions_are_counted_once_each() -> None:
    rankings = [list("abc"), list("bca")]
    shown = [Shown(("a", "b", "c"), (0, 1, 0)), Shown(("b", "a", "c"), (1, 0, 1))]
    lists = lists_of("team_draft", shown, rankings)
    row, clicks = np.array([0, 0, 0, 1, 1]), np.array([0b001, 0b011, 0b111, 0b000, 0b110], np.uint64)
    counts = tally(lists, TeamDraft(), row, clicks)
    assert (counts.wins.tolist(), counts.losses.tolist(), counts.ties.tolist()) == ([[2]], [[0]], [[2]])
    assert counts.n_silent == 1
