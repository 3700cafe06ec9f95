"""What the API takes and gives, as its schema says it: written by `python -m tests.unchanged record`."""

from typing import Any, Literal, NotRequired, TypedDict

from touchstone.client.schema.shared import Grade, GradeEntriesRequest


class Case(TypedDict):
    """A worked example."""

    document: str
    grade: int
    reason: str
    topic: str


class CaseEntriesRequest(TypedDict):
    document: str
    grade: int
    reason: str  # Why this grade.
    topic: str


class Document(TypedDict):
    docno: str
    title: str


DocumentVersionFormEnum = Literal["text", "html"]


class DocumentVersion(TypedDict):
    created_at: str
    form: DocumentVersionFormEnum  # What the text is; HTML is sanitised. * `text` - Plain text * `html` - HTML
    further_fields: dict[str, Any]  # What else the file said of it.
    is_current: bool
    sha256: str
    text: str
    title: str


class Guideline(TypedDict):
    """All texts are Markdown."""

    cases: list[Case]  # The worked examples.
    created_at: str
    edge_cases: str
    examples: str  # What is to be said beside the worked examples.
    introduction: str
    number: int


class GuidelineEntriesRequest(TypedDict):
    based_on: int  # The number of the version that you have edited; 409 if it moved on.
    cases: NotRequired[list[CaseEntriesRequest]]  # The worked examples, in order.
    edge_cases: NotRequired[str]  # What to do where the definitions leave one in doubt. Markdown.
    examples: NotRequired[str]  # Anything else to say about examples, beside the worked ones. Markdown.
    introduction: str  # How to judge. Markdown: **bold**, *italic*, lists with “- ”, headings with “## ”.


class GuidelineLine(TypedDict):
    created_at: str
    created_by: NotRequired[str | None]
    is_current: bool
    number: int
    sha256: str


class PairEntryRequest(TypedDict):
    docno: str
    number: str


class PoolEntriesRequest(TypedDict):
    name: str
    # In their order: of each topic, the pair that stands first counts as the most promising.
    pairs: list[PairEntryRequest]


class PoolTopic(TypedDict):
    n_pairs: int
    number: str
    title: str


class Scale(TypedDict):
    grades: list[Grade]  # From bottom to top.
    number_is_fixed: str  # Why the number of grades cannot change any more; empty while it can.
    version: int


class ScaleEntriesRequest(TypedDict):
    grades: list[GradeEntriesRequest]  # The scale, from bottom to top.


class Topic(TypedDict):
    description: str
    narrative: str
    number: str
    title: str


class TopicVersion(TypedDict):
    created_at: str
    description: str
    is_current: bool
    narrative: str
    sha256: str
    title: str


class WholeDocument(TypedDict):
    docno: str
    # Its texts, the newest first; none for one that came with judgments or qrels alone.
    versions: list[DocumentVersion]


class WholePool(TypedDict):
    """With how many pairs each topic has."""

    created_at: str
    created_by: NotRequired[str | None]
    id: int
    n_batches: int  # Batches made from it; while there are any, it stays.
    n_pairs: int
    name: str
    origin: dict[str, Any]
    topics: list[PoolTopic]
    url: str


class WholeTopic(TypedDict):
    number: str
    versions: list[TopicVersion]  # Its texts, the newest first; none for one that came with judgments or qrels alone.


class DocumentsQuery(TypedDict):
    # Only those with each of these words: in documents it begins a word, in topics it stands anywhere.
    q: NotRequired[str]


class TopicsQuery(TypedDict):
    # Only those with each of these words: in documents it begins a word, in topics it stands anywhere.
    q: NotRequired[str]
