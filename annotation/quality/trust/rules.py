"""Which rules pause people by themselves, and which only say so."""

from dataclasses import dataclass
from math import erfc, sqrt
from typing import ClassVar

from annotation.quality.settings import SettingError, Settings

PROPOSE, PAUSE = "propose", "pause"
MODES = (PROPOSE, PAUSE)
RULES = ("stop", "alarm", "accuracy", "speed")  # where several hold, the first is named


@dataclass(frozen=True)
class PauseRules(Settings):
    """For each rule one of `MODES`. `stop` and `alarm`: the watch before and after clearing; `accuracy`: unreliable
    under the default policy. Raises `SettingError`.
    """

    LIMITS: ClassVar = {"speed_spreads": (1.5, 8.0), "speed_answers": (10, 1000)}

    stop: str = PROPOSE
    alarm: str = PROPOSE
    accuracy: str = PROPOSE
    speed: str = PROPOSE
    speed_spreads: float = 3.0  # so far below the usual pace, in spreads of people's paces
    speed_answers: int = 30  # timed answers before speed says anything

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in RULES:
            if getattr(self, name) not in MODES:
                raise SettingError(name, f"must be {' or '.join(MODES)}")

    @property
    def by_themselves(self) -> frozenset[str]:
        """The rules that pause."""
        return frozenset(name for name in RULES if getattr(self, name) == PAUSE)

    @property
    def speed_by_chance(self) -> float:
        """The share of people found too fast though they work at the usual pace, if paces are normal: 0 to 1."""
        return erfc(self.speed_spreads / sqrt(2)) / 2
