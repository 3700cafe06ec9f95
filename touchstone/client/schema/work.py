"""What the API takes and gives, as its schema says it: written by `python -m tests.unchanged record`."""

from typing import Literal, NotRequired, TypedDict

from touchstone.client.schema.shared import BatchState, NamedGrade


class WorkDone(TypedDict):
    active_hours: float
    n: int  # Pairs judged.
    wall_hours: float


class BatchOfMine(TypedDict):
    collection: str
    done: WorkDone
    is_active: bool  # Whether you still take part.
    n_new: int  # Of these, not marked as read.
    n_results: int  # Of how many pairs you were told how you did.
    n_skipped: int
    name: str
    state: BatchState
    token: str


class DayOfMine(TypedDict):
    day: str
    done: WorkDone


class OwnObjection(TypedDict):
    answer: str  # Empty while it is open.
    answered_at: str | None
    created_at: str
    reason: str
    state: str  # `open`, `upheld` or `declined`.
    told_grade: int


VerdictEnum = Literal["right", "one off", "far off", "withdrawn"]


class OwnResult(TypedDict):
    above: int  # Steps above the nearest accepted grade; below 0: below it.
    also_accepted: list[NamedGrade]
    can_object: bool
    comment: str
    explanation: str
    is_new: bool
    judged_at: str
    known: NamedGrade
    mine: NamedGrade
    number: str
    objection: OwnObjection | None  # Your last one.
    result: str
    title: str
    topic_title: str
    verdict: VerdictEnum


class SessionOfMine(TypedDict):
    minutes: int
    n_judged: int
    rest_minutes: int  # Of the break after it.
    started_at: str


class OwnWork(TypedDict):
    batches: list[BatchOfMine]
    days: list[DayOfMine]  # Of the last four weeks, the newest first.
    done: WorkDone
    sessions: list[SessionOfMine]  # The last twenty.


class RaisedObjectionRequest(TypedDict):
    reason: str


class ResultsRead(TypedDict):
    n_new: int  # How many were new.


class WholeOwnResult(TypedDict):
    above: int  # Steps above the nearest accepted grade; below 0: below it.
    also_accepted: list[NamedGrade]
    can_object: bool
    comment: str
    explanation: str
    is_new: bool
    judged_at: str
    known: NamedGrade
    mine: NamedGrade
    number: str
    objection: OwnObjection | None  # Your last one.
    result: str
    text: str  # Of the document, without markup.
    title: str
    topic_description: str
    topic_narrative: str
    topic_title: str
    verdict: VerdictEnum


class WorkQuery(TypedDict):
    show: NotRequired[Literal["far off", "one off", "right", "withdrawn"]]  # Those of one verdict alone.
