"""What is asked of an experiment's log."""

from collections.abc import Mapping
from dataclasses import dataclass

from evaluation.engine.ab_tests.always_valid import EVENTS, NARROWEST_AT, START
from evaluation.engine.ab_tests.bootstrap import REPLICATES, SEED
from evaluation.engine.ab_tests.guardrails import Margin
from evaluation.engine.ab_tests.sample_ratio import THRESHOLD
from evaluation.engine.significance.corrections import Correction

MOST_REPLICATES = 100_000


@dataclass(frozen=True)
class Question:
    """`measures` and `covariate` are columns, `ratios` pairs of them (numerator, denominator); `shares` of the variants
    in any unit, None for equal ones. `start`, `events`: units and events in each group from which always-valid
    intervals are shown; `narrowest_at` units of both they are nearly the narrowest. `segments`, `time` and `cluster`
    are columns, too; a look is taken at the end of `every` seconds, of numbers so many of their unit."""

    control: str
    measures: tuple[str, ...] = ()
    ratios: tuple[tuple[str, str], ...] = ()
    covariate: str | None = None
    guardrails: tuple[Margin, ...] = ()
    shares: Mapping[str, float] | None = None
    segments: tuple[str, ...] = ()
    time: str | None = None
    every: float | None = None
    cluster: str | None = None
    replicates: int = REPLICATES
    seed: int = SEED
    alpha: float = 0.05
    correction: Correction = "holm"
    threshold: float = THRESHOLD
    start: int = START
    events: int = EVENTS
    narrowest_at: int = NARROWEST_AT

    def __post_init__(self) -> None:
        if not (self.measures or self.ratios or self.guardrails):
            raise ValueError("name at least one measure, ratio or guardrail")
        if self.covariate in self.measured:
            raise ValueError(f"{self.covariate} is a measure: a covariate was measured before assignment")
        if not 0 < self.alpha < 1:
            raise ValueError(f"alpha lies between 0 and 1, not {self.alpha:g}")
        if min(self.start, self.narrowest_at) < 2 or self.events < 0:
            raise ValueError("start and narrowest_at are at least 2 units, events at least 0")
        self._refuse_texts()

    def _refuse_texts(self) -> None:
        """What is wrong with segments, time and clusters."""
        if self.cluster and self.time:
            raise ValueError(
                "with clusters no looks are taken: units of one come at several times, so that no look knows whole "
                "clusters. A log with a row a cluster, its sums and its time has them: --ratio sum/units is the same "
                "difference"
            )
        if not 2 <= self.replicates <= MOST_REPLICATES or self.seed < 0:
            raise ValueError(f"replicates are 2 to {MOST_REPLICATES:,}, and a seed is at least 0")
        if self.every is not None and not (self.time and 0 < self.every < float("inf")):
            raise ValueError("every is a positive length of time, and needs a column of times")

    @property
    def measured(self) -> list[str]:
        """Columns of measures, ratios and guardrails, each once."""
        names = [*self.measures, *(name for pair in self.ratios for name in pair)]
        return list(dict.fromkeys([*names, *(margin.measure for margin in self.guardrails)]))

    @property
    def columns(self) -> list[str]:
        """All columns of numbers that it needs, each once."""
        return [*self.measured, *([self.covariate] if self.covariate else [])]

    @property
    def texts(self) -> list[str]:
        """The other columns, without those of variants and units."""
        return [*self.segments, *(name for name in (self.time, self.cluster) if name)]
