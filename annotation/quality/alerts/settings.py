"""The thresholds of the alerts of a collection."""

from dataclasses import dataclass
from typing import ClassVar

from annotation.quality.settings import Settings


@dataclass(frozen=True)
class AlertSettings(Settings):
    """Shares are 0 to 1. Raises `SettingError` outside `LIMITS`."""

    LIMITS: ClassVar = {
        "pairs": (20, 5000),
        "accuracy": (0.05, 1.0),
        "golds": (1, 500),
        "early": (0.01, 1.0),
        "hasty": (0.01, 1.0),
        "quiet_hours": (1, 1000),
        "cannot": (0.01, 1.0),
    }

    pairs: int = 50  # that a stretch of time needs before agreement in it is compared with what came before
    accuracy: float = 0.7  # share right on gold below which a person is reported
    golds: int = 10  # gold judgments a person needs before their accuracy says anything
    early: float = 0.2  # share of a person's judgments that came before the batch's minimum time
    hasty: float = 0.1  # share of a person's judgments far faster than everybody's
    quiet_hours: float = 24.0  # without a judgment in an open batch
    cannot: float = 0.1  # share of a topic's cards that people could not judge
