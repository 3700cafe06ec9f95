"""What the API takes and gives, as its schema says it: written by `python -m tests.unchanged record`."""

from typing import NotRequired, TypedDict


class NextPoolRequest(TypedDict):
    """The same, and what the pool is called."""

    best: NotRequired[int]
    depth: NotRequired[int]
    measure: NotRequired[str]
    name: str
    pairs: NotRequired[int]
    run: NotRequired[list[str]]  # Two tags, repeated; none for the best of all runs.
    snapshot: str  # The name of a snapshot.


class PoolsNextQuery(TypedDict):
    best: NotRequired[int]
    depth: NotRequired[int]
    measure: NotRequired[str]
    pairs: NotRequired[int]
    run: NotRequired[list[str]]  # Two tags, repeated; none for the best of all runs.
    snapshot: str  # The name of a snapshot.
