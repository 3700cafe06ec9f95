"""What the API takes and gives, as its schema says it: written by `python -m tests.unchanged record`."""

from typing import Literal, NotRequired, TypedDict

from touchstone.client.schema.shared import AveragingEnum, CorrectionEnum


class Apart(TypedDict):
    n_apart: int
    n_pairs: int


class ApartAt(TypedDict):
    alpha: float
    n_apart: int
    n_pairs: int


class Asked(TypedDict):
    evaluations_url: str  # Where the evaluations are once it is done.
    job_url: str  # The job that evaluates.


class BesideDocument(TypedDict):
    docno: str
    first_rank: int | None  # null: not within the depth.
    grade: int | None  # null: not judged.
    part: float  # By how much the difference would fall if it were not relevant.
    second_rank: int | None  # null: not within the depth.


ComparedManyTestEnum = Literal["tukey", "randomization", "t", "bootstrap"]


class ComparedManyRequest(TypedDict):
    """Many runs, all pairs."""

    alpha: NotRequired[float]
    averaging: NotRequired[AveragingEnum]
    confidence: NotRequired[float]
    correction: NotRequired[CorrectionEnum]
    draws: NotRequired[int]
    measure: list[str]  # Repeated; of the evaluations.
    run: NotRequired[list[str]]  # Tags, repeated, at most 300; all that are evaluated if left out.
    seed: NotRequired[int]  # Of all that is drawn.
    snapshot: str  # The name of a snapshot.
    test: NotRequired[ComparedManyTestEnum]


class ComparedPair(TypedDict):
    """Differences are first − second."""

    adjusted_p: float
    better: int  # Topics on which the first run is so.
    d: float | None  # null where it does not exist.
    d_high: float | None  # null where it does not exist.
    d_low: float | None  # null where it does not exist.
    d_z: float | None  # null where it does not exist.
    d_z_high: float | None  # null where it does not exist.
    d_z_low: float | None  # null where it does not exist.
    difference: float
    equal: int  # Topics on which the first run is so.
    first: str
    g: float | None  # null where it does not exist.
    g_high: float | None  # null where it does not exist.
    g_low: float | None  # null where it does not exist.
    high: float
    low: float
    mean_first: float
    mean_second: float
    note: str
    p: float
    power: float | None  # null where it does not exist.
    second: str
    topics_needed: int | None  # For the power wanted; null without a difference.
    worse: int  # Topics on which the first run is so.


class ComparedMeasure(TypedDict):
    """Runs compared by one measure, pair by pair."""

    apart: ApartAt  # Pairs that the test tells apart.
    baseline: str | None
    conclusion: list[str]  # In sentences.
    confidence: float  # Of the intervals.
    correction: str
    exact: bool  # Whether every permutation was counted.
    interval: str  # By which method intervals are made.
    mean: dict[str, float]  # By tag.
    measure: str
    minimum_difference: float | None
    n_draws: int  # 0 where the test draws nothing.
    n_topics: int
    pairs: list[ComparedPair]
    power_wanted: float
    test: str
    threshold: float


class EvaluateRequest(TypedDict):
    """What to evaluate. An unknown name is a fault."""

    averaging: NotRequired[AveragingEnum]
    measures: NotRequired[list[str]]  # Besides the usual ones.
    runs: list[str]  # The tags of runs.
    snapshot: str  # The name of a snapshot.


class Mean(TypedDict):
    """Over topics, with the ends of its interval, of 95 % unless another `confidence` was asked for; none for a single
    topic, a sum or a geometric mean."""

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


class ManyAsked(TypedDict):
    comparison_url: str  # Where the comparison is once it is done.
    job_url: str  # The job that compares.


class RunAmongMany(TypedDict):
    best_rank: int
    groups: str  # Letters; runs that share one are not told apart.
    high: float
    low: float
    mean: float
    run: str
    worst_rank: int


class ManyCompared(TypedDict):
    """All pairs of many runs by one measure."""

    adjusted_p: list[list[float]]
    alpha: float
    apart: Apart  # Pairs that the test tells apart.
    conclusion: list[str]  # In sentences.
    confidence: float  # Of the intervals.
    correction: str
    difference: list[list[float]]  # Of means, run of the row minus column.
    exact: bool  # Whether every permutation was counted.
    # Tags of runs that are not told apart; null where that makes no groups in the order of the runs.
    groups: list[list[str]] | None
    measure: str
    n_draws: int  # 0 where the test draws nothing.
    n_topics: int
    runs: list[RunAmongMany]  # The best first.
    test: str


class ManyRunsCompared(TypedDict):
    measures: list[ManyCompared]
    seed: int


class OrdersAgree(TypedDict):
    """How far two measures order the runs alike."""

    first: str  # A measure.
    note: str
    rbo: float
    rbo_p: float
    second: str
    tau_ap_b: float | None  # null where it does not exist.
    tau_b: float | None  # null where it does not exist.


class RunsCompared(TypedDict):
    agreement: list[OrdersAgree]  # Of each two measures.
    measures: list[ComparedMeasure]
    seed: int


class SideBySide(TypedDict):
    depth: int  # So many documents of each run are looked at.
    difference: float  # First minus second.
    documents: list[BesideDocument]  # Those that make most of the difference first.
    first: str
    first_value: float
    measure: str
    number: str
    second: str
    second_value: float


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
    # By measure, the standard deviation over topics (n − 1); null for a single topic and for no mean.
    deviations: dict[str, float | None]
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
    confidence: NotRequired[float]  # Of the intervals of means, each for itself.
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


class EvaluationsCompareTopicQuery(TypedDict):
    first: str  # The tag of a run.
    measure: str  # One whose summary is a mean of a quality.
    number: str  # Of a topic of the snapshot.
    second: str  # The tag of another.
    snapshot: str  # The name of a snapshot.
