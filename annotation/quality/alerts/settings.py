"""The thresholds of the alerts of a collection."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Self


class AlertError(ValueError):
    """A threshold that cannot be; `field` names it, empty where there is no such threshold."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(reason)
        self.field, self.reason = field, reason


LIMITS: dict[str, tuple[float, float]] = {
    "pairs": (20, 5000),
    "accuracy": (0.05, 1.0),
    "golds": (1, 500),
    "early": (0.01, 1.0),
    "hasty": (0.01, 1.0),
    "quiet_hours": (1, 1000),
    "cannot": (0.01, 1.0),
}
WHOLE = ("pairs", "golds")


@dataclass(frozen=True)
class AlertSettings:
    """Shares are 0 to 1. Raises `AlertError` outside `LIMITS`."""

    pairs: int = 50  # that a stretch of time needs before agreement in it is compared with what came before
    accuracy: float = 0.7  # share right on gold below which a person is reported
    golds: int = 10  # gold judgments a person needs before their accuracy says anything
    early: float = 0.2  # share of a person's judgments that came before the batch's minimum time
    hasty: float = 0.1  # share of a person's judgments far faster than everybody's
    quiet_hours: float = 24.0  # without a judgment in an open batch
    cannot: float = 0.1  # share of a topic's cards that people could not judge

    def __post_init__(self) -> None:
        for each in fields(self):
            low, high = LIMITS[each.name]
            if not low <= getattr(self, each.name) <= high:
                raise AlertError(each.name, f"must lie between {low:g} and {high:g}")

    @classmethod
    def of(cls, told: Mapping[str, object]) -> Self:
        """From names and numbers, as they are stored; what is not told is built in. Raises `AlertError`."""
        names = {each.name for each in fields(cls)}
        for name, value in told.items():
            if name not in names:
                raise AlertError("", f"there is no threshold {name!r}")
            whole = isinstance(value, int) and not isinstance(value, bool)
            if not whole and (name in WHOLE or not isinstance(value, float)):
                raise AlertError(name, f"{name} must be a number")
        return cls(**told)  # type: ignore[arg-type]
