"""What the API takes and gives, as its schema says it: written by `python -m tests.unchanged record`."""

from typing import Any, Literal, NotRequired, TypedDict


class AlarmEntriesRequest(TypedDict):
    columns: NotRequired[str]  # As positive=is_chargeback, score=p.
    false_alarm: NotRequired[float | None]  # With the next one.
    false_rate: NotRequired[float]  # At most.
    miss: NotRequired[float | None]  # Both need a threshold.
    neighbour: NotRequired[int]
    run: NotRequired[str]  # The tag of a run of the collection.
    threshold: NotRequired[float | None]  # For cost and time to detection; empty: the threshold of that rate is drawn.
    vectors: NotRequired[str]  # Stored vectors: `documents/MODEL` or `queries/MODEL`.


class AskedDescription(TypedDict):
    description_url: str  # Where the description is once it is made.
    job_url: str  # The job that describes.
    key: str  # The hash of what was asked.


DescriptionKind = Literal["recommendations", "alarms", "drift"]


class Description(TypedDict):
    asked: dict[str, Any]  # `sources` by the part they play, with their hashes, and `options`.
    drawing: dict[str, Any]  # What the page draws: curves as `x` and `y`, shares in bins.
    # As `describe_recommendations`, `evaluate_alarms` or `describe_drift` has them with `--json`.
    figures: dict[str, Any]
    key: str  # The hash of what was asked.
    kind: DescriptionKind
    made_at: str
    url: str


class DescriptionLine(TypedDict):
    asked: dict[str, Any]  # `sources` by the part they play, with their hashes, and `options`.
    key: str  # The hash of what was asked.
    kind: DescriptionKind
    made_at: str
    url: str


class DriftEntriesRequest(TypedDict):
    alpha: NotRequired[float]
    column: NotRequired[str]  # Which one holds the scores.
    directions: NotRequired[int]  # Of vectors, drawn at random.
    permutations: NotRequired[int]
    # Stored vectors: `documents/MODEL` or `queries/MODEL`. Or the scores of a run: `run/TAG`.
    reference: NotRequired[str]
    sample: NotRequired[int]  # Drawn if it has more.
    seed: NotRequired[int]
    window: NotRequired[str]  # As `reference`, of later.


class RecommendationEntriesRequest(TypedDict):
    k: NotRequired[int]
    run: NotRequired[str]  # The tag of a run of the collection.
    snapshot: NotRequired[str]  # By name: what people wanted, for the hit rate.
    vectors: NotRequired[str]  # Of the items: `documents/MODEL`.
