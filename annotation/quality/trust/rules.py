"""Which rules pause people by themselves, which only say so; and how often two of them take somebody for worse."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from math import erfc, isfinite, sqrt
from typing import Self

import numpy as np

PROPOSE, PAUSE = "propose", "pause"
MODES = (PROPOSE, PAUSE)
RULES = ("stop", "alarm", "accuracy", "speed")  # where several hold, the first is named
SPREADS = (1.5, 8.0)
ANSWERS = (10, 1000)
SHOWN = (0.95, 0.90, 0.85, 0.80, 0.75, 0.70, 0.60, 0.50)  # true accuracies
WITHIN = (50, 100)  # golds


class RuleError(ValueError):
    """Settings that make no rules; `field` names the one to change, empty for none in particular."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(reason)
        self.field, self.reason = field, reason


@dataclass(frozen=True)
class PauseRules:
    """For each rule one of `MODES`. `stop` and `alarm`: the watch before and after clearing; `accuracy`: unreliable
    under the default policy. Raises `RuleError`.
    """

    stop: str = PROPOSE
    alarm: str = PROPOSE
    accuracy: str = PROPOSE
    speed: str = PROPOSE
    speed_spreads: float = 3.0  # so far below the usual pace, in spreads of people's paces
    speed_answers: int = 30  # timed answers before speed says anything

    def __post_init__(self) -> None:
        for name in RULES:
            if getattr(self, name) not in MODES:
                raise RuleError(name, f"must be {' or '.join(MODES)}")
        for name, (low, high) in (("speed_spreads", SPREADS), ("speed_answers", ANSWERS)):
            value = getattr(self, name)
            if not isfinite(value) or not low <= value <= high:
                raise RuleError(name, f"must lie between {low:g} and {high:g}")

    @classmethod
    def of(cls, told: Mapping[str, object]) -> Self:
        """From names and values, as they are stored; what is not told is built in. Raises `RuleError`."""
        kinds: dict[str, tuple[type, ...]] = dict.fromkeys(RULES, (str,))
        kinds |= {"speed_spreads": (int, float), "speed_answers": (int,)}
        assert kinds.keys() == {each.name for each in fields(cls)}
        for name, value in told.items():
            if name not in kinds:
                raise RuleError("", f"there is no setting {name!r}")
            if isinstance(value, bool) or not isinstance(value, kinds[name]):
                raise RuleError(name, f"{name} has a value of the wrong kind")
        return cls(**told)  # type: ignore[arg-type]

    @property
    def by_themselves(self) -> frozenset[str]:
        """The rules that pause."""
        return frozenset(name for name in RULES if getattr(self, name) == PAUSE)

    @property
    def speed_by_chance(self) -> float:
        """The share of people found too fast though they work at the usual pace, if paces are normal: 0 to 1."""
        return erfc(self.speed_spreads / sqrt(2)) / 2


@dataclass(frozen=True)
class FoundUnreliable:
    """People whose true accuracy is `rate`: the share found unreliable at the first look, and within so many golds."""

    rate: float
    first: float
    within: tuple[float, ...]


def found_unreliable(
    *, threshold: float, min_gold: int, rates: Sequence[float] = SHOWN, within: Sequence[int] = WITHIN
) -> list[FoundUnreliable]:
    """Exact, by dynamic programming, where somebody looks after every gold; who looks less often finds fewer.

    `threshold`: the accuracy from which a person is reliable, 0 to 1. Errors come independently of each other.
    """
    first = max(min_gold, 1)
    looks = [max(n, first) for n in (first, *within)]
    return [_of_rate(rate, threshold, first, looks) for rate in rates]


def _of_rate(rate: float, threshold: float, first: int, looks: Sequence[int]) -> FoundUnreliable:
    """Carries the chances of 0, 1, … right answers among n golds of those who have not been found yet."""
    chance, found = np.ones(1), [0.0]
    for n in range(1, max(looks) + 1):
        chance = np.append(chance * (1 - rate), 0.0) + np.append(0.0, chance * rate)
        below = (np.arange(n + 1) / n < threshold) if n >= first else np.zeros(n + 1, dtype=bool)
        found.append(found[-1] + float(chance[below].sum()))
        chance[below] = 0.0
    return FoundUnreliable(rate, found[looks[0]], tuple(found[n] for n in looks[1:]))
