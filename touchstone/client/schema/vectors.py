"""What the API takes and gives, as its schema says it: written by `python -m tests.unchanged record`."""

from typing import Any, Literal, NotRequired, TypedDict

from touchstone.client.schema.shared import BlankEnum


class AskedSpace(TypedDict):
    job_url: str  # The job that describes the space.


class Finding(TypedDict):
    key: str  # Of the figure.
    passes_level: bool  # Whether it is beyond the usual warning level.
    words: str


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
    snapshot: NotRequired[str]  # Of judgments, for the alignment.


VectorSearchEntriesSimilarityEnum = Literal["cosine", "inner", "euclidean"]


class VectorSearchEntriesRequest(TypedDict):
    depth: NotRequired[int]  # So many documents are found for each topic.
    exclude_self: NotRequired[bool]  # Where queries are documents themselves.
    model: str  # Whose vectors are searched.
    similarity: NotRequired[VectorSearchEntriesSimilarityEnum | BlankEnum]
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
