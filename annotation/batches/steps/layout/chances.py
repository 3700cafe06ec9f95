"""How much gold a person will meet when a coin is thrown for each card. Arithmetic on plain values.

A card is gold with the share g, planted at all with the share p. Of gold and ordinary cards alone, q = g / (g + 1 − p)
are gold, so that a block with n ordinary cards brings a negative binomial number of gold: k with probability
C(n − 1 + k, k) qᵏ (1 − q)ⁿ.
Nobody meets a pair twice: where fewer pairs of the topic are left for the person, so many come at the most.

Assumed: people take equal parts of the ordinary cards and blocks whole, and every topic is as likely as any other.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

LOW = 0.05
FAR = 12  # deviations above the mean, beyond which nothing is looked at


@dataclass(frozen=True)
class GoldChances:
    """`mean` and `low` (5th percentile) of the gold a person will meet; `bound`: all there is for them."""

    mean: float
    low: int
    bound: int


def gold_chances(
    supply: Sequence[int], *, cards: float, block_cards: float, share: float, planted_share: float
) -> GoldChances:
    """`supply`: by topic with ordinary pairs, how many gold pairs the person has not met, (n_topics,).

    `cards`: ordinary cards that the person will take in all, `block_cards`: of a block; shares are parts of all cards,
    0 ≤ share ≤ planted_share < 1. Nothing is expected where there is no topic, card or share.
    """
    n_topics, bound = len(supply), sum(supply) if share > 0 else 0
    if not bound or cards <= 0:
        return GoldChances(0.0, 0, bound)
    visits = cards / min(block_cards, cards)
    per_topic = max(1.0, visits / n_topics)  # visits to a topic that is visited
    chance = share / (share + 1 - planted_share)
    one = min(block_cards, cards) * per_topic
    known, n_of = np.unique(np.asarray(supply), return_counts=True)
    capped = [_capped(one, chance, int(n)) for n in known]
    if visits <= n_topics:
        total = _mixed(capped, n_of / n_topics, visits)
    else:
        total = _convolved(capped, n_of.astype(np.float64))
    return GoldChances(float(total @ np.arange(total.size)), int(np.searchsorted(np.cumsum(total), LOW)), bound)


def _capped(r: float, chance: float, most: int) -> Floats:
    """(k,) The probability of each number of gold of one topic, with all beyond `most` in its place."""
    mean, deviation = r * chance / (1 - chance), np.sqrt(r * chance) / (1 - chance)
    length = min(most, int(mean + FAR * deviation) + FAR)
    pmf = np.zeros(length + 1)
    pmf[0] = (1 - chance) ** r
    for k in range(1, length):
        pmf[k] = pmf[k - 1] * chance * (r + k - 1) / k
    pmf[-1] = 1 - pmf[:-1].sum()  # of `length` and more
    return np.clip(pmf, 0.0, 1.0)


def _mixed(capped: Sequence[Floats], weight: Floats, visits: float) -> Floats:
    """The sum over so many visits, each to a topic drawn by chance. A part of a visit is a visit with that chance."""
    size = max(each.size for each in capped)
    mixture = sum(share * np.pad(each, (0, size - each.size)) for each, share in zip(capped, weight, strict=True))
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
