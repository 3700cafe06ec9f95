"""What the API takes and gives, as its schema says it: written by `python -m tests.unchanged record`."""

from typing import Any, Literal, NotRequired, TypedDict


class AnswersRequest(TypedDict):
    """What kinds ask for; each only some of it."""

    annotators: NotRequired[str]  # People who came with earlier judgments under the same id are the `same`, or `new`.
    attraction: NotRequired[str]  # Of clicks: what attracts alike, `pair` or `grade`.
    by: NotRequired[str]  # Of a query log: the column of strata; else by frequency.
    columns: NotRequired[dict[str, str]]  # Which column or key holds what: `{"docno": "passage"}`.
    count_column: NotRequired[str]  # Which says how often each was asked.
    deviation: NotRequired[str]  # For `neyman`: `head=0.2, tail=0.4`.
    estimator: NotRequired[str]  # Of clicks: `ips` or `ratio`.
    format: NotRequired[str]  # The name of a form; without one, the content says.
    grades: NotRequired[str]
    head: NotRequired[str]  # So many queries, or below 1 such a share of the traffic.
    # Of judgments: ids of the annotators that are machine judges, with commas between; `*` is all.
    machines: NotRequired[str]
    minimum: NotRequired[str]  # Of a query log: topics of each stratum, at least.
    model: NotRequired[str]  # Whose vectors they are.
    name: NotRequired[str]  # Of the snapshot, the pool, the batch or the experiment it becomes; what clicks are called.
    number_columns: NotRequired[str]  # Of an experiment: those of numbers, with commas between.
    number_prefix: NotRequired[str]  # Before the numbers of topics.
    on_conflict: NotRequired[str]  # Topics and documents here with another text: `refuse`, `version` or `skip`.
    oversample: NotRequired[str]  # So many times its share: `tail=3`.
    query_column: NotRequired[str]  # Of a query log: which one holds queries.
    rounding: NotRequired[str]  # `largest_remainder` or `floor`.
    rule: NotRequired[str]  # `proportional`, `equal` or `neyman`.
    seed: NotRequired[str]  # Of what is drawn.
    side: NotRequired[str]  # Of vectors: of `queries` or of `documents`.
    similarity: NotRequired[str]  # What vectors are meant for: `cosine`, `inner` or `euclidean`.
    snapshot: NotRequired[str]  # Of clicks: beside whose judgments they are set.
    tag: NotRequired[str]  # Of the run, instead of the tag in the file.
    torso: NotRequired[str]  # The same of those that follow.
    total: NotRequired[str]  # Of a query log: topics wanted.
    unit_column: NotRequired[str]  # Of an experiment: which one names the unit; one that stands twice is refused.
    unknown: NotRequired[str]
    variant_column: NotRequired[str]  # Of an experiment: which one names the variant; else as its name says.


ImportState = Literal["checking", "checked", "refused", "storing", "published", "cancelled", "failed"]


class Problem(TypedDict):
    file: str
    line: int  # From 1; 0 means the file as a whole.
    reason: str


class Arrival(TypedDict):
    """A collection on its way in."""

    collection_url: str | None  # The collection, once it is published.
    error: str  # Why the last job did not end well.
    filename: str
    job_url: str  # The job that works on it, or did so last.
    n_problems: int
    notes: list[str]  # What is changed or left aside on the way in.
    preview: dict[str, Any]  # What would be stored: `format`, `counts`, `tables` with the first rows of each file.
    problems: list[Problem]  # The first 10,000.
    slug: str  # The short name it is to get.
    state: ImportState


KindEnum = Literal[
    "topics",
    "documents",
    "qrels",
    "run",
    "pairs",
    "gold",
    "judgments",
    "vectors",
    "collection",
    "queries",
    "experiment",
    "clicks",
]


class BroughtRequest(TypedDict):
    """A file, and what is to be done with it."""

    annotators: NotRequired[str]  # People who came with earlier judgments under the same id are the `same`, or `new`.
    attraction: NotRequired[str]  # Of clicks: what attracts alike, `pair` or `grade`.
    by: NotRequired[str]  # Of a query log: the column of strata; else by frequency.
    columns: NotRequired[dict[str, str]]  # Which column or key holds what: `{"docno": "passage"}`.
    count_column: NotRequired[str]  # Which says how often each was asked.
    description: NotRequired[str]  # Of the run, the vectors or the experiment.
    deviation: NotRequired[str]  # For `neyman`: `head=0.2, tail=0.4`.
    estimator: NotRequired[str]  # Of clicks: `ips` or `ratio`.
    format: NotRequired[str]  # The name of a form; without one, the content says.
    grades: NotRequired[str]
    head: NotRequired[str]  # So many queries, or below 1 such a share of the traffic.
    kind: KindEnum
    # Of judgments: ids of the annotators that are machine judges, with commas between; `*` is all.
    machines: NotRequired[str]
    minimum: NotRequired[str]  # Of a query log: topics of each stratum, at least.
    model: NotRequired[str]  # Whose vectors they are.
    name: NotRequired[str]  # Of the snapshot, the pool, the batch or the experiment it becomes; what clicks are called.
    number_columns: NotRequired[str]  # Of an experiment: those of numbers, with commas between.
    number_prefix: NotRequired[str]  # Before the numbers of topics.
    on_conflict: NotRequired[str]  # Topics and documents here with another text: `refuse`, `version` or `skip`.
    oversample: NotRequired[str]  # So many times its share: `tail=3`.
    publish: NotRequired[bool]  # Store it without asking if it has no problem; needs a `format`.
    query_column: NotRequired[str]  # Of a query log: which one holds queries.
    rounding: NotRequired[str]  # `largest_remainder` or `floor`.
    rule: NotRequired[str]  # `proportional`, `equal` or `neyman`.
    seed: NotRequired[str]  # Of what is drawn.
    side: NotRequired[str]  # Of vectors: of `queries` or of `documents`.
    similarity: NotRequired[str]  # What vectors are meant for: `cosine`, `inner` or `euclidean`.
    snapshot: NotRequired[str]  # Of clicks: beside whose judgments they are set.
    tag: NotRequired[str]  # Of the run, instead of the tag in the file.
    torso: NotRequired[str]  # The same of those that follow.
    total: NotRequired[str]  # Of a query log: topics wanted.
    unit_column: NotRequired[str]  # Of an experiment: which one names the unit; one that stands twice is refused.
    unknown: NotRequired[str]
    variant_column: NotRequired[str]  # Of an experiment: which one names the variant; else as its name says.


class ConfirmedRequest(TypedDict):
    """What is said on publishing."""

    # Of gold: how many pairs that are gold it corrects, as `preview.counts` says; needed where it does.
    correct: NotRequired[int]


class Deleted(TypedDict):
    job_url: str  # The job that clears the collection away.


class DeletionEntriesRequest(TypedDict):
    name: str  # As it stands above, to confirm.


class Import(TypedDict):
    created_at: str
    filename: str
    id: int
    job_url: str | None  # The job that works on it, or did so last.
    kind: KindEnum
    n_problems: int
    name: str | None  # What it becomes: a run's tag, a snapshot's or pool's name, a model.
    notes: list[str]  # What was changed or left aside on the way in.
    preview: dict[str, Any]
    problems: list[Problem]  # The first 10,000.
    problems_url: str  # The problems in pages.
    published_at: str | None
    sha256: str
    state: ImportState  # `storing` from when publishing is asked for, though a worker may still have to take it up.
    url: str


class ImportLine(TypedDict):
    created_at: str
    filename: str
    id: int
    kind: KindEnum
    n_problems: int
    published_at: str | None
    sha256: str
    state: ImportState  # `storing` from when publishing is asked for, though a worker may still have to take it up.
    url: str


JudgmentFormFormEnum = Literal["csv", "jsonl", "parquet"]


class JudgmentFormRequest(TypedDict):
    form: NotRequired[JudgmentFormFormEnum]


class NewCollectionRequest(TypedDict):
    """A bundle, or a BEIR folder in a zip or tar."""

    grades: NotRequired[str]  # Of a BEIR folder: what its grades are from 0 to 4: `2=1, 4=2, 8=3, 16=4`.
    publish: NotRequired[bool]  # Bring it in at once, without showing what it would bring.
    slug: str  # The short name of the new collection.


class NewlyBrought(TypedDict):
    arrival_url: str | None  # What it would bring, and every problem.
    collection_url: str  # The collection, once it is published.
    job_url: str  # The job that works on it.


class Packed(TypedDict):
    file_url: str  # The bundle, for a day once the job is done.
    job_url: str  # The job that packs the collection.


class PublishedRequest(TypedDict):
    slug: NotRequired[str]  # Another short name than before.


class JudgmentsQuery(TypedDict):
    form: NotRequired[Literal["csv", "jsonl", "parquet"]]


class SnapshotsQrelsQuery(TypedDict):
    form: NotRequired[Literal["trec", "jsonl", "csv", "parquet", "beir", "datasets", "quepid"]]
