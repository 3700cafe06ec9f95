"""What the API takes and gives, as its schema says it: written by `python -m tests.unchanged record`."""

from typing import Any, Literal, NotRequired, TypedDict

from touchstone.client.schema.shared import BlankEnum, CorrectionEnum

ABOutcome = Literal["clicked", "first_click", "clicks"]


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


ClickCreditEnum = Literal["inverse", "linear"]

ClicksEnum = Literal["perfect", "navigational", "informational", "almost_random", "position_based"]

DescriptionKind = Literal["recommendations", "alarms", "drift", "interleaving", "interleaving_power"]


class Description(TypedDict):
    asked: dict[str, Any]  # `sources` by the part they play, with their hashes, and `options`.
    drawing: dict[str, Any]  # What the page draws: curves as `x` and `y`, shares in bins.
    figures: dict[str, Any]  # As the command of the kind has them with `--json`.
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


class InterleavingEntriesRequest(TypedDict):
    confidence: NotRequired[float]  # Of intervals.
    correction: NotRequired[CorrectionEnum]


InterleavingPowerEntriesMethodEnum = Literal["team_draft", "balanced", "optimised", "probabilistic"]

SharedPrefixEnum = Literal["drafted", "teamless"]


class InterleavingPowerEntriesRequest(TypedDict):
    alpha: NotRequired[float]  # Of both tests.
    # Of optimised: by 1/rank, or by rank. * `` - * `inverse` - inverse * `linear` - linear
    click_credit: NotRequired[ClickCreditEnum | BlankEnum]
    clicks: NotRequired[ClicksEnum]
    depth: NotRequired[int]
    eta: NotRequired[float | None]  # Of position based: position r is looked at (1/r)^eta often; 1.
    first: NotRequired[str]  # The tag of a run.
    method: NotRequired[InterleavingPowerEntriesMethodEnum]
    noise: NotRequired[float | None]  # Of position based: how often grade 0 is clicked once looked at; .1.
    outcome: NotRequired[ABOutcome]
    replications: NotRequired[int]  # Of each experiment.
    second: NotRequired[str]  # The tag of a run.
    seed: NotRequired[int]
    # Of team draft: they have a team, or none. * `` - * `drafted` - drafted * `teamless` - teamless
    shared_prefix: NotRequired[SharedPrefixEnum | BlankEnum]
    sizes: NotRequired[str]  # In all, each size a point.
    snapshot: str  # By name.
    tau: NotRequired[float | None]  # Of probabilistic: rank r is drawn in proportion to 1/r^tau; 3.


class RecommendationEntriesRequest(TypedDict):
    k: NotRequired[int]
    run: NotRequired[str]  # The tag of a run of the collection.
    snapshot: NotRequired[str]  # By name: what people wanted, for the hit rate.
    vectors: NotRequired[str]  # Of the items: `documents/MODEL`.


class InterleavedListsQuery(TypedDict):
    # Of optimised: by 1/rank, or by rank. * `` - * `inverse` - inverse * `linear` - linear
    click_credit: NotRequired[Literal["", "inverse", "linear"]]
    depth: NotRequired[int]
    lists: NotRequired[int]  # Numbered from 1.
    method: NotRequired[Literal["team_draft", "balanced", "optimised", "probabilistic"]]
    runs: list[str]  # Tags, 2 to 20.
    seed: NotRequired[int]
    # Of team draft: they have a team, or none. * `` - * `drafted` - drafted * `teamless` - teamless
    shared_prefix: NotRequired[Literal["", "drafted", "teamless"]]
    tau: NotRequired[float | None]  # Of probabilistic: rank r is drawn in proportion to 1/r^tau; 3.
