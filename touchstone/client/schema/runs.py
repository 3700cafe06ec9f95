"""What the API takes and gives, as its schema says it: written by `python -m tests.unchanged record`."""

from typing import Any, Literal, NotRequired, TypedDict

from touchstone.client.schema.shared import BlankEnum


class FusedRun(TypedDict):
    job_url: str  # The job that makes the run.
    run_url: str  # Where the run is once it is made.


FusionEntriesMethodEnum = Literal["rrf", "comb_sum", "comb_mnz", "isr", "borda"]

NormalisationEnum = Literal["min-max", "z-score", "rank", "none"]


class FusionEntriesRequest(TypedDict):
    depth: NotRequired[int]  # How many documents of each topic are kept.
    k: NotRequired[int | None]  # Of RRF alone. Empty: 60.
    method: NotRequired[FusionEntriesMethodEnum]
    normalisation: NotRequired[NormalisationEnum | BlankEnum]
    runs: list[str]  # Tags, two at least.
    tag: str  # What the new run is called.


class PoolCount(TypedDict):
    empty: list[str]  # Numbers of topics for which no run has a document.
    fewest: int  # Pairs of the topic that has fewest.
    most: int
    n_pairs: int
    n_topics: int


class PoolOfRunsEntriesRequest(TypedDict):
    depth: NotRequired[int]  # So many documents from the top of each run, for each topic.
    name: NotRequired[str]  # Needed unless it is only counted.
    numbers: NotRequired[list[str]]  # Of topics; without them, all.
    runs: list[str]  # Tags.


class Run(TypedDict):
    created_at: str
    description: str
    filename: str
    n_rows: int
    n_tied: int  # Rows that share their score with another of their topic.
    n_topics: int
    origin: Any
    sha256: str  # Of the packed run.
    tag: str
    url: str


class UploadRequest(TypedDict):
    """A run, plain or gzip."""

    description: NotRequired[str]
    format: NotRequired[str]  # What the file is read as.
    tag: NotRequired[str]  # What the run is called; without one, the tag in the file.


class Uploaded(TypedDict):
    import_url: str  # Ask here until its state is published, or refused with problems.
    job_url: str  # The job that checks the file.


class RunFilesQuery(TypedDict):
    form: NotRequired[Literal["trec", "gzip", "jsonl"]]
