"""What the API takes and gives, as its schema says it: written by `python -m tests.unchanged record`."""

from typing import Any, TypedDict


class ClickComparison(TypedDict):
    figures: dict[str, Any]  # As `compare_clicks --json` has them, without `pairs`.
    filename: str
    made_at: str
    name: str
    sha256: str  # Of the log.
    snapshot: str
    url: str


class ClickComparisonLine(TypedDict):
    filename: str
    made_at: str
    name: str
    sha256: str  # Of the log.
    snapshot: str
    url: str
