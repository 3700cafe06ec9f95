"""What the rules of alerts look at, made by hand: four people, and nothing that goes wrong."""

from datetime import UTC, datetime
from typing import Any

import numpy as np

from annotation.quality.accuracy import Accuracy
from annotation.quality.alerts import BatchFigures
from annotation.quality.annotators.figure import Figures
from annotation.quality.annotators.pace import Pace
from annotation.quality.over_time import AgreementOverTime
from annotation.quality.wilson import wilson_interval

NOW = datetime(2026, 3, 5, 12, tzinfo=UTC)


def accuracy_of(right: list[int], gold: list[int]) -> Accuracy:
    k, n = np.array(right), np.array(gold)
    interval = wilson_interval(k, n)
    share = np.where(n > 0, k / np.maximum(n, 1), np.nan)
    return Accuracy(n, k, share, interval.low, interval.high)


def pace_of(n: list[int], hasty: list[float], beside: list[float]) -> Pace:
    none, counts = np.full(4, np.nan), np.array(n)
    shares = [Figures(np.array(values), counts, none, none, "timed answers") for values in (none, beside, hasty)]
    return Pace(shares[0], shares[1], shares[2], 1500.0, (9.0, 0.5))


def batch_figures(**changes: Any) -> BatchFigures:
    everybody = np.ones(4, dtype=np.bool_)
    usual: dict[str, Any] = {
        "people": ("Amber", "Birch", "Cedar", "Dune"),
        "judging": everybody,
        "started": everybody,
        "early": np.zeros(4),
        "n_gold_ahead": np.full(4, 10),
        "accuracy": accuracy_of([10] * 4, [10] * 4),
        "pace": pace_of([100] * 4, [0.0] * 4, [0.0] * 4),
        "agreement": AgreementOverTime([], [], None),
        "topics": [],
        "has_gold": True,
        "is_open": True,
        "n_left": 5,
        "last": NOW,
        "due": None,
        "end": None,
        "now": NOW,
    }
    return BatchFigures(**{**usual, **changes})
