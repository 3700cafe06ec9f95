"""What the API takes and gives, as its schema says it: written by `python -m tests.unchanged record`."""

from typing import Literal, NotRequired, TypedDict

from touchstone.client.schema.shared import Grade, GradeEntriesRequest, RolesEnum


class Counts(TypedDict):
    annotators: int
    batches: int
    documents: int
    judgments: int
    pools: int
    snapshots: int
    topics: int


class Collection(TypedDict):
    counts: Counts
    created_at: str
    description: str
    grades: list[Grade]  # The scale, from bottom to top.
    language: str  # Of its topics and documents, as a tag of BCP 47; empty where not told.
    name: str
    roles: list[RolesEnum]  # Your own.
    slug: str


class Demo(TypedDict):
    job_url: str  # The job that makes it; its result names the `collection`.


class JobLine(TypedDict):
    at: str
    attempt: int  # 0 before the first.
    text: str


JobState = Literal["queued", "running", "done", "failed", "cancelled"]


class Job(TypedDict):
    attempt: int  # How often it was begun; 0 while it waits for the first time.
    cancel_asked_at: str | None
    collection: NotRequired[str | None]
    created_at: str
    done: int
    error: str
    finished_at: str | None
    kind: str
    log: list[JobLine]  # What its attempts did and met, the oldest first.
    message: str
    started_at: str | None
    state: JobState
    token: str
    total: int  # 0 where the job cannot say.
    url: str


class NewCollectionEntriesRequest(TypedDict):
    description: NotRequired[str]  # What is in it and what it is for. Members see it.
    grades: NotRequired[list[GradeEntriesRequest]]  # The scale, from bottom to top.
    # As a tag: en, pt-BR, zh-Hant. Screen readers speak topics and documents in it. Empty: not told.
    language: NotRequired[str]
    name: str
    slug: NotRequired[str]  # Stands in addresses and stays; without one it is made from the name.


NoticeKindEnum = Literal[
    "alert",
    "answer",
    "batch done",
    "batch open",
    "import",
    "invitation",
    "job",
    "objection",
    "results",
    "series alert",
    "snapshot",
]


class Notice(TypedDict):
    collection: NotRequired[str | None]
    created_at: str
    kind: NoticeKindEnum
    page: str  # The address of the page of what it tells of.
    read_at: str | None
    text: str
    token: str


PageEnum = Literal[
    "adjudication",
    "audit",
    "batches",
    "documents",
    "gold",
    "gold_appeals",
    "gold_supply",
    "imports",
    "jobs",
    "outgoing",
    "people",
    "pools",
    "quality_annotators",
    "quality_pairs",
    "runs",
    "series_list",
    "snapshots",
    "topics",
]


class PatchedDescriptionEntriesRequest(TypedDict):
    description: NotRequired[str]  # What is in it and what it is for. Members see it.
    # As a tag: en, pt-BR, zh-Hant. Screen readers speak topics and documents in it. Empty: not told.
    language: NotRequired[str]
    name: NotRequired[str]


class PatchedViewNameEntriesRequest(TypedDict):
    name: NotRequired[str]  # What you call it from now on.


class Place(TypedDict):
    created_at: str
    description: str
    language: str  # Of its topics and documents, as a tag of BCP 47; empty where not told.
    name: str
    roles: list[RolesEnum]  # Your own.
    slug: str


class ReadNumber(TypedDict):
    read: int  # How many were unread before.


class SavedView(TypedDict):
    address: str  # Of the list as it was kept: whoever may see it may open it.
    created_at: str
    id: int
    name: str
    page: str
    query: NotRequired[str]


class SavedViewEntriesRequest(TypedDict):
    name: str  # What you call it; one of the same list and name is replaced.
    page: PageEnum
    query: NotRequired[str]  # The address after the question mark: sort, q, columns …


class InboxQuery(TypedDict):
    unread: NotRequired[bool]  # Only what was not read.
