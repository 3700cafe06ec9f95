"""Replay: what each method would have judged of a pool whose grades are known, and what the runs look like then."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

import numpy as np

from annotation.text.watch import Watch, say_nothing
from evaluation.engine.adaptive.candidates import UNJUDGED, Candidates, Choice, candidates_of, known_grades
from evaluation.engine.adaptive.length import check_length
from evaluation.engine.adaptive.methods import Method
from evaluation.engine.adaptive.regression import design_of, expected_grades
from evaluation.engine.adaptive.stratified import StratifiedOrder, stratified_order
from evaluation.engine.adaptive.valuing import (
    Rescored,
    SampledRuns,
    assisted_means,
    expected_means,
    is_plain_ndcg,
    sampled_measure_for,
)
from evaluation.engine.arrays import Floats, Ints
from evaluation.engine.measures import Measure, parse_measure
from evaluation.engine.qrels import Qrels
from evaluation.engine.run import PackedRun
from evaluation.engine.scorer import evaluate_runs
from evaluation.engine.significance.correlation import kendall_tau_b, tau_ap_b

BUDGETS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
Unlisted: TypeAlias = Literal["skip", "zero"]


@dataclass(frozen=True, eq=False)
class Spent:
    """A method after so many judgments. Arrays are (n_draws,): seeds, or runs left out."""

    method: str
    budget: float  # share of the pool
    n_judged: int  # in the mean over draws
    tau_b: Floats = field(repr=False)  # of the order of runs with that under all qrels; 0 where all runs are equal
    tau_ap: Floats = field(repr=False)  # τ-AP,b
    error: Floats = field(repr=False)  # mean over runs of |mean − mean under all qrels|
    ap_error: Floats = field(repr=False)  # the same of AP; NaN where the method has no estimate of it
    found: Floats = field(repr=False)  # of all relevant documents of the qrels, the share that is judged
    moved: Floats = field(repr=False)  # places by which the run left out is off; NaN where none is


@dataclass(frozen=True, eq=False)
class Replay:
    measure: str
    rel: int
    depth: int
    n_seeds: int
    tags: tuple[str, ...]
    n_topics: int
    n_pairs: int  # of the pool
    n_unknown: int  # pairs of the runs' tops that the qrels do not have
    unlisted: Unlisted  # what became of these
    n_qrels: int
    rows: tuple[Spent, ...]
    left_out: tuple[Spent, ...]  # a run at a time; empty unless asked for


@dataclass(eq=False)
class _Tally:
    """Tells how many judgments of all draws are spent: before each draw, and after each portion within it."""

    progress: Watch
    n_pairs: int  # of a draw, at most
    n_draws: int
    draw: int = 0
    words: str = ""

    def __call__(self, draws: range, words: str) -> Iterator[int]:
        self.words = words
        for draw in draws:
            self.spent(0)
            yield draw
            self.draw += 1

    def spent(self, n: int) -> None:
        self.progress(self.draw * self.n_pairs + n, self.n_draws * self.n_pairs, self.words)


@dataclass(frozen=True, eq=False)
class _Case:
    """What all draws share. `universe`: tops of all runs as deep as pool and measure reach, grades known."""

    runs: Sequence[PackedRun]
    measures: tuple[Measure, Measure]  # the one that orders, and AP
    universe: Candidates
    grade: Ints = field(repr=False)
    truth: Floats = field(repr=False)  # (2, n_runs)
    n_relevant: int
    choice: Choice
    depth: int
    rescored: Rescored = field(repr=False)


def replay(
    runs: Sequence[PackedRun],
    qrels: Qrels,
    methods: Sequence[Method],
    *,
    budgets: Sequence[float] = BUDGETS,
    n_seeds: int = 20,
    measure: Measure | str = "nDCG@10",
    depth: int = 10,
    rel: int = 1,
    unlisted: Unlisted = "skip",
    leave_out: bool = False,
    progress: Watch = say_nothing,
    most_seconds: float = math.inf,
) -> Replay:
    """Spend budgets, shares of the pool, by each method under seeds 0, 1, …; the qrels answer.

    The pool is the union of the runs' first `depth` documents, of the topics of the qrels. A pair that these do not
    have is none of the pool ("skip") or of grade 0 ("zero", for qrels that list relevant pairs alone). Methods that
    learn choose as many pairs at a time as there are topics. `progress` is told of judgments, of all draws together,
    after each portion; what it raises ends the replay.

    With `leave_out`, again with each run left out of the pool, one draw each. Raises `ValueError` for fewer than three
    runs, budgets that are no shares, a pool that the qrels know nothing of, a measure that a method has no estimate
    of, and what would take longer than `most_seconds` by `replay_seconds`.
    """
    chosen = parse_measure(measure) if isinstance(measure, str) else measure
    check_replay(len(runs), methods, budgets, n_seeds=n_seeds, measure=chosen)
    case, n_unknown = _case(runs, qrels, chosen, depth=depth, rel=rel, unlisted=unlisted)
    pool = case.universe.within(depth)
    seeds = {method.name: range(n_seeds if method.draws else 1) for method in methods}
    n_draws = {method.name: len(seeds[method.name]) + len(runs) * leave_out for method in methods}
    check_length(methods, n_draws, pool, most_seconds=most_seconds)
    tally = _Tally(progress, int(pool.is_pooled.sum()), sum(n_draws.values()))
    rows, left_out = list[Spent](), list[Spent]()
    for method in methods:
        each = tally(seeds[method.name], method.title)
        draws = [_draw(case, method, pool, budgets, tally, seed=seed) for seed in each]
        rows += _spent(method, budgets, draws)
    for method in methods if leave_out else ():
        each = tally(range(len(runs)), f"{method.title}, a run left out")
        draws = [_draw(case, method, pool.without(run), budgets, tally, seed=0, left_out=run) for run in each]
        left_out += _spent(method, budgets, draws)
    progress(tally.n_draws * tally.n_pairs, tally.n_draws * tally.n_pairs, "done")
    return Replay(
        measure=str(chosen),
        rel=rel,
        depth=depth,
        n_seeds=n_seeds,
        tags=case.universe.tags,
        n_topics=case.universe.n_topics,
        n_pairs=int(pool.is_pooled.sum()),
        n_unknown=n_unknown,
        unlisted=unlisted,
        n_qrels=int(np.count_nonzero(qrels.grade >= 0)),
        rows=tuple(rows),
        left_out=tuple(left_out),
    )


def check_replay(
    n_runs: int, methods: Sequence[Method], budgets: Sequence[float] = BUDGETS, *, n_seeds: int, measure: Measure
) -> None:
    """Raise `ValueError` for what `replay` refuses before it looks at any run."""
    if n_runs < 3:
        raise ValueError("an order of runs needs three or more")
    if not methods:
        raise ValueError("no method to replay")
    if not budgets or not all(0 < budget <= 1 for budget in budgets):
        raise ValueError("a budget is a share of the pool, above 0 and at most 1")
    if n_seeds < 1:
        raise ValueError(f"at least one seed, not {n_seeds}")
    if measure.summary != "mean" or not measure.is_quality:
        raise ValueError(f"{measure} puts runs in no order by its mean")
    for method in methods:
        if method.valuing == "sampled" and sampled_measure_for(measure) is None:
            raise ValueError(f"{method.name} has no estimate of {measure}: nDCG@k and AP have one from a sample")
        if method.valuing in ("assisted", "expected") and not is_plain_ndcg(measure):
            raise ValueError(f"{method.name} values runs by nDCG@k alone, not by {measure}")


def _case(
    runs: Sequence[PackedRun], qrels: Qrels, measure: Measure, *, depth: int, rel: int, unlisted: Unlisted
) -> tuple[_Case, int]:
    cutoff = int(measure.cutoff) if is_plain_ndcg(measure) and measure.cutoff else depth
    universe = candidates_of(runs, depth=max(depth, cutoff), numbers=qrels.numbers)
    grade = known_grades(universe, qrels)
    n_unknown = int(np.count_nonzero(universe.within(depth).is_pooled & (grade < 0)))
    if unlisted == "zero":
        grade = np.maximum(grade, 0)
    if not (grade >= 0).any():
        raise ValueError("the qrels know no pair of the pool")
    universe, grade = universe.rows(grade >= 0), grade[grade >= 0]
    measures = (measure, parse_measure(f"AP(rel={rel})"))
    evaluations = evaluate_runs(runs, qrels, measures)
    topics = np.isin(evaluations[0].numbers, universe.numbers)
    truth = np.stack([one.value[topics].mean(axis=0) for one in evaluations], axis=1)
    top = max(int(qrels.grade.max()), 1)
    choice = Choice(rel=rel, top=top, cutoff=cutoff)
    rescored = Rescored.of(runs, universe, measures, top=top)
    n_relevant = int(np.count_nonzero(qrels.grade >= rel))
    return _Case(runs, measures, universe, grade, truth, n_relevant, choice, depth, rescored), n_unknown


def _draw(
    case: _Case,
    method: Method,
    pool: Candidates,
    budgets: Sequence[float],
    tally: _Tally,
    *,
    seed: int,
    left_out: int | None = None,
) -> list[tuple[float, ...]]:
    """A row a budget: how many are judged, then the figures of `Spent` in its order."""
    choice = replace(case.choice, seed=seed)
    means = _valuer(case, method, pool, choice)
    rows = list[tuple[float, ...]]()
    for grade in _grades_after(case, method, pool, budgets, choice, tally=tally):
        judged = grade != UNJUDGED
        mean = means(grade)
        recall = np.count_nonzero(judged & (grade >= choice.rel)) / max(case.n_relevant, 1)
        figures = (*_agreement(mean, case.truth), recall, _moved(mean[0], case.truth[0], left_out))
        rows.append((int(judged.sum()), *figures))
    return rows


def _grades_after(
    case: _Case, method: Method, pool: Candidates, budgets: Sequence[float], choice: Choice, *, tally: _Tally
) -> Iterator[Ints]:
    """The grades known after each budget, in ascending order."""
    grade = np.full(len(pool), UNJUDGED)
    n_pooled = int(pool.is_pooled.sum())
    for budget in sorted(budgets):
        missing = round(budget * n_pooled) - int((grade != UNJUDGED).sum())
        while missing > 0:
            portion = min(missing, pool.n_topics) if method.learns else missing
            rows = method.choose(pool, grade, portion, choice)
            grade[rows] = case.grade[rows]
            missing -= rows.size
            tally.spent(int((grade != UNJUDGED).sum()))
        yield grade.copy()


def _valuer(case: _Case, method: Method, pool: Candidates, choice: Choice) -> Callable[[Ints], Floats]:
    """From grades to the means of measure and AP, (2, n_runs)."""
    if method.valuing == "zero":
        return case.rescored.means
    if method.valuing == "sampled":
        return _sampled(case, pool, stratified_order(pool, choice))
    design = design_of(pool)
    strata = stratified_order(pool, choice) if method.valuing == "assisted" else None

    def means(grade: Ints) -> Floats:
        expected = expected_grades(design, grade, choice.top)
        if strata is None:
            value = expected_means(case.universe, expected, choice.cutoff)
        else:
            chance = strata.chances(grade != UNJUDGED)
            value = assisted_means(case.universe, expected, grade, chance, choice.cutoff)
        return np.stack([value, np.full(value.size, np.nan)])

    return means


def _sampled(case: _Case, pool: Candidates, strata: StratifiedOrder) -> Callable[[Ints], Floats]:
    measures = [sampled_measure_for(measure) for measure in case.measures]
    return SampledRuns.of(case.runs, pool, strata, measures).means


def _agreement(mean: Floats, truth: Floats) -> tuple[float, float, float, float]:
    tau_b, tau_ap = (one(mean[0], truth[0]).value for one in (kendall_tau_b, tau_ap_b))
    error, ap_error = np.abs(mean - truth).mean(axis=1).tolist()
    return (*np.nan_to_num([tau_b, tau_ap]).tolist(), error, ap_error)


def _moved(mean: Floats, truth: Floats, run: int | None) -> float:
    """Places between where the run stands and where it should."""
    if run is None:
        return float("nan")
    return float(abs(np.count_nonzero(mean > mean[run]) - np.count_nonzero(truth > truth[run])))


def _spent(method: Method, budgets: Sequence[float], draws: list[list[tuple[float, ...]]]) -> list[Spent]:
    figures = np.array(draws)  # (n_draws, n_budgets, n_figures)
    return [
        Spent(method.name, budget, round(float(figures[:, at, 0].mean())), *figures[:, at, 1:].T)
        for at, budget in enumerate(sorted(budgets))
    ]
