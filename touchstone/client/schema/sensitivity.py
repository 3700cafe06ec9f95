"""What the API takes and gives, as its schema says it: written by `python -m tests.unchanged record`."""

from typing import Literal, NotRequired, TypedDict

AnewEnum = Literal["topics", "judgments", "both"]


class JudgeOrder(TypedDict):
    """The runs under another judge; `mean` and `rank` in the order of `tags`."""

    judge: str
    mean: list[float]
    rank: list[int]  # Equal means share the best.
    swaps: list[list[str]]  # Two runs that change places each, whoever stood ahead first.
    tau_ap: float | None
    tau_b: float | None


JudgmentsAnewEnum = Literal["annotators", "posterior"]


class PairSwap(TypedDict):
    ahead: str
    behind: str
    cases: list[str]  # The first of them, where they have names.
    difference: float  # Of their means as they stand.
    n: int  # Cases in which they change places.


class OrderUnder(TypedDict):
    """A kind of change: columns have an entry a case."""

    cases: list[str]  # Empty where cases are drawn.
    conclusion: str
    kind: str
    n_cases: int
    n_held: int  # Cases in which no two runs change places.
    n_swaps: list[int]  # Pairs of runs that change places.
    refusal: str  # Why there is no case.
    swaps: list[PairSwap]  # The most often first.
    tau_ap: list[float | None]
    tau_b: list[float | None]


class ShareOfDraws(TypedDict):
    """The share of draws in which the first run beats the second; null where there is none."""

    anew: AnewEnum
    error: float | None  # The standard error of the difference.
    n_draws: int  # 0: by its formula.
    refusal: str  # Why there is no share.
    share: float | None


class PairShares(TypedDict):
    both: ShareOfDraws
    conclusion: str
    difference: float  # Of the means, first minus second.
    first: str
    judgments: ShareOfDraws
    second: str
    topics: ShareOfDraws


class SensitivityAsked(TypedDict):
    job_url: str  # The job that studies.
    studies_url: str  # Where the study is once it is done.


class SensitivityEntriesRequest(TypedDict):
    beside: NotRequired[list[str]]  # Names of snapshots that judge the same pairs.
    groups: NotRequired[str]  # Runs left out of the pool together, a group a line: bert=*bert*, mono_1
    judgments_anew: NotRequired[JudgmentsAnewEnum]
    measure: NotRequired[str]  # The mean of one measure of quality.
    pool_depth: NotRequired[int]  # How deep each run brought documents to it.
    runs: NotRequired[list[str]]  # Tags; all runs if left out.
    seed: NotRequired[int]  # Of all that is drawn.
    snapshot: str  # The name of a snapshot.


class Studied(TypedDict):
    changes: list[OrderUnder]
    conclusion: list[str]
    judges: list[JudgeOrder]  # Machine judges, and other qrels of the same pairs.
    judgments_anew: JudgmentsAnewEnum
    mean: list[float]
    measure: str
    n_draws: int
    n_judged: int
    n_topics: int
    policy: str  # Of the judgments, as JSON; empty for qrels without judgments.
    pool_depth: int
    rank: list[int]  # Equal means share the best.
    seed: int
    shares: list[PairShares]  # Of neighbours in the order.
    tags: list[str]  # The best first.


class StudyLine(TypedDict):
    id: int
    made_at: str
    measure: str
    snapshot: str
    url: str


class WholeStudy(TypedDict):
    id: int
    made_at: str
    measure: str
    snapshot: str
    studied: Studied  # As `manage.py sensitivity --json` has it.
    url: str


class SensitivitySharesQuery(TypedDict):
    first: str  # The tag of a run.
    measure: NotRequired[str]  # The mean of one measure of quality.
    second: str  # The tag of another.
    seed: NotRequired[int]  # Of all that is drawn.
    snapshot: str  # The name of a snapshot.
