"""What the API takes and gives, as its schema says it: written by `python -m tests.unchanged record`."""

from typing import Literal, NotRequired, TypedDict

from touchstone.client.schema.shared import AveragingEnum


class Asked(TypedDict):
    evaluations_url: str  # Where the evaluations are once it is done.
    job_url: str  # The job that evaluates.


class EvaluateRequest(TypedDict):
    """What to evaluate. An unknown name is a fault."""

    averaging: NotRequired[AveragingEnum]
    measures: NotRequired[list[str]]  # Besides the usual ones.
    runs: list[str]  # The tags of runs.
    snapshot: str  # The name of a snapshot.


class Mean(TypedDict):
    """Over topics, with the ends of its 95 % interval; none for a single topic, a sum or a geometric mean."""

    high: float | None
    low: float | None
    mean: float


class Evaluation(TypedDict):
    averaging: AveragingEnum
    counts_machines: bool  # Whether machine judges counted in the making of its qrels.
    created_at: str
    id: int
    means: dict[str, Mean]  # By measure.
    n_missing: int  # Topics of the snapshot that the run lacks.
    n_topics: int  # Averaged over.
    run: str
    snapshot: str
    url: str


class TopicValues(TypedDict):
    number: str
    values: dict[str, float]  # By measure.


class UnjudgedEntriesRequest(TypedDict):
    depth: NotRequired[int]  # So many documents of each topic.
    name: str


class WholeEvaluation(TypedDict):
    """With its values, topic by topic; they come from the context."""

    averaging: AveragingEnum
    counts_machines: bool  # Whether machine judges counted in the making of its qrels.
    created_at: str
    id: int
    means: dict[str, Mean]  # By measure.
    missing: list[str]  # Numbers of the topics that the run lacks.
    n_missing: int  # Topics of the snapshot that the run lacks.
    n_topics: int  # Averaged over.
    run: str
    snapshot: str
    topics: list[TopicValues]  # In the byte order of their numbers.
    url: str


class EvaluationsQuery(TypedDict):
    averaging: NotRequired[Literal["complete", "retrieved"]]
    run: NotRequired[str]  # The tag of a run.
    snapshot: NotRequired[str]  # The name of a snapshot.


class EvaluationsCompareQuery(TypedDict):
    alpha: NotRequired[float]
    averaging: NotRequired[Literal["complete", "retrieved"]]
    baseline: NotRequired[str]  # A tag: every other run against it, not all pairs.
    confidence: NotRequired[float]
    correction: NotRequired[Literal["none", "bonferroni", "holm", "hochberg", "hommel", "bh", "by"]]
    draws: NotRequired[int]
    interval: NotRequired[Literal["t", "studentised", "percentile", "basic", "bca"]]
    measure: list[str]  # Repeated; of the evaluations.
    minimum_difference: NotRequired[float]  # The smallest that would matter: gives power and topics.
    power: NotRequired[float]
    run: NotRequired[list[str]]  # Tags, repeated, at most 20; all that are evaluated if left out.
    seed: NotRequired[int]  # Of all that is drawn.
    snapshot: str  # The name of a snapshot.
    test: NotRequired[Literal["t", "randomization", "wilcoxon", "sign", "bootstrap", "tukey"]]
    threshold: NotRequired[float]  # Values that differ by no more are equal on a topic.


class EvaluationsCompareManyQuery(TypedDict):
    alpha: NotRequired[float]
    averaging: NotRequired[Literal["complete", "retrieved"]]
    confidence: NotRequired[float]
    correction: NotRequired[Literal["none", "bonferroni", "holm", "hochberg", "hommel", "bh", "by"]]
    draws: NotRequired[int]
    measure: list[str]  # Repeated; of the evaluations.
    run: NotRequired[list[str]]  # Tags, repeated, at most 300; all that are evaluated if left out.
    seed: NotRequired[int]  # Of all that is drawn.
    snapshot: str  # The name of a snapshot.
    test: NotRequired[Literal["tukey", "randomization", "t", "bootstrap"]]
