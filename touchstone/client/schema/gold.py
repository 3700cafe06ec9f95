"""What the API takes and gives, as its schema says it: written by `python -m tests.unchanged record`."""

from typing import TypedDict


class Gold(TypedDict):
    accepted: list[int]  # The grades that count as right.
    created_at: str
    docno: str
    explanation: str  # What annotators are told who judged the pair, once that is due.
    grade: int
    number: str
    reason: str  # For admins and researchers alone.
