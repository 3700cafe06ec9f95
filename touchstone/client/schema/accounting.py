"""What the API takes and gives, as its schema says it: written by `python -m tests.unchanged record`."""

from typing import Literal, NotRequired, TypedDict


class Swap(TypedDict):
    after: float
    ahead: str
    before: float
    behind: str
    p_after: float | None
    p_before: float | None


class OrderChange(TypedDict):
    after: str
    before: str
    n_apart_after: int
    n_apart_before: int
    n_apart_both: int
    n_pairs: int
    n_parted: int
    swaps: list[Swap]
    tau_ap: float | None
    tau_b: float | None


class Cases(TypedDict):
    changes: list[OrderChange]
    mean: list[list[float]]
    measure: str


class RunShares(TypedDict):
    found: float
    judged: list[float]
    tag: str


class Accounted(TypedDict):
    cases: list[str]
    k: int
    measures: list[Cases]
    n_pairs: list[int]
    n_topics: int
    runs: list[RunShares]


class DropReason(TypedDict):
    n: int
    reason: str
    words: str


class TopicDrop(TypedDict):
    by_reason: list[int]  # In the order of the reasons.
    n_dropped: int
    n_pairs: int
    number: str


class LeftOut(TypedDict):
    n_dropped: int
    n_pairs: int  # That the policy decided on.
    reasons: list[DropReason]  # Those that occur.
    topics: list[TopicDrop]  # The greatest share first.


class Account(TypedDict):
    # As the JSON of the page has it: cases, shares judged, means and orders; null before it is asked for.
    accounted: Accounted | None
    dropped: LeftOut | None  # null for imported qrels: what they leave out is not known.
    job_url: str | None  # Of the job that computes it now, or null.
    made_at: NotRequired[str | None]
    snapshot: str


class AccountingLine(TypedDict):
    id: int
    made_at: str
    policies: list[str]  # Those that were compared.
    url: str


class AskedJob(TypedDict):
    job_url: str  # The job that computes it.


class AskedPoliciesRequest(TypedDict):
    """Two to eight policies and rules by themselves, on the same batches."""

    batches: NotRequired[list[str]]  # Tokens; all judged ones if left out.
    k: NotRequired[int]  # How deep to look for what is judged: Judged@k.
    measures: NotRequired[list[str]]  # The usual ones if left out.
    policies: NotRequired[list[str]]  # Each as `name vN`.
    rules: NotRequired[list[str]]  # By themselves: everybody is believed.
    runs: NotRequired[list[str]]  # Tags; all runs if left out.


class AskedRunsRequest(TypedDict):
    """Which runs, by which measures, how deep."""

    k: NotRequired[int]  # How deep to look for what is judged: Judged@k.
    measures: NotRequired[list[str]]  # The usual ones if left out.
    runs: NotRequired[list[str]]  # Tags; all runs if left out.


class PolicyFacts(TypedDict):
    accuracy: float | None
    dropped: list[DropReason]
    interval: list[float] | None  # 95 %, Wilson's.
    n_gold: int
    n_kept: int
    n_pairs: int
    n_right: int  # Of the gold pairs that it has not seen.
    n_shared: int  # Pairs by which the runs were measured.
    n_to_decide: int
    n_topics: int
    name: str
    rule: str


class WholeAccounting(TypedDict):
    accounted: Accounted  # As the JSON of the page: shares judged, means, orders.
    compared: list[PolicyFacts]
    id: int
    made_at: str
    policies: list[str]  # Those that were compared.
    url: str


class AccountingFileQuery(TypedDict):
    form: NotRequired[Literal["csv", "orders", "swaps", "json"]]
