"""What a tally of interleaved impressions says of each pair of rankers: shares, intervals and tests, ties apart."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from annotation.quality.wilson import wilson_interval
from evaluation.engine.arrays import Floats, Ints
from evaluation.engine.experiments.effects import Interval
from evaluation.engine.interleaving.counting import Tally
from evaluation.engine.significance.corrections import Correction, adjusted
from evaluation.engine.significance.paired.randomization import randomization
from evaluation.engine.significance.paired.sign import sign_test

SEED = 0  # of sign vectors, where there are too many topics to list all
N_FLIPS = 20_000


@dataclass(frozen=True)
class Preference:
    """`wins` and `losses` are impressions that prefer the first ranker and the second; `share` = wins / (wins +
    losses), None where nothing is decided. `delta` = (wins + ties / 2) / all − 1/2, over impressions with clicks.

    `interval` and `p_impressions` (binomial, exact) take impressions as independent. `clustered` and `p` do not:
    impressions of a topic are alike; None with fewer than two `topics_decided`, which have a decided impression, and no
    interval where all of these have the same share. `topics_for` and `topics_against` have more wins than losses, or
    fewer; `p_topics` is the sign test on them. `p_adjusted` is p over all pairs.
    """

    first: str
    second: str
    wins: int
    losses: int
    ties: int
    share: float | None
    delta: float | None
    interval: Interval | None
    p_impressions: float
    clustered: Interval | None
    p: float | None
    topics_decided: int
    topics_for: int
    topics_against: int
    topics_tied: int
    p_topics: float
    p_adjusted: float | None = None


@dataclass(frozen=True)
class Interleaving:
    """`n_impressions` with clicks and without, of `n_topics` topics with a click."""

    method: str
    rankers: tuple[str, ...]
    n_impressions: int
    n_silent: int
    n_topics: int
    confidence: float
    correction: Correction
    preferences: tuple[Preference, ...]


def preferences_of(
    found: Tally, *, method: str, confidence: float = 0.95, correction: Correction = "holm"
) -> Interleaving:
    """Raises `ValueError` for a confidence outside (0, 1) and where no impression has a click."""
    if not 0 < confidence < 1:
        raise ValueError(f"the confidence lies between 0 and 1, not {confidence:g}")
    with_clicks = (found.wins + found.losses + found.ties)[0]
    if not with_clicks.any():
        raise ValueError("no impression has a click: nothing can be credited")
    rows = [
        _preference(
            (found.rankers[first], found.rankers[second]),
            (found.wins[at], found.losses[at], found.ties[at]),
            confidence,
        )
        for at, (first, second) in enumerate(found.pairs)
    ]
    return Interleaving(
        method=method,
        rankers=found.rankers,
        n_impressions=int(with_clicks.sum()) + found.n_silent,
        n_silent=found.n_silent,
        n_topics=int(np.count_nonzero(with_clicks)),
        confidence=confidence,
        correction=correction,
        preferences=_with_adjusted(rows, correction),
    )


def clustered_share(wins: Ints, losses: Ints, confidence: float) -> Interval | None:
    """The interval of Σ wins / Σ (wins + losses) where topics, (n_topics,), are drawn, each with its impressions.

    A ratio of two sums: its variance is Q / (Q − 1) · Σ (w − share · n)² / (Σ n)², with Student's quantile of Q − 1
    (Cochran, Sampling Techniques, 1977, 6.3 and 9A). Cut at 0 and 1. Too narrow below some 100 topics; None where all
    have the same share, which says nothing of how shares vary.
    """
    from scipy.special import stdtrit

    n = wins + losses
    if np.array_equal(wins * n.sum(), wins.sum() * n):
        return None
    share, n_topics = wins.sum() / n.sum(), n.size
    error = math.sqrt(n_topics / (n_topics - 1) * float(((wins - share * n) ** 2).sum())) / n.sum()
    reach = float(stdtrit(n_topics - 1, (1 + confidence) / 2)) * error
    return Interval(max(0.0, float(share - reach)), min(1.0, float(share + reach)))


def _preference(names: tuple[str, str], counts: tuple[Ints, Ints, Ints], confidence: float) -> Preference:
    wins, losses, ties = (int(each.sum()) for each in counts)
    decided = wins + losses
    surplus: Floats = (counts[0] - counts[1]).astype(np.float64)
    some = counts[0] + counts[1] > 0  # topics with a decided impression
    decided_topics = int(np.count_nonzero(some))
    several = decided_topics >= 2
    wilson = wilson_interval(np.array(wins), np.array(decided), confidence=confidence)
    return Preference(
        *names,
        wins=wins,
        losses=losses,
        ties=ties,
        share=wins / decided if decided else None,
        delta=(wins + ties / 2) / (decided + ties) - 0.5 if decided + ties else None,
        interval=Interval(float(wilson.low), float(wilson.high)) if decided else None,
        p_impressions=_sign_p(wins, losses),
        clustered=clustered_share(counts[0][some], counts[1][some], confidence) if several else None,
        p=randomization(surplus[some], n_flips=N_FLIPS, rng=SEED).p if several else None,
        topics_decided=decided_topics,
        topics_for=int(np.count_nonzero(surplus > 0)),
        topics_against=int(np.count_nonzero(surplus < 0)),
        topics_tied=int(np.count_nonzero((surplus == 0) & (counts[0] + counts[1] + counts[2] > 0))),
        p_topics=sign_test(surplus).p if surplus.size > 1 else 1.0,
    )


def _sign_p(wins: int, losses: int) -> float:
    """The exact two-sided binomial test of one half."""
    from scipy.special import bdtr

    less, n = min(wins, losses), wins + losses
    return 1.0 if n == 0 else min(1.0, 2 * float(bdtr(less, n, 0.5)))


def _with_adjusted(rows: Sequence[Preference], correction: Correction) -> tuple[Preference, ...]:
    tested = [one for one in rows if one.p is not None]
    values = adjusted([one.p for one in tested if one.p is not None], correction).tolist() if tested else []
    by_pair = {(one.first, one.second): value for one, value in zip(tested, values, strict=True)}
    return tuple(replace(one, p_adjusted=by_pair.get((one.first, one.second))) for one in rows)
