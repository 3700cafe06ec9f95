"""What the API takes and gives, as its schema says it: written by `python -m tests.unchanged record`."""

from typing import Literal, NotRequired, TypedDict


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
