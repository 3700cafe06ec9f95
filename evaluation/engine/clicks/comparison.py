"""Judgments and clicks together: click-through rates, corrected for positions, beside the grades of pairs."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np

from annotation.text.watch import WordlessWatch, say_nothing
from evaluation.engine.arrays import Bools, Floats, Ints
from evaluation.engine.clicks.contradictions import Contradiction, contradictions_of
from evaluation.engine.clicks.corrected import Corrected, Estimator
from evaluation.engine.clicks.counts import ClickCounts
from evaluation.engine.clicks.graded_cells import GradedCells, grades_of
from evaluation.engine.clicks.position_bias import (
    Propensities,
    estimated_propensities,
    given_propensities,
    power_propensities,
)
from evaluation.engine.qrels import Qrels
from evaluation.engine.significance.correlation import kendall_tau_b

Attraction: TypeAlias = Literal["pair", "grade"]
LEAST_RESAMPLES, LEAST_TOPICS = 50, 2  # of an interval
REPORTED_EVERY = 10  # draws: a report asks the database
MOST_SLOPE = 1e100  # of a pair's variance: its square is finite


@dataclass(frozen=True)
class ClickQuestion:
    """Propensities are estimated, with attractiveness by pair or by `by` grade, unless they are `given` by position, or
    are (1/position)^`eta`. `confidence` is that of intervals, `q` the false discovery rate of contradictions."""

    by: Attraction = "pair"
    given: Mapping[int, float] | None = None
    eta: float | None = None
    estimator: Estimator = "ips"
    confidence: float = 0.95
    q: float = 0.05
    n_resamples: int = 200
    seed: int = 0

    def __post_init__(self) -> None:
        if self.given is not None and self.eta is not None:
            raise ValueError("propensities are given, or follow eta: not both")
        if not 0 < self.confidence < 1 or not 0 < self.q < 1:
            raise ValueError("the confidence and q lie between 0 and 1")
        if self.n_resamples < LEAST_RESAMPLES:
            raise ValueError(f"at least {LEAST_RESAMPLES} resamples are drawn, not {self.n_resamples}")


@dataclass(frozen=True)
class Rate:
    """A value with its interval, over topics as they are drawn; None where it is unknown, as of one topic alone."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Position:
    """`propensity` by the first position; without an interval where it was not estimated."""

    position: int
    clicks: float
    impressions: float
    propensity: Rate


@dataclass(frozen=True)
class GradeRates:
    """Of all impressions of the pairs of a grade."""

    grade: int
    n_pairs: int
    clicks: float
    impressions: float
    ctr: Rate
    corrected: Rate


@dataclass(frozen=True)
class ClickedPair:
    """`low` and `high` hold for this pair alone, the propensities taken as known."""

    number: str
    docno: str
    grade: int
    clicks: float
    impressions: float
    ctr: float
    corrected: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class ClickComparison:
    """`tau_ctr` and `tau_corrected`: Kendall's τ-b of grades with rates within a topic, mean over the `n_ordered`
    topics where both differ; None where there is none. `n_log` pairs of the log, of which `pairs` are judged and shown;
    `n_judged` pairs of the qrels. `n_unknown` impressions are at positions whose propensity is not known: they are left
    out. `converged` as of `Propensities`; those of `n_unconverged` resamples did not, and count. `n_left_out` resamples
    have topics that do not lead from the first position to others: intervals are of the rest."""

    question: ClickQuestion
    n_log: int
    n_judged: int
    n_topics: int
    n_ordered: int
    n_unknown: float
    converged: bool
    n_unconverged: int
    n_left_out: int
    positions: tuple[Position, ...]
    grades: tuple[GradeRates, ...]
    tau_ctr: Rate | None
    tau_corrected: Rate | None
    contradictions: tuple[Contradiction, ...]
    pairs: tuple[ClickedPair, ...] = field(repr=False)


def compare_clicks(
    counts: ClickCounts,
    qrels: Qrels,
    question: ClickQuestion | None = None,
    *,
    progress: WordlessWatch = say_nothing,
) -> ClickComparison:
    """Raises `ValueError` where no judged pair was shown, where propensities cannot be estimated, and for given ones
    that are none, or so small that a rate is not finite."""
    asked = question or ClickQuestion()
    grade = grades_of(counts, qrels)
    if not (grade >= 0).any():
        raise ValueError("no pair of the log is judged: topic numbers and docnos are those of the judgments")
    group = counts.pair if asked.by == "pair" else grade[counts.pair]
    theta = _propensities(counts, group, asked)
    has_propensity = ~np.isnan(theta.at(counts.position))
    view = GradedCells(counts.only(has_propensity & (grade[counts.pair] >= 0)), grade, asked.estimator)
    if not view.counts.clicks.size:
        raise ValueError("no judged pair was shown at a position whose propensity is known")
    rates, by_pair = view.by_grade(theta, None), view.by_pair(theta)
    if not (by_pair.slope[view.pairs] < MOST_SLOPE).all():
        raise ValueError("a corrected rate is not finite: a propensity is too small for it")
    drawn = _resampled(counts, view, (group, theta), asked, progress)
    taus = {name: _taus(view, value) for name, value in (("ctr", view.ctr), ("corrected", by_pair.value))}
    return ClickComparison(
        question=asked,
        n_log=counts.n_pairs,
        n_judged=int((qrels.grade >= 0).sum()),
        n_topics=np.unique(view.counts.cell_topic).size,
        n_ordered=len(taus["corrected"]),
        n_unknown=float(counts.impressions[~has_propensity].sum()),
        converged=theta.converged,
        n_unconverged=drawn.n_unconverged,
        n_left_out=asked.n_resamples - drawn.theta.shape[0],
        positions=_positions(counts, theta, drawn.theta, asked),
        grades=_grade_rows(view, rates, drawn.rates, asked.confidence),
        tau_ctr=_mean_rate(taus["ctr"], asked),
        tau_corrected=_mean_rate(taus["corrected"], asked),
        contradictions=contradictions_of(view.counts, grade, theta, by_pair, estimator=asked.estimator, q=asked.q),
        pairs=_pair_rows(view, by_pair, asked.confidence),
    )


@dataclass(frozen=True, eq=False)
class _Drawn:
    """By resample: rates (n, 2, n_grades), propensities (n, n_positions), NaN where a resample does not know one. Of
    `n_unconverged` they still moved when their cycles were over."""

    rates: Floats
    theta: Floats
    n_unconverged: int


def _propensities(counts: ClickCounts, group: Ints, asked: ClickQuestion) -> Propensities:
    if asked.given is not None:
        return given_propensities(asked.given)
    if asked.eta is not None:
        return power_propensities(counts, asked.eta)
    return estimated_propensities(counts, group)


def _resampled(
    counts: ClickCounts,
    view: GradedCells,
    estimated: tuple[Ints, Propensities],
    asked: ClickQuestion,
    progress: WordlessWatch,
) -> _Drawn:
    """Topics of the log drawn with replacement; propensities that are estimated are estimated anew each time.

    A draw that has come before is not computed again: of three topics there are ten.
    """
    group, theta = estimated
    rng, n_topics = np.random.default_rng(asked.seed), len(counts.numbers)
    figures_of_draw = dict[bytes, tuple[Floats, Floats, bool] | None]()
    drawn = list[tuple[Floats, Floats, bool]]()
    for done in range(asked.n_resamples):
        if not done % REPORTED_EVERY:
            progress(done, asked.n_resamples)
        times = np.bincount(rng.integers(0, n_topics, n_topics), minlength=n_topics).astype(np.float64)
        draw = times.tobytes()
        if draw not in figures_of_draw:
            here = _propensities_of(counts, group, times[counts.cell_topic], theta, asked)
            figures_of_draw[draw] = None
            if here is not None:
                figures_of_draw[draw] = (
                    view.by_grade(here, times[view.counts.cell_topic]),
                    here.at(theta.position),
                    here.converged,
                )
        if figures := figures_of_draw[draw]:
            drawn.append(figures)
    return _Drawn(
        rates=np.array([rates for rates, _, _ in drawn]).reshape(-1, 2, view.n_grades),
        theta=np.array([value for _, value, _ in drawn]).reshape(-1, theta.value.size),
        n_unconverged=sum(not converged for _, _, converged in drawn),
    )


def _propensities_of(
    counts: ClickCounts, group: Ints, weight: Floats, theta: Propensities, asked: ClickQuestion
) -> Propensities | None:
    """Of a draw; None where its topics do not lead from one position to another, or nobody was shown the first: then
    they are on another scale."""
    if asked.given is not None or asked.eta is not None:
        return theta
    try:
        here = estimated_propensities(counts, group, weight=weight, start=theta)
    except ValueError:
        return None
    return here if here.position[0] == theta.position[0] else None


def _rate(value: float, drawn: Floats, n_topics: int, confidence: float, most: float = math.inf) -> Rate:
    """With an interval where several topics have it: value ± t · √(n / (n − 1)) · deviation of the resamples, (n,), by
    Student's t with n − 1 degrees of freedom, n the topics; cut at 0 and `most`. Percentiles of resamples are narrower:
    by what a deviation with n lacks, and by the normal in place of t. None where fewer than `LEAST_RESAMPLES` know the
    value, or all have the same.
    """
    resamples = drawn[np.isfinite(drawn)]
    if n_topics < LEAST_TOPICS or resamples.size < LEAST_RESAMPLES or not np.ptp(resamples) > 0:
        return Rate(value, None, None)
    reach = _quantile(n_topics, confidence) * math.sqrt(n_topics / (n_topics - 1)) * float(resamples.std(ddof=1))
    return Rate(value, max(0.0, value - reach), min(most, value + reach))


def _quantile(n: int, confidence: float) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(n - 1, (1 + confidence) / 2))


def _positions(counts: ClickCounts, theta: Propensities, drawn: Floats, asked: ClickQuestion) -> tuple[Position, ...]:
    estimated = asked.given is None and asked.eta is None
    rows = list[Position]()
    for at, position in enumerate(theta.position.tolist()):
        here = counts.position == position
        n_topics = np.unique(counts.cell_topic[here]).size if estimated and at else 0
        clicks, shown = float(counts.clicks[here].sum()), float(counts.impressions[here].sum())
        propensity = _rate(float(theta.value[at]), drawn[:, at], n_topics, asked.confidence)
        rows.append(Position(position, clicks, shown, propensity))
    return tuple(rows)


def _grade_rows(view: GradedCells, rates: Floats, drawn: Floats, confidence: float) -> tuple[GradeRates, ...]:
    rows = list[GradeRates]()
    for grade in range(view.n_grades):
        pairs: Bools = view.grade[view.pairs] == grade
        if pairs.any():
            n_topics = np.unique(view.counts.topic[view.pairs[pairs]]).size
            plain, allowed = (
                _rate(float(rates[kind, grade]), drawn[:, kind, grade], n_topics, confidence, most)
                for kind, most in enumerate((1.0, math.inf))
            )
            clicks, shown = (float(each[view.pairs[pairs]].sum()) for each in (view.clicked, view.shown))
            rows.append(GradeRates(grade, int(pairs.sum()), clicks, shown, plain, allowed))
    return tuple(rows)


def _pair_rows(view: GradedCells, by_pair: Corrected, confidence: float) -> tuple[ClickedPair, ...]:
    from scipy.special import ndtri

    low, high = by_pair.interval(float(ndtri((1 + confidence) / 2)))
    counts = view.counts
    return tuple(
        ClickedPair(
            number=counts.numbers[counts.topic[at]],
            docno=counts.docno[at],
            grade=int(view.grade[at]),
            clicks=float(view.clicked[at]),
            impressions=float(view.shown[at]),
            ctr=float(view.ctr[at]),
            corrected=float(by_pair.value[at]),
            low=float(low[at]),
            high=float(high[at]),
        )
        for at in view.pairs.tolist()
    )


def _taus(view: GradedCells, value: Floats) -> list[float]:
    """τ-b of each topic in which grades and values differ."""
    topic, grade, rate = view.counts.topic[view.pairs], view.grade[view.pairs], value[view.pairs]
    order = np.argsort(topic, kind="stable")
    taus = list[float]()
    for rows in np.split(order, np.flatnonzero(np.diff(topic[order])) + 1):
        if np.ptp(grade[rows]) > 0 and np.ptp(rate[rows]) > 0:
            taus.append(kendall_tau_b(grade[rows].astype(np.float64), rate[rows]).value)
    return taus


def _mean_rate(values: list[float], asked: ClickQuestion) -> Rate | None:
    """The mean over topics with Student's interval, cut at −1 and 1, the propensities taken as known."""
    if not values:
        return None
    value = np.array(values)
    mean = float(value.mean())
    if value.size < LEAST_TOPICS or not np.ptp(value) > 0:
        return Rate(mean, None, None)
    reach = _quantile(value.size, asked.confidence) * float(value.std(ddof=1)) / math.sqrt(value.size)
    return Rate(mean, max(-1.0, mean - reach), min(1.0, mean + reach))
