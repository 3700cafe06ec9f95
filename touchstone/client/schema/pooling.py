"""What the API takes and gives, as its schema says it: written by `python -m tests.unchanged record`."""

from typing import Any, Literal, NotRequired, TypedDict

GrowingEntriesMethodEnum = Literal["depth", "rrf", "move-to-front", "max-mean", "stratified"]


class GrowingEntriesRequest(TypedDict):
    depth: NotRequired[int]  # Documents of each run and topic: the whole pool.
    method: NotRequired[GrowingEntriesMethodEnum]
    name: str  # Portions are called so, with their number behind it.
    portion: NotRequired[int]  # Pairs of a portion.
    rel: NotRequired[int | None]  # For move to front. Empty: 1.
    renew: NotRequired[bool]
    runs: list[str]  # Tags.
    seed: NotRequired[int | None]  # Of what is drawn. Empty: 0.


class NextPair(TypedDict):
    changes: list[float]
    docno: str
    expected: float
    greatest: float
    number: str
    ranks: list[int | None]


class RunMean(TypedDict):
    mean: float
    run: str


class NextPairs(TypedDict):
    """The unjudged pairs that would tell most, and how the runs stand to each other without them."""

    depth: int
    doubts: list[float]  # Of each two runs, in their order: how probable the wrong order is.
    measure: str
    n_topics: int
    n_unjudged: int  # Pairs within the depth.
    pairs: list[NextPair]  # Those that change most first.
    runs: list[RunMean]  # Two as they were named; of several the best first.
    top: int  # The highest grade a pair may have.
    words: list[str]


class NextPoolRequest(TypedDict):
    """The same, and what the pool is called."""

    best: NotRequired[int]
    depth: NotRequired[int]
    measure: NotRequired[str]
    name: str
    pairs: NotRequired[int]
    run: NotRequired[list[str]]  # Two tags, repeated; none for the best of all runs.
    snapshot: str  # The name of a snapshot.


class NextPortion(TypedDict):
    """Of a growing pool: how far it is, and what would come next."""

    is_sample: bool  # Whether it feeds statAP, xinfAP and infNDCG.
    method: str
    n_chosen: int  # Pairs of its portions.
    n_judged: int
    n_pool: int  # Pairs of the whole pool.
    n_portions: int
    pairs: list[list[str]]  # Number and docno, the next portion.
    series: str  # What the pool is called as a whole.


class PoolJob(TypedDict):
    job_url: str  # The job that makes the pool; its result has the id, `pool`, and `pairs`.


class Sample(TypedDict):
    """The whole pool as a stratified sample."""

    missing: int  # Pairs of the sample that the snapshot does not judge.
    rows: list[list[Any]]  # Number, docno, stratum, and grade: −1 outside the sample.


WayEnum = Literal["all", "sample", "bm25"]


class WithoutRunsEntriesRequest(TypedDict):
    name: str
    numbers: NotRequired[list[str]]  # Of topics; without them, all.
    per_topic: NotRequired[int | None]  # Of a random sample and of BM25. Empty: 50.
    seed: NotRequired[int | None]  # Of a random sample alone: the same seed draws the same documents. Empty: 0.
    way: NotRequired[WayEnum]


class PoolsNextQuery(TypedDict):
    best: NotRequired[int]
    depth: NotRequired[int]
    measure: NotRequired[str]
    pairs: NotRequired[int]
    run: NotRequired[list[str]]  # Two tags, repeated; none for the best of all runs.
    snapshot: str  # The name of a snapshot.


class PoolsSampleQuery(TypedDict):
    snapshot: str  # Its name.
