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


MethodsEnum = Literal["depth", "rrf", "move-to-front", "max-mean", "stratified", "assisted", "separating"]


class NextAsked(TypedDict):
    job_url: str  # The job that ranks.
    next_url: str  # Where the pairs are once it is done.


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


class NextQueryRequest(TypedDict):
    """Two runs to separate, or none: then the best of all are to be put in order."""

    best: NotRequired[int]
    depth: NotRequired[int]
    measure: NotRequired[str]
    pairs: NotRequired[int]
    run: NotRequired[list[str]]  # Two tags, repeated; none for the best of all runs.
    snapshot: str  # The name of a snapshot.


class PoolJob(TypedDict):
    job_url: str  # The job that makes the pool; its result has the id, `pool`, and `pairs`.


class ReplayAsked(TypedDict):
    job_url: str  # The job that replays.
    replays_url: str  # Where the replay is once it is done.


ReplayUnlisted = Literal["skip", "zero"]


class ReplayEntriesRequest(TypedDict):
    depth: NotRequired[int]  # Documents of each run and topic: the pool.
    leave_out: NotRequired[bool]
    measure: NotRequired[str]  # nDCG@k; or AP, without the two ways that take a regression.
    methods: NotRequired[list[MethodsEnum]]  # All if left out.
    n_seeds: NotRequired[int]  # Of each way that chooses at random.
    rel: NotRequired[int]
    runs: NotRequired[list[str]]  # Tags; all runs if left out.
    snapshot: str  # The name of a snapshot.
    unlisted: NotRequired[ReplayUnlisted]


class ReplayLine(TypedDict):
    id: int
    made_at: str
    snapshot: str
    url: str


class Spent(TypedDict):
    """A method after so many judgments: means over draws; null where there is no such figure."""

    ap_error: float | None
    budget: float  # Share of the pool that is judged.
    draws: int
    error: float  # Of the means, mean over runs.
    found: float  # Share of all relevant documents that are judged.
    judged: int
    method: str
    moved: float | None  # Places by which the run left out is off.
    pool: str  # With all runs, or with one left out at a time.
    tau_ap: float
    tau_ap_sd: float | None
    tau_b: float  # With the order under all qrels.
    tau_b_sd: float | None


class Replayed(TypedDict):
    depth: int
    measure: str
    n_pairs: int  # Of the pool.
    n_qrels: int
    n_seeds: int
    n_topics: int
    n_unknown: int  # Pairs of the runs' tops that the qrels lack.
    rel: int
    rows: list[Spent]
    runs: list[str]
    unlisted: str  # What became of these.
    words: list[str]


class Sample(TypedDict):
    """The whole pool as a stratified sample."""

    missing: int  # Pairs of the sample that the snapshot does not judge.
    rows: list[list[Any]]  # Number, docno, stratum, and grade: −1 outside the sample.


WayEnum = Literal["all", "sample", "bm25"]


class WholeReplay(TypedDict):
    id: int
    made_at: str
    replayed: Replayed  # As `manage.py pooling_replay --json` has it.
    snapshot: str
    url: str


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
