"""What the API takes and gives, as its schema says it: written by `python -m tests.unchanged record`."""

from typing import Literal, NotRequired, TypedDict

DesignEnum = Literal["groups", "topics", "interval"]


class Estimate(TypedDict):
    """A mean with its interval; null where the sample does not tell its error."""

    confidence: float
    df: float  # Degrees of freedom; 0 where all units are in the sample.
    high: float | None
    low: float | None
    mean: float
    n: int  # Topics of the sample.
    note: str  # What a reader should know; may be empty.
    standard_error: float | None


class RunEstimate(TypedDict):
    """One run by one measure."""

    measure: str
    missing: int  # Topics of the sample without a value.
    queries: Estimate  # Over all queries of the log.
    run: str
    sample: float  # The mean over the topics of the sample, unweighted.
    traffic: Estimate  # Over all times they were asked.


class Estimates(TypedDict):
    estimates: list[RunEstimate]
    left_aside: int  # Topics with a value that were not drawn from it.
    log: str  # The query log that the topics were drawn from.
    topics: int


SolvedEnum = Literal["n", "difference", "power", "width"]


class Planned(TypedDict):
    """Which of the numbers is the answer, the numbers, and the same in words; null: not of this design."""

    alpha: float  # Of each test.
    design: DesignEnum
    design_effect: float
    deviation: float | None
    difference: float | None
    n: int  # Units of the first group, or topics.
    n_clusters: int  # In the first group; 0 without clusters.
    n_second: int  # Units of the second group; 0 where there is one.
    notes: list[str]
    power: float | None
    relative: float | None
    solved: SolvedEnum
    width: float | None  # The ± of an interval.
    words: list[str]


class SampledTopic(TypedDict):
    count: int  # How often it was asked.
    number: str
    probability: float  # Of inclusion.
    stratum: str
    title: str


class ExperimentsEstimatesQuery(TypedDict):
    averaging: NotRequired[Literal["complete", "retrieved"]]
    measure: NotRequired[str]  # Of the evaluations; the first, if left out.
    snapshot: NotRequired[str]  # By name; the newest with an evaluation, if left out.


class ExperimentsPlanQuery(TypedDict):
    alpha: NotRequired[float]
    baseline: NotRequired[float]  # The mean as it is today, for a relative difference.
    cluster_size: NotRequired[float]  # Mean units of a cluster.
    correlation: NotRequired[float]  # Between units of a cluster.
    design: NotRequired[Literal["groups", "topics", "interval"]]
    deviation: NotRequired[float]  # Standard deviation; of topics, of their differences.
    difference: NotRequired[float]  # The smallest that matters, in the measure's unit.
    n: NotRequired[int]  # Units of the first group.
    n_tests: NotRequired[int]
    power: NotRequired[float]  # 0.8 unless it is what is asked.
    rate: NotRequired[float]  # Share of units with the outcome, as it is today.
    ratio: NotRequired[float]  # The second group by the first.
    relative: NotRequired[float]  # The same as a share of the rate or the baseline.
    size_variation: NotRequired[float]  # Of the clusters' sizes.
    width: NotRequired[float]  # The ± of an interval.
