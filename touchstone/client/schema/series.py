"""What the API takes and gives, as its schema says it: written by `python -m tests.unchanged record`."""

from typing import Any, Literal, NotRequired, TypedDict

from touchstone.client.schema.shared import BlankEnum


class Baseline(TypedDict):
    """What is usual, frozen from the history."""

    autocorrelation: float
    deviation: float
    horizon: int
    mean: float
    n_draws: int
    n_history: int
    rate: float  # The chance of a false alarm in a horizon.
    threshold: float  # In deviations.


class CloseEntriesRequest(TypedDict):
    anew: NotRequired[bool]  # A new history is gathered from where the change began.
    note: str  # What it was. It stays.


FigureEnum = Literal[
    "centroid",
    "energy",
    "mmd",
    "classifier",
    "sliced",
    "effective_dimensions",
    "top_10",
    "mean_cosine",
    "uniformity",
    "faint",
    "effective_rank",
    "hub_skewness",
    "never_near",
]


class NoteEntriesRequest(TypedDict):
    text: str
    time: NotRequired[str | None]  # ISO 8601; now, if it is left out.


WatchedBad = Literal["down", "up", "either"]

WatchedRule = Literal["cusum", "page-hinkley", "limits"]

WatchedSchedule = Literal["hourly", "daily", "weekly", "monthly"]


class PatchedChangedSeriesEntriesRequest(TypedDict):
    """What is left out stays as it is."""

    bad: NotRequired[WatchedBad]
    block: NotRequired[int | None]  # Points in a row that follow each other; 1 where they do not.
    description: NotRequired[str]  # What it is watched for.
    high: NotRequired[float | None]  # For limits: above is an alert.
    horizon: NotRequired[int | None]  # New points in which that is the chance.
    hour: NotRequired[int | None]  # 0 to 23, of the time zone.
    low: NotRequired[float | None]  # For limits: below is an alert.
    n_history: NotRequired[int | None]  # The first ones, in which nothing is taken to have changed.
    name: NotRequired[str]
    rate: NotRequired[float | None]  # The chance of one in a horizon without a change.
    rule: NotRequired[WatchedRule]
    schedule: NotRequired[WatchedSchedule | BlankEnum]
    zone: NotRequired[str]  # Europe/Vienna …


class PointEntriesRequest(TypedDict):
    high: NotRequired[float | None]
    low: NotRequired[float | None]  # Of its interval, if it has one.
    rests_on: NotRequired[str]  # What was measured: a version, a hash.
    time: NotRequired[str | None]  # ISO 8601; now, if it is left out.
    value: float


class PointsEntriesRequest(TypedDict):
    points: list[PointEntriesRequest]


SeriesBadEnum = Literal["down", "up", "either"]

SeriesKindEnum = Literal["outside", "measure", "agreement", "gold", "vectors", "space", "queries"]

SeriesRuleEnum = Literal["cusum", "page-hinkley", "limits"]

SeriesScheduleEnum = Literal["hourly", "daily", "weekly", "monthly"]


class Series(TypedDict):
    """A series in a list: what it measures, by which rule, when."""

    bad: SeriesBadEnum
    block: NotRequired[int]
    created_at: str
    description: NotRequired[str]
    ended_at: NotRequired[str | None]
    high: NotRequired[float | None]
    horizon: NotRequired[int]
    hour: NotRequired[int]
    id: int
    is_alarmed: bool  # Whether an alert is open.
    kind: SeriesKindEnum
    last_time: str | None  # Of the last point with a value.
    low: NotRequired[float | None]
    n_history: NotRequired[int]
    n_points: int  # Points with a value.
    name: str
    next_due: NotRequired[str | None]
    of: NotRequired[Any]
    rate: NotRequired[float]
    rule: SeriesRuleEnum
    schedule: SeriesScheduleEnum | BlankEnum
    zone: NotRequired[str]


class SeriesAlert(TypedDict):
    closed_at: NotRequired[str | None]
    closed_by: NotRequired[str | None]
    direction: str  # up or down.
    level: float
    note: NotRequired[str]
    opened_at: str
    seen_at: NotRequired[str | None]
    seen_by: NotRequired[str | None]
    since: str
    threshold: float
    time: str  # Of the point that was above the threshold.
    value: float


SeriesEntriesKindEnum = Literal["outside", "measure", "agreement", "gold", "vectors", "space", "queries"]

SeriesEntriesSideEnum = Literal["queries", "documents"]

StatisticEnum = Literal["queries", "traffic", "once", "top", "zero"]


class SeriesEntriesRequest(TypedDict):
    bad: NotRequired[WatchedBad]
    block: NotRequired[int | None]  # Points in a row that follow each other; 1 where they do not.
    days: NotRequired[int | None]  # Empty: of all judgments so far.
    description: NotRequired[str]  # What it is watched for.
    figure: NotRequired[FigureEnum | BlankEnum]
    high: NotRequired[float | None]  # For limits: above is an alert.
    horizon: NotRequired[int | None]  # New points in which that is the chance.
    hour: NotRequired[int | None]  # 0 to 23, of the time zone.
    kind: NotRequired[SeriesEntriesKindEnum]
    low: NotRequired[float | None]  # For limits: below is an alert.
    measure: NotRequired[str]  # nDCG@10, AP(rel=2), RR …
    model: NotRequired[str]  # The model that is watched. Ending with *: the newest whose name begins so.
    n_history: NotRequired[int | None]  # The first ones, in which nothing is taken to have changed.
    name: str
    rate: NotRequired[float | None]  # The chance of one in a horizon without a change.
    reference: NotRequired[str]  # The model whose vectors are usual.
    rule: NotRequired[WatchedRule]
    run: NotRequired[str]  # Its tag. Ending with *: the newest whose name begins so.
    schedule: NotRequired[WatchedSchedule | BlankEnum]
    side: NotRequired[SeriesEntriesSideEnum | BlankEnum]
    snapshot: NotRequired[str]  # Its name. Empty: the newest.
    statistic: NotRequired[StatisticEnum | BlankEnum]
    zone: NotRequired[str]  # Europe/Vienna …


class SeriesJob(TypedDict):
    """The job that measures a series."""

    job_url: str
    name: str


class SeriesNote(TypedDict):
    text: str
    time: str


SourceEnum = Literal["page", "api", "command", "schedule"]


class SeriesPoint(TypedDict):
    """`value` is null where `n_missed` moments of the schedule were missed."""

    high: NotRequired[float | None]
    key: NotRequired[str]
    low: NotRequired[float | None]
    n_missed: NotRequired[int]
    reason: NotRequired[str]
    rests_on: NotRequired[str]
    source: SourceEnum
    time: str
    value: NotRequired[float | None]


SeriesStateStateEnum = Literal["alert", "usual", "history"]


class SeriesState(TypedDict):
    """How a series stands."""

    alerts: list[SeriesAlert]  # The newest first.
    baseline: Baseline | None
    ended_at: str | None
    id: int
    last: SeriesPoint | None
    n_missed: int  # Moments of the schedule without a point.
    n_points: int
    name: str
    next_due: str | None
    notes: list[SeriesNote]
    state: SeriesStateStateEnum
    words: list[str]  # The state first, then what it rests on.


class SeriesQuery(TypedDict):
    name: NotRequired[str]  # Only the one of this name.
