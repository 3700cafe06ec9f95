"""The settings of the watch on critical errors, and the steps and bounds that follow from them."""

from dataclasses import dataclass
from math import log
from typing import ClassVar

from annotation.quality.settings import SettingError, Settings

LEAST_GAP = 0.1  # rates nearer to each other take more gold to tell apart than any campaign has


@dataclass(frozen=True)
class WatchSettings(Settings):
    """`good` and `poor` are shares of a person's gold judgments without a critical error, 0 to 1.

    The test of A. Wald, "Sequential tests of statistical hypotheses", Annals of Mathematical Statistics 16 (1945):
    H0 the rate is `good`, H1 it is `poor`. Raises `SettingError`.
    """

    LIMITS: ClassVar = {
        "good": (0.02, 0.99),
        "poor": (0.01, 0.98),
        "alpha": (0.005, 0.25),
        "beta": (0.005, 0.25),
        "false_pauses": (0.005, 0.5),
        "per_golds": (10, 2000),
    }

    good: float = 0.85
    poor: float = 0.60
    alpha: float = 0.05  # aimed at: people of the good rate who are stopped
    beta: float = 0.10  # aimed at: people of the poor rate who are cleared
    false_pauses: float = 0.05  # at most: cleared people of the good rate who are paused within `per_golds`
    per_golds: int = 600

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.good - self.poor < LEAST_GAP - 1e-9:
            raise SettingError("poor", f"must be at least {LEAST_GAP:g} below the good rate")

    @property
    def fall(self) -> float:
        """By how much a gold judgment without a critical error lowers the score: log(good / poor)."""
        return log(self.good / self.poor)

    @property
    def rise(self) -> float:
        """By how much a critical error raises it: log((1 − poor) / (1 − good))."""
        return log((1 - self.poor) / (1 - self.good))

    @property
    def stop_at(self) -> float:
        """The score, a log-likelihood ratio, from which on a person is stopped."""
        return log((1 - self.beta) / self.alpha)

    @property
    def clear_at(self) -> float:
        """The score, below 0, down from which a person is cleared."""
        return log(self.beta / (1 - self.alpha))
