"""What the API takes and gives, as its schema says it: written by `python -m tests.unchanged record`."""

from typing import Any, NotRequired, TypedDict


class Origin(TypedDict):
    after: str
    before: str
    what: str


class PairChange(TypedDict):
    after: int | None
    before: int | None  # Its grade; null where that snapshot lacks it.
    docno: str
    reason: str  # Why one lacks it; empty where that is not known.
    topic: str


class PairCounts(TypedDict):
    added: int
    regraded: int
    removed: int
    same: int


class Changes(TypedDict):
    after: str
    before: str  # The name of the earlier snapshot.
    changes: list[PairChange]  # Every pair that changed.
    conclusion: list[str]
    origins: list[Origin]  # What both were made from.
    pairs: PairCounts
    runs: dict[str, Any] | None  # Those evaluated against both, as an accounting has them.


class SnapshotsChangedQuery(TypedDict):
    since: NotRequired[str]  # The name of an earlier snapshot; the one that it most likely came from if left out.
