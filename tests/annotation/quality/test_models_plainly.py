"""The models as their pages say them, vote by vote, gold clamped: what a snapshot has must be just that."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest
from scipy.optimize import minimize

from annotation.quality.arrays import Floats
from annotation.quality.consolidation import Known
from annotation.quality.consolidation.dawid_skene import fit_dawid_skene
from annotation.quality.consolidation.mace import fit_mace
from annotation.quality.consolidation.ordinal import fit_ordinal, lenient_and_sharp, ruler_of
from annotation.quality.scale import Scale
from annotation.quality.votes import Votes

SCALES = [Scale((0, 1)), Scale((0, 1, 2)), Scale((1, 2, 5, 6))]
Row = Sequence[float]


@dataclass(frozen=True)
class Plain:
    """`rows`: pair, person, place of the grade; `start`: what each pair's truth may be; `accepted`: what it can be."""

    rows: list[tuple[int, int, int]]
    n_people: int
    n_grades: int
    start: list[list[float]]
    accepted: list[list[bool]]

    def posterior(self, prior: Row, confusion: Sequence[Sequence[Row]]) -> list[list[float]]:
        """`confusion[a][g][t]`: the chance that person a gives g where t is true."""
        rows = [[p * may for p, may in zip(prior, each, strict=True)] for each in self.accepted]
        for i, a, g in self.rows:
            rows[i] = [p * confusion[a][g][t] for t, p in enumerate(rows[i])]
        return [[p / sum(row) for p in row] for row in rows]

    def counts(self, chance: list[list[float]]) -> Floats:
        """(people, given, true): how often, as far as is known."""
        counts = np.zeros((self.n_people, self.n_grades, self.n_grades))
        for i, a, g in self.rows:
            counts[a, g] += chance[i]
        return counts

    def prior(self, chance: list[list[float]]) -> list[float]:
        """Shares of the grades, with one pair more, spread evenly."""
        n = self.n_grades
        return [(sum(row[t] for row in chance) + 1 / n) / (len(chance) + 1) for t in range(n)]


def drawn(scale: Scale, seed: int) -> tuple[Votes, Known, Plain]:
    """People of all kinds, some pairs with one vote; gold of one grade, of two, and gold that nobody hit."""
    rng, n = np.random.default_rng(seed), len(scale.grades)
    met = rng.random((40, 6)) < 0.5
    met[np.arange(40), rng.integers(0, 6, 40)] = True
    truth = rng.integers(0, n, 40)
    sure = rng.random((40, 6)) < np.linspace(0.3, 0.95, 6)
    step = np.where(sure, truth[:, None], rng.integers(0, n, (40, 6)))
    pair, who = np.nonzero(met)
    votes = Votes(pair, who, scale.values[step[met]], 40)
    gold = np.arange(0, 40, 5)
    accepted = (np.arange(n) == truth[gold][:, None]) | (np.arange(n) == 0) & (gold % 2 == 0)[:, None]
    none = np.zeros(0, dtype=np.int64)
    return votes, Known(gold, accepted, none, none), plain_of(votes, scale, gold.tolist(), accepted.tolist())


def plain_of(votes: Votes, scale: Scale, gold: list[int], accepted: list[list[bool]]) -> Plain:
    n = len(scale.grades)
    places = [scale.grades.index(grade) for grade in votes.grade.tolist()]
    rows = list(zip(votes.pair.tolist(), votes.annotator.tolist(), places, strict=True))
    may = [[True] * n for _ in range(votes.n_pairs)]
    for i, each in zip(gold, accepted, strict=True):
        may[i] = each
    start = [[0.0] * n for _ in range(votes.n_pairs)]
    for i, _, g in rows:
        start[i][g] += may[i][g]
    start = [row if any(row) else [float(each) for each in may[i]] for i, row in enumerate(start)]
    return Plain(rows, 6, n, [[p / sum(row) for p in row] for row in start], may)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("n_rounds", [1, 2, 6])
def test_dawid_skene_with_its_priors(scale: Scale, n_rounds: int) -> None:
    votes, known, plain = drawn(scale, n_rounds)
    chance, n = plain.start, plain.n_grades
    for _ in range(n_rounds):
        counts = plain.counts(chance)
        every = [[float(counts[:, g, t].sum()) + 1 / n for t in range(n)] for g in range(n)]
        share = [[every[g][t] / sum(every[h][t] for h in range(n)) for t in range(n)] for g in range(n)]
        confusion = [
            [[(a[g, t] + share[g][t]) / (a[:, t].sum() + 1) for t in range(n)] for g in range(n)] for a in counts
        ]
        chance = plain.posterior(plain.prior(chance), confusion)
    model = fit_dawid_skene(votes, scale, known, tolerance=-math.inf, most_rounds=n_rounds)
    np.testing.assert_allclose(model.posterior, chance, rtol=0, atol=1e-9)
    assert model.log_likelihood == pytest.approx(likelihood(plain, model.prior, np.exp(model.log_confusion)), abs=1e-8)


def likelihood(plain: Plain, prior: Floats, confusion: Floats) -> float:
    """Log of the chance of all votes, gold within its accepted grades."""
    joint = np.array(prior) * np.array(plain.accepted)
    for i, a, g in plain.rows:
        joint[i] *= confusion[a, g]
    return float(np.log(joint.sum(axis=1)).sum())


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("seed", [1, 2])
def test_mace_with_its_pseudo_judgments(scale: Scale, seed: int) -> None:
    votes, known, plain = drawn(scale, seed)
    model = fit_mace(votes, scale, known)
    chance, n = plain.start, plain.n_grades
    s, xi = [0.5] * 6, [[1 / n] * n for _ in range(6)]
    for _ in range(model.n_rounds):
        blind, judged = np.zeros((6, n)), [0] * 6
        for i, a, g in plain.rows:
            unseen = s[a] * xi[a][g] / (1 - s[a] + s[a] * xi[a][g])  # of an answer that is right
            blind[a, g] += (1 - chance[i][g]) + chance[i][g] * unseen
            judged[a] += 1
        s = [(row.sum() + 0.5) / (m + 1) for row, m in zip(blind, judged, strict=True)]
        xi = [[(each + 1 / n) / (row.sum() + 1) for each in row] for row in blind]
        guess = [[[s[a] * xi[a][g] + (1 - s[a]) * (g == t) for t in range(n)] for g in range(n)] for a in range(6)]
        chance = plain.posterior([1 / n] * n, guess)
    assert model.n_rounds > 3
    np.testing.assert_allclose(model.posterior, chance, rtol=0, atol=1e-9)
    assert model.prior.tolist() == [1 / n] * n


@pytest.mark.parametrize("scale", SCALES)
def test_leniency_and_sharpness_are_those_of_greatest_likelihood(scale: Scale) -> None:
    """scipy climbs the same hill, written out: β d − λ d²/2 on the log share of each grade, d in mean steps."""
    votes, _, plain = drawn(scale, 3)
    n, n_given = plain.n_grades, np.bincount([g for _, _, g in plain.rows], minlength=plain.n_grades) + 1
    unit = (scale.top - scale.bottom) / (n - 1)
    apart = [[(g - t) / unit for t in scale.grades] for g in scale.grades]

    def chances(beta: float, sharp: float) -> Floats:
        odds = [[n_given[g] * math.exp(beta * d - sharp * d * d / 2) for d in apart[g]] for g in range(n)]
        return np.asarray(np.array(odds) / np.sum(odds, axis=0))

    counts = plain.counts(plain.start) + 2 * chances(0, 1) / n
    thetas = lenient_and_sharp(counts, ruler_of(votes, scale))
    for each, theta in zip(counts, thetas, strict=True):
        best = minimize(
            lambda x, each=each: -float((each * np.log(chances(*x))).sum()), [0, 1], bounds=[(-9, 9), (0, 9)]
        )
        assert theta == pytest.approx(best.x, abs=2e-3)
        assert (each * np.log(chances(*theta))).sum() >= -best.fun - 1e-7


@pytest.mark.parametrize("scale", SCALES)
def test_the_ordinal_model_ends_where_its_figures_and_its_grades_agree(scale: Scale) -> None:
    votes, known, plain = drawn(scale, 4)
    model = fit_ordinal(votes, scale, known)
    assert plain.posterior(model.prior.tolist(), np.exp(model.log_confusion).tolist()) == pytest.approx(
        model.posterior, abs=1e-9
    )
    ruler = ruler_of(votes, scale)
    middling = np.exp(ruler.log_confusion(np.array([[0.0, 1.0]]))[0])
    theta = lenient_and_sharp(plain.counts(model.posterior.tolist()) + 2 * middling / plain.n_grades, ruler)
    assert np.abs(ruler.log_confusion(theta) - model.log_confusion).max() < 0.05


def test_pairs_nobody_voted_on_have_the_prior() -> None:
    votes, known, _ = drawn(SCALES[1], 5)
    more = replace(votes, n_pairs=41)
    for each in (fit_dawid_skene(more, SCALES[1], known), fit_ordinal(more, SCALES[1], known)):
        assert each.posterior[40] == pytest.approx(each.prior, abs=1e-12)
