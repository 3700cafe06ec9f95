"""Interleaving against brute force: fairness under clicks at random, credit by hand, tests against scipy."""

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from evaluation.engine.arrays import Floats
from evaluation.engine.interleaving import METHODS
from evaluation.engine.interleaving.balanced import Balanced
from evaluation.engine.interleaving.counting import Tally, tally
from evaluation.engine.interleaving.drawing import generator_of, interleave, method_named
from evaluation.engine.interleaving.lists import NOBODY, Lists
from evaluation.engine.interleaving.method import Method, Shown
from evaluation.engine.interleaving.optimised import Optimised, _sensitivity, allowed_lists, fair_probabilities
from evaluation.engine.interleaving.preferences import clustered_share, preferences_of
from evaluation.engine.interleaving.probabilistic import Probabilistic
from evaluation.engine.interleaving.team_draft import TeamDraft
from evaluation.engine.interleaving.words import words_of
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
    np.testing.assert_allclose(weight[1], [chance[[0, 1]], [0.5, 0.5], [0, 0]])
    lists.rank[:] = 1
    assert Probabilistic().weight(lists)[0].tolist() == [[0.5, 0.5], [0, 0], [0, 0]]


def runs(n_topics: int = 6, n_runs: int = 2, depth: int = 12) -> list[PackedRun]:
    rng = np.random.default_rng(5)
    made = []
    for run in range(n_runs):
        order = {f"q{t}": rng.permutation(20)[:depth].tolist() for t in range(n_topics)}
        scores = {t: {f"d{d}": float(depth - at) for at, d in enumerate(docs)} for t, docs in order.items()}
        made.append(made_run(scores, f"r{run}"))
    return made


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
        ("team_draft", {"lists_per_topic": 0}, "at least one list"),
    ],
)
def test_what_cannot_be_interleaved(method: str, options: dict[str, int], reason: str) -> None:
    chosen = runs(n_runs=options.pop("n_runs", 2))
    with pytest.raises(ValueError, match=reason):
        interleave(chosen, method_named(method, {}), **options)


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
    found = tally(lists, TeamDraft(), row, clicks)
    assert (found.wins.tolist(), found.losses.tolist(), found.ties.tolist(), found.n_silent) == ([[2]], [[0]], [[2]], 1)


def made_tally(wins: Sequence[int], losses: Sequence[int], ties: Sequence[int]) -> Tally:
    won, lost, tied = (np.array([each], np.int64) for each in (wins, losses, ties))
    return Tally(("A", "B"), tuple(map(str, range(len(wins)))), ((0, 1),), won, lost, tied, n_silent=3)


def test_the_tests_are_those_of_scipy() -> None:
    wins, losses, ties = [5, 3, 0, 2, 7, 1], [1, 3, 2, 0, 2, 1], [1, 0, 4, 0, 0, 2]
    (one,) = preferences_of(made_tally(wins, losses, ties), method="team_draft").preferences
    exact = stats.binomtest(18, 27)
    assert one.p_impressions == pytest.approx(exact.pvalue)
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
    found = clustered_share(wins, n - wins, 0.95)
    middle = wins.sum() / n.sum()
    assert found is not None
    reach = stats.t.ppf(0.975, 39) * error
    assert (found.low, found.high) == pytest.approx((middle - reach, middle + reach))


def test_topics_that_all_have_one_share_have_no_interval() -> None:
    found = preferences_of(made_tally([9] * 8, [1] * 8, [2] * 8), method="team_draft")
    assert (found.preferences[0].clustered, found.preferences[0].p) == (None, 2 / 2**8)
    assert words_of(found)[1:] == [
        (
            "72 impressions prefer A, 8 prefer B, 16 are ties; A wins 90.0% of the decided ones, and as many in each "
            "topic: an interval over topics cannot be given. A is preferred; p = 0.00781 over topics."
        ),
    ]
    assert clustered_share(np.array([1, 2, 7]), np.array([2, 4, 14]), 0.95) is None


def test_few_decided_topics_are_said_where_many_were_clicked() -> None:
    """200 topics with clicks, all but three of them with ties alone."""
    found = preferences_of(made_tally([3, 2, 4] + [0] * 197, [1, 1, 0] + [0] * 197, [1] * 200), method="team_draft")
    assert (found.n_topics, found.preferences[0].topics_decided) == (200, 3)
    assert words_of(found)[-1].startswith("With fewer than 100 decided topics intervals over topics are too narrow")


def test_the_test_over_topics_keeps_its_level_where_impressions_are_alike() -> None:
    """Ten topics that each prefer one ranker throughout, by a coin: 50 impressions of each are no 500 witnesses."""
    rng = np.random.default_rng(1)
    false = np.zeros(2)
    for _ in range(300):
        wins = (50 * rng.integers(0, 2, 10)).tolist()
        (one,) = preferences_of(made_tally(wins, [50 - w for w in wins], [0] * 10), method="team_draft").preferences
        false += [one.p is not None and one.p <= 0.05, one.p_impressions <= 0.05]
    assert false[0] / 300 < 0.07
    assert false[1] / 300 > 0.5


def test_words_say_what_was_shown_and_what_was_not() -> None:
    clear = preferences_of(made_tally([8, 10] * 4, [2, 0] * 4, [2] * 8), method="team_draft")
    assert words_of(clear) == [
        "99 impressions, of them 3 without a click; clicks on 8 topics; team_draft.",
        (
            "72 impressions prefer A, 8 prefer B, 16 are ties; A wins 90.0% of the decided ones [81.1%, 98.9%]. "
            "A is preferred; p = 0.00781 over topics."
        ),
        "With fewer than 100 decided topics intervals over topics are too narrow; the test is not.",
    ]
    unclear = words_of(preferences_of(made_tally([5, 5, 4], [5, 6, 5], [0, 0, 0]), method="balanced"))
    assert "No preference was shown, which does not say that there is none" in unclear[1]
    assert unclear[2].startswith("Balanced interleaving can prefer")
    assert "of one topic" in words_of(preferences_of(made_tally([5], [1], [0]), method="team_draft"))[1]
    assert "is a tie" in words_of(preferences_of(made_tally([0], [0], [4]), method="team_draft"))[1]
    with pytest.raises(ValueError, match="no impression has a click"):
        preferences_of(made_tally([0], [0], [0]), method="team_draft")
