"""What the API takes and gives, as its schema says it: written by `python -m tests.unchanged record`."""

from typing import Literal, NotRequired, TypedDict


class GoldPairRequest(TypedDict):
    docno: str
    number: str


class GoldChoiceEntriesRequest(TypedDict):
    pairs: list[GoldPairRequest]  # Pairs that are gold and not in the round.


StepEnum = Literal["up", "down"]


class MoveEntriesRequest(TypedDict):
    step: StepEnum


class PatchedRoundEntriesRequest(TypedDict):
    most_attempts: NotRequired[int]  # How often a person may try; 0: without end.
    name: NotRequired[str]
    pass_mark: NotRequired[float]  # Of the first answers, so large a share right; 0.7.


class PatchedTaughtEntriesRequest(TypedDict):
    accepted: NotRequired[list[int]]  # One or more.
    explanation: NotRequired[str]  # Shown after the answer: why this grade and no other.
    hint: NotRequired[str]  # Shown with the pair: what to look for.


QualificationState = Literal["draft", "open", "closed"]


class RoundEntriesRequest(TypedDict):
    most_attempts: NotRequired[int]  # How often a person may try; 0: without end.
    name: str
    pass_mark: NotRequired[float]  # Of the first answers, so large a share right; 0.7.


class RoundPair(TypedDict):
    accepted: list[int]
    docno: str
    explanation: str
    hint: str
    n_answers: int  # First answers to it.
    n_right: int
    number: str
    token: str


class RoundPairEntriesRequest(TypedDict):
    accepted: list[int]  # One or more.
    docno: str
    explanation: NotRequired[str]  # Shown after the answer: why this grade and no other.
    hint: NotRequired[str]  # Shown with the pair: what to look for.
    number: str


class Tried(TypedDict):
    n_answers: int
    n_right: int
    number: int
    passed: bool | None  # null while it is under way.


class RoundPerson(TypedDict):
    annotator: str
    has_passed: bool
    last_at: str | None
    tries: list[Tried]
    tries_left: int | None  # null: as many as they like.


class RoundRow(TypedDict):
    created_at: str
    most_attempts: int  # How often a person may try; 0: without end.
    n_pairs: int
    n_passed: int
    n_people: int  # People who have begun it.
    name: str
    pass_mark: float  # The share of first answers that have to be right.
    state: QualificationState
    token: str


class WholeRound(TypedDict):
    """A round with its pairs in their order, and how people fared."""

    batches: list[str]  # Names of those that ask for it.
    created_at: str
    most_attempts: int  # How often a person may try; 0: without end.
    name: str
    pairs: list[RoundPair]
    pass_mark: float  # The share of first answers that have to be right.
    people: list[RoundPerson]  # By pseudonym.
    state: QualificationState
    token: str
