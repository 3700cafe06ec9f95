"""The tables of one annotator's page, as `rows` makes CSV of them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class FigureLine:
    """`low`, `high`: a 95 % interval; `n`: what the figure rests on; `reason`: why there is no value."""

    figure: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    reason: str


@dataclass(frozen=True)
class ConfusionLine:
    """How many gold pairs of a grade got which grade."""

    gold: int
    given: int
    pairs: int


@dataclass(frozen=True)
class DistanceLine:
    """Gold judgments so many steps from the nearest accepted grade."""

    steps_off: int
    gold_judgments: int


@dataclass(frozen=True)
class AlikeLine:
    """Somebody of whom this person is nearly a copy. `left_out`: others as alike, who explain nothing here."""

    annotator: str
    pairs_shared: int
    same: float
    explained: float
    left_out: int


@dataclass(frozen=True)
class BandLine:
    """A stretch of sessions; low and high: Wilson, 95 %."""

    place: str
    gold: int
    right: float | None
    low: float | None
    high: float | None
    median_seconds: float | None


PersonLine = FigureLine | ConfusionLine | DistanceLine | AlikeLine | BandLine
