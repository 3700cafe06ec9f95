"""How much gold a person will meet when coins are thrown for their cards. Arithmetic on plain values.

With shares g of gold and p of all that is planted, g / (1 − p) gold cards belong to every ordinary
pair, but not more to all pairs of a topic than it has gold pairs that the person has not met. Who
takes n pairs of it meets n times as many, rounded up or down by chance.

Assumed: people take equal parts of the ordinary cards and blocks whole, and every topic is as
likely as any other and of the same size.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

LOW = 0.05
ROUNDING = 1e-9  # of floating point: three times a third of six is two


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
    supplies, n_of = np.unique(np.asarray(supply), return_counts=True)
    rates = np.minimum(share / (1 - planted_share), supplies / topic_cards)
    drawn = [_rounded(one * rate) for rate in rates.tolist()]
    is_part = visits <= n_topics
    total = _mixed(drawn, n_of / n_topics, visits) if is_part else _convolved(drawn, n_of.astype(np.float64))
    return GoldChances(float(total @ np.arange(total.size)), int(np.searchsorted(np.cumsum(total), LOW)), bound)


def _rounded(n: float) -> Floats:
    """(⌊n⌋ + 2,) The probability of each number of cards, where the part of a card is a card with that chance."""
    chances = np.zeros(int(n + ROUNDING) + 2)
    part = max(0.0, n - (chances.size - 2))
    chances[-2:] = 1 - part, part
    return chances


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
