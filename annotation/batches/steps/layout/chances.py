"""How much gold a person will meet when coins are thrown for their cards. Arithmetic on plain values.

With shares g of gold and p of all that is planted, a topic of N ordinary pairs has N / (1 − p) cards for somebody who
takes all of it. K = g · N / (1 − p) of them are gold (rounded up or down by chance), but not more than there are gold
pairs of the topic that the person has not met. They lie anywhere among the N ordinary ones, so that until the n-th
ordinary card k of them come with the negative hypergeometric probability
C(n + k − 1, k) C(N − n + K − k, K − k) / C(N + K, K).

Assumed: people take equal parts of the ordinary cards and blocks whole, and every topic is as likely as any other and
of the same size.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import lgamma

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

LOW = 0.05


@dataclass(frozen=True)
class GoldChances:
    """`mean` and `low` (5th percentile) of the gold a person will meet; `bound`: all there is for them."""

    mean: float
    low: int
    bound: int


def gold_chances(
    supply: Sequence[int], *, cards: float, block_cards: float, topic_cards: float, share: float, planted_share: float
) -> GoldChances:
    """`supply`: by topic with ordinary pairs, how many gold pairs the person has not met, (n_topics,).

    `cards`: ordinary cards that the person will take in all, `block_cards` ≤ `topic_cards`: of a block and of a topic;
    shares are parts of all cards, 0 ≤ share ≤ planted_share < 1. Nothing is expected where there is no topic, card or
    share.
    """
    n_topics, bound = len(supply), sum(supply) if share > 0 else 0
    if not bound or cards <= 0:
        return GoldChances(0.0, 0, bound)
    visits = cards / min(block_cards, cards)
    per_topic = max(1.0, visits / n_topics)  # visits to a topic that is visited
    one = min(min(block_cards, cards) * per_topic, topic_cards)
    known, n_of = np.unique(np.asarray(supply), return_counts=True)
    asked = share * topic_cards / (1 - planted_share)
    drawn = [_rounded(one, topic_cards, asked, int(n)) for n in known]
    is_part = visits <= n_topics
    total = _mixed(drawn, n_of / n_topics, visits) if is_part else _convolved(drawn, n_of.astype(np.float64))
    return GoldChances(float(total @ np.arange(total.size)), int(np.searchsorted(np.cumsum(total), LOW)), bound)


def _rounded(n: float, n_pairs: float, asked: float, most: int) -> Floats:
    """(k,) The probability of each number of gold of one topic, of which `asked` are to come, and not over `most`."""
    low = int(asked)
    less, more = _drawn(n, n_pairs, min(low, most)), _drawn(n, n_pairs, min(low + 1, most))
    return (low + 1 - asked) * np.pad(less, (0, more.size - less.size)) + (asked - low) * more


def _drawn(n: float, n_pairs: float, n_gold: int) -> Floats:
    """(n_gold + 1,) How many of them come until `n` of `n_pairs` ordinary cards have; parts of a card by the gamma
    function.
    """
    k, left = np.arange(n_gold + 1.0), n_pairs - n
    if left < 1:  # all of the topic is taken
        return np.asarray(k == n_gold, dtype=np.float64)
    logs = _log_gamma(n + k) - _log_gamma(k + 1)
    logs += _log_gamma(left + n_gold - k + 1) - _log_gamma(n_gold - k + 1)
    weights = np.exp(logs - logs.max())
    return np.asarray(weights / weights.sum())


def _log_gamma(of: Floats) -> Floats:
    return np.array([lgamma(each) for each in of.tolist()])


def _mixed(drawn: Sequence[Floats], weight: Floats, visits: float) -> Floats:
    """The sum over so many visits, each to a topic drawn by chance. A part of a visit is a visit with that chance."""
    size = max(each.size for each in drawn)
    mixture = sum(share * np.pad(each, (0, size - each.size)) for each, share in zip(drawn, weight, strict=True))
    whole, part = int(visits), visits - int(visits)
    last = part * np.asarray(mixture)
    last[0] += 1 - part
    return _convolved([np.asarray(mixture), last], np.array([whole, 1.0]))


def _convolved(pmfs: Sequence[Floats], times: Floats) -> Floats:
    """The sum of independent numbers, each pmf so many times."""
    length = int(sum((pmf.size - 1) * n for pmf, n in zip(pmfs, times, strict=True))) + 1
    size = 1 << (length - 1).bit_length()
    transform = np.ones(size // 2 + 1, dtype=np.complex128)
    for pmf, n in zip(pmfs, times, strict=True):
        transform *= np.fft.rfft(pmf, size) ** int(n)
    return np.clip(np.fft.irfft(transform, size)[:length], 0.0, 1.0)
