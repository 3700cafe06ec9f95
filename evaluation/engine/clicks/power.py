"""The power of interleaving beside an A/B test at equal traffic, by simulation."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from evaluation.engine.arrays import Bools, Floats, Ints
from evaluation.engine.clicks.models import ClickModel
from evaluation.engine.clicks.simulation import as_bits, grades_shown, refuse_unjudged, top_of
from evaluation.engine.interleaving.counting import EQUAL
from evaluation.engine.interleaving.drawing import interleave, rankings_of_topics
from evaluation.engine.interleaving.lists import Lists
from evaluation.engine.interleaving.method import Method
from evaluation.engine.qrels import Qrels
from evaluation.engine.run import PackedRun

LISTS = 50  # interleaved lists of each topic that impressions are shown, at least


def _first_click(clicked: Bools) -> Floats:
    value: Floats = 1.0 / (1 + clicked.argmax(axis=1))
    return np.where(clicked.any(axis=1), value, 0.0)


OUTCOMES: Mapping[str, Callable[[Bools], Floats]] = MappingProxyType(
    {
        "clicked": lambda clicked: clicked.max(axis=1).astype(np.float64),
        "first_click": _first_click,
        "clicks": lambda clicked: clicked.sum(axis=1, dtype=np.float64),
    }
)


@dataclass(frozen=True)
class Share:
    """Of replications, those in which a test found a difference; `wrong`: in favour of the run that loses on average
    over all of them. `error` is the Monte Carlo error, √(p (1 − p) / replications)."""

    found: float
    wrong: float
    error: float


@dataclass(frozen=True)
class PowerPoint:
    """Both tests at n impressions in all."""

    n: int
    interleaving: Share
    ab: Share


@dataclass(frozen=True)
class Power:
    """`share`: of decided impressions that prefer the first run, over all replications (of methods that are fair in
    the mean of credits alone, the first run's part of the credit); `tied`: of those with clicks; NaN where there is
    none. `rates` are the A/B test's means of both runs."""

    runs: tuple[str, str]
    method: str
    clicks: str
    outcome: str
    alpha: float
    replications: int
    n_topics: int
    share: float
    tied: float
    rates: tuple[float, float]
    points: tuple[PowerPoint, ...]


def power(
    runs: Sequence[PackedRun],
    qrels: Qrels,
    method: Method,
    model: ClickModel,
    *,
    sizes: Sequence[int],
    replications: int = 1000,
    outcome: str = "clicked",
    alpha: float = 0.05,
    depth: int = 10,
    seed: int = 0,
) -> Power:
    """How often n impressions show which of two runs users prefer: interleaved, or half of them with each run.

    An impression is of a topic drawn with equal chances from those that both runs and the judgments have; so both tests
    may take impressions as independent. Interleaving: the exact sign test of decided impressions; where the
    mean of credits alone is fair (`Method.by_credit`), the normal test of their mean gap. A/B: Welch's test of the
    means of `outcome` (`clicked`: any click; `first_click`: 1/position of the first; `clicks`: how many), with n/2
    impressions of each run. As many lists are drawn as there are impressions, and at least 50 of a topic: few that come
    again and again would favour one run by the chance of their draw. The same impressions are used for all sizes, so
    that neighbouring points move together.
    Raises `ValueError` for other than two runs, sizes below 4, fewer than 10 replications, an unknown outcome, and
    where no shown document is judged relevant.
    """
    order = sorted(set(sizes))
    _check(runs, order, replications, outcome, alpha)
    shared = set(qrels.numbers) & set(runs[1].numbers)
    chosen = [number for number in runs[0].numbers if number in shared]
    if not chosen:
        raise ValueError("no topic is in both runs and in the judgments")
    lists_per_topic = max(LISTS, math.ceil(order[-1] / len(chosen)))
    lists = interleave(runs, method, depth=depth, lists_per_topic=lists_per_topic, seed=seed, only=set(chosen))
    pools = _pools(runs, lists, chosen, qrels, depth)
    rng, half = np.random.default_rng(seed), np.array(order) // 2
    drawn = [_replication(pools, (method, model), order, outcome, rng) for _ in range(replications)]
    count, value = np.array([one for one, _ in drawn], np.float64), np.array([one for _, one in drawn])
    wins, losses, ties, own, other, _ = count[:, -1].sum(axis=0).tolist()
    for_first, for_second = (own, other) if method.by_credit else (wins, losses)
    rates = value[:, :, -1, 0].sum(axis=0) / (replications * half[-1])  # (2,)
    surplus = count[:, :, 3] - count[:, :, 4] if method.by_credit else count[:, :, 0] - count[:, :, 1]
    tests = _gap_p(surplus, count[:, :, 5]) if method.by_credit else _sign_p(count), _welch_p(value, half)
    ways = np.sign(surplus), np.sign(value[:, 0, :, 0] - value[:, 1, :, 0])
    truth = np.sign(for_first - for_second), np.sign(rates[0] - rates[1])
    shares = [_shares(p <= alpha, way == -true) for p, way, true in zip(tests, ways, truth, strict=True)]
    return Power(
        runs=(runs[0].tag, runs[1].tag),
        method=method.title,
        clicks=model.name,
        outcome=outcome,
        alpha=alpha,
        replications=replications,
        n_topics=len(chosen),
        share=for_first / (for_first + for_second) if for_first + for_second else math.nan,
        tied=ties / (wins + losses + ties) if wins + losses + ties else math.nan,
        rates=(float(rates[0]), float(rates[1])),
        points=tuple(PowerPoint(n, *pair) for n, pair in zip(order, zip(*shares, strict=True), strict=True)),
    )


@dataclass(frozen=True, eq=False)
class _Pools:
    """What impressions are drawn from. `grade` (n_lists, depth) is what lists of the chosen topics show, as many of
    each; `alone` (2, n_topics, depth) what each run shows by itself."""

    lists: Lists
    grade: Ints
    alone: Ints
    top_grade: int


def _pools(runs: Sequence[PackedRun], lists: Lists, chosen: Sequence[str], qrels: Qrels, depth: int) -> _Pools:
    grade = grades_shown(lists.docno, lists.number, qrels, lists.depth)
    refuse_unjudged(grade)
    rankings = rankings_of_topics(runs, chosen, depth)
    alone = [grades_shown([one[run] for one in rankings], chosen, qrels, lists.depth) for run in (0, 1)]
    return _Pools(lists, grade, np.array(alone), top_of(qrels))


def _replication(
    pools: _Pools, kinds: tuple[Method, ClickModel], sizes: Sequence[int], outcome: str, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """`(wins, losses, ties, credit of both runs and squares of its gap at each size, (n_sizes, 6); sums of the outcome
    and of its squares of both runs at half of each size, (2, n_sizes, 2))`."""
    method, model = kinds
    row = rng.integers(0, pools.lists.n_lists, sizes[-1])
    clicked = model.clicks(pools.grade[row], pools.top_grade, rng)
    credit = method.credit(pools.lists, row, as_bits(clicked))
    gap = credit[:, 0] - credit[:, 1]
    tied = clicked.any(axis=1) & (np.abs(gap) <= EQUAL)
    each = np.stack([gap > EQUAL, gap < -EQUAL, tied, credit[:, 0], credit[:, 1], gap**2])
    counts = np.cumsum(each, axis=1)[:, np.array(sizes) - 1].T
    half, sums = np.array(sizes) // 2, list[Floats]()
    for grades in pools.alone:
        topic = rng.integers(0, len(grades), half[-1])
        value = OUTCOMES[outcome](model.clicks(grades[topic], pools.top_grade, rng))
        sums.append(np.cumsum([value, value**2], axis=1)[:, half - 1].T)
    return counts, np.array(sums)


def _shares(is_significant: Bools, against: Bools) -> list[Share]:
    """Of each size, from (replications, n_sizes)."""
    share, wrong = is_significant.mean(axis=0), (is_significant & against).mean(axis=0)
    error = np.sqrt(share * (1 - share) / len(is_significant))
    return [Share(*each) for each in zip(share.tolist(), wrong.tolist(), error.tolist(), strict=True)]


def _sign_p(count: Floats) -> Floats:
    """Of wins and losses, (replications, n_sizes, 6), to (replications, n_sizes)."""
    from scipy.special import bdtr

    decided = count[:, :, :2].astype(np.int64)
    n = decided.sum(axis=2)
    tail: Floats = bdtr(decided.min(axis=2).astype(np.float64), n, 0.5)
    return np.where(n == 0, 1.0, np.minimum(1.0, 2 * tail))


def _gap_p(gap: Floats, squares: Floats) -> Floats:
    """Of sums of gaps of credit and of their squares, (replications, n_sizes), by the normal."""
    from scipy.special import ndtr

    z = np.divide(np.abs(gap), np.sqrt(squares), out=np.zeros(gap.shape), where=squares > 0)
    p: Floats = 2 * ndtr(-z)
    return p


def _welch_p(value: Floats, n: Ints) -> Floats:
    """Of sums and sums of squares, (replications, 2, n_sizes, 2), of n units a group, to (replications, n_sizes)."""
    from scipy.special import stdtr

    mean = value[..., 0] / n
    part = np.maximum(value[..., 1] / n - mean**2, 0) / (n - 1)  # of the variance of the difference
    whole, difference = part.sum(axis=1), mean[:, 0] - mean[:, 1]
    varies = whole > 0
    share = np.divide(part[:, 0], whole, out=np.full(whole.shape, 0.5), where=varies)
    t = np.divide(difference, np.sqrt(whole), out=np.zeros(whole.shape), where=varies)
    p: Floats = 2 * stdtr((n - 1) / (share**2 + (1 - share) ** 2), -np.abs(t))
    return np.where(varies, p, np.where(difference == 0, 1.0, 0.0))


def _check(runs: Sequence[PackedRun], sizes: Sequence[int], replications: int, outcome: str, alpha: float) -> None:
    if len(runs) != 2:
        raise ValueError("power is that of two runs")
    if not sizes or sizes[0] < 4:
        raise ValueError("a size is at least 4 impressions")
    if replications < 10:
        raise ValueError("at least 10 replications are simulated")
    if outcome not in OUTCOMES:
        raise ValueError(f"an outcome is one of {', '.join(OUTCOMES)}, not {outcome!r}")
    if not 0 < alpha < 1:
        raise ValueError(f"alpha lies between 0 and 1, not {alpha:g}")
