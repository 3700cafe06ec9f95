"""What the API takes and gives, as its schema says it: written by `python -m tests.unchanged record`."""

from typing import Any, Literal, NotRequired, TypedDict

from touchstone.client.schema.shared import BlankEnum, CorrectionEnum


class AskedSpace(TypedDict):
    job_url: str  # The job that describes the space.


class ComparisonAsked(TypedDict):
    comparisons_url: str  # Where the comparison is once it is done.
    job_url: str  # The job that compares.


class ComparisonLine(TypedDict):
    id: int
    made_at: str
    models: list[str]  # Those beside it.
    reference: str
    url: str


class Finding(TypedDict):
    key: str  # Of the figure.
    passes_level: bool  # Whether it is beyond the usual warning level.
    words: str


class MeasureOfModel(TypedDict):
    """One measure of one model; null for what is not defined."""

    deviation: float | None  # Standard deviation.
    high: NotRequired[float | None]
    k: NotRequired[int | None]  # Null for similarities.
    low: NotRequired[float | None]  # Of the mean's 95 % interval.
    mean: float | None
    measure: str
    n_queries: NotRequired[int]


class ModelBeside(TypedDict):
    measures: list[MeasureOfModel]
    model: str


ModelComparisonEntriesTestEnum = Literal["randomization", "t", "bootstrap", "wilcoxon", "sign"]

SimilarityName = Literal["cosine", "inner", "euclidean"]


class ModelComparisonEntriesRequest(TypedDict):
    correction: NotRequired[CorrectionEnum]
    documents: NotRequired[int]  # So many are drawn, whose similarities to each query are compared.
    # Each document is searched for its nearest others; otherwise the queries are searched.
    documents_alone: NotRequired[bool]
    k: NotRequired[list[int]]  # Cutoffs.
    models: list[str]  # Those beside it.
    pairs: NotRequired[str]  # Instead of a reference: two ids and the similarity that they should have, a pair a line.
    queries: NotRequired[int]  # So many are drawn.
    reference: str  # The model whose nearest documents take the place of judgments.
    seed: NotRequired[int]  # Of all that is drawn.
    # Of all models. * `` - * `cosine` - cosine * `inner` - inner * `euclidean` - euclidean
    similarity: NotRequired[SimilarityName | BlankEnum]
    test: NotRequired[ModelComparisonEntriesTestEnum]


class ModelsTested(TypedDict):
    adjusted_p: float  # After the correction.
    correction: str
    difference: float  # Of the means, first minus second.
    first: str
    measure: str
    second: str
    test: str


class ModelsBeside(TypedDict):
    """As `compare_embeddings --json` has it: beside target similarities `n_pairs`, else all the others."""

    models: list[ModelBeside]
    n_alone: NotRequired[int]  # Ids that some model lacks.
    n_compared: NotRequired[int]  # Of them, those whose similarities are compared.
    n_documents: NotRequired[int]  # That all models have.
    n_pairs: NotRequired[int]
    n_queries: NotRequired[int]
    reference: NotRequired[str]
    similarity: NotRequired[str]
    tests: list[ModelsTested]  # All pairs of models.


class SearchedRun(TypedDict):
    job_url: str  # The job that searches.
    run_url: str  # Where the run is once it is there.


class Space(TypedDict):
    """Null where nothing was asked for yet."""

    drawing: dict[str, Any] | None
    figures: dict[str, Any] | None  # As `describe_vectors --json` has them.
    findings: list[Finding]
    job_url: str | None  # The job under way, if any.
    made_at: NotRequired[str | None]
    rests_on: dict[str, Any] | None  # Vectors and judgments by their hashes; seed; neighbours.
    verdict: str | None


class SpaceEntriesRequest(TypedDict):
    against: NotRequired[str]  # Another model with vectors of this side: overlap of neighbours and CKA of the two.
    classes: NotRequired[str]  # Or an id and its class a line: all pairs within, of the first 200 of each.
    pairs: NotRequired[str]  # For the alignment instead: two ids a line.
    snapshot: NotRequired[str]  # Of judgments, for the alignment.


class VectorSearchEntriesRequest(TypedDict):
    depth: NotRequired[int]  # So many documents are found for each topic.
    exclude_self: NotRequired[bool]  # Where queries are documents themselves.
    model: str  # Whose vectors are searched.
    sample: NotRequired[int | None]  # So many are drawn at random. Empty: all are searched.
    seed: NotRequired[int | None]  # Of the queries drawn.
    similarity: NotRequired[SimilarityName | BlankEnum]
    tag: str  # What the new run is called.


VectorSetSideEnum = Literal["queries", "documents"]

VectorSetSimilarityEnum = Literal["cosine", "inner", "euclidean"]


class VectorSet(TypedDict):
    created_at: str
    description: str
    dim: int  # Dimensions.
    filename: str
    model: str
    n_missing: int  # Texts of the collection that had no vector then.
    n_rows: int
    n_unknown: int  # Ids that were no text of the collection when they came.
    numbers: str  # Of what type they came; they are kept as float32.
    sha256: str  # Of the packed vectors and ids.
    side: VectorSetSideEnum
    # What they are meant for. * `cosine` - Cosine * `inner` - Inner product * `euclidean` - Euclidean distance
    similarity: VectorSetSimilarityEnum
    url: str


class WholeComparison(TypedDict):
    conclusion: list[str]  # The sentences of the page.
    facts: ModelsBeside
    id: int
    made_at: str
    models: list[str]  # Those beside it.
    reference: str
    rests_on: Any  # Models with their vectors by hash; all that was asked.
    url: str
