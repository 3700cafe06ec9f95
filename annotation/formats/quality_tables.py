"""The tables of the quality page but that of annotators, as `rows` makes CSV of them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class CoefficientLine:
    """Low and high, over documents and over topics: ends of bootstrap intervals. No value: the reason."""

    coefficient: str
    value: float | None
    low_over_documents: float | None
    high_over_documents: float | None
    low_over_topics: float | None
    high_over_topics: float | None
    pairs: int
    judgments: int
    reason: str


@dataclass(frozen=True)
class TopicLine:
    number: str
    compared_pairs: int
    exact: float | None
    pairwise: float | None
    kept_pairs: int
    pairs: int


@dataclass(frozen=True)
class GradeLine:
    annotator: str
    grade: int
    given: int


@dataclass(frozen=True)
class DroppedLine:
    number: str
    docno: str
    reason: str
    judgments: int
    min: int | None
    median: float | None
    max: int | None


@dataclass(frozen=True)
class WithheldLine:
    """A pair that people could not judge; `said`: by whom and why, with semicolons between."""

    number: str
    docno: str
    said: str
    decided: int | None


@dataclass(frozen=True)
class MachineLine:
    """A machine judge beside people; `met`: pairs that two people or more judged, too; `both`: gold that both
    decided."""

    machine: str
    excluded: bool
    judged: int
    compared: int
    same: float | None
    same_low: float | None
    same_high: float | None
    kappa: float | None
    kappa_quadratic: float | None
    met: int
    with_people: float | None
    among_people: float | None
    bias: float | None
    gold: int
    right_on_gold: float | None
    right_low: float | None
    right_high: float | None
    both: int
    machine_right: int
    people_right: int


@dataclass(frozen=True)
class MachineGradeLine:
    """Pairs by the grade that people came to and the machine's."""

    machine: str
    people_grade: int
    machine_grade: int
    pairs: int


@dataclass(frozen=True)
class CoupleLine:
    """Two people, how many pairs both judged, the share with the same grade, and κ; None where it is undefined."""

    first: str
    second: str
    shared: int
    same: float
    kappa: float | None
    kappa_quadratic: float | None


QualityLine = CoefficientLine | TopicLine | GradeLine | DroppedLine | WithheldLine | MachineLine | MachineGradeLine
