"""What a tally of interleaved impressions says of each pair of rankers: shares, intervals and tests, ties apart."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from annotation.quality.wilson import wilson_interval
from evaluation.engine.ab_tests.effects import Interval
from evaluation.engine.arrays import Bools, Floats, Ints
from evaluation.engine.interleaving.counting import EQUAL, Tally
from evaluation.engine.significance.corrections import Correction, adjusted
from evaluation.engine.significance.paired.randomization import randomization
from evaluation.engine.significance.paired.sign import sign_test

SEED = 0  # of sign vectors, where there are too many topics to list all
N_FLIPS = 20_000


@dataclass(frozen=True)
class Preference:
    """`wins` and `losses` are impressions that prefer the first ranker and the second; `share` = wins / (wins +
    losses), None where nothing is decided. `delta` = (wins + ties / 2) / all − 1/2, over impressions with clicks.

    Of methods that are fair in the mean of credits alone (`Method.by_credit`) it is credits that are compared: `share`
    is the first's of the credit of both, in topics with a decided impression, and all that follows rests on credits in
    place of wins and losses. There, clicks at random may well let one ranker win more impressions, by less each.

    `interval` and `p_lists` take lists as independent, as they were drawn, and impressions of one list as alike: they
    speak of these topics alone. Where every list was decided once they are Wilson's and the exact binomial test; else,
    and of credits, by the normal. `clustered` and `p` take topics as drawn: None with fewer than two `topics_decided`,
    which have a decided impression, and no interval where all of these have the same share. `topics_for` and
    `topics_against` have more wins (credit) than losses, or fewer; `p_topics` is the sign test on them, None where
    credits are compared: topics of few impressions, too, may well fall to one ranker more often, by less each.
    `p_adjusted` is p over all pairs.
    """

    first: str
    second: str
    wins: int
    losses: int
    ties: int
    share: float | None
    delta: float | None
    interval: Interval | None
    p_lists: float
    clustered: Interval | None
    p: float | None
    topics_decided: int
    topics_for: int
    topics_against: int
    topics_tied: int
    p_topics: float | None
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
    tally: Tally, *, method: str, confidence: float = 0.95, correction: Correction = "holm"
) -> Interleaving:
    """Raises `ValueError` for a confidence outside (0, 1) and where no impression has a click."""
    if not 0 < confidence < 1:
        raise ValueError(f"the confidence lies between 0 and 1, not {confidence:g}")
    with_clicks = (tally.wins + tally.losses + tally.ties)[0]
    if not with_clicks.any():
        raise ValueError("no impression has a click: nothing can be credited")
    rows = [_preference(tally, at, confidence) for at in range(len(tally.pairs))]
    return Interleaving(
        method=method,
        rankers=tally.rankers,
        n_impressions=int(with_clicks.sum()) + tally.n_silent,
        n_silent=tally.n_silent,
        n_topics=int(np.count_nonzero(with_clicks)),
        confidence=confidence,
        correction=correction,
        preferences=_with_adjusted(rows, correction),
    )


def clustered_share(wins: Ints | Floats, losses: Ints | Floats, confidence: float) -> Interval | None:
    """The interval of Σ wins / Σ (wins + losses) where topics, (n_topics,), are drawn, each with its impressions; of
    credits likewise.

    A ratio of two sums: its variance is Q / (Q − 1) · Σ (w − share · n)² / (Σ n)², with Student's quantile of Q − 1
    (Cochran, Sampling Techniques, 1977, 6.3 and 9A). Cut at 0 and 1. Too narrow below some 100 topics; None where all
    have the same share, which says nothing of how shares vary.
    """
    from scipy.special import stdtrit

    n = wins + losses
    if np.allclose(wins * n.sum(), wins.sum() * n, rtol=1e-12, atol=0):
        return None
    share, n_topics = wins.sum() / n.sum(), n.size
    error = math.sqrt(n_topics / (n_topics - 1) * float(((wins - share * n) ** 2).sum())) / n.sum()
    reach = float(stdtrit(n_topics - 1, (1 + confidence) / 2)) * error
    return Interval(max(0.0, float(share - reach)), min(1.0, float(share + reach)))


def _preference(tally: Tally, at: int, confidence: float) -> Preference:
    counts = tally.wins[at], tally.losses[at], tally.ties[at]
    wins, losses, ties = (int(each.sum()) for each in counts)
    decided = wins + losses
    some = counts[0] + counts[1] > 0  # topics with a decided impression
    own, other = counts[:2] if tally.credit is None else tally.credit[:, at]
    surplus: Floats = np.where(some, own - other, 0).astype(np.float64)
    decided_topics = int(np.count_nonzero(some))
    several = decided_topics >= 2
    whole = float((own[some] + other[some]).sum())
    share = float(own[some].sum()) / whole if whole else None
    interval, p_lists = _of_lists(tally, at, some, share, confidence)
    first, second = tally.pairs[at]
    return Preference(
        tally.rankers[first],
        tally.rankers[second],
        wins=wins,
        losses=losses,
        ties=ties,
        share=share,
        delta=(wins + ties / 2) / (decided + ties) - 0.5 if decided + ties else None,
        interval=interval,
        p_lists=p_lists,
        clustered=clustered_share(own[some], other[some], confidence) if several else None,
        p=randomization(surplus[some], n_flips=N_FLIPS, rng=SEED).p if several else None,
        topics_decided=decided_topics,
        topics_for=int(np.count_nonzero(surplus > EQUAL)),
        topics_against=int(np.count_nonzero(surplus < -EQUAL)),
        topics_tied=int(np.count_nonzero((np.abs(surplus) <= EQUAL) & (counts[0] + counts[1] + counts[2] > 0))),
        p_topics=_p_topics(surplus) if tally.credit is None else None,
    )


def _p_topics(surplus: Floats) -> float:
    return sign_test(np.where(np.abs(surplus) > EQUAL, surplus, 0)).p if surplus.size > 1 else 1.0


def _of_lists(
    tally: Tally, at: int, some: Bools, share: float | None, confidence: float
) -> tuple[Interval | None, float]:
    """The interval of the share and p, lists taken as independent, in topics with a decided impression, `some`."""
    if share is None:
        return None, 1.0
    wins, losses = (int(each[at, some].sum()) for each in (tally.wins, tally.losses))
    once = tally.products is None or tally.products[:, at, some].sum(axis=1).tolist() == [wins, 0, losses]
    if tally.credit is None and once:
        wilson = wilson_interval(np.array(wins), np.array(wins + losses), confidence=confidence)
        return Interval(float(wilson.low), float(wilson.high)), _sign_p(wins, losses)
    assert tally.products is not None
    assert tally.n_lists is not None
    sums = np.array([wins, losses]) if tally.credit is None else tally.credit[:, at, some].sum(axis=1)
    products, n = tally.products[:, at, some].sum(axis=1), int(tally.n_lists[some].sum())
    return _of_sums(sums, products, n, confidence)


def _of_sums(sums: Floats | Ints, products: Floats, n: int, confidence: float) -> tuple[Interval | None, float]:
    """By the normal, of n lists: the share as a ratio of two sums, and the mean gap against 0."""
    from scipy.special import ndtr, ndtri

    (own, other), (squares, both, other_squares) = sums.tolist(), products.tolist()
    share, spread = own / (own + other), squares - 2 * both + other_squares
    p = 2 * float(ndtr(-abs(own - other) / math.sqrt(spread))) if spread > 0 else 1.0
    if n < 2:
        return None, p
    left = max(0.0, (1 - share) ** 2 * squares - 2 * share * (1 - share) * both + share**2 * other_squares)
    reach = float(ndtri((1 + confidence) / 2)) * math.sqrt(n / (n - 1) * left) / (own + other)
    return Interval(max(0.0, share - reach), min(1.0, share + reach)), p


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
