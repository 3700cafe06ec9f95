"""Policies side by side, how far a confidence holds, and how often the watch errs, as `rows` makes CSV of it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ComparedLine:
    """`gold_kept`: gold pairs that the policy keeps, that gold hidden; low and high: Wilson, 95 %; `as_first`: judged
    pairs with the grade of the first policy, of those that both keep."""

    policy: str
    rule: str
    counts_machines: bool
    kept: int
    to_decide: int
    dropped: int
    gold_kept: int
    gold_right: int
    accuracy: float | None
    low: float | None
    high: float | None
    confidence: float | None
    as_first: int
    both_keep: int


@dataclass(frozen=True)
class ConfidenceLine:
    """A tenth of confidence with pairs in it. `kind`: stated, or corrected by a curve learned on other topics."""

    kind: str
    confidence: str
    pairs: int
    says: float
    right: float
    low: float
    high: float


@dataclass(frozen=True)
class AccuracyErrorLine:
    """Of people who truly judge this share of gold rightly: who is found unreliable when so many golds were judged, at
    that look or at one before."""

    true_rate: float
    golds: int
    found_unreliable: float


@dataclass(frozen=True)
class SpeedErrorLine:
    """People at the usual pace who lie so many spreads beyond it by chance. `people`: how many are compared; None for
    very many."""

    spreads: float
    by_chance: float
    people: int | None


@dataclass(frozen=True)
class WatchRateLine:
    """People who truly judge this share of gold without a critical error. A mean number of golds is empty where nobody
    is stopped, or where it has no end."""

    true_rate: float
    stopped: float
    golds_until_stopped: float | None
    golds_until_ended: float
    stopped_after_clearing: float
    golds_from_clearing: float | None
