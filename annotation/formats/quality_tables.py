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


QualityLine = CoefficientLine | TopicLine | GradeLine | DroppedLine
