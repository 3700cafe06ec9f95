"""Simulated users against their chances by recursion; tests of power against scipy and brute force."""

import numpy as np
import pytest
from scipy import stats

from evaluation.engine.arrays import Bools, Ints
from evaluation.engine.clicks.models import MODELS, Cascade, ClickModel, PositionBased, model_named
from evaluation.engine.clicks.power import OUTCOMES, _sign_p, _welch_p, power
from evaluation.engine.clicks.simulation import as_bits, grades_shown, simulated_clicks
from evaluation.engine.interleaving.drawing import interleave, method_named
from evaluation.engine.interleaving.probabilistic import Probabilistic
from evaluation.engine.interleaving.team_draft import TeamDraft
from tests.evaluation.engine.interleaving.test_interleaving import runs
from tests.evaluation.engine.made import made_qrels, made_run

GRADES = [0, 4, 1, 3, 0, 2]


def expected_clicks(model: ClickModel, grades: list[int], top: int) -> list[float]:
    """The chance of a click on each position."""
    if isinstance(model, PositionBased):
        return [(1 / r) ** model.eta * (model.noise + (1 - model.noise) * (2**g - 1) / (2**top - 1))
                for r, g in enumerate(grades, 1)]  # fmt: skip
    assert isinstance(model, Cascade)
    click, stop = model.chances(top)
    reached, chances = 1.0, []
    for g in grades:
        chances.append(reached * click[g])
        reached *= 1 - click[g] * stop[g]
    return chances


@pytest.mark.parametrize("name", list(MODELS))
def test_clicks_come_as_often_as_the_model_says(name: str) -> None:
    model, n = model_named(name), 40_000
    clicked = model.clicks(np.tile(GRADES, (n, 1)), 4, np.random.default_rng(1))
    expected = np.array(expected_clicks(model, GRADES, 4))
    assert (np.abs(clicked.mean(axis=0) - expected) < 4.5 * np.sqrt(expected * (1 - expected) / n) + 1e-12).all()


def test_users_who_look_for_one_document_stop() -> None:
    """After a click on grade 4 one in ten goes on; no document behind the end is clicked."""
    clicked = model_named("navigational").clicks(np.tile([4, 4, -1], (20_000, 1)), 4, np.random.default_rng(2))
    first = clicked[:, 0]
    assert abs(clicked[first, 1].mean() - 0.1 * 0.95) < 0.01
    assert abs(clicked[~first, 1].mean() - 0.95) < 0.03
    assert not clicked[:, 2].any()


def test_chances_of_other_scales_lie_between() -> None:
    binary = model_named("navigational")
    assert isinstance(binary, Cascade)
    assert [each.tolist() for each in binary.chances(1)] == [[0.05, 0.95], [0.2, 0.9]]
    assert [each.tolist() for each in binary.chances(2)] == [[0.05, 0.5, 0.95], [0.2, 0.5, 0.9]]
    assert binary.chances(4)[0].tolist() == [0.05, 0.3, 0.5, 0.7, 0.95]


def test_what_models_refuse() -> None:
    for name, options, reason in (
        ("random", {}, "one of perfect"),
        ("perfect", {"eta": 1.0}, "eta is a parameter of position_based"),
        ("position_based", {"noise": 1.0}, "noise lies in"),
        ("position_based", {"eta": -1.0}, "eta is at least 0"),
    ):
        with pytest.raises(ValueError, match=reason):
            model_named(name, **options)


QRELS = made_qrels({f"q{t}": {f"d{d}": (d + t) % 5 - 1 for d in range(15)} for t in range(6)})


def test_shown_grades_are_those_of_the_qrels() -> None:
    shown = grades_shown([("d0", "d4", "d19"), ("d1",)], ["q0", "zz"], QRELS, 4)
    assert shown.tolist() == [[0, 3, 0, -1], [0, -1, -1, -1]]  # negative and unjudged are 0


def test_the_same_seed_gives_the_same_log() -> None:
    lists = interleave(runs(), TeamDraft(), lists_per_topic=3)
    pairs = [
        simulated_clicks(lists, QRELS, model_named("perfect"), impressions=50, rng=np.random.default_rng(seed))
        for seed in (1, 1, 2)
    ]
    assert [np.array_equal(pairs[0][1], other[1]) for _, other in zip(range(2), pairs[1:], strict=True)] == [
        True,
        False,
    ]
    assert as_bits(np.array([[True, False, True], [False, False, False]])).tolist() == [5, 0]
    unjudged = made_qrels({"q0": {"d1": 0}})
    with pytest.raises(ValueError, match="judged relevant"):
        simulated_clicks(lists, unjudged, model_named("perfect"), impressions=5, rng=np.random.default_rng(0))
    with pytest.raises(ValueError, match="at least one impression"):
        simulated_clicks(lists, QRELS, model_named("perfect"), impressions=0, rng=np.random.default_rng(0))


def test_tests_of_replications_are_those_of_scipy() -> None:
    rng = np.random.default_rng(3)
    count = rng.integers(0, 30, (4, 2, 3)).astype(float)
    count[0, 0] = [0, 0, 5]
    expected = [[stats.binomtest(int(a), int(a + b)).pvalue if a + b else 1.0 for a, b, _ in row] for row in count]
    np.testing.assert_allclose(_sign_p(count), expected)
    first, second = rng.gamma(2, 1, (4, 50)), rng.gamma(3, 1, (4, 50))
    n = np.array([20, 50])
    sums = [[[part[:m].sum(), (part[:m] ** 2).sum()] for m in n] for pair in zip(first, second, strict=True)
            for part in pair]  # fmt: skip
    p_values = _welch_p(np.array(sums).reshape(4, 2, 2, 2), n)
    for row in range(4):
        welch = [stats.ttest_ind(first[row, :m], second[row, :m], equal_var=False).pvalue for m in n]
        np.testing.assert_allclose(p_values[row], welch)
    assert _welch_p(np.zeros((1, 2, 1, 2)), np.array([5])).tolist() == [[1.0]]


def test_outcomes_by_hand() -> None:
    clicked = np.array([[False, True, True], [False, False, False], [True, False, False]])
    assert {name: of(clicked).tolist() for name, of in OUTCOMES.items()} == {
        "clicked": [1, 0, 1], "first_click": [0.5, 0, 1], "clicks": [2, 0, 1],
    }  # fmt: skip


def test_power_grows_where_runs_differ_and_keeps_its_level_where_they_do_not() -> None:
    good, bad = runs()
    qrels = made_qrels({n: dict.fromkeys(good.docno.take(np.arange(good.start[t], good.start[t] + 4)), 4)
                       for t, n in enumerate(good.numbers)})  # fmt: skip
    options = {"sizes": (40, 400), "replications": 200, "depth": 6}
    simulation = power([good, bad], qrels, TeamDraft(), model_named("almost_random"), **options)  # type: ignore[arg-type]
    few, many = simulation.points
    assert few.interleaving.found < many.interleaving.found
    assert many.interleaving.found > many.ab.found
    assert simulation.share > 0.5
    assert simulation.rates[0] > simulation.rates[1]
    assert many.interleaving.error == pytest.approx(
        (many.interleaving.found * (1 - many.interleaving.found) / 200) ** 0.5
    )
    turned = power([bad, good], qrels, TeamDraft(), model_named("almost_random"), **options)  # type: ignore[arg-type]
    assert turned.share == pytest.approx(1 - simulation.share, abs=0.03)
    alike = power([good, bad], qrels, method_named("optimised", {}), PositionBased(noise=0.999), **options)  # type: ignore[arg-type]
    assert max(share.found for point in alike.points for share in (point.interleaving, point.ab)) < 0.11


def test_power_is_that_of_the_tests_by_enumeration() -> None:
    """One document a list, clicked with .6 if it is of the good run, else with .4: half of 100 impressions each."""
    good, bad = (made_run({str(t): {tag: 1.0} for t in range(4)}, tag) for tag in ("good", "bad"))
    qrels = made_qrels({str(t): {"good": 1, "bad": 0} for t in range(4)})
    (point,) = power(
        [good, bad], qrels, TeamDraft(), model_named("almost_random"), sizes=(100,), replications=2000
    ).points
    expected, chance = 0.0, stats.binom.pmf(np.arange(101), 100, 0.5)
    for n in range(1, 101):
        wins = np.arange(n + 1)
        p = np.minimum(1, 2 * stats.binom.cdf(np.minimum(wins, n - wins), n, 0.5))
        expected += chance[n] * stats.binom.pmf(wins, n, 0.6)[p <= 0.05].sum()
    assert point.interleaving.found == pytest.approx(expected, abs=4 * point.interleaving.error)
    won, lost = np.meshgrid(np.arange(51), np.arange(51), indexing="ij")
    counts = np.stack([np.stack([one, one], axis=-1) for one in (won, lost)]).reshape(2, -1, 2).transpose(1, 0, 2)
    p = _welch_p(counts[:, :, None, :].astype(float), np.array([50]))[:, 0]
    both = (stats.binom.pmf(won, 50, 0.6) * stats.binom.pmf(lost, 50, 0.4)).ravel()
    assert point.ab.found == pytest.approx(both[p <= 0.05].sum(), abs=4 * point.ab.error)
    assert point.interleaving.wrong < 0.02


def test_what_power_refuses() -> None:
    pair = runs()
    for options, reason in (
        ({"sizes": (3,)}, "at least 4"),
        ({"sizes": ()}, "at least 4"),
        ({"sizes": (10,), "replications": 5}, "at least 10"),
        ({"sizes": (10,), "outcome": "x"}, "an outcome is one of"),
        ({"sizes": (10,), "alpha": 1.0}, "alpha lies between"),
    ):
        with pytest.raises(ValueError, match=reason):
            power(pair, QRELS, TeamDraft(), model_named("perfect"), **options)
    with pytest.raises(ValueError, match="that of two runs"):
        power(pair[:1], QRELS, TeamDraft(), model_named("perfect"), sizes=(10,))
    with pytest.raises(ValueError, match="no topic is in both"):
        power(pair, made_qrels({"x": {"a": 1}}), TeamDraft(), model_named("perfect"), sizes=(10,))


class Blind(ClickModel):
    """Clicks one position in five, whatever is there."""

    name, meaning = "blind", "clicks by chance"

    def clicks(self, grade: Ints, top_grade: int, rng: np.random.Generator) -> Bools:
        return rng.random(grade.shape) < 0.2


def test_many_impressions_of_few_topics_find_nothing_where_clicks_are_by_chance() -> None:
    """They are shown lists of their own: 50 of each topic that come again and again favoured one run by the chance of
    their draw, and a third of the replications found that."""
    docs = [f"d{at}" for at in range(10)]
    rng = np.random.default_rng(3)
    two = [
        made_run({str(n): dict(zip(docs, rng.random(10).tolist(), strict=True)) for n in range(3)}, tag)
        for tag in ("A", "B")
    ]
    judged = made_qrels({str(n): dict.fromkeys(docs, 1) for n in range(3)})
    simulation = power(two, judged, Probabilistic(), Blind(), sizes=[3000], replications=300, depth=5)
    assert simulation.points[0].interleaving.found < 0.09  # at 5 %: more by chance once in 500


def test_topics_without_judgments_are_not_shown() -> None:
    docs = [f"d{at}" for at in range(6)]
    scores = {
        tag: {f"q{n}": {d: float((at * step + n) % 7) for at, d in enumerate(docs)} for n in range(4)}
        for tag, step in (("A", 1), ("B", 3))
    }
    judged = made_qrels({f"q{n}": {"d0": 1, "d3": 0} for n in (1, 3)})
    simulations = [
        power(
            [made_run({n: one[n] for n in numbers}, tag) for tag, one in scores.items()], judged, TeamDraft(),
            model_named("navigational"), sizes=[200], replications=10, depth=5,
        )
        for numbers in (("q0", "q1", "q2", "q3"), ("q1", "q3"))
    ]  # fmt: skip
    assert simulations[0] == simulations[1]
